//! What the page asks once, when it starts.

#[cfg(test)]
use super::RulesName;
use anqi_play::Level;
use anqi_rules::{Repetition, Rules};
use anqi_search::players;
use serde::Serialize;
use std::num::NonZeroU32;
#[cfg(test)]
use ts_rs::TS;

/// What the server can do.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct About {
    /// The version of the program.
    pub version: String,
    /// Levels of the built-in player, the weakest first.
    pub levels: Vec<LevelView>,
    /// The presets of the rules.
    pub rules: Vec<RulesPreset>,
    /// Built-in players that can take a seat.
    pub players: Vec<PlayerView>,
    /// The limits.
    pub limits: LimitsView,
    /// The most pieces for which tables answer without files, and with the files given.
    pub table_pieces: u32,
    /// Where other devices reach the server; null if only this machine does.
    pub reach: Option<Reach>,
}

/// A level.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct LevelView {
    /// 1 to 10.
    pub number: u32,
    /// The name.
    pub name: String,
}

/// A built-in player.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct PlayerView {
    /// Its spec.
    pub spec: String,
    /// A line about it.
    pub about: String,
}

/// The limits of messages and games.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct LimitsView {
    /// Bytes in one message of the page.
    pub message_bytes: usize,
    /// Games that are kept at once.
    pub games: usize,
    /// Longest thinking time an engine or analysis may be given, in milliseconds.
    pub engine_ms: u64,
    /// Largest number of lines in an analysis.
    pub lines: usize,
}

/// Where other devices reach the server.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct Reach {
    /// The origin of links.
    pub origin: String,
}

/// A preset of the rules.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct RulesPreset {
    /// Its name.
    #[cfg_attr(test, ts(as = "RulesName"))]
    pub name: String,
    /// The game is drawn after so many plies without capture or flip.
    pub quiet_limit: Option<NonZeroU32>,
    /// Which repetition draws.
    pub repetition: RepetitionView,
}

/// Which repetition draws.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RepetitionView {
    /// None.
    Never,
    /// The same position so many times since the last capture or flip.
    Position {
        /// How many times.
        times: u32,
    },
    /// The last quiet plies are one sequence so many times over.
    Sequence {
        /// How many times.
        times: u32,
    },
    /// As `position`, but no chase may bring about a position for the last time, and only ordinary
    /// moves draw.
    ChaseBan {
        /// How many times.
        times: u32,
    },
}

impl RulesPreset {
    fn new(name: &str, rules: Rules) -> RulesPreset {
        RulesPreset {
            name: name.to_owned(),
            quiet_limit: rules.quiet_limit,
            repetition: match rules.repetition {
                Repetition::Never => RepetitionView::Never,
                Repetition::Position { times } => RepetitionView::Position { times },
                Repetition::Sequence { times } => RepetitionView::Sequence { times },
                Repetition::ChaseBan { times } => RepetitionView::ChaseBan { times },
            },
        }
    }
}

impl About {
    /// Returns what is known without a server: no limits but these.
    pub fn new(limits: LimitsView, table_pieces: u32, reach: Option<String>) -> About {
        let level = |level: Level| LevelView {
            number: level.number(),
            name: level.name().to_owned(),
        };
        let player = |(spec, about): (&str, &str)| PlayerView {
            spec: spec.to_owned(),
            about: about.to_owned(),
        };
        About {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            levels: Level::all().map(level).collect(),
            rules: Rules::PRESETS
                .map(|(name, rules)| RulesPreset::new(name, rules))
                .into(),
            players: players::KNOWN.into_iter().map(player).collect(),
            limits,
            table_pieces,
            reach: reach.map(|origin| Reach { origin }),
        }
    }

    /// Returns it as JSON, the keys in the order of the alphabet.
    pub fn json(&self) -> String {
        // This cannot fail: every key is a string.
        serde_json::to_value(self).unwrap_or_default().to_string()
    }
}
