//! What is exported: folders of finished pairs.

use std::fs;
use std::path::{Path, PathBuf};

use anqi_rules::Rules;

use super::schema::What;
use crate::record::PairRecord;
use crate::store::{self, Meta, StoreError, TornLine};

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
pub enum MatchSourceError {
    /// A folder of pairs.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A folder cannot be listed.
    #[error("{}: {error}", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file where a folder is needed.
    #[error("{}: --what {} reads folders of finished pairs, and this is none", path.display(), what.table().name)]
    NoFolder {
        /// Which.
        path: PathBuf,
        /// The request.
        what: What,
    },
}

impl SavedMatch {
    /// Reads the inputs of a table, in the order in which they are named.
    ///
    /// A folder of a tournament stands for the folders of its encounters. Folders of one match
    /// are its shards and count as one.
    ///
    /// # Errors
    ///
    /// Fails if an input is no folder of pairs, cannot be read or contradicts itself.
    pub fn read_all(what: What, inputs: &[PathBuf]) -> Result<Vec<SavedMatch>, MatchSourceError> {
        let mut folders = Vec::new();
        for path in inputs {
            if path.is_file() {
                let path = path.clone();
                return Err(MatchSourceError::NoFolder { path, what });
            }
            folders.extend(matches_below(path)?);
        }
        let matches = by_match(&folders)?.into_iter().map(SavedMatch::read);
        matches.collect()
    }

    /// Returns the rules of its games.
    pub fn rules(&self) -> Rules {
        // Reading has checked the name.
        Rules::preset(&self.meta.identity.rules).unwrap_or(Rules::OLYMPIAD)
    }

    fn read(shards: Vec<PathBuf>) -> Result<SavedMatch, MatchSourceError> {
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
fn matches_below(folder: &Path) -> Result<Vec<PathBuf>, MatchSourceError> {
    if store::meta(folder)?.is_some() {
        return Ok(vec![folder.to_owned()]);
    }
    let listed = |error| MatchSourceError::Folder {
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
fn by_match(folders: &[PathBuf]) -> Result<Vec<Vec<PathBuf>>, MatchSourceError> {
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
