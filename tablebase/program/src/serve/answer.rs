//! The answers, as JSON has them (`openapi.json`).

use anqi_rules::Position;
use anqi_tablebase::facedown::{Expectation, FlipOutcome, RatedAction};
use anqi_tablebase::probe::{Rated, TableValue};
use anqi_tablebase::{Fraction, Wdl};
use serde::Serialize;

use crate::words::word;

/// The value of a position, and of every action, the best first.
#[derive(Debug, Serialize)]
pub struct Answer {
    pub position: String,
    /// Under the rules; `None` where chance decides.
    pub value: Option<&'static str>,
    pub dtc: Option<u16>,
    pub plies_to_end: Option<u16>,
    pub expected: Option<String>,
    /// Whether the expectation also holds under the rules.
    pub exact: bool,
    pub actions: Vec<ActionAnswer>,
}

/// The value of an action for the side that plays it.
#[derive(Debug, Serialize)]
pub struct ActionAnswer {
    pub action: String,
    pub value: Option<&'static str>,
    pub dtc: Option<u16>,
    pub plies_to_end: Option<u16>,
    pub expected: Option<String>,
    /// What a flip may reveal.
    pub outcomes: Vec<OutcomeAnswer>,
}

/// A piece that a flip may reveal.
#[derive(Debug, Serialize)]
pub struct OutcomeAnswer {
    pub piece: String,
    pub chance: String,
    pub expected: String,
}

/// Best play from a position.
#[derive(Debug, Serialize)]
pub struct LineAnswer {
    pub position: String,
    pub value: &'static str,
    pub dtc: Option<u16>,
    pub plies: Vec<PlyAnswer>,
    /// `over`, `draw`, or `unfinished` after as many plies as an answer has at most.
    pub end: &'static str,
    pub winner: Option<String>,
}

/// A ply of best play, its value for the side that plays it.
#[derive(Debug, Serialize)]
pub struct PlyAnswer {
    pub action: String,
    pub captured: Option<String>,
    pub value: &'static str,
    pub dtc: Option<u16>,
}

/// What is known in unlimited play beside the values under the rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited {
    pub wdl: Option<Wdl>,
    pub plies_to_end: Option<u16>,
}

impl Unlimited {
    /// The expectation in unlimited play.
    fn expected(&self) -> Option<Fraction> {
        self.wdl.map(Fraction::from)
    }
}

impl Answer {
    /// Returns the answer to a position without face-down pieces.
    pub fn face_up(position: &Position, known: TableValue, unlimited: Unlimited) -> Answer {
        Answer {
            position: position.to_string(),
            value: Some(word(known.wdl)),
            dtc: known.dtc,
            plies_to_end: unlimited.plies_to_end,
            expected: unlimited.expected().map(|value| value.to_string()),
            exact: unlimited.wdl == Some(known.wdl),
            actions: Vec::new(),
        }
    }

    /// Returns the answer to a position with face-down pieces.
    pub fn face_down(position: &Position, known: &Expectation, exact: bool) -> Answer {
        let distance = distance(known.expected, known.plies);
        Answer {
            position: position.to_string(),
            value: certain(known.expected).filter(|_| exact),
            dtc: distance,
            plies_to_end: None,
            expected: Some(known.expected.to_string()),
            exact,
            actions: Vec::new(),
        }
    }
}

impl ActionAnswer {
    /// Returns the answer for an action without face-down pieces; `unlimited` is known of the position
    /// after it.
    pub fn face_up(rated: &Rated, unlimited: Unlimited) -> ActionAnswer {
        ActionAnswer {
            action: rated.action.to_string(),
            value: Some(word(rated.wdl)),
            dtc: rated.dtc,
            plies_to_end: unlimited.plies_to_end.map(|plies| plies + 1),
            expected: unlimited.expected().map(|value| (-value).to_string()),
            outcomes: Vec::new(),
        }
    }

    /// Returns the answer for an action with face-down pieces.
    pub fn face_down(rated: &RatedAction, exact: bool) -> ActionAnswer {
        ActionAnswer {
            action: rated.action.to_string(),
            value: certain(rated.expected).filter(|_| exact),
            dtc: distance(rated.expected, rated.plies),
            plies_to_end: None,
            expected: Some(rated.expected.to_string()),
            outcomes: rated.outcomes.iter().map(OutcomeAnswer::new).collect(),
        }
    }
}

impl OutcomeAnswer {
    fn new(outcome: &FlipOutcome) -> OutcomeAnswer {
        OutcomeAnswer {
            piece: outcome.piece.to_string(),
            chance: outcome.chance.to_string(),
            expected: outcome.expected.to_string(),
        }
    }
}

/// The value that an expectation proves: only a certain win or loss has the greatest or the least.
fn certain(expected: Fraction) -> Option<&'static str> {
    if expected == Fraction::ONE {
        Some(word(Wdl::Win))
    } else if expected == -Fraction::ONE {
        Some(word(Wdl::Loss))
    } else {
        None
    }
}

/// The plies to the next capture or flip, if one side wants it.
fn distance(expected: Fraction, plies: u16) -> Option<u16> {
    (expected != Fraction::ZERO).then_some(plies)
}
