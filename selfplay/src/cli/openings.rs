//! `selfplay openings`: makes a file of openings.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anqi_selfplay::interrupt::Interrupt;
use anqi_selfplay::luck::{AppraiserSpec, WIN};
use anqi_selfplay::openings::suite::{self, Balanced, Recipe};
use clap::Args;

use super::arguments::{NamedRules, parse_rules};
use super::output::OpenFile;
use super::signals;

/// Which openings.
#[derive(Args, Debug)]
pub struct OpeningsArguments {
    /// Number of openings.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Random plies that lead to each.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=200))]
    plies: u32,
    /// The largest absolute value of an opening, from 0 to 1.
    #[arg(long, value_name = "VALUE", default_value_t = 0.05, value_parser = parse_balance)]
    balance: f64,
    /// How they are valued: evaluation, or the champion's search of this many nodes or plies.
    #[arg(
        long,
        value_name = "evaluation|NODES|depth=N|moves=N",
        default_value = "2000"
    )]
    appraiser: AppraiserSpec,
    /// olympiad, platform, paper, openspiel or mistboard.
    #[arg(long, default_value = "olympiad", value_parser = parse_rules)]
    rules: NamedRules,
    /// The seed of all openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

fn parse_balance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        Ok(_) => Err("a value between 0 and 1".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Makes the openings and writes them.
pub fn run(arguments: &OpeningsArguments) -> anyhow::Result<ExitCode> {
    let file = OpenFile::create("--out", &arguments.out)?;
    let interrupt = Interrupt::new();
    signals::install(&interrupt)?;
    let recipe = Recipe {
        count: arguments.count as usize,
        plies: arguments.plies,
        balance: (arguments.balance * f64::from(WIN)).round() as i32,
        appraiser: arguments.appraiser,
        rules: arguments.rules.rules,
        seed: arguments.seed,
    };
    let all = suite::make(&recipe, &interrupt)?;
    file.publish(&text(arguments, &all))?;
    eprintln!("{} openings are in {}", all.len(), arguments.out.display());
    Ok(ExitCode::SUCCESS)
}

fn text(arguments: &OpeningsArguments, all: &[Balanced]) -> String {
    let mut text = format!(
        "# selfplay {}: {} openings after {} random plies, worth at most {} to either side by {}\n\
         # (rules {}, seed {}; behind each its value to the side to move)\n",
        env!("CARGO_PKG_VERSION"),
        all.len(),
        arguments.plies,
        arguments.balance,
        arguments.appraiser,
        arguments.rules.name,
        arguments.seed,
    );
    for Balanced { position, value } in all {
        let value = f64::from(*value) / f64::from(WIN);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{position}  # {value:+.4}");
    }
    text
}
