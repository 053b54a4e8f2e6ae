//! The running sums from which a summary follows, one pair at a time.
//!
//! Nothing here grows with the number of pairs: a match of millions is summed up while its
//! records stream by.

use std::collections::BTreeMap;

use anqi_rules::Color;

use super::{AHEAD, Lengths, ReasonCount, Summary, Times, WithoutLuck};
use crate::record::{GameRecord, PairRecord, Reason};
use crate::sequential::{Analysis, Tally};
use crate::side::{BySide, Side};
use crate::statistics::adjusted::PairResult;
use crate::statistics::elo;
use crate::statistics::moments::{PairedSample, Sample};
use crate::statistics::score_table::ScoreTable;

/// Sums over pairs, which come in the order of their numbers.
#[derive(Clone, Debug)]
pub struct SummaryTally {
    analysis: Analysis,
    test: Tally,
    table: ScoreTable,
    scores: PairedSample,
    reasons: BTreeMap<Reason, ReasonCount>,
    starter: Sample,
    red: Sample,
    lengths: LengthSums,
    drawn_ahead: BySide<u64>,
    nodes: BySide<u64>,
    moves: BySide<usize>,
    appraiser: Appraised,
}

/// Who has measured the luck so far.
#[derive(Clone, Debug)]
enum Appraised {
    Nothing,
    AllBy(String),
    NotAll,
}

/// Sums over the lengths of games.
#[derive(Clone, Debug, Default)]
struct LengthSums {
    games: usize,
    plies: usize,
    ends: Option<(usize, usize)>,
}

impl SummaryTally {
    /// Begins before the first pair.
    pub fn new(analysis: &Analysis) -> SummaryTally {
        SummaryTally {
            analysis: *analysis,
            test: Tally::new(analysis.coefficient),
            table: ScoreTable::default(),
            scores: PairedSample::default(),
            reasons: BTreeMap::new(),
            starter: Sample::default(),
            red: Sample::default(),
            lengths: LengthSums::default(),
            drawn_ahead: BySide::default(),
            nodes: BySide::default(),
            moves: BySide::default(),
            appraiser: Appraised::Nothing,
        }
    }

    /// Counts the next pair.
    pub fn add(&mut self, record: &PairRecord) {
        self.test.add(record.half_points_a(), record.result());
        self.scores
            .add([0, 1].map(|i| score(&record.games[i], Side::A)));
        self.appraiser.add(record);
        if let Some(mean) = pair_mean(record, |game| Some(game.starter)) {
            self.starter.add(mean);
        }
        if let Some(mean) = pair_mean(record, red_side) {
            self.red.add(mean);
        }
        for game in &record.games {
            self.add_game(game);
        }
    }

    fn add_game(&mut self, game: &GameRecord) {
        self.table.add(game.starter, game.verdict.winner);
        let count = self.reasons.entry(game.verdict.reason).or_default();
        match game.verdict.winner {
            Some(Side::A) => count.a_wins += 1,
            Some(Side::B) => count.b_wins += 1,
            None => count.draws += 1,
        }
        let length = game.length();
        self.lengths.add(length);
        for side in Side::ALL {
            let is_ahead = game.last_values[side].is_some_and(|value| value > AHEAD);
            let is_drawn = game.verdict.winner.is_none();
            self.drawn_ahead[side] += u64::from(is_drawn && is_ahead);
            self.nodes[side] += game.nodes[side];
            self.moves[side] += game.moves_of(side, length);
        }
    }

