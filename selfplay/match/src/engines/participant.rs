//! A participant: the text that names it, and new engines for it.
//!
//! A participant says how to start an engine; every worker starts its own engines from it, and a
//! new one after a fault. It is tried once before a match begins, so that a misspelt name is an
//! error at once and not a crash in every game.

use anqi_protocol::Launch;
use anqi_rules::Rules;
use anqi_search::Player;
use anqi_search::players::by_spec;
use anqi_search::spec::SpecError;
use std::fmt;
use std::sync::Arc;

use super::builtin::BuiltInEngine;
use super::line::{self, LineEngine};
use super::protocol::{self, Extensions, ProtocolEngine};
use super::uci::{self, UciEngine};
use crate::engine::{Engine, EngineFault};
use crate::interrupt::Interrupt;
use crate::limits::Limits;

/// One of the two players of a match.
#[derive(Clone, Debug)]
pub struct Participant {
    given: String,
    name: String,
    kind: EngineKind,
}

/// Makes a player of the caller's own.
type Maker = Arc<dyn Fn() -> Box<dyn Player> + Send + Sync>;

/// How to make an engine.
#[derive(Clone)]
enum EngineKind {
    BuiltIn,
    Own(Maker),
    Program(Launch, Extensions),
    Uci(Launch),
    Line(Launch),
}

impl fmt::Debug for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EngineKind::BuiltIn => "BuiltIn",
            EngineKind::Own(_) => "Own",
            EngineKind::Program(..) => "Program",
            EngineKind::Uci(_) => "Uci",
            EngineKind::Line(_) => "Line",
        })
    }
}

/// Why a text names no participant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParticipantError {
    /// No built-in player has this name.
    #[error(
        "{0}; outside programs are written cmd:PROGRAM ARGS, uci:PROGRAM ARGS or line:PROGRAM ARGS"
    )]
    Spec(SpecError),
    /// The command line is empty or has an open quote.
    #[error("'{0}' is not a command line (expected a program and its arguments)")]
    CommandLine(String),
    /// Communication with the program fails.
    #[error("{0}")]
    Program(EngineFault),
}

// Not `#[from]`, which would make the error its own source and print it twice.
impl From<SpecError> for ParticipantError {
    fn from(error: SpecError) -> ParticipantError {
        ParticipantError::Spec(error)
    }
}

impl Participant {
    /// Resolves the text; an outside program is started once and asked for its name, if its dialect
    /// has one.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is invalid or the program cannot be used.
    pub fn new(text: &str, interrupt: &Interrupt) -> Result<Participant, ParticipantError> {
        let (name, kind) = if let Some(command_line) = text.strip_prefix("cmd:") {
            let launch = launch(command_line)?;
            let tried =
                ProtocolEngine::start(&launch, interrupt).map_err(ParticipantError::Program)?;
            (
                tried.name(),
                EngineKind::Program(launch, tried.extensions()),
            )
        } else if let Some(command_line) = text.strip_prefix("uci:") {
            let launch = launch(command_line)?;
            let tried = UciEngine::start(&launch, interrupt).map_err(ParticipantError::Program)?;
            (tried.name().to_owned(), EngineKind::Uci(launch))
        } else if let Some(command_line) = text.strip_prefix("line:") {
            let launch = launch(command_line)?;
            LineEngine::start(&launch, interrupt).map_err(ParticipantError::Program)?;
            (line::name(&launch), EngineKind::Line(launch))
        } else {
            (by_spec(text)?.spec(), EngineKind::BuiltIn)
        };
        let is_built_in = matches!(kind, EngineKind::BuiltIn);
        Ok(Participant {
            given: text.to_owned(),
            name: if is_built_in {
                name
            } else {
                format!("{text} ({name})")
            },
            kind,
        })
    }

    /// Returns a participant of the caller's own; every worker makes a player of its own.
    ///
    /// # Examples
    ///
    /// ```
    /// use anqi_match::Participant;
    /// use anqi_search::players::by_spec;
    ///
    /// let mine = Participant::of_players("mine", || by_spec("greedy").expect("a known player"));
    /// assert_eq!((mine.name(), mine.is_outside()), ("mine", false));
    /// ```
    pub fn of_players(
        name: &str,
        make: impl Fn() -> Box<dyn Player> + Send + Sync + 'static,
    ) -> Participant {
        Participant {
            given: name.to_owned(),
            name: name.to_owned(),
            kind: EngineKind::Own(Arc::new(make)),
        }
    }

    /// Returns the text as it was given.
    pub fn given(&self) -> &str {
        &self.given
    }

    /// Returns the full name: a built-in player with all settings, or a program's own name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether this is an outside program.
    pub fn is_outside(&self) -> bool {
        !matches!(self.kind, EngineKind::BuiltIn | EngineKind::Own(_))
    }

    /// Says why this player cannot be held to these limits, if it cannot.
    pub fn limit_warning(&self, limits: &Limits) -> Option<String> {
        match &self.kind {
            EngineKind::BuiltIn | EngineKind::Own(_) => None,
            EngineKind::Program(_, extensions) => protocol::limit_warning(*extensions, limits),
            EngineKind::Uci(_) => uci::limit_warning(limits),
            EngineKind::Line(_) => line::limit_warning(limits),
        }
    }

    /// Says why this player cannot be told these rules, if it cannot.
    pub fn rules_warning(&self, rules: Rules) -> Option<String> {
        match &self.kind {
            EngineKind::Line(_) => line::rules_warning(rules),
            EngineKind::BuiltIn
            | EngineKind::Own(_)
            | EngineKind::Program(..)
            | EngineKind::Uci(_) => None,
        }
    }

    /// Makes an engine for this player.
    ///
    /// # Errors
    ///
    /// Returns an error if the player cannot be made or the outside program cannot be started.
    pub fn engine(&self, interrupt: &Interrupt) -> Result<Box<dyn Engine>, EngineFault> {
        match &self.kind {
            EngineKind::BuiltIn => {
                let player = by_spec(&self.given).map_err(|e| EngineFault::Crash(e.to_string()))?;
                Ok(Box::new(BuiltInEngine::new(player, interrupt.clone())))
            }
            EngineKind::Own(make) => Ok(Box::new(BuiltInEngine::new(make(), interrupt.clone()))),
            EngineKind::Program(launch, _) => {
                Ok(Box::new(ProtocolEngine::start(launch, interrupt)?))
            }
            EngineKind::Uci(launch) => Ok(Box::new(UciEngine::start(launch, interrupt)?)),
            EngineKind::Line(launch) => Ok(Box::new(LineEngine::start(launch, interrupt)?)),
        }
    }
}

/// Returns whether a text names an outside program.
pub fn names_program(text: &str) -> bool {
    let prefixes = ["cmd:", "uci:", "line:"];
    prefixes.iter().any(|prefix| text.starts_with(prefix))
}

fn launch(command_line: &str) -> Result<Launch, ParticipantError> {
    let launch = Launch::from_command_line(command_line);
    launch.ok_or_else(|| ParticipantError::CommandLine(command_line.to_owned()))
}
