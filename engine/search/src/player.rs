//! The interface of players: requests and choices.
//!
//! A session or a referee knows players through [`Player`] alone. A request
//! carries the game with its past (repetition matters), the limits, a seed for
//! random choices, and a stop flag. The same request gives the same choice,
//! unless a clock or the flag decides.

use crate::score::Score;
use anqi_rules::{Action, ActionList, Game, Piece, Rules};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Chooses actions.
pub trait Player: Send {
    /// Returns the player as a spec that [`crate::players::by_spec`] reads back.
    fn spec(&self) -> String;

    /// Prepares for games under these rules, which may take a moment: memory,
    /// endgame tables. Otherwise this happens at the first choice.
    ///
    /// # Errors
    ///
    /// Returns an error if a resource is unavailable. The player can still choose without it.
    fn prepare(&mut self, _rules: Rules) -> Result<(), PrepareError> {
        Ok(())
    }

    /// Returns a warning that the user has not seen yet: a damaged file, unavailable memory.
    fn take_warning(&mut self) -> Option<String> {
        None
    }

    /// Forgets the previous game.
    fn new_game(&mut self) {}

    /// Chooses an action, reporting progress.
    ///
    /// # Panics
    ///
    /// May panic if the game has no legal action.
    fn choose(&mut self, request: &Request<'_>, report: &mut dyn FnMut(&Report)) -> Choice;
}

/// Why a player cannot prepare.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrepareError {
    /// There is not enough memory.
    #[error("not enough memory for a hash table of {mebibytes} MB (choose a smaller one)")]
    Memory {
        /// The size of the table.
        mebibytes: u32,
    },
    /// Endgame tables cannot be opened.
    #[error("no endgame tables from '{source_name}': {reason}")]
    Tables {
        /// Their source.
        source_name: String,
        /// Why not.
        reason: String,
    },
}

/// A request for an action.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The game so far; its position is the one to decide in.
    pub game: &'a Game,
    /// The actions to choose among; `None` for all that are legal.
    pub among: Option<&'a [Action]>,
    /// How long to think.
    pub limits: Limits,
    /// Seeds the player's random choices; the player mixes it with the position.
    pub seed: u64,
    /// Raised by the caller to end the search; the best action so far is then the answer.
    pub stop: &'a Stop,
}

impl Request<'_> {
    /// Returns the legal actions to choose among, in text order; all if none of those requested is
    /// legal.
    pub fn actions(&self) -> ActionList {
        choosable(self.game, self.among)
    }
}

/// The legal actions among these; all if there is none.
pub(crate) fn choosable(game: &Game, among: Option<&[Action]>) -> ActionList {
    let legal = game.actions();
    let Some(among) = among else {
        return legal;
    };
    let chosen: ActionList = legal
        .iter()
        .copied()
        .filter(|action| among.contains(action))
        .collect();
    if chosen.is_empty() { legal } else { chosen }
}

/// How long to think. The first limit reached ends the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Plies to search.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Time to spend.
    pub time: TimeLimit,
    /// How many of the best actions to rank, at least one.
    pub multipv: usize,
    /// Whether to tell the outcomes of the flips among them.
    pub outcomes: bool,
}

impl Limits {
    /// No limit: think until the stop flag is raised.
    pub const NONE: Limits = Limits {
        depth: None,
        nodes: None,
        time: TimeLimit::None,
        multipv: 1,
        outcomes: false,
    };

    /// Returns whether only the stop flag ends the search.
    pub fn is_unlimited(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none() && self.time == TimeLimit::None
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::NONE
    }
}

/// A limit on time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TimeLimit {
    /// None.
    None,
    /// This much for one action.
    PerMove(Duration),
    /// A clock for the rest of the game; the player divides it.
    Total {
        /// The time left on the clock.
        left: Duration,
        /// The time added after each action.
        increment: Duration,
    },
}

/// A flag that other threads raise to end the search.
#[derive(Debug, Default)]
pub struct Stop {
    raised: AtomicBool,
    elsewhere: Option<fn() -> bool>,
}

impl Stop {
    /// Returns a lowered flag.
    pub const fn new() -> Stop {
        Stop {
            raised: AtomicBool::new(false),
            elsewhere: None,
        }
    }

    /// Returns a flag that a host raises elsewhere too, where this program shares no memory with it: the
    /// function is asked whenever a search looks at its flag.
    pub const fn watching(elsewhere: fn() -> bool) -> Stop {
        Stop {
            raised: AtomicBool::new(false),
            elsewhere: Some(elsewhere),
        }
    }

    /// Raises the flag.
    pub fn request(&self) {
        // Relaxed: no other memory depends on the flag.
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Lowers the flag.
    pub fn reset(&self) {
        self.raised.store(false, Ordering::Relaxed);
    }

    /// Returns whether the flag is raised.
    #[inline]
    pub fn requested(&self) -> bool {
        self.raised.load(Ordering::Relaxed) || self.elsewhere.is_some_and(|raised| raised())
    }
}

/// One step of a principal variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LineStep {
    /// The action.
    pub action: Action,
    /// For a flip, its expected result for the side that flips, in ±10,000. A flip ends the line.
    pub expectation: Option<i32>,
}

/// A progress report of a player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The depth of the last finished iteration.
    pub depth: u32,
    /// The length of the longest line searched.
    pub selective_depth: u32,
    /// The value for the side to move.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
    /// Time spent.
    pub elapsed: Duration,
    /// Answers from endgame tables.
    pub table_hits: u64,
    /// How full the hash table is, in thousandths.
    pub hash_permille: u32,
    /// The rank of this line, from 1 for the best.
    pub rank: usize,
    /// The principal variation.
    pub line: Vec<LineStep>,
}

/// One of the best actions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ranked {
    /// The action.
    pub action: Action,
    /// Its value for the side to move.
    pub score: Score,
    /// The principal variation, from this action.
    pub line: Vec<LineStep>,
    /// The outcomes of a flip, the best first, if they were asked for and the player has them.
    /// Their average is the flip's value.
    pub outcomes: Vec<RankedOutcome>,
}

/// One outcome of a ranked flip.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct RankedOutcome {
    /// The piece that appears.
    pub piece: Piece,
    /// How many such pieces are face down.
    pub weight: u32,
    /// The value for the side that flips.
    pub score: Score,
}

/// A player's answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// The action.
    pub action: Action,
    /// Its value for the side to move, if the player has one.
    pub score: Option<Score>,
    /// The depth of the last finished iteration.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The principal variation, from this action.
    pub line: Vec<LineStep>,
    /// The best actions in order, as many as were requested and are known.
    pub ranked: Vec<Ranked>,
}

impl Choice {
    /// Returns the answer of a player that does not search.
    pub fn plain(action: Action) -> Choice {
        let expectation = None;
        Choice {
            action,
            score: None,
            depth: 0,
            nodes: 0,
            line: vec![LineStep {
                action,
                expectation,
            }],
            ranked: Vec::new(),
        }
    }
}
