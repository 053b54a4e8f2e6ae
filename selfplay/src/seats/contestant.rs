//! Who plays for a side: the text that names it, and new seats for it.
//!
//! A contestant is a recipe; every worker makes seats of its own from it, and
//! makes a new one after a fault. It is tried once before a match begins, so
//! that a misspelt name is an error at once and not a match full of crashes.

use anqi_protocol::Launch;
use anqi_search::players::by_spec;
use anqi_search::spec::SpecError;

use super::builtin::BuiltIn;
use super::program::{self, Abilities, Program};
use super::uci::{self, Uci};
use crate::interrupt::Interrupt;
use crate::limits::Limits;
use crate::seat::{Fault, Seat};

/// One of the two players of a match.
#[derive(Clone, Debug)]
pub struct Contestant {
    given: String,
    name: String,
    recipe: Recipe,
}

/// How to make a seat.
#[derive(Clone, Debug)]
enum Recipe {
    BuiltIn,
    Program(Launch, Abilities),
    Uci(Launch),
}

/// Why a text names no contestant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContestantError {
    /// No built-in player is called so.
    #[error("{0}; outside programs are written cmd:PROGRAM ARGS or uci:PROGRAM ARGS")]
    Spec(#[from] SpecError),
    /// The command line is empty or has an open quote.
    #[error("'{0}' is no command line (expected a program and its arguments)")]
    CommandLine(String),
    /// The program cannot be talked to.
    #[error("{0}")]
    Program(Fault),
}

impl Contestant {
    /// Finds out who is meant; an outside program is started once and asked for its name.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the text or with the program.
    pub fn new(text: &str, interrupt: &Interrupt) -> Result<Contestant, ContestantError> {
        let (name, recipe) = if let Some(command_line) = text.strip_prefix("cmd:") {
            let launch = launch(command_line)?;
            let tried = Program::start(&launch, interrupt).map_err(ContestantError::Program)?;
            (tried.name(), Recipe::Program(launch, tried.abilities()))
        } else if let Some(command_line) = text.strip_prefix("uci:") {
            let launch = launch(command_line)?;
            let tried = Uci::start(&launch, interrupt).map_err(ContestantError::Program)?;
            (tried.name().to_owned(), Recipe::Uci(launch))
        } else {
            (by_spec(text)?.spec(), Recipe::BuiltIn)
        };
        let is_built_in = matches!(recipe, Recipe::BuiltIn);
        Ok(Contestant {
            given: text.to_owned(),
            name: if is_built_in {
                name
            } else {
                format!("{text} ({name})")
            },
            recipe,
        })
    }

    /// Returns the text as it was given.
    pub fn given(&self) -> &str {
        &self.given
    }

    /// Returns the full name: every setting of a built-in player, what a program calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Says why this player cannot be held to these limits, if it cannot.
    pub fn limit_warning(&self, limits: &Limits) -> Option<String> {
        match &self.recipe {
            Recipe::BuiltIn => None,
            Recipe::Program(_, abilities) => program::limit_warning(*abilities, limits),
            Recipe::Uci(_) => uci::limit_warning(limits),
        }
    }

    /// Makes a seat with this player on it.
    ///
    /// # Errors
    ///
    /// Says why an outside program cannot be started.
    pub fn seat(&self, interrupt: &Interrupt) -> Result<Box<dyn Seat>, Fault> {
        match &self.recipe {
            Recipe::BuiltIn => {
                let player = by_spec(&self.given).map_err(|e| Fault::Crash(e.to_string()))?;
                Ok(Box::new(BuiltIn::new(player, interrupt.clone())))
            }
            Recipe::Program(launch, _) => Ok(Box::new(Program::start(launch, interrupt)?)),
            Recipe::Uci(launch) => Ok(Box::new(Uci::start(launch, interrupt)?)),
        }
    }
}

fn launch(command_line: &str) -> Result<Launch, ContestantError> {
    let launch = Launch::from_command_line(command_line);
    launch.ok_or_else(|| ContestantError::CommandLine(command_line.to_owned()))
}
