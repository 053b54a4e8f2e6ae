//! The settings of the tree search, as numbers and switches.

use std::num::NonZeroU32;

/// The techniques of the search and their parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Narrow the windows of chance nodes (Star1).
    pub star1: bool,
    /// Search one reply to each outcome first (Star2).
    pub star2: bool,
    /// Enter chance nodes into the transposition table.
    pub chance_table: bool,
    /// Evaluate all outcomes of a flip on the last ply at once, without playing them.
    pub leaf_flips: bool,
    /// Order quiet moves by killers and history.
    pub killers: bool,
    /// Search late quiet moves less deeply (late move reduction).
    pub reductions: bool,
    /// Actions considered at the root besides captures and moves of attacked pieces, drawn at
    /// random; `None` for all.
    pub sight: Option<NonZeroU32>,
    /// The percentage of decisions in which one more action is considered.
    pub glance: u32,
    /// The percentage of decisions in which captures by cannons and moves of attacked pieces
    /// count as other actions.
    pub oversight: u32,
    /// Follow captures beyond the last ply (quiescence search).
    pub quiescence: bool,
    /// Face-down squares tried on each node below the root; `None` for all.
    pub flip_squares: Option<NonZeroU32>,
    /// Extra plies that a flip costs below the root.
    pub flip_cost: u32,
    /// Plies by which each flip further up the line makes a flip below the root cost more, and
    /// want more depth left.
    pub flip_further: u32,
    /// Least depth left at which flips are tried below the root; `None` for any.
    pub flip_depth: Option<NonZeroU32>,
    /// By how much a flip must be better than the best move at the root, in ten-thousandths.
    pub flip_margin: u32,
    /// Let a null move stand for the flips left out.
    pub pass: bool,
    /// The margin per ply left by which the static evaluation must exceed beta for a node to
    /// be cut off without a search (reverse futility pruning); `None` for never.
    pub futility: Option<NonZeroU32>,
    /// On the last plies, quiet moves per ply left that are tried before the others are left
    /// out (late move pruning); `None` for all.
    pub late_moves: Option<NonZeroU32>,
    /// Least depth left at which a node without a hash move is searched a ply
    /// less deeply (internal iterative reduction); `None` for never.
    pub guess_depth: Option<NonZeroU32>,
    /// Leave captures that lose by exchange out of quiescence, and try them last.
    pub exchange: bool,
    /// Lower the history of quiet moves tried before the one that caused a cutoff.
    pub malus: bool,
    /// Probe the exact expectations of positions with few pieces, some of them face down.
    pub face_down: bool,
    /// Least depth left after a capture or flip at which the values of five pieces that the program
    /// carries are asked, and at the root; `None` for never.
    pub probe_depth: Option<NonZeroU32>,
    /// Centre the first window of an iteration on the last value (aspiration window).
    pub aspiration: bool,
    /// How far below zero a draw is valued for the side at the root, in ten-thousandths.
    pub contempt: i32,
    /// Least depth left after a flip at which Star2 searches a reply to each outcome: with less,
    /// replies cost as much as they save.
    pub reply_depth: u32,
    /// Least depth left after a flip at which, in a null window, every outcome is first
    /// tested against its share; `None` for never.
    pub share_depth: Option<NonZeroU32>,
    /// Least depth left at which late quiet moves are reduced.
    pub reduction_depth: u32,
    /// This many actions of a node are not reduced.
    pub reduction_from: u32,
    /// Late quiet moves are reduced by log₂ depth × log₂ number of the action, divided by this
    /// many hundredths.
    pub reduction_divisor: u32,
    /// Plies by which a null move shortens the search, the pass itself included.
    pub null_move_plies: u32,
    /// Half the width of the first aspiration window, in ten-thousandths.
    pub window: u32,
    /// Quiet plies left below which estimates shrink towards a draw and positions with
    /// different counters have different keys.
    pub draw_horizon: u32,
}

const fn some(number: u32) -> Option<NonZeroU32> {
    NonZeroU32::new(number)
}

impl Settings {
    /// The settings of the champion; matches decided on the techniques.
    pub const FULL: Settings = Settings {
        star1: true,
        star2: true,
        chance_table: true,
        leaf_flips: true,
        killers: true,
        reductions: true,
        sight: None,
        glance: 0,
        oversight: 0,
        quiescence: true,
        flip_squares: some(3),
        flip_cost: 1,
        flip_further: 2,
        flip_depth: some(4),
        flip_margin: 100,
        pass: true,
        futility: some(400),
        late_moves: some(6),
        guess_depth: some(4),
        exchange: true,
        malus: true,
        face_down: false,
        // At the root alone: in the tree decoding took a third of the time of 300,000 nodes.
        probe_depth: some(64),
        aspiration: true,
        contempt: 0,
        // The numbers from here on were chosen by hand, `share_depth` and `reduction_divisor` by
        // measuring; tuning them all at once gained nothing: docs/lab/ideas.md.
        reply_depth: 4,
        share_depth: some(1),
        reduction_depth: 3,
        reduction_from: 3,
        reduction_divisor: 260,
        null_move_plies: 3,
        window: 600,
        // About as far as the search sees in endings.
        draw_horizon: 40,
    };

    /// Only techniques that cannot change a value: equal to plain expectimax.
    pub const EXACT: Settings = Settings::FULL.exact();

    /// Returns these settings without the techniques that may change a value: the definition
    /// of *exact*.
    #[must_use]
    pub const fn exact(self) -> Settings {
        Settings {
            reductions: false,
            sight: None,
            glance: 0,
            oversight: 0,
            quiescence: false,
            flip_squares: None,
            flip_cost: 0,
            flip_further: 0,
            flip_depth: None,
            flip_margin: 0,
            pass: false,
            futility: None,
            late_moves: None,
            guess_depth: None,
            face_down: false,
            probe_depth: None,
            ..self
        }
    }

    /// The plies that a flip costs more, and wants more left, after this many flips on the line.
    pub(super) const fn plies_for_flips(self, flips: u32) -> i32 {
        (self.flip_further * flips) as i32
    }

    /// Returns whether every technique that may change a value is off.
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
        // What the champion leaves off counts too.
        let all = Settings {
            sight: some(3),
            flip_margin: 8,
            face_down: true,
            ..Settings::FULL
        };
        assert_eq!(all.exact(), Settings::EXACT);
    }
}
