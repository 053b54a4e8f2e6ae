//! The messages, as `web/src/wire.ts` describes them.
//!
//! Reading is strict: an unknown key is an error, so that a slip in the page
//! shows at once instead of being ignored.

use super::board::{Board, Outcome, PlyView, TableAction, TableVerdict};
use crate::review::{Candidate, Flip, Report, Step, Value};
use serde::{Deserialize, Serialize};

/// What the page may ask.
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
    CheckPosition {
        position: String,
        rules: Option<RulesName>,
    },
    Import {
        text: String,
        rules: Option<RulesName>,
    },
    Export {
        format: Format,
        line: Option<Line>,
        players: Option<[String; 2]>,
        original: Option<String>,
    },
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

/// A new game.
#[derive(Deserialize, Debug, Clone)]
#[serde(deny_unknown_fields)]
pub struct Create {
    /// Who begins, and who answers.
    pub seats: [Sitter; 2],
    /// Whether the server draws who begins.
    #[serde(default)]
    pub order: Order,
    /// When the game is drawn.
    #[serde(default)]
    pub rules: RulesName,
    /// Time for the whole game.
    pub clock: Option<ClockSetting>,
    /// Where the game begins.
    pub start: Option<String>,
    /// Thinking time of engines without clocks.
    pub engine_ms: Option<u64>,
    /// Whether to tell what engines think.
    #[serde(default)]
    pub show_thinking: bool,
}

/// Who takes a seat.
#[derive(Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Sitter {
    /// A person at this browser.
    Me {
        /// What to call it.
        name: Option<String>,
    },
    /// A person who comes by a link.
    Link {
        /// What to call it.
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

/// Whether the seats are as given.
#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq, Default)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// They are.
    #[default]
    Given,
    /// The server draws them.
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

/// A start and what was played from it.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// `start`, or a position string.
    pub start: String,
    /// What was played.
    pub plies: Vec<String>,
    /// The rules.
    #[serde(default)]
    pub rules: RulesName,
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
}

/// A position to analyse.
#[derive(Deserialize, Debug, Clone)]
#[serde(deny_unknown_fields)]
pub struct Analyse {
    /// Its end is the position.
    pub line: Line,
    /// How many best actions.
    pub lines: Option<usize>,
    /// Time at most.
    pub ms: Option<u64>,
    /// Nodes at most.
    pub nodes: Option<u64>,
    /// Flips whose distributions are wanted in any case.
    #[serde(default)]
    pub distributions: Vec<String>,
}

/// A game to review.
#[derive(Deserialize, Debug, Clone)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// The game.
    pub line: Line,
    /// Who played, the one who began first.
    pub players: Option<[String; 2]>,
    /// How it ended, if the board does not show it; the report judges the plies alone.
    pub outcome: Option<Outcome>,
    /// Nodes for each decision.
    pub nodes: Option<u64>,
}

/// What the server says.
#[derive(Serialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "wire.ts describes every message")]
pub enum ServerMessage {
    Created(Created),
    State(Box<State>),
    Hint {
        game: String,
        ply: usize,
        #[serde(flatten)]
        best: Candidate,
    },
    Rematch {
        game: String,
        token: String,
    },
    Thinking {
        game: String,
        ply: usize,
        depth: u32,
        nodes: u64,
        ms: u64,
        value: Value,
        line: Vec<Step>,
    },
    DealChecked {
        matches: bool,
        reason: Option<String>,
    },
    View {
        board: Box<Board>,
    },
    Walk {
        boards: Vec<Board>,
        plies: Vec<PlyView>,
    },
    Checked {
        board: Option<Box<Board>>,
        faults: Vec<FaultView>,
    },
    Imported {
        format: Format,
        line: Line,
        players: Option<[String; 2]>,
        date: Option<String>,
        outcome: Option<Outcome>,
    },
    Exported {
        text: String,
        name: String,
    },
    Analysis(Analysis),
    ReviewProgress {
        done: usize,
        total: usize,
    },
    Review {
        report: Box<Report>,
    },
    Table {
        board: Box<Board>,
        verdict: Option<TableVerdict>,
        expected: Option<f64>,
        actions: Vec<TableAction>,
    },
    Material(MaterialView),
    Pong,
    Ok,
    Error {
        code: Code,
        message: String,
    },
}

