//! The values of endings that a distilled file has, where no table has them.
//!
//! Values without distances, for what is shown: the page and the analyst. The file is inside the program
//! (the feature `pocket`) or is given to it later ([`provide`]), as in a browser. The first probe of a region
//! decodes it, which takes milliseconds, so no search asks here. Only values that the rules do not
//! change count.

use anqi_rules::Rules;
use anqi_tablebase::distil::{EmbeddedValues, Pocket, PocketError};
use anqi_tablebase::{Endgames, NoEndgames};
use std::sync::OnceLock;

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

/// Returns the values that are certain under these rules: of up to five pieces, all face up; none without
/// a file.
pub fn values(rules: Rules) -> Box<dyn Endgames> {
    match GIVEN.get().or_else(built_in) {
        Some(pocket) => Box::new(EmbeddedValues::of(pocket, rules)),
        None => Box::new(NoEndgames),
    }
}

#[cfg(feature = "pocket")]
fn built_in() -> Option<&'static Pocket> {
    // The tests of the tables open the file that is built in.
    anqi_tablebase::distil::embedded().ok()
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
        use anqi_tablebase::Wdl;
        let values = values(Rules::OLYMPIAD);
        let value = |text: &str| values.wdl(&text.parse().unwrap());
        assert_eq!(value("4/4/4/4/4/4/1p2/KgPP r - 0 0"), Some(Wdl::Win));
        assert_eq!(value("4/4/4/4/4/3p/3C/Kgpp r - 0 0"), None);
        assert_eq!(value("4/4/4/4/4/4/4/K?2 b g 0 9"), None);
    }
}
