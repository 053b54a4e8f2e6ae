//! The values of endings inside the program, where no table has them.
//!
//! Values without distances, for what is shown: the page and the analyst. The first probe of a region
//! decodes it, which takes milliseconds, so no search asks here. Only values that the rules do not
//! change count.

use anqi_rules::Rules;
use anqi_tablebase::Endgames;

/// Returns the values that are certain under these rules: of up to five pieces, all face up.
#[cfg(feature = "pocket")]
pub fn values(rules: Rules) -> Box<dyn Endgames> {
    use anqi_tablebase::NoEndgames;
    use anqi_tablebase::distil::EmbeddedValues;
    match EmbeddedValues::new(rules) {
        Ok(values) => Box::new(values),
        // The tests of the tables open the file that is built in.
        Err(_) => Box::new(NoEndgames),
    }
}

/// Returns none: the program was built without them.
#[cfg(not(feature = "pocket"))]
pub fn values(_: Rules) -> Box<dyn Endgames> {
    Box::new(anqi_tablebase::NoEndgames)
}

#[cfg(all(test, feature = "pocket"))]
mod tests {
    use super::*;
    use anqi_tablebase::Wdl;

    #[test]
    fn five_pieces_are_known_and_six_or_face_down_ones_are_not() {
        let values = values(Rules::OLYMPIAD);
        let value = |text: &str| values.wdl(&text.parse().unwrap());
        assert_eq!(value("4/4/4/4/4/4/1p2/KgPP r - 0 0"), Some(Wdl::Win));
        assert_eq!(value("4/4/4/4/4/3p/3C/Kgpp r - 0 0"), None);
        assert_eq!(value("4/4/4/4/4/4/4/K?2 b g 0 9"), None);
    }
}
