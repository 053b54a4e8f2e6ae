//! `selfplay export`: results as tables or records for other programs.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use anqi_files::NewFile;
use anqi_lab::training::export as positions;
use anqi_match::export::schema::What;
use anqi_match::export::source::SavedMatch;
use anqi_match::export::{self, ExportTimes, Format};
use anqi_match::luck::{self, AppraiserSpec};
use anqi_rules::Rules;
use anyhow::{Context, bail};
use clap::Args;

use super::output;

/// What to export.
#[derive(Args, Debug)]
pub struct ExportArguments {
    /// Folders of finished pairs or of tournaments; for positions, files of selfplay data.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The table: matches, games, flips or positions (docs/formats/results.md has their columns); or pgn, for the
    /// games themselves as records (docs/record-format.md).
    #[arg(long, default_value = "games")]
    what: Wanted,
    /// parquet or csv [default: by the ending of the file].
    #[arg(long)]
    format: Option<Format>,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Measures the luck of flips by the evaluation, or by a search of this many nodes or plies, unless the records have it by the same.
    #[arg(long, value_name = "evaluation|NODES|depth=N|moves=N")]
    appraiser: Option<AppraiserSpec>,
    /// Fills in times, which differ from run to run.
    #[arg(long)]
    times: bool,
}

/// A table, or the records of the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    Table(What),
    Positions,
    Pgn,
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Wanted, String> {
        match text {
            "pgn" => return Ok(Wanted::Pgn),
            "positions" => return Ok(Wanted::Positions),
            _ => {}
        }
        text.parse().map(Wanted::Table).map_err(|_: String| {
            format!("'{text}' is no table (expected matches, games, flips, positions or pgn)")
        })
    }
}

impl ExportArguments {
    fn format(&self) -> anyhow::Result<Format> {
        let ending = self.out.extension().and_then(|ending| ending.to_str());
        match self.format.or(ending.and_then(Format::of_ending)) {
            Some(format) => Ok(format),
            None => bail!(
                "--out {}: neither .parquet nor .csv (say --format parquet or --format csv)",
                self.out.display()
            ),
        }
    }
}

/// Writes one table, or the records.
pub fn run(arguments: &ExportArguments) -> anyhow::Result<ExitCode> {
    match arguments.what {
        Wanted::Table(what) => table_of_matches(arguments, what),
        Wanted::Positions => table_of_positions(arguments),
        Wanted::Pgn => pgn(arguments),
    }
}

fn table_of_matches(arguments: &ExportArguments, what: What) -> anyhow::Result<ExitCode> {
    let format = arguments.format()?;
    let mut matches = SavedMatch::read_all(what, &arguments.inputs)?;
    for saved in &mut matches {
        output::warn_about_torn(&saved.torn);
        if let Some(appraiser) = arguments.appraiser {
            let rules = &saved.meta.identity.rules;
            let rules = Rules::preset(rules).context("unknown rules")?;
            luck::complete(&mut saved.records, rules, appraiser)?;
        }
    }
    let times = if arguments.times {
        ExportTimes::Included
    } else {
        ExportTimes::LeftOut
    };
    publish(arguments, what.table().name, |file| {
        Ok(export::write(what, format, &matches, times, file)?)
    })
}

fn table_of_positions(arguments: &ExportArguments) -> anyhow::Result<ExitCode> {
    let format = arguments.format()?;
    let files = positions::read(&arguments.inputs)?;
    publish(arguments, positions::POSITIONS.name, |file| {
        Ok(positions::write(&files, format, file)?)
    })
}

/// Writes the rows of a table into the file of `--out`.
fn publish(
    arguments: &ExportArguments,
    table: &str,
    write: impl FnOnce(&mut NewFile) -> anyhow::Result<u64>,
) -> anyhow::Result<ExitCode> {
    let name = || format!("--out {}", arguments.out.display());
    let mut file = NewFile::create(&arguments.out).with_context(name)?;
    let rows = write(&mut file).with_context(name)?;
    file.publish().with_context(name)?;
    eprintln!("{rows} rows of {table} are in {}", arguments.out.display());
    Ok(ExitCode::SUCCESS)
}

fn pgn(arguments: &ExportArguments) -> anyhow::Result<ExitCode> {
    let tables_alone = [
        (arguments.format.is_some(), "--format"),
        (arguments.times, "--times"),
        (arguments.appraiser.is_some(), "--appraiser"),
    ];
    if let Some((_, option)) = tables_alone.iter().find(|(given, _)| *given) {
        bail!("{option} is for tables, and --what pgn writes records");
    }
    let name = || format!("--out {}", arguments.out.display());
    let matches = SavedMatch::read_all(What::Games, &arguments.inputs)?;
    for saved in &matches {
        output::warn_about_torn(&saved.torn);
    }
    let mut file = NewFile::create(&arguments.out).with_context(name)?;
    let games = export::write_pgn(&matches, &mut file).with_context(name)?;
    file.publish().with_context(name)?;
    eprintln!("{games} games are in {}", arguments.out.display());
    Ok(ExitCode::SUCCESS)
}
