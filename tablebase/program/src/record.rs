//! A record of what was counted: one line of JSON for each unit.
//!
//! Counting all units of six pieces takes the better part of an hour, so it is kept: `verify`
//! writes what it counts on the way, and `findings` and `lattice` count only what is missing.
//! A line is appended when its unit is done, so that a run that was stopped resumes; what a
//! killed run left of a last line is dropped.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anqi_tablebase::classes::{Fit, Material, Unit};
use anqi_tablebase::solve::{Goal, SideTotals, Solved, Tempo, Totals, UnitCache, solve};
use anqi_tablebase::solve::{first_fault, tempo, totals};
use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

/// Longest record that is read, in bytes: that of eight pieces would have less.
const LIMIT: u64 = 256 << 20;

/// What is counted of a unit.
#[derive(Clone, Debug)]
pub struct Counted {
    /// Wins, draws, losses and distances, for each side to move.
    pub totals: Totals,
    /// Placements with the same result whichever side is to move.
    pub tempo: Tempo,
}

impl Counted {
    /// Counts a unit solved with distances.
    ///
    /// # Errors
    ///
    /// Fails if its planes cannot be read.
    pub fn of(solved: &Solved, totals: &Totals) -> std::io::Result<Counted> {
        Ok(Counted {
            totals: totals.clone(),
            tempo: tempo(solved)?,
        })
    }

    /// The greatest distance to the next capture.
    pub fn longest(&self) -> u32 {
        self.totals[0].longest.max(self.totals[1].longest)
    }
}

/// Counts of units, kept in a file if there is one.
pub struct Record {
    known: HashMap<Material, Counted>,
    file: Option<(PathBuf, Mutex<File>)>,
}

impl Record {
    /// Reads a record, or begins one; without a place nothing is kept.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or written, or a line of it is not a unit's counts.
    pub fn open(place: Option<&Path>) -> anyhow::Result<Record> {
        let Some(place) = place else {
            return Ok(Record {
                known: HashMap::new(),
                file: None,
            });
        };
        let read = || -> anyhow::Result<Record> {
            let text = match anqi_files::read_text_limited(place, LIMIT) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
                text => text?,
            };
            // A line without an end was being written when its run was killed.
            let whole = text.rfind('\n').map_or(0, |end| end + 1);
            let mut known = HashMap::new();
            for (number, line) in text[..whole].lines().enumerate() {
                let (set, counted) = parse(line).with_context(|| format!("line {}", number + 1))?;
                known.insert(set, counted);
            }
            let file = OpenOptions::new().create(true).append(true).open(place)?;
            file.set_len(whole as u64)?;
            Ok(Record {
                known,
                file: Some((place.to_owned(), Mutex::new(file))),
            })
        };
        read().with_context(|| place.display().to_string())
    }

    /// Keeps what was counted of a unit.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn keep(&self, unit: &Unit, counted: &Counted) -> anyhow::Result<()> {
        let Some((place, file)) = &self.file else {
            return Ok(());
        };
        if self.known.contains_key(&unit.key) {
            return Ok(());
        }
        let line = format!("{}\n", serde_json::to_string(&Line::of(unit, counted))?);
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes())
            .with_context(|| place.display().to_string())
    }

    /// Returns the counts of a unit: from the record, or by solving it now and deriving each bit
    /// again from its successors.
    ///
    /// # Errors
    ///
    /// Fails if a distance does not fit, the solution contradicts itself, or the record cannot be
    /// written.
    pub fn counted(&self, unit: &'static Unit, cache: &UnitCache) -> anyhow::Result<Counted> {
        if let Some(counted) = self.known.get(&unit.key) {
            return Ok(counted.clone());
        }
        let children = cache.children(unit)?;
        let solved = solve(unit, &children, Goal::Distances)?;
        if let Some(block) = first_fault(&solved, &children) {
            bail!("{unit}: the solution contradicts itself in block {block}");
        }
        let counted = Counted::of(&solved, &totals(&solved)?)?;
        cache.offer(solved);
        self.keep(unit, &counted)?;
        Ok(counted)
    }
}

/// A unit's line.
#[derive(Serialize, Deserialize)]
struct Line {
    unit: String,
    both_win: u64,
    both_draw: u64,
    both_lose: u64,
    sides: [Side; 2],
}

/// One side to move, in the unit's colours.
#[derive(Serialize, Deserialize)]
struct Side {
    win: u64,
    draw: u64,
    loss: u64,
    longest: u32,
    sum: u64,
    wins_at: Vec<u64>,
}

impl Line {
    fn of(unit: &Unit, counted: &Counted) -> Line {
        let side = |side: &SideTotals| Side {
            win: side.win,
            draw: side.draw,
            loss: side.loss,
            longest: side.longest,
            sum: side.sum,
            wins_at: side.wins_at.clone(),
        };
        Line {
            unit: unit.to_string(),
            both_win: counted.tempo.both_win,
            both_draw: counted.tempo.both_draw,
            both_lose: counted.tempo.both_lose,
            sides: counted.totals.each_ref().map(side),
        }
    }
}

/// Reads a line; the counts must cover the unit's placements.
fn parse(line: &str) -> anyhow::Result<(Material, Counted)> {
    let line: Line = serde_json::from_str(line)?;
    let key: Material = line.unit.parse()?;
    let unit = Fit::of(&key).unit;
    if unit.key != key {
        bail!("{key} is not the name of a unit");
    }
    let totals = line.sides.map(|side| SideTotals {
        win: side.win,
        draw: side.draw,
        loss: side.loss,
        longest: side.longest,
        sum: side.sum,
        wins_at: side.wins_at,
        ..SideTotals::default()
    });
    for side in &totals {
        let all = [side.win, side.draw, side.loss].map(u128::from);
        let wins: u128 = side.wins_at.iter().map(|&wins| u128::from(wins)).sum();
        if all.iter().sum::<u128>() != u128::from(unit.placements()) || wins != all[0] {
            bail!("the counts of {key} do not add up to its positions");
        }
    }
    let tempo = Tempo {
        both_win: line.both_win,
        both_draw: line.both_draw,
        both_lose: line.both_lose,
    };
    Ok((key, Counted { totals, tempo }))
}
