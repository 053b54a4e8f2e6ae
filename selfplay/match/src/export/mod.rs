//! Results as tables for other programs: matches, games and flips.
//!
//! A table has named columns of one kind each ([`schema`]); its rows come from
//! checked records ([`rows`]) and go into a file of either [`Format`]. A [`TableWriter`]
//! takes rows of other tables too. The columns are described in `docs/formats/results.md`, and a test
//! compares the two.

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
pub use rows::ExportTimes;
use schema::{Cell, Table, What};
pub use sink::ExportError;
use sink::Sink;
use source::SavedMatch;

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

/// Writes a table row by row.
pub struct TableWriter<'a> {
    sink: Box<dyn Sink + 'a>,
    table: Table,
    rows: u64,
}

impl<'a> TableWriter<'a> {
    /// Begins a table.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn new(
        table: Table,
        format: Format,
        out: impl Write + Send + 'a,
    ) -> Result<TableWriter<'a>, ExportError> {
        let sink: Box<dyn Sink + 'a> = match format {
            Format::Csv => Box::new(csv::CsvSink::new(table.columns, out)?),
            Format::Parquet => Box::new(parquet::ParquetSink::new(table.name, table.columns, out)?),
        };
        let rows = 0;
        Ok(TableWriter { sink, table, rows })
    }

    /// Adds a row, a cell for each column.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn row(&mut self, row: Vec<Cell>) -> Result<(), ExportError> {
        debug_assert_eq!(row.len(), self.table.columns.len(), "{}", self.table.name);
        self.rows += 1;
        self.sink.row(row)
    }

    /// Writes what is left; returns the number of rows.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn finish(self) -> Result<u64, ExportError> {
        self.sink.finish()?;
        Ok(self.rows)
    }
}

/// Writes a table of matches and returns the number of its rows.
///
/// # Errors
///
/// Fails if the file cannot be written or a record cannot be replayed.
pub fn write(
    what: What,
    format: Format,
    matches: &[SavedMatch],
    times: ExportTimes,
    out: impl Write + Send,
) -> Result<u64, ExportError> {
    let mut writer = TableWriter::new(what.table(), format, out)?;
    rows::of(what, matches, times, &mut |row| writer.row(row))?;
    writer.finish()
}
