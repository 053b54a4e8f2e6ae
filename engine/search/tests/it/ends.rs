//! Plies to the end at the root, from files: against units solved in memory, and where the quiet limit binds.

use crate::positions::ENDLESS;
use crate::searches::{Aids, PLAYING, count, search, to_depth};
use anqi_rules::{Action, Color, Game, Outcome, Position, Rules};
use anqi_search::Score;
use anqi_tablebase::classes::{Fit, Unit};
use anqi_tablebase::file::{Metric, Order, Packing, build_unit};
use anqi_tablebase::numbering::{DenseIndex, position_of, usual_order};
use anqi_tablebase::solve::{Goal, UnitCache};
use anqi_tablebase::{Endgames, Tables, Wdl};
use tempfile::TempDir;

fn unit(set: &str) -> &'static Unit {
    Fit::of(&set.parse().expect("a set of pieces")).unit
}

/// Builds files of values and distances of these units and all that their captures lead to.
fn built(sets: &[&str]) -> TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let cache = UnitCache::new(4, 1 << 30, Goal::ToEnd).expect("small distances");
    let order = Order {
        dir: dir.path().to_owned(),
        metrics: Metric::ALL.to_vec(),
        packing: Packing::default(),
        memory: 1 << 30,
    };
    sets.iter().for_each(|set| build(unit(set), &order, &cache));
    dir
}

fn build(unit: &'static Unit, order: &Order, cache: &UnitCache) {
    // The smaller ones first: a file is written from theirs.
    for child in unit.children() {
        build(child, order, cache);
    }
    build_unit(unit, order, cache).expect("a file");
}

/// Every `step`-th position of a unit, for both sides to move.
fn positions(unit: &'static Unit, step: usize) -> impl Iterator<Item = Position> {
    let index = DenseIndex::new(unit, usual_order(unit));
    (0..index.len()).step_by(step).flat_map(move |number| {
        Color::ALL.map(|turn| position_of(&unit.key, &index.groups(number), turn))
    })
}

/// The plies to the end by a unit that was solved in memory.
fn oracle(unit: &'static Unit) -> Tables {
    Tables::of_unit(unit, ENDLESS, true).expect("small distances")
}

fn plies_to_end(oracle: &Tables, position: &Position) -> Option<u16> {
    oracle.plies_to_end(position).expect("nothing is read")
}

fn after(position: &Position, action: Action) -> Position {
    let mut next = *position;
    let _ = next.step_unchecked(action);
    next
}

/// The choice of the program with these tables at the root.
fn chosen(game: &Game, tables: &Tables) -> (Action, Score) {
    let aids = Aids {
        root_endgames: Some(tables),
        ..Aids::default()
    };
    let found = search(game, PLAYING, to_depth(1), aids).best[0].found;
    (found.action, Score::from_value(found.value))
}

#[test]
fn the_program_comes_nearer_to_the_end_by_one_and_puts_it_off_by_one() {
    let sets = ["Kgp", "PPk", "GCkc", "KPcn"];
    let dir = built(&sets);
    let tables = Tables::open(dir.path(), 3, Rules::OLYMPIAD).expect("a folder");
    let mut decided = [0, 0];
    for set in sets {
        let unit = unit(set);
        let oracle = oracle(unit);
        let step = if unit.pieces() == 3 {
            count(7, 1)
        } else {
            count(997, 29)
        };
        for position in positions(unit, step) {
            let Some(plies) = plies_to_end(&oracle, &position).filter(|plies| *plies > 0) else {
                continue;
            };
            let game = Game::new(position, Rules::OLYMPIAD);
            let (action, score) = chosen(&game, &tables);
            let is_won = oracle.wdl(&position) == Some(Wdl::Win);
            let sign = if is_won { 1 } else { -1 };
            assert_eq!(
                score.plies_to_end(),
                Some(sign * i32::from(plies)),
                "{position}"
            );
            let next = plies_to_end(&oracle, &after(&position, action));
            assert_eq!(next, Some(plies - 1), "{position}: {action}");
            decided[usize::from(is_won)] += 1;
        }
    }
    assert!(decided.iter().all(|&n| n > 500), "{decided:?}");
}

