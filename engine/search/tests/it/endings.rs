//! Endgame tables in the playing search: in the tree, at the root, with and without distances.

use crate::positions::small_table;
use crate::searches::{Aids, PLAYING, count, games, search, to_depth, value};
use crate::twin::Twin;
use anqi_rules::{Action, Game, Ply, Position, Rules};
use anqi_search::score::UNPROVEN_BOUND;
use anqi_search::tree::Settings;
use anqi_search::{Limits, TimeLimit};
use anqi_tablebase::distil::{self, EmbeddedValues, Pocket};
use anqi_tablebase::{Endgames, TableValue, Tables, Wdl, rated_actions};
use std::num::NonZeroU32;
use std::time::Duration;

#[test]
fn the_tree_prefers_quick_table_wins_and_slow_table_losses() {
    let rules = Rules::OLYMPIAD;
    let tables = Tables::solved(3, rules).expect("small distances");
    let mut compared = 0;
    for game in games(count(8_000, 20_000), 6, &[rules], 20, 180) {
        if game.position().occupied().len() < 4 || !game.position().face_down().is_empty() {
            continue;
        }
        let settings = Settings {
            quiescence: compared % 2 == 0,
            ..PLAYING
        };
        let aids = Aids {
            endgames: Some(&tables),
            ..Aids::default()
        };
        let mut twin = Twin::new(settings, &game, Some(&tables));
        for depth in 1..=3 {
            let Some(expected) = twin.root_value(&game, depth) else {
                break;
            };
            let found = value(&game, settings, depth, aids);
            assert_eq!(found, expected, "depth {depth} of {}", game.position());
            compared += u32::from(found.abs() > UNPROVEN_BOUND);
            if found.abs() > UNPROVEN_BOUND {
                break;
            }
        }
    }
    assert!(compared > 50, "only {compared} values from tables");
}

#[test]
fn the_root_takes_the_quickest_win_and_the_slowest_loss() {
    let rules = Rules::OLYMPIAD;
    let tables = Tables::solved(3, rules).expect("small distances");
    let mut decided = [0, 0];
    for game in games(2_000, 7, &[rules], 100, 180) {
        // A past would make some actions draws, which tables do not know.
        let game = Game::new(*game.position(), rules);
        let known = tables.known(game.position());
        let open = game.position().face_down().is_empty();
        let Some(known) = known.filter(|known| open && known.wdl != Wdl::Draw) else {
            continue;
        };
        let aids = Aids {
            endgames: Some(&tables),
            root_endgames: Some(&tables),
            ..Aids::default()
        };
        let best = search(&game, Settings::FULL, to_depth(2), aids).best[0].found;
        let rated = rated_actions(&tables, game.position()).unwrap();
        let chosen = rated
            .iter()
            .find(|rated| rated.action == best.action)
            .unwrap();
        assert_eq!(
            (chosen.wdl, chosen.dtc),
            (known.wdl, known.dtc),
            "{}",
            game.position()
        );
        decided[usize::from(known.wdl == Wdl::Win)] += 1;
    }
    assert!(decided.iter().all(|&n| n > 50), "{decided:?}");
}

#[test]
fn a_won_ending_under_a_near_limit_is_converted() {
    let tables = Tables::solved(3, Rules::OLYMPIAD).expect("small distances");
    let mut converted = 0;
    for game in games(count(15_000, 30_000), 10, &[Rules::OLYMPIAD], 1, 7) {
        let position = game.position();
        let known = tables.known(position);
        let Some(distance) = known.filter(|k| k.wdl == Wdl::Win).and_then(|k| k.dtc) else {
            continue;
        };
        let left = 180 - position.quiet_counter();
        if !position.face_down().is_empty() || position.occupied().len() > 2 || left < 3 {
            continue;
        }
        let table = small_table();
        for table in [None, Some(&table)] {
            let aids = Aids {
                table,
                ..Aids::default()
            };
            let found = search(&game, Settings::FULL, to_depth(9), aids).best[0].found;
            assert!(
                found.value > UNPROVEN_BOUND,
                "{position}: {found:?}, {distance} of {left} plies"
            );
            let mut next = *position;
            let _ = next.step_unchecked(found.action);
            let after = tables.known(&next).expect("two pieces").wdl;
            assert_eq!(after, Wdl::Loss, "{position}: {}", found.action);
            converted += 1;
        }
    }
    assert!(converted > 20, "{converted}");
}

