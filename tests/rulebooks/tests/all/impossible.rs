//! Impossible positions: each must be refused, with every reason named and none made up.
//!
//! A row of the table is a position string and a part of every reason that its refusal must give. The number of reasons
//! must be the same, so a reason too many fails as well as one too few.

use anqi_rules::{Content, Fault, Game, Position, Rules, Setup};

/// The pieces and the bag of the start, to be spoilt one by one.
const DOWN: &str = "????/????/????/????/????/????/????/????";
const BAG: &str = "KGGMMRRNNCCPPPPPkggmmrrnnccppppp";

/// The table, with `DOWN` and `BAG` standing for the start's board and bag.
#[rustfmt::skip]
const IMPOSSIBLE: &[(&str, &[&str])] = &[
    // Fields.
    ("", &["0 fields"]),
    ("start", &["1 fields"]),
    ("DOWN", &["1 fields"]),
    ("DOWN - BAG 0", &["4 fields"]),
    ("DOWN - BAG 0 0 0", &["6 fields"]),
    ("DOWN -BAG 0 0", &["4 fields"]),
    // Rows and their widths.
    ("????/????/????/????/????/????/???? - BAG 0 0", &["7 rows"]),
    ("DOWN/???? - BAG 0 0", &["9 rows"]),
    ("K3 r - 0 0", &["1 rows"]),
    ("K3/4/4/4/4/4/4/4/ r - 0 0", &["9 rows"]),
    ("/4/4/4/4/4/4/K3 r - 0 0", &["row 8 has 0 squares"]),
    ("K3/4/4/4//4/4/4 r - 0 0", &["row 4 has 0 squares"]),
    ("K2/4/4/4/4/4/4/4 r - 0 0", &["row 8 has 3 squares"]),
    ("K4/4/4/4/4/4/4/4 r - 0 0", &["row 8 has 5 squares"]),
    ("K3/4/4/4/4/4/4/KGGM1 r - 0 0", &["row 1 has 5 squares", "2 of K"]),
    ("K3/32/4/4/4/4/4/4 r - 0 0", &["row 7 has 5 squares"]),
    ("K3/4/4/1111p/4/4/4/4 r - 0 0", &["row 5 has 5 squares"]),
    ("K3/4/4/4/4/4/??/4 r Pp 0 0", &["row 2 has 2 squares"]),
    ("K/k/4/4/4/4/4/4 r - 0 0", &["row 8 has 1 squares", "row 7 has 1 squares"]),
    // Signs on the board.
    ("K3/4/4/5/4/4/4/4 r - 0 0", &["'5' in row 5"]),
    ("K3/0K3/4/4/4/4/4/4 r - 0 0", &["'0' in row 7", "2 of K"]),
    ("K3/8/4/4/4/4/4/4 r - 0 0", &["'8' in row 7"]),
    ("K3/9/4/4/4/4/4/4 r - 0 0", &["'9' in row 7"]),
    ("K2x/4/4/4/4/4/4/4 r - 0 0", &["'x' in row 8"]),
    ("KX2/4/4/4/4/4/4/4 r - 0 0", &["'X' in row 8"]),
    ("K3/q3/Z3/4/4/4/4/4 r - 0 0", &["'q' in row 7", "'Z' in row 6"]),
    ("K3/H3/4/4/4/4/4/4 r - 0 0", &["'H' in row 7"]),
    ("K3/.../4/4/4/4/4/4 r - 0 0", &["'.' in row 7", "'.' in row 7", "'.' in row 7"]),
    ("K3/帥3/4/4/4/4/4/4 r - 0 0", &["'帥' in row 7"]),
    ("K3/4/4/-4/4/4/4/4 r - 0 0", &["'-' in row 5"]),
    ("K3/4/4/٤/4/4/4/4 r - 0 0", &["'٤' in row 5"]),
    // Turns.
    ("K2k/4/4/4/4/4/4/4 w - 0 0", &["'w' is not a turn"]),
    ("K2k/4/4/4/4/4/4/4 R - 0 0", &["'R' is not a turn"]),
    ("K2k/4/4/4/4/4/4/4 red - 0 0", &["'red' is not a turn"]),
    ("K2k/4/4/4/4/4/4/4 rb - 0 0", &["'rb' is not a turn"]),
    ("K2k/4/4/4/4/4/4/4 - - 0 0", &["only right before the first flip"]),
    ("K???/????/????/????/????/????/????/???? - GGMMRRNNCCPPPPPkggmmrrnnccppppp 0 1", &["only right before the first flip"]),
    ("???1/4/4/4/4/4/4/4 - KPk 0 0", &["only right before the first flip"]),
    ("DOWN r BAG 0 0", &["red is to move"]),
    ("DOWN b BAG 0 0", &["black is to move"]),
    ("DOWN b BAG 0 4", &["black is to move"]),
    ("???1/4/4/4/4/4/4/4 r KPk 0 0", &["red is to move"]),
    // The bag.
    ("K2k/4/4/4/4/4/4/4 r x 0 0", &["'x' among the hidden"]),
    ("K2?/4/4/4/4/4/4/4 r H 0 0", &["'H' among the hidden"]),
    ("K2?/4/4/4/4/4/4/4 r G1 0 0", &["'1' among the hidden"]),
    ("K2?/4/4/4/4/4/4/4 r ? 0 0", &["'?' among the hidden"]),
    ("K2?/4/4/4/4/4/4/4 r G- 0 0", &["'-' among the hidden"]),
    ("K2?/4/4/4/4/4/4/4 r -- 0 0", &["'-' among the hidden", "'-' among the hidden"]),
    ("K2?/4/4/4/4/4/4/4 r - 0 0", &["1 squares are face down, but 0"]),
    ("K2k/4/4/4/4/4/4/4 r g 0 0", &["0 squares are face down, but 1"]),
    ("K1??/4/4/4/4/4/4/4 r g 0 0", &["2 squares are face down, but 1"]),
    ("K1??/4/4/4/4/4/4/4 r ggp 0 0", &["2 squares are face down, but 3"]),
    ("DOWN - - 0 0", &["32 squares are face down, but 0"]),
    ("DOWN - KGGMMRRNNCCPPPPPkggmmrrnnccpppp 0 0", &["32 squares are face down, but 31"]),
    // Too many pieces.
    ("KK1k/4/4/4/4/4/4/4 r - 0 0", &["2 of K"]),
    ("K1kk/4/4/4/4/4/4/4 r - 0 0", &["2 of k"]),
    ("KKkk/4/4/4/4/4/4/4 r - 0 0", &["2 of K", "2 of k"]),
    ("K2?/4/4/4/4/4/4/4 r K 0 0", &["2 of K"]),
    ("GGG1/4/4/4/4/4/4/3k r - 0 0", &["3 of G"]),
    ("1mmm/4/4/4/4/4/4/3K r - 0 0", &["3 of m"]),
    ("RR1?/4/4/4/4/4/4/3k r R 0 0", &["3 of R"]),
    ("NNNN/4/4/4/4/4/4/3k r - 0 0", &["4 of N"]),
    ("ccc1/4/4/4/4/4/4/3K r - 0 0", &["3 of c"]),
    ("PPPP/PP2/4/4/4/4/4/3k r - 0 0", &["6 of P"]),
    ("PPPP/???1/4/4/4/4/4/3k r PPp 0 0", &["6 of P"]),
    ("DOWN - KGGMMRRNNCCPPPPPKggmmrrnnccppppp 0 0", &["2 of K", "17 red pieces"]),
    ("KGGM/MRRN/NCCP/PPPP/P3/4/4/3k r - 0 0", &["6 of P", "17 red pieces"]),
    ("kggm/mrrn/nccp/pppp/p3/4/4/3K r - 0 0", &["6 of p", "17 black pieces"]),
    ("4/4/4/4/4/4/4/4 r - 0 0", &["no piece at all"]),
    ("4/4/4/4/4/4/4/4 - - 0 0", &["no piece at all", "only right before the first flip"]),
    // Counters.
    ("K2k/4/4/4/4/4/4/4 r - x 0", &["'x' is not a number of quiet plies"]),
    ("K2k/4/4/4/4/4/4/4 r - 0 y", &["'y' is not a number of plies"]),
    ("K2k/4/4/4/4/4/4/4 r - -1 0", &["'-1' is not a number of quiet plies"]),
    ("K2k/4/4/4/4/4/4/4 r - +1 5", &["'+1' is not a number of quiet plies"]),
    ("K2k/4/4/4/4/4/4/4 r - 0 1.5", &["'1.5' is not a number of plies"]),
    ("K2k/4/4/4/4/4/4/4 r - 0x1 9", &["'0x1' is not a number of quiet plies"]),
    ("K2k/4/4/4/4/4/4/4 r - 0 99999999999999999999", &["'99999999999999999999' is not a number of plies"]),
    ("K2k/4/4/4/4/4/4/4 r - 0 4294967296", &["'4294967296' is not a number of plies"]),
    ("K2k/4/4/4/4/4/4/4 r - 0 4294967295", &["4294967295 plies are more"]),
    ("K2k/4/4/4/4/4/4/4 r - 0 1000001", &["1000001 plies are more"]),
    ("K2k/4/4/4/4/4/4/4 r - 1 0", &["1 quiet plies, but only 0"]),
    ("K2k/4/4/4/4/4/4/4 r - 180 179", &["180 quiet plies, but only 179"]),
    ("K2k/4/4/4/4/4/4/4 r - a b", &["'a' is not a number of quiet", "'b' is not a number of plies"]),
    ("DOWN - BAG 0 3", &["3 plies were played before the first flip"]),
    ("DOWN - BAG 2 1", &["1 plies were played before the first flip", "2 quiet plies, but only 1"]),
    // Several faults at once.
    ("KK2/4/4/4/4/4/4/4 r g 5 3", &["2 of K", "0 squares are face down, but 1", "5 quiet plies, but only 3"]),
    ("K3/4/4/4/4/4/4 w - 0 0", &["7 rows", "'w' is not a turn"]),
    ("K4/4/4/4/4/4/4/4 w x -1 q", &["row 8 has 5", "'w' is not a turn", "'x' among", "'-1' is not", "'q' is not"]),
    ("KK??/4/4/4/4/4/4/4 - G 9 8", &["2 of K", "2 squares are face down, but 1", "only right before", "9 quiet plies"]),
    ("GGG1/nnn1/4/4/4/4/4/4 b PPPPPP 0 0", &["3 of G", "6 of P", "3 of n", "0 squares are face down, but 6"]),
    ("y3/4/4/4/4/4/4/4/4 q z 1 0", &["9 rows", "'y' in row 8", "'q' is not a turn", "'z' among", "1 quiet plies"]),
];

