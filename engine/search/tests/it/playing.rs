//! The playing search against its slow twin, and rules of behaviour that hold at any depth.
//!
//! Pruning that changes no values (windows, Star1, Star2, killers, aspiration) may be on or
//! off, and so may techniques that change values in a defined way: flip filters, passes,
//! quiescence, contempt. Reductions and pruning by static values depend on order and windows
//! and stay off where values are compared.

use crate::positions::{ENDLESS, small_table};
use crate::searches::{Aids, PLAYING, count, games, quiet_ply, search, to_depth, value};
use crate::twin::Twin;
use anqi_rules::{
    Action, Color, Content, Game, PIECES, Piece, Position, ROWS, Repetition, Role, Rules, Setup,
    Symmetry,
};
use anqi_search::Limits;
use anqi_search::score::UNPROVEN_BOUND;
use anqi_search::transposition::Table;
use anqi_search::tree::Settings;
use anqi_tablebase::{Endgames, Tables, Wdl};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::num::NonZeroU32;

/// Settings that differ from game to game, all with values that the twin can compute.
fn varied(index: usize) -> Settings {
    let pick = |choices: &[u32], divisor: usize| choices[index / divisor % choices.len()];
    Settings {
        quiescence: index.is_multiple_of(2),
        pass: !(index / 2).is_multiple_of(3),
        flip_squares: NonZeroU32::new(pick(&[3, 1, 0], 3)),
        flip_cost: pick(&[1, 0, 2], 7),
        flip_further: pick(&[2, 0, 1], 9),
        flip_depth: NonZeroU32::new(pick(&[0, 0, 3], 23)),
        flip_margin: pick(&[0, 100, 300, 40], 31),
        exchange: index.is_multiple_of(5),
        share_depth: NonZeroU32::new(pick(&[0, 1, 2], 2)),
        contempt: [0, 700, -700][index % 3],
        star1: !index.is_multiple_of(11),
        star2: !index.is_multiple_of(13),
        killers: !index.is_multiple_of(17),
        aspiration: !index.is_multiple_of(19),
        ..PLAYING
    }
}

fn all_rules() -> Vec<Rules> {
    let third = Repetition::Position { times: 3 };
    let mut rules: Vec<Rules> = Rules::PRESETS.iter().map(|(_, rules)| *rules).collect();
    rules.extend([Rules::OLYMPIAD, Rules::PAPER].map(|rules| Rules {
        repetition: third,
        ..rules
    }));
    rules
}

/// Compares the search with its twin at depths 1 to 4 and returns the number of equal values at
/// each.
fn compare(games: &[Game], settings: impl Fn(usize) -> Settings, tables: bool) -> [u32; 5] {
    let mut compared = [0; 5];
    for (index, game) in games.iter().enumerate() {
        let settings = settings(index);
        let mut twin = Twin::new(settings, game, None);
        for depth in 1..=4 {
            let Some(expected) = twin.best_values(game, depth) else {
                break;
            };
            let table = small_table();
            let aids = Aids {
                table: tables.then_some(&table),
                ..Aids::default()
            };
            let found = value(game, settings, depth, aids);
            let position = game.position();
            let rules = game.rules();
            assert!(
                expected.contains(&found),
                "{found}, not {expected:?}: depth {depth} of {position} after {:?} under {rules:?} with {settings:?}",
                game.plies()
            );
            compared[depth as usize] += 1;
            if found.abs() > UNPROVEN_BOUND {
                break;
            }
        }
    }
    println!("compared at depths 1 to 4: {:?}", &compared[1..]);
    compared
}

#[test]
fn the_playing_search_equals_its_twin_near_and_far_from_the_limit() {
    let near = games(count(1_500, 6_000), 1, &all_rules(), 1, 9);
    let far = games(count(1_500, 6_000), 2, &all_rules(), 10, 60);
    let compared = [compare(&near, varied, false), compare(&far, varied, false)];
    let least = count(300, 1_200) as u32;
    assert!(
        compared.iter().all(|depths| depths[3] > least),
        "{compared:?}"
    );
}

#[test]
fn a_table_changes_no_value_near_the_limit() {
    // Repetition makes values depend on the path to a position, which a table does not know.
    // A course's flips do not clear the counter.
    let rules = [Rules::PAPER, Rules::OPENSPIEL, Rules::COURSE];
    let games = games(count(1_500, 6_000), 3, &rules, 1, 30);
    assert!(compare(&games, |_| Settings::EXACT, true)[4] > count(100, 400) as u32);
    // Without cannons and face-down pieces a position cannot occur in one tree with
    // different depths left, so deeper entries never replace shallower ones.
    let steps_only = |game: &&Game| {
        let cannons = Color::ALL.map(|c| Piece::new(c, Role::Cannon));
        let position = game.position();
        position.face_down().is_empty() && cannons.iter().all(|&c| position.living_of(c) == 0)
    };
    let games: Vec<Game> = games.iter().filter(steps_only).cloned().collect();
    let compared = compare(&games, varied, true);
    assert!(compared[4] > count(50, 200) as u32, "{compared:?}");
}

