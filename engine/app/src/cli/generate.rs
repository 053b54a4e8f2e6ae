//! `anqi completions` and `anqi man`: what packagers install beside the program.

use super::error::UsageError;
use clap::{Command, Parser};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::{self, Write};

/// Print a script that completes anqi's commands and options in a shell.
///
/// The place to install it depends on the shell; for bash:
/// `anqi completions bash > ~/.local/share/bash-completion/completions/anqi`
#[derive(Parser, Debug)]
pub struct CompletionsArgs {
    /// The shell that reads the script
    shell: Shell,
}

/// Print the manual page of anqi, or of one of its commands, as roff.
///
/// `anqi man play | man -l -` shows one; files named `anqi.1` and `anqi-play.1` belong in a
/// folder of manual pages such as `/usr/local/share/man/man1`.
#[derive(Parser, Debug)]
pub struct ManArgs {
    /// The command; without one, the page of anqi itself
    command: Option<String>,
}

impl CompletionsArgs {
    /// Prints the completions.
    pub fn run(self, mut program: Command) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "anqi", &mut script);
        Ok(io::stdout().write_all(&script)?)
    }
}

impl ManArgs {
    /// Prints the page.
    pub fn run(self, mut program: Command) -> anyhow::Result<()> {
        // Fills in the full names of subcommands.
        program.build();
        let mut page = Vec::new();
        Man::new(self.chosen(program)?).render(&mut page)?;
        Ok(io::stdout().write_all(&page)?)
    }

    fn chosen(&self, program: Command) -> Result<Command, UsageError> {
        let Some(name) = &self.command else {
            return Ok(program);
        };
        let known: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        let known = known.join(", ");
        program.find_subcommand(name).cloned().ok_or_else(|| {
            UsageError(format!(
                "no command is called '{name}' (there are: {known})"
            ))
        })
    }
}