/// Returns the reasons for which a text is refused.
fn reasons(text: &str) -> Vec<String> {
    match text.parse::<Position>() {
        Ok(position) => panic!("accepted as {position}: {text}"),
        Err(error) => error.reasons().iter().map(ToString::to_string).collect(),
    }
}

fn spelt_out(row: &str) -> String {
    row.replace("DOWN", DOWN).replace("BAG", BAG)
}

#[test]
fn impossible_positions_are_refused_with_every_reason() {
    let mut refused = 0;
    for (row, expected) in IMPOSSIBLE {
        let text = spelt_out(row);
        let mut reasons = reasons(&text);
        assert_eq!(reasons.len(), expected.len(), "{row}: {reasons:?}");
        for part in *expected {
            let found = reasons.iter().position(|reason| reason.contains(part));
            let found = found.unwrap_or_else(|| panic!("{row}: no '{part}' in {reasons:?}"));
            reasons.remove(found);
        }
        refused += 1;
    }
    assert!(
        refused >= 60,
        "only {refused} impossible positions in the table"
    );
}

#[test]
fn a_refusal_says_everything_in_one_line() {
    for (row, expected) in IMPOSSIBLE {
        let text = spelt_out(row).parse::<Position>().unwrap_err().to_string();
        assert!(!text.contains('\n'), "{text}");
        assert!(
            expected.iter().all(|part| text.contains(part)),
            "{row}: {text}"
        );
    }
}