/// Positions with up to ten pieces on the twelve squares of a corner, where most captures have
/// a reply.
fn crowded(count: usize, seed: u64, rules: Rules) -> Vec<Game> {
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    let random = std::iter::repeat_with(|| {
        let mut setup = Setup::default();
        for square in (0..3).flat_map(|column| (0..4).map(move |row| column * ROWS + row)) {
            if chance.random_bool(0.7) {
                let piece = Piece::all().nth(chance.random_range(0..PIECES));
                setup.board[square] = Content::FaceUp(piece.expect("fourteen kinds"));
            }
        }
        setup.turn = Some(Color::Red);
        setup
    });
    let open = random.filter_map(|setup| setup.position().ok());
    let open = open.map(|position| Game::new(position, rules));
    open.filter(|game| game.position().loser().is_none())
        .filter(|game| game.position().occupied().len() <= 10)
        .take(count)
        .collect()
}

#[test]
fn exchanges_and_quiescence_in_a_crowd_equal_the_twins() {
    let mut differ = 0;
    for game in crowded(count(500, 3_000), 15, Rules::OLYMPIAD) {
        let values = [false, true].map(|exchange| {
            let settings = Settings {
                exchange,
                ..PLAYING
            };
            let expected = Twin::new(settings, &game, None).root_value(&game, 1)?;
            let found = value(&game, settings, 1, Aids::default());
            assert_eq!(found, expected, "{} with {exchange}", game.position());
            Some(found)
        });
        differ += u32::from(values[0] != values[1]);
    }
    assert!(
        differ > 20,
        "captures that lose by exchange matter in {differ} positions only"
    );
}

/// A red cannon that may jump into a corner between two pawns, where it is stuck, and black pieces elsewhere.
fn jumps_into_a_corner() -> Vec<Game> {
    let mut chance = Pcg64Mcg::seed_from_u64(18);
    let mut games = Vec::new();
    for symmetry in Symmetry::ALL {
        for row in 3..ROWS {
            let mut setup = Setup::default();
            let mut put = |column: usize, row: usize, letter: char| {
                let piece = Piece::from_letter(letter).expect("a piece");
                setup.board[column * ROWS + row] = Content::FaceUp(piece);
            };
            put(0, row, 'C');
            put(0, 1, 'p');
            put(0, 0, 'm');
            put(1, 0, 'p');
            for letter in ['g', 'r'] {
                put(
                    2 + chance.random_range(0..2),
                    chance.random_range(1..ROWS),
                    letter,
                );
            }
            setup.turn = Some(Color::Red);
            setup.ply = 40;
            let position = symmetry.position(&setup.position().expect("a position"));
            games.push(Game::new(position, Rules::COURSE));
        }
    }
    games
}

#[test]
fn captures_that_end_the_game_by_a_courses_rules_have_the_twins_values() {
    let mut stuck = 0;
    let crowd = crowded(count(600, 3_000), 16, Rules::COURSE);
    for game in crowd.into_iter().chain(jumps_into_a_corner()) {
        // A single action is played without searching on.
        if game.actions().len() == 1 {
            continue;
        }
        let own_end = |action: &Action| {
            let mut next = *game.position();
            let _ = next.step_unchecked(*action);
            next.decided() == game.position().turn()
        };
        stuck += u32::from(game.actions().iter().any(own_end));
        for depth in 1..=2 {
            for settings in [PLAYING, Settings::EXACT] {
                let Some(expected) = Twin::new(settings, &game, None).root_value(&game, depth)
                else {
                    continue;
                };
                let found = value(&game, settings, depth, Aids::default());
                assert_eq!(found, expected, "depth {depth} of {}", game.position());
            }
        }
    }
    assert!(
        stuck > 3,
        "only {stuck} positions with a capture that loses at once"
    );
}

