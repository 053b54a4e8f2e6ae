//! Endings to begin games at: a few random pieces on random squares, some of them face down.

use std::ops::RangeInclusive;

use anqi_rules::random::below;
use anqi_rules::{Color, Content, Game, Piece, Position, Rules, SQUARES, Setup};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// How many pieces there are.
#[derive(Clone, Debug)]
pub struct Few {
    /// All pieces.
    pub pieces: RangeInclusive<u32>,
    /// Those that lie face down.
    pub face_down: RangeInclusive<u32>,
}

impl Few {
    /// Lays out random pieces of the full set, at least one of each side and neither side more than
    /// one ahead; returns nothing if that is the end of a game.
    pub fn position(&self, random: &mut Pcg64, rules: Rules) -> Option<Position> {
        let pieces = from(&self.pieces, random);
        let face_down = from(&self.face_down, random).min(pieces);
        let more = pieces / 2 + below(u64::from(pieces % 2 + 1), || random.next_u64()) as u32;
        let mut all = drawn(Color::Red, more, random);
        all.extend(drawn(Color::Black, pieces - more, random));
        shuffle(&mut all, random);
        let mut squares: Vec<usize> = (0..SQUARES).collect();
        shuffle(&mut squares, random);
        let mut setup = Setup {
            turn: Some(Color::ALL[below(2, || random.next_u64()) as usize]),
            ..Setup::default()
        };
        for (place, (piece, square)) in all.into_iter().zip(squares).enumerate() {
            if (place as u32) < face_down {
                setup.board[square] = Content::FaceDown;
                setup.hidden[piece.index()] += 1;
            } else {
                setup.board[square] = Content::FaceUp(piece);
            }
        }
        let position = setup.position().ok()?;
        Game::new(position, rules)
            .outcome()
            .is_none()
            .then_some(position)
    }
}

fn from(range: &RangeInclusive<u32>, random: &mut Pcg64) -> u32 {
    let width = u64::from(range.end() - range.start()) + 1;
    range.start() + below(width, || random.next_u64()) as u32
}

/// Draws pieces of a colour without putting any back.
fn drawn(color: Color, count: u32, random: &mut Pcg64) -> Vec<Piece> {
    let own = Piece::all().filter(|piece| piece.color() == color);
    let mut set: Vec<Piece> = own
        .flat_map(|piece| std::iter::repeat_n(piece, piece.role().per_side()))
        .collect();
    shuffle(&mut set, random);
    set.truncate(count as usize);
    set
}

fn shuffle<T>(list: &mut [T], random: &mut Pcg64) {
    for last in (1..list.len()).rev() {
        list.swap(last, below(last as u64 + 1, || random.next_u64()) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::rand_core::SeedableRng;

    #[test]
    fn pieces_and_face_down_pieces_are_as_many_as_asked_and_all_numbers_occur() {
        let few = Few {
            pieces: 6..=8,
            face_down: 1..=3,
        };
        let mut random = Pcg64::seed_from_u64(5);
        let mut seen = [[0; 4]; 9];
        for _ in 0..2_000 {
            let Some(position) = few.position(&mut random, Rules::OLYMPIAD) else {
                continue;
            };
            let (all, hidden) = (position.occupied().len(), position.face_down().len());
            seen[all][hidden] += 1;
            let living = |color| {
                let up = position.color(color).len() as i64;
                let bag = Piece::all().filter(|piece| piece.color() == color);
                up + bag
                    .map(|piece| i64::from(position.hidden().count(piece)))
                    .sum::<i64>()
            };
            let [red, black] = Color::ALL.map(living);
            assert!(
                (red - black).abs() <= 1 && red > 0 && black > 0,
                "{position}"
            );
        }
        for (all, row) in seen.iter().enumerate() {
            for (hidden, &count) in row.iter().enumerate() {
                let wanted = (6..=8).contains(&all) && (1..=3).contains(&hidden);
                assert_eq!(count > 100, wanted, "{all} {hidden}: {count}");
                assert!(wanted || count == 0);
            }
        }
    }
}
