//! A question before an unsaved game is dropped.
//!
//! A question is asked once, and only where a person can answer it. Ctrl-C and
//! the end of the input answer it by leaving: pressing Ctrl-C twice always leaves.
//! Where nobody can answer, `rescue` saves the game.

use super::console::{Console, Typed};
use super::farewell::{Farewell, HostError, Next};
use super::host::Host;
use super::kept::Kept;
use super::style::Ink;
use super::text::plies;
use std::io::{self, Write};
use std::path::Path;

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

    /// Returns whether a person at a terminal would lose plies that are in no file.
    pub(super) fn is_unsaved(&self) -> bool {
        let played = self.dealt.game().plies();
        let is_lost = !played.is_empty() && Kept::of(&self.dealt) != self.kept;
        is_lost && self.players.has_human() && self.console.can_ask()
    }

    /// Asks whether to do something that drops the game, if anything would be lost.
    pub(super) fn may_drop(&mut self, deed: &str) -> io::Result<Consent> {
        if !self.is_unsaved() {
            return Ok(Consent::Yes);
        }
        let played = self.dealt.game().plies();
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

    /// Notes the game for whoever ends the program, or that there is nothing to lose.
    pub(super) fn note_unsaved(&self) {
        let unsaved = self.is_unsaved().then(|| {
            let names = self.players.recorded().clone();
            (self.dealt.clone(), names)
        });
        self.rescue.note(unsaved);
    }

    /// Saves an unsaved game after the end of the input: nobody is left to ask.
    pub(super) fn save_unsaved(&mut self) -> io::Result<()> {
        match self.rescue.save(Path::new("")) {
            Some(sentence) => self.say(Ink::Plain, &sentence),
            None => Ok(()),
        }
    }
}
