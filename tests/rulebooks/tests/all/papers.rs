//! The example game of Saffidine, Jouandeau, Buron and Cazenave, twenty plies, by both rule books.
//!
//! Their board names squares as ours does, and their B is the minister. Their fourteenth ply reads `b7-b6`, where nothing
//! has been turned up: the guard on c7 takes the rook, `c7-c6`. Among the moves of the first player they list `c3-d3`,
//! onto a face-down piece, for `c3-c4`.

use anqi_rulebooks::book::{Book, FastBook, NaiveBook};

const PLIES: &str = "b5(k) d8(P) d7(R) d4(p) c7(G) c6(c) c4(C) c4-c6 c5(p) c3(M) \
                     b6(r) c3-c4 b6-c6 c7-c6 c2(C) c4-d4 b3(g) d4-c4 b3-c3 c4-d4";

/// The moves and captures of the side to move.
fn moves(book: &dyn Book) -> Vec<String> {
    let legal = book.legal().into_iter();
    legal.filter(|action| action[..2] != action[3..]).collect()
}

fn books() -> [Box<dyn Book>; 2] {
    [
        Box::new(FastBook::start("paper")),
        Box::new(NaiveBook::start("paper")),
    ]
}

#[test]
fn the_example_game_of_the_paper_ends_with_the_moves_that_it_lists() {
    for mut book in books() {
        for ply in PLIES.split_whitespace() {
            book.play(ply)
                .unwrap_or_else(|error| panic!("{ply}: {error}"));
        }
        let first = ["b5-b6", "c3-b3", "c3-c2", "c3-c4", "c5-c4"];
        assert_eq!(moves(&*book), first, "{}", book.position());
        // A flip passes the turn and leaves the other side's moves as they were.
        book.play("a1(p)").expect("a face-down piece");
        let second = ["c2-c5", "c6-b6", "c6-c5", "c6-c7", "d4-c4", "d7-c7"];
        assert_eq!(moves(&*book), second, "{}", book.position());
    }
}

#[test]
fn the_misprinted_ply_is_refused() {
    for mut book in books() {
        for ply in PLIES.split_whitespace().take(13) {
            book.play(ply)
                .unwrap_or_else(|error| panic!("{ply}: {error}"));
        }
        book.play("b7-b6").expect_err("b7 is face down");
        book.play("c7-c6").expect("the guard takes the rook");
    }
}
