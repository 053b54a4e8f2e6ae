//! How games end, and the rule sets.
//!
//! A side to move with no legal action loses, and a side whose sixteen pieces are all
//! captured loses at once. Draws differ by rule set: [`Rules`] has the number of quiet
//! plies (neither capture nor flip) and the repetition after which a game is drawn, and
//! whether the win or the draw comes first when a ply both reaches the limit and leaves
//! the other side without an action. [`Convention`] says what counts as quiet, and when a
//! side has lost on the board.

use crate::moves::Ply;
use crate::piece::Color;
use std::fmt;
use std::num::NonZeroU32;

/// When a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// The game is drawn when the quiet counter reaches this; `None` for no such rule.
    pub quiet_limit: Option<NonZeroU32>,
    /// Which repetition draws.
    pub repetition: Repetition,
    /// The result of a ply that both wins on the board and reaches the quiet limit.
    pub precedence: Precedence,
    /// What the quiet counter counts, and when a side has lost on the board.
    pub convention: Convention,
}

/// What the quiet counter counts, and when a side has lost on the board.
///
/// A [`Position`](crate::Position) carries it, since it decides what is legal and what a flip
/// does to the counter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Convention {
    /// Of tournaments: captures and flips clear the counter. A side to move with no legal action
    /// loses, and a side without a living piece loses at once.
    #[default]
    Tournament,
    /// Of a course: captures alone clear the counter, and a flip leaves it as it is. After every
    /// ply a side without an action loses, whoever is to move, and black is looked at first. So a
    /// side without pieces plays on while it can flip.
    Course,
}

impl Convention {
    /// Returns the quiet counter after a flip.
    #[inline]
    pub fn after_flip(self, quiet: u32) -> u32 {
        match self {
            Convention::Tournament => 0,
            Convention::Course => quiet,
        }
    }
}

/// Which end of a game comes first: a side without a legal action, or the quiet limit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Precedence {
    /// The win.
    Wins,
    /// The draw.
    Draws,
}

/// Which repetition draws the game.
///
/// A count below two, which would draw at once, means that no repetition draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Repetition {
    /// None.
    Never,
    /// The same position (board, bag, side to move) this many times since the last capture or flip.
    Position {
        /// How many times.
        times: u32,
    },
    /// The last quiet plies are one sequence of plies, repeated this many times.
    Sequence {
        /// How many times.
        times: u32,
    },
    /// As [`Repetition::Position`], but chasing does not draw: a chase may not make the
    /// last repetition, and neither chases nor flights end the game (see
    /// [`crate::chase`]).
    ChaseBan {
        /// How many times.
        times: u32,
    },
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One side has won.
    Win {
        /// The winner.
        winner: Color,
        /// The reason.
        reason: WinReason,
    },
    /// A draw.
    Draw(DrawReason),
}

/// Why a game was won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WinReason {
    /// The loser has no legal action. It is to move, except under [`Convention::Course`].
    NoLegalAction,
    /// The loser has no living piece.
    Annihilation,
}

/// Why a game was drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// Too many plies without a capture or flip (under [`Convention::Course`] without a capture).
    QuietLimit,
    /// Repetition.
    Repetition {
        /// Plies from one occurrence to the next.
        period: u32,
    },
}

impl Rules {
    /// Computer Olympiad: 180 quiet plies, or the same position for the third time.
    pub const OLYMPIAD: Rules = Rules {
        quiet_limit: NonZeroU32::new(180),
        repetition: Repetition::Position { times: 3 },
        precedence: Precedence::Wins,
        convention: Convention::Tournament,
    };
    /// Course contests and their platform: 60 quiet plies, or the same sequence three times.
    pub const PLATFORM: Rules = Rules {
        quiet_limit: NonZeroU32::new(60),
        repetition: Repetition::Sequence { times: 3 },
        precedence: Precedence::Wins,
        convention: Convention::Tournament,
    };
    /// The endgame paper's rule: 40 quiet plies.
    pub const PAPER: Rules = Rules {
        quiet_limit: NonZeroU32::new(40),
        repetition: Repetition::Never,
        precedence: Precedence::Wins,
        convention: Convention::Tournament,
    };
    /// Only the board ends a game, as in endgame tables. Not a preset.
    pub const UNLIMITED: Rules = Rules {
        quiet_limit: None,
        ..Rules::PAPER
    };
    /// The `banqi` of OpenSpiel: 50 quiet plies.
    pub const OPENSPIEL: Rules = Rules {
        quiet_limit: NonZeroU32::new(50),
        repetition: Repetition::Never,
        precedence: Precedence::Wins,
        convention: Convention::Tournament,
    };
    /// The site mistboard.com: 40 quiet plies, or the same position for the third time, with a
    /// ban on perpetual chasing. The draw by the quiet limit comes before a win on the board.
    pub const MISTBOARD: Rules = Rules {
        quiet_limit: NonZeroU32::new(40),
        repetition: Repetition::ChaseBan { times: 3 },
        precedence: Precedence::Draws,
        convention: Convention::Tournament,
    };
    /// The course of National Taiwan University: 30 plies without a capture, flips not counted.
    /// The draw by this counter comes before a win on the board.
    pub const COURSE: Rules = Rules {
        quiet_limit: NonZeroU32::new(30),
        repetition: Repetition::Never,
        precedence: Precedence::Draws,
        convention: Convention::Course,
    };
    /// Names of the presets, the default first.
    pub const PRESETS: [(&'static str, Rules); 6] = [
        ("olympiad", Rules::OLYMPIAD),
        ("platform", Rules::PLATFORM),
        ("paper", Rules::PAPER),
        ("openspiel", Rules::OPENSPIEL),
        ("mistboard", Rules::MISTBOARD),
        ("course", Rules::COURSE),
    ];

    /// Returns the preset with this name.
    pub fn preset(name: &str) -> Option<Rules> {
        let found = Rules::PRESETS.iter().find(|(known, _)| *known == name);
        found.map(|(_, rules)| *rules)
    }

    /// Returns the name of these rules, if they are a preset.
    pub fn name(&self) -> Option<&'static str> {
        let found = Rules::PRESETS.iter().find(|(_, rules)| rules == self);
        found.map(|(name, _)| *name)
    }