    /// Returns all figures; `results` are those of the same pairs, in the same order.
    pub fn finish(self, results: impl Iterator<Item = PairResult> + Clone) -> Summary {
        let pentanomial = self.test.counts;
        let pairing = self.scores.pairing();
        let without_luck = match self.appraiser {
            Appraised::AllBy(appraiser) => {
                WithoutLuck::new(appraiser, results, self.analysis.coefficient, &pairing)
            }
            Appraised::Nothing | Appraised::NotAll => None,
        };
        Summary {
            table: self.table,
            pentanomial,
            elo: elo::logistic(&pentanomial),
            elo_interval: elo::interval(&pentanomial),
            normalized_elo: elo::normalized(&pentanomial),
            superiority: elo::likelihood_of_superiority(&pentanomial),
            pairing,
            starter_score: self.starter.estimate(),
            red_score: self.red.estimate(),
            lengths: self.lengths.lengths(),
            reasons: self.reasons,
            drawn_ahead: self.drawn_ahead,
            nodes_per_move: BySide::from_fn(|side| {
                let moves = self.moves[side];
                (moves > 0).then(|| self.nodes[side] as f64 / moves as f64)
            }),
            without_luck,
            sprt: self.analysis.sprt.map(|sprt| self.test.state(&sprt)),
        }
    }
}

impl Summary {
    /// Computes all figures. The records must be sorted by pair.
    pub fn new(records: &[PairRecord], analysis: &Analysis) -> Summary {
        let mut tally = SummaryTally::new(analysis);
        records.iter().for_each(|record| tally.add(record));
        tally.finish(records.iter().map(PairRecord::result))
    }
}

impl Appraised {
    fn add(&mut self, record: &PairRecord) {
        let found = record.luck.as_ref().map(|luck| luck.appraiser.as_str());
        match (&*self, found) {
            (Appraised::Nothing, Some(name)) => *self = Appraised::AllBy(name.to_owned()),
            (Appraised::AllBy(name), Some(found)) if name == found => {}
            _ => *self = Appraised::NotAll,
        }
    }
}

impl LengthSums {
    fn add(&mut self, length: usize) {
        self.games += 1;
        self.plies += length;
        let (shortest, longest) = self.ends.unwrap_or((length, length));
        self.ends = Some((shortest.min(length), longest.max(length)));
    }

    fn lengths(&self) -> Option<Lengths> {
        let (shortest, longest) = self.ends?;
        Some(Lengths {
            mean: self.plies as f64 / self.games as f64,
            shortest,
            longest,
        })
    }
}

fn score(game: &GameRecord, side: Side) -> f64 {
    game.verdict.half_points(side) as f64 / 2.0
}

fn red_side(game: &GameRecord) -> Option<Side> {
    Side::ALL
        .into_iter()
        .find(|&side| game.color(side) == Some(Color::Red))
}

/// Returns the mean score of a seat, such as red, in a pair; `who` finds its side.
fn pair_mean(record: &PairRecord, who: impl Fn(&GameRecord) -> Option<Side>) -> Option<f64> {
    let scores = record
        .games
        .iter()
        .filter_map(|game| Some(score(game, who(game)?)));
    Some(scores.collect::<Sample>().estimate()?.mean)
}

/// Sums of times over pairs.
#[derive(Clone, Copy, Debug, Default)]
pub struct TimesTally {
    total_us: u64,
    thinking_us: BySide<u64>,
    moves: BySide<usize>,
}

impl TimesTally {
    /// Counts a pair.
    pub fn add(&mut self, record: &PairRecord) {
        for (game, timing) in record.games.iter().zip(&record.timing) {
            self.total_us += timing.total_us;
            let length = game.length();
            for side in Side::ALL {
                self.thinking_us[side] += timing.thinking_us[side];
                self.moves[side] += game.moves_of(side, length);
            }
        }
    }

    /// Returns the figures.
    pub fn finish(self) -> Times {
        let thinking = self.thinking_us.a + self.thinking_us.b;
        let idle = self.total_us.saturating_sub(thinking);
        Times {
            ms_per_move: BySide::from_fn(|side| {
                let moves = self.moves[side];
                (moves > 0).then(|| self.thinking_us[side] as f64 / 1e3 / moves as f64)
            }),
            game_seconds: self.total_us as f64 / 1e6,
            overhead: (self.total_us > 0).then(|| idle as f64 / self.total_us as f64),
        }
    }
}
