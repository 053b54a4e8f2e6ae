//! What is printed can be read, and what makes no sense is refused.
//!
//! Every text of the rules crate is an inverse of its reader: squares, pieces, actions, plies, positions and whole games.
//! `proptest` makes up texts that nobody printed, the most dangerous ones by damaging good texts.

use anqi_rulebooks::wander::{random_game, random_position};
use anqi_rules::*;
use proptest::prelude::*;

/// A position string with a few characters changed, removed or inserted.
fn damaged(text: &str, wounds: &[(usize, u8, char)]) -> String {
    let mut signs: Vec<char> = text.chars().collect();
    for &(place, kind, sign) in wounds {
        let at = place % (signs.len() + 1);
        match kind % 3 {
            0 if at < signs.len() => signs[at] = sign,
            1 if at < signs.len() => drop(signs.remove(at)),
            _ => signs.insert(at, sign),
        }
    }
    signs.into_iter().collect()
}

fn any_sign() -> impl Strategy<Value = char> {
    let usual: Vec<char> = "KGMRNCPkgmrncp?/-rb 0123456789x\t(".chars().collect();
    prop_oneof![9 => proptest::sample::select(usual), 1 => any::<char>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_position_string_is_refused_or_means_what_it_says(
        seed in 0..10_000u64,
        wounds in proptest::collection::vec((any::<usize>(), any::<u8>(), any_sign()), 1..4),
    ) {
        let text = damaged(&random_position(seed).to_string(), &wounds);
        match text.parse::<Position>() {
            Ok(position) => prop_assert_eq!(position.to_string().parse(), Ok(position)),
            Err(error) => prop_assert!(!error.reasons().is_empty()),
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,60}") {
        if let Ok(ply) = text.parse::<Ply>() {
            prop_assert_eq!(ply.to_string(), text.as_str());
        }
        if let Ok(square) = text.parse::<Square>() {
            prop_assert_eq!(square.to_string(), text.as_str());
        }
        if let Ok(action) = text.parse::<Action>() {
            let written = action.to_string();
            prop_assert!(written == text || (action.is_flip() && written.starts_with(&text)));
        }
        let _ = text.parse::<Position>();
        let _ = Game::from_text(&text, Rules::OLYMPIAD);
    }
}

#[test]
fn squares_actions_plies_and_pieces_print_and_parse() {
    for square in Square::all() {
        assert_eq!(square.to_string().parse(), Ok(square));
    }
    for piece in Piece::all() {
        assert_eq!(piece.to_string().parse(), Ok(piece));
        for square in Square::all() {
            let ply = Ply::flip(square, piece);
            assert_eq!(ply.to_string().parse(), Ok(ply));
        }
    }
    for action in Action::all() {
        assert_eq!(action.to_string().parse(), Ok(action));
        assert_eq!(Action::from_bits(action.bits()), action);
    }
}

#[test]
fn a_game_line_prints_and_parses() {
    for seed in 0..100 {
        let game = random_game(seed, 60);
        let plies: Vec<String> = game.plies().iter().map(ToString::to_string).collect();
        let line = format!("start moves {}", plies.join(" "));
        let read = Game::from_text(&line, Rules::OLYMPIAD).unwrap();
        assert_eq!(
            (read.position(), read.plies()),
            (game.position(), game.plies())
        );
        assert_eq!(read.outcome(), game.outcome());
    }
}

#[test]
fn a_bag_prints_and_parses_and_holds_no_more_than_a_set() {
    for seed in 0..300 {
        let bag = random_position(seed).hidden();
        assert_eq!(bag.to_string().parse(), Ok(bag));
        let backwards: String = bag.to_string().chars().rev().collect();
        assert_eq!(backwards.parse(), Ok(bag));
    }
    for bad in ["KK", "cCcC?", "x", "K-", "GGG"] {
        assert!(bad.parse::<HiddenBag>().is_err(), "{bad}");
    }
}
