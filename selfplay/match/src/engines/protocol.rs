//! Engines that run an outside program over the tournament protocol.
//!
//! Nothing a program does can harm the match: every error of the client becomes
//! an engine fault, and the engine is discarded with its process.
//!
//! The protocol itself has one limit only, a total time. Programs that know our
//! extension `go` receive limits on nodes, depth and time per move; programs that
//! know `set` receive the rules by name and, before each move, a seed, so that a
//! randomised program replays the same game whatever it has played before. The
//! seed depends on the visible position alone and cannot reveal the deal.

use std::num::NonZeroU32;
use std::time::Duration;

use anqi_protocol::board::BoardText;
use anqi_protocol::command::CommandName;
use anqi_protocol::{Client, ClientError, Launch};
use anqi_rules::{Action, Color, Game, Position, Rules};

use crate::clock::TimeLeft;
use crate::engine::{Engine, EngineFault, MoveReply, MoveRequest, NewGame, PlyNotice};
use crate::interrupt::Interrupt;
use crate::limits::{Limits, TimeControl};
use crate::seed;

/// Timeout of requests that need no search.
const SHORT: Duration = Duration::from_secs(10);

/// Which of our extensions a program understands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extensions {
    /// Thinking under given limits.
    pub go: bool,
    /// Options by name.
    pub set: bool,
}

/// An engine for a program in a child process.
pub struct ProtocolEngine {
    client: Client,
    extensions: Extensions,
    /// Whether it takes the option `seed`.
    accepts_seed: bool,
    /// The command that sends the opening, once known.
    start_command: Option<CommandName>,
    interrupt: Interrupt,
}

impl ProtocolEngine {
    /// Starts a program and finds out which commands it knows.
    ///
    /// # Errors
    ///
    /// Returns an error if the program cannot be started or communication fails.
    pub fn start(launch: &Launch, interrupt: &Interrupt) -> Result<ProtocolEngine, EngineFault> {
        let fault = |error: ClientError| fault(&error, interrupt);
        let mut client = Client::start(launch).map_err(fault)?;
        let extensions = Extensions {
            go: knows(&mut client, CommandName::Go).map_err(fault)?,
            set: knows(&mut client, CommandName::Set).map_err(fault)?,
        };
        Ok(ProtocolEngine {
            client,
            extensions,
            accepts_seed: extensions.set,
            start_command: None,
            interrupt: interrupt.clone(),
        })
    }

    /// Returns the program's own name.
    pub fn name(&self) -> String {
        let name = format!("{} {}", self.client.name(), self.client.version());
        name.trim().to_owned()
    }

    /// Returns the extensions of the protocol that it knows.
    pub fn extensions(&self) -> Extensions {
        self.extensions
    }

    fn request(
        &mut self,
        name: CommandName,
        arguments: &str,
        limit: Duration,
    ) -> Result<String, EngineFault> {
        let answer = self.client.request(name, arguments, limit);
        answer.map_err(|error| fault(&error, &self.interrupt))
    }

    /// Sends a request that not every program understands; returns whether this one does.
    fn request_if_understood(
        &mut self,
        name: CommandName,
        arguments: &str,
    ) -> Result<bool, EngineFault> {
        match self.client.request(name, arguments, SHORT) {
            Ok(_) => Ok(true),
            Err(ClientError::Refused { .. }) => Ok(false),
            Err(error) => Err(fault(&error, &self.interrupt)),
        }
    }

    /// Sends the rules: by name if the program understands it, else as the two limits.
    fn send_rules(&mut self, rules: Rules) -> Result<(), EngineFault> {
        if let (true, Some(name)) = (self.extensions.set, rules.name()) {
            let arguments = format!("rules {name}");
            if self.request_if_understood(CommandName::Set, &arguments)? {
                return Ok(());
            }
        }
        let times = rules.repetition.times();
        let quiet = rules.quiet_limit.map_or(0, NonZeroU32::get);
        self.request_if_understood(CommandName::NumRepetition, &times.to_string())?;
        self.request_if_understood(CommandName::NumMovesToDraw, &quiet.to_string())?;
        Ok(())
    }

