//! The input of a person: reading a line into a command.
//!
//! There is no syntax to learn: squares may stand apart, be joined by a dash or an `x`, or
//! simply follow each other, in either case; a square alone is a flip. A verb may stand
//! before them: `flip b2`, `move b2 b3`, `take b2 b3`.

use super::language::{Language, say};
use anqi_rules::{Action, Square};
use std::fmt;
use std::path::PathBuf;

/// A parsed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line or a comment.
    Nothing,
    /// A flip, a move or a capture.
    Act(Action),
    /// Advice, from a player given by its spec or from the default one.
    Hint(Option<String>),
    /// Back to the previous decision.
    Undo,
    /// Forward again.
    Redo,
    /// Write the game to a file.
    Save(PathBuf),
    /// Read a game from a file.
    Load(PathBuf),
    /// List the legal actions.
    Moves,
    /// Draw the board again.
    Board,
    /// Print the position string.
    Position,
    /// Explain the game.
    Rules,
    /// Explain the commands.
    Help,
    /// Give the game up.
    Resign,
    /// Start another game.
    New,
    /// Leave.
    Quit,
}

/// Why a typed line was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputError {
    /// Something that looks like a square and is not one.
    NotASquare(String),
    /// More squares than an action has.
    TooManySquares(usize),
    /// A verb with another number of squares than it needs.
    WrongNumber {
        /// The verb.
        verb: &'static str,
        /// How many squares it needs.
        squares: usize,
    },
    /// A word that is not a command.
    UnknownWord(String),
    /// A command that needs a file.
    FileMissing(&'static str),
    /// A command that stands alone was followed by something.
    Superfluous {
        /// The command.
        word: String,
        /// What followed it.
        extra: String,
    },
}

impl InputError {
    /// Returns what is wrong, in a language.
    pub fn sentence(&self, language: Language) -> String {
        match self {
            InputError::NotASquare(word) => say!(language, "input.square", word = word),
            InputError::TooManySquares(count) => say!(language, "input.many", count = count),
            InputError::WrongNumber { verb, squares: 1 } => {
                say!(language, "input.one", verb = verb)
            }
            InputError::WrongNumber { verb, .. } => say!(language, "input.two", verb = verb),
            InputError::UnknownWord(word) => say!(language, "input.word", word = word),
            InputError::FileMissing(word) => say!(language, "input.file", word = word),
            InputError::Superfluous { word, extra } => {
                say!(language, "input.alone", word = word, extra = extra)
            }
        }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(Language::English))
    }
}

impl std::error::Error for InputError {}

/// The commands, each by its main name.
pub const COMMANDS: [&str; 13] = [
    "board", "help", "hint", "load", "moves", "new", "position", "quit", "redo", "resign", "rules",
    "save", "undo",
];

/// Longest part of a line that a message repeats.
const LONGEST_QUOTE: usize = 24;

/// Reads one line.
///
/// # Errors
///
/// Returns what is wrong with the line, in plain words.
pub fn parse(line: &str) -> Result<Command, InputError> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(Command::Nothing);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (word, rest) = (word.to_lowercase(), rest.trim());
    if let Some(command) = parse_word(&word, rest) {
        return command;
    }
    match VERBS.iter().find(|verb| verb.name == word) {
        Some(verb) => verb.parse(rest),
        None => parse_action(line),
    }
}

/// A verb before the squares of an action.
struct Verb {
    name: &'static str,
    /// How many squares follow it.
    squares: usize,
}

/// The verbs that are understood.
const VERBS: [Verb; 4] = [
    Verb {
        name: "flip",
        squares: 1,
    },
    Verb {
        name: "move",
        squares: 2,
    },
    Verb {
        name: "capture",
        squares: 2,
    },
    Verb {
        name: "take",
        squares: 2,
    },
];

impl Verb {
    fn parse(&self, rest: &str) -> Result<Command, InputError> {
        let wrong = InputError::WrongNumber {
            verb: self.name,
            squares: self.squares,
        };
        if rest.is_empty() {
            return Err(wrong);
        }
        match parse_action(rest)? {
            Command::Act(action) if action.is_flip() != (self.squares == 1) => Err(wrong),
            command => Ok(command),
        }
    }
}

/// Reads a line that starts with a word; `None` if the word is not a command.
fn parse_word(word: &str, rest: &str) -> Option<Result<Command, InputError>> {
    let file = |name: &'static str, command: fn(PathBuf) -> Command| {
        if rest.is_empty() {
            Err(InputError::FileMissing(name))
        } else {
            Ok(command(PathBuf::from(rest)))
        }
    };
    match word {
        "save" => return Some(file("save", Command::Save)),
        "load" => return Some(file("load", Command::Load)),
        "hint" => {
            let spec = (!rest.is_empty()).then(|| rest.to_owned());
            return Some(Ok(Command::Hint(spec)));
        }
        _ => {}
    }
    let command = match word {
        "undo" | "back" => Command::Undo,
        "redo" => Command::Redo,
        "moves" | "actions" => Command::Moves,
        "board" => Command::Board,
        "position" => Command::Position,
        "rules" => Command::Rules,
        "help" | "?" => Command::Help,
        "resign" => Command::Resign,
        "new" => Command::New,
        "quit" | "exit" | "q" => Command::Quit,
        _ => return None,
    };
    Some(alone(word, rest, command))
}

