//! Checking tables with face-down pieces.
//!
//! 1. Every byte: checksums, the hash at the end, and the hashes of the tables it was made from.
//! 2. Every value and every number of plies: derived again, one ply of the rules crate's moves deep,
//!    from the file itself and from the files of what captures and flips lead to. Since the plies
//!    come nearer to the exit with each move of the better side, and a side that is not better can
//!    hold the balance for ever, values that agree in this way everywhere are right.
//! 3. The longest wait of every phase, and the totals.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anqi_rules::{Action, Color, Content, Piece, Position, Rules, SQUARES, Setup, Square};

use super::hidden::groups_of;
use super::{Endgames, Tables};
use crate::classes::Unit;
use crate::facedown::{
    AfterFlips, HiddenIndex, PhaseFit, PhaseKey, PhaseReader, UnitValues, after_captures, example,
    groups_of_key, whole,
};
use crate::facedown_file::{Counts, HiddenTable, hidden_name, path_of};
use crate::file::TableError;
use crate::numbering::{Groups, set_of, square_of, squares};
use crate::parallel;
use crate::solve::{DistanceOverflow, Goal, Store, solve};

/// How much was verified.
#[derive(Clone, Copy, Debug, Default)]
pub struct HiddenVerified {
    /// Positions in the file.
    pub positions: u64,
    /// Positions derived again.
    pub derived: u64,
    /// Bytes read.
    pub bytes: u64,
}

/// What the tables with one piece face down are derived from.
#[derive(Debug)]
pub struct FaceUpUnits {
    store: Store,
    tables: Tables,
}

/// A table under examination with everything that its positions lead to.
struct Examined<'a> {
    path: &'a Path,
    values: UnitValues,
    plies: Vec<u8>,
    /// With one piece fewer face down; `None` if none is left.
    flips: Option<Arc<UnitValues>>,
    /// By the number of the smaller unit.
    captures: HashMap<usize, Arc<UnitValues>>,
    /// All pieces face up.
    face_up: &'a Tables,
    /// The longest wait when all pieces stand face up.
    face_up_wait: u32,
}

/// A phase and the phases that its positions lead to.
struct Phase<'a> {
    of: &'a Examined<'a>,
    reader: PhaseReader,
    after_captures: Vec<(Piece, PhaseReader, Arc<UnitValues>)>,
    after_flips: Vec<(Square, Piece, PhaseReader, Arc<UnitValues>)>,
    whole: i8,
    longest: u32,
}

/// Returns the tables with face-down pieces in a directory, the small ones first.
///
/// # Errors
///
/// Fails if the directory cannot be listed.
pub fn hidden_tables_in(dir: &Path) -> Result<Vec<(&'static Unit, usize, PathBuf)>, TableError> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(TableError::io(dir))? {
        let path = entry.map_err(TableError::io(dir))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if let Some((unit, hidden)) = name.and_then(hidden_name) {
            found.push((unit, hidden, path));
        }
    }
    found.sort_by_key(|(unit, hidden, _)| (unit.pieces(), unit.number, *hidden));
    Ok(found)
}

impl FaceUpUnits {
    /// Solves all units of up to `pieces` pieces, four at most, without face-down pieces.
    ///
    /// # Errors
    ///
    /// Fails if a distance does not fit.
    pub fn new(pieces: usize) -> Result<FaceUpUnits, DistanceOverflow> {
        let mut store = Store::solve(pieces.min(4), Goal::Distances)?;
        store.forget_captures();
        let tables = Tables::solved(pieces.min(4), unlimited())?;
        Ok(FaceUpUnits { store, tables })
    }
}

fn unlimited() -> Rules {
    Rules::UNLIMITED
}

