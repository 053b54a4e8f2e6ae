//! The nodes that the champion's search saves against plain expectimax.
//!
//! Plain expectimax deepens ply by ply until its budget ends; the champion then searches the same position to the same
//! depth, with the same evaluation and every technique off that could change a value, and must find the same value.
//! The comparison counts all nodes up to the end of that depth, shallower iterations included, on both sides.
//!
//! The positions come from the middle of games between plain players, so that they stay the same when the champion
//! changes. The rules here have no draws, which plain expectimax does not see.

use std::time::Duration;

use anqi_rules::{Game, Position, Repetition, Rules};
use anqi_search::players::by_spec;
use anqi_search::spec::SpecError;
use anqi_search::{Limits, Player, Report, Request, Score, Stop};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use anqi_rulebooks::wander::{Temper, Wanderer};

/// The plain search, with the champion's linear evaluation.
pub const PLAIN: &str = "enhance:eval=full";
/// The champion with only techniques that cannot change a value.
pub const EXACT: &str = "champion:evaluation=linear,exact=on,tables=0";
/// The playing search without tables: its values differ, its nodes are for information.
pub const AS_PLAYED: &str = "champion:evaluation=linear,tables=0";
/// Techniques that can be switched off without changing a value.
pub const TECHNIQUES: [&str; 7] = [
    "star1=off",
    "star2=off",
    "chance-table=off",
    "leaf-flips=off",
    "hash=0",
    "killers=off",
    "aspiration=off",
];

/// The player of the games that supply the positions.
const GAMES_OF: &str = "enhance:depth=2";
/// The plies after which a position is taken.
const MIDDLE: std::ops::RangeInclusive<usize> = 20..=60;
/// Rules under which only the board ends a game.
const ENDLESS: Rules = Rules {
    quiet_limit: None,
    repetition: Repetition::Never,
    ..Rules::PAPER
};

/// Returns this many middle-game positions, each from a different game; the same seed gives the same ones.
///
/// # Errors
///
/// Fails if the player of the games is not known.
pub fn middle_games(count: usize, seed: u64) -> Result<Vec<Position>, SpecError> {
    let mut player = by_spec(GAMES_OF)?;
    let mut lengths = Pcg64::seed_from_u64(seed);
    let mut positions = Vec::new();
    for number in 0.. {
        if positions.len() >= count {
            break;
        }
        let plies = lengths.random_range(MIDDLE);
        positions.extend(middle_of_game(player.as_mut(), seed ^ number << 16, plies));
    }
    Ok(positions)
}

/// Returns the position after this many plies if it leaves a choice.
fn middle_of_game(player: &mut dyn Player, seed: u64, plies: usize) -> Option<Position> {
    let mut reveals = Wanderer {
        source: Pcg64::seed_from_u64(seed),
        temper: Temper::Even,
    };
    let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
    for _ in 0..plies {
        if game.outcome().is_some() {
            return None;
        }
        let stop = Stop::new();
        let request = Request {
            game: &game,
            among: None,
            limits: Limits::NONE,
            seed,
            stop: &stop,
        };
        let action = player.choose(&request, &mut |_| {}).action;
        let ply = reveals.carried_out(game.position(), action);
        game.play(ply).expect("players play legal actions");
    }
    let open = game.outcome().is_none() && game.position().actions().len() > 1;
    open.then(|| *game.position())
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Searched {
    /// The deepest finished iteration.
    pub depth: u32,
    /// Its value.
    pub score: Score,
    /// All nodes up to its end.
    pub nodes: u64,
    /// All time up to its end.
    pub time: Duration,
}

/// Searches a position with a player, within limits; `None` if it does not finish one iteration.
pub fn search(player: &mut dyn Player, position: &Position, limits: Limits) -> Option<Searched> {
    let game = Game::new(*position, ENDLESS);
    let stop = Stop::new();
    let request = Request {
        game: &game,
        among: None,
        limits,
        seed: 1,
        stop: &stop,
    };
    let mut last = None;
    player.prepare(ENDLESS).ok()?;
    player.new_game();
    player.choose(&request, &mut |report: &Report| {
        last = Some(Searched {
            depth: report.depth,
            score: report.score,
            nodes: report.nodes,
            time: report.elapsed,
        });
    });
    last
}

/// One position, searched by all players.
#[derive(Clone, Debug)]
pub struct ComparedPosition {
    /// The position.
    pub position: Position,
    /// Plain expectimax, as deep as its budget allowed.
    pub plain: Searched,
    /// The others, to the same depth, in order.
    pub others: Vec<Searched>,
}

/// Compares players with plain expectimax on a position, `None` if one of them finishes no iteration.
pub fn compare(
    plain: &mut dyn Player,
    others: &mut [Box<dyn Player>],
    position: &Position,
    budget: Limits,
) -> Option<ComparedPosition> {
    let plain = search(plain, position, budget)?;
    let limits = Limits {
        depth: Some(plain.depth),
        ..Limits::NONE
    };
    let searched = others
        .iter_mut()
        .map(|player| search(player.as_mut(), position, limits));
    Some(ComparedPosition {
        position: *position,
        plain,
        others: searched.collect::<Option<_>>()?,
    })
}

/// Returns the geometric mean of plain expectimax's nodes divided by those of one of the others.
pub fn mean_saving(compared: &[ComparedPosition], other: usize) -> f64 {
    mean_ratio(compared, |one| {
        one.plain.nodes as f64 / one.others[other].nodes as f64
    })
}

/// Returns the geometric mean of plain expectimax's time divided by that of one of the others.
pub fn mean_time_saving(compared: &[ComparedPosition], other: usize) -> f64 {
    let seconds = |searched: &Searched| searched.time.as_secs_f64().max(1e-9);
    mean_ratio(compared, |one| {
        seconds(&one.plain) / seconds(&one.others[other])
    })
}

fn mean_ratio(compared: &[ComparedPosition], ratio: impl Fn(&ComparedPosition) -> f64) -> f64 {
    let sum: f64 = compared.iter().map(|one| ratio(one).ln()).sum();
    (sum / compared.len().max(1) as f64).exp()
}