/// Tables with values but no distances.
struct ValuesOnly<'a>(&'a Tables);

impl Endgames for ValuesOnly<'_> {
    fn pieces(&self) -> u32 {
        self.0.pieces()
    }

    fn wdl(&self, position: &Position) -> Option<Wdl> {
        self.0.wdl(position)
    }

    fn known(&self, position: &Position) -> Option<TableValue> {
        let wdl = self.0.wdl(position)?;
        Some(TableValue { wdl, dtc: None })
    }
}

/// Plays a won ending against the best defence and returns whether it was won.
fn is_converted(ending: &Game, tables: &Tables, aids: Aids<'_>) -> bool {
    // A game without a past: nothing counts towards a repetition.
    let mut game = Game::new(*ending.position(), ending.rules());
    let winner = game.position().turn();
    let limits = Limits {
        nodes: Some(20_000),
        ..Limits::NONE
    };
    while game.outcome().is_none() {
        let rated = rated_actions(tables, game.position()).expect("four pieces");
        let action = if game.position().turn() == winner {
            search(&game, Settings::FULL, limits, aids).best[0]
                .found
                .action
        } else {
            rated[0].action
        };
        game.play(Ply::from(action)).expect("a legal action");
    }
    game.outcome().and_then(anqi_rules::Outcome::winner) == winner
}

#[test]
fn values_without_distances_win_as_many_endings_as_with_them() {
    let rules = Rules::OLYMPIAD;
    let tables = Tables::solved(4, rules).expect("small distances");
    // As with files for four pieces: only three are in memory, with distances.
    let fewer = Tables::solved(3, rules).expect("small distances");
    let known = |game: &Game| tables.known(game.position());
    let open = |game: &&Game| game.position().face_down().is_empty();
    let is_hard = |game: &&Game| {
        let won = known(game).filter(|known| known.wdl == Wdl::Win);
        won.and_then(|known| known.dtc)
            .is_some_and(|plies| plies > 4)
    };
    let four = |game: &&Game| game.position().occupied().len() == 4;
    let games = games(8_000, 14, &[rules], 175, 180);
    let endings: Vec<&Game> = games
        .iter()
        .filter(four)
        .filter(open)
        .filter(is_hard)
        .collect();
    let endings = &endings[..count(25, 100)];
    let table = small_table();
    let won = |root: &dyn Endgames| {
        let aids = Aids {
            table: Some(&table),
            endgames: Some(&fewer),
            root_endgames: Some(root),
            ..Aids::default()
        };
        endings
            .iter()
            .filter(|ending| is_converted(ending, &tables, aids))
            .count()
    };
    assert_eq!(won(&tables), endings.len());
    assert_eq!(won(&ValuesOnly(&tables)), endings.len());
}

#[test]
fn a_win_without_distance_is_told_as_certain_but_not_as_quick() {
    let tables = Tables::solved(3, Rules::OLYMPIAD).expect("small distances");
    let values = ValuesOnly(&tables);
    let text = "4/4/4/g3/4/4/K3/3R r - 0 0";
    let game = Game::new(text.parse().expect("a position"), Rules::OLYMPIAD);
    let aids = Aids {
        root_endgames: Some(&values),
        ..Aids::default()
    };
    let found = search(&game, Settings::FULL, to_depth(1), aids).best[0].found;
    assert_eq!(found.value, UNPROVEN_BOUND, "{found:?}");
}

#[test]
fn a_table_win_that_repeats_for_the_third_time_is_not_chosen() {
    let rules = Rules::OLYMPIAD;
    let tables = Tables::solved(4, rules).expect("small distances");
    let text = "4/4/4/1n2/4/g3/nG2/4 r - 2 3 moves b2-b1 a2-a1 b1-b2 a1-a2 b2-b1 a2-a1 b1-b2";
    let mut game = Game::from_text(text, rules).expect("a game");
    let aids = Aids {
        root_endgames: Some(&tables),
        ..Aids::default()
    };
    let found = search(&game, Settings::FULL, to_depth(1), aids).best[0].found;
    game.play(found.action.into()).expect("a legal action");
    assert_eq!(game.outcome(), None, "{found:?}");
    assert!(found.value > UNPROVEN_BOUND, "{found:?}");
}

