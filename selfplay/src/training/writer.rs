//! Writing files of labelled positions.
//!
//! What the header says is only known in the end, so the writer leaves zeros in
//! its place and fills it in last: a file that was not finished is none at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::example::Example;
use super::file::{DataError, HEADER_BYTES, Header};

/// Writes records one after the other, and the header in the end.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    header: Header,
    checksum: crc32fast::Hasher,
}

impl<W: Write + Seek> Writer<W> {
    /// Leaves room for the header.
    ///
    /// # Errors
    ///
    /// Fails if nothing can be written.
    pub fn new(mut out: W, recipe: String, seed: u64) -> io::Result<Writer<W>> {
        out.write_all(&vec![0; HEADER_BYTES + recipe.len()])?;
        let header = Header {
            recipe,
            seed,
            games: 0,
            records: 0,
        };
        Ok(Writer {
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

    /// Returns what has been written so far.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Writes the header and returns what was written to.
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

/// A file that is written beside its place and takes it when it is finished.
///
/// Dropped before that, it leaves nothing behind.
#[derive(Debug)]
pub struct NewFile {
    place: PathBuf,
    beside: PathBuf,
    writer: Option<Writer<BufWriter<File>>>,
}

impl NewFile {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// Fails if the place holds something that is no plain file, or nothing can be written there.
    pub fn create(place: &Path, recipe: String, seed: u64) -> Result<NewFile, DataError> {
        let fail = |error| DataError::File {
            path: place.to_owned(),
            error,
        };
        // A link stays one: what it names is replaced.
        let target = fs::canonicalize(place).unwrap_or_else(|_| place.to_owned());
        if fs::metadata(&target).is_ok_and(|known| !known.is_file()) {
            return Err(fail(io::Error::other("is not a plain file")));
        }
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let beside = target.with_file_name(name);
        let file = File::create(&beside).map_err(fail)?;
        let mut new = NewFile {
            place: target,
            beside,
            writer: None,
        };
        new.writer = Some(Writer::new(BufWriter::new(file), recipe, seed).map_err(fail)?);
        Ok(new)
    }

    /// Appends the positions of a game.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be written.
    pub fn game(&mut self, examples: &[Example]) -> Result<(), DataError> {
        let written = match &mut self.writer {
            Some(writer) => writer.game(examples),
            None => Ok(()),
        };
        written.map_err(|error| self.failure(error))
    }

    /// Completes the file and puts it in its place.
    ///
    /// # Errors
    ///
    /// Fails if that is not possible; what was in the place before then stays.
    pub fn finish(mut self) -> Result<Header, DataError> {
        let writer = self.writer.take().expect("only finishing takes the writer");
        let header = writer.header().clone();
        let put_in_place = || -> io::Result<()> {
            let out = writer.finish()?;
            out.into_inner()
                .map_err(io::IntoInnerError::into_error)?
                .sync_all()?;
            fs::rename(&self.beside, &self.place)
        };
        put_in_place().map_err(|error| self.failure(error))?;
        Ok(header)
    }

    fn failure(&self, error: io::Error) -> DataError {
        DataError::File {
            path: self.place.clone(),
            error,
        }
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // After finishing there is nothing left to remove, and a left-over part is only untidy.
        let _ = fs::remove_file(&self.beside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let mut unfinished = NewFile::create(&place, String::new(), 1).expect("a file");
        unfinished.game(&[example]).expect("written");
        drop(unfinished);
        assert_eq!(fs::read(&place).expect("there"), b"old");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        let finished = NewFile::create(&place, String::new(), 1).expect("a file");
        finished.finish().expect("in place");
        assert_eq!(DataFile::read(&place).expect("a file").records().len(), 0);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
