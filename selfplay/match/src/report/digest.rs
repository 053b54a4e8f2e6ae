//! What a report shows of single games: a part that does not grow with the match.

use std::collections::BTreeMap;

use super::plot::RunningPoint;
use super::viewer::MOST_GAMES;
use crate::record::{GameRecord, PairRecord};
use crate::side::Side;
use crate::statistics::adjusted::PairResult;
use crate::statistics::moments::Sample;
use crate::statistics::normal::Z_95;
use crate::statistics::pentanomial::Pentanomial;

/// Details of faults that are shown.
const MOST_FAULTS: usize = 3;
/// Points of the running plot; more cannot be distinguished on a screen.
const RUNNING_POINTS: usize = 400;

/// What a report shows of single games.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    /// The first pairs, whose games a page shows.
    pub first: Vec<PairRecord>,
    /// The first details of faults, with the side at fault.
    pub faults: Vec<(Side, String)>,
    /// Games by length: those that A won, that were drawn, that B won.
    pub lengths: BTreeMap<usize, [u64; 3]>,
    /// The running advantage ratio of A.
    pub running: Vec<RunningPoint>,
}

impl Digest {
    /// Counts the next pair.
    pub fn add(&mut self, record: &PairRecord) {
        if 2 * self.first.len() < MOST_GAMES {
            self.first.push(record.clone());
        }
        for game in &record.games {
            let kind = match game.verdict.winner {
                Some(Side::A) => 0,
                None => 1,
                Some(Side::B) => 2,
            };
            self.lengths.entry(game.length()).or_default()[kind] += 1;
            if self.faults.len() < MOST_FAULTS {
                self.faults.extend(fault(game));
            }
        }
    }

    /// Adds the course of the match from the results of its pairs.
    pub fn with_course(
        mut self,
        pairs: usize,
        results: impl Iterator<Item = PairResult>,
    ) -> Digest {
        let every = pairs.div_ceil(RUNNING_POINTS).max(1);
        let (mut sample, mut counts) = (Sample::default(), Pentanomial::default());
        for (index, result) in results.enumerate() {
            let ratio = 4.0 * result.score;
            sample.add(ratio);
            counts.add(ratio as u64);
            if (index + 1) % every == 0 || index + 1 == pairs {
                self.running.extend(running_point(&sample, &counts));
            }
        }
        self
    }
}

/// Returns the running ratio and its 95 % band after two pairs or more.
fn running_point(sample: &Sample, counts: &Pentanomial) -> Option<RunningPoint> {
    let estimate = sample.estimate()?;
    let error = estimate.standard_error?;
    let half_width = match counts.interval_without_spread() {
        // A ratio goes from 0 to 4 where a mean score goes from 0 to 1.
        Some(ends) => {
            let [low, high] = ends.map(|score| 4.0 * score);
            (estimate.mean - low).max(high - estimate.mean)
        }
        None => Z_95 * error,
    };
    Some(RunningPoint {
        pairs: sample.count(),
        mean: estimate.mean,
        half_width,
    })
}

/// Returns the side at fault in a game, and the details.
fn fault(game: &GameRecord) -> Option<(Side, String)> {
    let culprit = !game.verdict.winner?;
    Some((culprit, game.verdict.detail.clone()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Reason, Timing, Verdict};
    use crate::side::BySide;

    /// A pair that A wins by a fault of B.
    fn pair(pair: u64) -> PairRecord {
        let game = |starter| GameRecord {
            opening: None,
            starter,
            starter_color: None,
            verdict: Verdict::fault(Side::B, Reason::Crash, "it crashed"),
            nodes: BySide::default(),
            last_values: BySide::default(),
            plies: "a1 ".repeat(pair as usize % 7),
        };
        PairRecord {
            pair,
            games: [game(Side::A), game(Side::B)],
            timing: [Timing::default(); 2],
            luck: None,
        }
    }

    #[test]
    fn a_digest_of_many_pairs_is_no_larger_than_a_page_shows() {
        let mut digest = Digest::default();
        (0..3_000).for_each(|number| digest.add(&pair(number)));
        let won = PairResult {
            score: 1.0,
            luck: 0.0,
        };
        let digest = digest.with_course(3_000, std::iter::repeat_n(won, 3_000));
        assert_eq!(2 * digest.first.len(), MOST_GAMES);
        assert_eq!(digest.faults.len(), MOST_FAULTS);
        assert_eq!(digest.lengths.len(), 7);
        assert_eq!(
            digest.lengths.values().map(|games| games[0]).sum::<u64>(),
            6_000
        );
        assert!(digest.running.len() <= RUNNING_POINTS);
        // All pairs ended alike: the band is what their number leaves open, never nothing.
        assert!(digest.running.iter().all(|point| point.half_width > 0.0));
    }
}
