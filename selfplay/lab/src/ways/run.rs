//! All games of the contest, from which a killed run resumes: see [`anqi_match::journal`].

use std::fs;
use std::path::{Path, PathBuf};

use anqi_match::journal::{Journal, JournalRun, first_difference};
use anqi_rules::{Color, Position, Rules};
use anqi_search::Limits;
use anqi_search::players::by_spec;
use anqi_tablebase::classes::Units;
use anqi_tablebase::file::{Metric, TableError, TableFile, place};
use anqi_tablebase::numbering::position_of;
use anqi_tablebase::{Tables, Wdl};
use serde::{Deserialize, Serialize};

use super::WaysError;
use super::play::{End, Way, Winner, play_out};

/// The rules of the contest: without a limit, and two sets that draw slow games.
pub const RULE_SETS: [(&str, Rules); 3] = [
    ("none", Rules::UNLIMITED),
    ("olympiad", Rules::OLYMPIAD),
    ("platform", Rules::PLATFORM),
];

/// What run a folder belongs to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WaysMeta {
    /// Name and version of the program.
    pub program: String,
    /// The player's spec, without its tables.
    pub player: String,
    /// What it may spend on a ply, in words.
    pub limits: String,
    /// The pieces of the units.
    pub pieces: usize,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WonGame {
    /// The unit.
    pub unit: String,
    /// The rules' name.
    pub rules: String,
    /// What the winner knew.
    pub way: Way,
    /// Plies to the end with best play.
    pub needed: u16,
    /// Plies played.
    pub played: usize,
    /// How it ended.
    pub end: End,
    /// The position at the start and all plies.
    pub game: String,
}

impl WonGame {
    fn is(&self, unit: &str, rules: &str, way: Way) -> bool {
        self.unit == unit && self.rules == rules && self.way == way
    }
}

impl JournalRun for WaysMeta {
    const KIND: &str = "contest of three ways";
    const DESCRIPTION: &str = "ways.json";
    const PARTS: &str = "games.jsonl";
    type Part = WonGame;

    fn difference(&self, found: &WaysMeta) -> Option<&'static str> {
        let same = [
            ("the program", self.program == found.program),
            ("the player", self.player == found.player),
            ("the limit of a move", self.limits == found.limits),
            ("the number of pieces", self.pieces == found.pieces),
        ];
        first_difference(same)
    }
}

/// A contest.
pub struct Contest<'a> {
    /// The tables of the defender, for unlimited play.
    pub tables: &'a Tables,
    /// The player's spec, without its tables.
    pub player: &'a str,
    /// What it may spend on a ply.
    pub limits: Limits,
    /// The folders that its tables come from: with values alone, and with plies to the next capture.
    pub folders: [PathBuf; 2],
}

/// Opens the folder of a contest and returns the games that are there.
///
/// # Errors
///
/// Fails as [`Journal::open`] does.
pub fn open(
    folder: &Path,
    meta: &WaysMeta,
) -> Result<(Journal<WaysMeta>, Vec<WonGame>), WaysError> {
    let mut games = Vec::new();
    let journal = Journal::open(folder, meta, |line| {
        let game = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        games.push(game);
        Ok(())
    })?;
    Ok((journal, games))
}

/// Returns the longest win of each unit that has a decided position, by the headers of its files, with its plies to
/// the end.
///
/// # Errors
///
/// Fails if a file is missing or damaged.
pub fn longest_wins(
    dir: &Path,
    pieces: usize,
    tables: &Tables,
) -> Result<Vec<(String, Position, u16)>, WaysError> {
    let mut found = Vec::new();
    for unit in Units::of(pieces).list() {
        let header = TableFile::open(&place(dir, unit, Metric::Dtw))?.header;
        if header.longest.plies == 0 {
            continue;
        }
        let groups = header.index.groups(header.longest.number);
        let turn = Color::ALL[usize::from(header.longest.turn)];
        let position = position_of(&unit.key, &groups, turn);
        let win = won_for_the_mover(tables, position)?;
        let plies = tables.plies_to_end(&win).ok().flatten();
        let plies = plies.ok_or_else(|| WaysError::Unknown(win.to_string()))?;
        found.push((unit.to_string(), win, plies));
    }
    Ok(found)
}

