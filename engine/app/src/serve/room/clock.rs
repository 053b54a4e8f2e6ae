//! The clocks of a game.

use crate::serve::wire::ClockSetting;
use std::time::{Duration, Instant};

/// The longest time that a clock can be set to, a day.
const MOST_MS: u64 = 86_400_000;

/// The time left to both seats, and when the running clock was started and held.
#[derive(Clone, Debug)]
pub struct Clock {
    setting: Option<Setting>,
    started: Option<Instant>,
    /// Since when the running clock stands still: its seat has answered.
    held: Option<Instant>,
}

#[derive(Clone, Debug)]
struct Setting {
    left: [Duration; 2],
    increment: Duration,
}

impl Clock {
    /// Returns stopped clocks; without a setting they only measure.
    pub fn new(setting: Option<ClockSetting>) -> Clock {
        let ms = |ms: u64| Duration::from_millis(ms.min(MOST_MS));
        Clock {
            setting: setting.map(|setting| Setting {
                left: [ms(setting.base_ms.max(1)); 2],
                increment: ms(setting.increment_ms),
            }),
            started: None,
            held: None,
        }
    }

    /// Starts the clock of the seat to move, if it does not run.
    pub fn start(&mut self, now: Instant) {
        self.started.get_or_insert(now);
    }

    /// Lets the running clock stand still until it is stopped: what follows is not its seat's time.
    pub fn hold(&mut self, now: Instant) {
        if self.runs() {
            self.held.get_or_insert(now);
        }
    }

    /// Stops it without counting the elapsed time.
    pub fn forget(&mut self) {
        self.started = None;
        self.held = None;
    }

    /// Stops it, and counts the elapsed time for a seat.
    pub fn stop(&mut self, seat: usize, now: Instant) -> Duration {
        let spent = self.running(now);
        self.forget();
        if let Some(setting) = &mut self.setting {
            setting.left[seat] = setting.left[seat].saturating_sub(spent);
        }
        spent
    }

    /// Adds the increment of a ply.
    pub fn add_increment(&mut self, seat: usize) {
        if let Some(setting) = &mut self.setting {
            setting.left[seat] += setting.increment;
        }
    }

    /// Returns whether it runs.
    pub fn runs(&self) -> bool {
        self.started.is_some()
    }

    /// Returns whether the time of its seat goes by.
    pub fn ticks(&self) -> bool {
        self.runs() && self.held.is_none()
    }

    /// Returns how long it has been running.
    pub fn running(&self, now: Instant) -> Duration {
        let now = self.held.unwrap_or(now);
        self.started
            .map_or(Duration::ZERO, |started| now.duration_since(started))
    }

    /// Returns the time left to a seat and the increment; `None` without clocks.
    pub fn left(
        &self,
        seat: usize,
        to_move: Option<usize>,
        now: Instant,
    ) -> Option<(Duration, Duration)> {
        let setting = self.setting.as_ref()?;
        let spent = match to_move == Some(seat) {
            true => self.running(now),
            false => Duration::ZERO,
        };
        Some((setting.left[seat].saturating_sub(spent), setting.increment))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_running_clock_loses_time() {
        let second = Duration::from_secs(1);
        let setting = ClockSetting {
            base_ms: 10_000,
            increment_ms: 500,
        };
        let mut clock = Clock::new(Some(setting));
        let begin = Instant::now();
        clock.start(begin);
        let later = begin + 3 * second;
        assert_eq!(clock.left(0, Some(0), later).unwrap().0, 7 * second);
        assert_eq!(clock.left(1, Some(0), later).unwrap().0, 10 * second);
        assert_eq!(clock.stop(0, later), 3 * second);
        clock.add_increment(0);
        assert_eq!(
            clock.left(0, Some(1), later).unwrap().0,
            7 * second + second / 2
        );
        clock.start(later);
        clock.forget();
        assert_eq!(
            clock.left(1, Some(1), later + second).unwrap().0,
            10 * second
        );
        assert!(Clock::new(None).left(0, None, later).is_none());
    }
}
