//! What of a game is safe.

use anqi_play::{DealtGame, Verdict};
use anqi_rules::Ply;

/// What of a game is in a file, or was there before anybody played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Kept {
    plies: Vec<Ply>,
    end: Option<Verdict>,
}

impl Kept {
    /// Returns all of a game.
    pub(super) fn of(dealt: &DealtGame) -> Kept {
        Kept {
            plies: dealt.game().plies().to_vec(),
            end: dealt.verdict(),
        }
    }
}
