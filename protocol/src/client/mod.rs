//! Drives an engine in a child process over the tournament protocol.
//!
//! An outside engine is not trusted. It may print debug output between the
//! answers, answer late, never, or with something else, write without end,
//! crash, or refuse to end. Each failure is a named error, and the process is
//! killed when the [`Client`] is dropped.
//!
//! A line answers a request if it starts with `=` or `?` and the request's number
//! (or, from some engines, the sign alone); all other lines are ignored. After a
//! time-out or a flood the conversation is out of step and every further request
//! fails with [`ClientError::Broken`].
//!
//! ```no_run
//! use anqi_protocol::{Client, Launch};
//! use std::time::Duration;
//!
//! let mut engine = Client::start(&Launch::new("./engine"))?;
//! engine.new_game(Some(Duration::from_secs(900)))?;
//! let first = engine.genmove(None, Duration::from_secs(60))?;
//! println!("{} flips {}", engine.name(), first.action.from());
//! engine.quit();
//! # Ok::<(), anqi_protocol::ClientError>(())
//! ```

mod error;
mod process;
#[cfg(test)]
mod tests;

pub use error::ClientError;
pub use process::{ChildProcess, Launch, NoLine, OutputLine};

use crate::board::BoardText;
use crate::command::CommandName;
use anqi_rules::notation::excerpt;
use anqi_rules::{Action, Color, Ply};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// How long to wait for each kind of answer, and how much stray output to accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the first answer, which includes loading the program.
    pub start: Duration,
    /// For `ready`, which includes loading tables.
    pub ready: Duration,
    /// For every request that needs no search.
    pub answer: Duration,
    /// For the process to end after `quit`.
    pub quit: Duration,
    /// The most bytes of stray output during one request.
    pub stray_bytes: u64,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(120),
            answer: Duration::from_secs(10),
            quit: Duration::from_secs(2),
            stray_bytes: 64 << 20,
        }
    }
}

/// The answer to `genmove`, and how long it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The action; its legality has not been checked.
    pub action: Action,
    /// The time from sending the request to reading the answer.
    pub elapsed: Duration,
}

/// A conversation with an engine.
pub struct Client {
    process: ChildProcess,
    patience: Patience,
    name: String,
    version: String,
    broken: bool,
}

impl Client {
    /// Starts an engine and asks for its name and version.
    ///
    /// # Errors
    ///
    /// Fails if the program cannot be started or does not answer.
    pub fn start(launch: &Launch) -> Result<Client, ClientError> {
        Client::start_with(launch, Patience::default())
    }

    /// Starts an engine with this patience.
    ///
    /// # Errors
    ///
    /// Fails if the program cannot be started or does not answer.
    pub fn start_with(launch: &Launch, patience: Patience) -> Result<Client, ClientError> {
        let process = ChildProcess::start(launch).map_err(|error| ClientError::Start {
            program: launch.program.to_string_lossy().into_owned(),
            error,
        })?;
        let mut client = Client {
            process,
            patience,
            name: String::new(),
            version: String::new(),
            broken: false,
        };
        client.name = client.request(CommandName::Name, "", patience.start)?;
        client.version = client.ask(CommandName::Version)?;
        Ok(client)
    }

    /// Returns the engine's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the engine's version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns the id of the child process.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Returns the end of the engine's standard error.
    pub fn error_output(&self) -> String {
        self.process.error_output()
    }

    /// Starts a new game: `reset_board`, the total time of each side if there is one, `ready`.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses or fails.
    pub fn new_game(&mut self, total: Option<Duration>) -> Result<(), ClientError> {
        self.ask(CommandName::ResetBoard)?;
        if let Some(total) = total {
            let milliseconds = total.as_millis().to_string();
            self.request(
                CommandName::TimeSettings,
                &milliseconds,
                self.patience.answer,
            )?;
        }
        self.request(CommandName::Ready, "", self.patience.ready)?;
        Ok(())
    }

    /// Sends the draw limits: repetitions and quiet plies, 0 for none.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses or fails; many engines know neither command.
    pub fn set_limits(&mut self, repetitions: u32, quiet_plies: u32) -> Result<(), ClientError> {
        let answer = self.patience.answer;
        self.request(CommandName::NumRepetition, &repetitions.to_string(), answer)?;
        self.request(
            CommandName::NumMovesToDraw,
            &quiet_plies.to_string(),
            answer,
        )?;
        Ok(())
    }

    /// Sets up a board; the next command determines the side to move.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses or fails.
    pub fn init_board(&mut self, board: &BoardText) -> Result<(), ClientError> {
        let answer = self.patience.answer;
        self.request(CommandName::InitBoard, &board.to_string(), answer)?;
        Ok(())
    }

    /// Asks for an action of `color`, `None` before the first flip, and waits at most `limit`.
    ///
    /// # Errors
    ///
    /// Fails if no action comes in time, or the answer is not an action.
    pub fn genmove(
        &mut self,
        color: Option<Color>,
        limit: Duration,
    ) -> Result<Generated, ClientError> {
        let color = color.map_or("unknown".to_owned(), |color| color.to_string());
        let begin = Instant::now();
        let answer = self.request(CommandName::Genmove, &color, limit)?;
        let elapsed = begin.elapsed();
        let action = read_action(&answer).ok_or_else(|| ClientError::Malformed {
            during: CommandName::Genmove,
            answer: excerpt(&answer),
            expected: "two squares such as b4 b2",
        })?;
        Ok(Generated { action, elapsed })
    }

