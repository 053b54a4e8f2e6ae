//! What the service knows: a folder of tables, small units in memory, and small endings with
//! face-down pieces solved on the spot.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anqi_rules::{Color, Convention, Position, Rules};
use anqi_tablebase::Wdl;
use anqi_tablebase::classes::{Fit, Units};
use anqi_tablebase::facedown::{Endings, Expectation, KeptExpectations, rated_by_expectation};
use anqi_tablebase::file::TableError;
use anqi_tablebase::probe::{HiddenLibrary, TableValue, Tables, material_of, rated_actions};
use anyhow::Context;

use super::answer::{ActionAnswer, Answer, LineAnswer, PlyAnswer, Unlimited};
use super::refusal::Refusal;
use crate::line::{End, follow};
use crate::options::{TableOptions, rules};
use crate::words::word;

/// The most pieces of a position with face-down pieces that is solved for a request: milliseconds.
const FACE_DOWN_PIECES: u32 = 3;

/// Bytes for cached phases with face-down pieces.
const FACE_DOWN_BYTES: usize = 64 << 20;

/// Bytes of cached frames for each set of rules beside unlimited play.
const FRAME_BYTES: usize = 64 << 20;

/// The most pieces of a position whose plies to the end are solved for a request: some tens of milliseconds.
const TO_END_PIECES: usize = 4;

/// The most plies of a line.
pub const MOST_PLIES: u32 = 1000;

/// Tables for a set of rules, opened when first needed, or why they cannot be.
type Slot = OnceLock<Result<Tables, String>>;

/// All that the service knows.
#[derive(Debug)]
pub struct Knowledge {
    dir: PathBuf,
    unlimited: Arc<Tables>,
    /// By preset.
    limited: [Slot; Rules::PRESETS.len()],
    /// Plies to the end of units, by number of pieces and number of the unit.
    to_end: Vec<Vec<OnceLock<Option<Tables>>>>,
    face_down: Endings,
}

/// The expectations on file, and the values of face-up positions that they lead to.
#[derive(Debug)]
struct OnFile {
    hidden: HiddenLibrary,
    face_up: Arc<Tables>,
}

impl KeptExpectations for OnFile {
    fn pieces(&self) -> u32 {
        self.hidden.pieces()
    }

    fn kept(&self, position: &Position) -> Result<Option<Expectation>, String> {
        if !position.face_down().is_empty() {
            return self.hidden.kept(position);
        }
        let known = self.face_up.look_up(position);
        let known = known.map_err(|error| error.to_string())?;
        Ok(known.and_then(|known| {
            let plies = match known.wdl {
                Wdl::Draw => 0,
                Wdl::Win | Wdl::Loss => known.dtc?,
            };
            // No table knows the longest wait of such a unit, so no limit is long enough.
            let longest = u32::MAX;
            let expected = known.wdl.into();
            Some(Expectation {
                expected,
                plies,
                longest,
            })
        }))
    }
}

impl Knowledge {
    /// Opens a folder and solves small units.
    pub fn open(dir: &Path) -> anyhow::Result<Knowledge> {
        let hidden =
            HiddenLibrary::open(dir).with_context(|| format!("--dir {}", dir.display()))?;
        let unlimited = rules("none").map_err(anyhow::Error::msg)?;
        let tables = Arc::new(open(dir, unlimited)?);
        let on_file = OnFile {
            hidden,
            face_up: Arc::clone(&tables),
        };
        let face_down = Endings::new(FACE_DOWN_PIECES, FACE_DOWN_BYTES);
        Ok(Knowledge {
            dir: dir.to_owned(),
            unlimited: tables,
            limited: Default::default(),
            to_end: (0..=TO_END_PIECES).map(slots).collect(),
            face_down: face_down.with(Box::new(on_file)),
        })
    }

    /// Returns the value of a position and of every action.
    pub fn answer(&self, position: &Position, rules: &Rules) -> Result<Answer, Refusal> {
        let position = position.under(rules.convention);
        if !position.face_down().is_empty() {
            return self.face_down(&position, rules);
        }
        let tables = self.tables(rules)?;
        let known = look_up(tables, &position)?;
        let rated = rated_actions(tables, &position).ok_or_else(|| why(tables, &position))?;
        // Captures of a larger set lead to many units, too many to solve.
        let solve = position.occupied().len() <= TO_END_PIECES;
        let unlimited = self.unlimited(&position, solve)?;
        let mut answer = Answer::face_up(&position, known, unlimited);
        for rated in &rated {
            let mut next = position;
            let _ = next.step_unchecked(rated.action);
            let unlimited = self.unlimited(&next, solve)?;
            answer.actions.push(ActionAnswer::face_up(rated, unlimited));
        }
        Ok(answer)
    }

    fn face_down(&self, position: &Position, rules: &Rules) -> Result<Answer, Refusal> {
        let known = self.face_down.known(position)?;
        let exact = known.holds_under(rules, position.quiet_counter());
        let mut answer = Answer::face_down(position, &known, exact);
        let rated = rated_by_expectation(&self.face_down, position)?;
        let actions = rated
            .iter()
            .map(|rated| ActionAnswer::face_down(rated, exact));
        answer.actions = actions.collect();
        Ok(answer)
    }

