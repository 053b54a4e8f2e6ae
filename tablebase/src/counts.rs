//! Wins, draws, losses and distances of whole units, kept in a file: one line of JSON for each unit.
//!
//! Counting all units of six pieces takes the better part of an hour, so it is kept:
//! `tablebase verify` writes what it counts on the way, and programs that need counts count only
//! what is missing. A line is appended when its unit is done, so that a run that was stopped
//! resumes; what a killed run left of a last line is dropped.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::classes::{Fit, Material, ParseMaterialError, Unit};
use crate::solve::{DistanceOverflow, Goal, SideTotals, Solved, Tempo, Totals, UnitCache};
use crate::solve::{first_fault, solve, tempo, totals};

/// Longest record that is read, in bytes: that of eight pieces would have less.
const LIMIT: u64 = 256 << 20;

/// What is counted of a unit.
#[derive(Clone, Debug)]
pub struct UnitCounts {
    /// Wins, draws, losses and distances, for each side to move.
    pub totals: Totals,
    /// Placements with the same result whichever side is to move.
    pub tempo: Tempo,
}

impl UnitCounts {
    /// Counts a unit solved with distances.
    ///
    /// # Errors
    ///
    /// Fails if its planes cannot be read.
    pub fn of(solved: &Solved, totals: &Totals) -> io::Result<UnitCounts> {
        Ok(UnitCounts {
            totals: totals.clone(),
            tempo: tempo(solved)?,
        })
    }

    /// The greatest distance to the next capture.
    pub fn longest(&self) -> u32 {
        self.totals[0].longest.max(self.totals[1].longest)
    }
}

/// Why units could not be counted, or their counts not be kept.
#[derive(Debug, thiserror::Error)]
pub enum CountsError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line of the file is wrong.
    #[error("{}: line {number}: {fault}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        number: usize,
        /// What is wrong with it.
        fault: LineFault,
    },
    /// A distance does not fit.
    #[error(transparent)]
    Distance(#[from] DistanceOverflow),
    /// The planes of a solved unit cannot be read.
    #[error(transparent)]
    Planes(#[from] io::Error),
    /// The solution of a unit contradicts itself.
    #[error("{unit}: the solution contradicts itself in block {block}")]
    Contradiction {
        /// Which unit.
        unit: &'static Unit,
        /// The first block with a fault.
        block: usize,
    },
}

/// What is wrong with a line of counts.
#[derive(Debug, thiserror::Error)]
pub enum LineFault {
    /// It is not the expected JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It names no material.
    #[error(transparent)]
    Material(#[from] ParseMaterialError),
    /// Its material is not written as its unit is.
    #[error("{0} is not the name of a unit")]
    Name(Material),
    /// Its counts are not those of its unit.
    #[error("the counts of {0} do not add up to its positions")]
    Sum(Material),
}

/// Counts of units, kept in a file if there is one.
pub struct KeptCounts {
    known: HashMap<Material, UnitCounts>,
    file: Option<(PathBuf, Mutex<File>)>,
}

impl KeptCounts {
    /// Reads the file, or begins it; without a place nothing is kept.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or written, or a line of it is not a unit's counts.
    pub fn open(place: Option<&Path>) -> Result<KeptCounts, CountsError> {
        let Some(place) = place else {
            return Ok(KeptCounts {
                known: HashMap::new(),
                file: None,
            });
        };
        let failed = |error| CountsError::File {
            path: place.to_owned(),
            error,
        };
        let text = match anqi_files::read_text_limited(place, LIMIT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.map_err(failed)?,
        };
        // A line without an end was being written when its run was killed.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut known = HashMap::new();
        for (index, line) in text[..whole].lines().enumerate() {
            let (set, counts) = parse(line).map_err(|fault| CountsError::Line {
                path: place.to_owned(),
                number: index + 1,
                fault,
            })?;
            known.insert(set, counts);
        }
        let open = OpenOptions::new().create(true).append(true).open(place);
        let file = open.map_err(failed)?;
        file.set_len(whole as u64).map_err(failed)?;
        Ok(KeptCounts {
            known,
            file: Some((place.to_owned(), Mutex::new(file))),
        })
    }

    /// Keeps what was counted of a unit.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn keep(&self, unit: &Unit, counts: &UnitCounts) -> Result<(), CountsError> {
        let Some((place, file)) = &self.file else {
            return Ok(());
        };
        if self.known.contains_key(&unit.key) {
            return Ok(());
        }
        let failed = |error| CountsError::File {
            path: place.clone(),
            error,
        };
        let line = serde_json::to_string(&CountsLine::of(unit, counts));
        let line = format!("{}\n", line.map_err(|error| failed(error.into()))?);
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes()).map_err(failed)
    }

    /// Returns the counts of a unit: from the file, or by solving it now and deriving each bit
    /// again from its successors.
    ///
    /// # Errors
    ///
    /// Fails if a distance does not fit, the solution contradicts itself, or the file cannot be
    /// written.
    pub fn counted(
        &self,
        unit: &'static Unit,
        cache: &UnitCache,
    ) -> Result<UnitCounts, CountsError> {
        if let Some(counts) = self.known.get(&unit.key) {
            return Ok(counts.clone());
        }
        let children = cache.children(unit)?;
        let solved = solve(unit, &children, Goal::Distances)?;
        if let Some(block) = first_fault(&solved, &children) {
            return Err(CountsError::Contradiction { unit, block });
        }
        let counts = UnitCounts::of(&solved, &totals(&solved)?)?;
        cache.offer(solved);
        self.keep(unit, &counts)?;
        Ok(counts)
    }
}

/// A unit's line.
#[derive(Serialize, Deserialize)]
struct CountsLine {
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

impl CountsLine {
    fn of(unit: &Unit, counts: &UnitCounts) -> CountsLine {
        let side = |side: &SideTotals| Side {
            win: side.win,
            draw: side.draw,
            loss: side.loss,
            longest: side.longest,
            sum: side.sum,
            wins_at: side.wins_at.clone(),
        };
        CountsLine {
            unit: unit.to_string(),
            both_win: counts.tempo.both_win,
            both_draw: counts.tempo.both_draw,
            both_lose: counts.tempo.both_lose,
            sides: counts.totals.each_ref().map(side),
        }
    }
}

/// Reads a line; the counts must cover the unit's placements.
fn parse(line: &str) -> Result<(Material, UnitCounts), LineFault> {
    let line: CountsLine = serde_json::from_str(line)?;
    let key: Material = line.unit.parse()?;
    let unit = Fit::of(&key).unit;
    if unit.key != key {
        return Err(LineFault::Name(key));
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
            return Err(LineFault::Sum(key));
        }
    }
    let tempo = Tempo {
        both_win: line.both_win,
        both_draw: line.both_draw,
        both_lose: line.both_lose,
    };
    Ok((key, UnitCounts { totals, tempo }))
}
