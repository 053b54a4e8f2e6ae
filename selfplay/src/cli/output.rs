//! Where results go: standard output, files, records.

use std::fs;
use std::path::Path;

use anqi_protocol::Record;
use anqi_protocol::record::{PlayerName, Reason as PlatformReason, Verdict};
use anqi_rules::{Game, Position, Rules};
use anqi_selfplay::record::{GameRecord, Reason};
use anqi_selfplay::report::{Report, html, json, table};
use anqi_selfplay::store::{Loaded, TornLine};
use anyhow::{Context, anyhow, bail};

use super::arguments::OutputArguments;

/// Standard output, as a file name.
const STANDARD_OUTPUT: &str = "-";

/// Prints and writes whatever was asked for.
pub fn write(report: &Report<'_>, wanted: &OutputArguments) -> anyhow::Result<()> {
    if let Some(folder) = wanted.json.as_ref().filter(|path| path.is_dir()) {
        let folder = folder.display();
        bail!("--json {folder}: is a folder (name folders before --json, or write --json=-)");
    }
    if let Some(path) = &wanted.html {
        replace(path, &html::write(report))?;
    }
    if let Some(path) = &wanted.record {
        write_records(report, path)?;
    }
    let document = wanted
        .json
        .as_ref()
        .map(|path| (path, json::write(report, wanted.times)));
    text_or_json(
        &table::write(report),
        document.as_ref().map(|(p, d)| (p.as_path(), d.as_str())),
    )
}

/// Prints the text, or the JSON in its place if that has no file of its own.
pub fn text_or_json(text: &str, document: Option<(&Path, &str)>) -> anyhow::Result<()> {
    match document {
        Some((path, document)) if path == Path::new(STANDARD_OUTPUT) => print(document),
        Some((path, document)) => {
            replace(path, document)?;
            print(text)
        }
        None => print(text),
    }
}

/// Says which lines were left out because they have no end.
pub fn warn_about_torn_lines(loaded: &Loaded) {
    for TornLine(place) in &loaded.torn {
        eprintln!(
            "warning: {place} has no end and does not count: a run was killed there, or is still writing"
        );
    }
}

/// Replaces a file, and names it where that fails.
pub fn replace(path: &Path, content: &str) -> anyhow::Result<()> {
    anqi_files::replace(path, content).with_context(|| path.display().to_string())
}

/// Prints to standard output; a reader that has gone away is no error.
fn print(text: &str) -> anyhow::Result<()> {
    use std::io::{ErrorKind, Write, stdout};
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

/// Writes the records of all games into one file, or each into a file of a folder.
fn write_records(report: &Report<'_>, path: &Path) -> anyhow::Result<()> {
    let is_folder = path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/');
    let mut all = String::new();
    if is_folder {
        fs::create_dir_all(path).with_context(|| path.display().to_string())?;
    }
    for pair in report.records {
        for (index, game) in pair.games.iter().enumerate() {
            let name = format!("{:06}-{}", pair.pair + 1, index + 1);
            let text = platform_record(report, game).with_context(|| format!("game {name}"))?;
            if is_folder {
                replace(&path.join(format!("{name}.txt")), &text)?;
            } else {
                all += &text;
                all.push('\n');
            }
        }
    }
    if !is_folder {
        replace(path, &all)?;
    }
    Ok(())
}

/// Returns a game as the platform writes it down.
fn platform_record(report: &Report<'_>, record: &GameRecord) -> anyhow::Result<String> {
    let rules = Rules::preset(&report.identity.rules).context("unknown rules")?;
    let mut game = Game::new(Position::start(), rules);
    let plies = record
        .parse_plies()
        .map_err(|word| anyhow!("'{word}' is no ply"))?;
    for ply in plies {
        game.play(ply)
            .with_context(|| format!("{ply} cannot be played"))?;
    }
    let players = &report.identity.players;
    let names = [record.starter, !record.starter].map(|side| PlayerName::new(&players[side]));
    let mut platform = Record::of_game(&game, names);
    if record.verdict.reason.is_fault() {
        platform.verdict = Some(verdict_on_fault(record, &platform.players));
    }
    Ok(platform.to_string())
}

/// Returns the platform's word for a fault, or ours where it has none.
fn verdict_on_fault(record: &GameRecord, players: &[PlayerName; 2]) -> Verdict {
    let reason = match record.verdict.reason {
        Reason::TimeForfeit | Reason::Stall => PlatformReason::TimeOut,
        other => PlatformReason::Other(PlayerName::new(&other.words())),
    };
    let seat = usize::from(record.verdict.winner != Some(record.starter));
    Verdict::win(reason, seat, players)
}
