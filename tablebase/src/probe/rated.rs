//! The actions of a position in order of value.

use std::cmp::Reverse;

use anqi_rules::order::sort_few_by_key;
use anqi_rules::{Action, Position};

use super::{Endgames, ToEnd};
use crate::solve::Wdl;

/// An action and its value for the side that plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rated {
    /// The action.
    pub action: Action,
    /// Its value for the side to move, under the tables' rules.
    pub wdl: Wdl,
    /// Plies to the next capture or the end, this action included; `None` for draws and where
    /// the distance is unknown.
    pub dtc: Option<u16>,
    /// Plies to the end of the game, this action included; `None` for draws, and unless the tables
    /// have them for every action of the same value.
    pub to_end: Option<ToEnd>,
}

impl Rated {
    /// Returns the rank: the best action has the least.
    ///
    /// What ends in time comes by the plies to the end. The rest comes by the plies to the next
    /// capture, which show that a limit leaves time for that, and by those to the end among equals:
    /// later in a win, sooner in a loss.
    pub fn place(&self) -> (Reverse<Wdl>, i8, i32, i32) {
        let unknown = i32::from(u16::MAX) + 1;
        let distance = self.dtc.map_or(unknown, i32::from);
        let end = self.to_end.map_or(0, |end| i32::from(end.plies));
        let (is_late, first, second) = match self.certain_end() {
            Some(plies) => (0, i32::from(plies), 0),
            None => (1, distance, end),
        };
        match self.wdl {
            Wdl::Win => (Reverse(self.wdl), is_late, first, second),
            Wdl::Draw => (Reverse(self.wdl), 0, 0, 0),
            Wdl::Loss => (Reverse(self.wdl), -is_late, -first, -second),
        }
    }

    /// Returns the plies to the end, this action included, if no limit can come before it.
    pub fn certain_end(&self) -> Option<u16> {
        self.to_end.and_then(ToEnd::certain)
    }
}

/// Rates all actions of a position, the best first: quick wins, draws, slow losses, by the plies
/// to the end where tables have them and the rules leave the time, else by those to the next capture.
///
/// Where distances are unknown, only captures have one: 1, the least there is. So winning
/// actions of unknown distance come after those of a known one, losing ones before.
/// Equals come in text order. `None` if some action leads to an unknown position; an empty
/// list if the game is over.
///
/// # Examples
///
/// ```
/// use anqi_rules::{Position, Rules};
/// use anqi_tablebase::{Tables, Wdl, rated_actions};
///
/// let tables = Tables::built_in(Rules::OLYMPIAD);
/// let position: Position = "4/4/4/4/4/4/4/Kg2 r - 0 0".parse()?;
/// let rated = rated_actions(&tables, &position).expect("two pieces are built in");
/// assert_eq!(rated[0].action.to_string(), "a1-b1", "the king takes the guard");
/// assert_eq!((rated[0].wdl, rated[0].dtc), (Wdl::Win, Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rated_actions(tables: &dyn Endgames, position: &Position) -> Option<Vec<Rated>> {
    let mut rated = Vec::new();
    for action in position.actions() {
        let mut next = *position;
        let undo = next.step_unchecked(action);
        let known = tables.known(&next)?;
        let wdl = known.wdl.reversed();
        let distance = if undo.captured().is_some() {
            Some(1)
        } else {
            known.dtc.map(|d| d + 1)
        };
        rated.push(Rated {
            action,
            wdl,
            dtc: distance.filter(|_| wdl != Wdl::Draw),
            to_end: match wdl {
                Wdl::Draw => None,
                Wdl::Win | Wdl::Loss => tables.to_end(&next).map(ToEnd::before),
            },
        });
    }
    for wdl in [Wdl::Win, Wdl::Loss] {
        let mut alike = rated.iter().filter(|rated| rated.wdl == wdl);
        // A win that may be longer than an unknown one is not the shortest.
        if alike.any(|rated| rated.to_end.is_none()) {
            let alike = rated.iter_mut().filter(|rated| rated.wdl == wdl);
            alike.for_each(|rated| rated.to_end = None);
        }
    }
    sort_few_by_key(&mut rated, Rated::place);
    Some(rated)
}

/// Returns the position after an action.
#[cfg(feature = "os")]
pub(crate) fn after(position: &Position, action: Action) -> Position {
    let mut next = *position;
    let _ = next.step_unchecked(action);
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_distances_give_no_order() {
        let rated = |wdl, dtc| Rated {
            action: Action::from_bits(0),
            wdl,
            dtc,
            to_end: None,
        };
        let order = [
            rated(Wdl::Win, Some(1)),
            rated(Wdl::Win, Some(300)),
            rated(Wdl::Win, None),
            rated(Wdl::Draw, None),
            rated(Wdl::Loss, None),
            rated(Wdl::Loss, Some(300)),
            rated(Wdl::Loss, Some(1)),
        ];
        for (i, a) in order.iter().enumerate() {
            for (j, b) in order.iter().enumerate() {
                assert_eq!(a.place().cmp(&b.place()), i.cmp(&j), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn the_end_decides_where_it_is_in_time_and_the_capture_where_not() {
        let rated = |wdl, dtc, end: Option<(u16, bool)>| Rated {
            action: Action::from_bits(0),
            wdl,
            dtc: Some(dtc),
            to_end: end.map(|(plies, in_time)| ToEnd { plies, in_time }),
        };
        let order = [
            rated(Wdl::Win, 9, Some((21, true))),
            rated(Wdl::Win, 1, Some((23, true))),
            rated(Wdl::Win, 3, Some((63, false))),
            rated(Wdl::Win, 3, Some((65, false))),
            rated(Wdl::Win, 5, Some((61, false))),
            rated(Wdl::Draw, 0, None),
            rated(Wdl::Loss, 6, Some((62, false))),
            rated(Wdl::Loss, 4, Some((66, false))),
            rated(Wdl::Loss, 4, Some((64, false))),
            rated(Wdl::Loss, 2, Some((24, true))),
            rated(Wdl::Loss, 8, Some((22, true))),
        ];
        for (i, a) in order.iter().enumerate() {
            for (j, b) in order.iter().enumerate() {
                assert_eq!(a.place().cmp(&b.place()), i.cmp(&j), "{a:?} {b:?}");
            }
        }
    }
}
