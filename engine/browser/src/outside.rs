//! What the module asks of its surroundings.

use std::fmt;
use std::time::Duration;

/// Something for the surroundings, with its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Post {
    /// A message to a connection.
    Say(u32, String),
    /// Work for the mind, with its number.
    Work(u32, String),
    /// The work with this number is to end early: at once, or as soon as it may.
    Stop(u32, Urgency),
    /// What the mind has found.
    Found(String),
    /// Why the mind has found nothing.
    Failed(String),
    /// How far the mind is.
    Progress(String),
    /// The answer to a direct request with this number.
    Answer(u32, String),
    /// A game that has changed, for the referee's storage alone: it has the deal.
    Keep(String),
    /// A line of UCI.
    Uci(String),
    /// A problem, for whoever looks after the site.
    Warning(String),
}

/// How soon work is to end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Urgency {
    /// Nobody waits for the worker.
    Soon,
    /// Somebody waits for the worker.
    Now,
}

/// The surroundings of the module.
///
/// The methods are called while a game is locked, so none of them may call back at once.
pub trait Outside: fmt::Debug + Send + Sync {
    /// Returns the time since any fixed moment; it never goes back.
    fn now(&self) -> Duration;

    /// Returns the seconds since the beginning of 1970.
    fn unix_seconds(&self) -> u64;

    /// Fills bytes with unpredictable numbers.
    ///
    /// # Errors
    ///
    /// Returns an error if there are none.
    fn random(&self, bytes: &mut [u8]) -> Result<(), String>;

    /// Takes something.
    fn post(&self, post: Post);
}
