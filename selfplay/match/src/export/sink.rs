//! The interface of table writers, and their errors.

use std::io;

use super::schema::Cell;
use crate::replay::GameFault;

/// Why rows could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The Parquet library reports an error, mostly of the file.
    #[error(transparent)]
    Parquet(#[from] ::parquet::errors::ParquetError),
    /// A game cannot be replayed.
    #[error(transparent)]
    Game(#[from] GameFault),
}

/// A writer of rows.
pub(super) trait Sink {
    fn row(&mut self, row: Vec<Cell>) -> Result<(), ExportError>;

    /// Writes the remaining rows; a file without rows still has its columns.
    fn finish(self: Box<Self>) -> Result<(), ExportError>;
}
