//! A small engine for the UCI dialect of banqi.
//!
//! It has its own parser for the dialect's letters and board layout, and plays any
//! legal action; `mock_uci garbage` answers with no move instead, `mock_uci stall`
//! does not answer, `mock_uci exit` ends.

use std::io::{self, BufRead};

use anqi_rules::{Action, Piece, Position, Square};

/// The dialect's letters, in the order of ours.
const THEIRS: &str = "GAERHCSgaerhcs";
const OURS: &str = "KGMRNCPkgmrncp";

fn main() {
    let deed = std::env::args().nth(1).unwrap_or_default();
    let mut position = Position::start();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        match line.split(' ').next().unwrap_or("") {
            "uci" => println!("id name mock\nid author nobody\nuciok"),
            "isready" => println!("readyok"),
            "position" => position = read(&line).expect("the referee sends positions"),
            "go" if deed == "exit" => return,
            "go" if deed == "stall" => sleep_for_good(),
            "go" if deed == "garbage" => println!("bestmove (none)"),
            "go" => println!("info depth 1 nodes 7\nbestmove {}", best_move(&position)),
            "quit" => return,
            _ => {}
        }
    }
}

fn sleep_for_good() -> ! {
    loop {
        std::thread::sleep(std::time::Duration::from_secs(3600));
    }
}

/// Reads `position fen <ranks> <turn> <bag> <quiet> <move number> [moves …]`.
fn read(line: &str) -> Option<Position> {
    let words: Vec<&str> = line.split(' ').skip(2).collect();
    let mut position: Position = our_text(&words)?.parse().ok()?;
    for text in words.iter().skip(6) {
        let (from, to) = text.split_at_checked(2)?;
        let action = Action::step(named(from)?, named(to)?);
        position.play(action.into()).map(drop).ok()?;
    }
    Some(position)
}

/// Transposes the dialect's board: their file is our row, their rank our column.
fn our_text(words: &[&str]) -> Option<String> {
    let [ranks, turn, bag, quiet, number] = words.get(..5)?.try_into().ok()?;
    let ranks: Vec<Vec<char>> = ranks.split('/').map(spread).collect();
    let mut rows = Vec::new();
    for file in (0..8).rev() {
        let row: Option<String> = (0..4)
            .map(|rank| ranks.get(3 - rank)?.get(file).copied())
            .collect();
        rows.push(row?);
    }
    let mut letters = String::new();
    let mut kind = None;
    for symbol in bag.chars().filter(|&symbol| symbol != '-') {
        match symbol.to_digit(10) {
            None => kind = translated(symbol),
            Some(count) => letters.extend(std::iter::repeat_n(kind?, count as usize)),
        }
    }
    if letters.is_empty() {
        letters.push('-');
    }
    let ply = 2 * number.parse::<u32>().ok()?.checked_sub(1)?;
    Some(format!("{} {turn} {letters} {quiet} {ply}", rows.join("/")))
}

/// Expands a rank to one of our symbols for each square.
fn spread(rank: &str) -> Vec<char> {
    let symbols = rank.chars().flat_map(|symbol| match symbol.to_digit(10) {
        Some(count) => vec!['1'; count as usize],
        None if symbol == 'X' => vec!['?'],
        None => translated(symbol).into_iter().collect(),
    });
    symbols.collect()
}

fn translated(symbol: char) -> Option<char> {
    let place = THEIRS.find(symbol)?;
    OURS[place..]
        .chars()
        .next()
        .filter(|&letter| Piece::from_letter(letter).is_some())
}

fn best_move(position: &Position) -> String {
    let actions = position.actions();
    let mixed = position.key().wrapping_mul(0x9e37_79b9_7f4a_7c15);
    spelt(actions[(mixed >> 33) as usize % actions.len()])
}

fn named(text: &str) -> Option<Square> {
    let [file, rank] = text.as_bytes().try_into().ok()?;
    Square::at(
        rank.checked_sub(b'0')?.into(),
        file.checked_sub(b'a')?.into(),
    )
}

fn spelt(action: Action) -> String {
    let name = |square: Square| {
        let file = (b'a' + square.row() as u8) as char;
        format!("{file}{}", square.column())
    };
    name(action.from()) + &name(action.to())
}