#[test]
fn a_game_on_an_impossible_position_is_refused_too() {
    for (row, _) in IMPOSSIBLE.iter().filter(|(row, _)| *row != "start") {
        let line = format!("{} moves a8-a7", spelt_out(row));
        assert!(Game::from_text(&line, Rules::OLYMPIAD).is_err(), "{row}");
    }
}

/// Neighbours of impossible positions that are possible: a check that refuses everything would pass the table.
const POSSIBLE: &[&str] = &[
    "DOWN - BAG 0 0",
    "K???/????/????/????/????/????/????/???? b GGMMRRNNCCPPPPPkggmmrrnnccppppp 0 1",
    "KGGM/MRRN/NCCP/PPPP/4/4/4/3k r - 0 0",
    "kggm/mrrn/nccp/pppp/4/4/4/3? b K 0 0",
    "K3/4/4/4/4/4/4/4 r - 0 0",
    "K2k/4/4/4/4/4/4/4 r - 179 179",
    "K2k/4/4/4/4/4/4/4 b - 0 1000000",
    "3?/4/4/4/4/4/4/P3 r P 12 40",
];

#[test]
fn their_possible_neighbours_are_accepted() {
    let accepted: Vec<&str> = POSSIBLE
        .iter()
        .copied()
        .filter(|row| {
            let text = spelt_out(row);
            text.parse::<Position>()
                .map(|position| position.to_string())
                == Ok(text)
        })
        .collect();
    assert_eq!(accepted, POSSIBLE);
}

#[test]
fn a_setup_names_all_its_faults_at_once() {
    let mut setup = Setup {
        turn: None,
        quiet: 7,
        ply: 2_000_000,
        ..Setup::default()
    };
    setup.board[0] = Content::FaceDown;
    setup.hidden[0] = 2;
    setup.hidden[13] = u32::MAX;
    let faults = setup.position().unwrap_err().faults().to_vec();
    assert_eq!(faults.len(), 6, "{faults:?}");
    assert!(faults.contains(&Fault::TurnMissing));
    assert!(faults.contains(&Fault::TooManyPlies(2_000_000)));
    assert!(matches!(faults.last(), Some(Fault::TooManyPlies(_))));
}
