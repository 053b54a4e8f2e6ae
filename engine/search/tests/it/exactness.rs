//! The pruned search against the plain one: equal values at equal depth.

use crate::positions::{ENDLESS, random_positions, small_table};
use anqi_rules::{Game, Position};
use anqi_search::budget::Budget;
use anqi_search::evaluation::{Evaluation, Network, PlainEvaluation, Weights};
use anqi_search::expectimax::{Expectimax, Flips, Kinds, PlainSettings};
use anqi_search::random::Chance;
use anqi_search::score::WIN;
use anqi_search::thinking::Task;
use anqi_search::threads::think;
use anqi_search::transposition::Table;
use anqi_search::tree::Settings;
use anqi_search::{Limits, Stop};

/// The value by plain expectimax, and the nodes it took; `None` if it takes too many.
fn plain(position: &Position, depth: u32, most_nodes: u64) -> Option<(i32, u64)> {
    plain_by(PlainEvaluation::Full, position, depth, most_nodes)
}

fn plain_by(
    evaluation: PlainEvaluation,
    position: &Position,
    depth: u32,
    most_nodes: u64,
) -> Option<(i32, u64)> {
    let stop = Stop::new();
    let limits = Limits {
        nodes: Some(most_nodes),
        ..Limits::NONE
    };
    let mut budget = Budget::new(&limits, &stop);
    let mut chance = Chance::new(0, position);
    let settings = PlainSettings {
        evaluation,
        flips: Flips::Everywhere,
        kinds: Kinds::All,
    };
    let mut search = Expectimax::new(settings, &mut budget, &mut chance);
    let (_, value) = search.best_action(position, &position.actions(), depth)?;
    Some((value, budget.nodes()))
}

/// The value by the pruned search, deepened ply by ply.
fn pruned(
    position: &Position,
    depth: u32,
    settings: Settings,
    table: Option<&Table>,
    threads: usize,
) -> i32 {
    let evaluation = Evaluation::Linear(Weights::built_in().clone());
    pruned_by(&evaluation, position, depth, settings, table, threads)
}

fn pruned_by(
    evaluation: &Evaluation,
    position: &Position,
    depth: u32,
    settings: Settings,
    table: Option<&Table>,
    threads: usize,
) -> i32 {
    let game = Game::new(*position, ENDLESS);
    let stop = Stop::new();
    let task = Task {
        game: &game,
        among: None,
        settings,
        limits: Limits {
            depth: Some(depth),
            ..Limits::NONE
        },
        seed: 1,
        stop: &stop,
        table,
        endgames: None,
        root_endgames: None,
        carried: None,
        evaluation,
        delays: None,
        threads,
    };
    let thought = think(&task, |_, _| {});
    // Deepening stops early at a proven value: that of the depth at which it was found.
    thought.best[0].found.value
}

#[test]
fn pruned_values_equal_plain_values_with_the_network() {
    let learned = Evaluation::Learned(Network::built_in().clone());
    let count = if cfg!(debug_assertions) { 24 } else { 1_000 };
    let mut compared = 0;
    for position in random_positions(count, 220, 12) {
        if position.actions().len() == 1 {
            continue;
        }
        for depth in 1..=3 {
            let Some((value, _)) = plain_by(PlainEvaluation::Learned, &position, depth, 3_000)
            else {
                break;
            };
            let table = small_table();
            let found = pruned_by(&learned, &position, depth, Settings::EXACT, Some(&table), 1);
            assert_eq!(found, value, "depth {depth}: {position}");
            compared += 1;
            if value.abs() > WIN - 1_000 {
                break;
            }
        }
    }
    assert!(compared > count / 2, "{compared}");
}

#[test]
fn pruned_values_equal_plain_values() {
    let count = if cfg!(debug_assertions) { 600 } else { 5_000 };
    let without_star = Settings {
        star1: false,
        star2: false,
        ..Settings::EXACT
    };
    let mut compared = [0; 5];
    let positions = random_positions(count, 220, 11);
    // A forced action is played without a deeper search.
    let open = |position: &&Position| position.actions().len() > 1;
    for (index, position) in positions.iter().filter(open).enumerate() {
        for depth in 1..=4u32 {
            let Some((value, _)) = plain(position, depth, 15_000) else {
                break;
            };
            let table = small_table();
            let check = |name: &str, found: i32| {
                assert_eq!(
                    found, value,
                    "{name} at depth {depth}, position {index}: {position}"
                );
            };
            check(
                "no table",
                pruned(position, depth, Settings::EXACT, None, 1),
            );
            check(
                "table",
                pruned(position, depth, Settings::EXACT, Some(&table), 1),
            );
            let shared = small_table();
            check(
                "two threads",
                pruned(position, depth, Settings::EXACT, Some(&shared), 2),
            );
            check(
                "plain windows",
                pruned(position, depth, without_star, Some(&small_table()), 1),
            );
            compared[depth as usize] += 1;
            if value.abs() > WIN - 1_000 {
                break;
            }
        }
    }
    println!("compared at depths 1 to 4: {:?}", &compared[1..]);
    assert!(
        compared[2] > count / 10 && compared[4] > count / 20,
        "{compared:?}"
    );
}
