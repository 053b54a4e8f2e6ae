//! Random positions for the search tests.

use anqi_rules::{
    Color, Content, Game, PIECES, Piece, Ply, Position, Repetition, Rules, SQUARES, Setup,
};
use anqi_search::transposition::Table;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::num::NonZeroU32;

/// Rules under which only the board ends a game.
pub const ENDLESS: Rules = Rules {
    quiet_limit: None,
    repetition: Repetition::Never,
    ..Rules::PAPER
};

/// Returns a transposition table of 1 MB.
pub fn small_table() -> Table {
    Table::new(NonZeroU32::MIN).expect("1 MB")
}

/// Returns this many positions, each after a random number of random plies.
///
/// Captures are sometimes preferred, so that positions with few pieces come up too.
pub fn random_positions(count: usize, most_plies: u32, seed: u64) -> Vec<Position> {
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let plies = chance.random_range(0..=most_plies);
        let mut game = Game::new(Position::start(), ENDLESS);
        for _ in 0..plies {
            if game.outcome().is_some() {
                break;
            }
            let ply = random_ply(game.position(), &mut chance);
            game.play(ply).expect("a generated action is legal");
        }
        if game.outcome().is_none() {
            positions.push(*game.position());
        }
    }
    positions
}

fn random_ply(position: &Position, chance: &mut Pcg64Mcg) -> Ply {
    let actions = position.actions();
    let captures: Vec<_> = actions
        .iter()
        .filter(|a| !a.is_flip() && position.piece_at(a.to()).is_some())
        .collect();
    let action = if !captures.is_empty() && chance.random_bool(0.6) {
        *captures[chance.random_range(0..captures.len())]
    } else {
        actions[chance.random_range(0..actions.len())]
    };
    let mut drawn = chance.random_range(0..position.hidden().total().max(1));
    let reveal = position.reveals().find(|reveal| {
        let here = drawn < reveal.weight;
        drawn = drawn.saturating_sub(reveal.weight);
        here
    });
    Ply {
        action,
        reveal: reveal.map(|r| r.piece).filter(|_| action.is_flip()),
    }
}

/// Returns this many positions with two to six pieces, up to three of them face
/// down, in which the game is not over.
pub fn sparse_positions(count: usize, seed: u64) -> Vec<Position> {
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    let random = std::iter::repeat_with(|| sparse_position(&mut chance));
    let open = random.filter_map(|setup| setup.position().ok());
    open.filter(|p| p.loser().is_none()).take(count).collect()
}

/// Returns a random position of two to six pieces, which may be over.
pub fn sparse_position(chance: &mut Pcg64Mcg) -> Setup {
    let mut setup = Setup::default();
    let mut squares: Vec<usize> = (0..SQUARES).collect();
    squares.shuffle(chance);
    let pieces = chance.random_range(2..=6);
    let face_down = chance.random_range(0..=3).min(pieces - 1);
    for (index, &square) in squares.iter().take(pieces).enumerate() {
        let piece = Piece::all()
            .nth(chance.random_range(0..PIECES))
            .expect("fourteen kinds");
        if index < face_down {
            setup.board[square] = Content::FaceDown;
            setup.hidden[piece.index()] += 1;
        } else {
            setup.board[square] = Content::FaceUp(piece);
        }
    }
    setup.turn = Some(if chance.random_bool(0.5) {
        Color::Red
    } else {
        Color::Black
    });
    setup
}
