//! Endgame tables, for each set of rules, solved in the background.
//!
//! Every board asks for its table value, and the page must not wait: until the
//! tables for its rules are ready, nothing is known. Where there is little memory and no thread, the
//! units of single positions are solved instead, when they are first needed ([`OnTheSpot`]).

use crate::spot::OnTheSpot;
use anqi_analysis::shared_tables;
use anqi_rules::order::sort_few_by;
use anqi_rules::{Action, Game, Ply, Position, Rules};
use anqi_search::endgames::{MOST_SOLVED_PIECES, SharedTables, TablesSource};
use anqi_tablebase::distil;
use anqi_tablebase::{Endgames, Tables, Wdl, rated_actions};
use serde::{Deserialize, Serialize};
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
#[cfg(test)]
use ts_rs::TS;

/// A table's verdict for the side to move.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
pub struct TableVerdict {
    /// Who wins.
    pub wdl: WdlName,
    /// Plies to the next capture or the end if both sides do their best; null for a draw or without
    /// distances.
    pub dtc: Option<u16>,
    /// Plies to the end of the game, where the tables know them.
    pub dtw: Option<u16>,
}

/// An action with its verdict for the side that makes it.
#[derive(Serialize, Debug, Clone, PartialEq)]
#[cfg_attr(test, derive(TS))]
pub struct TableAction {
    /// The action.
    pub action: String,
    /// Who wins after it.
    pub wdl: Option<WdlName>,
    /// Plies to the next capture or the end.
    pub dtc: Option<u16>,
    /// Plies to the end of the game, where they decide which action is best.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub plies_to_end: Option<u16>,
    /// The exact value, of a flip too.
    pub expected: Option<f64>,
}

/// The value of a position for the side to move.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum WdlName {
    Win,
    Draw,
    Loss,
}

impl From<Wdl> for WdlName {
    fn from(wdl: Wdl) -> WdlName {
        match wdl {
            Wdl::Win => WdlName::Win,
            Wdl::Draw => WdlName::Draw,
            Wdl::Loss => WdlName::Loss,
        }
    }
}

/// The tables for every preset of the rules.
#[derive(Debug, Default)]
pub struct TableSet {
    source: Option<TablesSource>,
    opened: [OnceLock<Option<Arc<SharedTables>>>; Rules::PRESETS.len()],
    spot: Option<OnTheSpot>,
}

/// Tables that have a position.
enum Near<'a> {
    /// Those of all positions.
    Whole(&'a Tables),
    /// Those of its unit.
    Unit(Arc<Tables>),
}

impl Deref for Near<'_> {
    type Target = Tables;

    fn deref(&self) -> &Tables {
        match self {
            Near::Whole(tables) => tables,
            Near::Unit(tables) => tables,
        }
    }
}

impl TableSet {
    /// Returns a set without any table.
    pub fn none() -> TableSet {
        TableSet::default()
    }

    /// Returns the built-in tables and those of a folder, none of them ready yet.
    pub fn new(folder: Option<PathBuf>) -> TableSet {
        TableSet {
            source: Some(TablesSource::of_folder(folder)),
            ..TableSet::default()
        }
    }

    /// Returns a set whose units are solved when a position needs them, which takes some milliseconds.
    pub fn on_the_spot() -> TableSet {
        TableSet {
            spot: Some(OnTheSpot::default()),
            ..TableSet::default()
        }
    }

    /// Solves and opens the tables of all presets, the default first.
    pub fn open_all(&self) {
        for (_, rules) in Rules::PRESETS {
            self.open(rules);
        }
    }

    /// Returns the tables for these rules, which may take a second the first time.
    pub fn open(&self, rules: Rules) -> Option<Arc<SharedTables>> {
        let slot = self.slot(rules)?;
        let source = self.source.as_ref()?;
        slot.get_or_init(|| shared_tables(rules, source)).clone()
    }

    /// Returns the tables for these rules if they are ready.
    pub fn ready(&self, rules: Rules) -> Option<&Tables> {
        Some(self.slot(rules)?.get()?.as_ref()?.tables())
    }

    fn slot(&self, rules: Rules) -> Option<&OnceLock<Option<Arc<SharedTables>>>> {
        let place = Rules::PRESETS.iter().position(|(_, known)| *known == rules);
        self.opened.get(place?)
    }

