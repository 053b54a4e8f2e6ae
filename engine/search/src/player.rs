//! What a player is asked, and what it answers.
//!
//! A session or a referee knows players through [`Player`] alone. A request
//! carries the game with its past (repetition matters), the limits, a seed for
//! whatever the player leaves to chance, and a flag that tells it to stop.
//! The same request gives the same choice, unless a clock or the flag decides.

use crate::score::Score;
use anqi_rules::{Action, ActionList, Game, Rules};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Chooses an action when asked.
pub trait Player: Send {
    /// Returns the player as a spec that [`crate::players::by_spec`] reads back.
    fn spec(&self) -> String;

    /// Makes ready for games under these rules, which may take a moment: memory,
    /// endgame tables. Otherwise this happens at the first choice.
    ///
    /// # Errors
    ///
    /// Says which resource is unavailable. The player can still choose without it.
    fn prepare(&mut self, _rules: Rules) -> Result<(), PrepareError> {
        Ok(())
    }

    /// Returns a warning that the user has not seen yet: a damaged file, memory that is
    /// unavailable.
    fn take_warning(&mut self) -> Option<String> {
        None
    }

    /// Forgets what belongs to the game before.
    fn new_game(&mut self) {}

    /// Chooses an action and reports progress on the way.
    ///
    /// # Panics
    ///
    /// May panic if the game has no legal action.
    fn choose(&mut self, request: &Request<'_>, report: &mut dyn FnMut(&Report)) -> Choice;
}

/// Why a player cannot make ready.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrepareError {
    /// There is not enough memory.
    #[error("not enough memory for a hash table of {mebibytes} MB (choose a smaller one)")]
    Memory {
        /// How large the table would have been.
        mebibytes: u32,
    },
    /// Endgame tables cannot be opened.
    #[error("no endgame tables from '{source_name}': {reason}")]
    Tables {
        /// Where they should come from.
        source_name: String,
        /// Why not.
        reason: String,
    },
}

/// A question to a player.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The game so far; its position is the one to decide in.
    pub game: &'a Game,
    /// The actions to choose among; `None` for all that are legal.
    pub among: Option<&'a [Action]>,
    /// How long to think.
    pub limits: Limits,
    /// Seeds what the player leaves to chance; mixed with the position by the player.
    pub seed: u64,
    /// Raised by others to end the thinking; the best action so far is then the answer.
    pub stop: &'a Stop,
}

impl Request<'_> {
    /// Returns the legal actions to choose among, in text order; all if none of those asked for is legal.
    pub fn actions(&self) -> ActionList {
        choosable(self.game, self.among)
    }
}

/// The legal actions among these, or all.
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

/// How long to think. Whatever is set ends the thinking when it is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Plies to search.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Time to spend.
    pub time: TimeLimit,
    /// How many of the best actions to rank, at least one.
    pub multipv: usize,
}

impl Limits {
    /// No limit at all: think until told to stop.
    pub const NONE: Limits = Limits {
        depth: None,
        nodes: None,
        time: TimeLimit::None,
        multipv: 1,
    };

    /// Returns whether nothing but the stop flag ends the thinking.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeLimit {
    /// None.
    None,
    /// So much for this action.
    PerMove(Duration),
    /// So much for the rest of the game; the player divides it up.
    Total {
        /// What is left on the clock.
        left: Duration,
        /// What each action gives back.
        increment: Duration,
    },
}

/// A flag that others raise to end the thinking.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// Returns a lowered flag.
    pub const fn new() -> Stop {
        Stop(AtomicBool::new(false))
    }

    /// Raises the flag.
    pub fn request(&self) {
        // A lone flag orders nothing else.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lowers the flag.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Returns whether the flag is raised.
    #[inline]
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// One step of a principal line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineStep {
    /// The action.
    pub action: Action,
    /// For a flip, what it is worth on average to the side that flips, in ±10,000. It ends the line.
    pub expectation: Option<i32>,
}

/// What a player tells while it thinks.
#[derive(Clone, PartialEq, Debug)]
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
    /// The place of this line among the best, from 1.
    pub rank: usize,
    /// What both sides would play.
    pub line: Vec<LineStep>,
}

/// One of the best actions.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked {
    /// The action.
    pub action: Action,
    /// Its value for the side to move.
    pub score: Score,
    /// The principal variation, from this action.
    pub line: Vec<LineStep>,
}

/// A player's answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The action.
    pub action: Action,
    /// Its value for the side to move, if the player has an idea of it.
    pub score: Option<Score>,
    /// The depth of the last finished iteration.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The principal variation, from this action.
    pub line: Vec<LineStep>,
    /// The best actions in order, as many as were asked for and known.
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
