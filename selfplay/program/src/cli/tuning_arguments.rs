//! The arguments of the commands that tune and sweep.

use std::path::PathBuf;

use anqi_lab::tuning::sweep::SweptParameter;
use clap::Args;

use super::arguments::{CommonLimits, Conditions, LuckArguments, parse_jobs};

/// The tuning plan and its folder.
#[derive(Args, Debug)]
pub struct TuneArguments {
    /// The plan of the run, a file in TOML.
    #[arg(value_name = "PLAN", required_unless_present = "init")]
    pub plan: Option<PathBuf>,
    /// Writes a plan to tune this player, into PLAN or to standard output.
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["out", "jobs", "json"])]
    pub init: Option<String>,
    /// A parameter to tune [default: all numeric parameters of play].
    #[arg(long, value_name = "NAME", requires = "init")]
    pub parameter: Vec<String>,
    /// The folder for all iterations; a run that was killed resumes from there.
    #[arg(long, value_name = "DIR", required_unless_present = "init")]
    pub out: Option<PathBuf>,
    /// Number of pairs played at the same time [default: one per core].
    #[arg(long, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<usize>,
    /// Writes the result as JSON; without a file, to standard output instead of the table.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
}

/// What to sweep, and the opponent of every setting.
#[derive(Args, Debug)]
pub struct SweepArguments {
    /// The player whose parameters are swept, with its fixed settings.
    #[arg(long, value_name = "PLAYER")]
    pub player: String,
    /// A parameter and its values, such as k=1..14, null-margin=0,50,100 or 0..200/20; once or twice.
    #[arg(
        long,
        value_name = "NAME=VALUES",
        required = true,
        allow_hyphen_values = true
    )]
    pub parameter: Vec<SweptParameter>,
    /// The opponent of every setting [default: the player as given].
    #[arg(long, value_name = "PLAYER")]
    pub against: Option<String>,
    /// The limits of both sides.
    #[command(flatten)]
    pub limits: CommonLimits,
    /// How each match is played.
    #[command(flatten)]
    pub conditions: Conditions,
    /// Options about luck.
    #[command(flatten)]
    pub luck: LuckArguments,
    /// Writes the figures as JSON; without a file, to standard output instead of the table.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
    /// Writes a page with plot and table.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Writes the plot as a picture.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}
