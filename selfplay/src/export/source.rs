//! What is exported: folders of finished pairs, or files of training positions.

use std::fs;
use std::path::{Path, PathBuf};

use anqi_rules::Rules;

use super::schema::What;
use crate::record::PairRecord;
use crate::store::{self, Meta, StoreError, TornLine};
use crate::training::file::{DataError, DataFile};

/// Everything that the inputs hold.
#[derive(Debug)]
pub enum ExportSource {
    /// Matches, in the order in which they were named.
    Matches(Vec<SavedMatch>),
    /// Files of positions.
    Positions(Vec<(PathBuf, DataFile)>),
}

/// A match and its pairs.
#[derive(Debug)]
pub struct SavedMatch {
    /// Its folder, or the first of several.
    pub folder: PathBuf,
    /// What match it is.
    pub meta: Meta,
    /// The finished pairs, sorted by number.
    pub records: Vec<PairRecord>,
    /// Incomplete lines, which do not count.
    pub torn: Vec<TornLine>,
}

/// Why inputs cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A folder of pairs.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file of positions.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A folder cannot be listed.
    #[error("{}: {error}", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file where a folder is needed.
    #[error("{}: --what {} reads folders of finished pairs, and this is none", path.display(), what.name())]
    NoFolder {
        /// Which.
        path: PathBuf,
        /// The request.
        what: What,
    },
    /// A folder where a file is needed.
    #[error("{}: --what positions reads files of 'selfplay data', and this is a folder", .0.display())]
    NoFile(PathBuf),
}

impl ExportSource {
    /// Reads the inputs of a table.
    ///
    /// A folder of a tournament stands for the folders of its encounters. Folders of one match
    /// are its shards and count as one.
    ///
    /// # Errors
    ///
    /// Fails if an input is of the wrong kind, cannot be read or contradicts itself.
    pub fn read(what: What, inputs: &[PathBuf]) -> Result<ExportSource, SourceError> {
        if what == What::Positions {
            let files = inputs.iter().map(|path| match path.is_dir() {
                true => Err(SourceError::NoFile(path.clone())),
                false => Ok((path.clone(), DataFile::read(path)?)),
            });
            return Ok(ExportSource::Positions(files.collect::<Result<_, _>>()?));
        }
        let mut folders = Vec::new();
        for path in inputs {
            if path.is_file() {
                let path = path.clone();
                return Err(SourceError::NoFolder { path, what });
            }
            folders.extend(matches_below(path)?);
        }
        let matches = by_match(&folders)?.into_iter().map(SavedMatch::read);
        Ok(ExportSource::Matches(matches.collect::<Result<_, _>>()?))
    }
}

impl SavedMatch {
    /// Returns the rules of its games.
    pub fn rules(&self) -> Rules {
        // Reading has checked the name.
        Rules::preset(&self.meta.identity.rules).unwrap_or(Rules::OLYMPIAD)
    }

    fn read(shards: Vec<PathBuf>) -> Result<SavedMatch, SourceError> {
        let (meta, loaded) = store::load(&shards)?;
        let mut shards = shards.into_iter();
        Ok(SavedMatch {
            folder: shards.next().unwrap_or_default(),
            meta,
            records: loaded.records,
            torn: loaded.torn,
        })
    }
}

/// Returns a folder of pairs itself, or the folders of pairs directly below it.
fn matches_below(folder: &Path) -> Result<Vec<PathBuf>, SourceError> {
    if store::meta(folder)?.is_some() {
        return Ok(vec![folder.to_owned()]);
    }
    let listed = |error| SourceError::Folder {
        path: folder.to_owned(),
        error,
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(listed)? {
        let path = entry.map_err(listed)?.path();
        if path.is_dir() && store::meta(&path)?.is_some() {
            found.push(path);
        }
    }
    if found.is_empty() {
        return Err(StoreError::NoMatch(folder.to_owned()).into());
    }
    found.sort();
    Ok(found)
}

/// Groups folders by match, in order of first appearance.
fn by_match(folders: &[PathBuf]) -> Result<Vec<Vec<PathBuf>>, SourceError> {
    let mut groups: Vec<(Meta, Vec<PathBuf>)> = Vec::new();
    for folder in folders {
        let Some(meta) = store::meta(folder)? else {
            return Err(StoreError::NoMatch(folder.clone()).into());
        };
        let known = groups
            .iter_mut()
            .find(|(known, _)| known.identity.is_same_match(&meta.identity));
        match known {
            Some((_, shards)) => shards.push(folder.clone()),
            None => groups.push((meta, vec![folder.clone()])),
        }
    }
    Ok(groups.into_iter().map(|(_, shards)| shards).collect())
}
