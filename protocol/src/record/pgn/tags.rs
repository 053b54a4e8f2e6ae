//! The tags of a record that have no field of their own, and the order of all tags.

use std::collections::BTreeMap;

/// The tags that every record has, in order; the result is not among the [`Tags`].
pub(super) const ROSTER: [&str; 7] = [
    "Event", "Site", "Date", "Round", "First", "Second", "Result",
];

/// Tags that fields of a game hold, or that follow from it.
const FIELDS: [&str; 9] = [
    "Result",
    "Variant",
    "Rules",
    "Red",
    "Termination",
    "Setup",
    "FEN",
    "DealCommitment",
    "Deal",
];

/// Other tags whose spelling is fixed.
const SPELLED: [&str; 2] = ["TimeControl", "Time"];

/// Tags by name: players, event, date, and any others.
///
/// Names keep their letters, digits and `_`; control characters in values become blanks.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Tags(BTreeMap<String, String>);

impl Tags {
    /// Returns the value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Sets a tag.
    ///
    /// A tag of the roster with the value `?` or nothing is as good as absent. Tags that a field of
    /// the game holds, such as `Result`, are not set here.
    pub fn set(&mut self, name: &str, value: &str) {
        let name = spelled(name);
        if FIELDS.contains(&name.as_str()) {
            return;
        }
        let value = printable(value);
        let unknown = matches!(value.trim(), "" | "?" | "????.??.??");
        if unknown && ROSTER.contains(&name.as_str()) {
            drop(self.0.remove(&name));
        } else {
            drop(self.0.insert(name, value));
        }
    }

    /// Iterates over names and values in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.0.iter();
        pairs.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Iterates over the tags that are neither in the roster nor of a fixed place.
    pub(super) fn others(&self) -> impl Iterator<Item = (&str, &str)> {
        self.iter()
            .filter(|(name, _)| !ROSTER.contains(name) && *name != "TimeControl")
    }
}

/// Returns a value with blanks in the place of control characters.
pub(super) fn printable(value: &str) -> String {
    let blank = |c: char| if c.is_control() { ' ' } else { c };
    value.chars().map(blank).collect()
}

/// Returns the spelling of a tag's name: known names in their own upper and lower case.
pub(super) fn spelled(name: &str) -> String {
    let known = ROSTER.iter().chain(&FIELDS).chain(&SPELLED);
    let mut found = known.filter(|known| known.eq_ignore_ascii_case(name));
    if let Some(known) = found.next() {
        return (*known).to_owned();
    }
    let plain = |c: char| if is_name(c) { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    if name.is_empty() {
        return "_".to_owned();
    }
    name
}

/// Returns whether a character may stand in a tag's name.
pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