/// Verifies a table; derives one position in `every` again.
///
/// # Errors
///
/// Returns the first fault.
pub fn verify_hidden(
    (unit, hidden): (&'static Unit, usize),
    path: &Path,
    face_up: &FaceUpUnits,
    every: u64,
) -> Result<HiddenVerified, TableError> {
    let table = HiddenTable::open(path)?;
    table.expect(unit, hidden)?;
    table.file.check_hash()?;
    table.check_links()?;
    let own;
    let (tables, wait) = match AfterFlips::face_up(&face_up.store, unit) {
        Some(after) => (&face_up.tables, after.longest()),
        None if hidden > 1 => (&face_up.tables, 0),
        None => {
            let too_long = |reason: DistanceOverflow| wrong(path, reason.to_string());
            own = Tables::of_unit(unit, unlimited(), false).map_err(too_long)?;
            let solved = solve(unit, &face_up.store.children(unit), Goal::Distances);
            let after = AfterFlips::solved(solved.map_err(too_long)?, &face_up.store);
            (&own, after.longest())
        }
    };
    let examined = Examined::gather(&table, (unit, hidden), (tables, wait))?;
    let derived = examined.derive(every)?;
    let mut counts = Counts::default();
    let values = examined.values.values.iter();
    values.for_each(|&value| counts.add(value, whole(hidden)));
    let longest = examined.values.waits.iter().max().copied().unwrap_or(0);
    if (counts, longest) != (table.header.counts, table.header.longest) {
        return Err(wrong(path, "the totals in its header".to_owned()));
    }
    Ok(HiddenVerified {
        positions: table.header.index.positions(),
        derived,
        bytes: table.file.bytes(),
    })
}

fn wrong(path: &Path, what: String) -> TableError {
    let path = path.to_owned();
    TableError::Wrong { path, what }
}

impl<'a> Examined<'a> {
    fn gather(
        table: &'a HiddenTable,
        (unit, hidden): (&'static Unit, usize),
        (face_up, face_up_wait): (&'a Tables, u32),
    ) -> Result<Examined<'a>, TableError> {
        let dir = table.file.path().parent().unwrap_or(Path::new(""));
        let read = |unit: &'static Unit, hidden: usize| -> Result<Arc<UnitValues>, TableError> {
            let table = HiddenTable::existing(&path_of(dir, unit, hidden))?;
            table.expect(unit, hidden)?;
            Ok(Arc::new(table.read()?.0))
        };
        let mut captures = HashMap::new();
        for child in after_captures(unit, hidden) {
            captures.insert(child.number, read(child, hidden)?);
        }
        let (values, plies) = table.read()?;
        Ok(Examined {
            path: table.file.path(),
            values,
            plies,
            flips: match hidden {
                1 => None,
                _ => Some(read(unit, hidden - 1)?),
            },
            captures,
            face_up,
            face_up_wait,
        })
    }

    fn index(&self) -> &HiddenIndex {
        &self.values.index
    }

    /// Derives one position in `every` of each phase again; returns how many.
    fn derive(&self, every: u64) -> Result<u64, TableError> {
        let divisions = 0..self.index().divisions.len();
        let orbits = self.index().orbits();
        let phases: Vec<(usize, usize)> = divisions
            .flat_map(|division| (0..orbits).map(move |orbit| (division, orbit)))
            .collect();
        let results = parallel::map(&phases, |&(division, orbit)| {
            self.derive_phase(division, orbit, every)
        });
        results.into_iter().sum()
    }

    fn derive_phase(&self, division: usize, orbit: usize, every: u64) -> Result<u64, TableError> {
        let index = &self.index().divisions[division];
        let face_down = self.index().squares(orbit);
        let (face_up, bag) = example(self.index().unit, &index.up);
        let key = PhaseKey {
            face_up,
            bag,
            face_down: set_of(face_down),
        };
        let phase = Phase::gather(self, &key)?;
        let mut derived = 0;
        for number in (0..index.placements()).step_by(every as usize) {
            let groups = index.groups(number, face_down);
            for turn in Color::ALL {
                let position = position_of(&key, self.index().unit, &groups, turn)
                    .ok_or_else(|| wrong(self.path, format!("position {number} of {key:?}")))?;
                let at = (index.first(orbit, turn) + number) as usize;
                let found = (self.values.values[at], self.plies[at]);
                let expected = phase.one_ply(&position)?;
                if (found.0, u16::from(found.1)) != expected {
                    return Err(wrong(
                        self.path,
                        phase.difference(&position, found, expected),
                    ));
                }
                derived += 1;
            }
        }
        self.check_wait(&phase, division, orbit)?;
        Ok(derived)
    }

    fn check_wait(
        &self,
        phase: &Phase<'_>,
        division: usize,
        orbit: usize,
    ) -> Result<(), TableError> {
        let index = &self.index().divisions[division];
        let first = index.first(orbit, Color::Red) as usize;
        let plies = &self.plies[first..first + 2 * index.placements() as usize];
        let here = plies.iter().max().copied().unwrap_or(0);
        let longest = phase.longest.max(here.into());
        let number = index.phase(orbit);
        if u32::from(self.values.waits[number]) == longest {
            Ok(())
        } else {
            Err(wrong(
                self.path,
                format!("the longest wait of phase {number}"),
            ))
        }
    }
}

impl<'a> Phase<'a> {
    fn gather(of: &'a Examined<'a>, key: &PhaseKey) -> Result<Phase<'a>, TableError> {
        let mut phase = Phase {
            of,
            reader: PhaseReader::new(PhaseFit::of(key)),
            after_captures: Vec::new(),
            after_flips: Vec::new(),
            whole: whole(key.face_down.len()),
            longest: 0,
        };
        for (prey, _) in key.face_up.kinds() {
            let hunted = key.face_up.side(!prey.color()) > 0;
            let Some(next) = key.after_capture(prey).filter(|_| hunted) else {
                continue;
            };
            let fit = PhaseFit::of(&next);
            let values = of.captures.get(&fit.unit.number).cloned();
            let values =
                values.ok_or_else(|| wrong(of.path, format!("{} is missing", fit.unit)))?;
            phase.note_wait(&fit, &values);
            let reader = PhaseReader::new(fit);
            phase.after_captures.push((prey, reader, values));
        }
        let Some(flips) = &of.flips else {
            phase.longest = phase.longest.max(of.face_up_wait);
            return Ok(phase);
        };
        for square in key.face_down {
            for (piece, _) in key.bag {
                let fit = PhaseFit::of(&key.after_flip(square, piece));
                phase.note_wait(&fit, flips);
                let reader = PhaseReader::new(fit);
                phase
                    .after_flips
                    .push((square, piece, reader, flips.clone()));
            }
        }
        Ok(phase)
    }

    fn note_wait(&mut self, fit: &PhaseFit, values: &UnitValues) {
        let wait = values.waits[values.index.divisions[fit.division].phase(fit.orbit)];
        self.longest = self.longest.max(wait.into());
    }

    /// Returns the value and the plies of a position from those of its successors.
    ///
    /// The better side hurries, the other delays; captures and flips take one ply.
    fn one_ply(&self, position: &Position) -> Result<(i8, u16), TableError> {
        let mut best: Option<(i8, u16)> = None;
        for action in position.actions() {
            let (value, plies) = self.after(position, action)?;
            let better = best.is_none_or(|(most, earlier)| {
                value > most
                    || value == most
                        && match value {
                            0 => false,
                            1.. => plies < earlier,
                            _ => plies > earlier,
                        }
            });
            if better {
                best = Some((value, plies));
            }
        }
        best.ok_or_else(|| wrong(self.of.path, format!("{position} has no action")))
    }

    /// Returns the value of an action, and the plies to the exit with it.
    fn after(&self, position: &Position, action: Action) -> Result<(i8, u16), TableError> {
        let at_once = |value: i8| (value, u16::from(value != 0));
        if action.is_flip() {
            let mut sum = 0;
            for reveal in position.reveals() {
                let mut next = *position;
                let _ = next.flip_unchecked(action.from(), reveal.piece);
                sum -= reveal.weight as i8 * self.after_flip(&next, action.from(), reveal.piece)?;
            }
            return Ok(at_once(sum));
        }
        let mut next = *position;
        let undo = next.step_unchecked(action);
        if undo.captured().is_none() {
            let (value, plies) = self.quiet(&next);
            return Ok((-value, if value == 0 { 0 } else { plies + 1 }));
        }
        if next.annihilated().is_some() {
            return Ok(at_once(self.whole));
        }
        let prey = position.piece_at(action.to());
        let known = self
            .after_captures
            .iter()
            .find(|(piece, ..)| Some(*piece) == prey);
        let (_, reader, values) =
            known.ok_or_else(|| wrong(self.of.path, format!("{position} {action}")))?;
        Ok(at_once(-read(&next, reader, values)))
    }

    fn quiet(&self, next: &Position) -> (i8, u16) {
        let at = number(next, &self.reader, self.of.index());
        (self.of.values.values[at], self.of.plies[at].into())
    }

    fn after_flip(&self, next: &Position, square: Square, piece: Piece) -> Result<i8, TableError> {
        if next.face_down().is_empty() {
            let wdl = self.of.face_up.wdl(next);
            let wdl = wdl.ok_or_else(|| wrong(self.of.path, format!("{next} is not known")))?;
            return Ok(wdl as i8 - 1);
        }
        let known = self.after_flips.iter();
        let mut known = known.filter(|(at, what, ..)| (*at, *what) == (square, piece));
        let (_, _, reader, values) = known
            .next()
            .ok_or_else(|| wrong(self.of.path, format!("{next} is not known")))?;
        Ok(read(next, reader, values))
    }

    fn difference(&self, position: &Position, found: (i8, u8), expected: (i8, u16)) -> String {
        let whole = self.whole;
        format!(
            "{position} is {}/{whole} in {} plies, but one ply of play says {}/{whole} in {}",
            found.0, found.1, expected.0, expected.1
        )
    }
}

fn read(next: &Position, reader: &PhaseReader, values: &UnitValues) -> i8 {
    values.values[number(next, reader, &values.index)]
}

fn number(position: &Position, reader: &PhaseReader, index: &HiddenIndex) -> usize {
    let turn = position.turn().unwrap_or(Color::Red);
    reader.number(index, &groups_of(position, reader.fit()), turn) as usize
}

/// Returns the position of a phase in which the groups stand on these squares.
fn position_of(key: &PhaseKey, unit: &Unit, groups: &Groups, turn: Color) -> Option<Position> {
    let mut setup = Setup {
        board: [Content::Empty; SQUARES],
        turn: Some(turn),
        ..Setup::default()
    };
    for square in key.face_down {
        setup.board[square.index()] = Content::FaceDown;
    }
    for (piece, count) in key.bag {
        setup.hidden[piece.index()] = count;
    }
    let (of, mut left) = (groups_of_key(unit), *groups);
    for (piece, count) in key.face_up.kinds() {
        let rest = &mut left[usize::from(of[piece.index()])];
        for square in squares(*rest).take(count) {
            setup.board[square_of(square).index()] = Content::FaceUp(piece);
            *rest &= !(1 << square);
        }
    }
    setup.position().ok()
}
