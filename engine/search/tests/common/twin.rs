//! The playing search as it is meant, without any pruning.
//!
//! Repetition, both limits, contempt, passes, the filters on flips and quiescence
//! are in it; windows, tables, ordering and reductions are not. It walks the whole
//! tree, so it is for small positions and few plies.

use anqi_rules::{Action, Color, Game, Piece, Position, Repetition, Rules, Square, SquareSet};
use anqi_search::evaluation::Evaluator;
use anqi_search::score::{Mixture, TABLE_WIN, UNPROVEN_BOUND, WIN};
use anqi_search::tree::Settings;
use anqi_tablebase::{Endgames, Tables, Wdl};

use std::num::NonZeroU32;

/// Estimates shrink within so many plies of the quiet limit.
const HORIZON: i32 = 40;

pub struct Twin<'a> {
    pub settings: Settings,
    pub endgames: Option<&'a Tables>,
    rules: Rules,
    evaluator: Evaluator,
    root_color: Option<Color>,
    /// Keys of the positions since the last capture or flip of the game, then of the line.
    keys: Vec<u64>,
    nodes: u64,
    most_nodes: u64,
}

/// Where in the tree.
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
            keys: game.quiet_keys().to_vec(),
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
        let actions = game.position().actions().into_iter();
        let values: Vec<_> = actions
            .map(|action| (action, self.action_value(game.position(), action, root)))
            .collect();
        (self.nodes < self.most_nodes).then_some(values)
    }

    /// The value of the game's position; `None` if the tree is too large.
    pub fn root_value(&mut self, game: &Game, depth: u32) -> Option<i32> {
        let values = self.action_values(game, depth)?;
        values.iter().map(|(_, value)| *value).max()
    }

    /// Whether an action leads to a position that has been before.
    pub fn repeats(&mut self, position: &Position, action: Action) -> bool {
        if action.is_flip() {
            return false;
        }
        let mut next = *position;
        let _ = next.step_unchecked(action);
        self.keys.push(next.key());
        let repeats = self.is_repeated(&next);
        self.keys.pop();
        repeats
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
            return -self.reached(&next, after);
        }
        after.flips += 1;
        if here.ply > 0 {
            after.depth -= self.settings.flip_cost as i32;
        }
        let mut mixture = Mixture::default();
        for (piece, count) in position.hidden() {
            let mut next = *position;
            let _ = next.flip_unchecked(action.from(), piece);
            let percent = self.settings.rare_outcome.map_or(0, NonZeroU32::get);
            let is_rare = count * 100 < percent * position.hidden().total();
            let after = Place {
                depth: after.depth - i32::from(is_rare),
                ..after
            };
            mixture.add(-self.reached(&next, after), count);
        }
        mixture.average()
    }

    fn reached(&mut self, position: &Position, place: Place) -> i32 {
        self.keys.push(position.key());
        let value = self.value(position, place);
        self.keys.pop();
        value
    }

    fn value(&mut self, position: &Position, here: Place) -> i32 {
        self.nodes += 1;
        if self.nodes > self.most_nodes {
            return 0;
        }
        if let Some((loser, _)) = position.loser() {
            let won = WIN - here.ply;
            return if Some(loser) == position.turn() {
                -won
            } else {
                won
            };
        }
        let limit = self.rules.quiet_limit.map(NonZeroU32::get);
        if limit.is_some_and(|limit| position.quiet() >= limit) || self.is_repeated(position) {
            return self.draw(position);
        }
        if let Some(value) = self.tabled(position, here.ply) {
            return value;
        }
        if here.depth <= 0 {
            return match self.settings.quiescence {
                true => self.captures_only(position, here.ply),
                false => self.estimate(position),
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
            values.push((-self.reached(&passed, after)).clamp(-UNPROVEN_BOUND, UNPROVEN_BOUND));
        }
        for action in position.actions() {
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
                // Whoever has just captured has not lost.
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

    /// What a capture gains if both sides go on capturing there as long as it pays, each
    /// with its least valuable piece.
    fn exchange(&mut self, position: &Position, capture: Action) -> i32 {
        let values = self.evaluator.piece_values(position);
        gain(position, capture, &values)
    }

    fn is_repeated(&self, position: &Position) -> bool {
        let here = self.keys.len() - 1;
        let reach = here.min(position.quiet() as usize);
        self.rules.repetition != Repetition::Never
            && (4..=reach).any(|back| self.keys[here - back] == position.key())
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
        let left = |limit: u32| limit as i32 - position.quiet() as i32;
        match self.rules.quiet_limit.map(NonZeroU32::get).map(left) {
            Some(left) if left < HORIZON => value * left.max(0) / HORIZON,
            _ => value,
        }
    }

    /// The face-down squares that may be flipped here.
    fn flips_tried(&mut self, position: &Position, here: Place) -> SquareSet {
        let settings = self.settings;
        let all = position.face_down();
        if settings
            .flip_limit
            .is_some_and(|most| here.flips >= most.get())
        {
            return SquareSet::EMPTY;
        }
        let least_depth = settings.flip_depth.map_or(0, NonZeroU32::get);
        if here.depth < least_depth as i32 {
            return SquareSet::EMPTY;
        }
        let Some(most) = settings.flip_squares.filter(|_| !all.is_empty()) else {
            return all;
        };
        if here.depth < 2 + settings.flip_cost as i32 {
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

/// What a flip promises: a third of each enemy beside that the piece could take, less
/// the piece where an enemy could take it, likewise for the other side's pieces.
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