    /// Returns the tables that have a position, `None` if there are none or they are not ready.
    fn near(&self, rules: Rules, position: &Position) -> Option<Near<'_>> {
        if let Some(spot) = &self.spot {
            return spot.tables(rules, position).map(Near::Unit);
        }
        in_reach(self.ready(rules)?, position).map(Near::Whole)
    }

    /// Returns whether the tables for these rules answer.
    fn answers(&self, rules: Rules) -> bool {
        self.spot.is_some() || self.ready(rules).is_some()
    }

    /// Returns the most pieces in the tables for these rules, 0 until they are ready.
    pub fn pieces(&self, rules: Rules) -> u32 {
        let spot = self.spot.as_ref().map_or(0, |_| MOST_SOLVED_PIECES);
        self.ready(rules).map_or(spot, Endgames::pieces)
    }

    /// Returns the damage that probes found in a file and nobody has seen yet.
    pub fn take_damage(&self) -> Option<String> {
        let mut opened = self.opened.iter().filter_map(OnceLock::get).flatten();
        opened.find_map(|tables| tables.take_damage())
    }

    /// Returns the table value of a position, for the side to move.
    pub fn verdict(&self, rules: Rules, position: &Position) -> Option<TableVerdict> {
        if !self.answers(rules) {
            return None;
        }
        let near = self.near(rules, position);
        let known = near.as_ref().and_then(|tables| {
            let known = tables.known(position)?;
            Some(TableVerdict {
                wdl: known.wdl.into(),
                dtc: known.dtc,
                // A missing or damaged distance leaves the value.
                dtw: plies_to_end(tables, position),
            })
        });
        known.or_else(|| {
            let wdl = distil::values(rules).wdl(position)?;
            Some(TableVerdict {
                wdl: wdl.into(),
                dtc: None,
                dtw: None,
            })
        })
    }

    /// Returns the exact expected result for the side to move, if it is known.
    pub fn expected(&self, rules: Rules, position: &Position) -> Option<f64> {
        if !self.answers(rules) {
            return None;
        }
        let near = self.near(rules, position);
        let known = near.and_then(|tables| tables.expected(position));
        known.or_else(|| distil::values(rules).expected(position))
    }

    /// Returns every action of a game's position with its verdict, the best first; `None` if
    /// none is known.
    pub fn actions(&self, game: &Game) -> Option<Vec<TableAction>> {
        let (position, rules) = (game.position(), game.rules());
        if !self.answers(rules) || game.outcome().is_some() {
            return None;
        }
        let near = self.near(rules, position);
        if position.face_down().is_empty() {
            let known = near.and_then(|tables| rated_actions(&*tables, position));
            let known = known.or_else(|| rated_actions(&*distil::values(rules), position))?;
            return Some(known.iter().map(rated).collect());
        }
        near?;
        let rate = |action: Action| TableAction {
            action: action.to_string(),
            wdl: None,
            dtc: None,
            plies_to_end: None,
            expected: self.expected_after(rules, position, action),
        };
        let mut rated: Vec<TableAction> = position.actions().iter().map(|a| rate(*a)).collect();
        let worth = |rated: &TableAction| rated.expected.unwrap_or(f64::NEG_INFINITY);
        sort_few_by(&mut rated, |a, b| worth(b).total_cmp(&worth(a)));
        rated[0].expected.is_some().then_some(rated)
    }

    /// Returns the value of an action for the side that plays it, if all outcomes are known.
    fn expected_after(&self, rules: Rules, position: &Position, action: Action) -> Option<f64> {
        let after = |ply: Ply| {
            let mut next = *position;
            let _ = next.play(ply).ok()?;
            Some(-self.near(rules, &next)?.expected(&next)?)
        };
        if !action.is_flip() {
            return after(action.into());
        }
        let outcomes = position.reveals().map(|reveal| {
            let value = after(Ply::flip(action.from(), reveal.piece))?;
            Some(reveal.chance() * value)
        });
        outcomes.sum()
    }
}

/// Returns the plies to the end of the game, if the tables know them.
pub(crate) fn plies_to_end(tables: &Tables, position: &Position) -> Option<u16> {
    tables.plies_to_end(position).unwrap_or(None)
}

