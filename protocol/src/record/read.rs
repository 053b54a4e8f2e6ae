//! Reading a record, line by line.
//!
//! The lines have an order, and some may be missing; each reader consumes its
//! own lines and leaves the next one to the next reader. A line that no reader
//! consumes is an error with its line number, except after the record's end.

use super::{Date, FINISHED, PlatformVerdict, PlayerName, Record, UNFINISHED};
use crate::board::{BoardError, BoardText};
use anqi_rules::notation::excerpt;
use anqi_rules::{Color, Ply, ROWS};
use std::borrow::Cow;

/// Why a text is not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A line is not what belongs there.
    #[error("line {line}: '{found}' is not {expected}")]
    Line {
        /// The line's number, from 1.
        line: usize,
        /// Its text.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// The text ends too early.
    #[error("the record ends early (expected {expected})")]
    End {
        /// What was expected.
        expected: &'static str,
    },
    /// Squares and counts do not fit.
    #[error("the board: {0}")]
    Board(#[from] BoardError),
}

/// The lines that start with `* `, without it, and their numbers.
struct Lines<'a> {
    lines: Vec<(usize, Cow<'a, str>)>,
    next: usize,
}

impl Record {
    /// Reads a record; text after it is ignored.
    ///
    /// # Errors
    ///
    /// Returns an error that names the line that is wrong and what was expected there.
    pub fn read(text: &[u8]) -> Result<Record, RecordError> {
        let (mut lines, stamps) = split(text);
        let date = lines.take(|line| line.parse::<Date>().ok());
        let players = lines.expect("the two players (expected: * A vs B)", players)?;
        let board = board(&mut lines)?;
        let first = lines.take(first);
        let seconds = lines.take(|line| line.strip_prefix("time ")?.parse().ok());
        let plies = plies(&mut lines)?;
        let verdict = lines.take(PlatformVerdict::read);
        let comment = lines.take(comment);
        lines.finish()?;
        Ok(Record {
            date,
            players,
            board,
            first,
            seconds,
            plies,
            verdict,
            comment,
            stamps,
        })
    }
}

impl Record {
    /// Reads all records of a file; each but the first begins with its title.
    ///
    /// # Errors
    ///
    /// Returns the first error, with its line in the file.
    pub fn read_all(text: &[u8]) -> Result<Vec<Record>, RecordError> {
        let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        let mut begins: Vec<usize> = (0..lines.len())
            .filter(|&line| is_title(lines[line]))
            .collect();
        let headless = &lines[..begins.first().copied().unwrap_or(lines.len())];
        if begins.is_empty() || headless.iter().any(|line| line.starts_with(b"* ")) {
            begins.insert(0, 0);
        }
        let ends = begins.iter().skip(1).copied().chain([lines.len()]);
        let ranges = begins.iter().copied().zip(ends);
        ranges
            .map(|(begin, end)| {
                let read = Record::read(&lines[begin..end].concat());
                read.map_err(|error| error.lower_by(begin))
            })
            .collect()
    }
}

fn is_title(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    [FINISHED, UNFINISHED]
        .iter()
        .any(|title| line == title.as_bytes())
}

impl RecordError {
    /// Returns the error in a text that has this many more lines before it.
    fn lower_by(self, lines: usize) -> RecordError {
        match self {
            RecordError::Line {
                line,
                found,
                expected,
            } => RecordError::Line {
                line: line + lines,
                found,
                expected,
            },
            other => other,
        }
    }
}

/// Separates the record's lines from the time stamps after them.
///
/// The first line may be a title; the record ends before the first line without
/// `* `, the stamps before the first line that is not the next stamp.
fn split(text: &[u8]) -> (Lines<'_>, Vec<u64>) {
    let mut all = text
        .split(|&byte| byte == b'\n')
        .map(|line| String::from_utf8_lossy(line.trim_ascii_end()))
        .enumerate()
        .peekable();
    all.next_if(|(_, line)| !line.starts_with("* "));
    let mut lines = Vec::new();
    while let Some((index, line)) = all.next_if(|(_, line)| line.starts_with("* ")) {
        let rest = line
            .strip_prefix("* ")
            .unwrap_or_default()
            .trim()
            .to_owned();
        lines.push((index + 1, Cow::Owned(rest)));
    }
    let stamps = all.enumerate().map_while(|(count, (_, line))| {
        let (number, stamp) = line.split_once(". ")?;
        (number.parse() == Ok(count)).then(|| stamp.parse().ok())?
    });
    let stamps = stamps.collect();
    (Lines { lines, next: 0 }, stamps)
}

impl Lines<'_> {
    /// Takes the next line if it can be read.
    fn take<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (_, line) = self.lines.get(self.next)?;
        let value = read(line)?;
        self.next += 1;
        Some(value)
    }

    /// Takes the next line, which must exist and be readable.
    fn expect<T>(
        &mut self,
        expected: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, RecordError> {
        match self.take(read) {
            Some(value) => Ok(value),
            None => Err(self.unexpected(expected)),
        }
    }

    fn unexpected(&self, expected: &'static str) -> RecordError {
        match self.lines.get(self.next) {
            Some((line, found)) => RecordError::Line {
                line: *line,
                found: excerpt(found),
                expected,
            },
            None => RecordError::End { expected },
        }
    }

    fn finish(self) -> Result<(), RecordError> {
        if self.next == self.lines.len() {
            return Ok(());
        }
        Err(self.unexpected("the next round, a result, or: Comment 0 0"))
    }
}

