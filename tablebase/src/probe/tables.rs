//! Tables in memory, and files for larger units behind them.
//!
//! Under a quiet limit a win depends on the counter: a win whose next capture is
//! `d` plies away stands if `quiet + d` does not exceed the limit. Units in memory
//! are solved *for* the limit, so that this is exact also across captures. Draws
//! by repetition change nothing: every move of the winning side brings the next
//! capture nearer, so no position repeats.
//!
//! Where a draw by the limit comes before a win on the board, a second set of units is solved for a
//! limit one ply less. A win within that comes in time however it ends, and what is no win within
//! the limit itself is none: values that agree are certain, others are unknown.
//! [`Standing`] tells the rest that depends on the convention.

use std::sync::Arc;

#[cfg(feature = "os")]
use anqi_rules::Convention;
use anqi_rules::{Position, Precedence, Rules};

use super::in_memory::{Hit, MemoryUnits, value_of_end};
use super::limited::{draws_first, find, limit, sooner, value_in, within};
use super::standing::Standing;
use super::{Endgames, TableValue, ToEnd};
use crate::classes::Unit;
use crate::facedown::{Endings, Expectation, Refused};
use crate::fraction::Fraction;
use crate::solve::{DistanceOverflow, Goal, Store, Wdl};

/// Units of up to this many pieces are solved whenever tables are opened.
///
/// All units of two and three pieces take a few milliseconds; those of four a few tenths of a
/// second, so they are solved only on request.
pub const BUILT_IN_PIECES: usize = 3;

/// The most pieces of a position with face-down pieces that is solved during a probe.
const FACE_DOWN_PIECES: usize = 4;

/// Bytes for cached phases with face-down pieces; without an operating system, in a browser, memory is short.
const FACE_DOWN_ROOM: usize = if cfg!(feature = "os") {
    64 << 20
} else {
    16 << 20
};

/// Endgame tables in memory, with or without files behind them.
#[derive(Debug)]
pub struct Tables {
    memory: Arc<MemoryUnits>,
    /// The same units for a limit one ply less, if draws come first.
    sooner: Option<Arc<MemoryUnits>>,
    rules: Rules,
    /// Positions with face-down pieces, read from files or solved at the first probe.
    face_down: Endings,
    #[cfg(feature = "os")]
    files: Option<Files>,
}

/// The files behind the tables in memory.
#[cfg(feature = "os")]
#[derive(Debug)]
struct Files {
    library: super::library::Library,
    /// The first damage that a probe found and could not report.
    damage: std::sync::OnceLock<String>,
    /// Whether [`Tables::take_damage`] has returned it.
    told: std::sync::atomic::AtomicBool,
}

#[cfg(feature = "os")]
impl Files {
    /// Returns an answer; damage is recorded and answers `None`.
    fn or_damaged<T>(&self, answer: Result<Option<T>, Arc<crate::file::TableError>>) -> Option<T> {
        answer.unwrap_or_else(|error| {
            self.damage.get_or_init(|| error.to_string());
            None
        })
    }
}

impl Tables {
    /// Returns the tables that need no file, for a set of rules.
    pub fn built_in(rules: Rules) -> Tables {
        Tables::solved(BUILT_IN_PIECES, rules).expect("distances of three pieces are small")
    }

    /// Solves all units of up to `pieces` pieces in memory, for a set of rules.
    ///
    /// Four pieces take a fraction of a second and about 60 MB; five, minutes and gigabytes.
    ///
    /// # Errors
    ///
    /// Fails if a distance does not fit.
    pub fn solved(pieces: usize, rules: Rules) -> Result<Tables, DistanceOverflow> {
        let goal = limit(&rules).map_or(Goal::Distances, Goal::Limited);
        Ok(Tables {
            memory: Arc::new(solve_in_memory(pieces, goal)?),
            sooner: sooner(&rules)
                .map(|goal| solve_in_memory(pieces, goal).map(Arc::new))
                .transpose()?,
            rules,
            face_down: face_down(pieces),
            #[cfg(feature = "os")]
            files: None,
        })
    }

