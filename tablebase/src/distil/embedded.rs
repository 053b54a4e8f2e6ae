//! The distilled file of all endings of up to five pieces, inside the program or given to it.
//!
//! Its values are those of unlimited play. Under a rule that draws slow games a win may be a draw
//! instead, and the file knows no distances. But a list of the longest distance of each unit is
//! here too: where even the longest comes in time, the value is certain. A draw always is.

use std::sync::OnceLock;

use anqi_rules::{Position, Precedence, Repetition, Rules};

use super::Pocket;
#[cfg(feature = "pocket")]
use super::PocketError;
use crate::classes::{Unit, Units};
use crate::numbering::{Lookup, locate};
use crate::probe::{Endgames, Standing};
use crate::solve::Wdl;

/// The bytes that `tablebase distil --pieces 5 --out tablebase/pocket.dst` wrote.
#[cfg(feature = "pocket")]
static BYTES: &[u8] = include_bytes!("../../pocket.dst");

/// The lines that `tablebase longest --dir DIR` printed, DIR with all of five pieces: a unit and the
/// most plies to the next capture or the end.
const LONGEST: &str = include_str!("longest.txt");

/// Opens the file inside the program, once for all who ask.
///
/// # Errors
///
/// Fails if the program was built with a file that is not sound, or made for other rules.
#[cfg(feature = "pocket")]
pub fn embedded() -> Result<&'static Pocket, PocketError> {
    static POCKET: OnceLock<Result<Pocket, PocketError>> = OnceLock::new();
    let opened = POCKET.get_or_init(|| Pocket::new(BYTES));
    opened.as_ref().map_err(|&error| error)
}

/// The values of a distilled file that are certain under a set of rules.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedValues {
    pocket: &'static Pocket,
    rules: Rules,
}

/// Values that decode no region when asked not to: what a player with a clock asks.
#[derive(Clone, Copy)]
pub struct TimedValues<'a> {
    values: EmbeddedValues,
    may_decode: &'a (dyn Fn() -> bool + Sync),
}

/// How many plies a win of a unit may wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Waits {
    /// For the next capture.
    next: u32,
    /// For any capture after that.
    later: u32,
}

impl EmbeddedValues {
    /// Returns the values inside the program for these rules.
    ///
    /// # Errors
    ///
    /// Fails as [`embedded`] does.
    #[cfg(feature = "pocket")]
    pub fn new(rules: Rules) -> Result<EmbeddedValues, PocketError> {
        Ok(EmbeddedValues::of(embedded()?, rules))
    }

    /// Returns the values of a file of up to five pieces for these rules.
    pub fn of(pocket: &'static Pocket, rules: Rules) -> EmbeddedValues {
        EmbeddedValues { pocket, rules }
    }

    /// Returns the same values, unknown where a region must be decoded first and `may_decode` says no: that takes some
    /// milliseconds each time.
    pub fn timed<'a>(&self, may_decode: &'a (dyn Fn() -> bool + Sync)) -> TimedValues<'a> {
        TimedValues {
            values: *self,
            may_decode,
        }
    }

    fn wdl_while(&self, position: &Position, may_decode: &dyn Fn() -> bool) -> Option<Wdl> {
        match Standing::of(position, &self.rules) {
            Standing::Over(value) => return Some(value.wdl),
            Standing::Unlike => return None,
            Standing::Alike => {}
        }
        let wdl = self.pocket.answer_while(position, may_decode)?.wdl;
        self.holds(wdl, position).then_some(wdl)
    }

    /// Returns whether a value of unlimited play holds under the rules.
    fn holds(&self, wdl: Wdl, position: &Position) -> bool {
        // Under the ban a side may not hold a draw by perpetual chasing.
        if matches!(self.rules.repetition, Repetition::ChaseBan { .. }) {
            return false;
        }
        let Some(limit) = self.rules.quiet_limit.filter(|_| wdl != Wdl::Draw) else {
            return true;
        };
        let Some(Lookup::Placed(place)) = locate(position, self.pieces()) else {
            return true;
        };
        let waits = waits(place.unit.pieces, place.unit.number);
        let next = waits.next.saturating_add(position.quiet_counter());
        // Where draws come first, the ply that reaches the limit must not be the last.
        let last = match self.rules.precedence {
            Precedence::Wins => limit.get(),
            Precedence::Draws => limit.get() - 1,
        };
        next.max(waits.later) <= last
    }
}

impl Endgames for EmbeddedValues {
    fn pieces(&self) -> u32 {
        self.pocket.pieces()
    }

    fn wdl(&self, position: &Position) -> Option<Wdl> {
        self.wdl_while(position, &|| true)
    }
}

impl Endgames for TimedValues<'_> {
    fn pieces(&self) -> u32 {
        self.values.pieces()
    }

    fn wdl(&self, position: &Position) -> Option<Wdl> {
        self.values.wdl_while(position, self.may_decode)
    }
}