/// The position of a unit that is won the latest, by the plies to the end.
fn longest(unit: &'static Unit, oracle: &Tables, within: u16) -> Position {
    let won = positions(unit, 1).filter(|p| oracle.wdl(p) == Some(Wdl::Win));
    won.filter(|p| plies_to_end(oracle, p) <= Some(within))
        .max_by_key(|p| plies_to_end(oracle, p))
        .expect("a won position")
}

#[test]
fn a_game_takes_the_plies_that_were_announced() {
    let sets = ["Kgp", "GCkc"];
    let dir = built(&sets);
    let tables = Tables::open(dir.path(), 3, Rules::OLYMPIAD).expect("a folder");
    for set in sets {
        let unit = unit(set);
        let start = longest(unit, &oracle(unit), u16::MAX);
        let winner = start.turn();
        let mut game = Game::new(start, Rules::OLYMPIAD);
        let mut announced: Option<i32> = None;
        while game.outcome().is_none() {
            let (action, score) = chosen(&game, &tables);
            let end = score.plies_to_end().expect("known");
            assert_eq!(end > 0, game.position().turn() == winner);
            let expected = announced.unwrap_or(end);
            assert_eq!(
                end.abs(),
                expected - game.plies().len() as i32,
                "{}",
                game.position()
            );
            announced = Some(expected);
            game.play(action.into()).expect("a legal action");
        }
        assert_eq!(game.plies().len() as i32, announced.expect("a game"));
        assert_eq!(game.outcome().and_then(Outcome::winner), winner);
    }
}

/// The winning action that is quickest to the end in unlimited play, whatever the limit.
fn quickest(oracle: &Tables, position: &Position) -> Action {
    let actions = position.actions().into_iter();
    let keeping = actions.filter(|a| oracle.wdl(&after(position, *a)) == Some(Wdl::Loss));
    keeping
        .min_by_key(|action| plies_to_end(oracle, &after(position, *action)))
        .expect("a winning action")
}

/// The action of the side that has lost which puts off the next capture the longest.
fn delay(tables: &Tables, position: &Position) -> Action {
    let known = |action: &Action| {
        let next = after(position, *action);
        let known = tables.known(&next).expect("a table");
        (known.wdl != Wdl::Win, next.quiet_counter() > 0, known.dtc)
    };
    let actions = position.actions().into_iter();
    actions.max_by_key(known).expect("an action")
}

/// Plays a won position to the end against the longest delay, and says whether it was won.
fn is_won(start: &Game, tables: &Tables, choose: impl Fn(&Game) -> Action) -> bool {
    let mut game = start.clone();
    let winner = game.position().turn();
    while game.outcome().is_none() {
        let action = if game.position().turn() == winner {
            choose(&game)
        } else {
            delay(tables, game.position())
        };
        game.play(action.into()).expect("a legal action");
    }
    game.outcome().and_then(Outcome::winner) == winner
}

#[test]
fn where_the_quiet_limit_binds_the_capture_decides_and_the_end_alone_would_draw() {
    let rules = Rules::PLATFORM;
    let dir = built(&["GCkc"]);
    // Units in memory know the limit through all captures.
    let tables = Tables::open(dir.path(), 4, rules).expect("a folder");
    let unit = unit("GCkc");
    let oracle = oracle(unit);
    let (mut bound, mut drawn) = (0, 0);
    for position in positions(unit, count(499, 29)) {
        let known = tables.known(&position).expect("a table");
        let late = plies_to_end(&oracle, &position) > Some(60);
        if known.wdl != Wdl::Win || !late {
            continue;
        }
        let game = Game::new(position, rules);
        let program = |game: &Game| chosen(game, &tables).0;
        assert!(is_won(&game, &tables, program), "{position}");
        drawn += u32::from(!is_won(&game, &tables, |game| {
            quickest(&oracle, game.position())
        }));
        bound += 1;
    }
    assert!(bound > 20 && drawn > 0, "{drawn} of {bound}");
}