    /// Solves all units of up to `pieces` pieces in memory and opens a directory of files for
    /// larger ones.
    ///
    /// Files are read when a probe first needs them. Damage in one makes [`Endgames::known`]
    /// answer `None`; [`Tables::look_up`] says what is wrong, and [`Tables::take_damage`] returns
    /// the first damage found.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use anqi_rules::{Convention, Position, Precedence, Rules};
    /// use anqi_tablebase::Tables;
    ///
    /// let tables = Tables::open("tables".as_ref(), 4, Rules::OLYMPIAD)?;
    /// let position: Position = "4/4/m3/K1g1/4/1M2/4/3p b - 0 0".parse()?;
    /// match tables.look_up(&position)? {
    ///     Some(value) => println!("{:?} in {:?} plies", value.wdl, value.dtc),
    ///     None => println!("no table has this position"),
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the directory cannot be listed.
    #[cfg(feature = "os")]
    pub fn open(
        dir: &std::path::Path,
        pieces: usize,
        rules: Rules,
    ) -> Result<Tables, crate::file::TableError> {
        let mut tables = Tables::solved(pieces, rules).expect("distances of few pieces are small");
        tables.face_down = super::hidden::HiddenLibrary::behind(dir, tables.face_down)?;
        // Files are for unlimited play. The units in memory serve them if the limit exceeds every
        // distance.
        let unlimited = match limit(&rules) {
            Some(limit) if tables.memory.longest() >= limit => Arc::new(
                solve_in_memory(pieces, Goal::Distances)
                    .expect("distances of few pieces are small"),
            ),
            _ => tables.memory.clone(),
        };
        let library = super::library::Library::open(dir, unlimited)?;
        tables.files = Some(Files {
            library,
            damage: std::sync::OnceLock::new(),
            told: std::sync::atomic::AtomicBool::new(false),
        });
        Ok(tables)
    }

    /// Keeps decoded frames of files within this many bytes, instead of 256 MiB.
    ///
    /// They take memory only as they are read. Of tables in memory alone it changes nothing.
    #[cfg(feature = "os")]
    #[must_use]
    pub fn with_cache(mut self, bytes: usize) -> Tables {
        if let Some(files) = &mut self.files {
            files.library.set_cache(bytes);
        }
        self
    }

    /// Returns the first damage that a probe found in a file and could not report.
    #[cfg(feature = "os")]
    pub fn damage(&self) -> Option<&str> {
        self.files.as_ref()?.damage.get().map(String::as_str)
    }

    /// Returns the same, but only once, to the caller that reports it.
    #[cfg(feature = "os")]
    pub fn take_damage(&self) -> Option<&str> {
        let damage = self.damage()?;
        let told = &self.files.as_ref()?.told;
        (!told.swap(true, std::sync::atomic::Ordering::Relaxed)).then_some(damage)
    }

    /// Returns why a derived value is unknown: the damage found, or a missing table.
    #[cfg(feature = "os")]
    pub fn why_unknown(&self) -> &str {
        self.damage()
            .unwrap_or("a table of a smaller set is missing")
    }

    /// Returns value and distance, or `None` if they are not known.
    ///
    /// # Errors
    ///
    /// Fails if a file that is needed is damaged.
    #[cfg(feature = "os")]
    pub fn look_up(
        &self,
        position: &Position,
    ) -> Result<Option<TableValue>, Arc<crate::file::TableError>> {
        match Standing::of(position, &self.rules) {
            Standing::Over(value) => return Ok(Some(value)),
            Standing::Unlike => return Ok(None),
            Standing::Alike => {}
        }
        if let Some(known) = self.in_memory(position) {
            return Ok(Some(known));
        }
        let Some(files) = &self.files else {
            return Ok(None);
        };
        let answer = files.library.answer(position)?;
        let answer = answer.filter(|(wdl, _)| self.trusts_files(*wdl));
        Ok(answer.map(|(wdl, dtc)| {
            let wdl = dtc.map_or(wdl, |dtc| self.within_limit(position, wdl, dtc.into()));
            TableValue {
                wdl,
                dtc: dtc.filter(|_| wdl != Wdl::Draw),
            }
        }))
    }

    /// Returns the plies to the end of the game in unlimited play, if tables have them.
    ///
    /// # Errors
    ///
    /// Fails if a file that is needed is damaged.
    #[cfg(feature = "os")]
    pub fn plies_to_end(
        &self,
        position: &Position,
    ) -> Result<Option<u16>, Arc<crate::file::TableError>> {
        match (self.find(position), &self.files) {
            (Some(Hit::Over(_)), _) => Ok(Some(0)),
            (_, Some(files)) => files.library.plies_to_end(position).inspect_err(|error| {
                files.damage.get_or_init(|| error.to_string());
            }),
            (_, None) => Ok(self.plies_to_end_in_memory(position)),
        }
    }

