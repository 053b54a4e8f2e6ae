//! The rule books against the games that OpenSpiel has played.
//!
//! OpenSpiel's `banqi` was written by others from the same rules of the game. Every list of legal actions, every
//! twentieth position and every ending of 1,101 of its games must be the same here; the places where its rules are
//! knowingly others are named in `data/README.md`.

use anqi_tests::naive::{Naive, Outcome, preset};
use anqi_tests::playthrough::{Line, check, playthroughs};

/// The naive rule book through the same door as the fast one.
fn naive_agrees(lines: &[Line]) -> usize {
    let rules = preset("openspiel");
    let mut game = Naive::start();
    let mut name = "";
    let mut ended = 0;
    for line in lines {
        match line {
            Line::Perft { .. } => {}
            Line::Game(title) => {
                name = title;
                game = Naive::start();
            }
            Line::At(position) => assert_eq!(&game.to_string(), position, "game {name}"),
            Line::Ply {
                ply,
                legal,
                check: expected,
            } => {
                let actions = game.legal();
                assert_eq!(
                    game.outcome(&rules),
                    Outcome::Playing,
                    "game {name}: {game}"
                );
                assert_eq!(actions.len(), *legal, "game {name}: {game}: {actions:?}");
                assert_eq!(
                    check(&actions),
                    *expected,
                    "game {name}: {game}: {actions:?}"
                );
                game.play(ply).unwrap();
            }
            Line::Wiped { loser, position } => {
                let winner = if *loser == 'r' { 'b' } else { 'r' };
                assert_eq!(
                    game.outcome(&rules),
                    Outcome::WipedOut(winner),
                    "game {name}"
                );
                assert_eq!(&game.to_string(), position, "game {name}");
                ended += 1;
            }
            Line::End { result, position } => {
                assert_eq!(
                    &game.outcome(&rules).to_string(),
                    result,
                    "game {name}: {game}"
                );
                assert_eq!(&game.to_string(), position, "game {name}");
                ended += 1;
            }
        }
    }
    ended
}

#[test]
fn the_naive_rule_book_agrees_with_openspiel() {
    assert_eq!(naive_agrees(&playthroughs()), 1101);
}

#[test]
fn naive_perft_agrees_with_openspiel() {
    let mut checked = 0;
    for line in playthroughs() {
        let Line::Perft {
            depth,
            leaves,
            position,
        } = line
        else {
            continue;
        };
        // The start at depth 3 has 79 million leaves: too many for the naive book, the fast one counts them.
        if leaves > 1_000_000 {
            continue;
        }
        let game = Naive::parse(&position).expect("the file has position strings");
        assert_eq!(
            game.perft(depth as usize),
            leaves,
            "depth {depth} of {position}"
        );
        checked += 1;
    }
    assert!(checked >= 14, "only {checked} perft counts");
}
