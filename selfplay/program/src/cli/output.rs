//! Where results go: standard output, files, records.
//!
//! Every file is opened before the first game, so that an unwritable path fails
//! at once. At the end the text is printed first, so that no file error can lose
//! the result of a match.

use std::borrow::Borrow;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anqi_files::NewFile;
use anqi_match::record::{GameRecord, PairRecord, Reason};
use anqi_match::replay;
use anqi_match::report::{Detail, Report, html, json, table};
use anqi_match::store::{Loaded, StoreError, TornLine};
use anqi_protocol::Record;
use anqi_protocol::record::{PlatformReason, PlatformVerdict, PlayerName};
use anqi_rules::Rules;
use anyhow::{Context, anyhow, bail};

use super::arguments::OutputArguments;

/// Standard output, as a file name.
const STANDARD_OUTPUT: &str = "-";

/// An output file, open but not yet published.
pub struct OpenFile {
    name: String,
    file: NewFile,
}

impl OpenFile {
    /// Opens the file that an option names.
    pub fn create(option: &str, path: &Path) -> anyhow::Result<OpenFile> {
        let name = format!("{option} {}", path.display());
        let file = NewFile::create(path).with_context(|| name.clone())?;
        Ok(OpenFile { name, file })
    }

    /// Writes a part of the content.
    pub fn write(&mut self, part: &str) -> anyhow::Result<()> {
        let written = self.file.write_all(part.as_bytes());
        written.with_context(|| self.name.clone())
    }

    /// Writes the content, or what is left of it, and publishes the file.
    pub fn publish(mut self, content: &(impl AsRef<[u8]> + ?Sized)) -> anyhow::Result<()> {
        let written = self.file.write_all(content.as_ref());
        written
            .and_then(|()| self.file.publish())
            .context(self.name)
    }
}

/// Where the figures go as JSON.
pub enum JsonOutput {
    /// Nowhere.
    None,
    /// To standard output, instead of the text.
    StandardOutput,
    /// Into a file.
    File(OpenFile),
}

impl JsonOutput {
    /// Opens what `--json` names.
    pub fn open(path: Option<&Path>) -> anyhow::Result<JsonOutput> {
        match path {
            None => Ok(JsonOutput::None),
            Some(path) if path == Path::new(STANDARD_OUTPUT) => Ok(JsonOutput::StandardOutput),
            Some(path) if path.is_dir() => bail!(
                "--json {}: is a folder (name folders before --json, or write --json=-)",
                path.display()
            ),
            Some(path) => Ok(JsonOutput::File(OpenFile::create("--json", path)?)),
        }
    }

    /// Prints the text, or the JSON instead if it has no file; then writes the file.
    pub fn publish(self, text: &str, document: impl FnOnce() -> String) -> anyhow::Result<()> {
        match self {
            JsonOutput::None => print(text),
            JsonOutput::StandardOutput => print(&document()),
            JsonOutput::File(file) => both(print(text), file.publish(&document())),
        }
    }
}

/// Combines two results and keeps both errors.
pub fn both(first: anyhow::Result<()>, second: anyhow::Result<()>) -> anyhow::Result<()> {
    match (first, second) {
        (Err(first), Err(second)) => Err(anyhow!("{first:#}\n{second:#}")),
        (first, second) => first.and(second),
    }
}

/// Where the records of games go.
enum RecordOutput {
    /// All into one file.
    File(OpenFile),
    /// Each into a file of its own.
    Folder(PathBuf),
}

impl RecordOutput {
    fn open(path: &Path) -> anyhow::Result<RecordOutput> {
        let is_folder = path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/');
        if !is_folder {
            return Ok(RecordOutput::File(OpenFile::create("--record", path)?));
        }
        let context = || format!("--record {}", path.display());
        fs::create_dir_all(path).with_context(context)?;
        // Checks that files can be created there; dropping this one removes it.
        NewFile::create(&path.join(record_name(0, 0))).with_context(context)?;
        Ok(RecordOutput::Folder(path.to_owned()))
    }

