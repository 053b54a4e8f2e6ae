//! Time: a stopwatch, the share of a clock that one action may take, and scheduling delays.
//!
//! Without the feature `os` time is what the host tells ([`use_host_time`]); where it tells none, the
//! clock stands still and time limits do nothing.

#[cfg(not(feature = "os"))]
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// On the open board a total time is divided as if this many actions were left.
const ACTIONS_TO_GO: usize = 28;

/// Returns the time since any fixed moment.
pub type HostTime = fn() -> Duration;

#[cfg(not(feature = "os"))]
static HOST_TIME: OnceLock<HostTime> = OnceLock::new();

/// Lets time limits count by the host's clock; the first call counts.
#[cfg(not(feature = "os"))]
pub fn use_host_time(time: HostTime) {
    // A second clock would begin at another moment.
    let _ = HOST_TIME.set(time);
}

/// Changes nothing: with the feature `os` the system's clock counts.
#[cfg(feature = "os")]
pub fn use_host_time(_: HostTime) {}

/// Returns the host's time, zero without one.
#[cfg(not(feature = "os"))]
fn host_time() -> Duration {
    HOST_TIME.get().map_or(Duration::ZERO, |time| time())
}

/// A stopwatch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    #[cfg(feature = "os")]
    start: std::time::Instant,
    #[cfg(not(feature = "os"))]
    start: Duration,
}

impl Clock {
    /// Starts the stopwatch.
    pub(crate) fn start() -> Clock {
        Clock {
            #[cfg(feature = "os")]
            start: std::time::Instant::now(),
            #[cfg(not(feature = "os"))]
            start: host_time(),
        }
    }

    /// Returns the time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        #[cfg(feature = "os")]
        return self.start.elapsed();
        #[cfg(not(feature = "os"))]
        return host_time().saturating_sub(self.start);
    }
}

/// The share of a total time that one action may take with this many pieces face down.
///
/// Face-down pieces count one and a half actions each, so that the end of the game, where
/// thinking gains most, finds more time left.
pub fn share(left: Duration, increment: Duration, face_down: usize) -> Duration {
    let actions = (ACTIONS_TO_GO + face_down * 3 / 2) as u32;
    let share = left / actions + increment * 3 / 4;
    // However large the increment, never spend the whole clock on one action.
    share.min(left / 2)
}

/// The longest recent scheduling delay, shared by all searches of a process.
/// Every decision reduces it by an eighth.
#[derive(Debug, Default)]
pub struct Delays {
    nanos: AtomicU64,
}

impl Delays {
    /// Reduces the delay by an eighth and returns it.
    pub(crate) fn fade(&self) -> Duration {
        let rest = Duration::from_nanos(self.nanos.load(Ordering::Relaxed)) * 7 / 8;
        self.nanos.store(nanos(rest), Ordering::Relaxed);
        rest
    }

    pub(crate) fn note(&self, delay: Duration) {
        self.nanos.fetch_max(nanos(delay), Ordering::Relaxed);
    }
}

/// A delay as [`Delays`] stores it.
fn nanos(delay: Duration) -> u64 {
    delay.as_nanos().min(u128::from(u64::MAX)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_fade_and_the_longest_counts() {
        let delays = Delays::default();
        delays.note(Duration::from_millis(8));
        delays.note(Duration::from_millis(2));
        assert_eq!(delays.fade(), Duration::from_millis(7));
        assert!(delays.fade() < Duration::from_millis(7));
    }

    #[test]
    fn shares_never_exceed_half_the_clock() {
        let second = Duration::from_secs(1);
        assert!(share(second, Duration::ZERO, 0) <= second / 20);
        assert!(share(second / 10, second, 32) <= second / 20);
    }

    #[test]
    fn early_actions_take_smaller_shares() {
        let minute = Duration::from_secs(60);
        let share = |face_down| share(minute, Duration::ZERO, face_down);
        assert!(share(32) < share(31) && share(1) <= share(0));
        assert!(share(32) * 5 < share(0) * 2 && share(32) * 3 > share(0));
    }
}
