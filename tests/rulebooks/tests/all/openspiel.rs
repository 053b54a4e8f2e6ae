//! The rule books against the games that OpenSpiel has played.
//!
//! OpenSpiel's `banqi` was written by others from the same rules of the game. Every list of legal actions, every
//! twentieth position and every ending of 1,101 of its games must be the same here; `data/README.md` names the known
//! differences of its rules.

use anqi_naive::Naive;
use anqi_rulebooks::book::{Book, FastBook, NaiveBook, Verdict};
use anqi_rulebooks::playthrough::{Line, check, playthroughs};
use anqi_rules::{Position, perft};

/// Follows every game in one book and returns how many ended as OpenSpiel says.
fn agrees<B: Book>(start: impl Fn() -> B) -> usize {
    let mut game = start();
    let mut name = String::new();
    let mut ended = 0;
    for line in playthroughs() {
        let here = format!("game {name}: {}", game.position());
        match line {
            Line::Perft { .. } => {}
            Line::Game(title) => {
                name = title;
                game = start();
            }
            Line::At(position) => assert_eq!(game.position(), position, "{here}"),
            Line::Ply {
                ply,
                legal,
                check: expected,
            } => {
                let actions = game.legal();
                assert_eq!(game.verdict(), Verdict::Playing, "{here}");
                assert_eq!(actions.len(), legal, "{here}: {actions:?}");
                assert_eq!(check(&actions), expected, "{here}: {actions:?}");
                game.play(&ply).expect(&here);
            }
            Line::Wiped { loser, position } => {
                let winner = if loser == 'r' { 'b' } else { 'r' };
                assert_eq!(game.verdict(), Verdict::NoMove(winner), "{here}");
                assert_eq!(game.position(), position, "{here}");
                ended += 1;
            }
            Line::End { result, position } => {
                assert_eq!(game.position(), position, "{here}");
                assert_eq!(game.verdict(), expected_verdict(&name, &result), "{here}");
                ended += 1;
            }
        }
    }
    ended
}

/// Returns our verdict for OpenSpiel's: the same, but for the one game whose last ply reaches the limit and leaves the
/// side to move (red) without action.
fn expected_verdict(game: &str, result: &str) -> Verdict {
    match (game, result) {
        ("tie given", "draw") => Verdict::NoMove('b'),
        (_, "red wins") => Verdict::NoMove('r'),
        (_, "black wins") => Verdict::NoMove('b'),
        _ => Verdict::NoEatFlipDraw,
    }
}

#[test]
fn the_fast_rule_book_agrees_with_openspiel() {
    assert_eq!(agrees(|| FastBook::start("openspiel")), 1101);
}

#[test]
fn the_naive_rule_book_agrees_with_openspiel() {
    assert_eq!(agrees(|| NaiveBook::start("openspiel")), 1101);
}

#[test]
fn perft_agrees_with_openspiel() {
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
        let fast: Position = position.parse().unwrap();
        assert_eq!(perft(&fast, depth), leaves, "depth {depth} of {position}");
        // The start at depth 3 has 79 million leaves: too many for the naive book.
        if leaves < 1_000_000 {
            let naive = Naive::parse(&position).unwrap();
            assert_eq!(
                naive.perft(depth as usize),
                leaves,
                "depth {depth} of {position}"
            );
        }
        checked += 1;
    }
    assert_eq!(checked, 16, "perft counts in the file");
}
