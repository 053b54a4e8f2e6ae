//! What the desk needs from its surroundings.
//!
//! A server gives it threads, the system's clocks and random numbers; a page without a server gives it
//! workers, timers and the browser's. The desk itself starts nothing and asks no clock.

use crate::work::Job;
use std::fmt;
use std::time::Duration;

/// What is done at an alarm.
pub type Alarm = Box<dyn FnOnce() + Send>;

/// The surroundings of a desk.
///
/// The methods are called while a game is locked, so none of them may call back at once: a job or an
/// alarm comes later, or on another thread.
pub trait Host: fmt::Debug + Send + Sync {
    /// Returns the time since any fixed moment; it never goes back.
    fn now(&self) -> Duration;

    /// Returns the seconds since the beginning of 1970, `None` if they are not known.
    fn unix_seconds(&self) -> Option<u64>;

    /// Fills bytes with unpredictable numbers.
    ///
    /// # Errors
    ///
    /// Returns an error if there are none.
    fn random(&self, bytes: &mut [u8]) -> Result<(), String>;

    /// Takes a job, to be run when its turn comes.
    fn submit(&self, job: Job);

    /// Sets an alarm.
    fn after(&self, delay: Duration, alarm: Alarm);

    /// Hears that a game has changed, and may keep it as a text for [`Hub::restore`](crate::Hub::restore). The
    /// text has the deal: it belongs where no player reads it.
    fn keep(&self, _text: &dyn Fn() -> String) {}

    /// Tells whoever runs the desk of a problem, such as a damaged file.
    fn warn(&self, warning: &str);
}
