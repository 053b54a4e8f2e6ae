//! The program `lab`: experiments with players, tables and kept games.
//!
//! Every command is one module. Results go to standard output, errors to standard error. Exit codes: 0 success, 1 a
//! check that did not pass, 2 wrong usage, or nothing could be measured.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod cli;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Experiments with players, endgame tables and kept games of Chinese dark chess.
#[derive(Parser)]
#[command(name = "lab", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Let a player win won endings against perfect defence
    Endings(cli::endings::Options),
    /// Count the champion's nodes against those of plain expectimax
    Savings(cli::savings::Options),
    /// Compare the champion with itself, one technique switched off at a time
    Ablation(cli::ablation::Options),
    /// Measure how much value the choices of players give away
    Regret(cli::regret::Options),
    /// Show where the points of saved games went: what each side's decisions gave away
    Errors(cli::errors::Options),
    /// Show how strength grows with nodes or time, by matches of a player with itself
    Growth(cli::growth::Options),
    /// Count the moves and flips of the positions of games
    Branching(cli::branching::Options),
    /// Replay a platform's kept games with both rule books and report where they disagree
    Replay(cli::replay::Options),
    /// Play out won positions with values only and with distances, against best defence
    Duel(cli::duel::Options),
    /// Play out the longest win of each five-piece unit with three kinds of tables, against the longest defence
    Ways(cli::ways::Options),
    /// Count how often each material wins, and what it is worth
    Lattice(cli::lattice::Options),
    /// Estimate scores of materials and resolve where one more piece hurts, by two algorithms
    Conflicts(cli::conflicts::Options),
    /// Count the positions of endings that a search with a goal must be told
    Induction(cli::induction::Options),
    /// Summarise all sets: longest wins, slow wins, parity, the value of extra pieces
    Findings(cli::findings::Options),
    /// Add up the positions of all sets and their results
    Sums(cli::sums::Options),
    /// Time draws of subsets with unequal probabilities against testing every element
    Sampling(cli::sampling::Options),
    /// Draw wins by their distance to the next capture
    Chart(cli::chart::Options),
}

fn main() -> ExitCode {
    match run(&Arguments::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lab: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Runs a command; returns whether what it checked is right.
fn run(command: &Command) -> anyhow::Result<bool> {
    let done = match command {
        Command::Endings(options) => return cli::endings::run(options),
        Command::Savings(options) => return cli::savings::run(options),
        Command::Replay(options) => return cli::replay::run(options),
        Command::Branching(options) => cli::branching::run(options),
        Command::Ablation(options) => cli::ablation::run(options),
        Command::Regret(options) => cli::regret::run(options),
        Command::Errors(options) => cli::errors::run(options),
        Command::Growth(options) => cli::growth::run(options),
        Command::Duel(options) => cli::duel::run(options),
        Command::Ways(options) => cli::ways::run(options),
        Command::Lattice(options) => cli::lattice::run(options),
        Command::Conflicts(options) => cli::conflicts::run(options),
        Command::Induction(options) => cli::induction::run(options),
        Command::Findings(options) => cli::findings::run(options),
        Command::Sums(options) => cli::sums::run(options),
        Command::Sampling(options) => cli::sampling::run(options),
        Command::Chart(options) => cli::chart::run(options),
    };
    done.map(|()| true)
}

/// Whether the reader of our output has closed it, as `head` does.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