    /// Reports a ply that was played, by either side.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses or fails.
    pub fn play(&mut self, ply: Ply) -> Result<(), ClientError> {
        let (from, to) = (ply.action.from(), ply.action.to());
        let (name, arguments) = match ply.reveal {
            Some(piece) => (CommandName::Flip, format!("{from} {piece}")),
            None => (CommandName::Move, format!("{from} {to}")),
        };
        self.request(name, &arguments, self.patience.answer)?;
        Ok(())
    }

    /// Reports the time that a side has left.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses or fails.
    pub fn time_left(&mut self, color: Color, left: Duration) -> Result<(), ClientError> {
        let arguments = format!("{color} {}", left.as_millis());
        self.request(CommandName::TimeLeft, &arguments, self.patience.answer)?;
        Ok(())
    }

    /// Reports the end of the game.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses or fails.
    pub fn game_over(&mut self, text: &str) -> Result<(), ClientError> {
        self.request(CommandName::GameOver, text, self.patience.answer)?;
        Ok(())
    }

    /// Sends a request without arguments and returns the answer.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses or fails.
    pub fn ask(&mut self, name: CommandName) -> Result<String, ClientError> {
        self.request(name, "", self.patience.answer)
    }

    /// Sends any request and returns the first line of the answer, without its number.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses or fails, or does not answer within `limit`.
    pub fn request(
        &mut self,
        name: CommandName,
        arguments: &str,
        limit: Duration,
    ) -> Result<String, ClientError> {
        if self.broken {
            return Err(ClientError::Broken);
        }
        let result = self.exchange(name, arguments, limit);
        self.broken = matches!(&result, Err(error) if !error.is_recoverable());
        result
    }

    fn exchange(
        &mut self,
        name: CommandName,
        arguments: &str,
        limit: Duration,
    ) -> Result<String, ClientError> {
        // A newline in the arguments would be a second request.
        let line = format!(
            "{} {name} {}",
            name.number(),
            arguments.replace(['\n', '\r'], " ")
        );
        if self.process.send(line.trim_end()).is_err() {
            return Err(self.ended(name));
        }
        let deadline = Instant::now() + limit;
        let mut stray_bytes = 0;
        loop {
            let line = match self.process.receive(deadline) {
                Ok(line) => line,
                Err(NoLine::Timeout) => {
                    return Err(ClientError::Timeout {
                        during: name,
                        limit,
                    });
                }
                Err(NoLine::Ended) => return Err(self.ended(name)),
            };
            match answer_to(name.number(), &line.text) {
                Some(Ok(text)) => return Ok(text.to_owned()),
                Some(Err(reason)) => {
                    return Err(ClientError::Refused {
                        during: name,
                        reason: excerpt(reason),
                    });
                }
                None => stray_bytes += line.bytes,
            }
            if stray_bytes > self.patience.stray_bytes {
                return Err(ClientError::Flood {
                    during: name,
                    limit: self.patience.stray_bytes,
                });
            }
        }
    }

    /// Returns how the engine ended; it has a moment to exit after closing its output.
    fn ended(&mut self, during: CommandName) -> ClientError {
        const PATIENCE: Duration = Duration::from_millis(500);
        let status = self.process.wait(PATIENCE);
        ClientError::Ended {
            during,
            status,
            error_output: self.process.awaited_error_output(PATIENCE),
        }
    }

    /// Ends the engine: sends `quit`, waits, and kills it if it still runs.
    ///
    /// Returns its exit status, `None` if it had to be killed.
    pub fn quit(mut self) -> Option<ExitStatus> {
        // The line may not arrive: an engine that has ended is waited for too.
        let _ = self.process.send("5 quit");
        self.process.close_input();
        self.process.wait(self.patience.quit)
    }
}

/// Returns a line's answer to the request with this number, `None` if it is not one.
fn answer_to(number: u32, line: &str) -> Option<Result<&str, &str>> {
    let accepted = match line.as_bytes().first()? {
        b'=' => true,
        b'?' => false,
        _ => return None,
    };
    let rest = &line[1..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (sent, text) = rest.split_at(digits);
    let ours = sent.is_empty() || sent.parse() == Ok(number);
    let separated = text.is_empty() || text.starts_with([' ', '\t']);
    let text = text.trim();
    (ours && separated).then_some(if accepted { Ok(text) } else { Err(text) })
}

/// Reads `b4 b2`, or the same with a hyphen.
fn read_action(answer: &str) -> Option<Action> {
    let mut squares = answer
        .split([' ', '\t', '-'])
        .filter(|word| !word.is_empty());
    let from = squares.next()?.parse().ok()?;
    let to = squares.next()?.parse().ok()?;
    squares.next().is_none().then_some(Action::step(from, to))
}
