//! From files of positions to samples on both sides of the split.
//!
//! Whole games are held out. Where endgame tables know a position, their value is its label:
//! the result of a game between fallible players says less.

use std::num::NonZeroU32;

use anqi_rules::Rules;
use anqi_search::endgames::SharedTables;
use anqi_search::evaluation::Weights;
use anqi_tablebase::{Endgames, Wdl};

use super::samples::Samples;
use crate::training::example::{BestAction, Example};
use crate::training::hindsight::Hindsight;
use crate::training::settings::Positions;
use crate::training::sources::{NamedData, SourceError};
use crate::training::split::{self, target};
use anqi_match::seed;

/// How positions are selected and labelled.
#[derive(Clone, Copy)]
pub struct Labelling<'a> {
    /// Which positions take part.
    pub positions: Positions,
    /// The weight of the search value in the target; the game result has the rest.
    pub label_mix: f64,
    /// λ of the corrections of search values by [`Hindsight`].
    pub hindsight: f64,
    /// The share of games held out.
    pub held_out: f64,
    /// Decides which games are held out.
    pub seed: u64,
    /// The hand-made terms that the network is added to.
    pub weights: &'a Weights,
    /// The rules of the games, with their name.
    pub rules: (&'a str, Rules),
    /// Endgame tables, if any.
    pub tables: Option<&'a SharedTables>,
}

/// Samples on both sides of the split.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// The samples trained on.
    pub training: Samples,
    /// The samples held out.
    pub held_out: Samples,
    /// How many positions are labelled by tables.
    pub tabled: u64,
    /// How many positions are left out.
    pub left_out: u64,
}

/// Why files cannot be trained on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatasetError {
    /// The files cannot be trained on.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A file's games were played by other rules.
    #[error("{source_name}: its games were not played by {expected} rules, but: {recipe}")]
    OtherRules {
        /// Which file.
        source_name: String,
        /// The name of the expected rules.
        expected: String,
        /// How the games were played.
        recipe: String,
    },
    /// There is nothing to learn from.
    #[error("no position is left to train on ({training} to train on, {held_out} held out)")]
    TooFew {
        /// Positions trained on.
        training: usize,
        /// Positions held out.
        held_out: usize,
    },
}

impl Dataset {
    /// Turns the records of files into samples.
    ///
    /// # Errors
    ///
    /// Fails if a record is invalid, two files hold the same games, their games were
    /// played by other rules, or one side of the split is empty.
    pub fn new(
        sources: &[NamedData<'_>],
        labelling: &Labelling<'_>,
    ) -> Result<Dataset, DatasetError> {
        split::require_different(sources.iter().map(NamedData::named_header))?;
        let mut all = Dataset::default();
        for source in sources {
            require_rules(source, labelling.rules.0)?;
            let seed = source.data.header().seed;
            let hindsight = Hindsight::new(source.data, labelling.hindsight)
                .map_err(|fault| source.fault(fault))?;
            let add = |part: &mut Dataset, index: usize, example: &Example| {
                part.add(example, hindsight.value(index, example), seed, labelling);
            };
            for part in split::collect_parts(source, add)? {
                all.append(&part);
            }
        }
        if all.training.is_empty() || all.held_out.is_empty() {
            return Err(DatasetError::TooFew {
                training: all.training.len(),
                held_out: all.held_out.len(),
            });
        }
        Ok(all)
    }

    fn append(&mut self, other: &Dataset) {
        self.training.append(&other.training);
        self.held_out.append(&other.held_out);
        self.tabled += other.tabled;
        self.left_out += other.left_out;
    }

    /// Adds an example with its expected result by search.
    fn add(&mut self, example: &Example, search: f64, file_seed: u64, labelling: &Labelling<'_>) {
        if labelling.positions == Positions::Quiet && example.best == BestAction::Capture {
            self.left_out += 1;
            return;
        }
        let known = known_chance(example, labelling);
        self.tabled += u64::from(known.is_some());
        let target = known.unwrap_or_else(|| target(search, example.result, labelling.label_mix));
        let number = seed::split_number(labelling.seed, file_seed, example.game.into());
        let is_held_out = split::share(number) < labelling.held_out;
        let side = if is_held_out {
            &mut self.held_out
        } else {
            &mut self.training
        };
        side.push(example, labelling.weights, target);
    }
}

/// Returns the chance of a win by tables, if they know it.
fn known_chance(example: &Example, labelling: &Labelling<'_>) -> Option<f64> {
    let tables = labelling.tables?.tables();
    let position = &example.position;
    let pieces = position.occupied().len() as u32;
    if !position.face_down().is_empty() || pieces > tables.pieces_in_memory() {
        return None;
    }
    let known = tables.known(position)?;
    // The quiet limit spoils a win whose next capture comes too late.
    let plies_left = |limit: NonZeroU32| limit.get().saturating_sub(position.quiet_counter());
    let plies_left = labelling.rules.1.quiet_limit.map_or(u32::MAX, plies_left);
    let is_late = known.dtc.is_none_or(|plies| u32::from(plies) > plies_left);
    Some(match known.wdl {
        Wdl::Win | Wdl::Loss if is_late => return None,
        Wdl::Win => 1.0,
        Wdl::Draw => 0.5,
        Wdl::Loss => 0.0,
    })
}

/// Refuses a file whose games were played by other rules.
fn require_rules(source: &NamedData<'_>, expected: &str) -> Result<(), DatasetError> {
    let recipe = &source.data.header().recipe;
    if recipe.contains(&format!(", {expected} rules, ")) {
        return Ok(());
    }
    Err(DatasetError::OtherRules {
        source_name: source.name.to_owned(),
        expected: expected.to_owned(),
        recipe: recipe.clone(),
    })
}
