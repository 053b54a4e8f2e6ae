//! The players between their turns; their number is limited, which bounds the memory of all games
//! together.

use anqi_rules::Rules;
use anqi_search::spec::SpecError;
use anqi_search::{Player, players};
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most idle players, unless another number is asked for.
const IDLE_PLAYERS: usize = 12;

/// Idle players, by key.
pub struct IdlePlayers {
    most: usize,
    players: Mutex<VecDeque<(String, Box<dyn Player>)>>,
    warnings: Mutex<VecDeque<String>>,
}

impl Default for IdlePlayers {
    fn default() -> IdlePlayers {
        IdlePlayers::new(IDLE_PLAYERS)
    }
}

impl fmt::Debug for IdlePlayers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdlePlayers")
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Players think outside these locks, so a panic leaves nothing half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl IdlePlayers {
    /// Returns a place for this many players.
    pub fn new(most: usize) -> IdlePlayers {
        IdlePlayers {
            most,
            players: Mutex::default(),
            warnings: Mutex::default(),
        }
    }

    /// Takes the player with this key, or makes one.
    ///
    /// # Errors
    ///
    /// Returns an error if the spec is invalid.
    pub fn take(&self, key: &str, spec: &str, rules: Rules) -> Result<Box<dyn Player>, SpecError> {
        let kept = {
            let mut players = lock(&self.players);
            let place = players.iter().position(|(known, _)| known == key);
            place.and_then(|place| players.remove(place))
        };
        if let Some((_, player)) = kept {
            return Ok(player);
        }
        let mut player = players::by_spec(spec)?;
        // A player without all of its resources still plays.
        let _ = player.prepare(rules);
        Ok(player)
    }

    /// Keeps a player for its next turn, and its warnings; beyond the limit the oldest one is dropped.
    pub fn keep(&self, key: String, mut player: Box<dyn Player>) {
        lock(&self.warnings).extend(player.take_warning());
        let mut players = lock(&self.players);
        players.push_back((key, player));
        let gone = (players.len() > self.most).then(|| players.pop_front());
        drop(players);
        drop(gone);
    }

    /// Returns a warning of a player that nobody has seen yet.
    pub fn take_warning(&self) -> Option<String> {
        lock(&self.warnings).pop_front()
    }
}
