//! Won endings played out against perfect defence.
//!
//! A won ending must still be converted. A player gets random endings that the tables call won, as the winning side;
//! the tables defend, and the rules end the game. The right actions are known at every ply, so a failure comes with
//! its reason: the action that gave the win away, or, if none did, a draw by repetition or by the quiet limit.

mod defence;
mod draw;
mod play;

pub use defence::{best_defence, longest_defence};
pub use draw::{Ending, RandomEndings};
pub use play::{Attempt, Played, Slip, SlipKind, play_out};

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anqi_rules::{Position, Rules};
use anqi_search::players::by_spec;
use anqi_search::spec::SpecError;
use anqi_search::{Limits, Player, PrepareError, Request, Stop};
use anqi_tablebase::Tables;

/// The rules of these games.
pub const RULES: Rules = Rules::OLYMPIAD;

/// Why endings cannot be drawn or played.
#[derive(Debug, thiserror::Error)]
pub enum EndingsError {
    /// No table has the ending.
    #[error("no table for the ending {position}{}", damage.as_deref().map(|why| format!(": {why}")).unwrap_or_default())]
    Unknown {
        /// The ending.
        position: String,
        /// The damage of a table file, if any.
        damage: Option<String>,
    },
    /// The player's spec is wrong.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The player cannot prepare.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
}

impl EndingsError {
    fn unknown(position: &Position, tables: &Tables) -> EndingsError {
        EndingsError::Unknown {
            position: position.to_string(),
            damage: tables.damage().map(str::to_owned),
        }
    }
}

/// The attacker and its limits.
#[derive(Clone, Debug)]
pub struct Attacker {
    /// The player's spec.
    pub spec: String,
    /// The limits of each of its actions.
    pub limits: Limits,
    /// Seeds its random choices.
    pub seed: u64,
}

/// Plays all endings on this many threads; the results are in the order of the endings.
///
/// # Errors
///
/// Fails if there is no such player or a table is missing.
pub fn play_all(
    endings: &[Ending],
    attacker: &Attacker,
    tables: &Tables,
    jobs: usize,
) -> Result<Vec<Played>, EndingsError> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(endings.len()));
    let work = || -> Result<(), EndingsError> {
        let mut player = by_spec(&attacker.spec)?;
        while let Some((index, ending)) = take(&next, endings) {
            let played = attempt(player.as_mut(), ending, attacker, tables)?;
            let mut results = results.lock().expect("no thread panics with the list held");
            results.push((index, played));
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })?;
    let mut results = results
        .into_inner()
        .expect("no thread panics with the list held");
    results.sort_by_key(|(index, _)| *index);
    Ok(results.into_iter().map(|(_, played)| played).collect())
}

fn take<'a>(next: &AtomicUsize, endings: &'a [Ending]) -> Option<(usize, &'a Ending)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    endings.get(index).map(|ending| (index, ending))
}

fn attempt(
    player: &mut dyn Player,
    ending: &Ending,
    attacker: &Attacker,
    tables: &Tables,
) -> Result<Played, EndingsError> {
    player.prepare(RULES)?;
    player.new_game();
    play_out(&ending.position, RULES, tables, |game| {
        let stop = Stop::new();
        let request = Request {
            game,
            among: None,
            limits: attacker.limits,
            seed: attacker.seed,
            stop: &stop,
        };
        let choice = player.choose(&request, &mut |_| {});
        Attempt {
            action: choice.action,
            score: choice.score,
            depth: choice.depth,
        }
    })
}
