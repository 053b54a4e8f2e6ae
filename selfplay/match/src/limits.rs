//! The limits of a side: nodes, depth, time.
//!
//! The default is a number of nodes, which gives the same games on every machine.
//! The referee enforces time ([`crate::clock`]); nodes and depth are left to the
//! player.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Nodes per move if no limit is given.
///
/// Chosen so that 200 games of `basic` against `enhance` take about two minutes
/// on two cores.
pub const DEFAULT_NODES: u64 = 200_000;

/// The limits of one side; all that are given apply together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    /// Most nodes for one move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nodes: Option<u64>,
    /// Greatest depth in plies.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub depth: Option<u32>,
    /// Time, if there is a clock.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub time: Option<TimeControl>,
}

/// How time is given, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeControl {
    /// The same for each move.
    PerMove {
        /// Milliseconds for each move.
        move_ms: u64,
    },
    /// A total for the whole game.
    Total {
        /// Milliseconds at the start.
        total_ms: u64,
        /// Milliseconds added after each move.
        increment_ms: u64,
    },
}

impl Limits {
    /// The limits in force where none are given.
    pub const DEFAULT: Limits = Limits {
        nodes: Some(DEFAULT_NODES),
        depth: None,
        time: None,
    };

    /// Returns whether neither nodes nor depth are limited.
    pub fn only_time(&self) -> bool {
        self.nodes.is_none() && self.depth.is_none()
    }

    /// Returns whether nothing is limited.
    pub fn is_empty(&self) -> bool {
        *self == Limits::default()
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes a move")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        parts.extend(self.time.map(|time| time.to_string()));
        f.write_str(&parts.join(", "))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::PerMove { move_ms } => write!(f, "{move_ms} ms a move"),
            TimeControl::Total {
                total_ms,
                increment_ms,
            } => write!(f, "{}+{} s", seconds(*total_ms), seconds(*increment_ms)),
        }
    }
}

fn seconds(milliseconds: u64) -> f64 {
    Duration::from_millis(milliseconds).as_secs_f64()
}

/// Why a text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a time control (expected seconds+increment, such as 900+0 or 60+0.5)")]
pub struct ParseTimeControlError(String);

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    /// Reads `total+increment`, both in seconds; the increment may be left out.
    fn from_str(text: &str) -> Result<TimeControl, ParseTimeControlError> {
        let (total, increment) = text.split_once('+').unwrap_or((text, "0"));
        let parsed = parse_milliseconds(total).zip(parse_milliseconds(increment));
        match parsed {
            Some((total_ms, increment_ms)) if total_ms > 0 => Ok(TimeControl::Total {
                total_ms,
                increment_ms,
            }),
            _ => Err(ParseTimeControlError(text.to_owned())),
        }
    }
}

fn parse_milliseconds(text: &str) -> Option<u64> {
    /// A day; more is a typing error.
    const MOST_SECONDS: f64 = 86_400.0;
    let seconds: f64 = text.trim().parse().ok()?;
    ((0.0..=MOST_SECONDS).contains(&seconds)).then(|| (seconds * 1000.0).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_seconds() {
        let parsed = |text: &str| text.parse::<TimeControl>();
        let total = |total_ms, increment_ms| {
            Ok(TimeControl::Total {
                total_ms,
                increment_ms,
            })
        };
        assert_eq!(parsed("900+0"), total(900_000, 0));
        assert_eq!(parsed("1.5+0.02"), total(1500, 20));
        assert_eq!(parsed("60"), total(60_000, 0));
        for bad in ["", "0+1", "-1+0", "a+b", "1+", "1+2+3", "inf", "nan", "1e9"] {
            assert!(parsed(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn limits_are_said_in_words() {
        let limits = Limits {
            nodes: Some(5000),
            depth: Some(4),
            time: "60+0.5".parse().ok(),
        };
        assert_eq!(limits.to_string(), "5000 nodes a move, depth 4, 60+0.5 s");
    }
}
