//! The test's own reading of records: a board of letters, a bag of letters, and nothing of the
//! program's rules, records or tables.

use serde_json::Value;
use std::collections::BTreeMap;

/// Roles in the order of position strings, with how many there are of each.
const SET: [(char, usize); 7] = [
    ('K', 1),
    ('G', 2),
    ('M', 2),
    ('R', 2),
    ('N', 2),
    ('C', 2),
    ('P', 5),
];

/// A board that follows the text of a record.
pub struct Board {
    /// What stands on each square; `?` is face down.
    squares: BTreeMap<String, char>,
    /// The letters that are still face down.
    pub bag: BTreeMap<char, usize>,
    /// `r`, `b`, or `-` before the first flip.
    turn: char,
    quiet: usize,
    plies: usize,
}

impl Board {
    pub fn new() -> Board {
        let files = ['a', 'b', 'c', 'd'];
        let name = |file: char, row: usize| format!("{file}{row}");
        let all = files
            .into_iter()
            .flat_map(|file| (1..=8).map(move |row| name(file, row)));
        let both = SET.into_iter();
        let bag = both
            .flat_map(|(letter, count)| [(letter, count), (letter.to_ascii_lowercase(), count)]);
        Board {
            squares: all.map(|square| (square, '?')).collect(),
            bag: bag.collect(),
            turn: '-',
            quiet: 0,
            plies: 0,
        }
    }

    pub fn face_down(&self) -> usize {
        self.bag.values().sum()
    }

    /// The colour to move, as a letter.
    pub fn turn(&self) -> char {
        self.turn
    }

    /// Plays a ply, and returns whether it captures.
    pub fn play(&mut self, ply: &str) -> bool {
        let captures = match flip_of(ply) {
            Some((square, piece)) => {
                assert_eq!(self.squares.insert(square.to_owned(), piece), Some('?'));
                let left = self.bag.get_mut(&piece).expect("a piece");
                *left -= 1;
                self.quiet = 0;
                if self.turn == '-' {
                    self.turn = color_of(piece);
                }
                false
            }
            None => {
                let (from, to) = ply.split_once('-').expect("a move");
                let piece = self.squares.remove(from).expect("a piece moves");
                let captures = self.squares.insert(to.to_owned(), piece).is_some();
                self.quiet = if captures { 0 } else { self.quiet + 1 };
                captures
            }
        };
        self.turn = if self.turn == 'r' { 'b' } else { 'r' };
        self.plies += 1;
        captures
    }

    /// Writes the position string.
    pub fn text(&self) -> String {
        let mut rows = Vec::new();
        for row in (1..=8).rev() {
            let (mut text, mut empty) = (String::new(), 0);
            for file in ['a', 'b', 'c', 'd'] {
                match self.squares.get(&format!("{file}{row}")) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            text.push_str(&empty.to_string());
                        }
                        text.push(*piece);
                        empty = 0;
                    }
                }
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            rows.push(text);
        }
        let letters = SET.iter().map(|(letter, _)| *letter);
        let letters = letters
            .clone()
            .chain(letters.map(|letter| letter.to_ascii_lowercase()));
        let hidden: String = letters
            .flat_map(|letter| std::iter::repeat_n(letter, self.bag[&letter]))
            .collect();
        let hidden = if hidden.is_empty() { "-" } else { &hidden };
        let (turn, quiet, plies) = (self.turn, self.quiet, self.plies);
        format!("{} {turn} {hidden} {quiet} {plies}", rows.join("/"))
    }
}

/// The square and the piece of a flip.
pub fn flip_of(ply: &str) -> Option<(&str, char)> {
    let (square, piece) = ply.strip_suffix(')')?.split_once('(')?;
    Some((square, piece.chars().next()?))
}

pub fn color_of(piece: char) -> char {
    if piece.is_ascii_uppercase() { 'r' } else { 'b' }
}

pub fn color_name(letter: char) -> &'static str {
    match letter {
        'r' => "red",
        'b' => "black",
        other => panic!("{other}"),
    }
}

/// The side that plays the ply with this index.
pub fn side_at(game: &Value, index: usize) -> &'static str {
    match (game["starter"].as_str(), index % 2) {
        (Some("a"), 0) | (Some("b"), 1) => "a",
        _ => "b",
    }
}

/// A's points in a game: 1, a half or 0.
pub fn points_a(game: &Value) -> f64 {
    match game["verdict"]["winner"].as_str() {
        Some("a") => 1.0,
        Some("b") => 0.0,
        _ => 0.5,
    }
}

pub fn plies(game: &Value) -> Vec<&str> {
    game["plies"]
        .as_str()
        .expect("plies")
        .split(' ')
        .filter(|ply| !ply.is_empty())
        .collect()
}

/// Reads comma-separated text with quotes, an empty cell as `None`.
pub fn csv(text: &str) -> Vec<Vec<Option<String>>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), None::<String>);
    let mut quoted = false;
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '"' if quoted && signs.peek() == Some(&'"') => {
                signs.next();
                cell.get_or_insert_default().push('"');
            }
            '"' => {
                quoted = !quoted;
                cell.get_or_insert_default();
            }
            ',' if !quoted => row.push(cell.take()),
            '\n' if !quoted => {
                row.push(cell.take());
                rows.push(std::mem::take(&mut row));
            }
            other => cell.get_or_insert_default().push(other),
        }
    }
    rows
}
