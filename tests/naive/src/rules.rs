//! The rules that differ from place to place, and how games end.

use std::fmt;

/// Which repetition draws a game, and after how many times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Repetition never ends a game.
    Never,
    /// The same position for this many times since the last capture or flip.
    Position(usize),
    /// The last quiet plies are one sequence this many times in a row.
    Sequence(usize),
    /// The same position for this many times, which no chase may bring about.
    ChaseBan(usize),
}

/// What a ply does in a chase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// It attacks the piece that has just moved.
    Chase,
    /// It moves the piece that has just been chased.
    Flight,
    /// Neither, or both.
    Ordinary,
}

/// The rules that differ from place to place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaiveRules {
    /// The name of the preset.
    pub name: &'static str,
    /// A game is drawn after this many plies without capture or flip (of a course: without capture).
    pub quiet_limit: usize,
    /// Which repetition draws.
    pub repetition: Repetition,
    /// A draw by the limit counts even if the side to move cannot act.
    pub draws_first: bool,
    /// The game follows the rules of a course, see [`Naive::of_course`](crate::Naive::of_course).
    pub course: bool,
}

/// The presets in the order of the rules document.
pub const PRESETS: [NaiveRules; 6] = [
    NaiveRules {
        name: "olympiad",
        quiet_limit: 180,
        repetition: Repetition::Position(3),
        draws_first: false,
        course: false,
    },
    NaiveRules {
        name: "platform",
        quiet_limit: 60,
        repetition: Repetition::Sequence(3),
        draws_first: false,
        course: false,
    },
    NaiveRules {
        name: "paper",
        quiet_limit: 40,
        repetition: Repetition::Never,
        draws_first: false,
        course: false,
    },
    NaiveRules {
        name: "openspiel",
        quiet_limit: 50,
        repetition: Repetition::Never,
        draws_first: false,
        course: false,
    },
    NaiveRules {
        name: "mistboard",
        quiet_limit: 40,
        repetition: Repetition::ChaseBan(3),
        draws_first: true,
        course: false,
    },
    NaiveRules {
        name: "course",
        quiet_limit: 30,
        repetition: Repetition::Never,
        draws_first: true,
        course: true,
    },
];

/// Returns the preset of that name.
///
/// # Panics
///
/// Panics when no preset has that name.
pub fn preset(name: &str) -> NaiveRules {
    *PRESETS
        .iter()
        .find(|rules| rules.name == name)
        .expect("the caller names a preset")
}

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The game goes on.
    Playing,
    /// A side has no legal action; the colour (`r` or `b`) is the winner's.
    NoAction(char),
    /// One side has lost all its pieces; the colour (`r` or `b`) is the winner's.
    WipedOut(char),
    /// Drawn: too long without a capture or a flip.
    Quiet,
    /// Drawn: the game repeats itself.
    Repetition,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Playing => "playing",
            Outcome::NoAction('r') | Outcome::WipedOut('r') => "red wins",
            Outcome::NoAction(_) | Outcome::WipedOut(_) => "black wins",
            Outcome::Quiet | Outcome::Repetition => "draw",
        })
    }
}
