//! Random positions for the search tests.

use anqi_rules::{Game, Ply, Position, Repetition, Rules};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Rules under which nothing but the board ends a game.
pub const ENDLESS: Rules = Rules {
    quiet_limit: None,
    repetition: Repetition::Never,
};

/// Returns so many positions, met after a random number of random plies.
///
/// Captures are preferred now and then, so that late phases with few pieces come up too.
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