#[test]
fn a_proof_arrives_before_a_course_draws() {
    // The guard takes the cornered cannon on the third ply, or not at all.
    let at = |quiet: u32| {
        let text = format!("4/4/4/4/4/1G2/4/c3 r - {quiet} 90");
        Game::from_text(&text, Rules::COURSE).unwrap()
    };
    for settings in [PLAYING, Settings::EXACT] {
        let table = small_table();
        let found = |quiet| {
            let aids = Aids {
                table: Some(&table),
                ..Aids::default()
            };
            value(&at(quiet), settings, 6, aids)
        };
        let values = [0, 20, 29].map(found);
        assert!(
            values[0] > UNPROVEN_BOUND && values[1] > UNPROVEN_BOUND,
            "{values:?}"
        );
        assert_eq!(values[2], 0, "the next ply draws");
    }
}

#[test]
fn an_old_value_does_not_hide_that_the_game_has_been_here() {
    let rules = Rules {
        quiet_limit: None,
        repetition: Repetition::Position { times: 3 },
        ..Rules::OLYMPIAD
    };
    // Without Star2 the entries just below the root are values, not bounds.
    let settings = Settings {
        star2: false,
        ..Settings::EXACT
    };
    let mut chance = Pcg64Mcg::seed_from_u64(4);
    let mut changed = 0;
    for game in games(count(2_000, 8_000), 5, &[rules], 0, 0) {
        // Two quiet plies, which the next two can take back.
        let mut game = Game::new(*game.position(), rules);
        quiet_ply(&mut game, &mut chance);
        quiet_ply(&mut game, &mut chance);
        // A single action is played without searching on.
        if game.plies().len() < 2 || game.outcome().is_some() || game.actions().len() == 1 {
            continue;
        }
        let without_past = Game::new(*game.position(), rules);
        let table = small_table();
        let aids = Aids {
            table: Some(&table),
            ..Aids::default()
        };
        let old = value(&without_past, settings, 2, aids);
        let Some(expected) = Twin::new(settings, &game, None).root_value(&game, 2) else {
            continue;
        };
        if old.abs() <= UNPROVEN_BOUND {
            let found = value(&game, settings, 2, aids);
            assert_eq!(
                found,
                expected,
                "{} after {:?}",
                game.position(),
                game.plies()
            );
            changed += u32::from(expected != old);
        }
    }
    assert!(changed > 20, "the past matters in {changed} positions only");
}

#[test]
fn an_interrupted_iteration_is_believed_only_if_it_found_better() {
    let mut found_better = 0;
    for game in games(count(600, 2_000), 8, &[ENDLESS], 0, 0) {
        let mut finished = Vec::new();
        for depth in 1..=4 {
            let thought = search(&game, Settings::EXACT, to_depth(depth), Aids::default());
            finished.push((thought.nodes, thought.best[0].found));
        }
        let Some(deep) = Twin::new(Settings::EXACT, &game, None).action_values(&game, 4) else {
            continue;
        };
        let deep = |action| deep.iter().find(|(a, _)| *a == action).unwrap().1;
        let (shallow, deeper) = (finished[2], finished[3]);
        if shallow.1.value.abs() > UNPROVEN_BOUND || deeper.0 < shallow.0 + 8 {
            continue;
        }
        let budgets = shallow.0 + 1..deeper.0;
        let step = (budgets.end - budgets.start) / 40 + 1;
        for nodes in budgets.step_by(step as usize) {
            let limits = Limits {
                nodes: Some(nodes),
                depth: Some(4),
                ..Limits::NONE
            };
            let best = search(&game, Settings::EXACT, limits, Aids::default()).best[0].found;
            if best == shallow.1 {
                continue;
            }
            let (old, new) = (deep(shallow.1.action), deep(best.action));
            assert!(
                new >= old,
                "{nodes} nodes of {}: {new} < {old}",
                game.position()
            );
            // In a narrow window the value may be a lower bound, never more than the true value.
            assert!(best.value <= new, "{nodes} nodes of {}", game.position());
            found_better += u32::from(best.action != shallow.1.action);
        }
    }
    assert!(found_better > 5, "{found_better}");
}

#[test]
fn passing_proves_nothing() {
    let settings = Settings {
        flip_squares: Some(NonZeroU32::MIN),
        flip_cost: 0,
        flip_further: 60,
        ..PLAYING
    };
    let all_flips = Settings {
        quiescence: true,
        ..Settings::EXACT
    };
    let mut proven = 0;
    for game in games(count(8_000, 20_000), 9, &[ENDLESS], 0, 0) {
        if game.position().face_down().is_empty() {
            continue;
        }
        // A proof found with flips left out must hold with all of them.
        let found = value(&game, settings, 4, Aids::default());
        if found.abs() <= UNPROVEN_BOUND {
            continue;
        }
        let Some(whole) = Twin::new(all_flips, &game, None).root_value(&game, 4) else {
            continue;
        };
        let position = game.position();
        assert!(whole.abs() > UNPROVEN_BOUND, "{position}: {found} {whole}");
        assert_eq!(whole.signum(), found.signum(), "{position}");
        proven += 1;
    }
    assert!(proven > 20, "{proven}");
}

