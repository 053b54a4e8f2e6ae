//! The plain searches against references too short to be wrong.

use crate::positions::{random_positions, sparse_positions};
use anqi_rules::{Position, perft};
use anqi_search::budget::Budget;
use anqi_search::evaluation::PlainEvaluation;
use anqi_search::evaluation::{Evaluator, Weights};
use anqi_search::expectimax::{Expectimax, Flips, KindOrder, Kinds, PlainSettings};
use anqi_search::negamax::Negamax;
use anqi_search::random::Chance;
use anqi_search::score::{Mixture, WIN, lost_in};
use anqi_search::{Limits, Stop};

const EVALUATION: PlainEvaluation = PlainEvaluation::Static;

/// Moves only, no pruning. A side that can only flip gets the static evaluation.
fn moves_only(position: &Position, depth: u32, ply: u32) -> i32 {
    if let Some((loser, _)) = position.loser() {
        return if Some(loser) == position.turn() {
            lost_in(ply)
        } else {
            -lost_in(ply)
        };
    }
    let moves = position.actions().into_iter().filter(|a| !a.is_flip());
    let value = |action| {
        let mut next = *position;
        let _ = next.step_unchecked(action);
        -moves_only(&next, depth - 1, ply + 1)
    };
    let best = if depth == 0 {
        None
    } else {
        moves.map(value).max()
    };
    best.unwrap_or_else(|| EVALUATION.value(position))
}

/// Moves and flips, no pruning.
fn moves_and_flips(position: &Position, depth: u32, ply: u32) -> i32 {
    if let Some((loser, _)) = position.loser() {
        return if Some(loser) == position.turn() {
            lost_in(ply)
        } else {
            -lost_in(ply)
        };
    }
    if depth == 0 {
        return EVALUATION.value(position);
    }
    let value = |action: anqi_rules::Action| {
        let mut next = *position;
        if !action.is_flip() {
            let _ = next.step_unchecked(action);
            return -moves_and_flips(&next, depth - 1, ply + 1);
        }
        let mut mixture = Mixture::default();
        for (piece, count) in position.hidden() {
            let mut next = *position;
            let _ = next.flip_unchecked(action.from(), piece);
            mixture.add(-moves_and_flips(&next, depth - 1, ply + 1), count);
        }
        mixture.average()
    };
    position
        .actions()
        .into_iter()
        .map(value)
        .max()
        .unwrap_or(-WIN)
}

fn with_search<T>(
    position: &Position,
    settings: PlainSettings,
    run: impl FnOnce(&mut Expectimax<'_, '_>) -> T,
) -> T {
    let stop = Stop::new();
    let mut budget = Budget::new(&Limits::NONE, &stop);
    let mut chance = Chance::new(3, position);
    run(&mut Expectimax::new(settings, &mut budget, &mut chance))
}

const EVERYTHING: PlainSettings = PlainSettings {
    evaluation: EVALUATION,
    flips: Flips::Everywhere,
    kinds: Kinds::All,
};

#[test]
fn searches_agree_with_the_references() {
    let mut compared = [0; 5];
    for (index, position) in sparse_positions(10_000, 17).iter().enumerate() {
        let depth = index as u32 % 4 + 1;
        if perft(position, depth) > 3_000 {
            continue;
        }
        compared[depth as usize] += 1;
        let expected = moves_only(position, depth, 0);
        let stop = Stop::new();
        let mut budget = Budget::new(&Limits::NONE, &stop);
        let mut copy = *position;
        let pruned = Negamax::new(EVALUATION, &mut budget).value(&mut copy, depth, 0, -WIN, WIN);
        assert_eq!(pruned, expected, "negamax at depth {depth}: {position}");
        assert_eq!(copy, *position);
        // The same search, as an expectimax without flips.
        let never = PlainSettings {
            flips: Flips::First(0),
            ..EVERYTHING
        };
        let value = with_search(position, never, |s| s.value(&mut copy, depth, 0, -WIN, WIN));
        assert_eq!(
            value, expected,
            "flips nowhere at depth {depth}: {position}"
        );
        let value = with_search(position, EVERYTHING, |s| {
            s.value(&mut copy, depth, 0, -WIN, WIN)
        });
        assert_eq!(
            value,
            moves_and_flips(position, depth, 0),
            "expectimax at depth {depth}: {position}"
        );
    }
    assert!(compared[1..].iter().all(|&n| n > 500), "{compared:?}");
}

#[test]
fn a_narrow_window_bounds_the_value() {
    for position in sparse_positions(300, 5)
        .iter()
        .filter(|p| perft(p, 3) < 3_000)
    {
        let value = moves_and_flips(position, 3, 0);
        for (alpha, beta) in [
            (-50, 50),
            (value - 1, value + 1),
            (value, value + 9),
            (value - 9, value),
        ] {
            let mut copy = *position;
            let found = with_search(position, EVERYTHING, |s| {
                s.value(&mut copy, 3, 0, alpha, beta)
            });
            if found <= alpha {
                assert!(value <= found, "{position}");
            } else if found >= beta {
                assert!(value >= found, "{position}");
            } else {
                assert_eq!(found, value, "{position}");
            }
        }
    }
}

#[test]
fn kept_kinds_are_the_highest_or_drawn_and_their_weights_make_one() {
    for position in random_positions(300, 60, 9) {
        let bag = position.hidden();
        for kinds in 1..=14 {
            for order in [KindOrder::Fixed, KindOrder::Random] {
                let settings = PlainSettings {
                    kinds: Kinds::AtMost { kinds, order },
                    ..EVERYTHING
                };
                let kept = with_search(&position, settings, |s| s.expansion(&position));
                assert_eq!(kept.len() as u32, kinds.min(bag.kinds()));
                assert!(
                    kept.iter()
                        .all(|&(piece, count)| count == bag.count(piece) && count > 0)
                );
                let worst_kept = kept.iter().map(|(piece, _)| piece.role()).max();
                let left_out = bag.iter().filter(|kind| !kept.contains(kind));
                let best_left_out = left_out.map(|(piece, _)| piece.role()).min();
                if order == KindOrder::Fixed && best_left_out.is_some() {
                    assert!(worst_kept <= best_left_out, "{position}");
                }
                // Equal outcomes average to their common value.
                let mut mixture = Mixture::default();
                kept.iter().for_each(|&(_, count)| mixture.add(123, count));
                assert!(kept.is_empty() || mixture.average() == 123);
            }
        }
    }
}

#[test]
fn draws_of_kinds_differ_and_repeat_with_the_seed() {
    let position = Position::start();
    let order = KindOrder::Random;
    let settings = PlainSettings {
        kinds: Kinds::AtMost { kinds: 3, order },
        ..EVERYTHING
    };
    let draws = || {
        with_search(&position, settings, |s| {
            (0..50).map(|_| s.expansion(&position)).collect::<Vec<_>>()
        })
    };
    assert_eq!(draws(), draws());
    let first = draws();
    assert!(first.iter().any(|draw| *draw != first[0]));
}

#[test]
fn the_cached_evaluation_is_the_weighed_list_of_features() {
    let weights = Weights::built_in();
    let mut evaluator = Evaluator::new(weights.clone());
    let mut apart = 0;
    for position in random_positions(3_000, 200, 77) {
        let value = evaluator.value(&position);
        assert_eq!(value, weights.value(&position), "{position}");
        // From the other side only the terms that depend on the turn differ.
        apart += i32::from(value != -evaluator.value(&position.passed()));
    }
    assert!(apart > 1_000, "the turn matters nowhere: {apart}");
}
