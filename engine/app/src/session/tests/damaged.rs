//! Lines of a course's server that are damaged: an action comes all the same.
//!
//! What is legal is output by the letters of the line alone, not by our rules.

use super::*;
use anqi_rules::random::{below, split_mix};
use anqi_rules::{Content, Game, Ply, Position, Square};

/// A stream of draws.
struct Source(u64);

impl Source {
    fn below(&mut self, limit: usize) -> usize {
        below(limit as u64, || split_mix(&mut self.0)) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

/// Four ranks of eight signs, `.` for an empty square; `None` if the text has others.
fn board(ranks: &str) -> Option<Vec<Vec<char>>> {
    let mut board = Vec::new();
    for rank in ranks.split('/') {
        let mut row = Vec::new();
        for sign in rank.chars() {
            match sign.to_digit(10) {
                Some(empty) => row.extend(vec!['.'; empty as usize]),
                None if sign == '?' || sign.is_ascii_alphabetic() => row.push(sign),
                None => return None,
            }
        }
        board.push(row);
    }
    (board.len() == 4 && board.iter().all(|row| row.len() == 8)).then_some(board)
}

/// All actions that the letters of a board allow, as the server writes them.
fn legal(board: &[Vec<char>], turn: char) -> Vec<String> {
    let mut actions = Vec::new();
    let places = || (0..4usize).flat_map(|rank| (0..8usize).map(move |file| (rank, file)));
    let name =
        |(rank, file): (usize, usize)| format!("{}{}", (b'A' + file as u8) as char, rank + 1);
    for from in places() {
        if board[from.0][from.1] == '?' {
            actions.push(format!("FLIP {}", name(from)));
        }
        for to in places().filter(|to| may_go(board, turn, from, *to)) {
            actions.push(format!("MOVE {} {}", name(from), name(to)));
        }
    }
    actions
}

fn may_go(board: &[Vec<char>], turn: char, from: (usize, usize), to: (usize, usize)) -> bool {
    const ORDER: &str = "KAERNCP";
    let (piece, prey) = (board[from.0][from.1], board[to.0][to.1]);
    let is_own = piece.is_ascii_lowercase() == (turn == 'r');
    let Some(strength) = ORDER.find(piece.to_ascii_uppercase()).filter(|_| is_own) else {
        return false;
    };
    let (ranks, files) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
    if prey == '.' {
        return ranks + files == 1;
    }
    let is_enemy = piece.is_ascii_lowercase() != prey.is_ascii_lowercase();
    let Some(weakness) = ORDER.find(prey.to_ascii_uppercase()).filter(|_| is_enemy) else {
        return false;
    };
    if piece.eq_ignore_ascii_case(&'C') {
        let between = |a: usize, b: usize| a.min(b) + 1..a.max(b);
        let screens = match (ranks, files) {
            (0, 1..) => between(from.1, to.1)
                .filter(|&f| board[from.0][f] != '.')
                .count(),
            (1.., 0) => between(from.0, to.0)
                .filter(|&r| board[r][from.1] != '.')
                .count(),
            _ => 0,
        };
        return screens == 1;
    }
    let captures = match (strength, weakness) {
        (0, 6) => false,
        (6, 0) => true,
        _ => strength <= weakness,
    };
    ranks + files == 1 && captures
}

/// The boards of a random game, as the server writes them, with the side to move.
fn game(source: &mut Source) -> Vec<(String, char)> {
    let mut game = Game::new(Position::start(), Rules::COURSE);
    let mut lines = Vec::new();
    while lines.len() < 150 {
        lines.push(written(game.position()));
        let actions = game.actions().to_vec();
        let Some(&action) = actions.get(source.below(actions.len().max(1))) else {
            return lines;
        };
        let kinds: Vec<_> = game.position().reveals().collect();
        let ply = if action.is_flip() {
            Ply::flip(action.from(), kinds[source.below(kinds.len())].piece)
        } else {
            Ply::from(action)
        };
        game.play(ply).expect("a legal ply");
    }
    lines
}

fn written(position: &Position) -> (String, char) {
    let sign = |square| match position.content(square) {
        Content::Empty => '1',
        Content::FaceDown => '?',
        Content::FaceUp(piece) => {
            let letters = if piece.color() == Color::Red {
                "kaerncp"
            } else {
                "KAERNCP"
            };
            letters
                .chars()
                .nth(piece.role().index())
                .expect("seven roles")
        }
    };
    let rank = |column| -> String {
        let squares = (0..8).filter_map(|row| Square::at(column, row));
        squares.map(sign).collect()
    };
    let ranks: Vec<String> = (0..4).map(rank).collect();
    let turn = if position.turn() == Some(Color::Black) {
        'b'
    } else {
        'r'
    };
    (ranks.join("/"), turn)
}

/// Replaces, removes or adds a sign.
fn damage(source: &mut Source, text: &str) -> String {
    let mut signs: Vec<char> = text.chars().collect();
    let place = source.below(signs.len());
    let sign = source.pick(&[
        "?", "k", "K", "D", "z", "/", " ", "8", "1", "-", ".", "x", "9", "c",
    ]);
    let sign = sign.chars().next().expect("a sign");
    match source.below(3) {
        0 => signs[place] = sign,
        1 => _ = signs.remove(place),
        _ => signs.insert(place, sign),
    }
    signs.into_iter().collect()
}

/// Whether a line asks for an action of a board that can be read, and its legal actions.
fn demanded(line: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = line.split(' ').collect();
    let [ranks, turn @ ("r" | "b"), red, black] = words[..] else {
        return None;
    };
    if [red, black].iter().any(|time| time.contains("9999")) {
        return None;
    }
    Some(legal(&board(ranks)?, turn.chars().next()?))
}

#[test]
fn a_line_that_asks_is_answered_with_an_action_legal_on_its_board() {
    let mut source = Source(11);
    let (mut demands, mut others) = (0, 0);
    for _ in 0..12 {
        let boards = game(&mut source);
        for index in 1..boards.len() {
            if source.below(6) != 0 {
                continue;
            }
            let (ranks, turn) = &boards[index];
            let times = source.pick(&[
                "5000.25 4000",
                "9e3 -3.5",
                "nan 7",
                "inf 1e300",
                "soon 12x",
                "",
                "-9998 x",
                "70",
            ]);
            let mut line = format!("{ranks} {turn} {times}");
            for _ in 0..source.below(4) {
                line = damage(&mut source, &line);
            }
            let (before, side) = &boards[index - 1];
            let output = conversation("first", &format!("{before} {side} -9999 -9999\n{line}\n"));
            assert!(output.lines().count() <= 1, "{line}: {output}");
            match demanded(&line) {
                Some(legal) if legal.is_empty() => assert_eq!(output, "", "{line}"),
                Some(legal) => {
                    demands += 1;
                    assert!(
                        legal.contains(&output.trim_end().to_owned()),
                        "{line}: {output:?}"
                    );
                }
                None => others += 1,
            }
        }
    }
    assert!(
        demands > 60 && others > 30,
        "{demands} demands, {others} others"
    );
}

#[test]
fn impossible_counts_and_strange_letters_are_played_by_geometry() {
    for line in [
        "kkkA4/8/8/8 r 5000 5000",
        "kDA5/8/8/8 r 5000 5000",
        "DDDDDDDD/DDDDDDDD/DDDDDDDD/D?DDDDDD b 5000 5000",
        "pppppppp/pppppppp/pppppppp/ppppppp1 r 5000 5000",
        "c?K5/8/8/8 r 5000 5000",
        "KKKKKKKK/????????/kkkkkkkk/8 b nan nan",
    ] {
        let expected = demanded(line).expect("a demand");
        let output = conversation("first", &format!("{line}\n"));
        assert!(
            expected.contains(&output.trim_end().to_owned()),
            "{line}: {output:?}"
        );
    }
}
