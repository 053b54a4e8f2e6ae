//! The ablation: what each technique of the champion saves.
//!
//! The champion searches the bench positions to a fixed depth, once whole and once with each
//! technique switched off; nodes and time are compared. A variant can need thousands of times
//! as many nodes, so it gives up on a position after a multiple of the whole champion's; its
//! count is then a lower bound.
//!
//! Two figures compare a variant with the whole: the ratio of the sums, in
//! which large positions weigh most, and the geometric mean of the positions'
//! ratios, in which all weigh the same. In the mean, nodes below [`LEAST_NODES`]
//! and times below [`LEAST_TIME`] are raised to these floors, so that trivial
//! positions decide nothing. Node counts of one thread are reproducible; times
//! are not.

use anqi_rules::{Action, Game, Rules};
use anqi_search::players::{DEFAULT, by_spec};
use anqi_search::spec::SpecError;
use anqi_search::{Choice, Limits, Player, Request, Stop};
use std::time::{Duration, Instant};

/// The positions of `anqi bench`.
const POSITIONS: &str = include_str!("../../../engine/app/src/bench/positions.txt");
/// Seeds the players' random choices, as in `anqi bench`.
const SEED: u64 = 1;
/// Floor of the nodes in the mean of ratios; smaller counts are noise.
const LEAST_NODES: u64 = 1_000;
/// Floor of the time in that mean.
const LEAST_TIME: Duration = Duration::from_micros(200);
/// The node limit of a variant on a position is at least this.
const LEAST_NODE_LIMIT: u64 = 100_000;

/// The champion with one technique switched off, or with something added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variant {
    /// The difference, in words.
    pub what: &'static str,
    /// The difference, as a setting of the champion; empty for none.
    pub setting: &'static str,
}

/// The champion as it is.
pub const WHOLE: Variant = variant("nothing switched off", "");

/// The variants: the one list of the champion's techniques.
pub const VARIANTS: &[Variant] = &[
    variant("Star1", "star1=off"),
    variant("Star2", "star2=off"),
    variant("outcomes by shares", "share-depth=0"),
    variant("hash table", "hash=0"),
    variant("chance nodes in it", "chance-table=off"),
    variant("killers and history", "killers=off"),
    variant("merit lost", "malus=off"),
    variant("reductions", "reductions=off"),
    variant("table move guessed", "guess-depth=0"),
    variant("reverse futility", "futility=0"),
    variant("late moves left out", "late-moves=0"),
    variant("quiescence", "quiescence=off"),
    variant("losing captures", "exchange=off"),
    variant("aspiration", "aspiration=off"),
    variant("flips: few squares", "flip-squares=0"),
    variant("flips: extra plies", "flip-cost=0"),
    variant("flips: more for each", "flip-further=0"),
    variant("flips: with depth left", "flip-depth=0"),
    variant("flips: by a margin", "flip-margin=0"),
    variant("flips: passing", "pass=off"),
    variant("endgame tables", "tables=0"),
    variant("five pieces by value", "probe-depth=0"),
    variant("all that is inexact", "exact=on"),
    variant("second thread added", "threads=2"),
];

const fn variant(what: &'static str, setting: &'static str) -> Variant {
    Variant { what, setting }
}

impl Variant {
    /// Makes the player.
    ///
    /// # Errors
    ///
    /// Fails if the champion has no such setting.
    pub fn player(&self) -> Result<Box<dyn Player>, SpecError> {
        match self.setting {
            "" => by_spec(DEFAULT),
            setting => by_spec(&format!("{DEFAULT}:{setting}")),
        }
    }

    /// Returns the number of threads that share a node limit.
    fn threads(&self) -> u64 {
        let mut settings = self.setting.split(',');
        let threads = settings.find_map(|setting| setting.strip_prefix("threads="));
        threads.and_then(|n| n.parse().ok()).unwrap_or(1)
    }
}

/// The nodes and time of one player on one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionResult {
    /// The chosen action.
    pub action: Action,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// How the search ended.
    pub end: End,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The depth was reached, or a shallower result was certain.
    Finished,
    /// The node limit came first.
    GaveUp,
}

