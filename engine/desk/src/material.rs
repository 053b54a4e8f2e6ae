//! A material set: how often each side wins, and the longest win with its line.
//!
//! Up to four pieces are solved on the spot. For more, the counts come from the
//! header of a table file.

use crate::tables::plies_to_end;
use crate::wire::{Longest, MaterialView, Totals, WinGoal};
use anqi_rules::{Action, Position, Rules};
use anqi_search::endgames::MOST_SOLVED_PIECES;
use anqi_tablebase::classes::{Fit, Material};
use anqi_tablebase::numbering::position_of;
use anqi_tablebase::solve::{Distance, Goal, Store, farthest, totals};
use anqi_tablebase::{Tables, Wdl, rated_actions};
use std::fmt;

/// The most plies of a line; the longest win of four pieces has 121.
const MOST_PLIES: usize = 400;

/// A folder of table files, as far as the counts and the lessons of a material set are asked for.
pub trait TableFolder: Send + Sync + fmt::Debug {
    /// Returns the counts and the longest win of a set, without its line; `None` if no file has it.
    fn material(&self, set: &Material) -> Option<MaterialView>;

    /// Returns the text of a set's file of lessons; `None` if there is none.
    fn lessons(&self, _set: &Material) -> Option<String> {
        None
    }

    /// Returns the letters of the sets that have a file of lessons.
    fn lesson_sets(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Returns the counts and the longest win of a material set. Beyond four pieces the counts come
/// from `folder`, the line of the win from `files`.
///
/// Four pieces take up to two seconds. `None` if a distance does not fit.
pub fn material(
    set: &Material,
    files: Option<&Tables>,
    folder: Option<&dyn TableFolder>,
) -> Option<MaterialView> {
    if set.len() > MOST_SOLVED_PIECES as usize {
        let mut view = folder.and_then(|folder| folder.material(set));
        if let (Some(view), Some(files)) = (&mut view, files) {
            add_line(view, files);
        }
        return Some(view.unwrap_or_else(|| unknown(set)));
    }
    let mut view = solved(set)?;
    let tables = solved_to_end(set)?;
    add_line(&mut view, &tables);
    Some(view)
}

/// Solves a material set for unlimited play, with the plies to the end; `None` if a distance does
/// not fit.
pub(crate) fn solved_to_end(set: &Material) -> Option<Tables> {
    let endless = Rules::UNLIMITED;
    Tables::of_unit(Fit::of(set).unit, endless, true).ok()
}

/// Adds the line of best play from the longest win.
fn add_line(view: &mut MaterialView, tables: &Tables) {
    if let Some(longest) = &mut view.longest
        && let Ok(start) = longest.position.parse()
    {
        longest.line = line(tables, start);
    }
}

fn unknown(set: &Material) -> MaterialView {
    MaterialView {
        material: set.to_string(),
        ..MaterialView::default()
    }
}

/// Solves a material set for unlimited play; `None` if a distance does not fit.
pub fn solved(set: &Material) -> Option<MaterialView> {
    let fit = Fit::of(set);
    let store = Store::solve_unit(fit.unit, Goal::ToEnd).ok()?;
    let solved = store.get(fit.unit)?;
    let sides = totals(solved.as_ref()).ok()?;
    let longest = farthest(solved.as_ref(), Distance::ToEnd).ok()?;
    let longest = longest.and_then(|(plies, turn, address)| {
        let groups = solved.layout.groups_at(address)?;
        Some(Longest {
            position: position_of(set, &groups, turn).to_string(),
            plies: plies.into(),
            to: WinGoal::End,
            line: Vec::new(),
        })
    });
    let counts = sides.map(|side| [side.win, side.draw, side.loss]);
    Some(MaterialView {
        longest,
        ..counted(set, counts)
    })
}

/// Returns a view with the unit's counts of wins, draws and losses for the set's red and black.
pub fn counted(set: &Material, mut counts: [[u64; 3]; 2]) -> MaterialView {
    let fit = Fit::of(set);
    if fit.swapped {
        counts.swap(0, 1);
    }
    // Twins are identical in the unit but not in the set.
    let apart = set.placements() as u64 / fit.unit.placements();
    let [red, black] = counts.map(|[wins, draws, losses]| Totals {
        wins: wins * apart,
        draws: draws * apart,
        losses: losses * apart,
    });
    MaterialView {
        known: true,
        red_to_move: Some(red),
        black_to_move: Some(black),
        ..unknown(set)
    }
}

/// Plays both sides by the tables to the end of the game, or as far as the tables reach: the
/// winner hurries, the loser delays.
pub(crate) fn line(tables: &Tables, start: Position) -> Vec<String> {
    let mut position = start;
    let mut line = Vec::new();
    while line.len() < MOST_PLIES && position.annihilated().is_none() {
        let Some(action) = best(tables, &position) else {
            break;
        };
        let _ = position.step_unchecked(action);
        line.push(action.to_string());
    }
    line
}

/// Returns the best action of a decided position, by plies to the end where they are known.
fn best(tables: &Tables, position: &Position) -> Option<Action> {
    let rated = rated_actions(tables, position)?;
    let first = rated.first().filter(|first| first.wdl != Wdl::Draw)?;
    let to_end = |action: Action| -> Option<u16> {
        let mut next = *position;
        let _ = next.step_unchecked(action);
        plies_to_end(tables, &next)
    };
    let alike = rated.iter().filter(|each| each.wdl == first.wdl);
    let known: Option<Vec<(u16, Action)>> = alike
        .map(|each| Some((to_end(each.action)?, each.action)))
        .collect();
    let Some(known) = known else {
        return Some(first.action);
    };
    let plies = known.into_iter();
    let best = match first.wdl {
        Wdl::Win => plies.min_by_key(|(plies, _)| *plies),
        Wdl::Draw | Wdl::Loss => plies.max_by_key(|(plies, _)| *plies),
    };
    best.map(|(_, action)| action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::{Color, Game};
    use anqi_tablebase::Endgames;
    use anqi_tablebase::numbering::Groups;

    /// Plays the line of the longest win and returns the game.
    fn played(longest: &Longest) -> Game {
        let start: Position = longest.position.parse().unwrap();
        let mut game = Game::new(start, Rules::OLYMPIAD);
        for ply in &longest.line {
            assert_eq!(game.outcome(), None);
            game.play(ply.parse().unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn the_longest_win_of_a_material_is_a_line_of_that_length() {
        for text in ["Kg", "KPcn", "Pkcp"] {
            let set: Material = text.parse().unwrap();
            let view = material(&set, None, None).unwrap();
            let red = view.red_to_move.unwrap();
            let placements = red.wins + red.draws + red.losses;
            assert_eq!(placements, set.placements() as u64, "{set}");
            let longest = view.longest.unwrap();
            assert_eq!(longest.line.len() as u32, longest.plies, "{longest:?}");
            let outcome = played(&longest).outcome().expect("the end of the game");
            assert!(outcome.winner().is_some());
        }
        let unknown = material(&"KPPPk".parse().unwrap(), None, None).unwrap();
        assert!(!unknown.known && unknown.longest.is_none());
    }

    #[test]
    fn shares_are_those_of_all_positions_probed_one_by_one() {
        let tables = Tables::built_in(Rules::OLYMPIAD);
        for text in ["Kg", "Gk"] {
            let set: Material = text.parse().unwrap();
            let mut counts = [[0; 3]; 2];
            for (red, black) in (0..32).flat_map(|red| (0..32).map(move |black| (red, black))) {
                for turn in Color::ALL.into_iter().filter(|_| red != black) {
                    let mut groups = Groups::default();
                    (groups[0], groups[1]) = (1 << red, 1 << black);
                    let position = position_of(&set, &groups, turn);
                    let mover = position.turn().unwrap().index();
                    counts[mover][tables.known(&position).unwrap().wdl as usize] += 1;
                }
            }
            let view = material(&set, None, None).unwrap();
            for (found, shown) in counts.iter().zip([view.red_to_move, view.black_to_move]) {
                let Totals {
                    wins,
                    draws,
                    losses,
                } = shown.unwrap();
                let order = [Wdl::Win, Wdl::Draw, Wdl::Loss];
                assert_eq!(
                    order.map(|wdl| found[wdl as usize]),
                    [wins, draws, losses],
                    "{set}"
                );
            }
        }
    }
}
