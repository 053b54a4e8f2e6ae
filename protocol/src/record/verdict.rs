//! The result of a recorded game: `NoMove chan Wins 1.000000,0.000000`.
//!
//! A draw names the first player. Points are the first player's, then the
//! second's; `1.000000`, `1.0` and `1` all occur.

use super::PlayerName;
use anqi_rules::{Color, DrawReason, Outcome, Rules};
use std::fmt;

/// The result of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformVerdict {
    /// Why it ended.
    pub reason: PlatformReason,
    /// The player named: the winner, or the first player of a draw.
    pub named: PlayerName,
    /// The points of the first and of the second player, in halves: 2 for a win.
    pub half_points: [u8; 2],
}

/// Why a recorded game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlatformReason {
    /// One side could not move, or had no pieces left.
    NoMove,
    /// Too many plies without a capture or flip.
    NoEatFlipDraw,
    /// The same plies were repeated.
    PositionRepetitionDraw {
        /// How many times.
        times: u32,
        /// The number of plies that were repeated.
        period: u32,
    },
    /// One side had no time left.
    TimeOut,
    /// One side resigned; not a word of the platform.
    Resign,
    /// Another word.
    Other(PlayerName),
}

impl PlatformVerdict {
    /// Returns the verdict on a game that ended by the rules.
    pub fn of(
        outcome: Outcome,
        first: Option<Color>,
        rules: &Rules,
        players: &[PlayerName; 2],
    ) -> PlatformVerdict {
        match outcome {
            Outcome::Win { winner, .. } => {
                let seat = usize::from(first.is_some_and(|first| first != winner));
                PlatformVerdict::win(PlatformReason::NoMove, seat, players)
            }
            Outcome::Draw(DrawReason::QuietLimit) => {
                PlatformVerdict::draw(PlatformReason::NoEatFlipDraw, players)
            }
            Outcome::Draw(DrawReason::Repetition { period }) => {
                let times = rules.repetition.times();
                PlatformVerdict::draw(
                    PlatformReason::PositionRepetitionDraw { times, period },
                    players,
                )
            }
        }
    }

    /// Returns the verdict that the player in this seat, 0 or 1, has won.
    pub fn win(reason: PlatformReason, seat: usize, players: &[PlayerName; 2]) -> PlatformVerdict {
        let seat = seat.min(1);
        PlatformVerdict {
            reason,
            named: players[seat].clone(),
            half_points: if seat == 0 { [2, 0] } else { [0, 2] },
        }
    }

    /// Returns the verdict of a draw.
    pub fn draw(reason: PlatformReason, players: &[PlayerName; 2]) -> PlatformVerdict {
        PlatformVerdict {
            reason,
            named: players[0].clone(),
            half_points: [1, 1],
        }
    }

    /// Reads the text after `* `; `None` if it is not a verdict.
    pub(super) fn read(text: &str) -> Option<PlatformVerdict> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [reason, named, ending, points] = words.try_into().ok()?;
        let (first, second) = points.split_once(',')?;
        let half_points = [half_points(first)?, half_points(second)?];
        let expected = match half_points {
            [1, 1] => "draw",
            [2, 0] | [0, 2] => "wins",
            _ => return None,
        };
        ending
            .eq_ignore_ascii_case(expected)
            .then_some(PlatformVerdict {
                reason: PlatformReason::read(reason)?,
                named: PlayerName::new(named),
                half_points,
            })
    }
}

fn half_points(text: &str) -> Option<u8> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let zeros = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b == b'0');
    match (whole, part) {
        ("0", part) if zeros(part) => Some(0),
        ("0", "5") => Some(1),
        ("0", part) if part.strip_prefix('5').is_some_and(zeros) => Some(1),
        ("1", part) if zeros(part) => Some(2),
        _ => None,
    }
}

impl PlatformReason {
    fn read(text: &str) -> Option<PlatformReason> {
        if let Some(numbers) = text.strip_prefix("PositionRepetitionDraw,") {
            let (times, period) = numbers.split_once(',')?;
            return Some(PlatformReason::PositionRepetitionDraw {
                times: times.parse().ok()?,
                period: period.parse().ok()?,
            });
        }
        Some(match text {
            "NoMove" => PlatformReason::NoMove,
            "NoEatFlipDraw" => PlatformReason::NoEatFlipDraw,
            "TimeOut" => PlatformReason::TimeOut,
            "Resign" => PlatformReason::Resign,
            other => PlatformReason::Other(PlayerName::new(other)),
        })
    }
}

impl fmt::Display for PlatformReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlatformReason::NoMove => f.write_str("NoMove"),
            PlatformReason::NoEatFlipDraw => f.write_str("NoEatFlipDraw"),
            PlatformReason::PositionRepetitionDraw { times, period } => {
                write!(f, "PositionRepetitionDraw,{times},{period}")
            }
            PlatformReason::TimeOut => f.write_str("TimeOut"),
            PlatformReason::Resign => f.write_str("Resign"),
            PlatformReason::Other(word) => write!(f, "{word}"),
        }
    }
}

impl fmt::Display for PlatformVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = if self.half_points == [1, 1] {
            "Draw"
        } else {
            "Wins"
        };
        let [first, second] = self.half_points.map(|half| f64::from(half) / 2.0);
        write!(
            f,
            "{} {} {ending} {first:.6},{second:.6}",
            self.reason, self.named
        )
    }
}
