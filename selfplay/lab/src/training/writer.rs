//! Writing files of labelled positions.
//!
//! The header is only known at the end, so the writer leaves zeros in its place
//! and fills it in last: an unfinished file is invalid.

use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anqi_files::NewFile;

use super::example::Example;
use super::file::{DataError, DataHeader, HEADER_BYTES};

/// Writes records, and the header at the end.
#[derive(Debug)]
pub struct DataWriter<W> {
    out: W,
    header: DataHeader,
    checksum: crc32fast::Hasher,
}

impl<W: Write + Seek> DataWriter<W> {
    /// Leaves room for the header.
    ///
    /// # Errors
    ///
    /// Fails if nothing can be written.
    pub fn new(mut out: W, recipe: String, seed: u64) -> io::Result<DataWriter<W>> {
        out.write_all(&vec![0; HEADER_BYTES + recipe.len()])?;
        let header = DataHeader {
            recipe,
            seed,
            games: 0,
            records: 0,
        };
        Ok(DataWriter {
            out,
            header,
            checksum: crc32fast::Hasher::new(),
        })
    }

    /// Appends the positions of a game.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be written.
    pub fn game(&mut self, examples: &[Example]) -> io::Result<()> {
        for example in examples {
            let record = example.pack();
            self.checksum.update(&record);
            self.out.write_all(&record)?;
        }
        self.header.games += 1;
        self.header.records += examples.len() as u64;
        Ok(())
    }

    /// Returns the header so far.
    pub fn header(&self) -> &DataHeader {
        &self.header
    }

    /// Writes the header and returns the output.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&self.header.summed_bytes())?;
        let checksum = self.header.checksum(self.checksum);
        self.out.write_all(&checksum.to_le_bytes())?;
        self.out.write_all(self.header.recipe.as_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// A temporary file of positions, published when finished and removed otherwise.
#[derive(Debug)]
pub struct NewDataFile {
    place: PathBuf,
    writer: DataWriter<NewFile>,
}

impl NewDataFile {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// Fails if the place holds something that is not a plain file, or cannot be written.
    pub fn create(place: &Path, recipe: String, seed: u64) -> Result<NewDataFile, DataError> {
        let create = || {
            let file = NewFile::create(place)?;
            if file.temporary_path().is_none() {
                return Err(io::Error::other("is not a plain file"));
            }
            DataWriter::new(file, recipe, seed)
        };
        Ok(NewDataFile {
            writer: create().map_err(failure(place))?,
            place: place.to_owned(),
        })
    }

    /// Appends the positions of a game.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be written.
    pub fn game(&mut self, examples: &[Example]) -> Result<(), DataError> {
        self.writer.game(examples).map_err(failure(&self.place))
    }

    /// Completes and publishes the file.
    ///
    /// # Errors
    ///
    /// Fails if that is not possible; an earlier file in its place then stays.
    pub fn finish(self) -> Result<DataHeader, DataError> {
        let header = self.writer.header().clone();
        let published = self.writer.finish().and_then(NewFile::publish);
        published.map_err(failure(&self.place))?;
        Ok(header)
    }
}

fn failure(place: &Path) -> impl FnOnce(io::Error) -> DataError {
    let path = place.to_owned();
    |error| DataError::File { path, error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    use crate::training::example::{BestAction, GameResult};
    use crate::training::file::DataFile;

    #[test]
    fn an_unfinished_file_leaves_what_was_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("data");
        fs::write(&place, "old").expect("writable");
        let example = Example {
            position: anqi_rules::Position::start(),
            value: 0,
            result: GameResult::Draw,
            best: BestAction::Flip,
            depth: 1,
            game: 0,
        };
        let mut unfinished = NewDataFile::create(&place, String::new(), 1).expect("a file");
        unfinished.game(&[example]).expect("written");
        drop(unfinished);
        assert_eq!(fs::read(&place).expect("there"), b"old");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        let finished = NewDataFile::create(&place, String::new(), 1).expect("a file");
        finished.finish().expect("in place");
        assert_eq!(DataFile::read(&place).expect("a file").records().len(), 0);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
