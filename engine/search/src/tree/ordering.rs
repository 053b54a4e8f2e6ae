//! Move ordering: the order in which the actions of a node are tried.
//!
//! Flips that cost no node come first, then the hash move, captures by victims and
//! attackers, killers, other flips, quiet moves by their history. Ordering neither
//! loses nor doubles an action; [`flips`](super::flips) decides which flips are left
//! out, and [`Coverage`] reports it.

use super::exchange;
use super::flips::{self, PieceValues};
use super::history::{HISTORY_SCALE, History};
use super::node::Node;
use super::settings::Settings;
use anqi_rules::moves::jump_targets;
use anqi_rules::{Action, Color, Piece, Position, ROLES, Role, Square, SquareSet};
use smallvec::SmallVec;

/// Flips that cost no node.
const FREE_FLIP: i32 = 2_000_000;
const HASH_MOVE: i32 = 1_000_000;
/// Captures, plus a gain of some ten thousand either way.
const CAPTURE: i32 = 100_000;
const KILLER: i32 = 90_000;
/// Flips come before all quiet moves but killers.
pub(super) const FLIP: i32 = 50_000;
/// Flips come last.
pub(super) const LAST: i32 = LOSING - 1;
/// Captures that lose by exchange come after all quiet moves.
const LOSING: i32 = -2 * HISTORY_SCALE;
/// The weight of the victim's value against the attacker's.
const VICTIM_SHARE: i32 = 16;

/// The actions of a node with their ranks.
#[derive(Debug)]
pub(super) struct Ordered {
    actions: SmallVec<[(i32, Action); 64]>,
    /// Whether all legal flips are among the actions.
    pub flips: Coverage,
}

/// Which of the legal flips are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Coverage {
    /// All.
    All,
    /// Some are left out.
    Some,
}

impl Iterator for Ordered {
    type Item = Action;

    /// Returns the highest-ranked action left; among equals, the first in text order.
    fn next(&mut self) -> Option<Action> {
        let best = (0..self.actions.len()).reduce(|best, index| {
            let (a, b) = (self.actions[index], self.actions[best]);
            if (a.0, b.1) > (b.0, a.1) { index } else { best }
        })?;
        Some(self.actions.swap_remove(best).1)
    }
}

/// What determines the order of a node's actions.
#[derive(Clone, Copy)]
pub(super) struct Knowledge<'a> {
    pub settings: &'a Settings,
    pub history: &'a History,
    pub values: &'a PieceValues,
    pub hash_move: Option<Action>,
    /// The rank of flips.
    pub flip_rank: i32,
}

impl Knowledge<'_> {
    /// The rank of flips whose outcomes are evaluated without playing them.
    pub(super) const FREE: i32 = FREE_FLIP;

    /// Returns the actions to try, ranked.
    pub(super) fn order(&self, position: &Position, node: Node) -> Ordered {
        let candidates = flips::candidates(position, node, self.settings, self.values);
        let flips = if candidates == position.face_down() {
            Coverage::All
        } else {
            Coverage::Some
        };
        let mut ordered = Ordered {
            actions: SmallVec::new(),
            flips,
        };
        let tried = candidates | !position.face_down();
        position.for_each_action_from(tried, |action| {
            let rank = self.rank(position, action, node.ply);
            ordered.actions.push((rank, action));
        });
        ordered
    }

    #[inline]
    fn rank(&self, position: &Position, action: Action, ply: u32) -> i32 {
        if action.is_flip() && self.flip_rank == FREE_FLIP {
            FREE_FLIP
        } else if Some(action) == self.hash_move {
            HASH_MOVE
        } else if action.is_flip() {
            self.flip_rank
        } else if position.piece_at(action.to()).is_some() {
            if self.settings.exchange && exchange::loses(position, self.values, action) {
                return LOSING;
            }
            CAPTURE + capture_gain(position, self.values, action)
        } else if !self.settings.killers {
            0
        } else {
            match self.history.killer(action, ply) {
                Some(place) => KILLER - place as i32,
                None => self.history.merit(position, action),
            }
        }
    }
}

/// The rank of a capture among captures: most valuable victim, least valuable attacker.
pub(super) fn capture_gain(position: &Position, values: &PieceValues, action: Action) -> i32 {
    let value = |square: Square| {
        let piece: Option<Piece> = position.piece_at(square);
        piece.map_or(0, |piece| values[piece.index()])
    };
    value(action.to()) * VICTIM_SHARE - value(action.from())
}

/// Returns the captures of the side to move, in text order.
pub(super) fn captures(position: &Position) -> impl Iterator<Item = Action> + '_ {
    let targets = position.turn().map(|turn| (turn, position.prey(turn)));
    targets.into_iter().flat_map(move |(turn, prey)| {
        let captors = captors(position, turn, &prey);
        captors.into_iter().flat_map(move |from| {
            let role = position.piece_at(from).map_or(Role::Cannon, Piece::role);
            let victims = if role.jumps() {
                jump_targets(from, position.occupied()) & position.color(!turn)
            } else {
                from.neighbours() & prey[role.index()]
            };
            victims.into_iter().map(move |to| Action::step(from, to))
        })
    })
}

/// Returns the squares of a side's pieces beside their prey, and of its cannons.
fn captors(position: &Position, color: Color, prey: &[SquareSet; ROLES]) -> SquareSet {
    let of_role = |role: Role| {
        let pieces = position.pieces(Piece::new(color, role));
        if role.jumps() {
            pieces
        } else {
            pieces & prey[role.index()].neighbours()
        }
    };
    let sets = Role::ALL.into_iter().map(of_role);
    sets.fold(SquareSet::EMPTY, |all, some| all | some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::PIECES;

    #[test]
    fn no_action_is_lost_or_doubled_and_the_hash_move_comes_first() {
        let text = "Kp1?/1g2/2r1/?3/4/1C1k/4/R2? r GMP 0 9";
        let position: Position = text.parse().unwrap();
        let history = History::default();
        let hash_move = position.actions().last().copied();
        let knowledge = Knowledge {
            settings: &Settings::EXACT,
            history: &history,
            values: &[100; PIECES],
            hash_move,
            flip_rank: LAST,
        };
        let ordered = knowledge.order(&position, Node::root(4, (-1, 1)));
        assert_eq!(ordered.flips, Coverage::All);
        let mut actions: Vec<Action> = ordered.collect();
        assert_eq!(actions.first().copied(), hash_move);
        actions.sort();
        assert_eq!(actions, position.actions().to_vec());
    }

    #[test]
    fn the_greater_victim_and_then_the_lesser_attacker_come_first() {
        let position: Position = "4/4/4/4/4/4/Gr2/Kp2 r - 0 9".parse().unwrap();
        let mut values = [0; PIECES];
        for (index, value) in values.iter_mut().enumerate() {
            *value = 700 - 50 * (index as i32 % 7);
        }
        let gain = |text: &str| capture_gain(&position, &values, text.parse().unwrap());
        assert!(gain("a2-b2") > 0 && captures(&position).count() == 1);
    }
}
