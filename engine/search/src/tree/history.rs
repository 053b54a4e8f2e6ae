//! Killer moves and the history heuristic.

use anqi_rules::{Action, PIECES, Position, SQUARES};

/// Plies with killers of their own; deeper plies share them.
const PLIES: usize = 128;
/// The bound on merits: rewards shrink as they come near it.
pub(super) const HISTORY_SCALE: i32 = 16 * 1_024;
/// The reward per squared ply of depth. Both were chosen by hand.
const REWARD: i32 = 16;
/// Deeper cutoffs count as this deep, where one reward reaches the scale; a greater
/// reward would overshoot it.
const MOST_REWARDED_DEPTH: i32 = 32;
const _: () = assert!(MOST_REWARDED_DEPTH * MOST_REWARDED_DEPTH * REWARD == HISTORY_SCALE);

/// Killers by ply, history by piece and target square.
#[derive(Clone, Debug)]
pub(super) struct History {
    killers: [[Option<Action>; 2]; PLIES],
    merits: [[i32; SQUARES]; PIECES],
}

impl Default for History {
    fn default() -> History {
        History {
            killers: [[None; 2]; PLIES],
            merits: [[0; SQUARES]; PIECES],
        }
    }
}

impl History {
    /// Rewards a quiet move that caused a cutoff, and makes it a killer.
    pub(super) fn reward(&mut self, position: &Position, action: Action, ply: u32, depth: i32) {
        let killers = &mut self.killers[ply as usize % PLIES];
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
        self.change(position, action, depth, 1);
    }

    /// Punishes a quiet move that was tried before the one that caused a cutoff.
    pub(super) fn punish(&mut self, position: &Position, action: Action, depth: i32) {
        self.change(position, action, depth, -1);
    }

    fn change(&mut self, position: &Position, action: Action, depth: i32, sign: i32) {
        if let Some(piece) = position.piece_at(action.from()) {
            let merit = &mut self.merits[piece.index()][action.to().index()];
            *merit += growth(*merit, depth, sign);
        }
    }

    /// Returns which killer of this ply a move is, 0 for the latest.
    #[inline]
    pub(super) fn killer(&self, action: Action, ply: u32) -> Option<usize> {
        let killers = &self.killers[ply as usize % PLIES];
        killers.iter().position(|killer| *killer == Some(action))
    }

    /// Returns the merit of a quiet move.
    #[inline]
    pub(super) fn merit(&self, position: &Position, action: Action) -> i32 {
        let piece = position.piece_at(action.from());
        piece.map_or(0, |piece| self.merits[piece.index()][action.to().index()])
    }
}

/// What a merit gains or loses: growth slows down near the ends, so that old merits fade.
fn growth(merit: i32, depth: i32, sign: i32) -> i32 {
    let squared = depth.min(MOST_REWARDED_DEPTH).pow(2);
    sign * squared * REWARD - merit * squared / (HISTORY_SCALE / REWARD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_two_killers_are_known_and_merits_stay_bounded() {
        let position: Position = "K3/4/4/4/4/4/4/3g r - 0 9".parse().unwrap();
        let [one, two] = ["a8-a7", "a8-b8"].map(|text| text.parse::<Action>().unwrap());
        let mut history = History::default();
        history.reward(&position, one, 3, 2);
        history.reward(&position, two, 3, 2);
        assert_eq!(
            (history.killer(two, 3), history.killer(one, 3)),
            (Some(0), Some(1))
        );
        assert_eq!(history.killer(one, 4), None);
        let first = history.merit(&position, one);
        for _ in 0..1_000 {
            history.reward(&position, one, 3, 9);
        }
        let last = history.merit(&position, one);
        assert!(
            first > 0 && last > first && last <= HISTORY_SCALE,
            "{first} {last}"
        );
    }

    #[test]
    fn merits_stay_bounded_at_any_depth() {
        let position: Position = "K3/4/4/4/4/4/4/3g r - 0 9".parse().unwrap();
        let action: Action = "a8-a7".parse().unwrap();
        for depth in 1..=120 {
            let mut history = History::default();
            for _ in 0..100 {
                history.reward(&position, action, 3, depth);
                let merit = history.merit(&position, action);
                assert!(
                    (0..=HISTORY_SCALE).contains(&merit),
                    "depth {depth}: {merit}"
                );
            }
        }
    }
}