/// A total, and how it compares with the whole champion's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ComparedTotal<T> {
    /// The sum over all positions.
    pub total: T,
    /// The total as a multiple of the whole champion's.
    pub of_sum: f64,
    /// The geometric mean of the positions' ratios.
    pub of_each: f64,
}

/// The nodes and time of a variant on all positions.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The variant.
    pub variant: Variant,
    /// Positions visited.
    pub nodes: ComparedTotal<u64>,
    /// Time taken.
    pub time: ComparedTotal<Duration>,
    /// Positions on which it chose the whole champion's action.
    pub same_action: usize,
    /// Positions on which it gave up; if any, all figures are lower bounds.
    pub gave_up: usize,
    /// The positions one by one.
    pub results: Vec<PositionResult>,
}

/// Measures the champion and all variants to a depth and reports each to `visit`.
///
/// A variant gives up on a position after `patience` times the whole's nodes.
///
/// # Errors
///
/// Fails if the champion lacks a setting, before anything is measured, or with
/// the first error of `visit`.
pub fn run<E: From<SpecError>>(
    depth: u32,
    patience: u64,
    mut visit: impl FnMut(&Comparison) -> Result<(), E>,
) -> Result<(), E> {
    let players: Result<Vec<_>, _> = VARIANTS.iter().map(Variant::player).collect();
    let whole = measure(&mut *WHOLE.player()?, &WHOLE, depth, None);
    visit(&row(WHOLE, &whole, whole.clone()))?;
    let granted: Vec<u64> = whole
        .iter()
        .map(|look| look.nodes.saturating_mul(patience).max(LEAST_NODE_LIMIT))
        .collect();
    for (&variant, mut player) in VARIANTS.iter().zip(players?) {
        let results = measure(&mut *player, &variant, depth, Some(&granted));
        visit(&row(variant, &whole, results))?;
    }
    Ok(())
}

/// Returns the games of the bench; the last position of each is searched.
fn games() -> Vec<Game> {
    let lines = POSITIONS.lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            Game::from_text(line, Rules::OLYMPIAD)
                .expect("the bench positions are tested to be legal")
        })
        .collect()
}

/// Resets the player, then searches the last position of a game with it.
fn look(player: &mut dyn Player, game: &Game, limits: Limits) -> (Choice, Duration) {
    if let Err(error) = player.prepare(game.rules()) {
        eprintln!("lab: {error}");
    }
    player.new_game();
    let stop = Stop::new();
    let request = Request {
        game,
        among: None,
        limits,
        seed: SEED,
        stop: &stop,
    };
    let start = Instant::now();
    let choice = player.choose(&request, &mut |_| {});
    let elapsed = start.elapsed();
    if let Some(warning) = player.take_warning() {
        eprintln!("lab: {warning}");
    }
    (choice, elapsed)
}

/// Searches every position; `granted` holds the node limits.
fn measure(
    player: &mut dyn Player,
    variant: &Variant,
    depth: u32,
    granted: Option<&[u64]>,
) -> Vec<PositionResult> {
    let one = |(index, game)| {
        let nodes = granted.map(|granted| granted[index]);
        let limits = Limits {
            depth: Some(depth),
            nodes,
            ..Limits::NONE
        };
        let (choice, time) = look(player, &game, limits);
        // A shallower search is finished too if its result is certain or its action the only one.
        let spent = nodes.is_some_and(|nodes| choice.nodes >= nodes / variant.threads());
        PositionResult {
            action: choice.action,
            nodes: choice.nodes,
            time,
            end: if spent && choice.depth < depth {
                End::GaveUp
            } else {
                End::Finished
            },
        }
    };
    games().into_iter().enumerate().map(one).collect()
}

