//! `selfplay completions` and `selfplay man`: what packagers install beside the program.

use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use super::output::print;

/// The shell to complete for.
#[derive(Args, Debug)]
pub struct CompletionsArguments {
    /// The shell.
    shell: Shell,
}

/// The command to describe.
#[derive(Args, Debug)]
pub struct ManArguments {
    /// The command [default: the whole program].
    command: Option<String>,
}

/// Prints a script that completes the command line of this program.
pub fn completions(
    arguments: &CompletionsArguments,
    mut program: Command,
) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "selfplay", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a manual page as roff.
pub fn man(arguments: &ManArguments, mut program: Command) -> anyhow::Result<ExitCode> {
    // Fills in the full names of subcommands.
    program.build();
    let mut page = Vec::new();
    Man::new(chosen(arguments, program)?).render(&mut page)?;
    print(&String::from_utf8_lossy(&page))?;
    Ok(ExitCode::SUCCESS)
}

fn chosen(arguments: &ManArguments, program: Command) -> anyhow::Result<Command> {
    let Some(name) = &arguments.command else {
        return Ok(program);
    };
    match program.find_subcommand(name) {
        Some(command) => Ok(command.clone()),
        None => {
            let known: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
            bail!(
                "no command is called '{name}' (there are: {})",
                known.join(", ")
            )
        }
    }
}
