//! Comments, and the clocks and evaluations in them.
//!
//! A comment is words; white space of any kind and amount counts as one blank. It may begin
//! with commands:
//!
//! | command | holds |
//! |---|---|
//! | `[%clk 0:14:58]` | what is left on the clock of the player of the ply, after it |
//! | `[%emt 0:00:02.5]` | how long the player thought |
//! | `[%eval 0.2500,12]` | the value after the ply for the *first player*, and the depth |
//!
//! Values are expected results: 1 is a win of the first player, −1 a loss, 0 a draw; `#7` is a
//! proven win of the first player within seven plies, `#-7` of the second. What only resembles
//! a command is text.

use std::fmt::{self, Write};

/// What is said about a ply, or about the start.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Annotation {
    /// The words.
    text: String,
    /// The time left in milliseconds.
    pub clock_ms: Option<u64>,
    /// The time spent in milliseconds.
    pub elapsed_ms: Option<u64>,
    /// The value.
    pub eval: Option<Eval>,
}

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eval {
    /// The value itself.
    pub expectation: Expectation,
    /// The depth of the search in plies, if it is told.
    pub depth: Option<u32>,
}

/// What the first player may expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// The expected result in ten-thousandths of a win, from −10,000 to 10,000.
    Result(i32),
    /// The player in this seat, 0 or 1, wins within this many plies.
    Win {
        /// The winner's seat.
        seat: usize,
        /// Plies at most.
        plies: u32,
    },
}

/// Ten-thousandths of a win.
const WIN: i32 = 10_000;
const MS_PER_SECOND: u64 = 1_000;
/// The longest time that is read as one, in hours.
const MOST_HOURS: u64 = 1_000_000;

impl Annotation {
    /// Reads a comment.
    pub fn read(comment: &str) -> Annotation {
        let mut annotation = Annotation::default();
        let mut kept = String::new();
        let comment = one_blank(comment);
        let mut rest = comment.as_str();
        while let Some(begin) = rest.find("[%") {
            let Some(length) = rest[begin..].find(']') else {
                break;
            };
            let end = begin + length + 1;
            kept.push_str(&rest[..begin]);
            match annotation.take(&rest[begin + 2..end - 1]) {
                Some(()) => kept.push(' '),
                None => kept.push_str(&rest[begin..end]),
            }
            rest = &rest[end..];
        }
        kept.push_str(rest);
        annotation.text = one_blank(&kept);
        annotation
    }

    /// Returns the words without the commands.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Annotation::default()
    }

    /// Takes a command; `None` if it is not one, or not the first of its kind.
    fn take(&mut self, command: &str) -> Option<()> {
        let (name, value) = command.split_once(char::is_whitespace)?;
        let value = value.trim();
        match name {
            "clk" if self.clock_ms.is_none() => self.clock_ms = Some(time(value)?),
            "emt" if self.elapsed_ms.is_none() => self.elapsed_ms = Some(time(value)?),
            "eval" if self.eval.is_none() => self.eval = Some(Eval::read(value)?),
            _ => return None,
        }
        Some(())
    }

    /// Returns the commands, each as one unit.
    pub(super) fn commands(&self) -> Vec<String> {
        let clock = self.clock_ms.map(|ms| format!("[%clk {}]", Clock(ms)));
        let elapsed = self.elapsed_ms.map(|ms| format!("[%emt {}]", Clock(ms)));
        let eval = self.eval.map(|eval| format!("[%eval {eval}]"));
        [clock, elapsed, eval].into_iter().flatten().collect()
    }
}

impl fmt::Display for Annotation {
    /// Writes the comment, without braces and escapes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = self.commands();
        parts.extend(Some(self.text.clone()).filter(|text| !text.is_empty()));
        f.write_str(&parts.join(" "))
    }
}