fn players(line: &str) -> Option<[PlayerName; 2]> {
    let (first, second) = line.split_once(" vs ")?;
    Some([PlayerName::new(first), PlayerName::new(second)])
}

/// Reads the line of counts and the eight rows.
fn board(lines: &mut Lines<'_>) -> Result<BoardText, RecordError> {
    let words = |count: usize| {
        move |line: &str| {
            let words: Vec<String> = line.split_ascii_whitespace().map(str::to_owned).collect();
            (words.len() == count).then_some(words)
        }
    };
    let counts = lines.expect("fourteen counts of living pieces", words(14))?;
    let mut board = Vec::new();
    for _ in 0..ROWS {
        board.extend(lines.expect("a row of four squares", words(4))?);
    }
    board.extend(counts);
    let words: Vec<&str> = board.iter().map(String::as_str).collect();
    Ok(BoardText::from_words(&words)?)
}

fn first(line: &str) -> Option<Color> {
    match line.strip_prefix("first ")? {
        "0" => Some(Color::Red),
        "1" => Some(Color::Black),
        _ => None,
    }
}

/// Reads rounds while their numbers continue; only the last may have a single ply.
fn plies(lines: &mut Lines<'_>) -> Result<Vec<Ply>, RecordError> {
    let mut plies = Vec::new();
    let mut round = 1;
    while let Some(words) = lines.take(|line| round_words(line, round)) {
        let open = plies.len() % 2 != 0;
        let read: Option<Vec<Ply>> = words.iter().map(|word| word.parse().ok()).collect();
        match read {
            Some(read) if !open && (1..=2).contains(&read.len()) => plies.extend(read),
            _ => {
                lines.next -= 1;
                return Err(
                    lines.unexpected("a round (expected: 1. b8(P) b6(P), or 2. b8-b7 c1-d1)")
                );
            }
        }
        round += 1;
    }
    Ok(plies)
}

/// Returns the words after `<round>.` if the line starts with it.
fn round_words(line: &str, round: usize) -> Option<Vec<String>> {
    let (number, rest) = line.split_once('.')?;
    (number.parse() == Ok(round))
        .then(|| rest.split_ascii_whitespace().map(str::to_owned).collect())
}

fn comment(line: &str) -> Option<[u32; 2]> {
    let (a, b) = line.strip_prefix("Comment ")?.split_once(' ')?;
    Some([a.parse().ok()?, b.parse().ok()?])
}
