//! The messages of the page.
//!
//! Reading is strict: an unknown key is an error, so that a slip in the page
//! shows at once instead of being ignored.

use crate::serve::board::Outcome;
use serde::{Deserialize, Serialize};

/// The messages of the page.
#[derive(Deserialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "wire.ts describes every message")]
pub enum ClientMessage {
    Create(Create),
    Enter {
        token: String,
    },
    Leave {},
    Play {
        action: String,
        ply: Option<usize>,
    },
    Undo {},
    Hint {},
    Resign {},
    OfferDraw {},
    Answer {
        accept: bool,
    },
    Rematch {},
    Pause {
        paused: bool,
    },
    ShowThinking {
        show: bool,
    },
    CheckDeal {
        hash: String,
        nonce: String,
        layout: String,
        start: Option<String>,
        plies: Option<Vec<String>>,
    },
    View {
        line: Line,
    },
    Walk {
        line: Line,
    },
    Explain {
        line: Line,
        action: String,
    },
    CheckPosition {
        position: String,
        rules: Option<RulesName>,
    },
    Import {
        text: String,
        rules: Option<RulesName>,
        game: Option<usize>,
    },
    Export(Box<Export>),
    Analyse(Analyse),
    StopAnalysis {},
    Review(Review),
    StopReview {},
    Probe {
        position: String,
        rules: Option<RulesName>,
    },
    Material {
        material: String,
        rules: Option<RulesName>,
    },
    Ping {},
}

/// A game to write.
#[derive(Deserialize, Debug, Clone)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct Export {
    pub format: Format,
    pub line: Option<Line>,
    pub players: Option<[String; 2]>,
    pub outcome: Option<Outcome>,
    pub deal: Option<DealView>,
    pub original: Option<String>,
    pub notes: Option<Notes>,
}

/// A new game.
#[derive(Deserialize, Debug, Clone)]
#[serde(deny_unknown_fields)]
pub struct Create {
    /// The first player and the second.
    pub seats: [Sitter; 2],
    /// Whether the server draws lots for the first move.
    #[serde(default)]
    pub order: Order,
    /// The rules.
    #[serde(default)]
    pub rules: RulesName,
    /// Time for the whole game.
    pub clock: Option<ClockSetting>,
    /// Where the game begins.
    pub start: Option<String>,
    /// Thinking time of engines without clocks.
    pub engine_ms: Option<u64>,
    /// Whether to send what engines think.
    #[serde(default)]
    pub show_thinking: bool,
}

/// Who takes a seat.
#[derive(Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Sitter {
    /// A person at this browser.
    Me {
        /// Its display name.
        name: Option<String>,
    },
    /// A person who joins by a link.
    Link {
        /// Its display name.
        name: Option<String>,
    },
    /// The built-in player at a level.
    Level {
        /// 1 to 10.
        level: u32,
    },
    /// A built-in player.
    Player {
        /// Its spec.
        spec: String,
    },
}

/// The order of the seats.
#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq, Default)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// As given.
    #[default]
    Given,
    /// Drawn by lot.
    Random,
}

/// A preset of the rules.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Default)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the presets of anqi-rules by name")]
pub enum RulesName {
    #[default]
    Olympiad,
    Platform,
    Paper,
    Openspiel,
    Mistboard,
    Course,
}

/// Time for a game.
#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct ClockSetting {
    /// At the start.
    pub base_ms: u64,
    /// For each ply.
    pub increment_ms: u64,
}

/// A start and the plies from it.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// `start`, or a position string.
    pub start: String,
    /// The plies played.
    pub plies: Vec<String>,
    /// The rules.
    #[serde(default)]
    pub rules: RulesName,
}

/// A game with comments and variations.
#[derive(Serialize, Deserialize, Debug, Clone, Default, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Notes {
    /// The comment on the start.
    pub comment: String,
    /// The plies of the main line and of the variations, each after the one that it follows.
    pub plies: Vec<NotedPly>,
}

/// A ply of [`Notes`].
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct NotedPly {
    /// The ply.
    pub ply: String,
    /// The number of the ply that it follows, counted from 1; 0 is the start. The first that
    /// follows continues the line, the others begin variations.
    pub after: usize,
    /// The comment, which may be empty.
    pub comment: String,
}

/// How a game is written.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// The platform's record.
    Platform,
    /// Our record, one JSON object.
    Anqi,
    /// A position string with moves.
    Position,
    /// A record in the shape of PGN.
    Pgn,
}

/// The commitment to a deal; nonce and layout only when the game is over.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct DealView {
    pub hash: String,
    pub nonce: Option<String>,
    pub layout: Option<String>,
}

/// A position to analyse.
#[derive(Deserialize, Debug, Clone)]
#[serde(deny_unknown_fields)]
pub struct Analyse {
    /// The line that leads to the position.
    pub line: Line,
    /// The number of best actions.
    pub lines: Option<usize>,
    /// Time limit in milliseconds.
    pub ms: Option<u64>,
    /// Node limit.
    pub nodes: Option<u64>,
    /// The squares of flips whose distributions are always shown.
    #[serde(default)]
    pub distributions: Vec<String>,
}

/// A game to review.
#[derive(Deserialize, Debug, Clone)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// The game.
    pub line: Line,
    /// The players, in order of play.
    pub players: Option<[String; 2]>,
    /// How it ended, if the board does not show it; the report judges the plies alone.
    pub outcome: Option<Outcome>,
    /// Nodes for each decision.
    pub nodes: Option<u64>,
}

impl RulesName {
    /// All presets, the default first.
    pub const ALL: [RulesName; 6] = [
        RulesName::Olympiad,
        RulesName::Platform,
        RulesName::Paper,
        RulesName::Openspiel,
        RulesName::Mistboard,
        RulesName::Course,
    ];

    /// Returns the preset with this name, `None` if there is none.
    pub fn named(name: &str) -> Option<RulesName> {
        RulesName::ALL
            .into_iter()
            .find(|rules| rules.name() == name)
    }

    /// Returns the name as anqi-rules knows it.
    pub fn name(self) -> &'static str {
        match self {
            RulesName::Olympiad => "olympiad",
            RulesName::Platform => "platform",
            RulesName::Paper => "paper",
            RulesName::Openspiel => "openspiel",
            RulesName::Mistboard => "mistboard",
            RulesName::Course => "course",
        }
    }

    /// Returns the rules.
    pub fn rules(self) -> anqi_rules::Rules {
        anqi_rules::Rules::preset(self.name()).unwrap_or_default()
    }
}
