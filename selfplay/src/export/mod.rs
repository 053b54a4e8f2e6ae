//! Results as tables for other programs: matches, games, flips and training positions.
//!
//! A table has named columns of one kind each ([`schema`]); its rows come from
//! checked records ([`rows`]) and go into a file of either [`Format`]. The
//! columns are described in `docs/data.md`, and a test holds the two together.

mod csv;
mod parquet;
pub mod rows;
pub mod schema;
pub mod source;

use std::io::{self, Write};
use std::str::FromStr;

pub use rows::Times;
use schema::{Cell, Column, What};
use source::Source;

use crate::replay::GameFault;
use crate::training::file::DataFault;

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
            other => Err(format!("'{other}' is no format (expected parquet or csv)")),
        }
    }
}

/// Why rows could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The Parquet library refuses, which is mostly the file's fault as well.
    #[error(transparent)]
    Parquet(#[from] ::parquet::errors::ParquetError),
    /// A game cannot be replayed.
    #[error(transparent)]
    Game(#[from] GameFault),
    /// A training position is damaged.
    #[error(transparent)]
    Position(#[from] DataFault),
}

/// A file that takes rows.
trait Sink {
    fn row(&mut self, row: Vec<Cell>) -> Result<(), ExportError>;

    /// Writes what is left; a file without rows has its columns all the same.
    fn finish(self: Box<Self>) -> Result<(), ExportError>;
}

/// Writes a table of what the inputs hold, and returns the number of its rows.
///
/// # Errors
///
/// Fails if the file cannot be written or a record cannot be replayed.
pub fn write(
    what: What,
    format: Format,
    source: &Source,
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
