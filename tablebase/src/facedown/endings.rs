//! Phases, solved when they are first needed and cached within a memory limit.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use anqi_rules::{Color, Position, Repetition, Rules};

use super::exits::{Exits, Next};
use super::face_up::FaceUp;
use super::key::PhaseKey;
use super::levels;
use super::phase::{MOST_FACE_DOWN, Phase};
use super::placement::Placement;
use crate::fraction::Fraction;
use crate::solve::{DistanceOverflow, Wdl};

/// The most pieces, face up and face down, that are solved on the spot: more take minutes.
pub const MOST_PIECES: u32 = 5;

/// The value of a position with few pieces, face up or face down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// The expected result for the side to move in unlimited play: 1 for a win, -1 for a loss.
    pub expected: Fraction,
    /// Plies to the capture or flip (or to the end of the game) that the better side forces if it
    /// hurries and the other delays; zero if neither side is better.
    pub plies: u16,
    /// The longest such wait from here to the end of the game, whatever is played and whatever
    /// appears.
    pub longest: u32,
}

impl Expectation {
    /// Returns whether the expectation also holds under these rules after this many quiet plies: no
    /// wait for a capture or flip, here or later, reaches their limit.
    ///
    /// What one side can force then comes in time; a draw stays a draw. Draws by repetition
    /// change nothing: each move of the better side comes nearer to the exit. A ban on
    /// perpetual chasing may take the defence from the other side.
    pub fn holds_under(&self, rules: &Rules, quiet: u32) -> bool {
        if matches!(rules.repetition, Repetition::ChaseBan { .. }) {
            return false;
        }
        let limit = rules.quiet_limit;
        limit.is_none_or(|limit| quiet.saturating_add(self.longest) <= limit.get())
    }
}

/// Why the value of a position is not known.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// More pieces than are solved.
    #[error("{found} pieces, face up and face down, but at most {most} are solved on the spot")]
    Pieces {
        /// How many there are.
        found: u32,
        /// How many there may be.
        most: u32,
    },
    /// No side is to move yet.
    #[error("colours are not known before the first flip")]
    NotBegun,
    /// A distance does not fit.
    #[error(transparent)]
    Distance(#[from] DistanceOverflow),
}

/// All endings of up to some number of pieces, each solved when it is first needed.
///
/// # Examples
///
/// ```
/// use anqi_rules::Position;
/// use anqi_tablebase::facedown::Endings;
///
/// let endings = Endings::new(4, 64 << 20);
/// let position: Position = "4/3?/2?G/4/4/?3/4/4 b Ckc 0 40".parse()?;
/// assert_eq!(endings.known(&position)?.expected.to_string(), "2/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Endings {
    pieces: u32,
    /// Memory limit of the cache, in bytes.
    room: usize,
    kept: RwLock<Kept>,
    /// Held while solving, so that no two threads solve the same phase.
    solving: Mutex<()>,
    clock: AtomicU64,
}

#[derive(Debug, Default)]
struct Kept {
    by_key: HashMap<PhaseKey, Entry>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    next: Next,
    bytes: usize,
    /// When it was last used.
    used: AtomicU64,
}

impl Endings {
    /// Returns endings of up to `pieces` pieces (five at most), with a cache of about `room` bytes.
    pub fn new(pieces: u32, room: usize) -> Endings {
        Endings {
            pieces: pieces.min(MOST_PIECES),
            room,
            kept: RwLock::default(),
            solving: Mutex::new(()),
            clock: AtomicU64::new(0),
        }
    }

    /// Returns the most pieces, face up and face down, that a position may have.
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// Returns the size of the cache in bytes.
    pub fn bytes(&self) -> usize {
        self.kept
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .bytes
    }