/// The position itself if it is won, or the slowest win that its loser can allow.
fn won_for_the_mover(tables: &Tables, position: Position) -> Result<Position, WaysError> {
    let unknown = || WaysError::Unknown(position.to_string());
    let value = tables
        .look_up(&position)
        .ok()
        .flatten()
        .ok_or_else(unknown)?;
    if value.wdl == Wdl::Win {
        return Ok(position);
    }
    let next = position.actions().into_iter().map(|action| {
        let mut next = position;
        let _ = next.step_unchecked(action);
        next
    });
    let slowest = next.max_by_key(|next| tables.plies_to_end(next).ok().flatten());
    slowest.ok_or_else(unknown)
}

/// Puts links to the files of these metrics into a folder, so that a player finds no others.
///
/// # Errors
///
/// Fails if the folder or a link cannot be made: both must be on one disk.
pub fn link(from: &Path, to: &Path, metrics: &[Metric]) -> Result<(), WaysError> {
    fs::create_dir_all(to).map_err(|error| file_error(to, error))?;
    for entry in fs::read_dir(from).map_err(|error| file_error(from, error))? {
        let path = entry.map_err(|error| file_error(from, error))?.path();
        let named = path
            .extension()
            .and_then(|ext| Metric::from_name(ext.to_str()?));
        let wanted = named.is_some_and(|metric| metrics.contains(&metric));
        let (true, Some(name)) = (wanted, path.file_name()) else {
            continue;
        };
        let place = to.join(name);
        if !place.exists() {
            fs::hard_link(&path, &place).map_err(|error| file_error(&place, error))?;
        }
    }
    Ok(())
}

fn file_error(path: &Path, error: std::io::Error) -> WaysError {
    TableError::Io {
        path: path.to_owned(),
        reason: error,
    }
    .into()
}

/// Plays the games that are not finished yet, and hands each to `done`.
///
/// # Errors
///
/// Fails if a table is missing or the player cannot be made.
pub fn play(
    contest: &Contest<'_>,
    wins: &[(String, Position, u16)],
    finished: &[WonGame],
    mut done: impl FnMut(WonGame) -> Result<(), WaysError>,
) -> Result<(), WaysError> {
    let [values, dtc] = contest.folders.each_ref().map(|folder| {
        let comma = if contest.player.contains(':') {
            ','
        } else {
            ':'
        };
        format!("{}{comma}tables={}", contest.player, folder.display())
    });
    let mut players = [by_spec(&values)?, by_spec(&dtc)?];
    for (rules_name, rules) in RULE_SETS {
        for player in &mut players {
            player.prepare(rules)?;
        }
        for (unit, start, needed) in wins {
            for way in Way::ALL {
                if finished.iter().any(|game| game.is(unit, rules_name, way)) {
                    continue;
                }
                let [values, dtc] = &mut players;
                let mut winner = match way {
                    Way::Values => Winner::Player(values.as_mut(), contest.limits),
                    Way::Dtc => Winner::Player(dtc.as_mut(), contest.limits),
                    Way::Dtw => Winner::Tables,
                };
                if let Winner::Player(player, _) = &mut winner {
                    player.new_game();
                }
                let (end, game) = play_out(*start, rules, contest.tables, &mut winner)?;
                let plies: Vec<String> = game.plies().iter().map(ToString::to_string).collect();
                done(WonGame {
                    unit: unit.clone(),
                    rules: rules_name.to_owned(),
                    way,
                    needed: *needed,
                    played: plies.len(),
                    end,
                    game: format!("{start} moves {}", plies.join(" ")),
                })?;
            }
        }
    }
    Ok(())
}
