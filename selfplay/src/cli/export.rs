//! `selfplay export`: results as tables for other programs.

use std::path::PathBuf;
use std::process::ExitCode;

use anqi_files::NewFile;
use anqi_rules::Rules;
use anqi_selfplay::export::schema::What;
use anqi_selfplay::export::source::ExportSource;
use anqi_selfplay::export::{self, Format, Times};
use anqi_selfplay::luck::{self, AppraiserSpec};
use anyhow::{Context, bail};
use clap::Args;

use super::output;

/// What to export.
#[derive(Args, Debug)]
pub struct ExportArguments {
    /// Folders of finished pairs or of tournaments; for positions, files of selfplay data.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The table: matches, games, flips or positions (docs/data.md has their columns).
    #[arg(long, default_value = "games")]
    what: What,
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

/// Writes one table.
pub fn run(arguments: &ExportArguments) -> anyhow::Result<ExitCode> {
    let format = arguments.format()?;
    let name = || format!("--out {}", arguments.out.display());
    let mut source = ExportSource::read(arguments.what, &arguments.inputs)?;
    if let ExportSource::Matches(matches) = &mut source {
        for saved in matches {
            output::warn_about_torn(&saved.torn);
            if let Some(appraiser) = arguments.appraiser {
                let rules = &saved.meta.identity.rules;
                let rules = Rules::preset(rules).context("unknown rules")?;
                luck::complete(&mut saved.records, rules, appraiser)?;
            }
        }
    }
    let times = match arguments.times {
        true => Times::Included,
        false => Times::LeftOut,
    };
    let mut file = NewFile::create(&arguments.out).with_context(name)?;
    let rows = export::write(arguments.what, format, &source, times, &mut file);
    let rows = rows.with_context(name)?;
    file.publish().with_context(name)?;
    let table = arguments.what.name();
    eprintln!("{rows} rows of {table} are in {}", arguments.out.display());
    Ok(ExitCode::SUCCESS)
}
