//! How strong the champion plays: ten levels, each with a number and a name.
//!
//! People choose a level by either; specs and records use the number.

use std::fmt;
use std::str::FromStr;

/// The names, from the weakest level to the strongest.
const NAMES: [&str; 10] = [
    "beginner", "novice", "learner", "casual", "regular", "skilled", "strong", "expert", "master",
    "champion",
];

/// The player that has levels.
const PLAYER: &str = "champion";

/// A level of the champion, 1 to 10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

/// A text is neither the number nor the name of a level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a level (expected {})", Level::expected())]
pub struct LevelError {
    text: String,
}

impl Level {
    /// The strongest: without a limit of its own.
    pub const TOP: Level = Level(NAMES.len() as u8);
    /// The level that a person meets who asks for none, in the terminal and on the page.
    pub const DEFAULT: Level = Level(3);

    /// Returns all levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=Level::TOP.0).map(Level)
    }

    /// Returns the number, from 1.
    pub fn number(self) -> u32 {
        self.0.into()
    }

    /// Returns the name, one word.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0) - 1]
    }

    /// Returns the spec of the player.
    pub fn spec(self) -> String {
        format!("{PLAYER}:level={self}")
    }

    /// Returns the level that a spec means, if a level and where its tables are is all it says.
    pub fn of_spec(spec: &str) -> Option<Level> {
        let settings = spec.strip_prefix(PLAYER)?.strip_prefix(':')?;
        let mut level = None;
        for setting in settings.split(',') {
            match setting.split_once('=')? {
                ("level", number) => level = Some(number.parse().ok()?),
                ("tables", _) => {}
                _ => return None,
            }
        }
        level
    }

    /// Lists the valid levels, for messages.
    pub fn expected() -> String {
        format!("1 to {}, or {}", Level::TOP, NAMES.join(", "))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Level {
    type Err = LevelError;

    /// Reads a number, or a name in upper or lower case.
    fn from_str(text: &str) -> Result<Level, LevelError> {
        let called =
            |level: &Level| level.name().eq_ignore_ascii_case(text) || level.to_string() == text;
        Level::all().find(called).ok_or_else(|| LevelError {
            text: anqi_rules::notation::excerpt(text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_search::players::by_spec;

    #[test]
    fn numbers_and_names_mean_the_same() {
        for level in Level::all() {
            assert_eq!(level.to_string().parse(), Ok(level));
            assert_eq!(level.name().parse(), Ok(level));
            assert_eq!(level.name().to_uppercase().parse(), Ok(level));
        }
        assert_eq!("novice".parse::<Level>().map(Level::number), Ok(2));
        for bad in ["", "0", "11", "+3", "03", "3.0", "begin", "beginner "] {
            let words = bad.parse::<Level>().expect_err(bad).to_string();
            assert!(words.contains("1 to 10, or beginner, novice"), "{words}");
        }
    }

    #[test]
    fn a_spec_that_says_nothing_but_its_level_is_that_level() {
        for level in Level::all() {
            assert_eq!(Level::of_spec(&level.spec()), Some(level));
        }
        let of = Level::of_spec;
        assert_eq!(of("champion:tables=a folder,level=3"), Some(Level(3)));
        for other in [
            "champion",
            "champion:",
            "champion:tables=x",
            "champion:level=11",
            "champion:level=3,hash=4",
            "champion-1:level=3",
            "greedy",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn the_champion_has_exactly_these_levels() {
        for level in Level::all() {
            assert!(by_spec(&level.spec()).is_ok());
        }
        let beyond = Level::TOP.number() + 1;
        assert!(by_spec(&format!("champion:level={beyond}")).is_err());
        let top = by_spec(&format!("champion:level={}", Level::TOP)).unwrap();
        assert_eq!(top.spec(), by_spec("champion").unwrap().spec());
    }
}
