//! A folder of games that a platform has kept: for each game a record (`*.txt`), a dialogue (`*.command`), or both.
//!
//! The name of a file tells how its game ended (`12 Draw NoEatFlipDraw.command`), its text tells how it was played.
//! Both files of a game have the same name but for the ending, and must tell of the same plies.

use crate::dialogue;
use anqi_protocol::record::Record;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How a game ended, by the name of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// One side could not act, or had no piece left.
    NoMove,
    /// Too long without a capture or a flip.
    NoEatFlipDraw,
    /// The game repeated itself.
    PositionRepetitionDraw,
    /// A clock ran out.
    TimeOut,
    /// Broken off; the platform calls such a file temporary.
    Unfinished,
}

impl Reason {
    /// All reasons in the order in which reports list them.
    pub const ALL: [Reason; 5] = [
        Reason::NoMove,
        Reason::NoEatFlipDraw,
        Reason::PositionRepetitionDraw,
        Reason::TimeOut,
        Reason::Unfinished,
    ];

    fn of(name: &str) -> Option<Reason> {
        let words = [
            "NoMove",
            "NoEatFlipDraw",
            "PositionRepetitionDraw",
            "TimeOut",
            "temp",
        ];
        let at = words.iter().position(|word| name.contains(word))?;
        Some(Reason::ALL[at])
    }
}

/// One game of the archive; at least one of its two files is there.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The path of its files without their ending, below the archive's root.
    pub name: String,
    /// How it ended.
    pub reason: Reason,
    /// The record, if there is one.
    pub record: Option<Record>,
    /// Whether writing the record gives the beginning of its file again, byte for byte.
    pub record_is_written_alike: bool,
    /// The dialogue, if there is one.
    pub dialogue: Option<dialogue::Dialogue>,
}

impl Kept {
    /// Returns the plies that the record tells of, as text.
    pub fn record_plies(&self) -> Option<Vec<String>> {
        let plies = &self.record.as_ref()?.plies;
        Some(plies.iter().map(ToString::to_string).collect())
    }

    /// Returns the plies that the dialogue tells of, as text.
    pub fn dialogue_plies(&self) -> Option<Vec<String>> {
        Some(self.dialogue.as_ref()?.plies.clone())
    }
}

/// Reads every game below a folder.
///
/// # Errors
///
/// Fails when a file cannot be read or understood; the message names it.
pub fn read(root: &Path) -> io::Result<Vec<Kept>> {
    let mut files = Vec::new();
    find_files(root, &mut files)?;
    files.sort();
    let mut games: BTreeMap<String, Kept> = BTreeMap::new();
    for file in files {
        let name = file.with_extension("").display().to_string();
        let title = file.file_stem().unwrap_or_default().to_string_lossy();
        let Some(reason) = Reason::of(&title) else {
            continue;
        };
        let kept = games.entry(name.clone()).or_insert(Kept {
            name,
            reason,
            record: None,
            record_is_written_alike: false,
            dialogue: None,
        });
        let bytes = fs::read(&file)?;
        let wrong = |why| io::Error::other(format!("{}: {why}", file.display()));
        if file.extension().is_some_and(|extension| extension == "txt") {
            let record = Record::read(&bytes).map_err(|why| wrong(why.to_string()))?;
            kept.record_is_written_alike = bytes.starts_with(record.to_string().as_bytes());
            kept.record = Some(record);
        } else {
            let text = String::from_utf8_lossy(&bytes);
            kept.dialogue = Some(dialogue::read(&text).map_err(wrong)?);
        }
    }
    Ok(games.into_values().collect())
}

fn find_files(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find_files(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "txt" || extension == "command")
        {
            files.push(path);
        }
    }
    Ok(())
}
