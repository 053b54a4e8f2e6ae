//! What the tree search does, as numbers and switches.

use std::num::NonZeroU32;

/// The techniques of the search and their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Narrow the windows of chance nodes (Star1).
    pub star1: bool,
    /// Search one reply to each outcome first (Star2).
    pub star2: bool,
    /// How far an outcome's value is assumed to lie from the static evaluation before
    /// the flip; `None` for anywhere.
    pub swing: Option<NonZeroU32>,
    /// Enter chance nodes into the transposition table.
    pub chance_table: bool,
    /// Evaluate all outcomes of a flip on the last ply at once, without playing them.
    pub leaf_flips: bool,
    /// Order quiet moves by killers and history.
    pub killers: bool,
    /// Search late quiet moves less deeply (late move reduction).
    pub reductions: bool,
    /// Actions considered at the root beside captures and moves of attacked pieces, drawn at
    /// random; `None` for all.
    pub sight: Option<NonZeroU32>,
    /// Order the actions of the root by their values in the first iteration.
    pub root_order: bool,
    /// This many actions of the root are not reduced; `None` for all.
    pub root_from: Option<NonZeroU32>,
    /// This many actions of the root are reduced by one ply at most; `None` for all.
    pub root_far_from: Option<NonZeroU32>,
    /// Follow captures beyond the last ply (quiescence search).
    pub quiescence: bool,
    /// Face-down squares tried on each node below the root; `None` for all.
    pub flip_squares: Option<NonZeroU32>,
    /// Flips tried on one line; `None` for any number.
    pub flip_limit: Option<NonZeroU32>,
    /// Extra plies that a flip costs below the root.
    pub flip_cost: u32,
    /// With less depth left no flip is tried; `None` for wherever the others allow it.
    pub flip_depth: Option<NonZeroU32>,
    /// Let a null move stand for the flips left out.
    pub pass: bool,
    /// Inside a null window pass only where the static evaluation reaches beta, and never twice in a row.
    pub pass_above: bool,
    /// For each ply left, by how much the static evaluation must exceed beta for a node to
    /// be cut off without a search (reverse futility pruning); `None` for never.
    pub futility: Option<NonZeroU32>,
    /// On the last plies, quiet moves of a node that are tried before the others are left
    /// out (late move pruning); `None` for all.
    pub late_moves: Option<NonZeroU32>,
    /// With at least this depth left and no move from the table, a node is searched a ply
    /// less deeply (internal iterative reduction); `None` for never.
    pub guess_depth: Option<NonZeroU32>,
    /// Leave captures that lose by exchange out of quiescence, and try them last.
    pub exchange: bool,
    /// Let quiet moves that were tried before the one that cut off lose merit.
    pub malus: bool,
    /// Outcomes of a flip that are less likely than this, in hundredths, are searched a
    /// ply less deeply; `None` for none.
    pub rare_outcome: Option<NonZeroU32>,
    /// Ask what is known of positions with few pieces, some of them face down.
    pub face_down: bool,
    /// Centre the first window of an iteration on the last value (aspiration).
    pub aspiration: bool,
    /// How far below zero a draw is valued for the side at the root, in ten-thousandths.
    pub contempt: i32,
    /// With less depth left after a flip, replies to its outcomes cost as much as they save (Star2).
    pub reply_depth: u32,
    /// With at least this depth left after a flip, and a null window, every outcome is first
    /// asked whether it is worth little enough; `None` for never.
    pub share_depth: Option<NonZeroU32>,
    /// With less depth left no move is reduced.
    pub reduction_depth: u32,
    /// This many actions of a node are not reduced.
    pub reduction_from: u32,
    /// With less depth left no move is reduced by two plies.
    pub deep_reduction_depth: u32,
    /// This many actions of a node are reduced by one ply at most.
    pub deep_reduction_from: u32,
    /// Reduce by log₂ depth × log₂ number of the action, divided by this many hundredths,
    /// instead of by one or two plies; `None` for not.
    pub reduction_divisor: Option<NonZeroU32>,
    /// Reduce by a ply less for each so much merit of a move, and by a ply more for so much
    /// below zero; `None` for not.
    pub reduction_merit: Option<NonZeroU32>,
    /// Plies by which a null move shortens the search, the pass itself included.
    pub null_move_plies: u32,
    /// Half the width of the first aspiration window, in ten-thousandths.
    pub window: u32,
    /// With fewer quiet plies left, estimates shrink towards a draw and positions with
    /// different counters have different keys.
    pub draw_horizon: u32,
}

