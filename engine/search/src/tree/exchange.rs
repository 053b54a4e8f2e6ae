//! Static exchange evaluation: the result of the captures on one square.
//!
//! Each side captures with its least valuable piece, as long as that pays. Cannons need
//! a screen among the pieces still left.

use super::flips::PieceValues;
use anqi_rules::moves::jump_squares;
use anqi_rules::{Action, Piece, Position, Role, Square, SquareSet};

/// Returns whether a capture loses by exchange.
pub(super) fn loses(position: &Position, values: &PieceValues, capture: Action) -> bool {
    let value = |square| {
        let piece: Option<Piece> = position.piece_at(square);
        piece.map_or(0, |piece| values[piece.index()])
    };
    let (victim, attacker) = (value(capture.to()), value(capture.from()));
    // At worst the attacker is lost.
    victim < attacker && gain(position, values, capture) < 0
}

/// Returns what a capture gains, in piece values.
fn gain(position: &Position, values: &PieceValues, capture: Action) -> i32 {
    let pieces = (
        position.piece_at(capture.from()),
        position.piece_at(capture.to()),
    );
    let (Some(attacker), Some(victim)) = pieces else {
        return 0;
    };
    let exchange = Exchange {
        position,
        values,
        square: capture.to(),
    };
    let left = position.occupied() & !SquareSet::from(capture.from());
    values[victim.index()] - exchange.reply(attacker, left)
}

struct Exchange<'a> {
    position: &'a Position,
    values: &'a PieceValues,
    square: Square,
}

impl Exchange<'_> {
    /// Returns the other side's gain from capturing the piece on the square, 0 if that
    /// does not pay, with the pieces that are left.
    fn reply(&self, standing: Piece, left: SquareSet) -> i32 {
        let Some((from, attacker)) = self.least_attacker(standing, left) else {
            return 0;
        };
        let rest = left & !SquareSet::from(from);
        let gain = self.values[standing.index()] - self.reply(attacker, rest);
        gain.max(0)
    }

    fn least_attacker(&self, standing: Piece, left: SquareSet) -> Option<(Square, Piece)> {
        let side = !standing.color();
        let beside = self.square.neighbours() & self.position.color(side) & left;
        let captures = |(_, piece): &(Square, Piece)| piece.role().captures(standing.role());
        let steps = self.with_pieces(beside).filter(captures);
        let cannons = self.position.pieces(Piece::new(side, Role::Cannon)) & left;
        let jumps = self.with_pieces(cannons & jump_squares(self.square, left));
        steps
            .chain(jumps)
            .min_by_key(|(square, piece)| (self.values[piece.index()], *square))
    }

    fn with_pieces(&self, squares: SquareSet) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let piece = |square| Some((square, self.position.piece_at(square)?));
        squares.into_iter().filter_map(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::{Color, Content, PIECES, ROWS, Setup};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    /// The values of `KGMRNCP` are 7, 6, 5, 4, 3, 5 and 1.
    fn gain_of(text: &str, capture: &str) -> i32 {
        let position: Position = text.parse().unwrap();
        let mut values = [0; PIECES];
        for (index, value) in values.iter_mut().enumerate() {
            *value = [7, 6, 5, 4, 3, 5, 1][index % 7];
        }
        gain(&position, &values, capture.parse().unwrap())
    }

    #[test]
    fn a_protected_piece_costs_the_attacker() {
        assert_eq!(gain_of("4/4/4/4/4/4/Rn2/4 r - 0 9", "a2-b2"), 3);
        assert_eq!(gain_of("4/4/4/4/4/4/Rnm1/4 r - 0 9", "a2-b2"), 3 - 4);
        // The guard behind the rook takes the minister back.
        assert_eq!(gain_of("4/4/4/4/4/1G2/Rnm1/4 r - 0 9", "a2-b2"), 3);
    }

    #[test]
    fn a_cannon_recaptures_over_a_screen() {
        assert_eq!(gain_of("4/1c2/4/1?2/4/4/Rn2/4 r P 0 9", "a2-b2"), 3 - 4);
        assert_eq!(gain_of("4/1c2/4/4/4/4/Rn2/4 r - 0 9", "a2-b2"), 3);
    }

    /// A position with pieces on most of the twelve squares of a corner.
    fn crowd(chance: &mut Pcg64Mcg) -> Option<Position> {
        let mut setup = Setup::default();
        for square in (0..3).flat_map(|column| (0..4).map(move |row| column * ROWS + row)) {
            if chance.random_bool(0.7) {
                let piece = Piece::all().nth(chance.random_range(0..PIECES))?;
                setup.board[square] = Content::FaceUp(piece);
            }
        }
        setup.turn = Some(Color::Red);
        setup.position().ok()
    }

    /// The gain of a capture by really playing the captures that follow.
    fn slow_gain(position: &Position, values: &PieceValues, capture: Action) -> i32 {
        let value = |position: &Position, square| {
            values[position.piece_at(square).expect("a piece").index()]
        };
        let victim = value(position, capture.to());
        let mut next = *position;
        let _ = next.step_unchecked(capture);
        let all = next.actions().into_iter();
        let back = all.filter(|action| !action.is_flip() && action.to() == capture.to());
        let least = back.min_by_key(|action| (value(&next, action.from()), action.from()));
        victim - least.map_or(0, |back| slow_gain(&next, values, back).max(0))
    }

    #[test]
    fn exchanges_are_those_of_real_captures() {
        let mut chance = Pcg64Mcg::seed_from_u64(1);
        let mut seen = [0, 0];
        for _ in 0..5_000 {
            let Some(position) = crowd(&mut chance) else {
                continue;
            };
            let values = std::array::from_fn(|_| chance.random_range(1..10));
            let actions = position.actions().into_iter();
            for capture in actions.filter(|action| position.piece_at(action.to()).is_some()) {
                let expected = slow_gain(&position, &values, capture) < 0;
                assert_eq!(
                    loses(&position, &values, capture),
                    expected,
                    "{position} {capture}"
                );
                seen[usize::from(expected)] += 1;
            }
        }
        assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
    }
}
