//! Players of Chinese dark chess.
//!
//! **Owns** values, evaluation, search over decisions and chance, time management, and the
//! players made of them. **Must not know** text protocols, processes, files of games, or
//! how a match is run: the caller passes a [`Request`] and gets a [`Choice`].
//!
//! The parts, from the bottom up:
//!
//! - [`score`] defines values, [`clock`] when to stop, [`random`] reproducible choices.
//! - [`evaluation`] values positions without search.
//! - [`negamax`] searches moves only, [`expectimax`] moves and flips without pruning over
//!   chance: slow and obviously right, it is the oracle for every faster search. The paper's
//!   players combine these two with the flip policies in [`policy`].
//! - [`tree`] is the champion's search, over a [`transposition`] table and [`endgames`].
//! - [`deepening`] is iterative deepening, [`thinking`] applies it to the tree search
//!   (aspiration, several best actions), [`threads`] runs it on several threads.
//! - [`players`] turns a line of text such as `basic:policy=compare` into a
//!   [`Player`], the interface for sessions and referees. Its options are declared in
//!   [`parameters`], shared state is owned by [`resources`].
//!
//! # Examples
//!
//! A game between two players:
//!
//! ```
//! use anqi_rules::random::split_mix;
//! use anqi_rules::{Game, Position, Rules};
//! use anqi_search::{Limits, Request, Stop, players};
//!
//! let mut both = [players::by_spec("greedy")?, players::by_spec("random")?];
//! let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
//! let (seed, stop) = (42, Stop::new());
//! let mut state = seed; // of the generator that draws what flips reveal
//! while game.outcome().is_none() {
//!     let player = &mut both[game.plies().len() % 2];
//!     let limits = Limits::NONE;
//!     let request = Request { game: &game, among: None, limits, seed, stop: &stop };
//!     let choice = player.choose(&request, &mut |_| {});
//!     game.play_drawn(choice.action, || split_mix(&mut state))?;
//! }
//! println!("{} plies: {:?}", game.plies().len(), game.outcome());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `os` (default) adds clocks and threads; without it only nodes and depth
//! limit a player.

pub mod clock;
pub mod deepening;
pub mod endgames;
pub mod envelope;
pub mod evaluation;
pub mod expectimax;
pub mod negamax;
mod pace;
pub mod parameters;
pub mod player;
pub mod players;
pub mod policy;
pub mod random;
pub mod resources;
pub mod score;
pub mod spec;
pub mod thinking;
pub mod threads;
pub mod transposition;
pub mod tree;

pub use player::{
    Choice, Limits, LineStep, Player, PrepareError, Ranked, RankedOutcome, Report, Request, Stop,
    TimeLimit,
};
pub use score::Score;
