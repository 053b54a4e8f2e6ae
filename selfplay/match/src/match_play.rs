//! Plays the missing pairs of a match.

use std::collections::BTreeSet;

use crate::interrupt::Interrupt;
use crate::live::LiveLine;
use crate::luck;
use crate::pairing::Shard;
use crate::progress::{Caption, Progress};
use crate::record::PairRecord;
use crate::runner::{self, Flow, MatchSetup};
use crate::sequential::{Analysis, SequentialTest};
use crate::store::{self, Store, StoreError};

/// Which part of a match to play, and how.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The match.
    pub setup: MatchSetup,
    /// How many pairs it has.
    pub pairs: u64,
    /// Which of them are played here.
    pub shard: Shard,
    /// How many threads play.
    pub jobs: usize,
    /// How its pairs are analysed, with the test that may end it early.
    pub analysis: Analysis,
    /// What its live line shows besides its results.
    pub caption: Caption,
}

impl MatchPlan {
    /// Returns the plan to play this many pairs of a match on one thread.
    pub fn new(setup: MatchSetup, pairs: u64) -> MatchPlan {
        MatchPlan {
            setup,
            pairs,
            shard: Shard::WHOLE,
            jobs: 1,
            analysis: Analysis::default(),
            caption: Caption::default(),
        }
    }
}

/// The state of a match after playing.
#[derive(Clone, Debug)]
pub struct PlayedMatch {
    /// All finished pairs, sorted by number.
    pub records: Vec<PairRecord>,
    /// Whether there is nothing left to play.
    pub complete: bool,
}

/// Plays the missing pairs of a match and returns all finished ones.
///
/// `finished` has the pairs already played; those beyond the plan are ignored. New
/// pairs go into the store as they end.
///
/// # Errors
///
/// Fails if the store cannot be written.
pub fn play(
    plan: &MatchPlan,
    finished: Vec<PairRecord>,
    mut store: Option<&mut Store>,
    interrupt: &Interrupt,
) -> Result<PlayedMatch, StoreError> {
    let mut records = store::sorted(finished);
    records.retain(|record| record.pair < plan.pairs);
    if let Some(spec) = plan.setup.appraiser {
        luck::complete(&mut records, plan.setup.rules, spec)?;
    }
    let mut test = SequentialTest::of(&plan.analysis);
    for record in &records {
        test.iter_mut().for_each(|test| test.add(record));
    }
    let is_decided =
        |test: &Option<SequentialTest>| test.as_ref().is_some_and(|t| t.decided().is_some());
    let missing = if is_decided(&test) {
        Vec::new()
    } else {
        missing(plan, &records)
    };
    let ours = records.len() as u64 + missing.len() as u64;
    let progress = Progress::new(plan.caption.clone(), &records, ours, plan.analysis);
    let line = LiveLine::start(progress);
    let played: Result<(), StoreError> = runner::run(
        &plan.setup,
        missing.iter().copied(),
        plan.jobs,
        interrupt,
        |record| {
            if let Some(store) = store.as_deref_mut() {
                store.append(&record)?;
            }
            line.update(|progress| progress.add(&record));
            test.iter_mut().for_each(|test| test.add(&record));
            records.push(record);
            Ok(if is_decided(&test) {
                Flow::Enough
            } else {
                Flow::Continue
            })
        },
    );
    drop(line);
    played?;
    records.sort_by_key(|record| record.pair);
    let complete = is_decided(&test) || records.len() as u64 == ours;
    Ok(PlayedMatch { records, complete })
}

fn missing(plan: &MatchPlan, records: &[PairRecord]) -> Vec<u64> {
    let done: BTreeSet<u64> = records.iter().map(|record| record.pair).collect();
    let ours = plan.shard.pairs(plan.pairs);
    ours.filter(|pair| !done.contains(pair)).collect()
}
