//! Reading tables: nothing in a file is trusted before it is checked.
//!
//! Opening checks the header, the directory and the length; a frame's checksum
//! is checked whenever the frame is read; [`FramedFile::check_hash`] reads every
//! byte. Damage of any kind is an error, never a panic or a value.

use std::path::Path;

use anqi_rules::Color;

use super::codec::{raw_len, unpack};
use super::error::TableError;
use super::framed::FramedFile;
use super::header::Header;
use super::metric::Metric;
use crate::classes::Unit;

/// An open table.
#[derive(Debug)]
pub struct TableFile {
    /// The checked header.
    pub header: Header,
    /// The file.
    pub file: FramedFile,
}

/// The decoded values of a frame.
#[derive(Clone, Debug)]
pub enum Decoded {
    /// All values are this one.
    Constant(u16),
    /// Packed values.
    Raw(Box<[u8]>),
}

impl TableFile {
    /// Opens a table and checks all but its values.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is not a sound table.
    pub fn open(path: &Path) -> Result<TableFile, TableError> {
        let mut file = FramedFile::open(path)?;
        let head = Header::length(path, &file.part(0, file.bytes().min(16))?)? as u64;
        let header = Header::read(path, &file.part(0, head)?)?;
        file.read_directory(head, header.frames(), 0)?;
        Ok(TableFile { header, file })
    }

    /// Returns the frame that holds a value, and the value's place in it.
    pub fn place(&self, turn: Color, number: u64) -> (usize, usize) {
        let value = turn.index() as u64 * self.header.index.len() + number;
        self.header.place(value)
    }

    /// Returns the value of a frame that has only one; such a frame takes no bytes.
    #[inline]
    pub(crate) fn constant(&self, frame: usize) -> Option<u16> {
        let entry = self.file.entry(frame);
        (entry.len == 0).then_some(entry.crc as u16)
    }

    /// Reads a frame.
    ///
    /// # Errors
    ///
    /// Fails if the frame cannot be read or is damaged.
    pub fn frame(&self, frame: usize) -> Result<Decoded, TableError> {
        if let Some(value) = self.constant(frame) {
            return Ok(Decoded::Constant(value));
        }
        let raw = raw_len(self.header.width, self.header.frame_len(frame));
        self.file.frame(frame, raw).map(Decoded::Raw)
    }

    /// Checks that the table is of this unit and metric.
    ///
    /// # Errors
    ///
    /// Fails if it is of another unit or metric.
    pub fn expect(&self, unit: &Unit, metric: Metric) -> Result<(), TableError> {
        let header = &self.header;
        if header.unit.key == unit.key && header.metric == metric {
            return Ok(());
        }
        Err(TableError::Damaged {
            path: self.file.path().to_owned(),
            what: format!("it holds {} of {}", header.metric.name(), header.unit),
        })
    }

    /// Checks that the smaller tables beside this one are those it was made from.
    ///
    /// # Errors
    ///
    /// Fails if one is missing, cannot be read or differs.
    pub(crate) fn check_links(&self) -> Result<(), TableError> {
        let dir = self.file.path().parent().unwrap_or(Path::new(""));
        for (key, hash) in &self.header.children {
            let path = dir.join(format!("{key}.{}", Metric::Wdl.name()));
            if !path.exists() {
                let unit = key.to_string();
                return Err(TableError::Missing { path, unit });
            }
            if TableFile::open(&path)?.file.stored_hash()? != *hash {
                return Err(TableError::Wrong {
                    path: self.file.path().to_owned(),
                    what: format!("it was made from another {}", path.display()),
                });
            }
        }
        Ok(())
    }
}

impl Decoded {
    /// Returns one value.
    #[inline]
    pub fn value(&self, width: u8, at: usize) -> u16 {
        match self {
            Decoded::Constant(value) => *value,
            Decoded::Raw(raw) => unpack(raw, width, at),
        }
    }
}
