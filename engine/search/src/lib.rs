//! Players of Chinese dark chess.
//!
//! **Owns** values, evaluation, trees over decisions and chance, time, and the
//! players made of them. **Must not know** text protocols, processes, files of
//! games, or how a match is run: whoever asks gives a [`Request`] and gets a
//! [`Choice`].
//!
//! The parts, from plain to strong:
//!
//! - [`negamax`] looks at moves only, [`expectimax`] at moves and flips without
//!   any pruning over chance: slow and obviously right, it is the oracle for
//!   everything faster. The paper's players are built of these two and of the
//!   flip policies in [`policy`].
//! - [`players`] turns a line of text such as `basic:policy=compare` into a
//!   player; [`Player`] is all that sessions and referees know.
//!
//! The feature `os` (default) brings clocks and threads; without it a player
//! is limited by nodes and depth alone.

pub mod clock;
pub mod deepening;
pub mod endgames;
pub mod evaluate;
pub mod expectimax;
pub mod judge;
pub mod negamax;
pub mod player;
pub mod players;
pub mod policy;
pub mod random;
pub mod score;
pub mod spec;
pub mod star;
pub mod transposition;
pub mod workers;

pub use player::{
    Choice, Limits, LineStep, Player, PrepareError, Ranked, Report, Request, Stop, TimeLimit,
};
pub use score::Score;
