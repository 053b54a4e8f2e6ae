//! The period of a repetition is the shortest one that the rules count.

use anqi_rules::{DrawReason, Game, Outcome, Repetition, Rules};

/// Two kings that walk to and fro at opposite corners, this many plies.
fn walk(repetition: Repetition, plies: usize) -> Game {
    let rules = Rules {
        quiet_limit: None,
        repetition,
        ..Rules::OLYMPIAD
    };
    let cycle = ["a8-a7", "d1-d2", "a7-a8", "d2-d1"];
    let moves: Vec<&str> = cycle.into_iter().cycle().take(plies).collect();
    let text = format!("K3/4/4/4/4/4/4/3k r - 0 0 moves {}", moves.join(" "));
    Game::from_text(&text, rules).expect("legal moves")
}

fn period(repetition: Repetition, plies: usize) -> Option<u32> {
    match walk(repetition, plies).outcome() {
        Some(Outcome::Draw(DrawReason::Repetition { period })) => Some(period),
        None => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn of_several_repeated_sequences_the_shortest_counts() {
    let thrice = Repetition::Sequence { times: 3 };
    assert_eq!(period(thrice, 11), None);
    // Six times four plies are also three times eight.
    for plies in [12, 13, 24, 25, 36, 48] {
        assert_eq!(period(thrice, plies), Some(4), "{plies} plies");
    }
}

#[test]
fn a_position_came_back_when_it_was_there_last() {
    let thrice = Repetition::Position { times: 3 };
    assert_eq!(period(thrice, 7), None);
    for plies in [8, 9, 24] {
        assert_eq!(period(thrice, plies), Some(4), "{plies} plies");
    }
}
