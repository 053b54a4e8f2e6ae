//! Random plies for the tests of the evaluation.

use anqi_rules::{Action, Piece, Ply, Position};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// Draws a legal ply, with at least this chance a capture if there is one.
pub(super) fn any_ply(position: &Position, source: &mut Pcg64Mcg, captures_share: f64) -> Ply {
    let actions = position.actions();
    let takes = |action: &Action| !action.is_flip() && position.piece_at(action.to()).is_some();
    let mut captures = Vec::new();
    if captures_share > 0.0 && source.random_bool(captures_share) {
        captures.extend(actions.iter().copied().filter(takes));
    }
    let choice = if captures.is_empty() {
        &actions[..]
    } else {
        &captures[..]
    };
    let action = choice[source.random_range(0..choice.len())];
    let bag: Vec<Piece> = position.hidden().iter().map(|(piece, _)| piece).collect();
    let reveal = action
        .is_flip()
        .then(|| bag[source.random_range(0..bag.len())]);
    Ply { action, reveal }
}
