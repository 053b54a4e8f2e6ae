//! The search with a goal: NegaScout with quiescence and intermediate goals.

use std::cell::Cell;

use anqi_rules::{Action, Color, Position};

use crate::probe::{Endgames, after};
use crate::solve::Wdl;

/// The goal itself: the other side has no pieces, or no move.
const END: i32 = 3_000;
/// An intermediate goal: a capture into a smaller ending that is won, or for the other side one that is not.
const CONVERSION: i32 = 2_000;
/// A critical position whose answer is stored.
const STORED: i32 = 1_000;
/// Above every score.
const MOST: i32 = 10_000;

/// Searches with the goal that one side wins.
///
/// A score is positive if the goal is reached, negative if the other side prevents it, and 0 if neither
/// is known. Among successes the end of the game counts most, then a capture into a won ending, then a
/// stored position; among equals the one that comes first. The goal is evaluated in quiescent positions
/// only: at the last ply captures are still played, and a side that also has a quiet move may leave the
/// answer open instead.
pub struct GoalSearch<'a> {
    /// The values of smaller endings.
    smaller: &'a dyn Endgames,
    /// The answers that are stored.
    stored: &'a dyn Fn(&Position) -> Option<Wdl>,
    nodes: Cell<u64>,
}

/// The limits of one node's search.
#[derive(Clone, Copy)]
struct Span {
    depth: u8,
    ply: i32,
    alpha: i32,
    beta: i32,
}

impl<'a> GoalSearch<'a> {
    /// Prepares a search with the values of smaller endings and stored answers for the side to move.
    pub fn new(
        smaller: &'a dyn Endgames,
        stored: &'a dyn Fn(&Position) -> Option<Wdl>,
    ) -> GoalSearch<'a> {
        GoalSearch {
            smaller,
            stored,
            nodes: Cell::new(0),
        }
    }

    /// Returns the nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.get()
    }

    /// Returns the value of a position for the side to move, if a search to this depth finds it.
    ///
    /// Two goals are searched for: that the side to move wins, and that the other one does. If both are
    /// prevented, it is a draw.
    pub fn answer(&self, position: &Position, depth: u8) -> Option<Wdl> {
        let mover = position.turn()?;
        let own = self.score(position, mover, depth);
        if own > 0 {
            return Some(Wdl::Win);
        }
        let other = self.score(position, !mover, depth);
        match (own < 0, other < 0, other > 0) {
            (_, true, _) => Some(Wdl::Loss),
            (true, _, true) => Some(Wdl::Draw),
            _ => None,
        }
    }

    /// Returns the score of the goal that `side` wins, for the side to move.
    pub fn score(&self, position: &Position, side: Color, depth: u8) -> i32 {
        let span = Span {
            depth,
            ply: 0,
            alpha: -MOST,
            beta: MOST,
        };
        self.search(position, side, position.occupied().len(), span)
    }

    fn search(&self, position: &Position, side: Color, pieces: usize, span: Span) -> i32 {
        self.nodes.set(self.nodes.get() + 1);
        if let Some(score) = self.known(position, side, pieces, span.ply) {
            return score;
        }
        let (captures, quiet): (Vec<Action>, Vec<Action>) = position
            .actions()
            .into_iter()
            .partition(|action| position.piece_at(action.to()).is_some());
        let is_last = span.depth == 0;
        let mut alpha = span.alpha;
        let mut best = -MOST;
        if is_last && !quiet.is_empty() {
            best = 0;
            alpha = alpha.max(0);
        }
        let quiet = if is_last { Vec::new() } else { quiet };
        let mut is_first = true;
        for action in captures.into_iter().chain(quiet) {
            if alpha >= span.beta {
                break;
            }
            let next = after(position, action);
            let deeper = |alpha: i32, beta: i32| {
                let span = Span {
                    depth: span.depth.saturating_sub(1),
                    ply: span.ply + 1,
                    alpha: -beta,
                    beta: -alpha,
                };
                -self.search(&next, side, pieces, span)
            };
            let score = if is_first {
                deeper(alpha, span.beta)
            } else {
                // A null window shows whether the move is better; only then its score is needed.
                let score = deeper(alpha, alpha + 1);
                if score > alpha && score < span.beta {
                    deeper(alpha, span.beta)
                } else {
                    score
                }
            };
            is_first = false;
            best = best.max(score);
            alpha = alpha.max(score);
        }
        best
    }

    /// The score for the side to move of a position that needs no search.
    fn known(&self, position: &Position, side: Color, pieces: usize, ply: i32) -> Option<i32> {
        let mover = position.turn()?;
        let (wins, worth) = if let Some((loser, _)) = position.loser() {
            (loser != side, END)
        } else {
            let is_smaller = position.occupied().len() < pieces;
            let (value, worth) = if is_smaller {
                (self.smaller.wdl(position)?, CONVERSION)
            } else {
                ((self.stored)(position)?, STORED)
            };
            let won = if mover == side { Wdl::Win } else { Wdl::Loss };
            (value == won, worth)
        };
        let for_mover = wins == (mover == side);
        let score = worth - ply;
        Some(if for_mover { score } else { -score })
    }
}
