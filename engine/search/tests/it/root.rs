//! The actions that the root chooses from, by the request, the rules and endgame tables.

use crate::searches::{self, Aids, PLAYING};
use crate::twin::Twin;
use anqi_rules::{Action, Game, Rules};
use anqi_search::thinking::Thought;
use anqi_search::{Limits, Request, Stop, players};
use anqi_tablebase::{Endgames, Tables};

fn game(text: &str, rules: Rules) -> Game {
    Game::from_text(text, rules).expect("a game")
}

fn action(text: &str) -> Action {
    text.parse().expect("an action")
}

fn search(
    game: &Game,
    among: Option<&[Action]>,
    limits: Limits,
    tables: Option<&Tables>,
) -> Thought {
    let aids = Aids {
        among,
        endgames: tables,
        root_endgames: tables.map(|tables| tables as &dyn Endgames),
        ..Aids::default()
    };
    searches::search(game, PLAYING, limits, aids)
}

fn limits(depth: u32, multipv: usize) -> Limits {
    Limits {
        depth: Some(depth),
        multipv,
        ..Limits::NONE
    }
}

const MIDDLE: &str = "4/1g2/4/2R1/1?n1/4/K2m/4 r P 3 40";

#[test]
fn only_the_actions_asked_for_are_searched() {
    let game = game(MIDDLE, Rules::OLYMPIAD);
    let mut twin = Twin::new(PLAYING, &game, None);
    let values = twin.action_values(&game, 2).expect("a small tree");
    let value_of = |action: Action| values.iter().find(|(known, _)| *known == action);
    let all = game.actions();
    let free = search(&game, None, limits(2, 1), None);
    for window in all.windows(2) {
        let thought = search(&game, Some(window), limits(2, 1), None);
        let best = window.iter().filter_map(|action| value_of(*action));
        let best = best.map(|(_, value)| *value).max().expect("two values");
        let found = thought.best[0].found;
        assert!(window.contains(&found.action), "{}", found.action);
        assert_eq!(found.value, best, "{window:?}");
        assert!(
            thought.nodes < free.nodes,
            "{window:?} was not searched alone"
        );
        let several = search(&game, Some(window), limits(2, 9), None);
        let told: Vec<Action> = several.best.iter().map(|best| best.found.action).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told.iter().all(|action| window.contains(action)));
    }
}

#[test]
fn every_player_keeps_to_the_actions_asked_for() {
    let game = game(MIDDLE, Rules::OLYMPIAD);
    let stop = Stop::new();
    for (name, _) in players::KNOWN {
        let mut player = players::by_spec(name).expect("a player");
        for &only in &game.actions() {
            let among = [only];
            let request = Request {
                game: &game,
                among: Some(&among),
                limits: Limits {
                    nodes: Some(300),
                    ..Limits::NONE
                },
                seed: 3,
                stop: &stop,
            };
            assert_eq!(player.choose(&request, &mut |_| {}).action, only, "{name}");
        }
    }
}

/// After two rounds of a chase; the next one would repeat a position for the third time.
fn chase() -> Game {
    let cycle = "c3-b3 b4-c4 b3-c3 c4-b4";
    let text = format!("P3/4/4/1r2/4/2G1/4/3p b - 0 0 moves b5-b4 {cycle} {cycle}");
    game(&text, Rules::MISTBOARD)
}

#[test]
fn no_player_chooses_a_banned_chase() {
    let game = chase();
    let stop = Stop::new();
    for (name, _) in players::KNOWN {
        let mut player = players::by_spec(name).expect("a player");
        for seed in 0..20 {
            let limits = Limits {
                nodes: Some(500),
                ..Limits::NONE
            };
            let request = Request {
                game: &game,
                among: None,
                limits,
                seed,
                stop: &stop,
            };
            let chosen = player.choose(&request, &mut |_| {}).action;
            assert!(game.is_legal(chosen), "{name}: {chosen}");
        }
    }
    // If only banned actions are requested, any legal action is chosen.
    let banned = [action("c3-b3")];
    let chosen = search(&game, Some(&banned), limits(1, 1), None).best[0].found;
    assert!(game.is_legal(chosen.action));
}

#[test]
fn several_lines_are_told_where_tables_decide() {
    let tables = Tables::solved(3, Rules::OLYMPIAD).expect("small distances");
    for (text, least) in [
        // Won by a capture, lost, and drawn with some moves that lose.
        ("4/4/4/4/4/4/4/Kg2 r - 0 0", 2),
        ("4/4/4/1K2/4/4/g3/4 b - 0 0", 3),
        ("4/4/4/4/4/1P2/1k2/4 b - 0 0", 3),
    ] {
        let game = game(text, Rules::OLYMPIAD);
        let count = game.actions().len();
        assert!(count >= least, "{text}");
        let single = search(&game, None, limits(3, 1), Some(&tables));
        let several = search(&game, None, limits(3, 9), Some(&tables));
        let told: Vec<_> = several.best.iter().map(|best| best.found).collect();
        assert_eq!(told.len(), count, "{text}: {told:?}");
        assert_eq!(told[0], single.best[0].found, "{text}");
        let mut actions: Vec<Action> = told.iter().map(|found| found.action).collect();
        actions.sort();
        actions.dedup();
        assert_eq!(actions.len(), count, "{text}: one line twice");
        let two = search(&game, None, limits(3, 2), Some(&tables));
        assert_eq!(two.best.len(), 2, "{text}");
        assert_eq!(
            search(&game, None, limits(3, 1), Some(&tables)).best.len(),
            1
        );
    }
}

#[test]
fn tables_choose_among_the_actions_asked_for() {
    let tables = Tables::solved(3, Rules::OLYMPIAD).expect("small distances");
    let game = game("4/4/4/4/4/4/4/Kg2 r - 0 0", Rules::OLYMPIAD);
    let among = [action("a1-a2")];
    let thought = search(&game, Some(&among), limits(3, 3), Some(&tables));
    assert_eq!(thought.best.len(), 1);
    assert_eq!(thought.best[0].found.action, among[0]);
}
