//! Which flip each game begins with.
//!
//! Games come in rounds. A round has all eight orbits equally often, and all pieces but the pawn
//! equally often, the pawn twice as often: the king is drawn once in sixteen flips and would hardly
//! be seen in games as dealt, while five pawns in sixteen need not be played so often. The values
//! ([`super::values`]) give each outcome its true weight. Colours and the squares of an orbit take
//! turns, though a player that respects the symmetries values them alike.

use std::fmt;

use anqi_rules::Symmetry;
use anqi_rules::{Color, Piece, Ply, Position, Role, Square};
use serde::{Serialize, Serializer};

/// The orbits: squares that no mirror of the board turns into one another.
pub const ORBITS: usize = 8;
/// The rows of a quarter of the board.
const QUARTER_ROWS: usize = 4;
/// The pieces of one colour.
const SET: f64 = 16.0;

/// The pieces of a round with one orbit and one colour.
const PIECES: [Role; 8] = [
    Role::King,
    Role::Guard,
    Role::Minister,
    Role::Rook,
    Role::Knight,
    Role::Cannon,
    Role::Pawn,
    Role::Pawn,
];

/// The games of a round: each orbit with each of the pieces in both colours.
pub const ROUND: u64 = (ORBITS * PIECES.len() * Color::ALL.len()) as u64;

/// The four squares that the mirrors of the board turn into one another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Orbit(usize);

impl Orbit {
    /// Returns all orbits, `a1` to `a4`, then `b1` to `b4`.
    pub fn all() -> impl Iterator<Item = Orbit> {
        (0..ORBITS).map(Orbit)
    }

    /// Returns the orbit of a square.
    pub fn of(square: Square) -> Orbit {
        let images = Symmetry::ALL.map(|symmetry| symmetry.square(square));
        // Columns `a` and `b`, rows 1 to 4: the image with the lowest index.
        let first = images.into_iter().min().unwrap_or(square);
        Orbit(first.column() * QUARTER_ROWS + first.row())
    }

    /// Returns its number, 0 to 7.
    pub fn index(self) -> usize {
        self.0
    }

    /// Returns its square in columns `a` and `b`, rows 1 to 4, after which it is named.
    pub fn square(self) -> Square {
        Square::at(self.0 / QUARTER_ROWS, self.0 % QUARTER_ROWS).expect("an orbit is on the board")
    }

    /// Returns its four squares.
    pub fn squares(self) -> [Square; 4] {
        Symmetry::ALL.map(|symmetry| symmetry.square(self.square()))
    }
}

impl fmt::Display for Orbit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.square().fmt(f)
    }
}

impl Serialize for Orbit {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// Returns the chance that a flip at the start shows this piece, in either colour.
pub fn chance(role: Role) -> f64 {
    role.per_side() as f64 / SET
}

/// The first ply of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FirstFlip {
    /// The square that is flipped.
    pub square: Square,
    /// The piece that appears.
    pub piece: Piece,
}

impl FirstFlip {
    /// Returns the first ply of a game by the number of the game, from 0.
    pub fn of_game(game: u64) -> FirstFlip {
        let (round, place) = (game / ROUND, (game % ROUND) as usize);
        let (turn, orbit) = (place / ORBITS, Orbit(place % ORBITS));
        let (color, role) = (turn / PIECES.len(), PIECES[turn % PIECES.len()]);
        let squares = orbit.squares();
        FirstFlip {
            square: squares[(round as usize + turn) % squares.len()],
            piece: Piece::new(Color::ALL[color], role),
        }
    }

    /// Returns the orbit of its square.
    pub fn orbit(self) -> Orbit {
        Orbit::of(self.square)
    }

    /// Returns the position after it.
    pub fn position(self) -> Position {
        let mut position = Position::start();
        let _ = position.play_unchecked(Ply::flip(self.square, self.piece));
        position
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn orbits_are_the_eight_classes_of_squares_under_the_mirrors() {
        let mut sizes = [0; ORBITS];
        for square in Square::all() {
            let orbit = Orbit::of(square);
            sizes[orbit.index()] += 1;
            assert!(orbit.squares().contains(&square), "{square}");
            for symmetry in Symmetry::ALL {
                assert_eq!(Orbit::of(symmetry.square(square)), orbit);
            }
        }
        assert_eq!(sizes, [4; ORBITS]);
        let names: Vec<String> = Orbit::all().map(|orbit| orbit.to_string()).collect();
        assert_eq!(names, ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"]);
    }

    #[test]
    fn chances_are_those_of_the_set() {
        let sum: f64 = Role::ALL.map(chance).iter().sum();
        assert_eq!(sum, 1.0);
        let start = Position::start().hidden();
        for piece in Piece::all() {
            let pair = start.count(piece) + start.count(Piece::new(!piece.color(), piece.role()));
            assert_eq!(
                chance(piece.role()),
                f64::from(pair) / f64::from(start.total())
            );
        }
    }

    #[test]
    fn a_round_has_every_outcome_and_four_rounds_every_square() {
        let count = |games| {
            let mut seen = BTreeMap::<(Square, usize), u64>::new();
            for game in 0..games {
                let FirstFlip { square, piece } = FirstFlip::of_game(game);
                *seen.entry((square, piece.index())).or_default() += 1;
            }
            seen
        };
        let orbits: BTreeMap<(Orbit, usize), u64> =
            count(ROUND)
                .into_iter()
                .fold(BTreeMap::new(), |mut all, ((square, piece), games)| {
                    *all.entry((Orbit::of(square), piece)).or_default() += games;
                    all
                });
        assert_eq!(orbits.len(), ORBITS * 14);
        let expected = |piece: usize| {
            if piece % 7 == Role::Pawn.index() {
                2
            } else {
                1
            }
        };
        assert!(
            orbits
                .iter()
                .all(|((_, piece), &games)| games == expected(*piece))
        );
        let four = count(4 * ROUND);
        assert_eq!(four.len(), 32 * 14, "all flips that there are");
        assert!(
            four.iter()
                .all(|((_, piece), &games)| games == expected(*piece))
        );
    }

    #[test]
    fn the_side_that_flips_owns_the_piece_and_the_other_is_to_move() {
        for game in 0..ROUND {
            let flip = FirstFlip::of_game(game);
            let position = flip.position();
            assert_eq!(position.piece_at(flip.square), Some(flip.piece));
            assert_eq!(position.turn(), Some(!flip.piece.color()));
            assert_eq!((position.ply(), position.face_down().len()), (1, 31));
        }
    }
}