    /// Returns the plies to the end of the game in unlimited play, if they were solved in memory.
    fn plies_to_end_in_memory(&self, position: &Position) -> Option<u16> {
        match self.find(position)? {
            Hit::Over(_) => Some(0),
            Hit::Entry(entry) => entry.plies_to_end(),
        }
    }

    /// Returns the plies to the end of the game in unlimited play, if tables have them.
    #[cfg(not(feature = "os"))]
    pub fn plies_to_end(
        &self,
        position: &Position,
    ) -> Result<Option<u16>, std::convert::Infallible> {
        Ok(self.plies_to_end_in_memory(position))
    }

    #[cfg(feature = "os")]
    fn in_files(&self, position: &Position) -> Option<TableValue> {
        let files = self.files.as_ref()?;
        files.or_damaged(self.look_up(position))
    }

    /// The value alone if no distance can exceed the quiet limit: the distance of the position
    /// costs several times as much.
    #[cfg(feature = "os")]
    fn value_in_files(&self, position: &Position) -> Option<Wdl> {
        let files = self.files.as_ref()?;
        let Some(limit) = limit(&self.rules) else {
            return files.or_damaged(files.library.wdl(position));
        };
        if self.rules.convention == Convention::Course {
            let wdl = files.or_damaged(files.library.wdl(position));
            return wdl.filter(|wdl| self.trusts_files(*wdl));
        }
        let left = limit.saturating_sub(position.quiet_counter());
        let near = files.or_damaged(files.library.wdl_within(position, left));
        near.or_else(|| self.in_files(position).map(|known| known.wdl))
    }

    /// Whether a value of unlimited play counts: by a course's order of looking for the end, a
    /// draw alone, for no file tells how every line of a win ends.
    #[cfg(feature = "os")]
    fn trusts_files(&self, wdl: Wdl) -> bool {
        self.rules.convention != Convention::Course
            || self.rules.quiet_limit.is_none()
            || wdl == Wdl::Draw
    }

    #[cfg(not(feature = "os"))]
    fn value_in_files(&self, _: &Position) -> Option<Wdl> {
        None
    }

    #[cfg(not(feature = "os"))]
    fn in_files(&self, _: &Position) -> Option<TableValue> {
        None
    }

    /// Finds a position in memory; a side without pieces has lost, however many the other has.
    #[inline]
    fn find(&self, position: &Position) -> Option<Hit<'_>> {
        find(&self.memory, position)
    }

    /// The certain value from memory.
    fn in_memory(&self, position: &Position) -> Option<TableValue> {
        let limit = limit(&self.rules);
        let value = value_in(&self.memory, position, limit)?;
        if !draws_first(&self.rules) || value.wdl == Wdl::Draw {
            return Some(value);
        }
        let sooner = value_in(
            self.sooner.as_deref()?,
            position,
            limit.map(|plies| plies - 1),
        )?;
        (sooner.wdl == value.wdl).then_some(sooner)
    }

    /// Solves one unit and what it depends on in memory, for a set of rules; with `to_end`, the
    /// plies to the end in unlimited play too.
    ///
    /// # Errors
    ///
    /// Fails if a distance does not fit.
    pub fn of_unit(
        unit: &'static Unit,
        rules: Rules,
        to_end: bool,
    ) -> Result<Tables, DistanceOverflow> {
        let goal = match limit(&rules) {
            Some(limit) => Goal::Limited(limit),
            None if to_end => Goal::ToEnd,
            None => Goal::Distances,
        };
        let solve = |goal| {
            let mut store = Store::solve_unit(unit, goal)?;
            store.forget_captures();
            Ok(Arc::new(MemoryUnits::new(&store, unit.pieces())))
        };
        Ok(Tables {
            memory: solve(goal)?,
            sooner: sooner(&rules).map(solve).transpose()?,
            rules,
            face_down: face_down(unit.pieces()),
            #[cfg(feature = "os")]
            files: None,
        })
    }

    /// Returns the expectation of a position with face-down pieces, from a file or solved now if it is
    /// not cached; `None` if it has too many pieces, if its file is damaged, or if the rules may
    /// change the expectation.
    pub fn with_face_down(&self, position: &Position) -> Option<Expectation> {
        let pieces = position.occupied().len() as u32;
        if position.face_down().is_empty() || pieces > self.face_down.pieces() {
            return None;
        }
        let known = match self.face_down.known(position) {
            Ok(known) => known,
            Err(refused) => {
                self.note_damage(&refused);
                return None;
            }
        };
        known
            .holds_under(&self.rules, position.quiet_counter())
            .then_some(known)
    }

    #[cfg(feature = "os")]
    fn note_damage(&self, refused: &Refused) {
        if let (Refused::Damaged(what), Some(files)) = (refused, &self.files) {
            files.damage.get_or_init(|| what.clone());
        }
    }

    #[cfg(not(feature = "os"))]
    fn note_damage(&self, _: &Refused) {}

    /// Returns the endings with face-down pieces, which are for unlimited play.
    pub fn face_down(&self) -> &Endings {
        &self.face_down
    }

    /// Returns the rules that values are for.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the most pieces of a position that is answered from memory.
    pub fn pieces_in_memory(&self) -> u32 {
        self.memory.pieces()
    }

    /// The value under the rules of a position that is decided in this many plies.
    fn within_limit(&self, position: &Position, wdl: Wdl, distance: u32) -> Wdl {
        within(limit(&self.rules), position, wdl, distance)
    }

    /// The value where a draw by the limit comes before a win on the board.
    fn certain_wdl(&self, position: &Position) -> Option<Wdl> {
        match Standing::of(position, &self.rules) {
            Standing::Over(value) => Some(value.wdl),
            Standing::Unlike => None,
            Standing::Alike => {
                let known = self.in_memory(position).map(|known| known.wdl);
                known.or_else(|| self.value_in_files(position))
            }
        }
    }

    /// Returns why [`Tables::look_up`] does not answer a position with these pieces, with this advice if a
    /// table is missing.
    pub fn why_absent(&self, position: &Position, set: &str, advice: &str) -> String {
        match Standing::of(position, &self.rules) {
            Standing::Unlike => format!(
                "tables do not count for {set} under the rules of a course: a cannon's jump may end \
                 the game there"
            ),
            _ if self.memory.find(position).is_some() => format!(
                "the value of {set} is uncertain: it depends on the ply that reaches the limit"
            ),
            _ => format!("no table has {set}; {advice}"),
        }
    }
}

