//! What materials of many pieces are worth, by estimates.

use std::collections::HashMap;

use anqi_rules::random::{shuffle, split_mix};
use anqi_rules::{Color, Content, Game, Piece, Ply, Position, Rules, Setup, Square};
use anqi_search::evaluation::Evaluator;
use anqi_search::players::by_spec;
use anqi_search::score::ESTIMATE_BOUND;
use anqi_search::{Limits, Player, Request, Stop};
use anqi_tablebase::classes::Material;

use super::lattice::oriented;
use crate::training::example::{BestAction, Example};

/// A game: the number of its file, and its own.
pub type GameId = (usize, u32);

/// Results of games by material, each game once.
#[derive(Clone, Debug, Default)]
pub struct Records {
    sums: HashMap<Material, Sum>,
    last: Option<(GameId, Material)>,
}

/// Games with a material, and their results for its red side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sum {
    /// How many games.
    pub games: u32,
    /// Won less lost.
    pub balance: i32,
}

impl Sum {
    /// Returns the mean result.
    pub fn worth(self) -> f64 {
        f64::from(self.balance) / f64::from(self.games.max(1))
    }
}

/// Returns whether the material of a position stands: no capture is the best action.
pub fn is_quiet(example: &Example) -> bool {
    example.best != BestAction::Capture
}

/// Returns the material of a position, face-down pieces included.
pub fn material_of(position: &Position) -> Material {
    Piece::all().fold(Material::empty(), |set, piece| {
        (0..position.living_of(piece)).fold(set, |set, _| set.with(piece))
    })
}

/// Returns the result of a position's game for red.
pub fn red_result(example: &Example) -> i32 {
    let sign = i32::from(example.result.sign());
    if example.position.turn() == Some(Color::Black) {
        -sign
    } else {
        sign
    }
}

impl Records {
    /// Adds a position, if it is quiet and its game has not had its material before.
    ///
    /// Positions come game by game, in the order of play.
    pub fn add(&mut self, game: GameId, example: &Example) {
        if !is_quiet(example) {
            return;
        }
        let (set, is_swapped) = oriented(&material_of(&example.position));
        if self.last == Some((game, set)) {
            return;
        }
        self.last = Some((game, set));
        let result = red_result(example);
        let sum = self.sums.entry(set).or_default();
        sum.games += 1;
        sum.balance += if is_swapped { -result } else { result };
    }

    /// Iterates over the oriented materials that occurred, in no order.
    pub fn sums(&self) -> impl Iterator<Item = (Material, Sum)> + '_ {
        self.sums.iter().map(|(&set, &sum)| (set, sum))
    }
}

/// A number that differs from material to material, to begin random choices with.
fn seed_of(set: &Material) -> u64 {
    let counts = Piece::all().map(|piece| set.count(piece) as u64 + 1);
    counts.fold(1, |mut state, count| {
        state = state.wrapping_mul(37).wrapping_add(count);
        split_mix(&mut state)
    })
}

/// Lays the pieces of a material face up on random squares; the same state gives the same position.
fn placed(set: &Material, turn: Color, state: &mut u64) -> Position {
    let mut squares: Vec<Square> = Square::all().collect();
    shuffle(&mut squares, || split_mix(state));
    let mut setup = Setup {
        turn: Some(turn),
        ..Setup::default()
    };
    let pieces = set
        .kinds()
        .flat_map(|(piece, count)| std::iter::repeat_n(piece, count));
    for (piece, square) in pieces.zip(squares) {
        setup.board[square.index()] = Content::FaceUp(piece);
    }
    setup
        .position()
        .expect("pieces of one game on different squares are a position")
}

/// Returns the static evaluation of a material for red, between −1 and 1: the mean over this many
/// random positions with either side to move.
pub fn evaluated(set: &Material, positions: u32, evaluator: &mut Evaluator) -> f64 {
    let mut state = seed_of(set);
    let mut sum = 0;
    for _ in 0..positions {
        for turn in Color::ALL {
            let value = evaluator.value(&placed(set, turn, &mut state));
            sum += i64::from(if turn == Color::Red { value } else { -value });
        }
    }
    sum as f64 / f64::from(2 * positions.max(1)) / f64::from(ESTIMATE_BOUND)
}

/// Returns the worth of a material by games of a player with itself from this many random positions
/// with either side to move, and its standard error.
///
/// # Panics
///
/// Panics if the player is not built in.
pub fn played(set: &Material, positions: u32, player: &str, nodes: u64) -> (f64, f64) {
    let mut player = by_spec(player).expect("a built-in player");
    let mut state = seed_of(set);
    let mut results = Vec::new();
    for _ in 0..positions {
        for turn in Color::ALL {
            let start = placed(set, turn, &mut state);
            results.push(f64::from(result(start, &mut *player, nodes)));
        }
    }
    let count = results.len().max(2) as f64;
    let mean = results.iter().sum::<f64>() / count;
    let squares: f64 = results.iter().map(|result| (result - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0) / count).sqrt())
}

/// Plays a game out; returns its result for red.
fn result(start: Position, player: &mut dyn Player, nodes: u64) -> i8 {
    let mut game = Game::new(start, Rules::OLYMPIAD);
    if let Err(error) = player.prepare(Rules::OLYMPIAD) {
        eprintln!("lab: {error}");
    }
    player.new_game();
    let stop = Stop::new();
    loop {
        if let Some(outcome) = game.outcome() {
            return match outcome.winner() {
                Some(Color::Red) => 1,
                Some(Color::Black) => -1,
                None => 0,
            };
        }
        let request = Request {
            game: &game,
            among: None,
            limits: Limits {
                nodes: Some(nodes),
                ..Limits::NONE
            },
            seed: game.position().key(),
            stop: &stop,
        };
        let action = player.choose(&request, &mut |_| {}).action;
        game.play(Ply {
            action,
            reveal: None,
        })
        .expect("players choose legal actions");
    }
}
