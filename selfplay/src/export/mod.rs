//! Results as tables for other programs: matches, games, flips and training positions.
//!
//! A table has named columns of one kind each ([`schema`]); its rows come from
//! checked records ([`rows`]) and go into a file of either [`Format`]. The
//! columns are described in `docs/formats/results.md`, and a test compares the two.

mod csv;
mod parquet;
mod pgn;
pub mod rows;
pub mod schema;
mod sink;
pub mod source;

use std::io::Write;
use std::str::FromStr;

pub use pgn::write_pgn;
pub use rows::Times;
use schema::{Column, What};
pub use sink::ExportError;
use sink::Sink;
use source::ExportSource;

/// The format of a file of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Apache Parquet, compressed with Zstandard.
    Parquet,
    /// Comma-separated text with a line of names.
    Csv,
}

impl Format {
    /// Returns the format that a file's ending stands for.
    pub fn of_ending(ending: &str) -> Option<Format> {
        ending.to_ascii_lowercase().parse().ok()
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        match text {
            "parquet" => Ok(Format::Parquet),
            "csv" => Ok(Format::Csv),
            other => Err(format!(
                "'{other}' is not a format (expected parquet or csv)"
            )),
        }
    }
}

/// Writes a table of the inputs and returns the number of its rows.
///
/// # Errors
///
/// Fails if the file cannot be written or a record cannot be replayed.
pub fn write(
    what: What,
    format: Format,
    source: &ExportSource,
    times: Times,
    out: impl Write + Send,
) -> Result<u64, ExportError> {
    let columns: &'static [Column] = what.columns();
    let mut sink: Box<dyn Sink + '_> = match format {
        Format::Csv => Box::new(csv::CsvSink::new(columns, out)?),
        Format::Parquet => Box::new(parquet::ParquetSink::new(what.name(), columns, out)?),
    };
    let mut count = 0;
    rows::of(what, source, times, &mut |row| {
        debug_assert_eq!(row.len(), columns.len(), "{what:?}");
        count += 1;
        sink.row(row)
    })?;
    sink.finish()?;
    Ok(count)
}
