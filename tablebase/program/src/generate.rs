//! `tablebase completions` and `tablebase man`: what packagers install beside the program.

use std::io::Write;

use clap::Command;
use clap::error::ErrorKind;
use clap_complete::Shell;
use clap_mangen::Man;

/// Options of `tablebase completions`.
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Options of `tablebase man`.
#[derive(clap::Args)]
pub struct ManArgs {
    /// The command, such as build; the page of the whole program without it
    command: Option<String>,
}

/// Prints the completions.
pub fn completions(args: &CompletionsArgs, mut program: Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "tablebase", &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}

/// Prints the page.
pub fn man(args: &ManArgs, mut program: Command) -> anyhow::Result<()> {
    // Fills in the full names of subcommands.
    program.build();
    let chosen = match &args.command {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => refuse(program, name),
        },
    };
    let mut page = Vec::new();
    Man::new(chosen).render(&mut page)?;
    Ok(std::io::stdout().write_all(&page)?)
}

/// Ends the program as clap does on a wrong command line.
fn refuse(mut program: Command, name: &str) -> ! {
    let known: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
    let known = known.join(", ");
    let message = format!("no command is called '{name}' (there are: {known})");
    program.error(ErrorKind::InvalidValue, message).exit()
}