    /// Sends the start position: by our `position` if the program knows it, else by the
    /// tournaments' `init_board`, which has no quiet counter.
    fn send_start(&mut self, start: &Position) -> Result<(), EngineFault> {
        let told = match self.start_command()? {
            CommandName::Position => {
                let told = self
                    .client
                    .request(CommandName::Position, &start.to_string(), SHORT);
                told.map(drop)
            }
            _ => self.client.init_board(&BoardText::of(start)),
        };
        told.map_err(|error| fault(&error, &self.interrupt))
    }

    /// Returns the command that sends the opening.
    fn start_command(&mut self) -> Result<CommandName, EngineFault> {
        if let Some(name) = self.start_command {
            return Ok(name);
        }
        for name in [CommandName::Position, CommandName::InitBoard] {
            let known = knows(&mut self.client, name);
            if known.map_err(|error| fault(&error, &self.interrupt))? {
                self.start_command = Some(name);
                return Ok(name);
            }
        }
        let missing = "it knows neither position nor init_board";
        Err(EngineFault::BadAnswer(missing.to_owned()))
    }

    fn genmove(&mut self, game: &Game, deadline: Duration) -> Result<MoveReply, EngineFault> {
        let generated = self.client.genmove(game.position().turn(), deadline);
        let generated = generated.map_err(|error| fault(&error, &self.interrupt))?;
        Ok(MoveReply {
            action: generated.action,
            nodes: 0,
            value: None,
        })
    }

    fn go(&mut self, arguments: &str, deadline: Duration) -> Result<MoveReply, EngineFault> {
        let answer = self.request(CommandName::Go, arguments, deadline)?;
        read_best_move(&answer).ok_or_else(|| {
            EngineFault::BadAnswer(format!(
                "'{answer}' does not answer go (expected bestmove …)"
            ))
        })
    }
}

impl Engine for ProtocolEngine {
    fn new_game(&mut self, game: &NewGame) -> Result<(), EngineFault> {
        let total = match game.limits.time {
            Some(TimeControl::Total { total_ms, .. }) => Some(Duration::from_millis(total_ms)),
            _ => None,
        };
        let begun = self.client.new_game(total);
        begun.map_err(|error| fault(&error, &self.interrupt))?;
        self.send_rules(game.rules)?;
        if game.start == Position::start() {
            Ok(())
        } else {
            self.send_start(&game.start)
        }
    }

    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, EngineFault> {
        if self.accepts_seed {
            let position = request.game.position();
            let seed = seed::public_seed(position.key(), position.ply());
            let arguments = format!("seed {seed}");
            self.accepts_seed = self.request_if_understood(CommandName::Set, &arguments)?;
        }
        match go_arguments(&request.limits) {
            Some(arguments) if self.extensions.go => self.go(&arguments, request.deadline),
            _ => self.genmove(request.game, request.deadline),
        }
    }

    fn notify(&mut self, played: &PlyNotice<'_>) -> Result<(), EngineFault> {
        let told = self.client.play(played.ply);
        told.map_err(|error| fault(&error, &self.interrupt))?;
        match played.time {
            TimeLeft::Total { left, .. } => self.tell_time(played.color, left),
            TimeLeft::Unlimited | TimeLeft::PerMove(_) => Ok(()),
        }
    }
}

impl ProtocolEngine {
    fn tell_time(&mut self, color: Color, left: Duration) -> Result<(), EngineFault> {
        let told = self.client.time_left(color, left);
        told.map_err(|error| fault(&error, &self.interrupt))
    }
}

/// Says why a program cannot be held to these limits, if it cannot.
pub fn limit_warning(extensions: Extensions, limits: &Limits) -> Option<String> {
    let unheard = go_arguments(limits).filter(|_| !extensions.go)?;
    Some(format!(
        "it does not know the command go, so it cannot be asked for '{unheard}'"
    ))
}

