//! The clocks of a game.
//!
//! Nothing here reads the time: a moment is a [`Duration`] since any fixed moment of the caller's.

use crate::Seat;
use std::time::Duration;

/// How much time a player has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// This much for each ply.
    PerMove(Duration),
    /// This much for the game.
    Total {
        /// The time at the start.
        base: Duration,
        /// The time added after each ply.
        increment: Duration,
    },
}

/// The time left to both seats, and when the running clock was started and held.
#[derive(Clone, Debug)]
pub struct Clock {
    control: Option<TimeControl>,
    left: [Duration; 2],
    started: Option<Duration>,
    /// Since when the running clock stands still: its seat has answered.
    held: Option<Duration>,
}

impl Clock {
    /// Returns stopped clocks; without a time control they only measure.
    pub fn new(control: Option<TimeControl>) -> Clock {
        let full = match control {
            None => Duration::ZERO,
            Some(TimeControl::PerMove(time)) => time,
            Some(TimeControl::Total { base, .. }) => base,
        };
        Clock {
            control,
            left: [full; 2],
            started: None,
            held: None,
        }
    }

    /// Returns stopped clocks with this much time left to each seat.
    pub fn with_left(control: Option<TimeControl>, left: [Duration; 2]) -> Clock {
        Clock {
            left,
            ..Clock::new(control)
        }
    }

    /// Starts the clock of the seat to move, if it does not run.
    pub fn start(&mut self, now: Duration) {
        self.started.get_or_insert(now);
    }

    /// Lets the running clock stand still until it is stopped: what follows is not its seat's time.
    pub fn hold(&mut self, now: Duration) {
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
    pub fn stop(&mut self, seat: Seat, now: Duration) -> Duration {
        let spent = self.running(now);
        self.forget();
        let left = &mut self.left[seat.index()];
        *left = left.saturating_sub(spent);
        spent
    }

    /// Gives a seat the time that a ply earns: the increment, or the time for its next ply.
    pub fn credit(&mut self, seat: Seat) {
        let left = &mut self.left[seat.index()];
        match self.control {
            None => {}
            Some(TimeControl::PerMove(time)) => *left = time,
            Some(TimeControl::Total { increment, .. }) => *left += increment,
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
    pub fn running(&self, now: Duration) -> Duration {
        let now = self.held.unwrap_or(now);
        let since = |started| now.saturating_sub(started);
        self.started.map_or(Duration::ZERO, since)
    }

    /// Returns the time left to a seat, `None` without a time control; `to_move` is the seat whose
    /// clock runs.
    pub fn left(&self, seat: Seat, to_move: Option<Seat>, now: Duration) -> Option<Duration> {
        self.control?;
        let spent = if to_move == Some(seat) {
            self.running(now)
        } else {
            Duration::ZERO
        };
        Some(self.left[seat.index()].saturating_sub(spent))
    }

    /// Returns the time added after each ply.
    pub fn increment(&self) -> Duration {
        match self.control {
            Some(TimeControl::Total { increment, .. }) => increment,
            Some(TimeControl::PerMove(_)) | None => Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn only_the_running_clock_loses_time() {
        let mut clock = Clock::new(Some(TimeControl::Total {
            base: 10 * SECOND,
            increment: SECOND / 2,
        }));
        let (first, second) = (Seat::First, Seat::Second);
        let begin = 100 * SECOND;
        clock.start(begin);
        let later = begin + 3 * SECOND;
        assert_eq!(clock.left(first, Some(first), later), Some(7 * SECOND));
        assert_eq!(clock.left(second, Some(first), later), Some(10 * SECOND));
        assert_eq!(clock.stop(first, later), 3 * SECOND);
        clock.credit(first);
        let increased = 7 * SECOND + SECOND / 2;
        assert_eq!(clock.left(first, Some(second), later), Some(increased));
        clock.start(later);
        clock.forget();
        let left = clock.left(second, Some(second), later + SECOND);
        assert_eq!(left, Some(10 * SECOND));
        assert!(Clock::new(None).left(first, None, later).is_none());
    }

    #[test]
    fn time_for_a_ply_is_the_same_every_ply() {
        let mut clock = Clock::new(Some(TimeControl::PerMove(5 * SECOND)));
        for ply in 0..4 {
            let seat = Seat::after(ply);
            clock.start(SECOND);
            let left = clock.left(seat, Some(seat), 4 * SECOND);
            assert_eq!(left, Some(2 * SECOND));
            clock.stop(seat, 4 * SECOND);
            clock.credit(seat);
        }
    }
}
