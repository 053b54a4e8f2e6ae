//! Seeds derived from seeds: the only source of chance in a match.
//!
//! Everything random follows from the match seed by mixing in its purpose: the
//! deal from (match seed, pair), a player's choice among equals from (match seed,
//! pair, position, ply). Neither the clock nor the thread that plays a pair can
//! change a game, and both games of a pair give a player the same seed in the
//! same position; without that, pairing saves nothing.
//!
//! The mixing is invertible, so none of these seeds may leave this process: a
//! program that knew one could compute the match seed, and with it every deal.
//! Outside programs receive [`public_seed`], which depends only on what lies open
//! on the board.

use anqi_rules::random::mix;

/// Domain of the seeds that shuffle the pieces; domains are the first letters of their names.
const DEAL: u64 = 0x6465_616c;
/// Domain of the seeds that players receive.
const CHOICE: u64 = 0x6368_6f69;
/// Domain of the seeds that outside programs receive.
const PUBLIC: u64 = 0x7075_626c;
/// Domain of the seeds that decide which actions of a training game are random.
const VARIETY: u64 = 0x7661_7269;
/// Domain of the seeds of random plies that lead to openings.
const OPENING: u64 = 0x6f70_656e;
/// Domain of the numbers that decide which training games are held out.
const SPLIT: u64 = 0x7370_6c69;
/// Domain of the seeds of the iterations of a tuning run.
const ITERATION: u64 = 0x6974_6572;
/// Domain of the seeds of the matches that test a tuning run.
const VERDICT: u64 = 0x7665_7264;
/// Domain of the words that perturb parameters.
const PERTURBATION: u64 = 0x7065_7274;
/// Domain of the seeds that draw positions for a fit.
const SAMPLING: u64 = 0x7361_6d70;

/// Returns the seed that shuffles the pieces of a pair.
pub const fn deal_seed(match_seed: u64, pair: u64) -> u64 {
    mix(mix(match_seed, DEAL), pair)
}

/// Returns the seed of all choices made in a pair; see [`choice_seed`].
pub const fn pair_seed(match_seed: u64, pair: u64) -> u64 {
    mix(mix(match_seed, CHOICE), pair)
}

/// Returns the seed of the random actions of a training game.
pub const fn variety_seed(seed: u64, game: u64) -> u64 {
    mix(mix(seed, VARIETY), game)
}

/// Returns the seed of the random plies that lead to a candidate for an opening.
pub const fn opening_seed(seed: u64, candidate: u64) -> u64 {
    mix(mix(seed, OPENING), candidate)
}

/// Returns a number that decides on which side of a split a training game is.
///
/// It depends on the seed of the game's file, not on the file: the same game
/// in two files is on the same side.
pub const fn split_number(split_seed: u64, file_seed: u64, game: u64) -> u64 {
    mix(mix(mix(split_seed, SPLIT), file_seed), game)
}

/// Returns the seed a player receives for one choice.
///
/// The ply is part of it, so that a randomised player can choose differently
/// when a position recurs, and does not go in circles.
pub const fn choice_seed(pair_seed: u64, position_key: u64, ply: u32) -> u64 {
    mix(mix(pair_seed, position_key), ply as u64)
}

/// Returns the seed that an outside program receives for one choice.
///
/// It follows from the visible position and the ply alone. Neither the match
/// seed nor the number of the pair goes into it, so it says nothing about the
/// deal that the board does not say.
pub const fn public_seed(position_key: u64, ply: u32) -> u64 {
    mix(mix(PUBLIC, position_key), ply as u64)
}

/// Returns the match seed of an iteration of a tuning run.
pub const fn iteration_seed(seed: u64, iteration: u64) -> u64 {
    mix(mix(seed, ITERATION), iteration)
}

/// Returns the match seed of a match that tests a tuning run: none of its deals was tuned on.
pub const fn verdict_seed(seed: u64, number: u64) -> u64 {
    mix(mix(seed, VERDICT), number)
}

/// Returns the seed that draws positions for a fit.
pub const fn sampling_seed(seed: u64) -> u64 {
    mix(seed, SAMPLING)
}

/// Returns the word that decides how a parameter is perturbed in an iteration.
pub const fn perturbation_word(seed: u64, iteration: u64, parameter: u64) -> u64 {
    mix(mix(mix(seed, PERTURBATION), iteration), parameter)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn purposes_pairs_and_positions_never_share_a_seed() {
        let mut seen = HashSet::new();
        for seed in 0..20 {
            for pair in 0..20 {
                assert!(seen.insert(deal_seed(seed, pair)));
                assert!(seen.insert(pair_seed(seed, pair)));
                assert!(seen.insert(variety_seed(seed, pair)));
                assert!(seen.insert(iteration_seed(seed, pair)));
                assert!(seen.insert(verdict_seed(seed, pair)));
                assert!(seen.insert(opening_seed(seed, pair)));
                for ply in 0..3 {
                    let key = 1000 * seed + pair;
                    assert!(seen.insert(public_seed(key, ply)));
                    assert!(seen.insert(choice_seed(pair_seed(seed, pair), 7, ply)));
                }
            }
        }
    }

    #[test]
    fn one_changed_bit_changes_about_half_of_the_seed() {
        let changed: u32 = (0..64)
            .map(|bit| (deal_seed(1, 1 << bit) ^ deal_seed(1, 0)).count_ones())
            .sum();
        assert!((28 * 64..36 * 64).contains(&changed), "{changed}");
    }
}
