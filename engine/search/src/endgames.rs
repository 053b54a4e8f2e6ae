//! Endgame tables for players.
//!
//! Tables of few pieces are solved in memory once for each set of rules and
//! shared by all players of the process; a folder of files can add more pieces.
//! In the tree those in memory give exact values; at the root all of them
//! choose: the quickest win, the slowest loss, and in a draw only the actions
//! that keep it. Quick and slow are meant to the end of the game where the tables
//! have such files and the quiet limit leaves the time, else to the next capture.
//!
//! Files may hold values without distances. A value alone shows which actions
//! keep a win, not which of them makes progress: the search chooses among those.

use crate::score::{TABLE_END, TABLE_WIN, UNPROVEN_BOUND};
use anqi_rules::order::sort_few_by_key;
use anqi_rules::{Action, Game, Outcome, Position, Rules};
use anqi_tablebase::distil::TimedValues;
use anqi_tablebase::facedown::{RatedAction, rated_by_expectation};
use anqi_tablebase::{Endgames, Fraction, Rated, Tables, Wdl, rated_actions};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// A win of unknown distance is valued as if its next capture were this many plies
/// away: farther than any known one, and still a proven win on every line.
const UNKNOWN_DISTANCE: i32 = 360;

/// The most pieces that players solve in memory: more would take minutes.
pub const MOST_SOLVED_PIECES: u32 = 4;

/// The source of tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TablesSource {
    /// Tables of up to this many pieces, solved in memory; fewer than two is none.
    Solved(u32),
    /// Tables of up to [`MOST_SOLVED_PIECES`] pieces, solved in memory, and the files of a
    /// folder.
    Folder(PathBuf),
}

impl TablesSource {
    /// Returns the files in a folder, or without one the tables solved in memory.
    pub fn of_folder(folder: Option<PathBuf>) -> TablesSource {
        folder.map_or(
            TablesSource::Solved(MOST_SOLVED_PIECES),
            TablesSource::Folder,
        )
    }

    /// Reads a number of pieces or the name of a folder that can be read.
    pub fn read(text: &str) -> Option<TablesSource> {
        match text.parse() {
            Ok(pieces) => {
                Some(TablesSource::Solved(pieces)).filter(|_| pieces <= MOST_SOLVED_PIECES)
            }
            Err(_) => {
                let folder = PathBuf::from(text);
                let readable = cfg!(feature = "os") && std::fs::read_dir(&folder).is_ok();
                readable.then_some(TablesSource::Folder(folder))
            }
        }
    }

    fn open(&self, rules: Rules) -> Result<Tables, String> {
        match self {
            TablesSource::Solved(pieces) => {
                Tables::solved(*pieces as usize, rules).map_err(|e| e.to_string())
            }
            #[cfg(feature = "os")]
            TablesSource::Folder(folder) => {
                Tables::open(folder, MOST_SOLVED_PIECES as usize, rules).map_err(|e| e.to_string())
            }
            #[cfg(not(feature = "os"))]
            TablesSource::Folder(_) => Err("this build reads no files".to_owned()),
        }
    }
}

impl fmt::Display for TablesSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TablesSource::Solved(pieces) => write!(f, "{pieces}"),
            TablesSource::Folder(folder) => write!(f, "{}", folder.display()),
        }
    }
}

/// Tables that several players use.
#[derive(Debug)]
pub struct SharedTables {
    tables: Tables,
}

impl SharedTables {
    /// Returns the tables.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Returns the damage that a probe found in a file; only the first caller gets it.
    pub fn take_damage(&self) -> Option<String> {
        #[cfg(feature = "os")]
        return self.tables.take_damage().map(str::to_owned);
        #[cfg(not(feature = "os"))]
        None
    }
}

/// Tables with their rules and source.
type Opened = (Rules, TablesSource, Arc<SharedTables>);

/// All tables that players have requested, each solved or opened once.
#[derive(Debug, Default)]
pub(crate) struct Library {
    opened: Mutex<Vec<Opened>>,
}

impl Library {
    /// Returns the tables from this source for these rules, solved or opened at the first call.
    ///
    /// `None` if the source has no tables.
    ///
    /// # Errors
    ///
    /// Returns an error if a folder cannot be opened.
    pub(crate) fn tables(
        &self,
        rules: Rules,
        source: &TablesSource,
    ) -> Result<Option<Arc<SharedTables>>, String> {
        if matches!(source, TablesSource::Solved(0 | 1)) {
            return Ok(None);
        }
        // A panic with the lock held leaves the list intact: it grows by whole entries only.
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let is_meant = |entry: &&Opened| entry.0 == rules && entry.1 == *source;
        if let Some((_, _, tables)) = opened.iter().find(is_meant) {
            return Ok(Some(Arc::clone(tables)));
        }
        let tables = Arc::new(SharedTables {
            tables: source.open(rules)?,
        });
        opened.push((rules, source.clone(), Arc::clone(&tables)));
        Ok(Some(tables))
    }
}

