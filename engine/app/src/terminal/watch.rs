//! Watching two players: boards or rounds, at full speed or a ply at a time.

use super::console::{Console, Typed};
use super::farewell::{Farewell, HostError, Next};
use super::host::Host;

use super::input::{self, Command};
use super::language::say;
use super::pace::{Pace, Watch};
use super::style::Ink;
use super::words;
use std::io::Write;

/// Columns from the first to the second ply of a round.
const ROUND_COLUMNS: usize = 9;

impl<C: Console, W: Write> Host<C, W> {
    /// Lets two players finish their game.
    pub(super) fn watch(&mut self) -> Result<Farewell, HostError> {
        match self.setting.watch {
            Watch::Rounds => self.watch_rounds(),
            Watch::Boards { every, pace } => self.watch_boards(every, pace),
        }
    }

    /// Shows a round a line and the board at the end.
    fn watch_rounds(&mut self) -> Result<Farewell, HostError> {
        let begun = self.dealt.game().plies().len();
        let mut gap = 0;
        for number in begun.. {
            if self.dealt.verdict().is_some() {
                break;
            }
            let action = self.decide()?;
            let ply = self.play_decided(action)?.ply.to_string();
            let round = number / 2 + 1;
            match (number % 2, number == begun) {
                (0, true) => write!(self.output, "{round:>4}. {ply}")?,
                (0, false) => write!(self.output, "\n{round:>4}. {ply}")?,
                (_, true) => write!(self.output, "{round:>4}. …        {ply}")?,
                // The column of the second ply stays the same whatever the first was.
                (_, false) => write!(self.output, "{:gap$}{ply}", "")?,
            }
            gap = ROUND_COLUMNS.saturating_sub(ply.len()).max(1);
            self.output.flush()?;
            if self.interrupted() {
                writeln!(self.output)?;
                if let Next::Leave(farewell) = self.pause()? {
                    return Ok(farewell);
                }
            }
        }
        if self.dealt.game().plies().len() > begun {
            writeln!(self.output)?;
        }
        writeln!(self.output)?;
        self.show()?;
        Ok(Farewell::Over)
    }

    /// Shows a board every `every` plies.
    fn watch_boards(&mut self, every: usize, pace: Pace) -> Result<Farewell, HostError> {
        self.show()?;
        let mut next = Next::GoOn;
        while self.dealt.verdict().is_none() {
            if pace == Pace::Pause && !self.stale {
                next = self.pause()?;
            }
            if let Next::Leave(farewell) = next {
                return Ok(farewell);
            }
            let action = self.decide()?;
            let event = self.play_decided(action)?;
            let names = self.players.names();
            let sentence = words::event(&event, &self.dealt, names, self.setting.style);
            self.messages.push(sentence);
            let shown = self.dealt.game().plies().len().is_multiple_of(every);
            let interrupted = self.interrupted();
            if shown || interrupted || self.dealt.verdict().is_some() {
                self.show()?;
                self.output.flush()?;
            }
            if interrupted && pace == Pace::Run {
                next = self.pause()?;
            }
        }
        if pace == Pace::Pause {
            next = self.pause()?;
        }
        Ok(match next {
            Next::Leave(farewell) => farewell,
            Next::GoOn => Farewell::Over,
        })
    }

    /// Returns whether Ctrl-C has stopped the player that played last.
    fn interrupted(&self) -> bool {
        self.console.stop().requested()
    }

    /// Runs the user's commands until Enter.
    fn pause(&mut self) -> Result<Next, HostError> {
        let language = self.language();
        self.say(Ink::Faint, &say!(language, "watch.pause"))?;
        let prompt = self.plain_prompt(&say!(language, "prompt.paused"));
        loop {
            let line = match self.read(&prompt)? {
                Typed::Line(line) => line,
                Typed::Interrupt => return Ok(Next::Leave(Farewell::Interrupted)),
                Typed::End => return Ok(Next::Leave(Farewell::EndOfInput)),
            };
            let next = match input::parse(&line) {
                Ok(Command::Nothing) => return Ok(Next::GoOn),
                Ok(
                    Command::Act(_)
                    | Command::Undo
                    | Command::Redo
                    | Command::Load(_)
                    | Command::Resign
                    | Command::New,
                ) => {
                    self.refuse(&say!(language, "watch.refuse"))?;
                    Next::GoOn
                }
                Ok(command) => self.run_command(command)?,
                Err(error) => {
                    self.refuse(&error.sentence(language))?;
                    Next::GoOn
                }
            };
            if next != Next::GoOn {
                return Ok(next);
            }
            if self.stale {
                self.show()?;
            }
        }
    }
}
