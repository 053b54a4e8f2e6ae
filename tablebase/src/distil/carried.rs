//! The distilled file that the program has: inside it (the feature `pocket`), or given to it later, as in a browser.

use std::sync::OnceLock;

use anqi_rules::Rules;

use super::{EmbeddedValues, Pocket, PocketError};
use crate::probe::{Endgames, NoEndgames};

/// The file that was given.
static GIVEN: OnceLock<Pocket> = OnceLock::new();

/// Gives the program a distilled file of up to five pieces, for the rest of its life; the first one counts.
///
/// # Errors
///
/// Returns an error if the bytes are not such a file, or not a sound one.
pub fn provide(bytes: Vec<u8>) -> Result<(), PocketError> {
    let pocket = Pocket::new(bytes)?;
    // Every sound file has the same values.
    let _ = GIVEN.set(pocket);
    Ok(())
}

/// Returns the values that are certain under these rules, of up to five pieces, all face up; `None` without
/// a file.
pub fn carried(rules: Rules) -> Option<EmbeddedValues> {
    let pocket = GIVEN.get().or_else(built_in)?;
    Some(EmbeddedValues::of(pocket, rules))
}

/// Returns the values of [`carried`], or none where there is no file.
pub fn values(rules: Rules) -> Box<dyn Endgames> {
    match carried(rules) {
        Some(values) => Box::new(values),
        None => Box::new(NoEndgames),
    }
}

#[cfg(feature = "pocket")]
fn built_in() -> Option<&'static Pocket> {
    // Tests open the file that is built in.
    super::embedded().ok()
}

#[cfg(not(feature = "pocket"))]
fn built_in() -> Option<&'static Pocket> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_none_is_refused() {
        assert_eq!(provide(b"no table".to_vec()), Err(PocketError::Magic));
    }

    #[cfg(feature = "pocket")]
    #[test]
    fn five_pieces_are_known_and_six_or_face_down_ones_are_not() {
        use crate::solve::Wdl;
        let values = values(Rules::OLYMPIAD);
        let value = |text: &str| values.wdl(&text.parse().unwrap());
        assert_eq!(value("4/4/4/4/4/4/1p2/KgPP r - 0 0"), Some(Wdl::Win));
        assert_eq!(value("4/4/4/4/4/3p/3C/Kgpp r - 0 0"), None);
        assert_eq!(value("4/4/4/4/4/4/4/K?2 b g 0 9"), None);
    }
}
