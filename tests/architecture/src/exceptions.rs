//! The list of exceptions: long files and functions, and arrows that turn back, each with its reason.
//!
//! A line is `KIND KEY : REASON`, for example `file a/b.rs : …`, `function a/b.rs name : …` or `arrow a.rs > b.rs : …`.
//! Lines that begin with `#` are remarks.

use std::collections::{BTreeMap, BTreeSet};

/// The reason that a new exception gets when the list is written, and that no exception may keep.
pub const NO_REASON: &str = "WHY?";

/// The exceptions by key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exceptions(BTreeMap<String, String>);

impl Exceptions {
    /// Reads a list.
    ///
    /// # Panics
    ///
    /// If a line has no reason after ` : `.
    pub fn read(text: &str) -> Self {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        let pair = |line: &str| {
            let (key, reason) = line
                .split_once(" : ")
                .unwrap_or_else(|| panic!("`{line}` gives no reason after ` : `"));
            (key.trim().to_owned(), reason.trim().to_owned())
        };
        Exceptions(lines.map(pair).collect())
    }

    /// Returns what is wrong with the list when exactly `found` needs exceptions, one line for each fault.
    pub fn faults(&self, found: &BTreeSet<String>) -> Vec<String> {
        let unlisted = found.iter().filter(|key| !self.0.contains_key(*key));
        let stale = self.0.keys().filter(|key| !found.contains(*key));
        let bare = self.0.iter().filter(|(_, reason)| *reason == NO_REASON);
        unlisted
            .map(|key| format!("not listed: {key}"))
            .chain(stale.map(|key| format!("listed and no longer so: {key}")))
            .chain(bare.map(|(key, _)| format!("no reason given: {key}")))
            .collect()
    }

    /// Returns the list that fits `found`, with the reasons that are known.
    pub fn rewritten(&self, head: &str, found: &BTreeSet<String>) -> String {
        let mut text = head.to_owned();
        for key in found {
            let reason = self.0.get(key).map_or(NO_REASON, String::as_str);
            text.push_str(&format!("{key} : {reason}\n"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(keys: &[&str]) -> BTreeSet<String> {
        keys.iter().map(|key| (*key).to_owned()).collect()
    }

    #[test]
    fn new_stale_and_bare_exceptions_are_faults() {
        let list =
            Exceptions::read("# why\nfile a.rs : one idea\nfile b.rs : WHY?\nfile c.rs : old\n");
        let found = keys(&["file a.rs", "file b.rs", "file d.rs"]);
        assert_eq!(
            list.faults(&found),
            [
                "not listed: file d.rs",
                "listed and no longer so: file c.rs",
                "no reason given: file b.rs"
            ]
        );
    }

    #[test]
    fn a_rewritten_list_keeps_the_reasons() {
        let list = Exceptions::read("file a.rs : one idea\nfile c.rs : old\n");
        let found = keys(&["file a.rs", "file d.rs"]);
        assert_eq!(
            list.rewritten("# why\n", &found),
            "# why\nfile a.rs : one idea\nfile d.rs : WHY?\n"
        );
    }
}