    /// Writes the games of the pairs that count.
    fn publish<P: Borrow<PairRecord>>(
        mut self,
        report: &Report<'_>,
        pairs: impl Iterator<Item = Result<P, StoreError>>,
    ) -> anyhow::Result<()> {
        for pair in pairs {
            let pair = pair?;
            let pair: &PairRecord = pair.borrow();
            for (index, game) in pair.games.iter().enumerate() {
                let name = record_name(pair.pair, index);
                let text = platform_record(report, game).with_context(|| format!("game {name}"))?;
                match &mut self {
                    RecordOutput::Folder(folder) => {
                        let path = folder.join(name);
                        let written = anqi_files::replace(&path, text);
                        written.with_context(|| path.display().to_string())?;
                    }
                    RecordOutput::File(file) => file.write(&(text + "\n"))?,
                }
            }
        }
        match self {
            RecordOutput::Folder(_) => Ok(()),
            RecordOutput::File(file) => file.publish(""),
        }
    }
}

fn record_name(pair: u64, game: usize) -> String {
    format!("{:06}-{}.txt", pair + 1, game + 1)
}

/// All outputs of a match.
pub struct Outputs {
    json: JsonOutput,
    detail: Detail,
    html: Option<OpenFile>,
    record: Option<RecordOutput>,
}

impl Outputs {
    /// Opens the requested files.
    pub fn open(wanted: &OutputArguments) -> anyhow::Result<Outputs> {
        let html = wanted.html.as_deref();
        let record = wanted.record.as_deref();
        Ok(Outputs {
            json: JsonOutput::open(wanted.json.as_deref())?,
            detail: if wanted.times {
                Detail::WithTimes
            } else {
                Detail::Reproducible
            },
            html: html.map(|p| OpenFile::create("--html", p)).transpose()?,
            record: record.map(RecordOutput::open).transpose()?,
        })
    }

    /// Prints the result and writes all files, even if some fail; `pairs` are those that count.
    pub fn publish<P: Borrow<PairRecord>>(
        self,
        report: &Report<'_>,
        pairs: impl Iterator<Item = Result<P, StoreError>>,
    ) -> anyhow::Result<()> {
        let document = || json::write(report, self.detail);
        let text = table::write(report, self.detail);
        let mut result = self.json.publish(&text, document);
        if let Some(file) = self.html {
            result = both(result, file.publish(&html::write(report)));
        }
        if let Some(record) = self.record {
            result = both(result, record.publish(report, pairs));
        }
        result
    }
}

/// Warns of incomplete lines, which do not count.
pub fn warn_about_torn_lines(loaded: &Loaded) {
    warn_about_torn(&loaded.torn);
}

/// Warns of each incomplete line.
pub fn warn_about_torn(lines: &[TornLine]) {
    for TornLine(place) in lines {
        eprintln!(
            "warning: {place} is incomplete and was left out: a run was killed there, or is still writing"
        );
    }
}

/// Prints to standard output; a broken pipe is no error.
pub fn print(text: &str) -> anyhow::Result<()> {
    use std::io::{ErrorKind, stdout};
    match stdout()
        .write_all(text.as_bytes())
        .and_then(|()| stdout().flush())
    {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("standard output")
        }
        _ => Ok(()),
    }
}

/// Returns a game in the platform's record format.
fn platform_record(report: &Report<'_>, record: &GameRecord) -> anyhow::Result<String> {
    if record.opening.is_some() {
        bail!("the platform's records cannot say that a game begins at an opening");
    }
    let rules = Rules::preset(&report.identity.rules).context("unknown rules")?;
    let game = replay::replayed(record, rules, None)?;
    let players = &report.identity.players;
    let names = [record.starter, !record.starter].map(|side| PlayerName::new(&players[side]));
    let mut platform = Record::of_game(&game, names);
    if platform.verdict.is_none() {
        platform.verdict = Some(early_verdict(record, &platform.players));
    }
    Ok(platform.to_string())
}

/// Returns the platform's word for a fault or an adjudication, or ours where it has none.
fn early_verdict(record: &GameRecord, players: &[PlayerName; 2]) -> PlatformVerdict {
    let reason = match record.verdict.reason {
        Reason::TimeForfeit | Reason::Stall => PlatformReason::TimeOut,
        Reason::AdjudicatedWin => PlatformReason::Resign,
        other => PlatformReason::Other(PlayerName::new(&other.words())),
    };
    if record.verdict.winner.is_none() {
        return PlatformVerdict::draw(reason, players);
    }
    let seat = usize::from(record.verdict.winner != Some(record.starter));
    PlatformVerdict::win(reason, seat, players)
}
