//! Searches with the champion's settings, and small games for them.

use crate::positions::sparse_position;
use anqi_rules::{Action, Game, Ply, Rules};
use anqi_search::evaluation::Evaluation;
use anqi_search::thinking::{Task, Thought};
use anqi_search::threads::think;
use anqi_search::transposition::Table;
use anqi_search::tree::Settings;
use anqi_search::{Limits, Stop};
use anqi_tablebase::distil::EmbeddedValues;
use anqi_tablebase::{Endgames, Tables};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::num::NonZeroU32;

/// The champion's settings without those whose values depend on the order of the search.
pub const PLAYING: Settings = Settings {
    reductions: false,
    futility: None,
    late_moves: None,
    guess_depth: None,
    ..Settings::FULL
};

/// What a search may choose from and use.
#[derive(Clone, Copy, Default)]
pub struct Aids<'a> {
    pub among: Option<&'a [Action]>,
    pub table: Option<&'a Table>,
    pub endgames: Option<&'a Tables>,
    pub root_endgames: Option<&'a dyn Endgames>,
    pub carried: Option<EmbeddedValues>,
}

pub fn search(game: &Game, settings: Settings, limits: Limits, aids: Aids<'_>) -> Thought {
    let stop = Stop::new();
    let task = Task {
        game,
        among: aids.among,
        settings,
        limits,
        seed: 1,
        stop: &stop,
        table: aids.table,
        endgames: aids.endgames,
        root_endgames: aids.root_endgames,
        carried: aids.carried,
        evaluation: Evaluation::built_in(),
        delays: None,
        threads: 1,
    };
    think(&task, |_, _| {})
}

pub fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::NONE
    }
}

pub fn value(game: &Game, settings: Settings, depth: u32, aids: Aids<'_>) -> i32 {
    search(game, settings, to_depth(depth), aids).best[0]
        .found
        .value
}

/// Small positions under these rules, this many plies before the quiet limit, reached by
/// moves to and fro, so that positions repeat.
pub fn games(
    count: usize,
    seed: u64,
    rules: &[Rules],
    least_left: u32,
    most_left: u32,
) -> Vec<Game> {
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    let mut games = Vec::new();
    while games.len() < count {
        let rules = rules[games.len() % rules.len()];
        let mut setup = sparse_position(&mut chance);
        let left = chance.random_range(least_left..=most_left);
        setup.quiet = rules
            .quiet_limit
            .map_or(0, NonZeroU32::get)
            .saturating_sub(left);
        setup.ply = setup.quiet + 1;
        let Ok(position) = setup.position() else {
            continue;
        };
        let mut game = Game::new(position, rules);
        for _ in 0..chance.random_range(0..8) {
            quiet_ply(&mut game, &mut chance);
        }
        if game.outcome().is_none() && game.position().actions().len() > 1 {
            games.push(game);
        }
    }
    games
}

/// Plays a quiet move if there is one, usually the reversal of the side's last one.
pub fn quiet_ply(game: &mut Game, chance: &mut Pcg64Mcg) {
    if game.outcome().is_some() {
        return;
    }
    let position = *game.position();
    let actions = position.actions().into_iter();
    let quiet: Vec<Action> = actions
        .filter(|a| !a.is_flip() && position.piece_at(a.to()).is_none())
        .collect();
    let last = game.plies().iter().rev().nth(1).map(|ply| ply.action);
    let back = last.map(|action| Action::step(action.to(), action.from()));
    let back = back.filter(|back| quiet.contains(back) && chance.random_bool(0.8));
    let any = (!quiet.is_empty()).then(|| quiet[chance.random_range(0..quiet.len())]);
    if let Some(action) = back.or(any) {
        game.play(Ply::from(action)).expect("a legal move");
    }
}

pub fn count(debug: usize, release: usize) -> usize {
    if cfg!(debug_assertions) {
        debug
    } else {
        release
    }
}