/// Returns how long wins of a unit may wait: the longest distance in its line of the list, and that of what is left
/// after any captures. Found for a unit when first needed.
fn waits(pieces: usize, unit: usize) -> Waits {
    static KNOWN: OnceLock<Vec<Vec<OnceLock<Waits>>>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let blank = |pieces| vec![OnceLock::new(); Units::of(pieces).list().len()];
        (0..=5)
            .map(|p| if p < 2 { Vec::new() } else { blank(p) })
            .collect()
    });
    *known[pieces][unit].get_or_init(|| {
        let unit = &Units::of(pieces).list()[unit];
        let after = unit.children().into_iter();
        let later = after.map(|child| waits(child.pieces(), child.number));
        Waits {
            next: longest(unit),
            later: later
                .map(|waits| waits.next.max(waits.later))
                .max()
                .unwrap_or(0),
        }
    })
}

/// Returns the longest distance of a unit; one without a line is never certain.
fn longest(unit: &Unit) -> u32 {
    let key = unit.to_string();
    let mut lines = LONGEST.lines().filter_map(|line| line.split_once(' '));
    let found = lines.find(|(name, _)| *name == key);
    let plies = found.and_then(|(_, plies)| plies.parse().ok());
    plies.unwrap_or(u32::MAX)
}

#[cfg(all(test, feature = "pocket"))]
mod tests {
    use super::*;
    use crate::classes::Fit;
    use crate::probe::Tables;
    use crate::probe::samples::random_positions;
    use crate::solve::{Distance, Goal, Store, farthest};
    use std::num::NonZeroU32;

    fn waits_of_set(set: &str) -> Waits {
        let unit = Fit::of(&set.parse().expect("a set of pieces")).unit;
        waits(unit.pieces(), unit.number)
    }

    #[test]
    fn the_list_has_the_longest_distance_of_every_unit() {
        let store = Store::solve(4, Goal::Distances).unwrap();
        for pieces in 2..=4 {
            for unit in Units::of(pieces).list() {
                let solved = store.get(unit).unwrap();
                let longest = farthest(solved.as_ref(), Distance::ToCapture).unwrap();
                let longest = longest.map_or(0, |(plies, ..)| plies.into());
                assert_eq!(waits(pieces, unit.number).next, longest, "{unit}");
            }
        }
        for unit in Units::of(5).list() {
            assert!(waits(5, unit.number).next < 256, "{unit} has no line");
        }
        assert_eq!(LONGEST.lines().count(), 5 + 20 + 75 + 233);
        // The longest of five pieces, and the longest of KGgp, KMgp, Kkgp, Kggp and GMkm, which follow.
        let longest = waits_of_set("KMgmp");
        assert_eq!((longest.next, longest.later), (231, 78));
    }

    #[test]
    fn a_value_is_certain_where_even_the_longest_win_comes_in_time() {
        // Guard and cannon against king and cannon: at most 101 plies.
        let text = "3k/4/4/4/4/4/G3/C1c1 b - 0 200";
        let value = |rules, quiet: u32| {
            let text = text.replace(" 0 200", &format!(" {quiet} 200"));
            let values = EmbeddedValues::new(rules).unwrap();
            values.wdl(&text.parse().unwrap())
        };
        let known = value(Rules::UNLIMITED, 0).unwrap();
        assert_ne!(known, Wdl::Draw);
        assert_eq!(value(Rules::OLYMPIAD, 79), Some(known));
        assert_eq!(value(Rules::OLYMPIAD, 80), None);
        assert_eq!(value(Rules::PLATFORM, 0), None);
        assert_eq!(value(Rules::MISTBOARD, 0), None);
    }

    #[test]
    fn timed_values_decode_nothing_when_told_not_to() {
        let pocket = Pocket::new(BYTES).expect("a sound file");
        let values = EmbeddedValues::of(Box::leak(Box::new(pocket)), Rules::OLYMPIAD);
        let position = "3k/4/4/4/4/4/G3/C1c1 b - 0 200".parse().unwrap();
        assert_eq!(values.timed(&|| false).wdl(&position), None);
        let known = values.timed(&|| true).wdl(&position);
        assert_eq!(known, values.wdl(&position));
        assert!(known.is_some());
        // Its regions are decoded now.
        assert_eq!(values.timed(&|| false).wdl(&position), known);
    }

    #[test]
    fn certain_values_are_those_of_tables_solved_for_the_limit() {
        for limit in [20, 60] {
            let rules = Rules {
                quiet_limit: NonZeroU32::new(limit),
                ..Rules::PAPER
            };
            let values = EmbeddedValues::new(rules).unwrap();
            let tables = Tables::solved(4, rules).unwrap();
            let mut certain = 0;
            for position in random_positions(4, 3_000, limit) {
                let Some(wdl) = values.wdl(&position) else {
                    continue;
                };
                certain += 1;
                assert_eq!(
                    tables.wdl(&position),
                    Some(wdl),
                    "{position}, {limit} plies"
                );
            }
            assert!(certain > 300, "{certain} of 3,000 with {limit} plies");
        }
    }
}