    /// Returns the expectation of a position in unlimited play, whatever its quiet counter.
    ///
    /// # Errors
    ///
    /// Fails if there are too many pieces, no colours yet, or if a distance does not fit.
    pub fn known(&self, position: &Position) -> Result<Expectation, Refused> {
        let turn = position.turn().ok_or(Refused::NotBegun)?;
        if let Some(loser) = position.annihilated() {
            return Ok(over(loser == turn));
        }
        let found = position.occupied().len() as u32;
        if found > self.pieces {
            let most = self.pieces;
            return Err(Refused::Pieces { found, most });
        }
        let next = self.next(PhaseKey::of(position))?;
        Ok(read(&next, &Placement::of(position), turn))
    }

    /// Returns the solution of a phase with at least one piece face down and both colours in it.
    ///
    /// # Errors
    ///
    /// Fails if a distance does not fit.
    ///
    /// # Panics
    ///
    /// Panics if no piece is face down or a colour has no piece.
    pub fn phase(&self, key: PhaseKey) -> Result<std::sync::Arc<Phase>, Refused> {
        match self.next(key)? {
            Next::Phase(phase) => Ok(phase),
            Next::FaceUp(_) | Next::Won => panic!("{key:?} is not a phase with face-down pieces"),
        }
    }

    /// Returns the solution of a key, solved now if necessary.
    fn next(&self, key: PhaseKey) -> Result<Next, Refused> {
        if let Some(next) = self.find(&key) {
            return Ok(next);
        }
        let _alone = self.solving.lock().unwrap_or_else(PoisonError::into_inner);
        self.solved(key)
    }

    /// Solves the phase of a key and all phases after it; the caller holds the lock.
    fn solved(&self, key: PhaseKey) -> Result<Next, Refused> {
        if let Some(next) = self.find(&key) {
            return Ok(next);
        }
        let next = if key.face_down.is_empty() {
            Next::FaceUp(FaceUp::solve(&key.face_up)?)
        } else {
            debug_assert!(key.face_down.len() <= MOST_FACE_DOWN);
            let exits = Exits::gather(&key, |key| match key {
                None => Ok(Next::Won),
                Some(key) => self.solved(key),
            })?;
            Next::Phase(levels::solve(key, &exits).into())
        };
        self.keep(key, next.clone());
        Ok(next)
    }

    fn find(&self, key: &PhaseKey) -> Option<Next> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let entry = kept.by_key.get(key)?;
        entry.used.store(self.now(), Ordering::Relaxed);
        Some(entry.next.clone())
    }

    /// Caches a solution; the least recently used ones make room.
    fn keep(&self, key: PhaseKey, next: Next) {
        let bytes = match &next {
            Next::Won => 0,
            Next::Phase(phase) => phase.bytes(),
            Next::FaceUp(open) => open.bytes(),
        };
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        while kept.bytes + bytes > self.room {
            let oldest = kept.by_key.iter();
            let oldest = oldest.min_by_key(|(_, entry)| entry.used.load(Ordering::Relaxed));
            let Some(key) = oldest.map(|(key, _)| *key) else {
                break;
            };
            let entry = kept.by_key.remove(&key);
            kept.bytes -= entry.map_or(0, |entry| entry.bytes);
        }
        kept.bytes += bytes;
        let used = AtomicU64::new(self.now());
        kept.by_key.insert(key, Entry { next, bytes, used });
    }

    fn now(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::Relaxed)
    }
}

fn over(is_lost: bool) -> Expectation {
    Expectation {
        expected: if is_lost {
            -Fraction::ONE
        } else {
            Fraction::ONE
        },
        plies: 0,
        longest: 0,
    }
}

fn read(next: &Next, placement: &Placement, turn: Color) -> Expectation {
    let longest = next.longest();
    match next {
        Next::Won => over(true),
        Next::Phase(phase) => Expectation {
            expected: phase.expected(placement, turn),
            plies: phase.plies(placement, turn),
            longest,
        },
        Next::FaceUp(open) => {
            let wdl = open.value(placement, turn);
            Expectation {
                expected: wdl.into(),
                plies: match wdl {
                    Wdl::Draw => 0,
                    Wdl::Win | Wdl::Loss => open.plies(placement, turn),
                },
                longest,
            }
        }
    }
}
