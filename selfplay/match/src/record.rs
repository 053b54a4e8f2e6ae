//! Records of matches: one for each pair, complete enough to replay.
//!
//! A record holds what the players *did*; it holds nothing that differs from
//! run to run, except the times, which stand apart in [`PairRecord::timing`]
//! and never enter a result.

use anqi_rules::{Color, DrawReason, Outcome, Ply, Position, WinReason};
use serde::{Deserialize, Serialize};

use crate::luck::PairLuck;
use crate::openings::Opening;
use crate::side::{BySide, Side};
use crate::statistics::adjusted::PairResult;

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The player to move has no legal action.
    NoLegalAction,
    /// All sixteen pieces of one side are captured.
    Annihilation,
    /// Too many plies without a capture or a flip.
    QuietLimit,
    /// A position or a sequence of moves came back too often.
    Repetition,
    /// Both sides reported the same winner.
    AdjudicatedWin,
    /// Both sides reported a draw.
    AdjudicatedDraw,
    /// Endgame tables give the value.
    Tables,
    /// A player asked for an action the rules do not allow.
    IllegalAction,
    /// A player answered something that is no action at all.
    BadAnswer,
    /// A player's program wrote without end.
    Flood,
    /// A player's program ended, or a built-in player panicked.
    Crash,
    /// A player did not answer and had to be stopped.
    Stall,
    /// A player answered after its time had run out.
    TimeForfeit,
}

impl Reason {
    /// Every reason, those of the rules first.
    pub const ALL: [Reason; 13] = [
        Reason::NoLegalAction,
        Reason::Annihilation,
        Reason::QuietLimit,
        Reason::Repetition,
        Reason::AdjudicatedWin,
        Reason::AdjudicatedDraw,
        Reason::Tables,
        Reason::IllegalAction,
        Reason::BadAnswer,
        Reason::Flood,
        Reason::Crash,
        Reason::Stall,
        Reason::TimeForfeit,
    ];

    /// Returns whether a player's fault ended the game.
    pub const fn is_fault(self) -> bool {
        !matches!(
            self,
            Reason::NoLegalAction
                | Reason::Annihilation
                | Reason::QuietLimit
                | Reason::Repetition
                | Reason::AdjudicatedWin
                | Reason::AdjudicatedDraw
                | Reason::Tables
        )
    }

    /// Returns the name used in records and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::NoLegalAction => "no_legal_action",
            Reason::Annihilation => "annihilation",
            Reason::QuietLimit => "quiet_limit",
            Reason::Repetition => "repetition",
            Reason::AdjudicatedWin => "adjudicated_win",
            Reason::AdjudicatedDraw => "adjudicated_draw",
            Reason::Tables => "tables",
            Reason::IllegalAction => "illegal_action",
            Reason::BadAnswer => "bad_answer",
            Reason::Flood => "flood",
            Reason::Crash => "crash",
            Reason::Stall => "stall",
            Reason::TimeForfeit => "time_forfeit",
        }
    }

    /// Returns the name as people read it.
    pub fn words(self) -> String {
        self.name().replace('_', " ")
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Why it ended.
    pub reason: Reason,
    /// What exactly went wrong, where a player is at fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Verdict {
    /// Returns the verdict on a player's fault: the other side wins.
    pub fn fault(culprit: Side, reason: Reason, detail: impl Into<String>) -> Verdict {
        Verdict {
            winner: Some(!culprit),
            reason,
            detail: Some(detail.into()),
        }
    }

    /// Returns the verdict that the rules give, for sides of these colours.
    pub fn of_outcome(outcome: Outcome, color: impl Fn(Side) -> Option<Color>) -> Verdict {
        let winner = outcome.winner().and_then(|winner| {
            Side::ALL
                .into_iter()
                .find(|&side| color(side) == Some(winner))
        });
        let reason = match outcome {
            Outcome::Win { reason, .. } => match reason {
                WinReason::NoLegalAction => Reason::NoLegalAction,
                WinReason::Annihilation => Reason::Annihilation,
            },
            Outcome::Draw(DrawReason::QuietLimit) => Reason::QuietLimit,
            Outcome::Draw(DrawReason::Repetition { .. }) => Reason::Repetition,
        };
        Verdict {
            winner,
            reason,
            detail: None,
        }
    }

    /// Returns what `side` scores in half points: 2 for a win, 1 for a draw.
    pub fn half_points(&self, side: Side) -> u64 {
        match self.winner {
            None => 1,
            Some(winner) => 2 * u64::from(winner == side),
        }
    }
}

