//! Ending decided games early, by the values that players report, or by tables.
//!
//! A game is *resigned* for a side when it has reported a loss, and its opponent
//! a win, for several consecutive moves: one player's misjudgement is not
//! enough. It is a *draw* when both have reported values near zero for several
//! consecutive moves, after the opening. Players that do not report values are
//! not adjudicated. Tables end a game where its value is certain
//! ([`crate::table_adjudicator`]).

use std::fmt;
use std::str::FromStr;

use anqi_rules::Game;
use serde::{Deserialize, Serialize};

use crate::record::{Reason, Verdict};
use crate::side::{BySide, Side};

/// A win in the units in which players report values.
const WIN: f64 = 10_000.0;

/// The rules by which decided games end early.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    /// When a game is resigned, if ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// When a game is called a draw, if ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Which tables end games, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<TableRule>,
}

/// Which tables end games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TableRule {
    /// The most pieces of their positions.
    pub pieces: u32,
}

impl TableRule {
    /// Returns whether a game can be looked up: few pieces, all face up, and a quiet counter of
    /// zero, so that no earlier position can recur.
    pub fn applies(self, game: &Game) -> bool {
        let position = game.position();
        let pieces = position.occupied().len();
        position.face_down().is_empty()
            && pieces <= self.pieces as usize
            && position.quiet_counter() == 0
    }
}

/// When a game is resigned for a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResignRule {
    /// How far from zero the values must be, in ten-thousandths of a win.
    pub value: i32,
    /// In how many consecutive moves of each side.
    pub moves: u32,
}

/// When a game is called a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// How close to zero the values must be, in ten-thousandths of a win.
    pub value: i32,
    /// In how many consecutive moves of each side.
    pub moves: u32,
    /// After how many plies of the game.
    pub plies: usize,
}

/// Why a text is not an adjudication rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a rule (expected {expected})")]
pub struct ParseRuleError {
    text: String,
    expected: &'static str,
}

impl FromStr for ResignRule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<ResignRule, ParseRuleError> {
        let parse = || {
            let (value, moves) = text.split_once(':')?;
            let (value, moves) = (parse_value(value)?, parse_moves(moves)?);
            Some(ResignRule { value, moves })
        };
        parse().ok_or_else(|| ParseRuleError {
            text: text.to_owned(),
            expected: "VALUE:MOVES, such as 0.95:4, with a value between 0 and 1",
        })
    }
}

impl FromStr for DrawRule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<DrawRule, ParseRuleError> {
        let parse = || {
            let mut parts = text.split(':');
            let value = parse_value(parts.next()?)?;
            let moves = parse_moves(parts.next()?)?;
            let plies = parts.next()?.parse().ok()?;
            parts.next().is_none().then_some(DrawRule {
                value,
                moves,
                plies,
            })
        };
        parse().ok_or_else(|| ParseRuleError {
            text: text.to_owned(),
            expected: "VALUE:MOVES:PLIES, such as 0.02:10:100, with a value between 0 and 1",
        })
    }
}

fn parse_value(text: &str) -> Option<i32> {
    let value: f64 = text.parse().ok()?;
    (0.0..=1.0)
        .contains(&value)
        .then(|| (value * WIN).round() as i32)
}

fn parse_moves(text: &str) -> Option<u32> {
    text.parse().ok().filter(|moves| *moves > 0)
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", f64::from(self.value) / WIN, self.moves)
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = f64::from(self.value) / WIN;
        write!(f, "{value}:{}:{}", self.moves, self.plies)
    }
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resign = self.resign.map(|rule| format!("resign at {rule}"));
        let draw = self.draw.map(|rule| format!("draw at {rule}"));
        let tables = self
            .tables
            .map(|rule| format!("tables of up to {} pieces", rule.pieces));
        let parts: Vec<String> = resign.into_iter().chain(draw).chain(tables).collect();
        if parts.is_empty() {
            f.write_str("none")
        } else {
            f.write_str(&parts.join(", "))
        }
    }
}

impl Adjudication {
    /// Returns whether no game ends early.
    pub fn is_none(&self) -> bool {
        *self == Adjudication::default()
    }

    /// Returns whether these rules allow this verdict on this game.
    pub fn allows(&self, verdict: &Verdict, game: &Game) -> bool {
        match verdict.reason {
            Reason::AdjudicatedWin => self.resign.is_some() && verdict.winner.is_some(),
            Reason::AdjudicatedDraw => self.draw.is_some() && verdict.winner.is_none(),
            Reason::Tables => self.tables.is_some_and(|rule| rule.applies(game)),
            _ => false,
        }
    }
}

/// The reported values of a game in progress, as far as the rules need them.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    plies: usize,
    /// Consecutive moves in which a side reported a win.
    won: BySide<u32>,
    /// Consecutive moves in which it reported a loss.
    lost: BySide<u32>,
    /// Consecutive moves in which it reported a draw.
    level: BySide<u32>,
}