    /// Returns best play to the end, or as many plies of it as an answer has at most.
    pub fn line(&self, position: &Position, rules: &Rules) -> Result<LineAnswer, Refusal> {
        let start = position.under(rules.convention);
        if !start.face_down().is_empty() {
            let why = "a line of best play needs a position without face-down pieces";
            return Err(Refusal::Unknown(why.to_owned()));
        }
        let tables = self.tables(rules)?;
        let known = look_up(tables, &start)?;
        if known.wdl != Wdl::Draw && known.dtc.is_none() {
            let why = "a line of best play needs distances, and no table has them";
            return Err(Refusal::Unknown(why.to_owned()));
        }
        let mut plies = Vec::new();
        let followed = follow(tables, start, MOST_PLIES, |ply| {
            plies.push(PlyAnswer {
                action: ply.best.action.to_string(),
                captured: ply.captured.map(|piece| piece.to_string()),
                value: word(ply.best.wdl),
                dtc: ply.best.dtc,
            });
            Ok(())
        });
        let (_, end) = followed.map_err(|error| match tables.damage() {
            Some(damage) => Refusal::Damaged(damage.to_owned()),
            None => Refusal::Unknown(format!("{error:#}")),
        })?;
        let turn = start.turn();
        let (end, winner) = match end {
            End::Over(Wdl::Win) => ("over", turn),
            End::Over(_) => ("over", turn.map(|turn| !turn)),
            End::Decided { loser, .. } => ("over", Some(!loser)),
            End::Drawn => ("draw", None),
            End::Unfinished => ("unfinished", None),
        };
        Ok(LineAnswer {
            position: start.to_string(),
            value: word(known.wdl),
            dtc: known.dtc,
            plies,
            end,
            winner: winner.map(|color| color.to_string()),
        })
    }

    /// Returns the tables for some rules, opened now if they are not yet.
    fn tables(&self, rules: &Rules) -> Result<&Tables, Refusal> {
        let preset = Rules::PRESETS
            .iter()
            .position(|(_, preset)| preset == rules);
        let Some(slot) = preset.and_then(|preset| self.limited.get(preset)) else {
            return Ok(&self.unlimited);
        };
        let tables = slot.get_or_init(|| {
            let tables = open(&self.dir, *rules).map_err(|error| format!("{error:#}"))?;
            Ok(tables.with_cache(FRAME_BYTES))
        });
        tables
            .as_ref()
            .map_err(|error| Refusal::Damaged(error.clone()))
    }

    /// Returns the solution of a small position's unit with plies to the end, solved now if it is not yet.
    fn to_end(&self, position: &Position) -> Option<&Tables> {
        let set = material_of(position)?;
        let both = Color::ALL.iter().all(|&color| set.side(color) > 0);
        let units = self.to_end.get(set.len()).filter(|_| both)?;
        let unit = Fit::of(&set).unit;
        let solved = units.get(unit.number)?;
        let solve = || Tables::of_unit(unit, *self.unlimited.rules(), true).ok();
        solved.get_or_init(solve).as_ref()
    }

    /// Returns what is known of a position in unlimited play by the rules of tournaments.
    fn unlimited(&self, position: &Position, solve: bool) -> Result<Unlimited, Refusal> {
        // By the convention of a course unlimited play may be another game.
        if position.convention() == Convention::Course {
            return Ok(Unlimited::default());
        }
        let known = self.unlimited.look_up(position)?;
        let wdl = known.map(|known| known.wdl);
        if wdl == Some(Wdl::Draw) {
            return Ok(Unlimited {
                wdl,
                plies_to_end: None,
            });
        }
        // Files first: solving a unit takes as long as hundreds of probes.
        let mut plies_to_end = self.unlimited.plies_to_end(position)?;
        if plies_to_end.is_none()
            && solve
            && let Some(tables) = self.to_end(position)
        {
            plies_to_end = tables.plies_to_end(position)?;
        }
        Ok(Unlimited { wdl, plies_to_end })
    }
}

/// Places for the units of this many pieces.
fn slots(pieces: usize) -> Vec<OnceLock<Option<Tables>>> {
    let units = match pieces {
        0 | 1 => 0,
        _ => Units::of(pieces).list().len(),
    };
    (0..units).map(|_| OnceLock::new()).collect()
}

fn open(dir: &Path, rules: Rules) -> anyhow::Result<Tables> {
    let dir = Some(dir.to_owned());
    TableOptions { dir, rules }.open()
}

impl From<Arc<TableError>> for Refusal {
    fn from(error: Arc<TableError>) -> Refusal {
        Refusal::Damaged(error.to_string())
    }
}

fn look_up(tables: &Tables, position: &Position) -> Result<TableValue, Refusal> {
    let known = tables.look_up(position)?;
    known.ok_or_else(|| {
        let set = material_of(position).unwrap_or_default().to_string();
        let advice = "this service has tables of other pieces only";
        Refusal::Unknown(tables.why_absent(position, &set, advice))
    })
}

/// Why the actions of a position are not known.
fn why(tables: &Tables, position: &Position) -> Refusal {
    for action in position.actions() {
        let mut next = *position;
        let _ = next.step_unchecked(action);
        if let Err(refusal) = look_up(tables, &next) {
            return refusal;
        }
    }
    Refusal::Unknown(format!("the actions of {position} are not all known"))
}
