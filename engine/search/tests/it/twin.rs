//! The slow twin of the playing search, without any pruning.
//!
//! It has repetition, both limits, contempt, passes, the filters on flips, quiescence and
//! the ban on chasing; it has no windows, tables, ordering or reductions. It walks the
//! whole tree, so it is for small positions and few plies.

use anqi_rules::{
    Action, Color, Convention, Game, Piece, Position, Precedence, Repetition, Rules, Square,
    SquareSet, WinReason,
};
use anqi_search::evaluation::Evaluator;
use anqi_search::score::{Mixture, TABLE_WIN, UNPROVEN_BOUND, WIN};
use anqi_search::tree::Settings;
use anqi_tablebase::{Endgames, Tables, Wdl};

use std::num::NonZeroU32;

/// Estimates shrink within this many plies of the quiet limit.
const HORIZON: i32 = 40;

pub struct Twin<'a> {
    pub settings: Settings,
    pub endgames: Option<&'a Tables>,
    rules: Rules,
    evaluator: Evaluator,
    root_color: Option<Color>,
    /// The positions of the game, then of the line, each with the action that led to it.
    stood: Vec<(Position, Option<Action>)>,
    nodes: u64,
    most_nodes: u64,
}

/// A place in the tree.
#[derive(Clone, Copy)]
struct Place {
    depth: i32,
    ply: i32,
    flips: u32,
}

