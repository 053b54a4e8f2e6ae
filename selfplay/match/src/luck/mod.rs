//! The luck of flips: the part of a result that is due to chance, not to a player.
//!
//! The luck of a flip is the value of the position after it minus the mean of
//! the values over all pieces that could have appeared, weighted by how many of
//! each lay face down. Its mean is zero whatever the values are, as long as they
//! depend on nothing but what the players see: so the sum over a game can be
//! subtracted from the result without shifting it ([`crate::statistics::adjusted`]).
//! In backgammon the same is done with dice. The first flip, which decides the
//! colours, is a flip like any other.
//!
//! One [`Appraiser`] values the flips of both players. It values all possible
//! reveals in the same way, the actual one included.

mod appraiser;
mod pair;

pub use appraiser::{Appraiser, AppraiserSpec, ParseAppraiserError};
pub use pair::{PairLuck, WIN, points_of};

use anqi_rules::{Piece, Position, Rules, Square};
use rayon::prelude::*;

use crate::record::{GameRecord, PairRecord};
use crate::replay::{self, GameFault};
use crate::side::Side;

/// Values the flips of a pair.
///
/// # Errors
///
/// Fails if a game cannot be replayed.
pub fn of_pair(
    record: &PairRecord,
    rules: Rules,
    appraiser: &mut Appraiser,
) -> Result<PairLuck, GameFault> {
    let [first, second] = &record.games;
    Ok(PairLuck {
        appraiser: appraiser.name(),
        flips: [
            of_game(first, rules, appraiser)?,
            of_game(second, rules, appraiser)?,
        ],
    })
}

/// Values the flips of the pairs that have not been valued by this appraiser, on all threads.
///
/// # Errors
///
/// Fails if a game cannot be replayed.
pub fn complete(
    records: &mut [PairRecord],
    rules: Rules,
    spec: AppraiserSpec,
) -> Result<(), GameFault> {
    let name = spec.to_string();
    records.par_iter_mut().try_for_each_init(
        || Appraiser::new(spec),
        |appraiser, record| {
            let known = record
                .luck
                .as_ref()
                .is_some_and(|luck| luck.appraiser == name);
            if !known {
                record.luck = Some(of_pair(record, rules, appraiser)?);
            }
            Ok(())
        },
    )
}

/// Returns A's luck in each flip of a game, in ten-thousandths of a win.
///
/// # Errors
///
/// Fails if the game cannot be replayed.
pub fn of_game(
    record: &GameRecord,
    rules: Rules,
    appraiser: &mut Appraiser,
) -> Result<Vec<i32>, GameFault> {
    let game = replay::replayed(record, rules, None)?;
    let mut position = *game.start();
    let mut all = Vec::new();
    for (index, &ply) in game.plies().iter().enumerate() {
        if let Some(piece) = ply.reveal {
            let value = |after: &Position| appraiser.value(after, rules);
            let luck = of_flip(&position, ply.action.from(), piece, value);
            let flipper = match index % 2 {
                0 => record.starter,
                _ => !record.starter,
            };
            let sign = if flipper == Side::A { 1.0 } else { -1.0 };
            all.push((sign * luck).round() as i32);
        }
        let _ = position.play_unchecked(ply);
    }
    Ok(all)
}

/// Returns the luck of the side that flips.
///
/// `value` is for the side to move after the flip, which is the opponent.
fn of_flip(
    before: &Position,
    square: Square,
    revealed: Piece,
    mut value: impl FnMut(&Position) -> i32,
) -> f64 {
    let (mut sum, mut pieces, mut seen) = (0, 0, 0);
    for (piece, count) in before.hidden() {
        let mut after = *before;
        let _ = after.flip_unchecked(square, piece);
        let worth = -i64::from(value(&after));
        sum += i64::from(count) * worth;
        pieces += i64::from(count);
        if piece == revealed {
            seen = worth;
        }
    }
    seen as f64 - sum as f64 / pieces.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Position {
        text.parse().expect("a position")
    }

    /// Pseudo-random values of positions.
    fn hashed(after: &Position) -> i32 {
        (after.key() % 20_001) as i32 - WIN
    }

    #[test]
    fn the_mean_luck_of_a_flip_is_zero_whatever_the_values() {
        let middle = "K1p1/1?2/4/c?P1/4/2r1/4/1G?? r GNpR 0 20";
        for text in [Position::start().to_string().as_str(), middle] {
            let before = position(text);
            for square in before.face_down() {
                let mean: f64 = before
                    .hidden()
                    .into_iter()
                    .map(|(piece, count)| {
                        f64::from(count) * of_flip(&before, square, piece, hashed)
                    })
                    .sum();
                assert!(mean.abs() < 1e-6, "{text}, {square}: {mean}");
            }
        }
    }

    #[test]
    fn a_certain_piece_is_no_luck_and_a_good_one_is_the_flippers() {
        let certain = position("K3/4/4/4/4/4/4/?2k r p 0 0");
        let corner = "a1".parse().expect("a square");
        let piece = |letter| Piece::from_letter(letter).expect("a piece");
        assert_eq!(of_flip(&certain, corner, piece('p'), hashed), 0.0);
        // Red flips: a guard of its own beside the enemy's pawns is better than one of the enemy's.
        let open = position("4/4/4/4/4/p3/4/?p1? r Gg 0 0");
        let mut appraiser = Appraiser::new(AppraiserSpec::Evaluation);
        let mut luck = |letter| {
            of_flip(&open, corner, piece(letter), |after| {
                appraiser.value(after, Rules::OLYMPIAD)
            })
        };
        assert!(luck('G') > 0.0);
        assert!((luck('G') + luck('g')).abs() < 1e-9);
    }
}