fn row(variant: Variant, whole: &[PositionResult], results: Vec<PositionResult>) -> Comparison {
    let pairs = || results.iter().zip(whole);
    let seconds = |look: &PositionResult| look.time.as_secs_f64();
    let total = |results: &[PositionResult]| results.iter().map(|look| look.nodes).sum::<u64>();
    let total_time =
        |results: &[PositionResult]| results.iter().map(|look| look.time).sum::<Duration>();
    let floor = LEAST_TIME.as_secs_f64();
    let node_ratio = |(look, whole): (&PositionResult, &PositionResult)| {
        look.nodes.max(LEAST_NODES) as f64 / whole.nodes.max(LEAST_NODES) as f64
    };
    let time_ratio = |(look, whole): (&PositionResult, &PositionResult)| {
        seconds(look).max(floor) / seconds(whole).max(floor)
    };
    Comparison {
        variant,
        nodes: ComparedTotal {
            total: total(&results),
            of_sum: total(&results) as f64 / total(whole).max(1) as f64,
            of_each: geometric_mean(pairs().map(node_ratio)),
        },
        time: ComparedTotal {
            total: total_time(&results),
            of_sum: total_time(&results).as_secs_f64() / total_time(whole).as_secs_f64().max(floor),
            of_each: geometric_mean(pairs().map(time_ratio)),
        },
        same_action: pairs().filter(|(a, b)| a.action == b.action).count(),
        gave_up: results
            .iter()
            .filter(|look| look.end == End::GaveUp)
            .count(),
        results,
    }
}

fn geometric_mean(ratios: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = ratios.len().max(1) as f64;
    (ratios.map(f64::ln).sum::<f64>() / count).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_is_another_player() {
        let whole = WHOLE.player().unwrap().spec();
        for variant in VARIANTS {
            let spec = variant.player().unwrap().spec();
            assert_ne!(spec, whole, "{variant:?}");
        }
    }

    #[test]
    fn the_whole_is_once_itself() {
        let mut rows = Vec::new();
        run::<SpecError>(1, 2, |row| {
            rows.push(row.clone());
            Ok(())
        })
        .unwrap();
        assert_eq!(rows.len(), VARIANTS.len() + 1);
        let whole = &rows[0];
        assert_eq!((whole.nodes.of_sum, whole.nodes.of_each), (1.0, 1.0));
        assert_eq!((whole.same_action, whole.gave_up), (whole.results.len(), 0));
    }

    #[test]
    fn giving_up_is_told_and_bounds_the_work() {
        let exact = VARIANTS.iter().find(|v| v.setting == "exact=on").unwrap();
        let (depth, granted) = (5, [3_000; 17]);
        assert_eq!(games().len(), granted.len());
        for variant in [*exact, variant("", "threads=2,exact=on")] {
            let mut player = variant.player().unwrap();
            let results = measure(player.as_mut(), &variant, depth, Some(&granted));
            assert_eq!(results[0].end, End::GaveUp, "{:?}", results[0]);
            // Helper threads keep counting until the main thread stops them.
            let bounded = results[0].nodes <= 3_000 || variant.threads() > 1;
            assert!(bounded, "{:?}", results[0]);
            // Tables decide the last position without a search.
            let last = results[results.len() - 1];
            assert_eq!((last.end, last.nodes), (End::Finished, 0));
        }
    }

    #[test]
    fn every_technique_of_the_champion_has_a_variant() {
        // Has no effect while quiescence search is on.
        let without_effect = "leaf-flips=off";
        for setting in anqi_search::players::techniques() {
            let has_variant = VARIANTS.iter().any(|variant| variant.setting == setting);
            assert!(has_variant || setting == without_effect, "{setting}");
        }
    }

    #[test]
    fn ratios_are_of_sums_and_of_each() {
        let look = |nodes, micros| PositionResult {
            action: "a1-a2".parse().unwrap(),
            nodes,
            time: Duration::from_micros(micros),
            end: End::Finished,
        };
        let whole = [look(1_000, 200), look(9_000, 1_800), look(0, 0)];
        let other = vec![look(8_000, 1_600), look(9_000, 900), look(900, 100)];
        let row = row(VARIANTS[0], &whole, other);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert_eq!(row.nodes.total, 17_900);
        assert!(close(row.nodes.of_sum, 1.79), "{row:?}");
        assert!(close(row.nodes.of_each, 2.0), "{row:?}");
        assert!(close(row.time.of_sum, 1.3), "{row:?}");
        assert!(close(row.time.of_each, 4f64.cbrt()), "{row:?}");
        assert_eq!(row.same_action, 3);
    }
}
