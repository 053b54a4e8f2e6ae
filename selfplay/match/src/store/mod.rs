//! Files of finished pairs, from which a killed match resumes.
//!
//! A folder holds `meta.json`, which says what match this is, and one or more
//! files of pairs, one JSON object a line. A line is appended by a single write
//! when both games of its pair have ended, so that a killed process leaves at
//! most one incomplete last line, which the next run cuts off. Each shard has a
//! file of its own (`pairs-2-of-3.jsonl`), so that shards may share a folder;
//! a lock on it keeps a second process from playing the same pairs.
//!
//! Lines are in the order in which pairs happened to end; readers sort them by
//! number: [`load`] the records themselves, which take memory, [`mod@index`] their places in
//! the files, so that millions can be read one after the other. No record is believed before it has been replayed ([`crate::replay`]).

mod index;
mod reading;
mod writing;

pub use index::{Index, Records, index};
pub(crate) use reading::sorted;
pub use reading::{Loaded, TornLine, load, meta, require_same};
pub use writing::{Merged, Store, merge};

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anqi_rules::Rules;

use serde::{Deserialize, Serialize};

use crate::adjudication::Adjudication;
use crate::deal::DealKind;
use crate::limits::Limits;
use crate::openings::Openings;
use crate::replay::{Expected, GameFault, RecordFault};
use crate::side::BySide;
use crate::statistics::sprt::Sprt;

const META: &str = "meta.json";

/// What match a folder belongs to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Meta {
    /// What decides how the games go.
    pub identity: Identity,
    /// The number of games last requested.
    pub games: u64,
    /// The test that may end the match early, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

/// Everything that decides how the games of a match go; a resumed run must agree in all of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// Name and version of the program.
    pub program: String,
    /// The players as they were given.
    pub players: BySide<String>,
    /// The players with all settings spelled out, and what outside programs call themselves.
    pub names: BySide<String>,
    /// What each side may spend on a move.
    pub limits: BySide<Limits>,
    /// Name of the rules.
    pub rules: String,
    /// Where its games begin; empty for the usual start.
    #[serde(default, skip_serializing_if = "Openings::is_empty")]
    pub openings: Openings,
    /// How the deal is bound to flips.
    pub deal: DealKind,
    /// The seed.
    pub seed: u64,
    /// When decided games end early.
    #[serde(default, skip_serializing_if = "Adjudication::is_none")]
    pub adjudication: Adjudication,
}

/// What can be wrong with a folder of pairs.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file does not hold what it should.
    #[error("{}, line {line}: {error}", path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// Which line.
        line: usize,
        /// Why.
        error: serde_json::Error,
    },
    /// The folder belongs to another match.
    #[error("{} holds another match: {field} is {found} there and {expected} here", path.display())]
    OtherMatch {
        /// Which folder.
        path: PathBuf,
        /// What differs.
        field: &'static str,
        /// What the folder says.
        found: String,
        /// The request.
        expected: String,
    },
    /// Another process is playing into this file.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// A record contradicts itself or its match.
    #[error("{place}: {fault}")]
    Record {
        /// Where it is.
        place: Place,
        /// What is wrong with it.
        fault: RecordFault,
    },
    /// The same pair was played with different results.
    #[error("{second}: pair {pair} contradicts {first}, which has other games of it")]
    Contradiction {
        /// Which pair.
        pair: u64,
        /// The first place.
        first: Place,
        /// The place that contradicts it.
        second: Place,
    },
    /// A game whose luck is to be measured cannot be replayed.
    #[error("luck: {0}")]
    Luck(#[from] GameFault),
    /// The rules of a folder are unknown.
    #[error("{}: no rules are called '{name}' (there are: {})", path.display(), rule_names())]
    Rules {
        /// Which file.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// A file is another one than it was a moment ago.
    #[error("{} has changed while it was read", .0.display())]
    Changed(PathBuf),
    /// There are more pairs or larger files than an index has room for.
    #[error("{}: more pairs or bytes than can be read", .0.display())]
    TooMany(PathBuf),
    /// The folder holds no match.
    #[error("{} holds no match (there is no {META})", .0.display())]
    NoMatch(PathBuf),
    /// No folder was named.
    #[error("no folder of pairs was named")]
    NoInput,
}

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}", self.path.display(), self.line)
    }
}

fn rule_names() -> String {
    Rules::PRESETS.map(|(name, _)| name).join(", ")
}

impl Meta {
    /// Returns what the records of this match are checked against.
    fn expected(&self, folder: &Path) -> Result<Expected, StoreError> {
        let identity = &self.identity;
        let rules = Rules::preset(&identity.rules).ok_or_else(|| StoreError::Rules {
            path: folder.join(META),
            name: identity.rules.clone(),
        })?;
        Ok(Expected {
            rules,
            openings: identity.openings.clone(),
            deal: identity.deal,
            seed: identity.seed,
            pairs: self.games / 2,
            adjudication: identity.adjudication,
            adjudicator: OnceLock::new(),
        })
    }
}

impl StoreError {
    fn file(path: &Path) -> impl FnOnce(io::Error) -> StoreError + use<> {
        let path = path.to_owned();
        |error| StoreError::File { path, error }
    }
}

impl Identity {
    /// Returns the first difference between two matches.
    fn difference(&self, other: &Identity) -> Option<(&'static str, String, String)> {
        let fields = |identity: &Identity| {
            [
                ("the program", identity.program.clone()),
                ("player A", identity.names.a.clone()),
                ("player B", identity.names.b.clone()),
                ("the limit of A", identity.limits.a.to_string()),
                ("the limit of B", identity.limits.b.to_string()),
                ("the set of rules", identity.rules.clone()),
                ("the set of openings", identity.openings.to_string()),
                ("the kind of deal", identity.deal.to_string()),
                ("the seed", identity.seed.to_string()),
                ("the adjudication", identity.adjudication.to_string()),
                // The given texts may differ while the full names agree.
            ]
        };
        let pairs = fields(self).into_iter().zip(fields(other));
        pairs
            .into_iter()
            .find(|(mine, theirs)| mine.1 != theirs.1)
            .map(|(mine, theirs)| (mine.0, mine.1, theirs.1))
    }

    /// Returns whether this is the same match, even if its players were written differently.
    #[cfg(feature = "export")]
    pub(crate) fn is_same_match(&self, other: &Identity) -> bool {
        self.difference(other).is_none()
    }

    /// Checks that a folder's match is this one.
    fn require_same(&self, found: &Identity, path: &Path) -> Result<(), StoreError> {
        match found.difference(self) {
            None => Ok(()),
            Some((field, found, expected)) => Err(StoreError::OtherMatch {
                path: path.to_owned(),
                field,
                found,
                expected,
            }),
        }
    }
}
