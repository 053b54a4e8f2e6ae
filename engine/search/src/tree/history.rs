//! Killer moves and the history heuristic.

use anqi_rules::{Action, PIECES, Piece, Position, SQUARES};

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

/// A move by its piece and target square, as one number; `None` after a flip, a pass, or at the root.
pub(super) type LastMove = Option<u16>;

/// Moves by piece and target square.
const MOVES: usize = PIECES * SQUARES;

/// Killers by ply, history by piece and target square, and of captures by victim too.
#[derive(Clone, Debug)]
pub(super) struct History {
    killers: [[Option<Action>; 2]; PLIES],
    merits: [[i32; SQUARES]; PIECES],
    /// By the last move and the next; empty until the first reward.
    continuations: Vec<i16>,
    /// Of captures, by piece, target square and victim.
    captures: [[[i32; PIECES]; SQUARES]; PIECES],
    /// The move that led to each ply.
    trail: [LastMove; PLIES],
}

impl Default for History {
    fn default() -> History {
        History {
            killers: [[None; 2]; PLIES],
            merits: [[0; SQUARES]; PIECES],
            continuations: Vec::new(),
            captures: [[[0; PIECES]; SQUARES]; PIECES],
            trail: [None; PLIES],
        }
    }
}

impl History {
    /// Rewards a quiet move that caused a cutoff, and makes it a killer.
    pub fn reward(&mut self, position: &Position, action: Action, ply: u32, depth: i32) {
        let killers = &mut self.killers[ply as usize % PLIES];
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
        self.change(position, action, depth, 1);
    }

    /// Punishes a quiet move that was tried before the one that caused a cutoff.
    pub fn punish(&mut self, position: &Position, action: Action, depth: i32) {
        self.change(position, action, depth, -1);
    }

    fn change(&mut self, position: &Position, action: Action, depth: i32, sign: i32) {
        if let Some(piece) = position.piece_at(action.from()) {
            let merit = &mut self.merits[piece.index()][action.to().index()];
            *merit += growth(*merit, depth, sign);
        }
    }

    /// Notes the move that leads to the next ply.
    #[inline]
    pub fn trace(&mut self, position: &Position, action: Action, ply: u32) {
        self.trail[(ply as usize + 1) % PLIES] = number(position, action);
    }

    /// Notes that a flip or a pass leads to the next ply.
    #[inline]
    pub fn untrace(&mut self, ply: u32) {
        self.trail[(ply as usize + 1) % PLIES] = None;
    }

    /// Returns the move that led to a ply.
    #[inline]
    pub fn last(&self, ply: u32) -> LastMove {
        self.trail[ply as usize % PLIES]
    }

    /// Rewards or punishes a quiet move after the last move.
    pub fn follow(
        &mut self,
        position: &Position,
        action: Action,
        last: LastMove,
        (depth, sign): (i32, i32),
    ) {
        let Some(place) = continuation(position, action, last) else {
            return;
        };
        if self.continuations.is_empty() {
            self.continuations.resize(MOVES * MOVES, 0);
        }
        let merit = &mut self.continuations[place];
        *merit += growth(i32::from(*merit), depth, sign) as i16;
    }

    /// Returns the merit of a quiet move after the last move.
    #[inline]
    pub fn merit_after(&self, position: &Position, action: Action, last: LastMove) -> i32 {
        let place = continuation(position, action, last);
        let after = place.and_then(|place| self.continuations.get(place));
        self.merit(position, action) + after.map_or(0, |merit| i32::from(*merit))
    }

    /// Rewards a capture that caused a cutoff, or punishes one that was tried before.
    pub fn judge_capture(
        &mut self,
        position: &Position,
        action: Action,
        (depth, sign): (i32, i32),
    ) {
        if let Some((piece, victim)) = capture(position, action) {
            let merit = &mut self.captures[piece.index()][action.to().index()][victim.index()];
            *merit += growth(*merit, depth, sign);
        }
    }