/// A game was made.
#[derive(Serialize, Debug, Clone)]
pub struct Created {
    /// Its name.
    pub game: String,
    /// The token of whoever made it.
    pub token: String,
    /// Tokens for seats that wait for somebody.
    pub links: Vec<Link>,
    /// Token for watching.
    pub watch: String,
}

/// The token of a seat.
#[derive(Serialize, Debug, Clone)]
pub struct Link {
    /// The seat.
    pub seat: usize,
    /// Its token.
    pub token: String,
}

/// A game as one connection sees it.
#[derive(Serialize, Debug)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct State {
    pub game: String,
    pub version: u64,
    pub you: Vec<usize>,
    pub seats: [SeatView; 2],
    pub rules: RulesName,
    pub start: String,
    pub plies: Vec<PlyView>,
    pub board: Board,
    pub to_move: Option<usize>,
    pub clocks: Option<Clocks>,
    pub thinking: bool,
    pub paused: bool,
    pub offer: Option<Offer>,
    pub declined: Option<Offer>,
    pub outcome: Option<Outcome>,
    pub deal: DealView,
    pub can_undo: bool,
}

/// Who sits on a seat.
#[derive(Serialize, Debug)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct SeatView {
    pub kind: &'static str,
    pub name: String,
    pub level: Option<u32>,
    pub color: Option<&'static str>,
    pub present: bool,
    pub waiting: bool,
}

/// The clocks at this moment.
#[derive(Serialize, Debug)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct Clocks {
    pub left_ms: [u64; 2],
    pub increment_ms: u64,
    pub running: Option<usize>,
}

/// Something that waits for an answer.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// What is offered.
    pub kind: OfferKind,
    /// By which seat.
    pub by: usize,
}

/// What can be offered.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// To call the game a draw.
    Draw,
    /// To take plies back.
    Undo,
}

/// The commitment to the deal; nonce and layout only when the game is over.
#[derive(Serialize, Debug, Clone)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct DealView {
    pub hash: String,
    pub nonce: Option<String>,
    pub layout: Option<String>,
}

/// One thing that is wrong with a position.
#[derive(Serialize, Debug)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct FaultView {
    pub code: &'static str,
    pub message: String,
    pub subject: Option<String>,
}

/// What is known of a position so far.
#[derive(Serialize, Debug, Clone)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct Analysis {
    pub depth: u32,
    pub nodes: u64,
    pub ms: u64,
    pub value: Value,
    pub lines: Vec<Candidate>,
    pub flips: Vec<Flip>,
    pub table: Option<Vec<TableAction>>,
    pub done: bool,
}

/// What tables know of a material.
#[derive(Serialize, Debug, Clone, Default)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct MaterialView {
    pub material: String,
    pub known: bool,
    pub red_to_move: Option<Totals>,
    pub black_to_move: Option<Totals>,
    pub longest: Option<Longest>,
}

/// How many placements are won, drawn and lost.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct Totals {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

/// The longest win of a material.
#[derive(Serialize, Debug, Clone)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct Longest {
    pub position: String,
    pub plies: u16,
    pub to: &'static str,
}

/// Why a message was refused.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "wire.ts describes every code")]
pub enum Code {
    Malformed,
    TooLarge,
    TooFast,
    Busy,
    UnknownToken,
    NoSeat,
    NotYourTurn,
    Illegal,
    WrongPhase,
    Unreadable,
    NothingToDo,
    Internal,
}

/// A refusal: nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What kind.
    pub code: Code,
    /// In words.
    pub message: String,
}

/// Shorthand for a refusal.
pub fn refuse<T>(code: Code, message: impl Into<String>) -> Result<T, Refusal> {
    let message = message.into();
    Err(Refusal { code, message })
}

impl From<Refusal> for ServerMessage {
    fn from(refusal: Refusal) -> ServerMessage {
        ServerMessage::Error {
            code: refusal.code,
            message: refusal.message,
        }
    }
}

impl RulesName {
    /// Returns the name as anqi-rules knows it.
    pub fn name(self) -> &'static str {
        match self {
            RulesName::Olympiad => "olympiad",
            RulesName::Platform => "platform",
            RulesName::Paper => "paper",
            RulesName::Openspiel => "openspiel",
        }
    }

    /// Returns the rules.
    pub fn rules(self) -> anqi_rules::Rules {
        anqi_rules::Rules::preset(self.name()).unwrap_or_default()
    }
}

