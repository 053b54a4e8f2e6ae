//! The command line: a match, or one of the commands.

use anqi_match::limits::DEFAULT_NODES;
use clap::{Parser, Subcommand};

use super::arguments::{AnalyzeArguments, MergeArguments, PlayArguments};
use super::check::CheckArguments;
use super::export::ExportArguments;
use super::first_flip::FirstFlipArguments;
use super::generate::{CompletionsArguments, ManArguments};
use super::openings::OpeningsArguments;
use super::options::OptionsArguments;
use super::tournament::TournamentArguments;
use super::training_arguments::{DataArguments, DataInfoArguments, FitArguments, TrainArguments};
use super::tuning_arguments::{SweepArguments, TuneArguments};

/// Plays matches between Chinese dark chess players and reports the results with sound error bars.
///
/// A match is played in pairs: each deal twice, with the sides swapped. Players are
/// built-in ones, such as basic, enhance:depth=3 or greedy, or outside programs
/// over the tournament protocol (cmd:PROGRAM ARGS), the UCI dialect for banqi
/// (uci:PROGRAM ARGS) or the one-line dialect (line:PROGRAM ARGS).
#[derive(Parser, Debug)]
#[command(
    name = "selfplay",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = EXAMPLES
)]
pub struct Arguments {
    /// A command other than playing a match.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// A match.
    #[command(flatten)]
    pub play: PlayArguments,
}

const EXAMPLES: &str = "\
Examples:
  selfplay --a basic --b enhance --games 200
  selfplay --a enhance --b cmd:./other-engine --tc 60+0.5 --out match
  selfplay --a var1 --b enhance --games 20000 --sprt elo0=0,elo1=5 --out test
  selfplay check cmd:./other-engine
  selfplay tournament --players basic,enhance,var1 --games 200";

/// Everything but playing one match.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Plays a round robin or a gauntlet and rates the players.
    Tournament(TournamentArguments),
    /// Checks whether an engine keeps to its protocol.
    Check(CheckArguments),
    /// Makes a file of balanced openings.
    Openings(OpeningsArguments),
    /// Merges folders of finished pairs of one match.
    Merge(MergeArguments),
    /// Recomputes the report from saved pairs.
    Analyze(AnalyzeArguments),
    /// Plays a player against itself and saves positions with their values and results.
    Data(DataArguments),
    /// Fits the weights of the champion's evaluation to saved positions.
    Fit(FitArguments),
    /// Trains the network of the champion's learned evaluation on saved positions.
    Train(TrainArguments),
    /// Summarises files of positions.
    DataInfo(DataInfoArguments),
    /// Writes matches, games, flips or training positions as a table for other programs.
    Export(ExportArguments),
    /// Tunes parameters of a player by playing perturbed ones against each other.
    Tune(TuneArguments),
    /// Plays a match for every value of one or two parameters.
    Sweep(SweepArguments),
    /// Measures what the first flip is worth, by square and by piece.
    FirstFlip(FirstFlipArguments),
    /// Lists every parameter of every built-in player.
    Options(OptionsArguments),
    /// Prints completions for a shell.
    Completions(CompletionsArguments),
    /// Prints the manual page of the program, or of one of its commands, as roff.
    Man(ManArguments),
}

/// Returns the end of the long help: the default limit, and examples.
pub fn long_help() -> String {
    let limit = format!("Without any limit, both sides search {DEFAULT_NODES} nodes a move.");
    format!("{limit}\n\n{EXAMPLES}")
}
