//! The engine under test: its dialect and how to start it.

use std::fmt;
use std::str::FromStr;

use anqi_protocol::Launch;

/// The language that an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// The tournament protocol, `cmd:`.
    Tournament,
    /// UCI for banqi, `uci:`.
    Uci,
    /// One line a position, `line:`.
    Line,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Dialect; 3] = [Dialect::Tournament, Dialect::Uci, Dialect::Line];

    /// Returns the word before the colon.
    pub fn prefix(self) -> &'static str {
        match self {
            Dialect::Tournament => "cmd",
            Dialect::Uci => "uci",
            Dialect::Line => "line",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::Tournament => "the tournament protocol",
            Dialect::Uci => "UCI for banqi",
            Dialect::Line => "the one-line dialect",
        })
    }
}

/// An engine to check.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its dialect.
    pub dialect: Dialect,
    /// How it is started.
    pub launch: Launch,
}

/// Why a text names no engine to check.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not an engine (expected cmd:PROGRAM ARGS, uci:PROGRAM ARGS or line:PROGRAM ARGS)"
)]
pub struct ParseTargetError(String);

impl FromStr for Target {
    type Err = ParseTargetError;

    fn from_str(text: &str) -> Result<Target, ParseTargetError> {
        let read = || {
            let (prefix, command_line) = text.split_once(':')?;
            let dialect = Dialect::ALL.into_iter().find(|d| d.prefix() == prefix)?;
            let launch = Launch::from_command_line(command_line)?;
            Some(Target { dialect, launch })
        };
        read().ok_or_else(|| ParseTargetError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_a_dialect_and_a_command_line() {
        let target: Target = "line:./engine -x".parse().expect("a target");
        assert_eq!(target.dialect, Dialect::Line);
        assert_eq!(target.launch.arguments, ["-x"]);
        for bad in ["champion", "cmd:", "gtp:./engine", "uci:'open"] {
            assert!(bad.parse::<Target>().is_err(), "{bad}");
        }
    }
}
