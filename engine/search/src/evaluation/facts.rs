//! What the evaluation knows of a material, once for all positions with it.

use anqi_rules::PIECES;

/// Facts about one material: pieces living and pieces face down.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) living: u64,
    pub(super) hidden: u64,
    /// The weighted sum of the terms of material, red's less black's.
    pub(super) balance: i64,
    /// Piece values in the order `KGMRNCPkgmrncp`.
    pub(super) values: [i32; PIECES],
    /// A piece's expected loss to one face-down piece beside it.
    pub(super) threatened: [i16; PIECES],
    /// A piece's expected gain from one face-down piece beside it.
    pub(super) offered: [i16; PIECES],
}

impl Facts {
    /// Facts about no position.
    pub(super) const NONE: Facts = Facts {
        living: u64::MAX,
        hidden: u64::MAX,
        balance: 0,
        values: [0; PIECES],
        threatened: [0; PIECES],
        offered: [0; PIECES],
    };

    /// Whether these are the facts about this material.
    #[inline]
    pub(super) fn are_of(&self, living: u64, hidden: u64) -> bool {
        self.living == living && self.hidden == hidden
    }
}
