//! Input lines, and what else a game needs from a terminal.
//!
//! The host asks a [`Console`]. [`Lines`] reads any `BufRead` and is what pipes
//! and tests use; the real terminal is in [`super::screen`].

use super::completion::Completion;
use super::input::printable;
use anqi_search::Stop;
use std::io::{self, BufRead, Write};

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 4_096;

/// The result of reading a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Typed {
    /// A line.
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// The end of the input.
    End,
}

/// A prompt without and with colours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prompt {
    /// Plain text.
    pub plain: String,
    /// The same text, painted.
    pub painted: String,
}

/// The terminal, as far as a game needs one.
pub trait Console {
    /// Returns the columns of the screen, `None` if the output is not a screen.
    fn columns(&self) -> Option<usize>;

    /// Returns the rows of the screen, `None` if they are unknown or there is no screen.
    fn rows(&self) -> Option<usize> {
        None
    }

    /// Returns whether a person is there to answer a question.
    fn can_ask(&self) -> bool;

    /// Shows the prompt and reads a line.
    ///
    /// # Errors
    ///
    /// Fails if reading or writing does.
    fn read(
        &mut self,
        prompt: &Prompt,
        completion: &Completion,
        output: &mut dyn Write,
    ) -> io::Result<Typed>;

    /// Returns the flag that Ctrl-C raises while a player thinks.
    fn stop(&self) -> &Stop;

    /// Prepares for a player to think: lowers the flag and stops the echo of keys.
    fn begin_thinking(&self) {
        self.stop().reset();
    }

    /// Warns the user, apart from the game.
    fn warn(&self, message: &str) {
        // If this fails, no output is left to report it on.
        let _ = writeln!(io::stderr(), "anqi: {message}");
    }
}

/// Which side echoes the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Echo {
    /// Neither yet: each line is repeated after its prompt, so that the output reads as a dialogue.
    Repeat,
    /// The terminal, as it is typed.
    Terminal,
}

/// A console that reads lines from any reader, without editing.
pub struct Lines<R> {
    input: R,
    echo: Echo,
    columns: fn() -> Option<usize>,
    rows: fn() -> Option<usize>,
    can_ask: bool,
    stop: Stop,
}

impl<R: BufRead> Lines<R> {
    /// Returns a console for input that no person types: no screen, no questions.
    pub fn new(input: R) -> Lines<R> {
        Lines {
            input,
            echo: Echo::Repeat,
            columns: || None,
            rows: || None,
            can_ask: false,
            stop: Stop::new(),
        }
    }

    /// Sets which side echoes the input.
    pub fn echo(self, echo: Echo) -> Lines<R> {
        Lines { echo, ..self }
    }

    /// Sets how wide the screen is.
    pub fn screen(self, columns: fn() -> Option<usize>) -> Lines<R> {
        Lines { columns, ..self }
    }

    /// Sets how high the screen is.
    pub fn rows(self, rows: fn() -> Option<usize>) -> Lines<R> {
        Lines { rows, ..self }
    }

    /// Lets the game ask questions.
    pub fn with_questions(self) -> Lines<R> {
        let can_ask = true;
        Lines { can_ask, ..self }
    }
}

impl<R: BufRead> Console for Lines<R> {
    fn columns(&self) -> Option<usize> {
        (self.columns)()
    }

    fn rows(&self) -> Option<usize> {
        (self.rows)()
    }

    fn can_ask(&self) -> bool {
        self.can_ask
    }

    fn read(
        &mut self,
        prompt: &Prompt,
        _: &Completion,
        output: &mut dyn Write,
    ) -> io::Result<Typed> {
        write!(output, "{}", prompt.painted)?;
        output.flush()?;
        let Some(line) = read_line(&mut self.input)? else {
            writeln!(output)?;
            return Ok(Typed::End);
        };
        if self.echo == Echo::Repeat {
            writeln!(output, "{}", printable(line.trim_end()))?;
        }
        Ok(Typed::Line(line))
    }

    fn stop(&self) -> &Stop {
        &self.stop
    }
}

/// Reads a line, `None` at the end of the input.
///
/// A line that is too long is cut, and bytes that are not text are replaced:
/// the parser refuses both with a message, instead of an error here.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let mut limited = io::Read::take(&mut *input, LONGEST_LINE);
    if limited.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &mut Lines<&[u8]>) -> (Typed, String) {
        let prompt = Prompt {
            plain: "red> ".to_owned(),
            painted: "red> ".to_owned(),
        };
        let mut shown = Vec::new();
        let typed = lines
            .read(&prompt, &Completion::default(), &mut shown)
            .unwrap();
        (typed, String::from_utf8(shown).unwrap())
    }

    #[test]
    fn lines_are_repeated_after_their_prompts_until_the_input_ends() {
        let mut lines = Lines::new(&b"b2\nq\x1b[2J"[..]);
        assert_eq!(
            read(&mut lines),
            (Typed::Line("b2\n".into()), "red> b2\n".into())
        );
        let (_, shown) = read(&mut lines);
        assert_eq!(shown, "red> q\u{fffd}[2J\n");
        assert_eq!(read(&mut lines), (Typed::End, "red> \n".into()));
        let mut seen = Lines::new(&b"b2\n"[..]).echo(Echo::Terminal);
        assert_eq!(read(&mut seen).1, "red> ");
    }

    #[test]
    fn an_endless_line_is_cut_and_the_next_one_is_read() {
        let text = "x".repeat(10_000) + "\nb2\n";
        let mut lines = Lines::new(text.as_bytes());
        let (Typed::Line(first), _) = read(&mut lines) else {
            panic!("no line");
        };
        assert_eq!(first.len() as u64, LONGEST_LINE);
        assert_eq!(read(&mut lines).0, Typed::Line("b2\n".into()));
    }
}
