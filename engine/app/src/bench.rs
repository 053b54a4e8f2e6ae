//! The bench: a fixed piece of work whose node count is a signature.
//!
//! A player searches a fixed set of positions to a fixed depth on one thread.
//! Two builds with the same total of nodes search alike; nodes per second then
//! compare their speed.

use anqi_rules::{Action, Game, Rules};
use anqi_search::{Choice, Limits, Player, Request, Stop};
use std::time::{Duration, Instant};

/// The positions: openings, middlegames and endgames, some with the plies that led to them.
const POSITIONS: &str = include_str!("bench/positions.txt");
/// Seeds the player's random choices.
const SEED: u64 = 1;

/// The result of searching one position.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// Number in the set, from 1.
    pub number: usize,
    /// The chosen action.
    pub action: Action,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// The shortest time that is not shown as zero; a shorter one gives no rate.
const LEAST_TIME: Duration = Duration::from_micros(500);

/// The totals of the whole set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Total {
    /// Number of positions in the set.
    pub positions: usize,
    /// Positions visited by the search: the signature.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl Total {
    /// Returns nodes per second, `None` where the time is shown as 0.000 s.
    pub fn nodes_per_second(&self) -> Option<u64> {
        if self.time < LEAST_TIME {
            return None;
        }
        let nanos = self.time.as_nanos();
        let speed = (u128::from(self.nodes) * 1_000_000_000).checked_div(nanos)?;
        u64::try_from(speed).ok()
    }
}

/// Returns the games of the set; the last position of each is searched.
pub fn games() -> Vec<Game> {
    POSITIONS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            Game::from_text(line, Rules::OLYMPIAD)
                .expect("the bench positions are tested to be legal")
        })
        .collect()
}

/// Searches every position to `depth` with `player` and reports each result to `visit`.
///
/// # Errors
///
/// Returns the first error of `visit`.
pub fn run<E>(
    player: &mut dyn Player,
    depth: u32,
    mut visit: impl FnMut(&Measured) -> Result<(), E>,
) -> Result<Total, E> {
    let mut total = Total::default();
    for (index, game) in games().iter().enumerate() {
        let limits = Limits {
            depth: Some(depth),
            ..Limits::NONE
        };
        let (Choice { action, nodes, .. }, time) = look(player, game, limits);
        total.positions += 1;
        total.nodes += nodes;
        total.time += time;
        visit(&Measured {
            number: index + 1,
            action,
            nodes,
            time,
        })?;
    }
    Ok(total)
}

/// Resets the player, then searches the last position of a game with it.
fn look(player: &mut dyn Player, game: &Game, limits: Limits) -> (Choice, Duration) {
    if let Err(error) = player.prepare(game.rules()) {
        eprintln!("anqi: {error}");
    }
    player.new_game();
    let stop = Stop::new();
    let request = Request {
        game,
        among: None,
        limits,
        seed: SEED,
        stop: &stop,
    };
    let start = Instant::now();
    let choice = player.choose(&request, &mut |_| {});
    let elapsed = start.elapsed();
    crate::print_warning(player);
    (choice, elapsed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_search::players;
    use std::collections::HashSet;

    #[test]
    fn the_set_is_legal_unfinished_and_varied() {
        let games = games();
        assert!(games.len() >= 12);
        assert!(games.iter().all(|game| game.outcome().is_none()));
        let keys: HashSet<u64> = games.iter().map(|game| game.position().key()).collect();
        assert_eq!(keys.len(), games.len());
        let endings = games
            .iter()
            .filter(|game| game.position().hidden().is_empty());
        assert!(endings.count() >= 3);
    }

    #[test]
    fn the_same_player_gives_the_same_signature() {
        let signature = || {
            let mut player = players::by_spec(players::DEFAULT).unwrap();
            let mut actions = Vec::new();
            let total = run(player.as_mut(), 2, |measured| {
                actions.push(measured.action);
                Ok::<(), ()>(())
            });
            (total.unwrap().nodes, actions)
        };
        assert_eq!(signature(), signature());
    }
}
