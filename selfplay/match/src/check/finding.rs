//! What a check finds.

use serde::Serialize;

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckStatus {
    /// The engine does what the clause demands.
    Pass,
    /// It does not.
    Fail,
    /// The clause does not apply to it.
    Skip,
}

impl CheckStatus {
    /// Returns the word that is printed.
    pub fn word(self) -> &'static str {
        match self {
            CheckStatus::Pass => "PASS",
            CheckStatus::Fail => "FAIL",
            CheckStatus::Skip => "SKIP",
        }
    }
}

/// Why a check ends before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Broken {
    /// The engine fails it.
    Failed(String),
    /// It cannot be made of this engine.
    Skipped(String),
}

/// A step of a check.
pub type Checked<T = ()> = Result<T, Broken>;

/// Fails a check.
pub fn fail<T>(reason: impl Into<String>) -> Checked<T> {
    Err(Broken::Failed(reason.into()))
}

/// Skips a check.
pub fn skip<T>(reason: impl Into<String>) -> Checked<T> {
    Err(Broken::Skipped(reason.into()))
}

/// Returns the result of a check and its reason, on one line.
pub fn concluded(checked: Checked<String>) -> (CheckStatus, String) {
    let (outcome, reason) = match checked {
        Ok(reason) => (CheckStatus::Pass, reason),
        Err(Broken::Failed(reason)) => (CheckStatus::Fail, reason),
        Err(Broken::Skipped(reason)) => (CheckStatus::Skip, reason),
    };
    (
        outcome,
        reason.split_whitespace().collect::<Vec<_>>().join(" "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_one_line() {
        let failed = fail("it ended; its last words:\n  out of ideas\n");
        let (outcome, reason) = concluded(failed);
        assert_eq!(outcome, CheckStatus::Fail);
        assert_eq!(reason, "it ended; its last words: out of ideas");
        assert_eq!(concluded(skip("none")).0.word(), "SKIP");
    }
}