/// The file of values that the program carries, in the tree of sources.
const CARRIED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tablebase/pocket.dst");

/// The values that the program carries.
fn carried_values(rules: Rules) -> EmbeddedValues {
    distil::provide(std::fs::read(CARRIED).expect("the file")).expect("a sound file");
    distil::carried(rules).expect("the file was given")
}

/// The settings with this least depth for the carried values, zero for never.
fn probing_from(depth: u32) -> Settings {
    Settings {
        probe_depth: NonZeroU32::new(depth),
        ..Settings::FULL
    }
}

#[test]
fn a_capture_into_an_ending_that_the_program_carries_is_known() {
    let rules = Rules::OLYMPIAD;
    let tables = Tables::solved(3, rules).expect("small distances");
    let carried = carried_values(rules);
    let aids = Aids {
        endgames: Some(&tables),
        carried: Some(carried),
        ..Aids::default()
    };
    let (mut won, mut only_by_probing) = (0, 0);
    for game in games(count(8_000, 20_000), 21, &[rules], 170, 180) {
        let position = game.position();
        if position.occupied().len() != 6 || !position.face_down().is_empty() {
            continue;
        }
        let wins = |action: &Action| {
            let mut next = *position;
            let _ = next.step_unchecked(*action);
            next.occupied().len() == 5 && carried.wdl(&next) == Some(Wdl::Loss)
        };
        let expected = position.actions().iter().any(wins);
        let best = |depth| search(&game, probing_from(depth), to_depth(2), aids).best[0].found;
        // Two plies from the root leave one after its own.
        let found = best(1);
        if expected {
            assert!(found.value > UNPROVEN_BOUND, "{position}: {found:?}");
            won += 1;
            only_by_probing += u32::from(best(2).value <= UNPROVEN_BOUND);
        }
        assert_eq!(best(2), best(0), "{position}");
    }
    assert!(won > 50 && only_by_probing > 50, "{won}, {only_by_probing}");
}

#[test]
fn a_search_without_time_left_decodes_none_of_the_carried_values() {
    let rules = Rules::OLYMPIAD;
    let pocket = Pocket::new(std::fs::read(CARRIED).expect("the file")).expect("a sound file");
    // Of its own: what other tests have decoded is in the other one.
    let carried = EmbeddedValues::of(Box::leak(Box::new(pocket)), rules);
    let aids = Aids {
        carried: Some(carried),
        ..Aids::default()
    };
    let game = Game::from_text("1r1P/4/3m/2K1/2C1/4/4/4 b - 9 10", rules).expect("a game");
    let is_decoded = || carried.timed(&|| false).wdl(game.position()).is_some();
    let think = |time| {
        let limits = Limits {
            time,
            ..to_depth(7)
        };
        let thought = search(&game, probing_from(5), limits, aids);
        assert!(game.actions().contains(&thought.best[0].found.action));
    };
    think(TimeLimit::PerMove(Duration::ZERO));
    assert!(!is_decoded());
    think(TimeLimit::None);
    assert!(is_decoded());
}

#[test]
fn the_root_keeps_a_win_of_five_pieces_that_the_program_carries() {
    let rules = Rules::OLYMPIAD;
    let tables = Tables::solved(3, rules).expect("small distances");
    let carried = carried_values(rules);
    let aids = Aids {
        endgames: Some(&tables),
        root_endgames: Some(&tables),
        carried: Some(carried),
        ..Aids::default()
    };
    // One ply deep the champion goes wrong in each of these.
    for text in [
        "1r1P/4/3m/2K1/2C1/4/4/4 b - 9 10",
        "4/4/4/2m1/1c2/k3/4/2GG b - 14 15",
        "3K/4/PC2/4/3n/2p1/4/4 r - 11 12",
        "4/4/4/r3/K1g1/2c1/3R/4 b - 10 11",
    ] {
        let game = Game::from_text(text, rules).expect("a game");
        let known = carried.wdl(game.position());
        let after = |settings| {
            let found = search(&game, settings, to_depth(1), aids).best[0].found;
            let mut next = *game.position();
            let _ = next.step_unchecked(found.action);
            carried.wdl(&next).map(Wdl::reversed)
        };
        assert!(known > Some(Wdl::Loss), "{text}: {known:?}");
        assert_eq!(after(probing_from(5)), known, "{text}");
        assert_ne!(after(probing_from(0)), known, "{text}");
    }
}
