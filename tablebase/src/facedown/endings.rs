//! Phases, solved when they are first needed and cached within a memory limit.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use anqi_rules::{Color, Convention, Position, Repetition, Rules};

use super::exits::{Exits, Next};
use super::face_up::FaceUp;
use super::key::{MOST_PIECES, PhaseKey};
use super::levels;
use super::phase::{MOST_FACE_DOWN, Phase};
use super::placement::Placement;
use crate::fraction::Fraction;
use crate::solve::{DistanceOverflow, Wdl};

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
    /// perpetual chasing may take the defence from the other side. By the convention of a course flips do not
    /// clear the counter and a side without pieces plays on: no expectation is certain.
    pub fn holds_under(&self, rules: &Rules, quiet: u32) -> bool {
        if matches!(rules.repetition, Repetition::ChaseBan { .. })
            || rules.convention == Convention::Course
        {
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
    /// A file that holds the value is damaged; the text names it.
    #[error("{0}")]
    Damaged(String),
}

/// Expectations that are kept elsewhere, such as in files.
pub trait KeptExpectations: fmt::Debug + Send + Sync {
    /// Returns the most pieces, face up and face down, that a position may have to be kept.
    fn pieces(&self) -> u32;

    /// Returns the expectation of a position with both colours, `None` if it is not kept. Without face-down
    /// pieces it has more than are solved on the spot.
    ///
    /// # Errors
    ///
    /// Fails with what is wrong where it should be.
    fn kept(&self, position: &Position) -> Result<Option<Expectation>, String>;
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
    /// Read before anything is solved.
    elsewhere: Option<Box<dyn KeptExpectations>>,
}

#[derive(Debug, Default)]
struct Kept {
    by_key: HashMap<PhaseKey, Entry>,
    bytes: usize,
}

/// What is solved for one key.
#[derive(Clone, Debug)]
enum Solution {
    Phase(Arc<Phase>),
    FaceUp(FaceUp),
}

#[derive(Debug)]
struct Entry {
    solution: Solution,
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
            elsewhere: None,
        }
    }

    /// Returns the same endings with expectations from elsewhere, which need not be solved.
    #[must_use]
    pub fn with(mut self, elsewhere: Box<dyn KeptExpectations>) -> Endings {
        self.elsewhere = Some(elsewhere);
        self
    }

    /// Returns the most pieces, face up and face down, that a position may have.
    pub fn pieces(&self) -> u32 {
        let kept = self.elsewhere.as_ref().map_or(0, |kept| kept.pieces());
        self.pieces.max(kept)
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
    /// Fails if there are too many pieces, no colours yet, if a distance does not fit, or if the
    /// file that should hold the value is damaged.
    pub fn known(&self, position: &Position) -> Result<Expectation, Refused> {
        let turn = position.turn().ok_or(Refused::NotBegun)?;
        if let Some(loser) = position.annihilated() {
            return Ok(over(loser == turn));
        }
        let found = position.occupied().len() as u32;
        let is_kept = !position.face_down().is_empty() || found > self.pieces;
        if let Some(elsewhere) = self.elsewhere.as_ref().filter(|_| is_kept) {
            let kept = elsewhere.kept(position).map_err(Refused::Damaged)?;
            if let Some(expectation) = kept {
                return Ok(expectation);
            }
        }
        if found > self.pieces {
            let most = self.pieces;
            return Err(Refused::Pieces { found, most });
        }
        let solution = self.solution(PhaseKey::of(position))?;
        Ok(solution.read(&Placement::of(position), turn))
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
    pub fn phase(&self, key: PhaseKey) -> Result<Arc<Phase>, Refused> {
        match self.solution(key)? {
            Solution::Phase(phase) => Ok(phase),
            Solution::FaceUp(_) => panic!("{key:?} is not a phase with face-down pieces"),
        }
    }

    /// Returns the solution of a key, solved now if necessary.
    fn solution(&self, key: PhaseKey) -> Result<Solution, Refused> {
        if let Some(solution) = self.find(&key) {
            return Ok(solution);
        }
        let _alone = self.solving.lock().unwrap_or_else(PoisonError::into_inner);
        self.solved(key)
    }

    /// Solves the phase of a key and all phases after it; the caller holds the lock.
    fn solved(&self, key: PhaseKey) -> Result<Solution, Refused> {
        if let Some(solution) = self.find(&key) {
            return Ok(solution);
        }
        let solution = if key.face_down.is_empty() {
            Solution::FaceUp(FaceUp::solve(&key.face_up)?)
        } else {
            debug_assert!(key.face_down.len() <= MOST_FACE_DOWN);
            let exits = Exits::gather(&key, |key| match key {
                None => Ok(Next::Won),
                Some(key) => self.solved(key).map(Next::from),
            })?;
            Solution::Phase(levels::solve(key, &exits).into())
        };
        self.keep(key, solution.clone());
        Ok(solution)
    }

    fn find(&self, key: &PhaseKey) -> Option<Solution> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let entry = kept.by_key.get(key)?;
        entry.used.store(self.now(), Ordering::Relaxed);
        Some(entry.solution.clone())
    }

    /// Caches a solution; the least recently used ones make room.
    fn keep(&self, key: PhaseKey, solution: Solution) {
        let bytes = solution.bytes();
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
        let entry = Entry {
            solution,
            bytes,
            used,
        };
        kept.by_key.insert(key, entry);
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

impl Solution {
    fn bytes(&self) -> usize {
        match self {
            Solution::Phase(phase) => phase.bytes(),
            Solution::FaceUp(open) => open.bytes(),
        }
    }

    fn read(&self, placement: &Placement, turn: Color) -> Expectation {
        match self {
            Solution::Phase(phase) => Expectation {
                expected: phase.expected(placement, turn),
                plies: phase.plies(placement, turn),
                longest: phase.longest(),
            },
            Solution::FaceUp(open) => {
                let wdl = open.value(placement, turn);
                Expectation {
                    expected: wdl.into(),
                    plies: match wdl {
                        Wdl::Draw => 0,
                        Wdl::Win | Wdl::Loss => open.plies(placement, turn),
                    },
                    longest: open.longest(),
                }
            }
        }
    }
}

impl From<Solution> for Next {
    fn from(solution: Solution) -> Next {
        match solution {
            Solution::Phase(phase) => Next::Phase(phase),
            Solution::FaceUp(open) => Next::FaceUp(open),
        }
    }
}
