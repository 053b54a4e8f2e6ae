//! The live line of a match: its progress, its score and the time left.

use std::time::Duration;

use crate::live::{Status, clock_face, time_left};
use crate::record::PairRecord;
use crate::report::text::{elo, fixed};
use crate::sequential::{Analysis, Tally};
use crate::side::Side;

/// What the live line of a match shows besides its results.
#[derive(Clone, Debug, Default)]
pub struct Caption {
    /// What comes first, such as the number of an encounter.
    pub prefix: String,
    /// The players.
    pub label: String,
    /// Pairs that are to be played after this match.
    pub later_pairs: u64,
}

/// The state of a match.
#[derive(Debug)]
pub struct Progress {
    caption: Caption,
    tally: Tally,
    /// Games that A has won, drawn and lost.
    games: [u64; 3],
    resumed: u64,
    target: u64,
    analysis: Analysis,
}

impl Progress {
    /// Begins with the pairs already played.
    pub fn new(
        caption: Caption,
        resumed: &[PairRecord],
        target: u64,
        analysis: Analysis,
    ) -> Progress {
        let mut progress = Progress {
            caption,
            tally: Tally::new(analysis.coefficient),
            games: [0; 3],
            resumed: resumed.len() as u64,
            target,
            analysis,
        };
        resumed.iter().for_each(|record| progress.add(record));
        progress
    }

    /// Counts a finished pair.
    pub fn add(&mut self, record: &PairRecord) {
        self.tally.add(record.half_points_a(), record.result());
        for game in &record.games {
            let place = match game.verdict.winner {
                Some(Side::A) => 0,
                None => 1,
                Some(Side::B) => 2,
            };
            self.games[place] += 1;
        }
    }

    fn times(&self, elapsed: Duration) -> String {
        let pairs = self.tally.counts.pairs();
        let played = pairs - self.resumed;
        let left = self.target.saturating_sub(pairs);
        let Some(rest) = time_left(elapsed, played, left) else {
            return format!("{} so far", clock_face(elapsed));
        };
        let mut text = format!("left {}", clock_face(rest));
        if self.caption.later_pairs > 0 {
            let all = time_left(elapsed, played, left + self.caption.later_pairs);
            text += &all.map_or_else(String::new, |all| format!(" of {}", clock_face(all)));
        }
        text
    }
}

impl Status for Progress {
    fn parts(&self, elapsed: Duration) -> Vec<String> {
        let pairs = self.tally.counts.pairs();
        let [won, drawn, lost] = self.games;
        let mut parts = vec![
            format!("{}{pairs}/{} pairs", self.caption.prefix, self.target),
            format!("W-D-L {won}-{drawn}-{lost}"),
        ];
        if pairs > 0 {
            parts.push(format!("Elo {}", elo(&self.tally.counts, 0)));
        }
        parts.push(self.times(elapsed));
        if let Some(sprt) = &self.analysis.sprt {
            let state = self.tally.state(sprt);
            let bounds = format!("[{}, {}]", fixed(state.lower, 2), fixed(state.upper, 2));
            parts.push(format!("LLR {} {bounds}", fixed(state.llr, 2)));
        }
        parts.push(self.caption.label.clone());
        let games = 2.0 * (pairs - self.resumed) as f64;
        let rate = games / elapsed.as_secs_f64().max(1e-9);
        let decimals = if rate < 10.0 { 2 } else { 0 };
        parts.push(format!("{} games/s", fixed(rate, decimals)));
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::pentanomial::Pentanomial;

    fn progress(counts: [u64; 5], games: [u64; 3]) -> Progress {
        let caption = Caption {
            label: "basic – enhance".to_owned(),
            ..Caption::default()
        };
        Progress {
            tally: Tally {
                counts: Pentanomial(counts),
                ..Tally::default()
            },
            games,
            ..Progress::new(caption, &[], 100, Analysis::default())
        }
    }

    #[test]
    fn the_line_says_how_far_how_good_and_how_long() {
        let parts = progress([5, 6, 8, 4, 2], [14, 12, 24]).parts(Duration::from_secs(25));
        assert_eq!(
            parts.join("  "),
            "25/100 pairs  W-D-L 14-12-24  Elo −56 ± 87  left 1:15  basic – enhance  2.00 games/s"
        );
    }

    #[test]
    fn it_speaks_before_the_first_pair_has_ended() {
        let parts = progress([0; 5], [0; 3]).parts(Duration::from_secs(3));
        assert_eq!(
            parts.join("  "),
            "0/100 pairs  W-D-L 0-0-0  0:03 so far  basic – enhance  0.00 games/s"
        );
    }

    #[test]
    fn an_encounter_of_a_tournament_says_where_the_tournament_is() {
        let mut progress = progress([0, 0, 25, 0, 0], [20, 10, 20]);
        progress.caption.prefix = "encounter 2/3: ".to_owned();
        progress.caption.later_pairs = 100;
        let parts = progress.parts(Duration::from_secs(25));
        assert_eq!(parts[0], "encounter 2/3: 25/100 pairs");
        assert_eq!(parts[3], "left 1:15 of 2:55");
    }
}
