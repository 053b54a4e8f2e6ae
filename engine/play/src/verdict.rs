//! How a game ended, by the rules or otherwise.

use crate::Seat;
use anqi_rules::{DrawReason, Game, Outcome, WinReason};
use serde::{Deserialize, Serialize};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The winner, `None` for a draw.
    pub winner: Option<Seat>,
    /// Why, `None` if a record does not say or has a reason of its own.
    pub reason: Option<EndReason>,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// The loser has no legal action.
    NoLegalAction,
    /// The loser has no piece left.
    Annihilation,
    /// Too many plies without capture or flip.
    QuietLimit,
    /// A position or a sequence of plies has come back too often.
    Repetition,
    /// The loser has resigned.
    Resignation,
    /// Both have agreed on a draw.
    Agreement,
    /// The loser has no time left.
    Time,
}

impl Verdict {
    /// Returns the verdict of the rules, `None` while the game goes on.
    pub fn of(game: &Game) -> Option<Verdict> {
        let (winner, reason) = match game.outcome()? {
            Outcome::Win { winner, reason } => (
                Some(Seat::of_color(game, winner)),
                match reason {
                    WinReason::NoLegalAction => EndReason::NoLegalAction,
                    WinReason::Annihilation => EndReason::Annihilation,
                },
            ),
            Outcome::Draw(DrawReason::QuietLimit) => (None, EndReason::QuietLimit),
            Outcome::Draw(DrawReason::Repetition { .. }) => (None, EndReason::Repetition),
        };
        Some(Verdict {
            winner,
            reason: Some(reason),
        })
    }

    /// Returns the verdict that a seat has won.
    pub const fn won(winner: Seat, reason: EndReason) -> Verdict {
        Verdict {
            winner: Some(winner),
            reason: Some(reason),
        }
    }

    /// Returns the verdict of a draw.
    pub const fn draw(reason: EndReason) -> Verdict {
        Verdict {
            winner: None,
            reason: Some(reason),
        }
    }

    /// Returns the verdict that a seat has resigned.
    pub const fn resigned(loser: Seat) -> Verdict {
        Verdict::won(loser.opponent(), EndReason::Resignation)
    }

    /// Returns the verdict that a seat has no time left.
    pub const fn out_of_time(loser: Seat) -> Verdict {
        Verdict::won(loser.opponent(), EndReason::Time)
    }

    /// Returns the verdict of a record that gives no known reason.
    pub const fn recorded(winner: Option<Seat>) -> Verdict {
        Verdict {
            winner,
            reason: None,
        }
    }
}
