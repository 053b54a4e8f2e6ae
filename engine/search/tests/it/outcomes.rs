//! The outcomes of ranked flips: they come from the search that valued the flip, and average to it.

use crate::positions::{random_positions, small_table};
use crate::searches::{self, Aids};
use crate::twin::Twin;
use anqi_rules::{Game, Ply, Rules};
use anqi_search::score::UNPROVEN_BOUND;
use anqi_search::thinking::Thought;
use anqi_search::transposition::Table;
use anqi_search::tree::Settings;
use anqi_search::{Limits, Request, Score, Stop, players};
use std::num::NonZeroU32;

fn search(game: &Game, settings: Settings, limits: Limits, table: &Table) -> Thought {
    let aids = Aids {
        table: Some(table),
        ..Aids::default()
    };
    searches::search(game, settings, limits, aids)
}

#[test]
fn outcomes_average_to_the_value_of_their_flip_and_actions_are_in_the_order_of_values() {
    let stop = Stop::new();
    let (mut flips, mut proven) = (0, 0);
    for (number, position) in random_positions(100, 90, 11).into_iter().enumerate() {
        let game = Game::new(position, Rules::OLYMPIAD);
        let mut player = players::by_spec("champion:hash=1").expect("a player");
        let limits = Limits {
            nodes: Some([300, 2_000, 6_000][number % 3]),
            multipv: [1, 3, 8][number / 3 % 3],
            outcomes: true,
            ..Limits::NONE
        };
        let request = Request {
            game: &game,
            among: None,
            limits,
            seed: 1,
            stop: &stop,
        };
        let choice = player.choose(&request, &mut |_| {});
        let worth = |score: Score| score.expected_result();
        let order = |pair: &[f64]| pair[0] >= pair[1];
        let values: Vec<f64> = choice.ranked.iter().map(|r| worth(r.score)).collect();
        assert!(values.windows(2).all(order), "{position}: {values:?}");
        assert_eq!(choice.action, choice.ranked[0].action);
        for ranked in choice.ranked.iter().filter(|r| !r.outcomes.is_empty()) {
            assert!(ranked.action.is_flip());
            let mut told: Vec<_> = ranked
                .outcomes
                .iter()
                .map(|o| (o.piece, o.weight))
                .collect();
            let mut all: Vec<_> = position.reveals().map(|r| (r.piece, r.weight)).collect();
            told.sort();
            all.sort();
            assert_eq!(told, all, "{position}: {}", ranked.action);
            let shares = ranked.outcomes.iter();
            let sum: f64 = shares.map(|o| f64::from(o.weight) * worth(o.score)).sum();
            let average = sum / f64::from(position.hidden().total());
            // The search counts in ten-thousandths.
            let gap = (average - worth(ranked.score)).abs();
            assert!(gap <= 1.0 / f64::from(UNPROVEN_BOUND), "{position}: {gap}");
            flips += 1;
            proven += usize::from(!matches!(ranked.score, Score::Estimate(_)));
        }
    }
    assert!(flips > 60, "{flips} flips, {proven} proven");
}

#[test]
fn every_ranked_flip_of_a_finished_iteration_has_its_outcomes() {
    for position in random_positions(12, 60, 5) {
        let game = Game::new(position, Rules::OLYMPIAD);
        let limits = Limits {
            depth: Some(2),
            multipv: 64,
            outcomes: true,
            ..Limits::NONE
        };
        let table = small_table();
        for best in search(&game, Settings::FULL, limits, &table).best {
            let action = best.found.action;
            assert_eq!(
                action.is_flip(),
                !best.outcomes.is_empty(),
                "{position}: {action}"
            );
        }
        let untold = Limits {
            outcomes: false,
            ..limits
        };
        let table = small_table();
        let thought = search(&game, Settings::FULL, untold, &table);
        assert!(thought.best.iter().all(|best| best.outcomes.is_empty()));
    }
}

const DEPTH: u32 = 3;

/// A search that flips only at the root, without other selectivity.
const FLIPS_AT_THE_ROOT: Settings = Settings {
    flip_depth: NonZeroU32::new(DEPTH),
    ..Settings::EXACT
};

/// If another action has narrowed the window of the flip, the first search of an outcome may give only a bound.
#[test]
fn an_outcome_is_worth_what_the_position_after_it_is_a_ply_less_deep() {
    let mut seen = 0;
    for position in random_positions(40, 80, 21) {
        let game = Game::new(position, Rules::OLYMPIAD);
        for multipv in [1, 2, 3, 64] {
            seen += outcomes_that_equal_the_twins(&game, multipv);
        }
    }
    assert!(seen > 400, "{seen}");
}

/// Compares every outcome of the best flips with the twin's value, and returns how many there were.
fn outcomes_that_equal_the_twins(game: &Game, multipv: usize) -> usize {
    let limits = Limits {
        depth: Some(DEPTH),
        multipv,
        outcomes: true,
        ..Limits::NONE
    };
    let mut seen = 0;
    for best in search(game, FLIPS_AT_THE_ROOT, limits, &small_table()).best {
        for outcome in &best.outcomes {
            let mut next = game.clone();
            let ply = Ply::flip(best.found.action.from(), outcome.piece);
            next.play(ply).expect("a legal flip");
            let mut twin = Twin::new(FLIPS_AT_THE_ROOT, &next, None);
            let replies = twin.action_values(&next, DEPTH - 1).expect("a small tree");
            // The twin tries every flip at its own root.
            let moves = replies.iter().filter(|(action, _)| !action.is_flip());
            if let Some(value) = moves.map(|(_, value)| *value).max() {
                assert_eq!(-outcome.value, value, "{ply}");
                seen += 1;
            }
        }
    }
    seen
}
