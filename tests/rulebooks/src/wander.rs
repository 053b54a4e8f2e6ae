//! Random games for the checks: seeded, and of several kinds.
//!
//! Uniformly random games flip everything early and then wander about without end. Most faults lie elsewhere, so a
//! walker has a temper: it captures eagerly, avoids flips, or likes to go to and fro, which alone makes sequences of
//! plies recur.

use anqi_rules::{Action, Game, Ply, Position, Rules};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// What a walker prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temper {
    /// Nothing.
    Even,
    /// Captures.
    Eager,
    /// Captures, and anything rather than a flip.
    Shy,
    /// The ply of four plies ago.
    Restless,
}

impl Temper {
    const ALL: [Temper; 4] = [Temper::Even, Temper::Eager, Temper::Shy, Temper::Restless];
}

/// A source of random plies.
pub struct Wanderer {
    /// The random source, also for the tests' own choices.
    pub source: Pcg64,
    /// What it prefers.
    pub temper: Temper,
}

impl Wanderer {
    /// Returns the walker with this number; its temper follows from the number.
    pub fn new(seed: u64) -> Wanderer {
        Wanderer {
            source: Pcg64::seed_from_u64(seed),
            temper: Temper::ALL[seed as usize % 4],
        }
    }

    /// Returns a ply for the side to move, none if it has no legal action.
    pub fn ply(&mut self, game: &Game) -> Option<Ply> {
        let actions = game.position().actions();
        let action = self
            .prefers(game, &actions)
            .or_else(|| actions.choose(&mut self.source).copied())?;
        Some(self.carried_out(game.position(), action))
    }

    /// Returns the ply of an action; a flip reveals a piece drawn from the bag.
    pub fn carried_out(&mut self, position: &Position, action: Action) -> Ply {
        if !action.is_flip() {
            return Ply::from(action);
        }
        let weighted: Vec<_> = position
            .reveals()
            .flat_map(|r| vec![r.piece; r.weight as usize])
            .collect();
        let piece = weighted
            .choose(&mut self.source)
            .expect("a face-down square has a piece in the bag");
        Ply::flip(action.from(), *piece)
    }

    fn prefers(&mut self, game: &Game, actions: &[Action]) -> Option<Action> {
        let position = game.position();
        if self.temper == Temper::Restless && self.source.random_bool(0.8) {
            let plies = game.plies();
            let back = plies.len().checked_sub(4).map(|at| plies[at].action);
            if back.is_some_and(|action| !action.is_flip() && actions.contains(&action)) {
                return back;
            }
        }
        if self.temper != Temper::Even && self.source.random_bool(0.8) {
            let captures: Vec<Action> = actions
                .iter()
                .copied()
                .filter(|action| position.piece_at(action.to()).is_some())
                .collect();
            if let Some(capture) = captures.choose(&mut self.source) {
                return Some(*capture);
            }
        }
        if self.temper == Temper::Shy && self.source.random_bool(0.95) {
            let moves: Vec<Action> = actions
                .iter()
                .copied()
                .filter(|action| !action.is_flip())
                .collect();
            return moves.choose(&mut self.source).copied();
        }
        None
    }
}

/// Returns a game of at most `most_plies` plies from the start, played on through draws.
pub fn random_game(seed: u64, most_plies: usize) -> Game {
    let mut wanderer = Wanderer::new(seed);
    let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
    while game.plies().len() < most_plies {
        let Some(ply) = wanderer.ply(&game) else {
            break;
        };
        game.play(ply).expect("a walker plays legal plies");
    }
    game
}

/// Returns a position somewhere in a random game, one that may be lost already.
pub fn random_position(seed: u64) -> Position {
    let plies = Pcg64::seed_from_u64(!seed).random_range(0..160);
    *random_game(seed, plies).position()
}