/// Returns the tables if the position has no more pieces than they.
fn in_reach<'a>(tables: &'a Tables, position: &Position) -> Option<&'a Tables> {
    let pieces = position.occupied().len() as u32;
    (pieces <= tables.pieces()).then_some(tables)
}

fn rated(rated: &anqi_tablebase::Rated) -> TableAction {
    TableAction {
        action: rated.action.to_string(),
        wdl: Some(rated.wdl.into()),
        dtc: rated.dtc,
        plies_to_end: rated.certain_end(),
        expected: Some(worth(rated.wdl)),
    }
}

fn worth(wdl: Wdl) -> f64 {
    match wdl {
        Wdl::Win => 1.0,
        Wdl::Draw => 0.0,
        Wdl::Loss => -1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> Game {
        Game::from_text(text, Rules::OLYMPIAD).unwrap()
    }

    #[test]
    fn nothing_is_known_until_the_tables_are_ready() {
        let set = TableSet::new(None);
        let won = game("4/4/4/4/4/4/4/Kg2 r - 0 0");
        assert_eq!(set.verdict(won.rules(), won.position()), None);
        set.open(Rules::OLYMPIAD);
        let verdict = set.verdict(won.rules(), won.position()).unwrap();
        assert_eq!((verdict.wdl, verdict.dtc), (WdlName::Win, Some(1)));
        assert_eq!(set.pieces(Rules::OLYMPIAD), 4);
        let actions = set.actions(&won).unwrap();
        assert_eq!(actions[0].action, "a1-b1");
        assert_eq!(actions[0].wdl, Some(WdlName::Win));
    }

    #[cfg(feature = "pocket")]
    #[test]
    fn five_pieces_have_a_value_without_files_and_without_a_distance() {
        let set = TableSet::new(None);
        set.open(Rules::OLYMPIAD);
        let five = game("4/4/4/4/4/4/1p2/KgPP r - 0 0");
        let verdict = set.verdict(five.rules(), five.position()).unwrap();
        assert_eq!(
            (verdict.wdl, verdict.dtc, verdict.dtw),
            (WdlName::Win, None, None)
        );
        let actions = set.actions(&five).unwrap();
        assert_eq!(
            (&*actions[0].action, actions[0].wdl),
            ("a1-b1", Some(WdlName::Win))
        );
        assert_eq!(actions.len(), five.actions().len());
        assert_eq!(set.pieces(Rules::OLYMPIAD), 4);
    }

    #[test]
    fn units_on_the_spot_say_what_whole_tables_say() {
        let (spot, whole) = (TableSet::on_the_spot(), TableSet::new(None));
        for (text, rules) in [
            ("4/4/4/4/4/4/4/Kg2 r - 0 0", Rules::OLYMPIAD),
            ("4/4/4/4/4/2c1/1p2/KgP1 b - 0 0", Rules::PLATFORM),
            ("4/4/m3/K1g1/4/1M2/4/4 b - 0 0", Rules::OLYMPIAD),
            ("?3/4/4/4/4/4/4/G2g r R 0 20", Rules::OLYMPIAD),
            ("4/4/4/4/4/3p/3C/Kgpp r - 0 0", Rules::OLYMPIAD),
            ("4/4/4/4/4/4/4/K3 b - 0 9", Rules::OLYMPIAD),
            ("4/4/4/4/4/4/1c2/KgP1 b - 0 30", Rules::COURSE),
        ] {
            whole.open(rules);
            let game = Game::from_text(text, rules).unwrap();
            let position = game.position();
            assert_eq!(
                spot.verdict(rules, position),
                whole.verdict(rules, position)
            );
            assert_eq!(
                spot.expected(rules, position),
                whole.expected(rules, position)
            );
            assert_eq!(spot.actions(&game), whole.actions(&game), "{text}");
        }
        assert_eq!(spot.pieces(Rules::PAPER), 4);
    }

    #[test]
    fn the_last_flip_is_worth_its_average() {
        let set = TableSet::new(None);
        set.open(Rules::OLYMPIAD);
        // The face-down piece is red's only rook: once it is revealed, the tables know the rest.
        let last = game("?3/4/4/4/4/4/4/G2g r R 0 20");
        let actions = set.actions(&last).unwrap();
        let flip = actions.iter().find(|a| a.action == "a8-a8").unwrap();
        assert!(flip.expected.is_some());
        assert!(set.actions(&game("start")).is_none());
    }
}
