//! Sums over all material sets of a number of pieces, both sides to move, mirrors counted.

use anqi_rules::Color;
use anqi_tablebase::classes::{Fit, Material, Unit, Units};
use anqi_tablebase::counts::{CountsError, KeptCounts, UnitCounts};
use anqi_tablebase::solve::{Goal, SideTotals, UnitCache};
use rayon::prelude::*;

/// The limits of quiet plies whose effect is counted.
pub const LIMITS: [usize; 3] = [40, 60, 180];

/// Results of the side with more pieces.
#[derive(Clone, Copy, Default)]
pub struct Results {
    /// Won placements.
    pub won: u128,
    /// Drawn placements.
    pub drawn: u128,
    /// Lost placements.
    pub lost: u128,
}

impl Results {
    fn add(&mut self, side: &SideTotals, apart: u128) {
        self.won += u128::from(side.win) * apart;
        self.drawn += u128::from(side.draw) * apart;
        self.lost += u128::from(side.loss) * apart;
    }

    fn turned(self) -> Results {
        Results {
            won: self.lost,
            drawn: self.drawn,
            lost: self.won,
        }
    }

    /// Shares of all, in percent: won, drawn, lost.
    pub fn percent(self) -> [f64; 3] {
        let all = (self.won + self.drawn + self.lost).max(1) as f64;
        [self.won, self.drawn, self.lost].map(|part| part as f64 * 100.0 / all)
    }
}

/// One side against the other by their numbers of pieces.
#[derive(Clone, Copy, Default)]
pub struct Balance {
    /// Pieces of the side with more of them.
    pub more: usize,
    /// Pieces of the other side.
    pub fewer: usize,
    /// For the side with more pieces (red if both have as many), if it is to move.
    pub to_move: Results,
    /// The same if the other side is to move.
    pub to_wait: Results,
    /// Placements, drawn whichever side is to move.
    pub fortresses: u128,
    /// All placements.
    pub placements: u128,
    /// Sets.
    pub sets: usize,
    /// Sets in which the side with more pieces never wins, whoever is to move.
    pub hopeless: usize,
}

/// A material set and a number about it.
#[derive(Clone)]
pub struct Extreme {
    /// The set.
    pub set: String,
    /// The number.
    pub value: f64,
}

/// Everything that is found out about one number of pieces.
#[derive(Default)]
pub struct Sums {
    /// The number of pieces.
    pub pieces: usize,
    /// Sets with so many pieces.
    pub sets: usize,
    /// Won positions.
    pub wins: u128,
    /// All positions.
    pub positions: u128,
    /// Wins beyond each of [`LIMITS`].
    pub slow: [u128; 3],
    /// Wins by their distance to the next capture.
    pub wins_at: Vec<u128>,
    /// Placements that whoever is to move wins.
    pub both_win: u128,
    /// Placements that are drawn whoever is to move.
    pub both_draw: u128,
    /// Placements that whoever is to move loses.
    pub both_lose: u128,
    /// Sides with more pieces against sides with fewer.
    pub balances: Vec<Balance>,
    /// Units with their longest distances, the longest first.
    pub longest: Vec<(String, u32)>,
    /// The sets in which the move is worth most, from 0 to 2.
    pub swings: Vec<Extreme>,
    /// The sets with the greatest share of mutual zugzwang, in percent.
    pub zugzwangs: Vec<Extreme>,
    /// The sets that lose the greatest share of their wins to a limit of 60 plies, in percent.
    pub slowest: Vec<Extreme>,
}

/// Sets that are listed.
const LISTED: usize = 6;

/// Sums up the units of each number of pieces from two on.
///
/// All units are solved, within this memory, unless their counts are kept.
///
/// # Errors
///
/// Fails if a unit cannot be counted, or its counts cannot be kept.
pub fn up_to(pieces: usize, counts: &KeptCounts, memory: u64) -> Result<Vec<Sums>, CountsError> {
    let cache = UnitCache::new(pieces, memory / 4, Goal::Values)?;
    let of = |pieces: usize| {
        let units = Units::of(pieces).list();
        let mut counted: Vec<UnitCounts> = Vec::new();
        // The planes of a unit of six pieces take a gigabyte: few are solved at a time.
        for batch in units.chunks(if pieces < 6 { 64 } else { 1 }) {
            let batch: Vec<Result<UnitCounts, CountsError>> = batch
                .par_iter()
                .map(|unit| counts.counted(unit, &cache))
                .collect();
            for one in batch {
                counted.push(one?);
            }
        }
        Ok(Sums::over(pieces, units, &counted))
    };
    (2..=pieces).map(of).collect()
}