impl Endgames for Tables {
    #[inline]
    fn pieces(&self) -> u32 {
        #[cfg(feature = "os")]
        if let Some(files) = &self.files {
            return files.library.pieces().max(self.face_down.pieces());
        }
        self.memory.pieces()
    }

    #[inline]
    fn wdl(&self, position: &Position) -> Option<Wdl> {
        if self.rules.precedence == Precedence::Draws {
            return self.certain_wdl(position);
        }
        let entry = match self.find(position) {
            None => return self.value_in_files(position),
            Some(Hit::Over(loser)) => return Some(value_of_end(position, loser)),
            Some(Hit::Entry(entry)) => entry,
        };
        let wdl = entry.wdl();
        let near = limit(&self.rules)
            .is_none_or(|limit| position.quiet_counter() + entry.longest() <= limit);
        if wdl == Wdl::Draw || near {
            return Some(wdl);
        }
        Some(self.within_limit(position, wdl, entry.dtc().into()))
    }

    fn known(&self, position: &Position) -> Option<TableValue> {
        match Standing::of(position, &self.rules) {
            Standing::Over(value) => Some(value),
            Standing::Unlike => None,
            Standing::Alike => self.in_memory(position).or_else(|| self.in_files(position)),
        }
    }

    #[cfg(feature = "os")]
    fn to_end(&self, position: &Position) -> Option<ToEnd> {
        let has_ends = self.files.as_ref()?.library.has_ends();
        has_ends.then(|| self.ending(position))?
    }

    fn expected(&self, position: &Position) -> Option<f64> {
        if position.face_down().is_empty() {
            return self.wdl(position).map(|wdl| Fraction::from(wdl).into());
        }
        self.with_face_down(position)
            .map(|known| known.expected.into())
    }
}

fn face_down(pieces: usize) -> Endings {
    Endings::new(pieces.min(FACE_DOWN_PIECES) as u32, FACE_DOWN_ROOM)
}

