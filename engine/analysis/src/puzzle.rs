//! A puzzle: a position, what solves it, what that brings about, and what follows.

use crate::value::{Certainty, Step, Value};
use anqi_rules::{Action, Position};
use serde::{Deserialize, Serialize};

/// An estimate closer to zero than this is a draw in the making.
const EVEN: f64 = 0.05;

/// A puzzle in the page's format.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Puzzle {
    /// A name derived from the position.
    pub id: String,
    /// The position.
    pub position: String,
    /// The rules' preset.
    #[cfg_attr(feature = "typescript", ts(type = "RulesName"))]
    pub rules: String,
    /// The actions that solve it.
    pub solution: Vec<String>,
    /// The principal variation, from the solution.
    pub line: Vec<Step>,
    /// The value of the solution.
    pub value: Value,
    /// The value of the best other action.
    pub second: Option<Value>,
    /// From 1 to 10.
    pub difficulty: u32,
    /// Its theme.
    pub theme: Theme,
    /// What the solution brings about.
    #[serde(default)]
    pub goal: Goal,
    /// What follows the solution, if one move does not show the point.
    #[serde(default)]
    pub more: Vec<Continuation>,
}

/// The opponent's best reply to a right move, and what solves the position after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Continuation {
    /// The opponent's move.
    pub reply: String,
    /// The actions that solve the position after it.
    pub solution: Vec<String>,
}

/// What the solution of a puzzle brings about for the side to move.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Goal {
    /// A proven win.
    Win,
    /// The better game.
    Advantage,
    /// A draw where everything else is worse.
    Draw,
    /// The best chance in a worse game.
    #[default]
    Defence,
}

impl Goal {
    /// Returns the goal of a puzzle whose solution has this value.
    pub fn of(value: Value) -> Goal {
        match (value.kind, value.expected) {
            (Certainty::Win, _) => Goal::Win,
            (Certainty::Draw, _) => Goal::Draw,
            (_, expected) if expected >= EVEN => Goal::Advantage,
            (_, expected) if expected > -EVEN => Goal::Draw,
            _ => Goal::Defence,
        }
    }
}

/// The theme of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Theme {
    /// The solution captures.
    Capture,
    /// The solution saves a piece.
    Escape,
    /// The solution flips.
    Flip,
    /// Few pieces, all of them known.
    Endgame,
    /// None of these.
    Quiet,
}

/// Returns the theme of a puzzle with this solution.
pub(super) fn theme(position: &Position, action: Action) -> Theme {
    let (from, to) = (action.from(), action.to());
    if action.is_flip() {
        return Theme::Flip;
    }
    if position.face_down().is_empty() && position.occupied().len() <= 6 {
        return Theme::Endgame;
    }
    if position.piece_at(to).is_some() {
        return Theme::Capture;
    }
    let enemies = position.turn().map(|turn| position.color(!turn));
    let attacked = enemies
        .into_iter()
        .flatten()
        .any(|enemy| position.targets(enemy).contains(from));
    if attacked {
        Theme::Escape
    } else {
        Theme::Quiet
    }
}

#[cfg(test)]
impl Puzzle {
    /// Returns a puzzle for tests that only look at these.
    pub(super) fn sample(id: &str, difficulty: u32) -> Puzzle {
        Puzzle {
            id: id.to_owned(),
            position: String::new(),
            rules: String::new(),
            solution: Vec::new(),
            line: Vec::new(),
            value: Value::estimate(0.5),
            second: None,
            difficulty,
            theme: Theme::Quiet,
            goal: Goal::Draw,
            more: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::ValueSource;

    #[test]
    fn themes_follow_from_the_solution() {
        let theme = |position: &str, action: &str| {
            theme(&position.parse().unwrap(), action.parse().unwrap())
        };
        assert_eq!(theme("K?2/4/4/4/4/4/4/g3 r p 0 9", "b8-b8"), Theme::Flip);
        assert_eq!(theme("g?2/K3/4/4/4/4/4/4 r p 0 9", "a7-a8"), Theme::Capture);
        assert_eq!(theme("p?2/K3/4/4/4/4/4/4 r p 0 9", "a7-a6"), Theme::Escape);
        assert_eq!(theme("K3/4/4/4/4/4/4/g3 r - 0 9", "a8-a7"), Theme::Endgame);
    }

    #[test]
    fn goals_follow_from_the_value() {
        let table = |kind| Value::proven(kind, None, ValueSource::Table);
        assert_eq!(Goal::of(table(Certainty::Win)), Goal::Win);
        assert_eq!(Goal::of(table(Certainty::Draw)), Goal::Draw);
        assert_eq!(Goal::of(Value::estimate(0.0)), Goal::Draw);
        assert_eq!(Goal::of(Value::estimate(0.3)), Goal::Advantage);
        assert_eq!(Goal::of(Value::estimate(-0.3)), Goal::Defence);
    }
}
