//! A person's terminal: edited lines, history, completion, Ctrl-C.
//!
//! `rustyline` edits the lines: it has few dependencies, keeps keys typed ahead
//! for the next prompt, and restores the terminal between prompts. There keys
//! are neither shown nor lost. Only this file, `tty` and the arguments of `anqi
//! play` deal with a real terminal.

use super::completion::Completion;
use super::console::{Console, Prompt, Typed};
use super::style::Paint;
use super::tty;
use anqi_search::Stop;
use rustyline::completion::Completer;
use rustyline::config::{ColorMode, CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What Ctrl-C and other signals do between and at prompts.
#[derive(Debug)]
pub struct Interrupts {
    stop: Stop,
    /// Whether a line is being read.
    at_prompt: AtomicBool,
    original: Option<tty::Modes>,
}

/// A signal from outside the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// The program is asked to end, or its terminal is gone.
    Terminate,
}

/// The reaction to a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reaction {
    /// The thinking player has been asked to stop.
    Stop,
    /// The program has to end; the terminal is restored.
    Leave,
}

impl Interrupts {
    /// Answers a signal: the first Ctrl-C stops a thinking player, everything else leaves.
    ///
    /// The editor reads Ctrl-C as a key, so a signal at a prompt comes from another process.
    pub fn hear(&self, signal: Signal) -> Reaction {
        let is_idle = self.at_prompt.load(Ordering::SeqCst);
        if signal == Signal::Terminate || is_idle || self.stop.requested() {
            self.restore();
            return Reaction::Leave;
        }
        self.stop.request();
        Reaction::Stop
    }

    fn restore(&self) {
        if let Some(modes) = &self.original {
            tty::restore(modes);
        }
    }
}

/// The terminal of a person.
pub struct Screen {
    editor: Editor<Words, MemHistory>,
    interrupts: Arc<Interrupts>,
}

impl Screen {
    /// Takes over the terminal at standard input and output.
    ///
    /// # Errors
    ///
    /// Fails if the terminal does not support editing.
    pub fn open(paint: Paint) -> io::Result<Screen> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            // A pasted list of moves is read line by line, as if it were typed.
            .bracketed_paste(false)
            .color_mode(match paint {
                Paint::Colors => ColorMode::Enabled,
                Paint::Plain => ColorMode::Disabled,
            })
            .build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).map_err(into_io)?;
        editor.set_helper(Some(Words::default()));
        let interrupts = Interrupts {
            stop: Stop::new(),
            at_prompt: AtomicBool::new(false),
            original: tty::modes(),
        };
        Ok(Screen {
            editor,
            interrupts: Arc::new(interrupts),
        })
    }

    /// Returns the handle for the signal handler.
    pub fn interrupts(&self) -> Arc<Interrupts> {
        Arc::clone(&self.interrupts)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.interrupts.restore();
    }
}

impl Console for Screen {
    fn columns(&self) -> Option<usize> {
        Some(tty::columns().unwrap_or(80))
    }

    fn rows(&self) -> Option<usize> {
        tty::rows()
    }

    fn can_ask(&self) -> bool {
        true
    }

    fn read(
        &mut self,
        prompt: &Prompt,
        completion: &Completion,
        output: &mut dyn Write,
    ) -> io::Result<Typed> {
        output.flush()?;
        if let Some(words) = self.editor.helper_mut() {
            words.completion = completion.clone();
        }
        self.interrupts.at_prompt.store(true, Ordering::SeqCst);
        // Ctrl-C a moment after the thinking ended was meant for the player.
        self.interrupts.stop.reset();
        let prompt = (prompt.plain.as_str(), prompt.painted.as_str());
        let line = self.editor.readline(&prompt);
        self.interrupts.at_prompt.store(false, Ordering::SeqCst);
        match line {
            Ok(line) => {
                self.editor.add_history_entry(&line).map_err(into_io)?;
                Ok(Typed::Line(line))
            }
            Err(ReadlineError::Interrupted) => Ok(Typed::Interrupt),
            Err(ReadlineError::Eof) => Ok(Typed::End),
            Err(error) => Err(into_io(error)),
        }
    }

    fn stop(&self) -> &Stop {
        &self.interrupts.stop
    }

    fn begin_thinking(&self) {
        self.interrupts.stop.reset();
        // Set each time: a shell sets its own modes when a stopped program continues.
        tty::hush();
    }
}

fn into_io(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// The editor's view of the completion.
#[derive(Default)]
struct Words {
    completion: Completion,
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.completion.complete(&line[..cursor]))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    fn interrupts() -> Interrupts {
        Interrupts {
            stop: Stop::new(),
            at_prompt: AtomicBool::new(false),
            original: None,
        }
    }

    #[test]
    fn the_first_signal_stops_the_player_and_the_second_leaves() {
        let interrupts = interrupts();
        assert_eq!(interrupts.hear(Signal::Interrupt), Reaction::Stop);
        assert!(interrupts.stop.requested());
        assert_eq!(interrupts.hear(Signal::Interrupt), Reaction::Leave);
    }

    #[test]
    fn a_request_to_end_leaves_even_while_a_player_thinks() {
        assert_eq!(interrupts().hear(Signal::Terminate), Reaction::Leave);
    }

    #[test]
    fn a_signal_at_the_prompt_leaves() {
        let interrupts = interrupts();
        interrupts.at_prompt.store(true, Ordering::SeqCst);
        assert_eq!(interrupts.hear(Signal::Interrupt), Reaction::Leave);
    }
}
