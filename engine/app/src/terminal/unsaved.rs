//! A question before an unsaved game is dropped.
//!
//! A question is asked once, and only where a person can answer it. Ctrl-C and
//! the end of the input answer it by leaving: pressing Ctrl-C twice always leaves.
//! Where nobody can answer, `rescue` saves the game.

use super::console::{Console, Typed};
use super::farewell::{Farewell, HostError, Next};
use super::host::Host;
use super::kept::Kept;
use super::language::say;
use super::style::Ink;
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
        Ok(match self.may_drop("deed.leave")? {
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

    /// Asks whether to do something that drops the game, if anything would be lost; the key names the deed.
    pub(super) fn may_drop(&mut self, deed: &str) -> io::Result<Consent> {
        if !self.is_unsaved() {
            return Ok(Consent::Yes);
        }
        let (language, plies) = (self.language(), self.plies_played());
        let deed = say!(language, deed);
        let key = match self.dealt.game().plies().len() {
            1 => "unsaved.one",
            _ => "unsaved",
        };
        self.confirm(&say!(language, key, plies = plies, deed = deed))
    }

    /// Asks a yes-or-no question.
    pub(super) fn confirm(&mut self, question: &str) -> io::Result<Consent> {
        self.say(Ink::Strong, question)?;
        let prompt = say!(self.language(), "prompt.confirm");
        Ok(match self.read(&self.plain_prompt(&prompt))? {
            Typed::Line(line) => match line.trim().to_lowercase().as_str() {
                "y" | "yes" | "是" => Consent::Yes,
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
            (self.dealt.clone(), names, self.language())
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
