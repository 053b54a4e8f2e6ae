//! `anqi convert`: game records from one format into another.

use super::{UsageError, input};
use anqi_app::records::{self, Format, Lost};
use anqi_rules::Rules;
use anyhow::Context;
use clap::{Parser, ValueEnum};
use std::io::{self, Write};
use std::path::PathBuf;

/// Size limit of a file of records in bytes: some ten thousand games.
const MOST_BYTES: u64 = 256 << 20;

const EXAMPLES: &str = "\
Examples:
  anqi convert game.txt --to pgn --out game.pgn
  anqi convert games.pgn --to json > games.jsonl
  selfplay export match --what pgn --out /dev/stdout | anqi convert - --to platform
";

/// Convert game records: PGN, the platform's, JSON.
///
/// Reads any of these formats, or a position string with moves, and finds out which it is.
/// A file may have several games. What the other format cannot hold is reported on standard
/// error. docs/record-format.md describes the formats.
#[derive(Parser, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The file to read, `-` for standard input
    #[arg(value_name = "IN")]
    input: PathBuf,

    /// The format to write: pgn, platform (a record of the tournament platform), or json (an
    /// object a line)
    #[arg(long, value_name = "FORMAT", value_enum)]
    to: Target,

    /// The file to write, replaced as a whole [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The rules of games that name none: olympiad, platform, paper, openspiel, mistboard or course
    #[arg(long, value_name = "PRESET", default_value = "platform", value_parser = rules)]
    rules: Rules,
}

/// A format that can be written.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Pgn,
    Platform,
    Json,
}

impl Target {
    fn format(self) -> Format {
        match self {
            Target::Pgn => Format::Pgn,
            Target::Platform => Format::Platform,
            Target::Json => Format::Anqi,
        }
    }

    /// Returns the name of the format in a sentence.
    fn words(self) -> &'static str {
        match self {
            Target::Pgn => "PGN",
            Target::Platform => "the platform's record",
            Target::Json => "JSON",
        }
    }
}

fn rules(text: &str) -> Result<Rules, String> {
    Rules::preset(text).ok_or_else(|| {
        let names = Rules::PRESETS.map(|(name, _)| name);
        format!("expected one of {}", names.join(", "))
    })
}

impl Args {
    /// Converts.
    pub fn run(self) -> anyhow::Result<()> {
        let (name, bytes) = input::read(&self.input, MOST_BYTES)?;
        let records = records::read(&bytes, self.rules)
            .map_err(|error| UsageError(format!("{name}: {error}")))?;
        let written = records::write(&records.games, self.to.format(), self.rules);
        match &self.out {
            Some(path) => anqi_files::replace(path, &written.text)
                .with_context(|| format!("--out {}", path.display()))?,
            None => {
                let mut output = io::stdout().lock();
                output.write_all(written.text.as_bytes())?;
                output.flush()?;
            }
        }
        for (index, game) in records.games.iter().enumerate() {
            if let Err(fault) = game.check_deal() {
                let number = index + 1;
                eprintln!(
                    "anqi: {name}: game {number}: the deal does not prove its commitment: {fault}"
                );
            }
        }
        let mut lost = written.lost;
        // What reading has lost may be of no use to the target either.
        for (what, games) in records.lost {
            lost.entry(what).or_insert(games);
        }
        tell(self.to, &lost);
        Ok(())
    }
}

fn tell(target: Target, lost: &Lost) {
    let target = target.words();
    for (what, &games) in lost {
        let of = if games == 1 { "game" } else { "games" };
        eprintln!("anqi: not in {target}: {what} ({games} {of})");
    }
}