/// Returns the value of a position from a table in memory, as a search value; a draw as `draw`.
///
/// Files are not probed: a distance from one costs as much as a hundred nodes.
#[inline]
pub(crate) fn value(tables: &Tables, position: &Position, ply: u32, draw: i32) -> Option<i32> {
    let pieces = position.occupied().len() as u32;
    if !position.face_down().is_empty() || pieces > tables.pieces_in_memory() {
        return None;
    }
    let known = tables.known(position)?;
    Some(by_wdl(known.wdl, won_in(known.dtc) - ply as i32, draw))
}

/// Returns the value of a position of more pieces than tables in memory have, from those that the program
/// carries; they know no distances.
pub(crate) fn carried_value(
    carried: TimedValues<'_>,
    position: &Position,
    ply: u32,
    draw: i32,
) -> Option<i32> {
    if position.occupied().len() as u32 > carried.pieces() {
        return None;
    }
    let wdl = carried.wdl(position)?;
    Some(by_wdl(wdl, won_in(None) - ply as i32, draw))
}

/// The search value of a table value, given those of a win and a draw.
#[inline]
fn by_wdl(wdl: Wdl, won: i32, draw: i32) -> i32 {
    match wdl {
        Wdl::Win => won,
        Wdl::Draw => draw,
        Wdl::Loss => -won,
    }
}

/// Returns the known expectation of a position with face-down pieces, as a search value: proven
/// if every outcome is, else the expected result.
pub(crate) fn expectation(tables: &Tables, position: &Position, ply: u32) -> Option<i32> {
    let known = tables.with_face_down(position)?;
    Some(expectation_value(known.expected, known.plies, ply))
}

/// The value of an expectation; a certain win counts more, the sooner the next capture or flip.
fn expectation_value(expected: Fraction, plies: u16, ply: u32) -> i32 {
    let won = won_in(Some(plies)) - ply as i32;
    match expected {
        Fraction::ONE => won,
        expected if expected == -Fraction::ONE => -won,
        // Rounds towards zero, as averages do.
        expected => {
            let scaled = expected.numerator() * i64::from(UNPROVEN_BOUND);
            (scaled / expected.denominator()) as i32
        }
    }
}

fn draws_at_once(game: &Game, action: Action) -> bool {
    let mut next = game.clone();
    next.play(action.into()).is_ok() && matches!(next.outcome(), Some(Outcome::Draw(_)))
}

/// The value of a win whose next capture is this many plies away.
fn won_in(distance: Option<u16>) -> i32 {
    let plies = distance.map_or(UNKNOWN_DISTANCE, i32::from);
    TABLE_WIN - plies.min(UNKNOWN_DISTANCE)
}

/// The root actions that the tables leave to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RootChoice {
    /// All is known, be it won, lost or an expectation: the actions with their values for the
    /// side to move, the best first.
    Decided(Vec<(Action, i32)>),
    /// The best value is known; which of the actions that keep it is best is open.
    Keep {
        /// The value of the position.
        wdl: Wdl,
        /// The actions that keep it.
        actions: Vec<Action>,
        /// The others with their values, the best first.
        others: Vec<(Action, i32)>,
    },
}

/// Rates these actions in a game by tables, `None` if they do not know its position.
///
/// Tables ignore the past: an action that draws at once counts as a draw.
pub(crate) fn root_choice(
    tables: &dyn Endgames,
    game: &Game,
    among: &[Action],
) -> Option<RootChoice> {
    let position = game.position();
    if !position.face_down().is_empty() || position.occupied().len() as u32 > tables.pieces() {
        return None;
    }
    let mut rated = rated_actions(tables, position)?;
    rated.retain(|rated| among.contains(&rated.action));
    for action in rated
        .iter_mut()
        .filter(|rated| draws_at_once(game, rated.action))
    {
        (action.wdl, action.dtc, action.to_end) = (Wdl::Draw, None, None);
    }
    // A stable sort: equals stay in their order.
    sort_few_by_key(&mut rated, Rated::place);
    let best = rated.first()?;
    let wdl = best.wdl;
    let keeping = rated.partition_point(|action| action.wdl == wdl);
    let is_timed = |rated: &Rated| rated.dtc.is_some() || rated.certain_end().is_some();
    let all_timed = rated[..keeping].iter().all(is_timed);
    let valued = |rated: &[Rated]| rated.iter().map(|r| (r.action, value_of(r))).collect();
    Some(match wdl {
        // One win of known distance is enough, even if others are unknown: it ends.
        Wdl::Win if is_timed(best) => RootChoice::Decided(valued(&rated)),
        Wdl::Loss if all_timed => RootChoice::Decided(valued(&rated)),
        _ => RootChoice::Keep {
            wdl,
            actions: rated[..keeping].iter().map(|rated| rated.action).collect(),
            others: valued(&rated[keeping..]),
        },
    })
}