fn one_blank(text: &str) -> String {
    let blank = |c: char| c.is_whitespace() || c.is_control();
    let words: Vec<&str> = text.split(blank).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

impl Eval {
    fn read(text: &str) -> Option<Eval> {
        let (value, depth) = match text.split_once(',') {
            Some((value, depth)) => (value.trim(), Some(depth.trim().parse().ok()?)),
            None => (text, None),
        };
        let expectation = match value.strip_prefix('#') {
            Some(plies) => {
                let (seat, plies) = match plies.strip_prefix('-') {
                    Some(plies) => (1, plies),
                    None => (0, plies.strip_prefix('+').unwrap_or(plies)),
                };
                let plies = digits(plies)?.parse().ok()?;
                Expectation::Win { seat, plies }
            }
            None => Expectation::Result(decimal(value)?),
        };
        Some(Eval { expectation, depth })
    }
}

/// Digits after the point that are read; one and as many digits are below 2^53.
const EXACT_DIGITS: usize = 15;

/// Reads a number from −1 to 1 in ten-thousandths.
///
/// The standard library's tables for any number would be a seventieth of what a browser loads.
fn decimal(text: &str) -> Option<i32> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !is_number(whole) || !is_number(fraction) {
        return None;
    }
    // Digits and powers of ten below 2^53 are exact, so that their quotient is the nearest number to the text.
    let fraction = &fraction[..fraction.len().min(EXACT_DIGITS)];
    let whole = match whole.trim_start_matches('0') {
        "" => 0,
        "1" => 1,
        _ => return None,
    };
    let digits = fraction
        .bytes()
        .fold(whole, |number, digit| number * 10 + u64::from(digit - b'0'));
    let number = digits as f64 / 10_u64.pow(fraction.len() as u32) as f64;
    let size = (number * f64::from(WIN)).round() as i32;
    (number <= 1.0).then_some(if text.starts_with('-') { -size } else { size })
}

fn digits(text: &str) -> Option<&str> {
    let all = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    all.then_some(text)
}

impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.expectation {
            Expectation::Result(value) => {
                let value = value.clamp(-WIN, WIN);
                let sign = if value < 0 { "-" } else { "" };
                let size = value.unsigned_abs();
                write!(f, "{sign}{}.{:04}", size / 10_000, size % 10_000)?;
            }
            Expectation::Win { seat: 0, plies } => write!(f, "#{plies}")?,
            Expectation::Win { plies, .. } => write!(f, "#-{plies}")?,
        }
        match self.depth {
            Some(depth) => write!(f, ",{depth}"),
            None => Ok(()),
        }
    }
}

/// Milliseconds as `H:MM:SS`, with a fraction if there is one.
struct Clock(u64);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, ms) = (self.0 / MS_PER_SECOND, self.0 % MS_PER_SECOND);
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        write!(f, "{hours}:{minutes:02}:{:02}", seconds % 60)?;
        if ms == 0 {
            return Ok(());
        }
        let fraction = format!("{ms:03}");
        f.write_char('.')?;
        f.write_str(fraction.trim_end_matches('0'))
    }
}

/// Reads `H:MM:SS`, `MM:SS` or `SS`, each with or without a fraction, in milliseconds.
fn time(text: &str) -> Option<u64> {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, digits(fraction)?),
        None => (text, "0"),
    };
    let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
    let parts: Vec<&str> = whole.split(':').collect();
    if parts.len() > 3 {
        return None;
    }
    let mut seconds: u64 = 0;
    for (index, part) in parts.iter().enumerate() {
        let part: u64 = digits(part)?.parse().ok()?;
        let most = if index == 0 { MOST_HOURS * 3600 } else { 59 };
        if part > most {
            return None;
        }
        seconds = seconds.checked_mul(60)?.checked_add(part)?;
    }
    let whole = (seconds <= MOST_HOURS * 3600).then_some(seconds * MS_PER_SECOND)?;
    Some(whole + thousandths.parse::<u64>().ok()?)
}