impl Sums {
    /// Sums up the units of a number of pieces.
    pub fn over(pieces: usize, units: &[Unit], counted: &[UnitCounts]) -> Sums {
        let mut sums = Sums {
            pieces,
            ..Sums::default()
        };
        for set in Material::all(pieces) {
            let fit = Fit::of(&set);
            sums.add(&set, &fit, &counted[fit.unit.number]);
        }
        let mut longest: Vec<_> = units.iter().zip(counted).collect();
        longest.sort_by_key(|(unit, counted)| (std::cmp::Reverse(counted.longest()), unit.number));
        sums.longest = longest
            .iter()
            .take(LISTED)
            .map(|(unit, counted)| (unit.to_string(), counted.longest()))
            .collect();
        for list in [&mut sums.swings, &mut sums.zugzwangs, &mut sums.slowest] {
            list.sort_by(|a, b| b.value.total_cmp(&a.value).then_with(|| a.set.cmp(&b.set)));
            list.truncate(LISTED);
        }
        sums.balances.sort_by_key(|balance| balance.more);
        sums
    }

    fn add(&mut self, set: &Material, fit: &Fit, counted: &UnitCounts) {
        let apart = set.placements() / u128::from(fit.unit.placements());
        self.sets += 1;
        for side in &counted.totals {
            self.add_side(side, apart);
        }
        let tempo = &counted.tempo;
        self.both_win += u128::from(tempo.both_win) * apart;
        self.both_draw += u128::from(tempo.both_draw) * apart;
        self.both_lose += u128::from(tempo.both_lose) * apart;
        self.add_balance(set, fit, counted, apart);
        // One of each colour swap is enough.
        if set.to_string() <= set.swapped().to_string() {
            self.add_extremes(set, counted);
        }
    }

    fn add_side(&mut self, side: &SideTotals, apart: u128) {
        self.wins += u128::from(side.win) * apart;
        self.positions += u128::from(side.win + side.draw + side.loss) * apart;
        for (slow, limit) in self.slow.iter_mut().zip(LIMITS) {
            *slow += u128::from(side.wins_beyond(limit)) * apart;
        }
        if self.wins_at.len() < side.wins_at.len() {
            self.wins_at.resize(side.wins_at.len(), 0);
        }
        for (sum, &wins) in self.wins_at.iter_mut().zip(&side.wins_at) {
            *sum += u128::from(wins) * apart;
        }
    }

    fn add_balance(&mut self, set: &Material, fit: &Fit, counted: &UnitCounts, apart: u128) {
        let (red, black) = (set.side(Color::Red), set.side(Color::Black));
        let (more, fewer) = (red.max(black), red.min(black));
        let found = self
            .balances
            .iter()
            .position(|balance| balance.more == more);
        let place = found.unwrap_or_else(|| {
            self.balances.push(Balance {
                more,
                fewer,
                ..Balance::default()
            });
            self.balances.len() - 1
        });
        let balance = &mut self.balances[place];
        let strong = if red >= black {
            Color::Red
        } else {
            Color::Black
        };
        let strong = if fit.swapped { !strong } else { strong };
        let (own, other) = (
            &counted.totals[strong.index()],
            &counted.totals[(!strong).index()],
        );
        balance.to_move.add(own, apart);
        let mut waiting = Results::default();
        waiting.add(other, apart);
        let waiting = waiting.turned();
        balance.to_wait.won += waiting.won;
        balance.to_wait.drawn += waiting.drawn;
        balance.to_wait.lost += waiting.lost;
        balance.fortresses += u128::from(counted.tempo.both_draw) * apart;
        balance.placements += set.placements();
        balance.sets += 1;
        balance.hopeless += usize::from(own.win == 0 && other.loss == 0);
    }

    fn add_extremes(&mut self, set: &Material, counted: &UnitCounts) {
        let gain = |side: &SideTotals| {
            let all = (side.win + side.draw + side.loss).max(1) as f64;
            (side.win as f64 - side.loss as f64) / all
        };
        let [first, second] = &counted.totals;
        let placements = (first.win + first.draw + first.loss).max(1) as f64;
        let extreme = |value: f64| Extreme {
            set: set.to_string(),
            value,
        };
        // What a side expects to move, less what it expects if the other is to move.
        self.swings.push(extreme(gain(first) + gain(second)));
        let zugzwang = counted.tempo.both_lose as f64 * 100.0 / placements;
        self.zugzwangs.push(extreme(zugzwang));
        let wins = (first.win + second.win).max(1) as f64;
        let beyond = (first.wins_beyond(LIMITS[1]) + second.wins_beyond(LIMITS[1])) as f64;
        self.slowest.push(extreme(beyond * 100.0 / wins));
    }

    /// Wins an odd number of plies from the next capture.
    pub fn odd(&self) -> u128 {
        self.wins_at.iter().skip(1).step_by(2).sum()
    }
}