/// Reads a message: the number it wants its answers to carry, and what it asks.
///
/// # Errors
///
/// Says what was expected, with the number if that could be read.
pub fn read(text: &str) -> Result<(Option<u64>, ClientMessage), (Option<u64>, Refusal)> {
    let malformed = |message: String| Refusal {
        code: Code::Malformed,
        message,
    };
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|e| (None, malformed(format!("not JSON: {e}"))))?;
    let serde_json::Value::Object(mut object) = value else {
        return Err((None, malformed("not a JSON object".to_owned())));
    };
    let id = match object.remove("id") {
        None => None,
        Some(id) => match id.as_u64() {
            Some(id) => Some(id),
            None => {
                let message = "'id' is not a whole number of 0 or more".to_owned();
                return Err((None, malformed(message)));
            }
        },
    };
    serde_json::from_value(object.into())
        .map(|message| (id, message))
        .map_err(|error| (id, malformed(shorten(&error.to_string()))))
}

/// Cuts an error message that quotes what it was given.
fn shorten(message: &str) -> String {
    const MOST: usize = 300;
    match message.char_indices().nth(MOST) {
        None => message.to_owned(),
        Some((end, _)) => format!("{}…", &message[..end]),
    }
}

/// Writes a message, with the number of the message that it answers.
pub fn write(re: Option<u64>, message: &ServerMessage) -> String {
    #[derive(Serialize)]
    struct Numbered<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        re: Option<u64>,
        #[serde(flatten)]
        message: &'a ServerMessage,
    }
    let numbered = Numbered { re, message };
    serde_json::to_string(&numbered).unwrap_or_else(|error| {
        // Nothing that is sent has keys that are not strings, which alone cannot be written.
        let message = error.to_string().replace(['"', '\\'], "'");
        format!("{{\"type\":\"error\",\"code\":\"internal\",\"message\":\"{message}\"}}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_with_their_number() {
        let (id, message) = read(r#"{"id":7,"type":"play","action":"b2-b3"}"#).unwrap();
        assert_eq!(id, Some(7));
        assert!(
            matches!(message, ClientMessage::Play { ref action, ply: None } if action == "b2-b3")
        );
        let text = r#"{"type":"create","seats":[{"kind":"me"},{"kind":"level","level":3}],
            "clock":{"base_ms":60000,"increment_ms":0},"rules":"platform"}"#;
        let (_, ClientMessage::Create(create)) = read(text).unwrap() else {
            panic!("not a create");
        };
        assert_eq!(create.rules, RulesName::Platform);
        assert_eq!(create.seats[1], Sitter::Level { level: 3 });
    }

    #[test]
    fn whatever_else_is_sent_is_refused_in_words() {
        for (text, part) in [
            ("", "not JSON"),
            ("[1]", "not a JSON object"),
            ("{}", "type"),
            (r#"{"type":"fly"}"#, "fly"),
            (r#"{"type":"leave","extra":1}"#, "extra"),
            (r#"{"type":"play"}"#, "action"),
            (r#"{"type":"play","action":7}"#, "string"),
            (r#"{"type":"leave","id":-1}"#, "id"),
            (r#"{"type":"create","seats":[{"kind":"me"}]}"#, "array"),
            (
                r#"{"type":"create","seats":[{"kind":"me","x":1},{"kind":"me"}]}"#,
                "x",
            ),
        ] {
            let (_, refusal) = read(text).expect_err(text);
            assert_eq!(refusal.code, Code::Malformed);
            assert!(refusal.message.contains(part), "{text}: {refusal}");
        }
        let deep = "[".repeat(100_000);
        assert!(read(&deep).is_err());
    }

    #[test]
    fn answers_carry_the_number() {
        let refusal = Refusal {
            code: Code::NotYourTurn,
            message: "wait".to_owned(),
        };
        assert_eq!(
            write(Some(3), &refusal.into()),
            r#"{"re":3,"type":"error","code":"not_your_turn","message":"wait"}"#
        );
        assert_eq!(write(None, &ServerMessage::Ok), r#"{"type":"ok"}"#);
    }
}