fn solve_in_memory(pieces: usize, goal: Goal) -> Result<MemoryUnits, DistanceOverflow> {
    let mut store = Store::solve(pieces, goal)?;
    store.forget_captures();
    Ok(MemoryUnits::new(&store, pieces))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::rated_actions;
    use crate::probe::samples::random_positions;
    use std::num::NonZeroU32;

    fn position(text: &str) -> Position {
        text.parse().unwrap()
    }

    #[test]
    fn a_king_next_to_a_guard_wins_at_once() {
        let tables = Tables::built_in(Rules::OLYMPIAD);
        let known = tables
            .known(&position("4/4/4/4/4/4/4/Kg2 r - 0 0"))
            .unwrap();
        assert_eq!(
            known,
            TableValue {
                wdl: Wdl::Win,
                dtc: Some(1)
            }
        );
        let black = tables.wdl(&position("4/4/4/4/4/4/4/Kg2 b - 0 0")).unwrap();
        assert_ne!(black, Wdl::Win, "a guard cannot take a king");
    }

    #[test]
    fn games_that_are_over_and_positions_out_of_reach_are_told_apart() {
        let tables = Tables::built_in(Rules::OLYMPIAD);
        assert_eq!(
            tables.wdl(&position("4/4/4/4/4/4/4/KG2 b - 0 9")),
            Some(Wdl::Loss)
        );
        assert_eq!(
            tables.wdl(&position("4/4/4/4/4/4/4/KGgp b - 0 9")),
            None,
            "four pieces"
        );
        assert_eq!(tables.wdl(&Position::start()), None);
        let alone = position("4/4/4/4/4/4/PP2/PPP1 b - 0 9");
        assert_eq!(tables.wdl(&alone), Some(Wdl::Loss), "five pieces, one side");
        let known = tables.known(&alone).unwrap();
        assert_eq!((known.wdl, known.dtc), (Wdl::Loss, Some(0)));
        assert_eq!(tables.wdl(&position("4/4/4/4/4/4/4/K?2 b g 0 9")), None);
    }

    #[test]
    fn expectations_are_known_where_the_quiet_limit_changes_nothing() {
        let text = "4/3?/2?G/4/4/?3/4/4 b Ckc 0 40";
        let expected = |rules, quiet: u32| {
            let text = text.replace(" 0 40", &format!(" {quiet} 200"));
            Tables::solved(4, rules).unwrap().expected(&position(&text))
        };
        assert_eq!(expected(Rules::OLYMPIAD, 0), Some(2.0 / 3.0));
        // Guard and cannon against king and cannon may take 101 plies to the next capture.
        assert_eq!(expected(Rules::OLYMPIAD, 79), Some(2.0 / 3.0));
        assert_eq!(expected(Rules::OLYMPIAD, 80), None);
        assert_eq!(expected(Rules::PLATFORM, 0), None);
        // Under the ban a side may not hold a draw by perpetual chasing.
        let ban = Rules {
            quiet_limit: None,
            ..Rules::MISTBOARD
        };
        assert_eq!(expected(ban, 0), None);
        let open = Tables::built_in(Rules::OLYMPIAD);
        let won = open.expected(&position("4/4/4/4/4/4/4/Kg2 r - 0 0"));
        assert_eq!(won, Some(1.0));
        assert_eq!(open.expected(&position(text)), None, "four pieces");
    }

    /// The value by one ply of play, from the values of the successors.
    fn one_ply_deeper(tables: &Tables, position: &Position) -> Wdl {
        if position.loser().is_some() {
            return Wdl::Loss;
        }
        if tables
            .rules()
            .quiet_draw(position.quiet_counter())
            .is_some()
        {
            return Wdl::Draw;
        }
        let values = position.actions().into_iter().map(|action| {
            let mut next = *position;
            let _ = next.step_unchecked(action);
            tables.wdl(&next).unwrap().reversed()
        });
        values.max().unwrap()
    }

    #[test]
    fn values_follow_from_what_comes_next_counter_included() {
        for limit in [None, Some(6), Some(40), Some(180)] {
            let rules = Rules {
                quiet_limit: limit.and_then(NonZeroU32::new),
                ..Rules::PAPER
            };
            let tables = Tables::solved(4, rules).unwrap();
            for pieces in 2..=4 {
                for position in random_positions(pieces, 4_000, limit.unwrap_or(9)) {
                    let value = tables.wdl(&position).unwrap();
                    assert_eq!(
                        value,
                        one_ply_deeper(&tables, &position),
                        "{position} {limit:?}"
                    );
                    let known = tables.known(&position).unwrap();
                    assert_eq!(known.wdl, value);
                    let best = rated_actions(&tables, &position).unwrap();
                    if limit.is_none() && !best.is_empty() {
                        assert_eq!((best[0].wdl, best[0].dtc), (known.wdl, known.dtc));
                    }
                }
            }
        }
    }
}
