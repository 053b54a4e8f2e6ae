//! A question before an unsaved game is dropped.
//!
//! A question is asked once, and only where a person can answer it. Ctrl-C and
//! the end of the input answer it by leaving: pressing Ctrl-C twice always leaves.

use super::console::{Console, Typed};
use super::host::{Farewell, Host, HostError, Next, plies};
use super::style::Ink;
use std::io::{self, Write};

/// The answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Consent {
    Yes,
    /// Anything but yes.
    No,
    /// Whatever was asked, the person is leaving.
    Leave(Farewell),
}

impl<C: Console, W: Write> Host<C, W> {
    /// Leaves, unless a person wants to keep an unsaved game.
    pub(super) fn leave(&mut self, farewell: Farewell) -> Result<Next, HostError> {
        Ok(match self.may_drop("Leave")? {
            Consent::Yes => Next::Leave(farewell),
            Consent::No => Next::GoOn,
            Consent::Leave(farewell) => Next::Leave(farewell),
        })
    }

    /// Asks whether to do something that drops the game, if anything would be lost.
    pub(super) fn may_drop(&mut self, deed: &str) -> io::Result<Consent> {
        let played = self.dealt.game().plies();
        let lost = !played.is_empty() && played != self.kept.as_slice();
        if !lost || !self.players.has_human() || !self.console.can_ask() {
            return Ok(Consent::Yes);
        }
        let verb = if played.len() == 1 { "is" } else { "are" };
        let count = plies(played.len());
        self.confirm(&format!(
            "This game's {count} {verb} not saved. {deed} anyway?"
        ))
    }

    /// Asks a yes-or-no question.
    pub(super) fn confirm(&mut self, question: &str) -> io::Result<Consent> {
        self.say(Ink::Strong, question)?;
        Ok(match self.read(&self.plain_prompt("yes or no> "))? {
            Typed::Line(line) => match line.trim().to_lowercase().as_str() {
                "y" | "yes" => Consent::Yes,
                _ => Consent::No,
            },
            Typed::Interrupt => Consent::Leave(Farewell::Interrupted),
            Typed::End => Consent::Leave(Farewell::EndOfInput),
        })
    }
}
