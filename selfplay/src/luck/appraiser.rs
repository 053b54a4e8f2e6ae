//! Who values positions: the evaluation alone, or a search of so many nodes or plies.
//!
//! This is the one place where the measuring of luck meets the search.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::str::FromStr;

use anqi_rules::{Game, Position, Rules};
use anqi_search::evaluation::Evaluator;
use anqi_search::players::by_spec;
use anqi_search::{Limits, Player, Request, Score, Stop};

use super::WIN;

/// The player whose search values positions: small tables, so that clearing them costs little.
const SEARCHER: &str = "champion:hash=1,tables=0";

/// Which appraiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AppraiserSpec {
    /// The champion's evaluation alone.
    #[default]
    Evaluation,
    /// The champion's search of so many nodes.
    Nodes(NonZeroU64),
    /// The champion's search of so many plies: the same for all that may appear, and so calmer.
    Depth(NonZeroU32),
}

/// Why a text names no appraiser.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no appraiser (expected 'evaluation', a number of nodes such as 500, or a depth such as depth=3)"
)]
pub struct ParseAppraiserError(String);

impl FromStr for AppraiserSpec {
    type Err = ParseAppraiserError;

    fn from_str(text: &str) -> Result<AppraiserSpec, ParseAppraiserError> {
        if text == "evaluation" {
            return Ok(AppraiserSpec::Evaluation);
        }
        let parsed = match text.strip_prefix("depth=") {
            Some(depth) => depth.parse().map(AppraiserSpec::Depth),
            None => text.parse().map(AppraiserSpec::Nodes),
        };
        parsed.map_err(|_| ParseAppraiserError(text.to_owned()))
    }
}

impl AppraiserSpec {
    /// Returns the limits of a search for one value.
    fn limits(self) -> Limits {
        let (nodes, depth) = match self {
            AppraiserSpec::Evaluation => (None, None),
            AppraiserSpec::Nodes(nodes) => (Some(nodes.get()), None),
            AppraiserSpec::Depth(depth) => (None, Some(depth.get())),
        };
        Limits {
            nodes,
            depth,
            ..Limits::NONE
        }
    }
}

impl fmt::Display for AppraiserSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AppraiserSpec::Evaluation => f.write_str("evaluation"),
            AppraiserSpec::Nodes(nodes) => write!(f, "{nodes} nodes"),
            AppraiserSpec::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// Values positions, each by itself.
pub struct Appraiser {
    spec: AppraiserSpec,
    evaluator: Evaluator,
    searcher: Option<Box<dyn Player>>,
}

impl Appraiser {
    /// Makes an appraiser.
    pub fn new(spec: AppraiserSpec) -> Appraiser {
        let searcher = match spec {
            AppraiserSpec::Evaluation => None,
            AppraiserSpec::Nodes(_) | AppraiserSpec::Depth(_) => {
                Some(by_spec(SEARCHER).expect("the champion knows these settings"))
            }
        };
        Appraiser {
            spec,
            evaluator: Evaluator::default(),
            searcher,
        }
    }

    /// Returns the name that records and reports call it by.
    pub fn name(&self) -> String {
        self.spec.to_string()
    }

    /// Returns what a position is worth to the side to move, in ten-thousandths of a win.
    pub fn value(&mut self, position: &Position, rules: Rules) -> i32 {
        if let Some((loser, _)) = position.loser() {
            return if position.turn() == Some(loser) {
                -WIN
            } else {
                WIN
            };
        }
        match &mut self.searcher {
            Some(searcher) => searched(&mut **searcher, position, rules, self.spec.limits()),
            None => self.evaluator.value(position),
        }
    }
}

fn searched(searcher: &mut dyn Player, position: &Position, rules: Rules, limits: Limits) -> i32 {
    // What was searched before must not count: the value is one of the position alone.
    searcher.new_game();
    let request = Request {
        game: &Game::new(*position, rules),
        among: None,
        limits,
        seed: 0,
        stop: &Stop::new(),
    };
    let choice = searcher.choose(&request, &mut |_| {});
    let value = choice.score.map_or(0.0, Score::expected_result);
    (value * f64::from(WIN)).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: &str = "K1p1/1?2/4/c?P1/4/2r1/4/1G?? r GNpR 0 20";

    fn position() -> Position {
        OPEN.parse().expect("a position")
    }

    #[test]
    fn specs_parse_and_print() {
        assert_eq!("evaluation".parse(), Ok(AppraiserSpec::Evaluation));
        let nodes: AppraiserSpec = "500".parse().expect("a number of nodes");
        assert_eq!(nodes.to_string(), "500 nodes");
        let depth: AppraiserSpec = "depth=3".parse().expect("a depth");
        assert_eq!(depth.to_string(), "depth 3");
        for bad in ["", "0", "-3", "eval", "5k", "depth=0", "depth"] {
            assert!(bad.parse::<AppraiserSpec>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_value_depends_on_the_position_alone() {
        let other: Position = "K3/4/4/4/4/4/4/k3 b - 0 0".parse().expect("a position");
        for spec in [
            AppraiserSpec::Evaluation,
            "200".parse().expect("nodes"),
            "depth=2".parse().expect("a depth"),
        ] {
            let mut fresh = Appraiser::new(spec);
            let value = fresh.value(&position(), Rules::OLYMPIAD);
            let mut used = Appraiser::new(spec);
            used.value(&other, Rules::OLYMPIAD);
            used.value(&position(), Rules::OLYMPIAD);
            assert_eq!(used.value(&position(), Rules::OLYMPIAD), value, "{spec}");
            assert!(value.abs() <= WIN);
        }
    }

    #[test]
    fn a_side_that_has_lost_is_worth_a_loss() {
        let lost: Position = "4/4/4/4/4/4/4/k3 r - 0 0".parse().expect("a position");
        let mut appraiser = Appraiser::new(AppraiserSpec::Evaluation);
        assert_eq!(appraiser.value(&lost, Rules::OLYMPIAD), -WIN);
    }
}
