//! The analyst: a player that values actions.
//!
//! A flip is valued by its *distribution*: the position after each possible
//! reveal is searched. Luck is the value of the actual reveal less the average.
//! Weighted by chance it sums to zero over all reveals, however wrong the search.

use crate::tables::shared_tables;
use crate::value::{Certainty, Step, Value, ValueSource, rounded, steps};
use anqi_rules::{Action, Game, Ply, Position, Reveal, Rules, Square};
use anqi_search::endgames::{SharedTables, TablesSource};
use anqi_search::spec::SpecError;
use anqi_search::{Choice, Limits, Player, Ranked, Request, Stop, TimeLimit, players};
use anqi_tablebase::{Endgames, ToEnd, Wdl};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The size of an analyst's transposition table.
const HASH_MEBIBYTES: u32 = 16;

/// A player that values actions.
pub struct Analyst {
    player: Box<dyn Player>,
    tables: Option<Arc<SharedTables>>,
}

/// One outcome of a flip.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Appearance {
    /// The letter of the piece that appears.
    pub piece: char,
    /// How many such pieces lie face down.
    pub count: u32,
    /// The chance of this reveal.
    #[serde(serialize_with = "rounded")]
    pub chance: f64,
    /// The value after the reveal, for the side that flips.
    #[serde(serialize_with = "rounded")]
    pub value: f64,
}

/// The outcomes of a flip.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Flip {
    /// The square.
    pub square: String,
    /// The average, for the side that flips.
    #[serde(serialize_with = "rounded")]
    pub value: f64,
    /// Every outcome, in the order KGMRNCPkgmrncp.
    pub appearances: Vec<Appearance>,
}

impl Appearance {
    fn of(reveal: Reveal, value: Value) -> Appearance {
        Appearance {
            piece: reveal.piece.letter(),
            count: reveal.weight,
            chance: reveal.chance(),
            value: value.expected,
        }
    }
}

impl Flip {
    fn of(square: Square, appearances: Vec<Appearance>) -> Flip {
        Flip {
            square: square.to_string(),
            value: average(&appearances),
            appearances,
        }
    }
}

/// An action, its value for the side to move, and its line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Candidate {
    /// The action.
    pub action: String,
    /// Its value.
    pub value: Value,
    /// The principal variation, from the action.
    pub line: Vec<Step>,
}

impl Candidate {
    /// Takes the average of a flip's outcomes as its value, unless it is proven to be that.
    pub fn take_average(&mut self, flip: &Flip) {
        let gap = (self.value.expected - flip.value).abs();
        let is_proven = self.value.is_exact() && gap < 1e-9;
        if !is_proven {
            self.value = Value::estimate(flip.value);
        }
        if let Some(first) = self.line.first_mut() {
            first.expected = Some(flip.value);
        }
    }
}

/// The limits of an analysis.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// Positions to visit.
    pub nodes: u64,
    /// Time to spend, if that is limited too.
    pub time: Option<Duration>,
    /// Raised to end the thinking.
    pub stop: &'a Stop,
}

impl Effort<'_> {
    /// Returns an equal share of the effort for each of `parts`.
    #[must_use]
    pub fn shared(self, parts: usize) -> Self {
        let parts = parts.max(1) as u32;
        Effort {
            nodes: (self.nodes / u64::from(parts)).max(50),
            time: self.time.map(|time| time / parts),
            ..self
        }
    }

    fn limits(&self, multipv: usize) -> Limits {
        Limits {
            nodes: Some(self.nodes),
            time: self.time.map_or(TimeLimit::None, TimeLimit::PerMove),
            multipv,
            ..Limits::NONE
        }
    }
}

impl Analyst {
    /// Returns an analyst with the strongest player, ready for these rules.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder of tables cannot be used.
    pub fn new(tables: Option<&Path>, rules: Rules) -> Result<Analyst, SpecError> {
        let mut player = players::by_spec(&analyst_spec(tables))?;
        // A player without all of its resources still plays.
        let _ = player.prepare(rules);
        Ok(Analyst::with_player(player, tables, rules))
    }

    /// Returns an analyst with a prepared player of [`analyst_spec`].
    pub fn with_player(player: Box<dyn Player>, tables: Option<&Path>, rules: Rules) -> Analyst {
        let source = TablesSource::of_folder(tables.map(Path::to_owned));
        let tables = shared_tables(rules, &source);
        Analyst { player, tables }
    }

    /// Returns a warning that nobody has seen yet, such as of a damaged table file.
    pub fn take_warning(&mut self) -> Option<String> {
        self.player.take_warning()
    }

