//! A slow solver over a small trait of a game: value iteration with exact fractions.
//!
//! It knows nothing of our game, its board or its tables, which makes it an
//! independent test. It enumerates all positions that can be reached from some
//! roots, and then computes the value of the game that ends in a draw after k
//! plies, for k = 0, 1, 2, … Once another ply changes no value, none ever will:
//! these are the values of unlimited play, in which endless play is a draw.

use std::collections::HashMap;
use std::hash::Hash;

use crate::fraction::Fraction;

/// A two-player zero-sum game with chance.
pub trait Game {
    /// A position with its side to move.
    type State: Clone + Eq + Hash;

    /// Returns the result for the side to move if the game is over.
    fn result(&self, state: &Self::State) -> Option<Fraction>;

    /// Calls `visit` with the outcomes of each action: positions with their weights, a single one
    /// where there is no chance.
    fn for_each_action(&self, state: &Self::State, visit: impl FnMut(&[(u32, Self::State)]));
}

/// The values of all reachable positions.
#[derive(Debug)]
pub struct Solution<S> {
    places: HashMap<S, u32>,
    values: Vec<Fraction>,
    passes: u32,
}

impl<S: Eq + Hash> Solution<S> {
    /// Returns the value of a position for the side to move, `None` if it was not reached.
    pub fn value(&self, state: &S) -> Option<Fraction> {
        self.places
            .get(state)
            .map(|&place| self.values[place as usize])
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns whether nothing was reached.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns after how many plies the last value was settled.
    pub fn passes(&self) -> u32 {
        self.passes
    }

    /// Iterates over the positions with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&S, Fraction)> {
        let places = self.places.iter();
        places.map(|(state, &place)| (state, self.values[place as usize]))
    }
}

/// Solves all positions that can be reached from some roots.
pub fn solve<G: Game>(game: &G, roots: impl IntoIterator<Item = G::State>) -> Solution<G::State> {
    let tree = Reached::from(game, roots);
    let mut values: Vec<Fraction> = tree
        .nodes
        .iter()
        .map(|node| node.result.unwrap_or(Fraction::ZERO))
        .collect();
    let mut passes = 0;
    loop {
        let next: Vec<Fraction> = (0..values.len())
            .map(|at| tree.value(at, &values))
            .collect();
        if next == values {
            break;
        }
        values = next;
        passes += 1;
    }
    Solution {
        places: tree.places,
        values,
        passes,
    }
}

/// The graph of the reachable positions.
struct Reached<S> {
    places: HashMap<S, u32>,
    nodes: Vec<Node>,
    /// Where the outcomes of each action begin, all nodes' actions in a row.
    actions: Vec<u32>,
    /// Weights and nodes.
    outcomes: Vec<(u32, u32)>,
}

#[derive(Clone, Copy)]
struct Node {
    result: Option<Fraction>,
    /// Its actions.
    first: u32,
    end: u32,
}

impl<S: Clone + Eq + Hash> Reached<S> {
    fn from<G: Game<State = S>>(game: &G, roots: impl IntoIterator<Item = S>) -> Reached<S> {
        let mut tree = Reached {
            places: HashMap::new(),
            nodes: Vec::new(),
            actions: Vec::new(),
            outcomes: Vec::new(),
        };
        let mut waiting = Vec::new();
        for root in roots {
            tree.place(&root, &mut waiting);
        }
        while let Some((state, place)) = waiting.pop() {
            let result = game.result(&state);
            let first = tree.actions.len() as u32;
            if result.is_none() {
                game.for_each_action(&state, |outcomes| {
                    tree.actions.push(tree.outcomes.len() as u32);
                    for (weight, next) in outcomes {
                        let next = tree.place(next, &mut waiting);
                        tree.outcomes.push((*weight, next));
                    }
                });
            }
            let end = tree.actions.len() as u32;
            tree.nodes[place as usize] = Node { result, first, end };
        }
        tree.actions.push(tree.outcomes.len() as u32);
        tree
    }

    /// Returns the node of a position, made now if it is new.
    fn place(&mut self, state: &S, waiting: &mut Vec<(S, u32)>) -> u32 {
        if let Some(&place) = self.places.get(state) {
            return place;
        }
        let place = self.nodes.len() as u32;
        self.places.insert(state.clone(), place);
        self.nodes.push(Node {
            result: None,
            first: 0,
            end: 0,
        });
        waiting.push((state.clone(), place));
        place
    }

    /// Returns the value of a node from those of its successors, one ply less to go.
    fn value(&self, at: usize, values: &[Fraction]) -> Fraction {
        let node = self.nodes[at];
        if let Some(result) = node.result {
            return result;
        }
        let actions = node.first..node.end;
        let best = actions
            .map(|action| self.action_value(action as usize, values))
            .max();
        best.expect("a position without an action has a result")
    }

    fn action_value(&self, action: usize, values: &[Fraction]) -> Fraction {
        let outcomes = self.actions[action] as usize..self.actions[action + 1] as usize;
        let outcomes = &self.outcomes[outcomes];
        if let [(_, next)] = *outcomes {
            return -values[next as usize];
        }
        let total: u32 = outcomes.iter().map(|(weight, _)| weight).sum();
        let parts = outcomes.iter().map(|&(weight, next)| {
            -values[next as usize] * Fraction::new(weight.into(), total.into())
        });
        parts.fold(Fraction::ZERO, |sum, part| sum + part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A heap of counters: take one, two or three; a player who cannot loses.
    struct Heap;

    impl Game for Heap {
        type State = u32;

        fn result(&self, &state: &u32) -> Option<Fraction> {
            (state == 0).then_some(-Fraction::ONE)
        }

        fn for_each_action(&self, &state: &u32, mut visit: impl FnMut(&[(u32, u32)])) {
            for taken in 1..=state.min(3) {
                visit(&[(1, state - taken)]);
            }
        }
    }

    #[test]
    fn a_heap_of_four_is_lost() {
        let plain = solve(&Heap, [9]);
        assert_eq!((plain.len(), plain.passes()), (10, 5));
        assert_eq!(plain.value(&8), Some(-Fraction::ONE));
        assert_eq!(plain.value(&9), Some(Fraction::ONE));
        assert_eq!(plain.value(&10), None);
    }

    /// Two players who may go round forever, or leave for a result.
    struct Round;

    impl Game for Round {
        type State = i64;

        fn result(&self, &state: &i64) -> Option<Fraction> {
            (state.abs() > 1).then(|| Fraction::new(state, 6))
        }

        fn for_each_action(&self, &state: &i64, mut visit: impl FnMut(&[(u32, i64)])) {
            visit(&[(1, 1 - state)]);
            // Worth -1/2 to the side that leaves, or its chance of 1/3 of 1/3 and 2/3 of -1/2.
            visit(&[(1, 3)]);
            visit(&[(1, -2), (2, 3)]);
        }
    }

    #[test]
    fn endless_play_is_a_draw() {
        let round = solve(&Round, [0, 1]);
        assert_eq!(round.value(&0), Some(Fraction::ZERO));
        assert_eq!(round.value(&3), Some(Fraction::new(1, 2)));
    }
}
