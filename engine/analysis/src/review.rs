//! The review of a game, ply by ply.
//!
//! Each ply is a slice of work on its own: any number of analysts can take plies until none is left,
//! and the report comes out the same. Nothing runs by itself.

use crate::decision::{ReviewedPly, review_ply};
use crate::{Analyst, Effort, Report};
use anqi_rules::Game;
use anqi_rules::order::sort_few_by_key;
use anqi_search::Stop;

/// Default nodes for a game: 20 seconds on two cores at a million nodes a second each.
const GAME_NODES: u64 = 40_000_000;
/// Searches per ply, in units of its budget: one for the best action, one for its value, and one
/// for the action played unless it is the same.
const NODES_PER_PLY: f64 = 2.2;
/// Bounds of the default nodes for each decision.
const LEAST_NODES: u64 = 5_000;
const MOST_NODES: u64 = 400_000;

/// Returns the nodes for each decision that review a game in about 20 seconds.
pub fn default_nodes(game: &Game) -> u64 {
    let plies = game.plies().len().max(1) as f64;
    let nodes = GAME_NODES as f64 / (plies * NODES_PER_PLY);
    (nodes as u64).clamp(LEAST_NODES, MOST_NODES)
}

/// A review that is under way.
#[derive(Clone, Debug)]
pub struct Review {
    game: Game,
    nodes: u64,
    /// The first ply that no analyst has taken.
    next: usize,
    found: Vec<(usize, ReviewedPly)>,
}

impl Review {
    /// Begins the review of a game with this many nodes for each decision.
    pub fn new(game: Game, nodes: u64) -> Review {
        Review {
            found: Vec::with_capacity(game.plies().len()),
            next: 0,
            game,
            nodes,
        }
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the nodes for each decision.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the number of plies.
    pub fn total(&self) -> usize {
        self.game.plies().len()
    }

    /// Returns how many plies are reviewed.
    pub fn done(&self) -> usize {
        self.found.len()
    }

    /// Returns whether every ply is reviewed.
    pub fn is_complete(&self) -> bool {
        self.done() == self.total()
    }

    /// Takes the index of the next ply, `None` if all are taken.
    pub fn take(&mut self) -> Option<usize> {
        let index = self.next;
        (index < self.total()).then(|| {
            self.next += 1;
            index
        })
    }

    /// Adds a reviewed ply.
    pub fn add(&mut self, index: usize, ply: ReviewedPly) {
        self.found.push((index, ply));
    }

    /// Reviews the plies that are left, one after the other, until the flag is raised.
    pub fn run(&mut self, analyst: &mut Analyst, stop: &Stop) {
        while let Some(index) = self.take() {
            let effort = Effort {
                nodes: self.nodes,
                time: None,
                stop,
            };
            let ply = review_ply(analyst, &self.game, index, effort);
            if stop.requested() {
                return;
            }
            self.add(index, ply);
        }
    }

    /// Returns the reviewed plies, in order of play.
    pub fn plies(mut self) -> Vec<ReviewedPly> {
        sort_few_by_key(&mut self.found, |(index, _)| *index);
        self.found.into_iter().map(|(_, ply)| ply).collect()
    }

    /// Returns the report on a game whose review is complete; the players are in order of play.
    pub fn report(self, players: Option<[String; 2]>) -> Report {
        let (game, nodes) = (self.game.clone(), self.nodes);
        Report::of(&game, players, self.plies(), nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Rules;

    #[test]
    fn long_games_get_less_for_each_ply() {
        let game = Game::from_text("start", Rules::OLYMPIAD).unwrap();
        assert_eq!(default_nodes(&game), MOST_NODES);
    }

    #[test]
    fn plies_may_come_in_any_order_and_a_stop_leaves_the_rest() {
        let text = "start moves b2(G) b3(k) c7(p) b3-b2 c6(P)";
        let game = Game::from_text(text, Rules::OLYMPIAD).unwrap();
        let mut analyst = Analyst::new(None, Rules::OLYMPIAD).unwrap();
        let mut whole = Review::new(game.clone(), 300);
        whole.run(&mut analyst, &Stop::new());
        assert!(whole.is_complete());
        let mut shuffled = Review::new(game.clone(), 300);
        let mut plies: Vec<_> = whole.clone().plies().into_iter().enumerate().collect();
        plies.reverse();
        for (index, ply) in plies {
            shuffled.add(index, ply);
        }
        assert_eq!(shuffled.report(None), whole.report(None));
        let stop = Stop::new();
        stop.request();
        let mut stopped = Review::new(game, 300);
        stopped.run(&mut analyst, &stop);
        assert_eq!(stopped.done(), 0);
    }
}