    /// Returns the player with its transposition table.
    pub fn into_player(self) -> Box<dyn Player> {
        self.player
    }

    /// Clears its transposition table, so that values do not depend on earlier searches.
    pub fn forget(&mut self) {
        self.player.new_game();
    }

    /// Searches the position of a game that is not over.
    pub fn think(&mut self, game: &Game, effort: Effort<'_>, multipv: usize) -> Choice {
        self.choose(game, effort.limits(multipv), effort.stop)
    }

    /// Like [`think`](Analyst::think), and tells the outcomes of ranked flips.
    pub fn rank(&mut self, game: &Game, effort: Effort<'_>, multipv: usize) -> Choice {
        let limits = Limits {
            outcomes: true,
            ..effort.limits(multipv)
        };
        self.choose(game, limits, effort.stop)
    }

    fn choose(&mut self, game: &Game, limits: Limits, stop: &Stop) -> Choice {
        let request = Request {
            game,
            among: None,
            limits,
            seed: 0,
            stop,
        };
        self.player.choose(&request, &mut |_| {})
    }

    /// Returns the best action, its value and line, in a game with a legal action.
    pub fn best(&mut self, game: &Game, effort: Effort<'_>) -> Candidate {
        let choice = self.think(game, effort, 1);
        let searched = || choice.score.map_or(Value::estimate(0.0), Value::of);
        Candidate {
            action: choice.action.to_string(),
            value: self.known(game.position()).unwrap_or_else(searched),
            line: steps(&choice.line),
        }
    }

    /// Returns the table value of a position, for the side to move.
    pub fn known(&self, position: &Position) -> Option<Value> {
        let tables = self.tables.as_ref()?.tables();
        let pieces = position.occupied().len() as u32;
        if !position.face_down().is_empty() || pieces > tables.pieces() {
            return None;
        }
        let known = tables.known(position)?;
        let kind = match known.wdl {
            Wdl::Win => Certainty::Win,
            Wdl::Draw => Certainty::Draw,
            Wdl::Loss => Certainty::Loss,
        };
        let end = tables.to_end(position).and_then(ToEnd::certain);
        let end = end.filter(|_| known.wdl != Wdl::Draw).map(u32::from);
        let known = Value::proven(kind, known.dtc.map(u32::from), ValueSource::Table);
        Some(known.ending_in(end))
    }

    /// Returns the exact value of a position for the side to move, expectations over face-down
    /// pieces included.
    fn exact(&self, game: &Game) -> Option<Value> {
        let (tables, position) = (self.tables.as_ref()?.tables(), game.position());
        let expected = || tables.expected(position).map(Value::estimate);
        self.known(position).or_else(|| {
            let few = position.occupied().len() as u32 <= tables.pieces();
            few.then(expected).flatten()
        })
    }

    /// Returns the value of a legal ply for the side that plays it, if it is exact.
    fn exact_after(&self, game: &Game, ply: Ply) -> Option<Value> {
        let mut next = game.clone();
        next.play(ply).ok()?;
        Some(over(&next).or_else(|| self.exact(&next))?.before())
    }

    /// Returns a ranked action as a candidate, and the outcomes if it is a flip that has them.
    /// The value of a flip is the average of its outcomes.
    pub fn rated(&self, game: &Game, ranked: &Ranked) -> (Candidate, Option<Flip>) {
        let searched = Value::of(ranked.score);
        let mut candidate = Candidate {
            action: ranked.action.to_string(),
            value: searched,
            line: steps(&ranked.line),
        };
        if !ranked.action.is_flip() {
            let exact = self.exact_after(game, ranked.action.into());
            candidate.value = exact.filter(|_| !searched.is_exact()).unwrap_or(searched);
            return (candidate, None);
        }
        let flip = self.ranked_flip(game, ranked);
        if let Some(flip) = &flip {
            candidate.take_average(flip);
        }
        (candidate, flip)
    }

    /// Returns the outcomes that the search told of a ranked flip.
    fn ranked_flip(&self, game: &Game, ranked: &Ranked) -> Option<Flip> {
        let square = ranked.action.from();
        let appearance = |reveal: Reveal| {
            let found = ranked.outcomes.iter().find(|o| o.piece == reveal.piece)?;
            let exact = self.exact_after(game, Ply::flip(square, reveal.piece));
            let value = exact.unwrap_or_else(|| Value::of(found.score));
            Some(Appearance::of(reveal, value))
        };
        let appearances: Option<Vec<_>> = game.position().reveals().map(appearance).collect();
        Some(Flip::of(square, appearances?))
    }

