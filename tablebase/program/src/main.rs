//! `tablebase`: builds, checks and probes endgame tables of Chinese dark chess.
//!
//! Every subcommand is one module. Results go to standard output, progress and
//! errors to standard error. Exit codes: 0 success, 1 failure, 2 wrong usage,
//! 3 not enough memory allowed, 4 another build works in the folder.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod bench;
mod bench_frames;
mod bench_probing;
mod build;
mod classes;
mod distil;
mod face_down;
mod generate;
mod lessons;
mod line;
mod longest;
mod manifest;
mod options;
mod plan;
mod probe;
mod random;
mod serve;
mod stats;
mod timer;
mod verify;
mod words;

use std::process::ExitCode;

use anqi_files::LockError;
use anqi_tablebase::file::BuildError;
use clap::{CommandFactory, Parser, Subcommand};

/// Endgame tables of Chinese dark chess (banqi).
///
/// Material sets are written red first in upper case, then black in lower case, each in the order
/// K G M R N C P (king, guard, minister, rook, knight, cannon, pawn): KGgp is red king and guard
/// against black guard and pawn.
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Solve units and write their table files; an interrupted build resumes where it
    /// stopped
    Build(build::Args),
    /// Check every byte of the tables in a directory against the rules of the game
    Verify(verify::Args),
    /// Print the hash of each table file, to compare builds by (see `verify --manifest`)
    Manifest(manifest::Args),
    /// Count wins, draws and losses of a material set and its longest and summed distances
    Stats(stats::Args),
    /// Show the value of a position and of each move
    Probe(probe::Args),
    /// Play a position to the end, both sides by the tables
    Line(line::Args),
    /// Answer probes over HTTP, from a folder of tables
    Serve(serve::Args),
    /// Show a longest win of a material set, with its line, or a table of the longest wins and losses of
    /// all units
    Longest(longest::Args),
    /// Write the critical positions of a material set as lessons: a line, why the alternatives fail, an idea
    Lessons(lessons::Args),
    /// Show the header of a table file
    Info(stats::InfoArgs),
    /// Print the order in which units can be built, with sizes and memory
    Plan(plan::Args),
    /// Count material sets, capture graph classes and positions
    Classes(classes::Args),
    /// Explain one material set: its capture graph, twins, canonical form and smaller sets
    Class(classes::ClassArgs),
    /// Measure solving and probing on this machine
    Bench(bench::Args),
    /// Put the values of all endings of up to five pieces into one small file
    Distil(distil::Args),
    /// Print completions for a shell
    Completions(generate::CompletionsArgs),
    /// Print the manual page of tablebase, or of one of its commands, as roff
    Man(generate::ManArgs),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Build(args) => build::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Manifest(args) => manifest::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Probe(args) => probe::run(&args),
        Command::Line(args) => line::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Longest(args) => longest::run(&args),
        Command::Lessons(args) => lessons::run(&args),
        Command::Info(args) => stats::info(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Classes(args) => classes::run(&args),
        Command::Class(args) => classes::explain(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Distil(args) => distil::run(&args),
        Command::Completions(args) => generate::completions(&args, Cli::command()),
        Command::Man(args) => generate::man(&args, Cli::command()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tablebase: {error:#}");
            ExitCode::from(exit_code(&error))
        }
    }
}

fn exit_code(error: &anyhow::Error) -> u8 {
    match error.downcast_ref() {
        Some(BuildError::Memory { .. }) => 3,
        Some(BuildError::Locked(LockError::InUse(_))) => 4,
        _ => 1,
    }
}

/// Whether the reader of our output has closed it, as `head` does.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
