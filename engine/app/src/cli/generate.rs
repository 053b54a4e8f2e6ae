//! `anqi completions` and `anqi man`: what packagers install beside the program.

use super::UsageError;
use clap::{Command, Parser};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::{self, Write};

/// Print completions for a shell
#[derive(Parser, Debug)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Print the manual page of anqi, or of one of its commands, as roff
#[derive(Parser, Debug)]
pub struct ManArgs {
    /// The command
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