    /// Returns the value of a legal ply for the side that plays it, and the line after it.
    pub fn after(&mut self, game: &Game, ply: Ply, effort: Effort<'_>) -> (Value, Vec<Step>) {
        let mut next = game.clone();
        if next.play(ply).is_err() {
            return (Value::estimate(0.0), Vec::new());
        }
        if let Some(value) = over(&next) {
            return (value.before(), Vec::new());
        }
        let best = self.best(&next, effort);
        let value = self.exact(&next).unwrap_or(best.value);
        (value.before(), best.line)
    }

    /// Returns the outcomes of flipping a face-down piece; they share the effort.
    pub fn flip(&mut self, game: &Game, square: Square, effort: Effort<'_>) -> Flip {
        let reveals: Vec<_> = game.position().reveals().collect();
        let share = effort.shared(reveals.len());
        let mut appearances = Vec::with_capacity(reveals.len());
        for reveal in reveals {
            let ply = Ply::flip(square, reveal.piece);
            let value = self.after(game, ply, share).0;
            appearances.push(Appearance::of(reveal, value));
        }
        Flip::of(square, appearances)
    }

    /// Returns the value of an action for the side to move, the outcomes of a flip, and the line.
    pub fn value(
        &mut self,
        game: &Game,
        action: Action,
        effort: Effort<'_>,
    ) -> (Value, Option<Flip>, Vec<Step>) {
        let first = Step {
            action: action.to_string(),
            expected: None,
        };
        if action.is_flip() {
            let flip = self.flip(game, action.from(), effort);
            let expected = Some(flip.value);
            let line = vec![Step { expected, ..first }];
            return (Value::estimate(flip.value), Some(flip), line);
        }
        let (value, rest) = self.after(game, action.into(), effort);
        let line = std::iter::once(first).chain(rest).collect();
        (value, None, line)
    }
}

/// Returns the spec of the analyst's player.
pub fn analyst_spec(tables: Option<&Path>) -> String {
    let spec = format!("champion:hash={HASH_MEBIBYTES}");
    match tables {
        None => spec,
        Some(folder) => format!("{spec},tables={}", folder.display()),
    }
}

/// Returns the average of outcomes, weighted by their chances.
pub fn average(appearances: &[Appearance]) -> f64 {
    appearances.iter().map(|a| a.chance * a.value).sum()
}

/// Returns the value of a finished game for the side to move.
pub fn over(game: &Game) -> Option<Value> {
    let outcome = game.outcome()?;
    let kind = match outcome.winner() {
        None => Certainty::Draw,
        Some(winner) if Some(winner) == game.position().turn() => Certainty::Win,
        Some(_) => Certainty::Loss,
    };
    let plies = (kind != Certainty::Draw).then_some(0);
    Some(Value::proven(kind, plies, ValueSource::Rules))
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Position;

    fn effort(stop: &Stop) -> Effort<'_> {
        Effort {
            nodes: 2_000,
            time: None,
            stop,
        }
    }

    #[test]
    fn a_flip_is_the_average_of_what_may_appear() {
        let stop = Stop::new();
        // The last face-down piece is the red king, which wins.
        let game = Game::from_text("?3/4/4/4/4/4/4/G2g r K 0 0", Rules::OLYMPIAD).unwrap();
        let mut analyst = Analyst::new(None, Rules::OLYMPIAD).unwrap();
        let flip = analyst.flip(&game, "a8".parse().unwrap(), effort(&stop));
        assert_eq!(flip.appearances.len(), 1);
        assert_eq!(flip.appearances[0].piece, 'K');
        assert_eq!(flip.value, flip.appearances[0].value);
        assert!(flip.value > 0.5, "{flip:?}");
    }

    #[test]
    fn the_end_of_the_game_is_worth_what_the_rules_say() {
        let stop = Stop::new();
        let game = Game::from_text("4/4/4/4/4/4/4/Kg2 r - 0 0", Rules::OLYMPIAD).unwrap();
        let mut analyst = Analyst::new(None, Rules::OLYMPIAD).unwrap();
        let (value, flip, line) = analyst.value(&game, "a1-b1".parse().unwrap(), effort(&stop));
        assert_eq!(
            value,
            Value::proven(Certainty::Win, Some(1), ValueSource::Rules)
        );
        assert_eq!((flip, line.len()), (None, 1));
        assert_eq!(over(&Game::new(Position::start(), Rules::OLYMPIAD)), None);
    }
}
