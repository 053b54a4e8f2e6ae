//! Training positions as a table for other programs.

use std::io::Write;
use std::path::PathBuf;

use anqi_match::export::schema::{Cell, Column, Table, integer, text};
use anqi_match::export::{self, Format, TableWriter};
use anqi_rules::Color;

use super::example::{BestAction, Example};
use super::file::{DataError, DataFault, DataFile};

/// The table: a row for each training position.
pub const POSITIONS: Table = Table {
    name: "positions",
    columns: COLUMNS,
};

const COLUMNS: &[Column] = &[
    text("file"),
    integer("seed"),
    integer("game"),
    integer("ply"),
    integer("quiet"),
    text("position"),
    text("turn"),
    integer("pieces_red"),
    integer("pieces_black"),
    integer("face_down"),
    integer("value"),
    integer("result"),
    text("best"),
    integer("depth"),
];

/// Why positions could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A folder where a file is needed.
    #[error("{}: --what positions reads files of 'selfplay data', and this is a folder", .0.display())]
    NoFile(PathBuf),
    /// A file cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A position is damaged.
    #[error(transparent)]
    Position(#[from] DataFault),
    /// The table cannot be written.
    #[error(transparent)]
    Table(#[from] export::ExportError),
}

/// Reads files of positions.
///
/// # Errors
///
/// Fails if an input is a folder, or no file of positions.
pub fn read(inputs: &[PathBuf]) -> Result<Vec<(PathBuf, DataFile)>, ExportError> {
    let files = inputs.iter().map(|path| {
        if path.is_dir() {
            return Err(ExportError::NoFile(path.clone()));
        }
        Ok((path.clone(), DataFile::read(path)?))
    });
    files.collect()
}

/// Writes the positions of some files and returns their number.
///
/// # Errors
///
/// Fails if the table cannot be written or a position is damaged.
pub fn write(
    files: &[(PathBuf, DataFile)],
    format: Format,
    out: impl Write + Send,
) -> Result<u64, ExportError> {
    let mut writer = TableWriter::new(POSITIONS, format, out)?;
    for (path, data) in files {
        let name = path.display().to_string();
        for index in 0..data.records().len() {
            writer.row(row(&name, data.header().seed, &data.example(index)?))?;
        }
    }
    Ok(writer.finish()?)
}

fn row(file: &str, seed: u64, example: &Example) -> Vec<Cell> {
    let Example {
        position,
        value,
        result,
        best,
        depth,
        game,
    } = example;
    let best = match best {
        BestAction::Step => "step",
        BestAction::Capture => "capture",
        BestAction::Flip => "flip",
    };
    vec![
        file.into(),
        seed.into(),
        (*game).into(),
        position.ply().into(),
        position.quiet_counter().into(),
        position.to_string().into(),
        position.turn().map(|color| color.to_string()).into(),
        position.living(Color::Red).into(),
        position.living(Color::Black).into(),
        position.face_down().len().into(),
        i32::from(*value).into(),
        i32::from(result.sign()).into(),
        best.into(),
        u32::from(*depth).into(),
    ]
}