fn alone(word: &str, rest: &str, command: Command) -> Result<Command, InputError> {
    if rest.is_empty() {
        Ok(command)
    } else {
        Err(InputError::Superfluous {
            word: word.to_owned(),
            extra: quote(rest),
        })
    }
}

/// Reads squares: `b2`, `b2 b3`, `b2-b3`, `b2xb3`, `b2b3`.
fn parse_action(line: &str) -> Result<Command, InputError> {
    let lower = line.to_lowercase();
    let is_joint = |c: char| c.is_whitespace() || matches!(c, '-' | 'x' | '×' | ',' | '>');
    let mut names = Vec::new();
    for part in lower.split(is_joint).filter(|part| !part.is_empty()) {
        names.extend(halves(part));
    }
    let looks_like_squares = names.iter().any(|name| looks_like_square(name));
    if names.is_empty() || !looks_like_squares {
        return Err(InputError::UnknownWord(quote(line)));
    }
    let mut squares = Vec::new();
    for name in &names {
        let square: Square = name
            .parse()
            .map_err(|_| InputError::NotASquare(quote(name)))?;
        squares.push(square);
    }
    match squares[..] {
        [square] => Ok(Command::Act(Action::flip(square))),
        [from, to] => Ok(Command::Act(Action::step(from, to))),
        _ => Err(InputError::TooManySquares(squares.len())),
    }
}

/// Splits `b2b3` into its squares and leaves everything else whole.
fn halves(part: &str) -> Vec<&str> {
    match part.split_at_checked(2) {
        Some((from, to)) if looks_like_square(from) && looks_like_square(to) => vec![from, to],
        _ => vec![part],
    }
}

/// Returns whether this is a letter and a digit, a square of some board.
fn looks_like_square(name: &str) -> bool {
    matches!(name.as_bytes(), [b'a'..=b'z', b'0'..=b'9'])
}

/// Returns an excerpt of a typed text for a message, without control characters.
fn quote(text: &str) -> String {
    let start: String = text.chars().take(LONGEST_QUOTE).collect();
    let ellipsis = if start.len() < text.len() { "…" } else { "" };
    printable(&start) + ellipsis
}

/// Returns a text with its control characters replaced, so that it cannot control the terminal.
pub fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act(text: &str) -> Option<String> {
        match parse(text) {
            Ok(Command::Act(action)) => Some(action.to_string()),
            _ => None,
        }
    }

    #[test]
    fn actions_are_understood_in_every_common_spelling() {
        for text in ["b2", " B2 ", "b2-b2", "b2 b2", "flip b2", "FLIP  B2"] {
            assert_eq!(act(text).as_deref(), Some("b2-b2"), "{text}");
        }
        for text in [
            "b2 b3",
            "b2-b3",
            "b2xb3",
            "b2b3",
            "B2 - B3",
            "b2 x b3",
            "b2  b3",
            "b2->b3",
            "move b2 b3",
            "Take b2xb3",
            "capture b2-b3",
        ] {
            assert_eq!(act(text).as_deref(), Some("b2-b3"), "{text}");
        }
    }

    #[test]
    fn commands_and_their_arguments() {
        assert_eq!(parse("  "), Ok(Command::Nothing));
        assert_eq!(parse("# a remark"), Ok(Command::Nothing));
        assert_eq!(parse("UNDO"), Ok(Command::Undo));
        assert_eq!(parse("hint"), Ok(Command::Hint(None)));
        assert_eq!(
            parse("hint greedy"),
            Ok(Command::Hint(Some("greedy".into())))
        );
        assert_eq!(
            parse("save my game.txt"),
            Ok(Command::Save("my game.txt".into()))
        );
    }

    #[test]
    fn every_command_is_understood_by_its_own_name() {
        for word in COMMANDS {
            let line = match word {
                "save" | "load" => format!("{word} game.txt"),
                _ => word.to_owned(),
            };
            assert!(parse(&line).is_ok(), "{line}");
        }
    }

    #[test]
    fn faults_name_the_token_and_what_was_expected() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert!(message("e9").starts_with("'e9' is not a square"));
        assert!(message("b2 b9").starts_with("'b9' is not a square"));
        assert!(message("b2 foo").starts_with("'foo' is not a square"));
        assert!(message("b2 b3 b4").starts_with("3 squares"));
        assert!(message("udno").starts_with("'udno' is not a command"));
        assert!(message("save").contains("save game.txt"));
        assert!(message("quit now").contains("'now'"));
        assert!(message("-").starts_with("'-' is not a command"));
        assert!(message("flip").contains("one square, as in flip b2"));
        assert!(message("flip b2 b3").contains("one square, as in flip b2"));
        assert!(message("move b2").contains("two squares, as in move b2 b3"));
        assert!(message("flip e9").starts_with("'e9' is not a square"));
        assert!(message("take it").starts_with("'it' is not a command"));
        assert!(message(&"z".repeat(5000)).len() < 200);
        assert!(!message("\u{1b}[31m").contains('\u{1b}'));
    }
}