    /// Returns the merit of a capture.
    #[inline]
    pub fn capture_merit(&self, position: &Position, action: Action) -> i32 {
        capture(position, action).map_or(0, |(piece, victim)| {
            self.captures[piece.index()][action.to().index()][victim.index()]
        })
    }

    /// Returns which killer of this ply a move is, 0 for the latest.
    #[inline]
    pub fn killer(&self, action: Action, ply: u32) -> Option<usize> {
        let killers = &self.killers[ply as usize % PLIES];
        killers.iter().position(|killer| *killer == Some(action))
    }

    /// Returns the merit of a quiet move.
    #[inline]
    pub fn merit(&self, position: &Position, action: Action) -> i32 {
        let piece = position.piece_at(action.from());
        piece.map_or(0, |piece| self.merits[piece.index()][action.to().index()])
    }
}

/// What a merit gains or loses: growth slows down near the ends, so that old merits fade.
fn growth(merit: i32, depth: i32, sign: i32) -> i32 {
    let squared = depth.min(MOST_REWARDED_DEPTH).pow(2);
    sign * squared * REWARD - merit * squared / (HISTORY_SCALE / REWARD)
}

/// The piece that captures and the piece captured.
#[inline]
fn capture(position: &Position, action: Action) -> Option<(Piece, Piece)> {
    position
        .piece_at(action.from())
        .zip(position.piece_at(action.to()))
}

/// The place of a quiet move after the last move.
#[inline]
fn continuation(position: &Position, action: Action, last: LastMove) -> Option<usize> {
    let last = usize::from(last?);
    Some(last * MOVES + usize::from(number(position, action)?))
}

/// The number of a move by its piece and target square.
#[inline]
fn number(position: &Position, action: Action) -> Option<u16> {
    let piece = position.piece_at(action.from())?;
    Some((piece.index() * SQUARES + action.to().index()) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_are_told_apart_by_piece_target_and_victim() {
        let position: Position = "4/4/1Rg1/1n2/4/4/4/m3 r - 0 9".parse().unwrap();
        let [guard, knight, quiet] = ["b6-c6", "b6-b5", "b6-b7"].map(|text| text.parse().unwrap());
        let mut history = History::default();
        history.judge_capture(&position, knight, (3, 1));
        history.judge_capture(&position, guard, (2, -1));
        history.judge_capture(&position, quiet, (9, 1));
        let merit = |action| history.capture_merit(&position, action);
        assert_eq!(
            (merit(knight), merit(guard), merit(quiet)),
            (9 * REWARD, -4 * REWARD, 0)
        );
        // The same squares, another piece or another victim.
        for other in [
            "4/4/1Kg1/1n2/4/4/4/m3 r - 0 9",
            "4/4/1Rg1/1p2/4/4/4/m3 r - 0 9",
        ] {
            assert_eq!(history.capture_merit(&other.parse().unwrap(), knight), 0);
        }
    }

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
    fn a_continuation_counts_after_its_own_last_move_alone() {
        let position: Position = "K3/4/4/4/4/4/4/3g r - 0 9".parse().unwrap();
        let passed = position.passed();
        let [reply, other, next] =
            ["d1-d2", "d1-c1", "a8-a7"].map(|text| text.parse::<Action>().unwrap());
        let mut history = History::default();
        history.trace(&passed, reply, 2);
        let after = history.last(3);
        history.trace(&passed, other, 2);
        let after_other = history.last(3);
        history.follow(&position, next, after, (4, 1));
        history.follow(&position, next, after_other, (4, -1));
        let merit = |last| history.merit_after(&position, next, last);
        assert!(merit(after) > 0 && merit(after_other) < 0);
        assert_eq!((merit(None), history.merit(&position, next)), (0, 0));
        for depth in (1..=120).cycle().take(1_000) {
            history.follow(&position, next, after, (depth, 1));
            let merit = history.merit_after(&position, next, after);
            assert!(
                (0..=HISTORY_SCALE).contains(&merit),
                "depth {depth}: {merit}"
            );
        }
        history.untrace(2);
        assert_eq!(history.last(3), None);
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