#[test]
fn a_side_that_loses_even_by_passing_may_still_flip() {
    // After a6-a7 black loses its last piece whether it moves or passes.
    let position = "p1R1/4/G3/4/4/4/4/2?? r PP 0 0"
        .parse()
        .expect("a position");
    let game = Game::new(position, Rules::OLYMPIAD);
    assert_eq!(value(&game, PLAYING, 2, Aids::default()), UNPROVEN_BOUND);
    let whole = Settings {
        quiescence: true,
        ..Settings::EXACT
    };
    assert!(value(&game, whole, 2, Aids::default()) > UNPROVEN_BOUND);
}

#[test]
fn a_repetition_is_chosen_when_losing_and_shunned_when_winning() {
    let rules = Rules {
        quiet_limit: None,
        repetition: Repetition::Position { times: 3 },
        ..Rules::OLYMPIAD
    };
    let (mut chosen, mut shunned) = (0, 0);
    for game in games(count(3_000, 9_000), 11, &[rules], 0, 0) {
        let position = *game.position();
        let mut twin = Twin::new(Settings::EXACT, &game, None);
        let Some(values) = twin.action_values(&game, 3) else {
            continue;
        };
        let (repeating, others): (Vec<_>, Vec<_>) = values
            .into_iter()
            .partition(|(action, _)| twin.repeats(&position, *action));
        let best = others.iter().map(|(_, value)| *value).max();
        let Some(best) = best.filter(|_| !repeating.is_empty()) else {
            continue;
        };
        let found = search(&game, Settings::EXACT, to_depth(3), Aids::default()).best[0].found;
        let repeats = repeating.iter().any(|(action, _)| *action == found.action);
        if best < 0 {
            assert!(repeats, "{position}: {found:?} instead of a draw");
            chosen += 1;
        } else if best > 0 {
            assert!(!repeats, "{position}: {found:?} instead of {best}");
            shunned += 1;
        }
    }
    assert!(chosen > 30 && shunned > 30, "{chosen} {shunned}");
}

/// The position with all colours changed.
fn recoloured(position: &Position) -> Position {
    let mut setup = Setup::from(position);
    for content in &mut setup.board {
        if let Content::FaceUp(piece) = content {
            *piece = Piece::new(!piece.color(), piece.role());
        }
    }
    setup.hidden.rotate_left(Role::ALL.len());
    setup.turn = setup.turn.map(|turn| !turn);
    setup.position().expect("colours do not matter")
}

#[test]
fn colours_and_mirrors_change_no_value() {
    // A limit on squares takes the first of equals, which a mirror changes.
    let settings = Settings {
        flip_squares: None,
        contempt: 300,
        ..PLAYING
    };
    for game in games(count(400, 1_500), 12, &all_rules(), 1, 60) {
        let fresh = |position: Position| Game::new(position, game.rules());
        let expected = value(&fresh(*game.position()), settings, 3, Aids::default());
        let other = fresh(recoloured(game.position()));
        assert_eq!(
            value(&other, settings, 3, Aids::default()),
            expected,
            "{}",
            game.position()
        );
        for symmetry in Symmetry::ALL {
            let mirrored = fresh(symmetry.position(game.position()));
            let found = value(&mirrored, settings, 3, Aids::default());
            assert_eq!(found, expected, "{}", game.position());
        }
    }
}

#[test]
fn proven_values_are_true_with_any_hash() {
    let tables = Tables::solved(4, ENDLESS).expect("small distances");
    let large = Table::new(NonZeroU32::new(8).unwrap()).expect("8 MB");
    let small = small_table();
    let mut proven = 0;
    for game in games(count(2_000, 6_000), 13, &[ENDLESS], 0, 0) {
        let position = game.position();
        let known = tables
            .known(position)
            .filter(|_| position.face_down().is_empty());
        let Some(known) = known else { continue };
        for settings in [Settings::FULL, Settings::EXACT] {
            for table in [None, Some(&small), Some(&large)] {
                let found = value(
                    &game,
                    settings,
                    5,
                    Aids {
                        table,
                        ..Aids::default()
                    },
                );
                let expected = match found {
                    _ if found > UNPROVEN_BOUND => Wdl::Win,
                    _ if found < -UNPROVEN_BOUND => Wdl::Loss,
                    _ => continue,
                };
                assert_eq!(known.wdl, expected, "{position}: {found}");
                proven += 1;
            }
        }
    }
    assert!(proven > 100, "{proven}");
}
