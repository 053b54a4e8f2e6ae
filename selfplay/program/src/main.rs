//! The program `selfplay`: matches, tournaments, training and tuning.

mod cli;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use cli::commands::{Arguments, Command, long_help};

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("selfplay: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<ExitCode> {
    let command = Arguments::command().after_long_help(long_help());
    let arguments = Arguments::from_arg_matches(&command.clone().get_matches())?;
    match &arguments.command {
        Some(Command::Tournament(tournament)) => cli::tournament::run(tournament),
        Some(Command::Check(check)) => cli::check::run(check),
        Some(Command::Openings(openings)) => cli::openings::run(openings),
        Some(Command::Merge(merge)) => cli::merge::run(merge),
        Some(Command::Analyze(analyze)) => cli::analyze::run(analyze),
        Some(Command::Data(data)) => cli::data::run(data),
        Some(Command::Fit(fit)) => cli::fit::run(fit),
        Some(Command::Train(train)) => cli::train::run(train),
        Some(Command::DataInfo(info)) => cli::data::info(info),
        Some(Command::Export(export)) => cli::export::run(export),
        Some(Command::Tune(tune)) => cli::tune::run(tune),
        Some(Command::Sweep(sweep)) => cli::sweep::run(sweep),
        Some(Command::FirstFlip(first)) => cli::first_flip::run(first),
        Some(Command::Options(options)) => cli::options::run(options),
        Some(Command::Completions(shell)) => cli::generate::completions(shell, command),
        Some(Command::Man(page)) => cli::generate::man(page, command),
        None => cli::play::run(&arguments.play),
    }
}
