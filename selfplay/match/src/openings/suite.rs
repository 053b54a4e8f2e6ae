//! Making a suite: positions after random plies that the appraiser finds balanced.
//!
//! Plies are drawn uniformly from all legal ones, so that openings vary as much as
//! the game allows; the appraiser rejects the unbalanced ones. Instead of playing,
//! a few random pieces may be laid out ([`endings`](super::endings)). A candidate depends
//! only on the seed and its own number, and candidates are kept in order, so that
//! the number of threads does not matter.

use std::collections::HashSet;

use anqi_rules::Symmetry;
use anqi_rules::random::below;
use anqi_rules::{Game, Ply, Position, Rules};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::endings::Few;
use crate::deal::DealKind;
use crate::interrupt::Interrupt;
use crate::luck::{Appraiser, AppraiserSpec};
use crate::seed;

/// Most candidates tried for each opening wanted.
const MOST_TRIES: usize = 1_000;
/// Candidates appraised in parallel.
const BATCH: usize = 256;

/// Where candidates come from.
#[derive(Clone, Debug)]
pub enum OpeningSource {
    /// So many random plies from the usual start.
    Plies(u32),
    /// A few pieces laid out at random.
    Few(Few),
}

/// What openings are wanted.
#[derive(Clone, Debug)]
pub struct SuiteRecipe {
    /// How many.
    pub count: usize,
    /// Where they come from.
    pub source: OpeningSource,
    /// The largest value for either side, in ten-thousandths of a win.
    pub balance: i32,
    /// The appraiser.
    pub appraiser: AppraiserSpec,
    /// The rules.
    pub rules: Rules,
    /// The seed of all of them.
    pub seed: u64,
}

/// An opening and its value for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Balanced {
    /// The position.
    pub position: Position,
    /// Its value in ten-thousandths of a win.
    pub value: i32,
}

/// Why there is no suite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuiteError {
    /// Too few candidates are level.
    #[error(
        "only {found} of {wanted} openings are level after {tried} tries (a larger --balance or another number of --plies allows more)"
    )]
    TooFew {
        /// How many were found.
        found: usize,
        /// How many were wanted.
        wanted: usize,
        /// How many candidates there were.
        tried: usize,
    },
    /// It was interrupted.
    #[error("interrupted before all openings were found; nothing is written")]
    Interrupted,
}

/// Makes a suite without duplicates or mirror images.
///
/// # Errors
///
/// Fails if there are too few, or if it is interrupted.
pub fn make(recipe: &SuiteRecipe, interrupt: &Interrupt) -> Result<Vec<Balanced>, SuiteError> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let most = recipe.count.saturating_mul(MOST_TRIES);
    for first in (0..most).step_by(BATCH) {
        if interrupt.finish_pairs() {
            return Err(SuiteError::Interrupted);
        }
        let numbers = (first..first + BATCH).into_par_iter();
        let balanced: Vec<Balanced> = numbers
            .map_init(
                || Appraiser::new(recipe.appraiser),
                |appraiser, number| balanced(recipe, number as u64, appraiser),
            )
            .flatten()
            .collect();
        for opening in balanced {
            if found.len() < recipe.count && seen.insert(shape(&opening.position)) {
                found.push(opening);
            }
        }
        if found.len() == recipe.count {
            return Ok(found);
        }
    }
    Err(SuiteError::TooFew {
        found: found.len(),
        wanted: recipe.count,
        tried: most,
    })
}

/// Returns the same number for a position and its mirror images.
fn shape(position: &Position) -> u64 {
    let keys = Symmetry::ALL.map(|symmetry| symmetry.position(position).key());
    keys.into_iter().min().unwrap_or_default()
}

/// Returns a candidate if its game goes on and it is balanced.
fn balanced(recipe: &SuiteRecipe, number: u64, appraiser: &mut Appraiser) -> Option<Balanced> {
    let position = candidate(recipe, number)?;
    let value = appraiser.value(&position, recipe.rules);
    (value.abs() <= recipe.balance).then_some(Balanced { position, value })
}

/// Makes a candidate; returns nothing if it is the end of a game.
fn candidate(recipe: &SuiteRecipe, number: u64) -> Option<Position> {
    let mut random = Pcg64::seed_from_u64(seed::opening_seed(recipe.seed, number));
    match &recipe.source {
        OpeningSource::Plies(plies) => played(recipe, *plies, number, &mut random),
        OpeningSource::Few(few) => few.position(&mut random, recipe.rules),
    }
}

/// Plays random plies; returns nothing if the game ends on the way.
fn played(recipe: &SuiteRecipe, plies: u32, number: u64, random: &mut Pcg64) -> Option<Position> {
    let deal = DealKind::Sequence.deal_of_start(recipe.seed, number);
    let mut game = Game::new(Position::start(), recipe.rules);
    let mut flips = 0;
    for _ in 0..plies {
        let actions = game.position().actions();
        let action = actions[below(actions.len() as u64, || random.next_u64()) as usize];
        let reveal = deal
            .reveal(action.from(), flips)
            .filter(|_| action.is_flip());
        let ply = Ply { action, reveal };
        flips += usize::from(action.is_flip());
        game.play(ply).expect("the action is a legal one");
        if game.outcome().is_some() {
            return None;
        }
    }
    Some(*game.position())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(count: usize, plies: u32, balance: i32) -> SuiteRecipe {
        SuiteRecipe {
            count,
            source: OpeningSource::Plies(plies),
            balance,
            appraiser: AppraiserSpec::Evaluation,
            rules: Rules::OLYMPIAD,
            seed: 3,
        }
    }

    #[test]
    fn openings_are_level_different_and_some_plies_in() {
        let recipe = recipe(300, 9, 500);
        let all = make(&recipe, &Interrupt::new()).expect("openings");
        assert_eq!(all.len(), 300);
        let positions: HashSet<u64> = all.iter().map(|one| shape(&one.position)).collect();
        assert_eq!(positions.len(), 300);
        let mut appraiser = Appraiser::new(recipe.appraiser);
        for Balanced { position, value } in &all {
            assert_eq!(position.ply(), 9);
            assert_eq!(appraiser.value(position, recipe.rules), *value);
            assert!(value.abs() <= 500);
        }
        assert_eq!(make(&recipe, &Interrupt::new()), Ok(all));
    }

    #[test]
    fn too_few_level_positions_are_an_error() {
        // After one flip there are 14 pieces on 8 squares, mirror images left out.
        let error = make(&recipe(200, 1, 10_000), &Interrupt::new()).expect_err("too many");
        let tried = 200 * MOST_TRIES;
        assert_eq!(
            error,
            SuiteError::TooFew {
                found: 112,
                wanted: 200,
                tried
            }
        );
    }
}