const fn some(number: u32) -> Option<NonZeroU32> {
    NonZeroU32::new(number)
}

impl Settings {
    /// The settings of the champion, the techniques chosen by matches.
    pub const FULL: Settings = Settings {
        star1: true,
        star2: true,
        swing: some(2_500),
        chance_table: true,
        leaf_flips: true,
        killers: true,
        reductions: true,
        sight: None,
        root_order: false,
        root_from: None,
        root_far_from: None,
        quiescence: true,
        flip_squares: some(3),
        flip_limit: some(2),
        flip_cost: 1,
        flip_depth: some(4),
        pass: true,
        pass_above: false,
        futility: some(400),
        late_moves: some(6),
        guess_depth: some(4),
        exchange: true,
        malus: true,
        rare_outcome: None,
        face_down: false,
        aspiration: true,
        contempt: 0,
        // The numbers from here on were chosen by hand and have not been tuned.
        reply_depth: 4,
        share_depth: some(1),
        reduction_depth: 3,
        reduction_from: 3,
        deep_reduction_depth: 5,
        deep_reduction_from: 8,
        reduction_divisor: None,
        reduction_merit: None,
        null_move_plies: 3,
        window: 600,
        // About as far as the search sees in endings.
        draw_horizon: 40,
    };

    /// The settings of the first champion, a yardstick: a new technique is off here, a number
    /// never changes.
    pub const CHAMPION_1: Settings = Settings {
        star1: true,
        star2: true,
        swing: some(2_500),
        chance_table: true,
        leaf_flips: true,
        killers: true,
        reductions: true,
        sight: None,
        root_order: false,
        root_from: None,
        root_far_from: None,
        quiescence: true,
        flip_squares: some(3),
        flip_limit: some(2),
        flip_cost: 1,
        flip_depth: None,
        pass: true,
        pass_above: false,
        futility: None,
        late_moves: None,
        guess_depth: None,
        exchange: false,
        malus: false,
        rare_outcome: None,
        face_down: false,
        aspiration: true,
        contempt: 0,
        reply_depth: 4,
        share_depth: None,
        reduction_depth: 3,
        reduction_from: 3,
        deep_reduction_depth: 5,
        deep_reduction_from: 8,
        reduction_divisor: None,
        reduction_merit: None,
        null_move_plies: 3,
        window: 600,
        draw_horizon: 40,
    };

    /// Only what cannot change a value: equal to plain expectimax.
    pub const EXACT: Settings = Settings::FULL.exact();

    /// Returns these settings without what may change a value: the one definition of *exact*.
    #[must_use]
    pub const fn exact(self) -> Settings {
        Settings {
            swing: None,
            reductions: false,
            sight: None,
            root_from: None,
            root_far_from: None,
            quiescence: false,
            flip_squares: None,
            flip_limit: None,
            flip_cost: 0,
            flip_depth: None,
            pass: false,
            pass_above: false,
            futility: None,
            late_moves: None,
            guess_depth: None,
            rare_outcome: None,
            face_down: false,
            ..self
        }
    }

    /// Returns whether nothing is on that may change a value.
    pub fn is_exact(self) -> bool {
        self == self.exact()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_means_that_nothing_may_change_a_value() {
        assert!(Settings::EXACT.is_exact());
        assert!(!Settings::FULL.is_exact());
        let without_windows = Settings {
            star1: false,
            contempt: 300,
            ..Settings::EXACT
        };
        assert!(without_windows.is_exact());
        let half = Settings {
            flip_squares: None,
            reductions: false,
            ..Settings::FULL
        };
        assert!(!half.is_exact());
    }
}
