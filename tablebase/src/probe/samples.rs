//! Positions for tests.

use anqi_rules::{Color, Content, Position, Setup, Square};
use rand::{RngExt, SeedableRng, seq::SliceRandom};

use crate::classes::Material;

/// Random positions of material sets, from a fixed seed.
pub(crate) fn random_positions(pieces: usize, count: usize, most_quiet: u32) -> Vec<Position> {
    let mut random = rand_pcg::Pcg64::seed_from_u64(pieces as u64);
    let sets = Material::all(pieces);
    let mut squares: Vec<_> = Square::all().collect();
    let mut positions = Vec::new();
    while positions.len() < count {
        squares.shuffle(&mut random);
        let set = sets[random.random_range(0..sets.len())];
        let quiet = random.random_range(0..=most_quiet);
        let mut setup = Setup {
            quiet,
            ply: quiet,
            ..Default::default()
        };
        setup.board = [Content::Empty; 32];
        let kinds = set
            .kinds()
            .flat_map(|(piece, n)| std::iter::repeat_n(piece, n));
        for (piece, square) in kinds.zip(&squares) {
            setup.board[square.index()] = Content::FaceUp(piece);
        }
        setup.turn = Some(Color::ALL[random.random_range(0..2)]);
        positions.push(setup.position().unwrap());
    }
    positions
}
