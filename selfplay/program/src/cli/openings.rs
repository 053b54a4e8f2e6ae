//! `selfplay openings`: makes a file of openings.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use anqi_match::interrupt::Interrupt;
use anqi_match::luck::{AppraiserSpec, WIN};
use anqi_match::openings::endings::Few;
use anqi_match::openings::suite::{self, Balanced, OpeningSource, SuiteRecipe};
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
    /// Endings instead: this many random pieces, such as 6..8, neither side more than one ahead.
    #[arg(long, value_name = "N..M", value_parser = parse_pieces, conflicts_with = "plies")]
    pieces: Option<RangeInclusive<u32>>,
    /// How many pieces of an ending lie face down, such as 1..3.
    #[arg(long, value_name = "N..M", value_parser = parse_range, requires = "pieces", default_value = "0")]
    face_down: RangeInclusive<u32>,
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
    /// olympiad, platform, paper, openspiel, mistboard or course.
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

/// Parses a number or two with dots between.
fn parse_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.parse::<u32>().map_err(|error| error.to_string());
    let (low, high) = (number(low)?, number(high)?);
    if low <= high && high <= 32 {
        Ok(low..=high)
    } else {
        Err("expected two numbers up to 32, the smaller one first".to_owned())
    }
}

fn parse_pieces(text: &str) -> Result<RangeInclusive<u32>, String> {
    let range = parse_range(text)?;
    if *range.start() >= 2 {
        Ok(range)
    } else {
        Err("at least two pieces".to_owned())
    }
}

/// Makes the openings and writes them.
pub fn run(arguments: &OpeningsArguments) -> anyhow::Result<ExitCode> {
    let file = OpenFile::create("--out", &arguments.out)?;
    let interrupt = Interrupt::new();
    signals::install(&interrupt)?;
    let recipe = SuiteRecipe {
        count: arguments.count as usize,
        source: match &arguments.pieces {
            Some(pieces) => OpeningSource::Few(Few {
                pieces: pieces.clone(),
                face_down: arguments.face_down.clone(),
            }),
            None => OpeningSource::Plies(arguments.plies),
        },
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
    let range = |range: &RangeInclusive<u32>| {
        if range.start() == range.end() {
            range.start().to_string()
        } else {
            format!("{} to {}", range.start(), range.end())
        }
    };
    let source = match &arguments.pieces {
        Some(pieces) => format!(
            "of {} pieces, {} of them face down",
            range(pieces),
            range(&arguments.face_down)
        ),
        None => format!("after {} random plies", arguments.plies),
    };
    let mut text = format!(
        "# selfplay {}: {} openings {source}, worth at most {} to either side by {}\n\
         # (rules {}, seed {}; behind each its value to the side to move)\n",
        env!("CARGO_PKG_VERSION"),
        all.len(),
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