impl<'a> Twin<'a> {
    pub fn new(settings: Settings, game: &Game, endgames: Option<&'a Tables>) -> Twin<'a> {
        Twin {
            settings,
            endgames,
            rules: game.rules(),
            evaluator: Evaluator::default(),
            root_color: game.position().turn(),
            stood: positions_of(game),
            nodes: 0,
            most_nodes: 60_000,
        }
    }

    /// The values of the root's actions; `None` if the tree is too large.
    pub fn action_values(&mut self, game: &Game, depth: u32) -> Option<Vec<(Action, i32)>> {
        self.nodes = 0;
        let root = Place {
            depth: depth as i32,
            ply: 0,
            flips: 0,
        };
        let actions = game.actions().into_iter();
        let values: Vec<_> = actions
            .map(|action| (action, self.action_value(game.position(), action, root)))
            .collect();
        (self.nodes < self.most_nodes).then_some(values)
    }

    /// The value of the game's position; `None` if the tree is too large.
    pub fn root_value(&mut self, game: &Game, depth: u32) -> Option<i32> {
        self.best_values(game, depth)?.into_iter().max()
    }

    /// The values of the actions that the search may choose among: a flip is given up for a move
    /// that is worth as much but for the margin.
    pub fn best_values(&mut self, game: &Game, depth: u32) -> Option<Vec<i32>> {
        let margin = self.settings.flip_margin as i32;
        let merit = |&(action, value): &(Action, i32)| {
            if action.is_flip() && value.abs() <= UNPROVEN_BOUND {
                (value - margin).max(-UNPROVEN_BOUND)
            } else {
                value
            }
        };
        let values = self.action_values(game, depth)?;
        let most = values.iter().map(merit).max();
        let best = values.iter().filter(|valued| Some(merit(valued)) == most);
        Some(best.map(|(_, value)| *value).collect())
    }

    /// Whether an action repeats a position.
    pub fn repeats(&mut self, position: &Position, action: Action) -> bool {
        if action.is_flip() {
            return false;
        }
        let mut next = *position;
        let _ = next.step_unchecked(action);
        self.stood.push((next, Some(action)));
        let repeats = self.is_repeated(&next);
        self.stood.pop();
        repeats
    }

    /// Whether an action is a chase that repeats a position.
    fn is_chase_back(&mut self, position: &Position, action: Action) -> bool {
        if !matches!(self.rules.repetition, Repetition::ChaseBan { .. }) || action.is_flip() {
            return false;
        }
        let mut next = *position;
        let _ = next.step_unchecked(action);
        self.stood.push((next, Some(action)));
        let last = self.stood.len() - 1;
        let is_chase = self.attacks(last) && !self.flees(last);
        let is_back = self.is_repeated(&next);
        self.stood.pop();
        is_chase && is_back
    }

    /// Whether a quiet ply attacks the piece that has just moved.
    fn attacks(&self, index: usize) -> bool {
        let (position, Some(action)) = self.stood[index] else {
            return false;
        };
        let before = index.checked_sub(1).and_then(|index| self.stood[index].1);
        let Some(before) = before.filter(|before| !before.is_flip() && !action.is_flip()) else {
            return false;
        };
        position.quiet_counter() > 0 && position.targets(action.to()).contains(before.to())
    }

    /// Whether a quiet ply moves the piece that the previous ply attacked.
    fn flees(&self, index: usize) -> bool {
        if index < 2 || self.stood[index].0.quiet_counter() == 0 || !self.attacks(index - 1) {
            return false;
        }
        let (now, chased) = (self.stood[index].1, self.stood[index - 2].1);
        now.zip(chased)
            .is_some_and(|(now, chased)| now.from() == chased.to())
    }

    fn action_value(&mut self, position: &Position, action: Action, here: Place) -> i32 {
        let mut after = Place {
            depth: here.depth - 1,
            ply: here.ply + 1,
            flips: here.flips,
        };
        if !action.is_flip() {
            let mut next = *position;
            let _ = next.step_unchecked(action);
            return -self.reached(&next, Some(action), after);
        }
        after.flips += 1;
        if here.ply > 0 {
            let settings = &self.settings;
            after.depth -= (settings.flip_cost + settings.flip_further * here.flips) as i32;
        }
        let mut mixture = Mixture::default();
        for (piece, count) in position.hidden() {
            let mut next = *position;
            let _ = next.flip_unchecked(action.from(), piece);
            mixture.add(-self.reached(&next, Some(action), after), count);
        }
        mixture.average()
    }

    fn reached(&mut self, position: &Position, by: Option<Action>, place: Place) -> i32 {
        self.stood.push((*position, by));
        let value = self.value(position, place);
        self.stood.pop();
        value
    }

    fn value(&mut self, position: &Position, here: Place) -> i32 {
        self.nodes += 1;
        if self.nodes > self.most_nodes {
            return 0;
        }
        let limit = self.rules.quiet_limit.map(NonZeroU32::get);
        let at_limit = limit.is_some_and(|limit| position.quiet_counter() >= limit);
        if let Some((loser, reason)) = position.loser() {
            if at_limit
                && (reason == WinReason::NoLegalAction
                    || self.rules.convention == Convention::Course)
                && self.rules.precedence == Precedence::Draws
            {
                return self.draw(position);
            }
            let won = WIN - here.ply;
            return if Some(loser) == position.turn() {
                -won
            } else {
                won
            };
        }
        if at_limit || self.draws_by_repetition(position) {
            return self.draw(position);
        }
        if let Some(value) = self.tabled(position, here.ply) {
            return value;
        }
        if here.depth <= 0 {
            return if self.settings.quiescence {
                self.captures_only(position, here.ply)
            } else {
                self.estimate(position)
            };
        }
        let flips = self.flips_tried(position, here);
        let mut values = Vec::new();
        if flips != position.face_down() && self.settings.pass {
            let passed = position.passed();
            let after = Place {
                depth: here.depth - 3,
                ply: here.ply + 1,
                ..here
            };
            values
                .push((-self.reached(&passed, None, after)).clamp(-UNPROVEN_BOUND, UNPROVEN_BOUND));
        }
        let all = position.actions();
        let mut free = all.clone();
        free.retain(|action| !self.is_chase_back(position, *action));
        for action in if free.is_empty() { all } else { free } {
            if !action.is_flip() || flips.contains(action.from()) {
                values.push(self.action_value(position, action, here));
            }
        }
        let best = values.into_iter().max();
        best.unwrap_or_else(|| self.estimate(position))
    }

    fn captures_only(&mut self, position: &Position, ply: i32) -> i32 {
        self.nodes += 1;
        let mut best = self.estimate(position);
        for action in position.actions() {
            if action.is_flip() || position.piece_at(action.to()).is_none() {
                continue;
            }
            if self.settings.exchange && self.exchange(position, action) < 0 {
                continue;
            }
            let mut next = *position;
            let _ = next.step_unchecked(action);
            let value = match next.loser() {
                // Only by a course's rules can the side that has just captured lose.
                Some((loser, _)) if Some(loser) == position.turn() => (ply + 1) - WIN,
                Some(_) => WIN - (ply + 1),
                None => match self.tabled(&next, ply + 1) {
                    Some(value) => -value,
                    None => -self.captures_only(&next, ply + 1),
                },
            };
            best = best.max(value);
        }
        best
    }

    /// The gain of a capture if both sides go on capturing there while it pays, each
    /// with its least valuable piece.
    fn exchange(&mut self, position: &Position, capture: Action) -> i32 {
        let values = self.evaluator.piece_values(position);
        gain(position, capture, &values)
    }

    fn is_repeated(&self, position: &Position) -> bool {
        let here = self.stood.len() - 1;
        let reach = here.min(position.quiet_counter() as usize);
        self.rules.repetition != Repetition::Never
            && (4..=reach).any(|back| self.stood[here - back].0.key() == position.key())
    }

    fn draws_by_repetition(&self, position: &Position) -> bool {
        let last = self.stood.len() - 1;
        let is_ordinary = self.attacks(last) == self.flees(last);
        let bans = matches!(self.rules.repetition, Repetition::ChaseBan { .. });
        self.is_repeated(position) && (is_ordinary || !bans)
    }

    fn draw(&self, position: &Position) -> i32 {
        let contempt = self.settings.contempt;
        if position.turn() == self.root_color {
            -contempt
        } else {
            contempt
        }
    }

    fn tabled(&self, position: &Position, ply: i32) -> Option<i32> {
        let tables = self.endgames?;
        if !position.face_down().is_empty() {
            return None;
        }
        let known = tables.known(position)?;
        let won = TABLE_WIN - ply - i32::from(known.dtc.unwrap_or(0));
        Some(match known.wdl {
            Wdl::Win => won,
            Wdl::Draw => self.draw(position),
            Wdl::Loss => -won,
        })
    }

    fn estimate(&mut self, position: &Position) -> i32 {
        let value = self.evaluator.value(position);
        let left = |limit: u32| limit as i32 - position.quiet_counter() as i32;
        match self.rules.quiet_limit.map(NonZeroU32::get).map(left) {
            Some(left) if left < HORIZON => value * left.max(0) / HORIZON,
            _ => value,
        }
    }

    /// The face-down squares that may be flipped here.
    fn flips_tried(&mut self, position: &Position, here: Place) -> SquareSet {
        let settings = self.settings;
        let all = position.face_down();
        let further = settings.flip_further * here.flips;
        if let Some(least) = settings.flip_depth
            && here.depth < (least.get() + further) as i32
        {
            return SquareSet::EMPTY;
        }
        let Some(most) = settings.flip_squares.filter(|_| !all.is_empty()) else {
            return all;
        };
        if here.depth < (2 + settings.flip_cost + further) as i32 {
            return SquareSet::EMPTY;
        }
        let face_up = |square: &Square| position.piece_at(*square).is_some();
        let is_touched = |square: Square| square.neighbours().into_iter().any(|s| face_up(&s));
        let (touched, alone): (Vec<Square>, Vec<Square>) =
            all.into_iter().partition(|square| is_touched(*square));
        let values = self.evaluator.piece_values(position);
        let mut ranked: Vec<(i32, Square)> = touched
            .into_iter()
            .map(|square| (-promise(position, square, &values), square))
            .collect();
        ranked.extend(alone.first().map(|square| (0, *square)));
        ranked.sort();
        ranked.truncate(most.get() as usize);
        ranked.into_iter().map(|(_, square)| square).collect()
    }
}

fn worth_on(position: &Position, square: Square, values: &[i32; 14]) -> i32 {
    position
        .piece_at(square)
        .map_or(0, |piece| values[piece.index()])
}

fn gain(position: &Position, capture: Action, values: &[i32; 14]) -> i32 {
    let mut next = *position;
    let _ = next.step_unchecked(capture);
    let back = next
        .actions()
        .into_iter()
        .filter(|a| !a.is_flip() && a.to() == capture.to());
    let worth_of = |a: &Action| worth_on(&next, a.from(), values);
    let least = back.min_by_key(|a| (worth_of(a), a.from()));
    let reply = least.map_or(0, |reply| gain(&next, reply, values).max(0));
    worth_on(position, capture.to(), values) - reply
}

/// All positions of a game, each with the action that led to it.
fn positions_of(game: &Game) -> Vec<(Position, Option<Action>)> {
    let mut position = *game.start();
    let mut stood = vec![(position, None)];
    for ply in game.plies() {
        let _ = position.play_unchecked(*ply);
        stood.push((position, Some(ply.action)));
    }
    stood
}

/// The promise of a flip: for each reveal, a third of each enemy beside it that our side could
/// capture, less our pieces that an enemy could capture.
fn promise(position: &Position, square: Square, values: &[i32; 14]) -> i32 {
    let us = position.turn().expect("below the root somebody moves");
    let beside = square.neighbours().into_iter();
    let beside: Vec<Piece> = beside.filter_map(|s| position.piece_at(s)).collect();
    let mut sum = 0;
    for (piece, count) in position.hidden() {
        for &other in beside.iter().filter(|other| other.color() != piece.color()) {
            let (mine, theirs) = if piece.color() == us {
                (piece, other)
            } else {
                (other, piece)
            };
            let gain = if theirs.role().captures(mine.role()) {
                -values[mine.index()]
            } else if mine.role().captures(theirs.role()) {
                values[theirs.index()] / 3
            } else {
                0
            };
            sum += gain * count as i32;
        }
    }
    sum
}
