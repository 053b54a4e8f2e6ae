//! Appraisers of positions: the evaluation alone, or a search of a number of nodes or
//! plies.
//!
//! A search of one ply spends nearly all of its time on the reveals of flips. A search
//! of moves and captures alone, with the static evaluation as a lower bound, sees the
//! captures at a fraction of that cost.
//!
//! Only this module connects luck with the search.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::str::FromStr;

use anqi_rules::{Action, Game, Position, Rules};
use anqi_search::evaluation::{Evaluation, Evaluator};
use anqi_search::players::by_spec;
use anqi_search::{Limits, Player, Request, Score, Stop};

use super::WIN;

/// The player that searches: a small transposition table, so that clearing it costs little.
const SEARCHER: &str = "champion:hash=1,tables=0";

/// Which appraiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AppraiserSpec {
    /// The champion's evaluation alone.
    Evaluation,
    /// The champion's search of this many nodes.
    Nodes(NonZeroU64),
    /// The champion's search of this many plies: the same depth for all reveals, hence less noise.
    Depth(NonZeroU32),
    /// The same without flips at the first ply, for which the static evaluation stands in.
    Moves(NonZeroU32),
}

/// Two plies of moves and captures explain much more luck than the evaluation, at next to no cost.
impl Default for AppraiserSpec {
    fn default() -> AppraiserSpec {
        AppraiserSpec::Moves(NonZeroU32::MIN.saturating_add(1))
    }
}

/// Why a text names no appraiser.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not an appraiser (expected 'evaluation', a number of nodes such as 500, a depth such as depth=3, or one without flips such as moves=1)"
)]
pub struct ParseAppraiserError(String);

impl FromStr for AppraiserSpec {
    type Err = ParseAppraiserError;

    fn from_str(text: &str) -> Result<AppraiserSpec, ParseAppraiserError> {
        if text == "evaluation" {
            return Ok(AppraiserSpec::Evaluation);
        }
        let parsed = match text.split_once('=') {
            Some(("depth", plies)) => plies.parse().map(AppraiserSpec::Depth),
            Some(("moves", plies)) => plies.parse().map(AppraiserSpec::Moves),
            _ => text.parse().map(AppraiserSpec::Nodes),
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
            AppraiserSpec::Depth(depth) | AppraiserSpec::Moves(depth) => (None, Some(depth.get())),
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
            AppraiserSpec::Moves(depth) => write!(f, "moves {depth}"),
        }
    }
}

/// Values positions independently of one another.
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
            AppraiserSpec::Nodes(_) | AppraiserSpec::Depth(_) | AppraiserSpec::Moves(_) => {
                Some(by_spec(SEARCHER).expect("the champion knows these settings"))
            }
        };
        Appraiser {
            spec,
            evaluator: Evaluator::new(Evaluation::learned()),
            searcher,
        }
    }

    /// Returns its name in records and reports.
    pub fn name(&self) -> String {
        self.spec.to_string()
    }

    /// Returns the value of a position for the side to move, in ten-thousandths of a win.
    pub fn value(&mut self, position: &Position, rules: Rules) -> i32 {
        if let Some((loser, _)) = rules.loser(position) {
            return if position.turn() == Some(loser) {
                -WIN
            } else {
                WIN
            };
        }
        if !position.has_action() {
            return 0; // Drawn by the limit before it was lost.
        }
        let Some(searcher) = &mut self.searcher else {
            return self.evaluator.value(position);
        };
        let game = Game::new(*position, rules);
        let limits = self.spec.limits();
        if !matches!(self.spec, AppraiserSpec::Moves(_)) || position.face_down().is_empty() {
            return searched(&mut **searcher, &game, None, limits);
        }
        let mut moves = game.actions();
        moves.retain(|action| !action.is_flip());
        let stands = self.evaluator.value(position);
        if moves.is_empty() {
            stands
        } else {
            stands.max(searched(&mut **searcher, &game, Some(&moves), limits))
        }
    }
}

fn searched(
    searcher: &mut dyn Player,
    game: &Game,
    among: Option<&[Action]>,
    limits: Limits,
) -> i32 {
    // Clears the transposition table: the value must depend on the position alone.
    searcher.new_game();
    let request = Request {
        game,
        among,
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
        assert_eq!(
            "moves=2".parse::<AppraiserSpec>().map(|s| s.to_string()),
            Ok("moves 2".to_owned())
        );
        for bad in [
            "", "0", "-3", "eval", "5k", "depth=0", "depth", "moves=0", "moves",
        ] {
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
            "moves=2".parse().expect("a depth"),
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
    fn the_evaluation_is_the_champions() {
        let mut appraiser = Appraiser::new(AppraiserSpec::Evaluation);
        let learned = Evaluation::learned();
        for text in [
            OPEN,
            "K3/4/4/4/4/4/4/k3 b - 0 0",
            "?3/4/4/4/Pk2/2c1/4/R2n r p 0 20",
        ] {
            let position: Position = text.parse().expect("a position");
            let value = appraiser.value(&position, Rules::OLYMPIAD);
            assert_eq!(value, learned.value(&position), "{text}");
        }
        assert_ne!(
            learned.value(&position()),
            Evaluation::built_in().value(&position()),
            "the network has no say"
        );
    }

    #[test]
    fn moves_see_a_capture_and_leave_well_alone() {
        let values = |text: &str| {
            let position: Position = text.parse().expect("a position");
            ["evaluation", "moves=1"].map(|spec| {
                let spec = spec.parse().expect("an appraiser");
                Appraiser::new(spec).value(&position, Rules::OLYMPIAD)
            })
        };
        // Red to move takes the king with a pawn.
        let [stands, moves] = values("?3/4/4/4/Pk2/2c1/4/R2n r p 0 20");
        assert!(moves > stands + 1_000, "{stands} {moves}");
        // Every move of the pawn runs into a guard; a flip may be better, so the evaluation counts.
        let [stands, moves] = values("?3/4/4/4/1g2/P3/1g2/4 r K 0 20");
        assert!(moves >= stands, "{stands} {moves}");
        // With nothing but flips there is nothing to search.
        let [stands, moves] = values("?g2/4/4/4/4/4/4/4 r P 0 20");
        assert_eq!(stands, moves);
    }

    #[test]
    fn a_side_that_has_lost_is_worth_a_loss() {
        let lost: Position = "4/4/4/4/4/4/4/k3 r - 0 0".parse().expect("a position");
        let mut appraiser = Appraiser::new(AppraiserSpec::Evaluation);
        assert_eq!(appraiser.value(&lost, Rules::OLYMPIAD), -WIN);
        // A course draws at its limit before it looks for a side without an action.
        let at = |quiet: u32| {
            let text = format!("4/4/4/4/4/4/p3/Cp2 b - {quiet} 40");
            let position: Position = text.parse().unwrap();
            position.under(Rules::COURSE.convention)
        };
        assert_eq!(appraiser.value(&at(29), Rules::COURSE), WIN);
        assert_eq!(appraiser.value(&at(30), Rules::COURSE), 0);
    }
}
