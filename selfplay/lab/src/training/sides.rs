//! The two sides of a split as rows that are read anew each time.

use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;

use super::example::{BestAction, Example};
use super::features::{FeatureMatrix, GameId};
use super::file::DataFault;
use super::rows::{CHUNK, Rows, work_on};
use super::settings::{FitSettings, Positions};
use super::sources::{PositionsOf, SourceError};
use super::split::{is_held_out, target};
use anqi_search::evaluation::features;

/// Records of a part, which one thread works on.
const PART: usize = 1_024;

/// A side of a split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SplitSide {
    /// Trained on.
    Training,
    /// Held out.
    HeldOut,
}

/// The positions on one side.
#[derive(Clone, Copy)]
pub struct StreamedRows<'a> {
    /// The files.
    pub sources: &'a [PositionsOf<'a>],
    /// How they are split.
    pub settings: &'a FitSettings,
    /// Which side.
    pub side: SplitSide,
}

/// How many positions and games a side has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideCount {
    /// Positions.
    pub positions: u64,
    /// Their games.
    pub games: u64,
    /// Positions of either side that are left out.
    pub left_out: u64,
}

impl StreamedRows<'_> {
    /// Reads all examples in order, parts of them on each thread.
    ///
    /// # Errors
    ///
    /// Fails if a record is invalid or cannot be read.
    fn in_parts<P: Default + Send>(
        &self,
        add: impl Fn(&mut P, &Example, GameId) + Sync,
        mut seen: impl FnMut(P),
    ) -> Result<(), SourceError> {
        let batch = PART * 4 * rayon::current_num_threads();
        for source in self.sources {
            let header = source.data.header();
            let records = header.records as usize;
            for start in (0..records).step_by(batch) {
                let range = start..(start + batch).min(records);
                let read = source.data.read(range);
                let packed = read.map_err(|fault| source.fault(fault))?;
                let parts: Result<Vec<P>, DataFault> = packed
                    .par_chunks(PART)
                    .enumerate()
                    .map(|(index, records)| {
                        let mut part = P::default();
                        for (place, record) in records.iter().enumerate() {
                            let number = start + index * PART + place + 1;
                            let example = Example::unpack(record)
                                .map_err(|error| DataFault::Record { number, error })?;
                            add(&mut part, &example, (header.seed, example.game));
                        }
                        Ok(part)
                    })
                    .collect();
                let parts = parts.map_err(|fault| source.fault(fault))?;
                parts.into_iter().for_each(&mut seen);
            }
        }
        Ok(())
    }

    fn is_left_out(&self, example: &Example) -> bool {
        self.settings.positions == Positions::Quiet && example.best == BestAction::Capture
    }

    fn has(&self, example: &Example, game: GameId) -> bool {
        let is_held_out = is_held_out(game, self.settings);
        !self.is_left_out(example) && is_held_out == (self.side == SplitSide::HeldOut)
    }

    /// Counts positions and games.
    ///
    /// # Errors
    ///
    /// Fails if a record is invalid or cannot be read.
    pub fn count(&self) -> Result<SideCount, SourceError> {
        let mut count = SideCount::default();
        let mut games = GameSet::default();
        let add = |part: &mut (Vec<GameId>, u64), example: &Example, game| {
            part.1 += u64::from(self.is_left_out(example));
            if self.has(example, game) {
                part.0.push(game);
            }
        };
        self.in_parts(add, |(part, left_out)| {
            count.positions += part.len() as u64;
            count.left_out += left_out;
            part.into_iter().for_each(|game| games.insert(game));
        })?;
        count.games = games.count;
        Ok(count)
    }

    /// Returns a number for each position of this side, in order.
    ///
    /// # Errors
    ///
    /// Fails if a record is invalid or cannot be read.
    pub fn numbers(&self, of: impl Fn(&Example) -> u64 + Sync) -> Result<Vec<u64>, SourceError> {
        let mut all = Vec::new();
        let add = |part: &mut Vec<u64>, example: &Example, game| {
            if self.has(example, game) {
                part.push(of(example));
            }
        };
        self.in_parts(add, |part| all.extend(part))?;
        Ok(all)
    }

    /// Hands all rows to `seen`, in order, parts at a time.
    fn matrices(&self, seen: impl FnMut(FeatureMatrix)) -> Result<(), SourceError> {
        let add = |part: &mut FeatureMatrix, example: &Example, game| {
            if self.has(example, game) {
                let mix = self.settings.label_mix;
                let target = target(example.searched(), example.result, mix);
                part.push(&features(&example.position), target, game);
            }
        };
        self.in_parts(add, seen)
    }
}

impl Rows for StreamedRows<'_> {
    type Error = SourceError;

    fn in_chunks<T: Send>(
        &self,
        work: impl Fn(&FeatureMatrix, Range<usize>) -> T + Sync,
        mut seen: impl FnMut(T),
    ) -> Result<(), SourceError> {
        let enough = CHUNK * rayon::current_num_threads();
        let mut pending = FeatureMatrix::default();
        self.matrices(|part| {
            pending.append(&part);
            if pending.len() >= enough {
                let whole = pending.len() / CHUNK * CHUNK;
                work_on(&pending, 0..whole, &work, &mut seen);
                pending = pending.rows_in(whole..pending.len());
            }
        })?;
        work_on(&pending, 0..pending.len(), &work, &mut seen);
        Ok(())
    }
}

/// A set of games, a bit for each number that may occur.
#[derive(Debug, Default)]
struct GameSet {
    words: HashMap<u64, Vec<u64>>,
    count: u64,
}

impl GameSet {
    fn insert(&mut self, (seed, game): GameId) {
        let words = self.words.entry(seed).or_default();
        let (word, bit) = ((game / u64::BITS) as usize, 1 << (game % u64::BITS));
        if words.len() <= word {
            words.resize(word + 1, 0);
        }
        self.count += u64::from(words[word] & bit == 0);
        words[word] |= bit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_count_once_for_each_seed() {
        let mut games = GameSet::default();
        for game in [(1, 0), (1, 64), (2, 0), (1, 0), (1, 63), (2, 0)] {
            games.insert(game);
        }
        assert_eq!(games.count, 4);
    }
}
