//! Which flips are tried below the root.
//!
//! Flips are expensive and much alike. Below the root only the most promising squares
//! are tried, and one of those that touch no face-up piece.

use super::node::Node;
use super::settings::Settings;
use anqi_rules::{PIECES, Piece, Position, Role, SQUARES, Square, SquareSet};
use smallvec::SmallVec;
use std::num::NonZeroU32;

/// A threat by a piece yet to be revealed counts as a capture divided by this: the
/// other side moves next and may parry it. Chosen by hand.
const THREAT_DIVISOR: i32 = 3;

/// The values of the pieces, in the order `KGMRNCPkgmrncp`.
pub(super) type PieceValues = [i32; PIECES];

/// Returns the face-down squares to try on a node below the root.
pub(super) fn candidates(
    position: &Position,
    node: Node,
    settings: &Settings,
    values: &PieceValues,
) -> SquareSet {
    let all = position.face_down();
    let depth = node.depth - settings.plies_for_flips(node.flips);
    let is_too_shallow = |least: NonZeroU32| depth < least.get() as i32;
    if settings.flip_depth.is_some_and(is_too_shallow) {
        return SquareSet::EMPTY;
    }
    let Some(most) = settings.flip_squares.filter(|_| !all.is_empty()) else {
        return all;
    };
    if depth < 2 + settings.flip_cost as i32 {
        return SquareSet::EMPTY;
    }
    let touched = all & (position.occupied() & !all).neighbours();
    let promises = promises(position, values);
    let mut ranked: SmallVec<[(i32, Square); SQUARES]> = touched
        .into_iter()
        .map(|square| (-promise(position, square, &promises), square))
        .collect();
    // Squares that touch no face-up piece are alike: one stands for all.
    ranked.extend((all & !touched).first().map(|square| (0, square)));
    ranked.sort_unstable();
    let best = ranked.iter().take(most.get() as usize);
    best.map(|(_, square)| *square).collect()
}

/// The promise of a flip, without search: the sum over the face-up pieces beside it.
fn promise(position: &Position, square: Square, promises: &[i32; PIECES]) -> i32 {
    let beside = square.neighbours().into_iter();
    let pieces = beside.filter_map(|neighbour| position.piece_at(neighbour));
    pieces.map(|piece| promises[piece.index()]).sum()
}

/// The promise of a flip beside each face-up piece: for each reveal, a fraction of the piece's
/// value if our side could then capture it, less our piece that could be captured at once, by
/// weight. In piece values times the size of the bag.
fn promises(position: &Position, values: &PieceValues) -> [i32; PIECES] {
    let mut promises = [0; PIECES];
    let Some(us) = position.turn() else {
        return promises;
    };
    let on_board = |piece: &Piece| !position.pieces(*piece).is_empty();
    for other in Piece::all().filter(on_board) {
        for role in Role::ALL {
            let piece = Piece::new(!other.color(), role);
            let (mine, theirs) = if piece.color() == us {
                (piece, other)
            } else {
                (other, piece)
            };
            // The other side moves next: its captures are immediate, ours only threats.
            let gain = if theirs.role().captures(mine.role()) {
                -values[mine.index()]
            } else if mine.role().captures(theirs.role()) {
                values[theirs.index()] / THREAT_DIVISOR
            } else {
                0
            };
            promises[other.index()] += gain * position.hidden().count(piece) as i32;
        }
    }
    promises
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(text: &str, depth: i32, settings: Settings) -> usize {
        let position: Position = text.parse().unwrap();
        let node = Node::root(depth, (-1, 1));
        candidates(&position, node, &settings, &[100; PIECES]).len()
    }

    #[test]
    fn few_squares_are_tried_and_none_on_the_last_plies() {
        let text = "????/KM2/4/4/?3/4/4/k2? r GGMRRN 0 9";
        assert_eq!(tried(text, 9, Settings::FULL), 3);
        assert_eq!(tried(text, 2, Settings::FULL), 0);
        assert_eq!(tried(text, 2, Settings::EXACT), 6);
    }

    #[test]
    fn a_capture_beside_promises_and_an_attacker_beside_threatens() {
        let position: Position = "?1g?/4/4/4/4/4/4/?1k1 r KKK 0 9"
            .replace("KKK", "GMP")
            .parse()
            .unwrap();
        let mut values = [100; PIECES];
        values[0] = 600;
        let promises = promises(&position, &values);
        let [beside, alone] =
            ["d8", "a8"].map(|s| promise(&position, s.parse().unwrap(), &promises));
        assert!(beside < alone, "{beside} {alone}");
        assert_eq!(alone, 0);
    }
}