/// Returns the arguments of `go`, if the limits need it rather than the clock alone.
fn go_arguments(limits: &Limits) -> Option<String> {
    let mut words = Vec::new();
    if let Some(TimeControl::PerMove { move_ms }) = limits.time {
        words.push(format!("movetime {move_ms}"));
    }
    words.extend(limits.nodes.map(|nodes| format!("nodes {nodes}")));
    words.extend(limits.depth.map(|depth| format!("depth {depth}")));
    (!words.is_empty()).then(|| words.join(" "))
}

/// Reads `bestmove a1-a2 score +0.250 … nodes 1234`.
fn read_best_move(answer: &str) -> Option<MoveReply> {
    let words: Vec<&str> = answer.split_whitespace().collect();
    let (&first, rest) = words.split_first()?;
    let action: Action = rest.first()?.parse().ok()?;
    let nodes = rest.windows(2).rfind(|pair| pair[0] == "nodes");
    (first == "bestmove").then(|| MoveReply {
        action,
        nodes: nodes.and_then(|pair| pair[1].parse().ok()).unwrap_or(0),
        value: read_score(rest),
    })
}

/// Reads the value after `score`: an expected result or a proven one.
fn read_score(words: &[&str]) -> Option<i32> {
    let place = words.iter().position(|word| *word == "score")?;
    match *words.get(place + 1)? {
        "win" => Some(10_000),
        "loss" => Some(-10_000),
        "draw" => Some(0),
        number => {
            let value: f64 = number.parse().ok()?;
            (value.abs() <= 1.0).then(|| (value * 10_000.0).round() as i32)
        }
    }
}

fn knows(client: &mut Client, name: CommandName) -> Result<bool, ClientError> {
    match client.request(CommandName::KnownCommand, &name.to_string(), SHORT) {
        Ok(answer) => Ok(answer == "true"),
        Err(ClientError::Refused { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Maps an error of the client to a fault in the game.
fn fault(error: &ClientError, interrupt: &Interrupt) -> EngineFault {
    match error {
        ClientError::Timeout { .. } => EngineFault::Stall(error.to_string()),
        ClientError::Flood { .. } => EngineFault::Flood(error.to_string()),
        ClientError::Refused { .. } | ClientError::Malformed { .. } => {
            EngineFault::BadAnswer(error.to_string())
        }
        // Ctrl-C reaches child processes too; their exit is then not their fault.
        ClientError::Ended { .. } if interrupt.finish_pairs() => EngineFault::Interrupted,
        ClientError::Start { .. } | ClientError::Ended { .. } | ClientError::Broken => {
            EngineFault::Crash(error.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_moves_are_read_and_others_refused() {
        let read = read_best_move("bestmove a1-a2 score win in 3 depth 4 nodes 1234");
        let action = "a1-a2".parse().expect("an action");
        assert_eq!(
            read,
            Some(MoveReply {
                action,
                nodes: 1234,
                value: Some(10_000),
            })
        );
        assert_eq!(read_best_move("bestmove b2-b2").map(|a| a.nodes), Some(0));
        let value = |score: &str| read_best_move(&format!("bestmove b2-b2 {score}"))?.value;
        assert_eq!(value("score -0.250 depth 3"), Some(-2_500));
        assert_eq!(value("score loss 4"), Some(-10_000));
        assert_eq!(value("score draw"), Some(0));
        assert_eq!(value("score 7"), None);
        assert_eq!(value("score"), None);
        for bad in ["", "bestmove", "bestmove z9", "a1-a2", "resign nodes 3"] {
            assert_eq!(read_best_move(bad), None, "{bad}");
        }
    }

    #[test]
    fn go_is_needed_unless_the_clock_says_it_all() {
        let clock = Limits {
            time: "60+0".parse().ok(),
            ..Limits::default()
        };
        assert_eq!(go_arguments(&clock), None);
        let default = format!("nodes {}", crate::limits::DEFAULT_NODES);
        assert_eq!(go_arguments(&Limits::DEFAULT), Some(default));
        assert!(limit_warning(Extensions::default(), &Limits::DEFAULT).is_some());
        assert!(limit_warning(Extensions::default(), &clock).is_none());
    }
}
