//! Positions to train on and positions held out.
//!
//! The target of a position mixes the search value and the game result, both as
//! the chance of a win with a draw counted as half. The search value is relative to
//! the greatest estimate, so that an evaluation that labels its own positions is
//! its own best fit; larger values count as certain.
//!
//! Some games are held out: no position of theirs is trained on. Positions of one
//! game are much alike, and only whole unseen games show overfitting.

use rayon::prelude::*;

use super::example::{Example, GameResult};
use super::features::GameId;
use super::file::{DataFault, DataHeader};
use super::settings::FitSettings;
use super::sources::{NamedData, SourceError};
use anqi_match::seed;

/// Records in a thread's unit of work.
const CHUNK: usize = 4096;

/// Returns the target of an example, the chance of a win: a mix of an expected result, the
/// search's, and of the game's result.
pub fn target(search: f64, result: GameResult, label_mix: f64) -> f64 {
    let result = f64::from(result.sign());
    (1.0 + label_mix * search + (1.0 - label_mix) * result) / 2.0
}

/// Returns whether the positions of a game are held out.
pub(super) fn is_held_out((file_seed, game): GameId, settings: &FitSettings) -> bool {
    share(seed::split_number(settings.seed, file_seed, game.into())) < settings.held_out
}

/// Maps a split number to between 0 and 1.
pub(crate) fn share(number: u64) -> f64 {
    (number >> 11) as f64 / (1_u64 << 53) as f64
}

/// Gathers the examples of a file with their numbers, many at a time on each thread, in the
/// order of the file.
///
/// # Errors
///
/// Fails if a record is invalid.
pub(super) fn collect_parts<T: Default + Send>(
    source: &NamedData<'_>,
    add: impl Fn(&mut T, usize, &Example) + Sync,
) -> Result<Vec<T>, SourceError> {
    let records = source.data.records().len();
    let collect = |index: usize| {
        let mut part = T::default();
        for record in index * CHUNK..((index + 1) * CHUNK).min(records) {
            add(&mut part, record, &source.data.example(record)?);
        }
        Ok(part)
    };
    let chunks = (0..records.div_ceil(CHUNK)).into_par_iter();
    let parts: Result<Vec<T>, DataFault> = chunks.map(collect).collect();
    parts.map_err(|fault| source.fault(fault))
}

/// Refuses two files of the same games: their positions would count twice.
///
/// # Errors
///
/// Returns an error that names the two.
pub(super) fn require_different<'a>(
    sources: impl IntoIterator<Item = (&'a str, &'a DataHeader)>,
) -> Result<(), SourceError> {
    let mut seen: Vec<(&str, &DataHeader)> = Vec::new();
    for (second, header) in sources {
        let made_alike = |(_, other): &&(&str, &DataHeader)| {
            header.recipe == other.recipe && header.seed == other.seed
        };
        if let Some((first, _)) = seen.iter().find(made_alike) {
            let [first, second] = [first, second].map(str::to_owned);
            return Err(SourceError::Twice { first, second });
        }
        seen.push((second, header));
    }
    Ok(())
}