impl Adjudicator {
    /// Begins a game.
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator {
            rules,
            plies: 0,
            won: BySide::default(),
            lost: BySide::default(),
            level: BySide::default(),
        }
    }

    /// Counts a move with the value that its player reported.
    pub fn add(&mut self, side: Side, value: Option<i32>) {
        self.plies += 1;
        let count =
            |running: &mut u32, holds: bool| *running = if holds { *running + 1 } else { 0 };
        let resign = self.rules.resign.map(|rule| rule.value).zip(value);
        let draw = self.rules.draw.map(|rule| rule.value).zip(value);
        count(
            &mut self.won[side],
            resign.is_some_and(|(limit, value)| value >= limit),
        );
        count(
            &mut self.lost[side],
            resign.is_some_and(|(limit, value)| value <= -limit),
        );
        count(
            &mut self.level[side],
            draw.is_some_and(|(limit, value)| value.abs() <= limit),
        );
    }

    /// Returns the verdict, if the game is decided.
    pub fn verdict(&self) -> Option<Verdict> {
        self.resigned().or_else(|| self.drawn())
    }

    fn resigned(&self) -> Option<Verdict> {
        let moves = self.rules.resign?.moves;
        let winner = Side::ALL
            .into_iter()
            .find(|&side| self.won[side] >= moves && self.lost[!side] >= moves)?;
        Some(Verdict {
            winner: Some(winner),
            reason: Reason::AdjudicatedWin,
            detail: None,
        })
    }

    fn drawn(&self) -> Option<Verdict> {
        let rule = self.rules.draw?;
        let agreed = Side::ALL
            .into_iter()
            .all(|side| self.level[side] >= rule.moves);
        (agreed && self.plies > rule.plies).then_some(Verdict {
            winner: None,
            reason: Reason::AdjudicatedDraw,
            detail: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adjudicator(resign: &str, draw: &str) -> Adjudicator {
        Adjudicator::new(Adjudication {
            resign: resign.parse().ok(),
            draw: draw.parse().ok(),
            tables: None,
        })
    }

    /// Feeds values of A and B in turn and returns the number of the ply that decides.
    fn decided(
        mut adjudicator: Adjudicator,
        values: &[[Option<i32>; 2]],
    ) -> Option<(usize, Verdict)> {
        let plies = values
            .iter()
            .flat_map(|&[a, b]| [(Side::A, a), (Side::B, b)]);
        for (index, (side, value)) in plies.enumerate() {
            adjudicator.add(side, value);
            if let Some(verdict) = adjudicator.verdict() {
                return Some((index + 1, verdict));
            }
        }
        None
    }

    #[test]
    fn both_sides_must_agree_for_several_moves_running() {
        let rule = || adjudicator("0.9:3", "");
        let clear = [Some(9_500), Some(-9_100)];
        let (ply, verdict) = decided(rule(), &[clear; 5]).expect("a resignation");
        assert_eq!((ply, verdict.winner), (6, Some(Side::A)));
        assert_eq!(verdict.reason, Reason::AdjudicatedWin);
        // The loser's value is too high, or was in between, or is missing.
        assert_eq!(decided(rule(), &[[Some(9_500), Some(-8_900)]; 9]), None);
        let doubt = [Some(9_500), Some(0)];
        assert_eq!(decided(rule(), &[clear, clear, doubt, clear, clear]), None);
        assert_eq!(decided(rule(), &[[Some(9_500), None]; 9]), None);
        // Both report a win.
        assert_eq!(decided(rule(), &[[Some(9_500), Some(9_500)]; 9]), None);
    }

    #[test]
    fn a_draw_needs_level_values_and_a_long_game() {
        let rule = || adjudicator("", "0.02:2:7");
        let level = [Some(150), Some(-200)];
        let (ply, verdict) = decided(rule(), &[level; 9]).expect("a draw");
        assert_eq!((ply, verdict.winner), (8, None));
        assert_eq!(verdict.reason, Reason::AdjudicatedDraw);
        assert_eq!(decided(rule(), &[[Some(150), Some(-201)]; 9]), None);
        assert_eq!(decided(adjudicator("", ""), &[level; 99]), None);
    }

    #[test]
    fn rules_parse_what_they_print() {
        let resign: ResignRule = "0.95:4".parse().expect("a rule");
        assert_eq!(resign.to_string().parse(), Ok(resign));
        let draw: DrawRule = "0.02:10:100".parse().expect("a rule");
        assert_eq!(draw.to_string().parse(), Ok(draw));
        for bad in ["", "0.9", "0.9:0", "2:3", "-1:3", "x:3", "0.9:3:5"] {
            assert!(bad.parse::<ResignRule>().is_err(), "{bad}");
        }
        for bad in ["", "0.1:3", "0.1:3:x", "0.1:3:4:5"] {
            assert!(bad.parse::<DrawRule>().is_err(), "{bad}");
        }
    }
}
