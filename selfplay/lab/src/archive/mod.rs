//! A folder of games archived by a platform: for each game a record (`*.txt`), a dialogue (`*.command`), or both.
//!
//! A file's name has the result of its game (`12 Draw NoEatFlipDraw.command`), its text has the plies.
//! Both files of a game have the same name but for the extension, and must have the same plies.

pub mod dialogue;
pub mod replay;

use anqi_protocol::record::Record;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How a game ended, by the name of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArchivedReason {
    /// One side had no legal action, or no piece left.
    NoMove,
    /// Too many plies without a capture or flip.
    NoEatFlipDraw,
    /// A draw by repetition.
    PositionRepetitionDraw,
    /// A clock ran out.
    TimeOut,
    /// The game is unfinished; the platform calls such a file temporary.
    Unfinished,
}

impl ArchivedReason {
    /// All reasons in the order of reports.
    pub const ALL: [ArchivedReason; 5] = [
        ArchivedReason::NoMove,
        ArchivedReason::NoEatFlipDraw,
        ArchivedReason::PositionRepetitionDraw,
        ArchivedReason::TimeOut,
        ArchivedReason::Unfinished,
    ];

    fn of(name: &str) -> Option<ArchivedReason> {
        let words = [
            "NoMove",
            "NoEatFlipDraw",
            "PositionRepetitionDraw",
            "TimeOut",
            "temp",
        ];
        let at = words.iter().position(|word| name.contains(word))?;
        Some(ArchivedReason::ALL[at])
    }
}

/// One game of the archive; at least one of its two files exists.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The path of its files without their extension.
    pub name: String,
    /// How it ended.
    pub reason: ArchivedReason,
    /// The record, if there is one.
    pub record: Option<Record>,
    /// Whether writing the record reproduces the beginning of its file, byte for byte.
    pub record_is_written_alike: bool,
    /// The dialogue, if there is one.
    pub dialogue: Option<dialogue::Dialogue>,
}

impl Kept {
    /// Returns the plies of the record, as text.
    pub fn record_plies(&self) -> Option<Vec<String>> {
        let plies = &self.record.as_ref()?.plies;
        Some(plies.iter().map(ToString::to_string).collect())
    }

    /// Returns the plies of the dialogue, as text.
    pub fn dialogue_plies(&self) -> Option<Vec<String>> {
        Some(self.dialogue.as_ref()?.plies.clone())
    }
}

/// Reads every game below a folder.
///
/// # Errors
///
/// Fails if a file cannot be read or parsed; the message names it.
pub fn read(root: &Path) -> io::Result<Vec<Kept>> {
    let mut files = Vec::new();
    find_files(root, &mut files)?;
    files.sort();
    let mut games: BTreeMap<String, Kept> = BTreeMap::new();
    for file in files {
        let name = file.with_extension("").display().to_string();
        let title = file.file_stem().unwrap_or_default().to_string_lossy();
        let Some(reason) = ArchivedReason::of(&title) else {
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
