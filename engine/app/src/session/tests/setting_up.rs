//! Boards that are set up without saying whose turn it is.

use super::*;

/// Red guard a2, black king a1, and a face-down piece on d8.
const BOARD: &str = "- - - X - - - - - - - - - - - - - - - - - - - - G - - - k - - -";

fn set_up(counts: &str) -> Session {
    let mut session = session("first");
    let output = answer(&mut session, &format!("18 init_board {BOARD} {counts}"));
    assert_eq!(output, "=18");
    session
}

#[test]
fn the_turn_is_unknown_until_genmove_or_a_move() {
    let hidden_pawn = "0 1 0 0 0 0 0 1 0 0 0 0 0 1";
    let mut session = set_up(hidden_pawn);
    let output = answers(
        &mut session,
        &[
            "53 get_position",
            "12 genmove unknown",
            "54 go",
            "58 perft 1",
        ],
    );
    assert!(
        output[0].starts_with("?53 the side to move is not known"),
        "{}",
        output[0]
    );
    assert!(
        output[1].starts_with("?12 the first flip is over"),
        "{}",
        output[1]
    );
    assert!(output[2].starts_with("?54 ") && output[3].starts_with("?58 "));
    assert!(answer(&mut session, "showboard").starts_with("= red or black to move, ply 0"));
    let output = answers(&mut session, &["12 genmove black", "53 get_position"]);
    // The king does capture the guard; a1-a2 is the first legal action.
    assert_eq!(output, ["=12 a1 a2", "=53 3?/4/4/4/4/4/G3/k3 b p 0 0"]);
    assert_eq!(
        answer(&mut session, "12 genmove red"),
        "?12 black is to move, not red"
    );

    let mut session = set_up(hidden_pawn);
    let output = answers(&mut session, &["10 move a2 b2", "53 get_position"]);
    assert_eq!(output, ["=10", "=53 3?/4/4/4/4/4/1G2/k3 b p 1 1"]);
}

#[test]
fn flips_before_the_turn_is_known_fall_into_place() {
    let mut session = set_up("0 1 0 0 0 0 0 1 0 0 0 0 0 1");
    let output = answers(
        &mut session,
        &[
            "11 flip d8 P",
            "11 flip d8 p",
            "11 flip d8 p",
            "52 undo",
            "11 flip d8 p",
        ],
    );
    assert!(
        output[0].starts_with("?11 no P is face down"),
        "{}",
        output[0]
    );
    assert_eq!(output[1], "=11");
    assert!(
        output[2].starts_with("?11 d8 is not face down"),
        "{}",
        output[2]
    );
    assert_eq!(&output[3..], ["=52", "=11"]);
    let output = answers(
        &mut session,
        &[
            "12 genmove red",
            "53 get_position",
            "52 undo",
            "53 get_position",
        ],
    );
    assert_eq!(output[1], "=53 3p/4/4/4/4/4/G3/k3 r - 0 1");
    assert_eq!(output[3], "=53 3?/4/4/4/4/4/G3/k3 b p 0 0");
}

#[test]
fn both_orders_of_the_counts_are_understood() {
    let mut records = set_up("0 1 0 0 0 0 0 1 0 0 0 0 0 1");
    let mut skeletons = set_up("0 0 0 0 0 1 0 1 0 0 0 0 0 1");
    let hidden =
        |session: &mut Session| answers(session, &["genmove red", "get_position"]).remove(1);
    assert_eq!(hidden(&mut records), "= 3?/4/4/4/4/4/G3/k3 r p 0 0");
    assert_eq!(hidden(&mut skeletons), "= 3?/4/4/4/4/4/G3/k3 r p 0 0");
}

#[test]
fn impossible_boards_are_refused_and_the_first_board_is_a_new_game() {
    let mut session = session("first");
    let nothing = "- ".repeat(32);
    let output = answer(
        &mut session,
        &format!("18 init_board {nothing}{}", "0 ".repeat(14)),
    );
    assert!(output.starts_with("?18 impossible position"), "{output}");
    let face_down = format!("X {}1 0 0 0 0 0 0 0 0 0 0 0 0 0", "- ".repeat(31));
    let output = answer(&mut session, &format!("18 init_board {face_down}"));
    assert!(output.starts_with("?18 impossible position"), "{output}");
    let start = format!(
        "18 init_board {}1 2 2 2 2 2 5 1 2 2 2 2 2 5",
        "X ".repeat(32)
    );
    let output = answers(
        &mut session,
        &[&start, "12 genmove unknown", "53 get_position"],
    );
    assert_eq!(output[..2], ["=18", "=12 a1 a1"]);
    assert!(output[2].contains(" - KGG"), "{}", output[2]);
}

#[test]
fn the_board_is_drawn_in_the_answer() {
    let mut session = session("first");
    answers(&mut session, &["flip b8 P", "flip b6 k"]);
    let output = answer(&mut session, "17 showboard");
    let expected = "=17 red to move, ply 2, 0 quiet, face down: KGGMMRRNNCCPPPPggmmrrnnccppppp
 8 X P X X
 7 X X X X
 6 X k X X
 5 X X X X
 4 X X X X
 3 X X X X
 2 X X X X
 1 X X X X
   a b c d";
    assert_eq!(output, expected);
}
