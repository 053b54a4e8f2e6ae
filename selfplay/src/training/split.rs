//! Positions to train on and positions held out.
//!
//! The target of a position mixes the search value and the game result, both as
//! the chance of a win with a draw counted as half. The search value is relative to
//! the greatest estimate, so that an evaluation that labels its own positions is
//! its own best fit; larger values count as certain.
//!
//! Some games are held out: no position of theirs is trained on. Positions of one
//! game are much alike, and only whole unseen games show overfitting.

use anqi_search::evaluation::features;
use rayon::prelude::*;

use super::example::{BestAction, Example, GameResult};
use super::features::FeatureMatrix;
use super::file::DataFault;
use super::fitting::{FitSettings, NamedData, Positions, SourceError};
use super::sampling::material;
use crate::seed;

/// Records in a thread's unit of work.
const CHUNK: usize = 4096;

/// Returns the target of an example, the chance of a win: a mix of an expected result, the
/// search's, and of the game's result.
pub fn target(search: f64, result: GameResult, label_mix: f64) -> f64 {
    let result = f64::from(result.sign());
    (1.0 + label_mix * search + (1.0 - label_mix) * result) / 2.0
}

/// Positions on both sides of the split.
#[derive(Clone, Debug, Default)]
pub struct Split {
    /// The positions trained on.
    pub training: FeatureMatrix,
    /// Their materials.
    pub materials: Vec<u64>,
    /// The positions held out.
    pub held_out: FeatureMatrix,
    /// How many positions are left out.
    pub left_out: u64,
}

impl Split {
    fn append(&mut self, other: &Split) {
        self.training.append(&other.training);
        self.materials.extend_from_slice(&other.materials);
        self.held_out.append(&other.held_out);
        self.left_out += other.left_out;
    }

    /// Adds a position to its side.
    fn add(&mut self, example: &Example, file_seed: u64, settings: &FitSettings) {
        if settings.positions == Positions::Quiet && example.best == BestAction::Capture {
            self.left_out += 1;
            return;
        }
        let game = (file_seed, example.game);
        let side = match is_held_out(game, settings) {
            true => &mut self.held_out,
            false => {
                self.materials.push(material(&example.position));
                &mut self.training
            }
        };
        let target = target(example.searched(), example.result, settings.label_mix);
        side.push(&features(&example.position), target, game);
    }
}

fn is_held_out((file_seed, game): (u64, u32), settings: &FitSettings) -> bool {
    share(seed::split_number(settings.seed, file_seed, game.into())) < settings.held_out
}

/// Maps a split number to between 0 and 1.
pub(super) fn share(number: u64) -> f64 {
    (number >> 11) as f64 / (1_u64 << 53) as f64
}

/// Turns records into rows on both sides of the split.
///
/// # Errors
///
/// Fails if a record is invalid or two files hold the same games.
pub fn split(sources: &[NamedData<'_>], settings: &FitSettings) -> Result<Split, SourceError> {
    require_different(sources)?;
    let mut sides = Split::default();
    for source in sources {
        let seed = source.data.header().seed;
        let add = |part: &mut Split, _, example: &Example| part.add(example, seed, settings);
        for part in collect_parts(source, add)? {
            sides.append(&part);
        }
    }
    Ok(sides)
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
pub(super) fn require_different(sources: &[NamedData<'_>]) -> Result<(), SourceError> {
    for (index, second) in sources.iter().enumerate() {
        let made_alike = |first: &&NamedData<'_>| {
            let [first, second] = [first, second].map(|source| source.data.header());
            first.recipe == second.recipe && first.seed == second.seed
        };
        if let Some(first) = sources[..index].iter().find(made_alike) {
            let [first, second] = [first, second].map(|source| source.name.to_owned());
            return Err(SourceError::Twice { first, second });
        }
    }
    Ok(())
}
