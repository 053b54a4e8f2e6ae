//! The actions of a position in order of value.

use std::cmp::Reverse;

use anqi_rules::{Action, Position};

use super::Endgames;
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
}

impl Rated {
    /// Sort key: the best action has the least.
    fn place(&self) -> (Reverse<Wdl>, i32) {
        let unknown = i32::from(u16::MAX) + 1;
        let distance = self.dtc.map_or(unknown, i32::from);
        let place = match self.wdl {
            Wdl::Win => distance,
            Wdl::Draw => 0,
            Wdl::Loss => -distance,
        };
        (Reverse(self.wdl), place)
    }
}

/// Rates all actions of a position, the best first: quick wins, draws, slow losses.
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
        });
    }
    rated.sort_by_key(Rated::place);
    Some(rated)
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
}