/// One finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Where it began, if not at the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// The side that moved first.
    pub starter: Side,
    /// The starter's colour; unknown if the game ended before the first flip.
    #[serde(with = "color_name")]
    pub starter_color: Option<Color>,
    /// How it ended.
    pub verdict: Verdict,
    /// The nodes that each side reported over the whole game.
    pub nodes: BySide<u64>,
    /// The value that each side reported with its last move, in ten-thousandths of
    /// a win, if it did.
    #[serde(default)]
    pub last_values: BySide<Option<i32>>,
    /// All plies, separated by blanks, flips with what they revealed.
    pub plies: String,
}

impl GameRecord {
    /// Returns the position it began at.
    pub fn start(&self) -> Position {
        self.opening
            .map_or_else(Position::start, |opening| opening.0)
    }

    /// Returns the number of plies played.
    pub fn length(&self) -> usize {
        self.plies.split_whitespace().count()
    }

    /// Returns how many plies `side` played.
    pub fn moves(&self, side: Side) -> usize {
        self.moves_of(side, self.length())
    }

    /// Returns how many of the first `length` plies `side` played.
    pub(crate) fn moves_of(&self, side: Side, length: usize) -> usize {
        if side == self.starter {
            length.div_ceil(2)
        } else {
            length / 2
        }
    }

    /// Returns the colour of `side`, if the game got as far as the first flip.
    pub fn color(&self, side: Side) -> Option<Color> {
        let color = self.starter_color?;
        Some(if side == self.starter { color } else { !color })
    }

    /// Reads the plies.
    ///
    /// # Errors
    ///
    /// Returns the first word that is not a ply.
    pub fn parse_plies(&self) -> Result<Vec<Ply>, String> {
        self.plies
            .split_whitespace()
            .map(|word| word.parse().map_err(|_| word.to_owned()))
            .collect()
    }
}

/// The times of one game, which differ from run to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Timing {
    /// Each side's thinking time in microseconds.
    pub thinking_us: BySide<u64>,
    /// Microseconds of the whole game, referee included.
    pub total_us: u64,
}

/// One finished pair: the same deal twice, with the sides swapped.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairRecord {
    /// Its number in the match, from 0.
    pub pair: u64,
    /// The game that A starts, then the game that B starts.
    pub games: [GameRecord; 2],
    /// The times of the two games.
    pub timing: [Timing; 2],
    /// A's luck in each flip, if it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<PairLuck>,
}

impl PairRecord {
    /// Returns what A scores over both games in half points, 0 to 4.
    pub fn half_points_a(&self) -> u64 {
        self.games
            .iter()
            .map(|g| g.verdict.half_points(Side::A))
            .sum()
    }

    /// Returns A's mean score, and its luck where that was measured.
    pub fn result(&self) -> PairResult {
        PairResult {
            score: score_of(self.half_points_a()),
            luck: self.luck.as_ref().map_or(0.0, PairLuck::points),
        }
    }

    /// Returns whether both records have the same games, apart from times, luck
    /// and the details of faults.
    pub fn same_games(&self, other: &PairRecord) -> bool {
        let said = |record: &PairRecord| {
            record.games.clone().map(|mut game| {
                game.verdict.detail = None;
                game
            })
        };
        self.pair == other.pair && said(self) == said(other)
    }
}

/// Returns the mean score a game of this many half points in a pair.
pub(crate) fn score_of(half_points: u64) -> f64 {
    half_points as f64 / 4.0
}

/// Colours in records are words; the rules crate knows nothing of records.
mod color_name {
    use anqi_rules::Color;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(color: &Option<Color>, to: S) -> Result<S::Ok, S::Error> {
        match color {
            Some(color) => to.collect_str(color),
            None => to.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Color>, D::Error> {
        match Option::<String>::deserialize(from)?.as_deref() {
            None => Ok(None),
            Some("red") => Ok(Some(Color::Red)),
            Some("black") => Ok(Some(Color::Black)),
            Some(other) => Err(D::Error::custom(format!(
                "'{other}' is not a colour (expected red or black)"
            ))),
        }
    }
}
