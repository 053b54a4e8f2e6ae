//! A deterministic fuzzer of the tournament protocol.
//!
//! It talks to an engine as a server would, most of the time sensibly and often not: words missing, doubled or swapped,
//! numbers wrong, bytes that are no text, lines of seventy thousand bytes, commands in any order. The naive rule book
//! follows the conversation as a shadow. What must hold after every line:
//!
//! - a line is answered exactly once (an empty line or a comment not at all), under the number it began with;
//! - a refusal has a reason and leaves the position as it was;
//! - an accepted line leads to a position that the rules reach from the one before, and a sensible line is accepted and
//!   answered with exactly what the shadow expects.
//!
//! The same seed gives the same lines, as long as the engine gives the same answers.

mod child;
mod expected;
mod inside;
mod lines;
mod mutate;
mod shadow;

pub use child::Process;
pub use expected::Sensible;
pub use inside::Inside;

use crate::fuzz::lines::Writer;
use crate::fuzz::shadow::Shadow;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::fmt;

/// The connection that carries lines to an engine and its answers back.
pub trait Wire {
    /// Sends lines and returns this many answers, each with its indented lines, in the order in which they came.
    ///
    /// # Errors
    ///
    /// Fails on too few answers, the end of the engine, or bytes that are no text.
    fn exchange(&mut self, lines: &[Vec<u8>], answers: usize) -> Result<Vec<String>, String>;

    /// Sends a line that ends the conversation, checks that the engine ends well, and begins a new one.
    ///
    /// # Errors
    ///
    /// Fails if the engine ends in another way.
    fn restart(&mut self, line: &[u8]) -> Result<(), String>;
}

/// The counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Lines sent, without the questions about the position after each.
    pub lines: usize,
    /// Lines that were accepted.
    pub accepted: usize,
    /// Lines that were refused.
    pub refused: usize,
    /// Lines that ask nothing.
    pub silent: usize,
    /// Accepted lines that changed the position.
    pub changes: usize,
    /// Conversations that were ended and begun again.
    pub restarts: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally {
            lines,
            accepted,
            refused,
            silent,
            changes,
            restarts,
        } = self;
        write!(
            f,
            "{lines} lines: {accepted} accepted ({changes} changed the position), {refused} refused, \
             {silent} asked nothing; {restarts} restarts"
        )
    }
}

/// A conversation with one engine.
pub struct Fuzzer<'a> {
    wire: &'a mut dyn Wire,
    source: Pcg64,
    shadow: Shadow,
    tally: Tally,
    /// The last lines, to show how a failure came about.
    past: Vec<String>,
}

/// How many lines a failure shows.
const PAST: usize = 12;

/// Asked after every line.
const WHERE: &[u8] = b"53 get_position";

impl<'a> Fuzzer<'a> {
    /// Begins a conversation.
    pub fn new(wire: &'a mut dyn Wire, seed: u64) -> Fuzzer<'a> {
        Fuzzer {
            wire,
            source: Pcg64::seed_from_u64(seed),
            shadow: Shadow::new(),
            tally: Tally::default(),
            past: Vec::new(),
        }
    }

    /// Prepares the engine: a player that takes no time, and known rules.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses.
    pub fn prepare(&mut self) -> Result<(), String> {
        self.shadow = Shadow::new();
        for line in [&b"56 set player random"[..], b"56 set rules olympiad"] {
            let answers = self.wire.exchange(&[line.to_vec()], 1)?;
            if !answers[0].starts_with("=56") {
                return Err(format!("{}: {}", String::from_utf8_lossy(line), answers[0]));
            }
        }
        Ok(())
    }

    /// Sends this many lines.
    ///
    /// # Errors
    ///
    /// Returns what went wrong, with the lines that led to it.
    pub fn run(&mut self, lines: usize) -> Result<Tally, String> {
        for _ in 0..lines {
            self.step()
                .map_err(|why| format!("{why}\nafter\n{}", self.past.join("\n")))?;
        }
        Ok(self.tally)
    }

    fn step(&mut self) -> Result<(), String> {
        let mut writer = Writer {
            source: &mut self.source,
            shadow: &self.shadow,
        };
        let sensible = writer.sensible();
        let mut line = sensible.text.clone().into_bytes();
        let spoilt = self.source.random_bool(0.6);
        if spoilt {
            let other = Writer {
                source: &mut self.source,
                shadow: &self.shadow,
            }
            .sensible();
            mutate::spoil(&mut line, other.text.as_bytes(), &mut self.source);
        }
        if lines::is_too_expensive(&line) {
            return Ok(());
        }
        self.remember(&line);
        self.tally.lines += 1;
        let sensible = (!spoilt).then_some(sensible);
        if lines::ends_the_conversation(&line) {
            self.wire.restart(&line)?;
            self.tally.restarts += 1;
            return self.prepare();
        }
        self.send(&line, sensible)
    }

    /// Sends one line and checks the answers.
    fn send(&mut self, line: &[u8], sensible: Option<Sensible>) -> Result<(), String> {
        let silent = lines::asks_nothing(line);
        let mut sent = vec![line.to_vec()];
        if lines::may_think(line) {
            sent.push(b"55 stop".to_vec());
        }
        sent.push(WHERE.to_vec());
        let mut answers = self
            .wire
            .exchange(&sent, sent.len() - usize::from(silent))?;
        let here = answers.pop().unwrap_or_default();
        let position = match here.strip_prefix("=53 ") {
            Some(position) => position,
            None if has_head(&here, "?53") => shadow::UNTURNED,
            None => return Err(format!("get_position was answered with {here:?}")),
        };
        if silent {
            self.tally.silent += 1;
            return self.shadow.unchanged(position);
        }
        let answer = own_answer(line, &mut answers)?;
        if answer.starts_with('?') {
            self.tally.refused += 1;
            if answer.split_whitespace().nth(1).is_none() {
                return Err(format!("a refusal without a reason: {answer:?}"));
            }
            self.shadow.unchanged(position)?;
        } else {
            self.tally.accepted += 1;
        }
        let before = self.shadow.text();
        match sensible {
            Some(sensible) => self.shadow.expect(&sensible, &answer, position)?,
            None if answer.starts_with('=') => self.shadow.follow(line, position)?,
            None => {}
        }
        self.tally.changes += usize::from(before != self.shadow.text());
        Ok(())
    }

    fn remember(&mut self, line: &[u8]) {
        let mut text: String = String::from_utf8_lossy(line).chars().take(200).collect();
        if text.len() < line.len() {
            text.push_str(&format!("… ({} bytes)", line.len()));
        }
        self.past.push(format!("  {text:?}"));
        if self.past.len() > PAST {
            self.past.remove(0);
        }
    }
}

/// Removes the answer to a line from the answers: the one that is not to the `stop` sent after it.
fn own_answer(line: &[u8], answers: &mut Vec<String>) -> Result<String, String> {
    let heads = lines::possible_heads(line);
    let fits = |answer: &String| heads.iter().any(|head| has_head(answer, head));
    let Some(at) = answers.iter().position(fits) else {
        return Err(format!("none of {answers:?} begins with one of {heads:?}"));
    };
    let answer = answers.remove(at);
    match answers.as_slice() {
        [] => Ok(answer),
        [stop] if has_head(stop, "=55") || has_head(stop, "?55") => Ok(answer),
        others => Err(format!(
            "answered more than once: {answer:?} and {others:?}"
        )),
    }
}

/// Returns whether an answer begins with that mark and number, and nothing longer.
fn has_head(answer: &str, head: &str) -> bool {
    answer
        .strip_prefix(head)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\n']))
}