/// The value of an action rated by tables.
fn value_of(rated: &Rated) -> i32 {
    let won = match rated.certain_end() {
        Some(plies) => TABLE_END - i32::from(plies),
        None => won_in(rated.dtc),
    };
    by_wdl(rated.wdl, won, 0)
}

/// Rates the actions in a game with face-down pieces, `None` if its position is not known.
///
/// The best expectation comes first; among equals the better side prefers the quickest capture or
/// flip that it can force, for expectations alone make no progress. If the best expectation is
/// zero, the choice among the actions that keep it is left open.
pub(crate) fn root_choice_with_face_down(
    tables: &Tables,
    game: &Game,
    among: &[Action],
) -> Option<RootChoice> {
    let position = game.position();
    tables.with_face_down(position)?;
    let mut rated = rated_by_expectation(tables.face_down(), position).ok()?;
    rated.retain(|rated| among.contains(&rated.action));
    for action in rated
        .iter_mut()
        .filter(|rated| draws_at_once(game, rated.action))
    {
        (action.expected, action.plies) = (Fraction::ZERO, 0);
    }
    sort_few_by_key(&mut rated, RatedAction::place);
    let best = rated.first()?.expected;
    let valued = |rated: &[RatedAction]| {
        let value = |r: &RatedAction| (r.action, expectation_value(r.expected, r.plies, 0));
        rated.iter().map(value).collect()
    };
    if best != Fraction::ZERO {
        return Some(RootChoice::Decided(valued(&rated)));
    }
    let keeping = rated.partition_point(|action| action.expected == best);
    Some(RootChoice::Keep {
        wdl: Wdl::Draw,
        actions: rated[..keeping].iter().map(|rated| rated.action).collect(),
        others: valued(&rated[keeping..]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    const TWO_THIRDS: &str = "4/3?/2?G/4/4/?3/4/4 b Ckc 0 40";

    fn choice(text: &str) -> Option<RootChoice> {
        let tables = Tables::solved(4, Rules::OLYMPIAD).unwrap();
        let game = Game::from_text(text, Rules::OLYMPIAD).unwrap();
        root_choice_with_face_down(&tables, &game, &game.actions())
    }

    #[test]
    fn the_best_flip_of_a_small_ending_is_known_at_the_root() {
        let flip = "a3-a3".parse().unwrap();
        let Some(RootChoice::Decided(ranked)) = choice(TWO_THIRDS) else {
            panic!("not decided");
        };
        assert_eq!(ranked[0], (flip, 6_666));
        assert!(ranked.is_sorted_by_key(|(_, value)| -value));
        // Too close to the limit of 180 quiet plies for the 101 that this takes.
        let late = TWO_THIRDS.replace(" 0 40", " 90 140");
        assert_eq!(choice(&late), None);
    }

    #[test]
    fn an_expectation_is_proven_only_if_every_outcome_is() {
        assert_eq!(expectation_value(Fraction::new(2, 3), 9, 4), 6_666);
        assert_eq!(expectation_value(Fraction::new(-2, 3), 9, 4), -6_666);
        let won = Score::from_value(expectation_value(Fraction::ONE, 9, 4));
        assert_eq!(won.to_string(), "win 13");
        let lost = Score::from_value(expectation_value(-Fraction::ONE, 9, 4));
        assert_eq!(lost.to_string(), "loss 13");
    }

    #[test]
    fn the_side_that_is_better_comes_nearer_to_its_exit() {
        // The guard takes the trapped cannon, whatever lies on d8.
        let mut game = Game::from_text("3?/4/4/4/4/4/1G2/c3 r k 0 40", Rules::OLYMPIAD).unwrap();
        let tables = Tables::solved(4, Rules::OLYMPIAD).unwrap();
        for _ in 0..60 {
            let choice = root_choice_with_face_down(&tables, &game, &game.actions());
            let Some(RootChoice::Decided(ranked)) = choice else {
                break;
            };
            let (action, value) = ranked[0];
            assert!(value != 0, "{}", game.position());
            if action.is_flip() {
                return;
            }
            let before = game.position().occupied().len();
            game.play(action.into()).unwrap();
            if game.position().occupied().len() < before {
                return;
            }
        }
        panic!("no progress: {}", game.position());
    }
}