    /// Returns the draw by the quiet counter, if these rules give one.
    #[inline]
    pub fn quiet_draw(&self, quiet: u32) -> Option<DrawReason> {
        let limit = self.quiet_limit?;
        (quiet >= limit.get()).then_some(DrawReason::QuietLimit)
    }

    /// Returns the draw by repetition, if these rules give one.
    ///
    /// `keys` are the position keys since the last capture or flip, the current one last;
    /// `plies` are the quiet plies between them. Under [`Repetition::ChaseBan`] the caller must
    /// check that the last ply is an ordinary move.
    pub fn repetition_draw(&self, keys: &[u64], plies: &[Ply]) -> Option<DrawReason> {
        let period = match self.repetition {
            Repetition::Position { times } | Repetition::ChaseBan { times } if times >= 2 => {
                position_period(keys, times)
            }
            Repetition::Sequence { times } if times >= 2 => sequence_period(plies, times as usize),
            _ => None,
        };
        period.map(|period| DrawReason::Repetition {
            period: period as u32,
        })
    }
}

impl Repetition {
    /// Returns the number of occurrences that draws, 0 if repetition never does.
    pub fn times(self) -> u32 {
        match self {
            Repetition::Never => 0,
            Repetition::Position { times }
            | Repetition::Sequence { times }
            | Repetition::ChaseBan { times } => times,
        }
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::OLYMPIAD
    }
}

/// Plies back to the previous occurrence of the last key, if there are `times` of it.
fn position_period(keys: &[u64], times: u32) -> Option<usize> {
    let (last, before) = keys.split_last()?;
    let earlier = before.iter().rev().filter(|key| *key == last).count();
    if earlier as u32 + 1 < times {
        return None;
    }
    before
        .iter()
        .rev()
        .position(|key| key == last)
        .map(|i| i + 1)
}

/// The shortest length of a sequence that the last plies repeat `times` times.
fn sequence_period(plies: &[Ply], times: usize) -> Option<usize> {
    let repeats = |period: usize| {
        let tail = &plies[plies.len() - period * times..];
        tail.iter().zip(&tail[period..]).all(|(a, b)| a == b)
    };
    (1..=plies.len() / times).find(|&period| repeats(period))
}

impl Outcome {
    /// Returns the winner, `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::Win { winner, .. } => Some(winner),
            Outcome::Draw(_) => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win { winner, .. } => write!(f, "{winner} wins"),
            Outcome::Draw(reason) => write!(f, "draw {reason}"),
        }
    }
}

impl fmt::Display for WinReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WinReason::NoLegalAction => "no-legal-action",
            WinReason::Annihilation => "annihilation",
        })
    }
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DrawReason::QuietLimit => "quiet-limit",
            DrawReason::Repetition { .. } => "repetition",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_and_sequences_compare() {
        let third = Rules::OLYMPIAD.repetition_draw(&[1, 2, 1, 2, 1], &[]);
        assert_eq!(third, Some(DrawReason::Repetition { period: 2 }));
        assert_eq!(Rules::OLYMPIAD.repetition_draw(&[1, 2, 1, 2, 3], &[]), None);
        let cycle: Vec<Ply> = ["a1-a2", "b1-b2", "a2-a1", "b2-b1"]
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
        let thrice = cycle.repeat(3);
        let draw = Rules::PLATFORM.repetition_draw(&[], &thrice);
        assert_eq!(draw, Some(DrawReason::Repetition { period: 4 }));
        assert_eq!(Rules::PLATFORM.repetition_draw(&[], &thrice[1..]), None);
    }

    #[test]
    fn presets_have_names() {
        for (name, rules) in Rules::PRESETS {
            assert_eq!(Rules::preset(name), Some(rules));
            assert_eq!(rules.name(), Some(name));
        }
        assert_eq!(Rules::default().name(), Some("olympiad"));
    }

    #[test]
    fn a_won_game_has_a_winner_and_a_draw_has_none() {
        let over = |text: &str| {
            crate::Game::from_text(text, Rules::OLYMPIAD)
                .unwrap()
                .outcome()
        };
        let won = over("K3/4/4/4/4/4/4/4 b - 0 0").unwrap();
        assert_eq!(won.winner(), Some(Color::Red));
        let drawn = over("K3/4/4/4/4/4/4/3k b - 180 300").unwrap();
        assert_eq!(drawn.winner(), None);
    }
}
