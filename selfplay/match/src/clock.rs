//! The referee's clock of one side, and how long it waits for an answer.
//!
//! A side that answers after its time and a margin for communication forfeits on
//! time; a side that has still not answered after a further grace period has
//! stalled, and the referee stops waiting.

use std::time::Duration;

use crate::limits::TimeControl;

/// How strictly the referee keeps time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeTolerance {
    /// How much later than its time a side may answer.
    pub margin: Duration,
    /// How long the referee waits beyond that before it calls a side stalled.
    pub grace: Duration,
    /// How long the referee waits without a clock.
    pub without_clock: Duration,
}

impl Default for TimeTolerance {
    fn default() -> TimeTolerance {
        TimeTolerance {
            margin: Duration::from_millis(250),
            grace: Duration::from_secs(2),
            without_clock: Duration::from_secs(60),
        }
    }
}

/// The time one side has left in one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    control: Option<TimeControl>,
    left: Duration,
}

/// A side's remaining time, as reported to the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeLeft {
    /// No clock is in force.
    Unlimited,
    /// This much for each move.
    PerMove(Duration),
    /// This much for the rest of the game.
    Total {
        /// The time left.
        left: Duration,
        /// The increment after each move.
        increment: Duration,
    },
}

impl Clock {
    /// Starts the clock of a new game.
    pub fn new(control: Option<TimeControl>) -> Clock {
        let left_ms = match control {
            None => 0,
            Some(TimeControl::PerMove { move_ms }) => move_ms,
            Some(TimeControl::Total { total_ms, .. }) => total_ms,
        };
        Clock {
            control,
            left: Duration::from_millis(left_ms),
        }
    }

    /// Returns the time left.
    pub fn left(&self) -> TimeLeft {
        match self.control {
            None => TimeLeft::Unlimited,
            Some(TimeControl::PerMove { .. }) => TimeLeft::PerMove(self.left),
            Some(TimeControl::Total { increment_ms, .. }) => TimeLeft::Total {
                left: self.left,
                increment: Duration::from_millis(increment_ms),
            },
        }
    }

    /// Returns how long to wait for an answer before the side counts as stalled.
    pub fn deadline(&self, tolerance: &TimeTolerance) -> Duration {
        match self.control {
            None => tolerance.without_clock,
            Some(_) => self.left + tolerance.margin + tolerance.grace,
        }
    }

    /// Deducts the time of a move; the error is by how much it was late.
    pub fn spend(&mut self, elapsed: Duration, tolerance: &TimeTolerance) -> Result<(), Duration> {
        let Some(control) = self.control else {
            return Ok(());
        };
        if elapsed > self.left + tolerance.margin {
            return Err(elapsed - self.left);
        }
        if let TimeControl::Total { increment_ms, .. } = control {
            self.left = self.left.saturating_sub(elapsed) + Duration::from_millis(increment_ms);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRICT: TimeTolerance = TimeTolerance {
        margin: Duration::from_millis(10),
        grace: Duration::from_millis(100),
        without_clock: Duration::from_secs(9),
    };

    fn milliseconds(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn a_total_shrinks_and_grows_by_the_increment() {
        let mut clock = Clock::new(Some(TimeControl::Total {
            total_ms: 1000,
            increment_ms: 50,
        }));
        assert_eq!(clock.deadline(&STRICT), milliseconds(1110));
        assert_eq!(clock.spend(milliseconds(400), &STRICT), Ok(()));
        let left = TimeLeft::Total {
            left: milliseconds(650),
            increment: milliseconds(50),
        };
        assert_eq!(clock.left(), left);
        assert_eq!(
            clock.spend(milliseconds(655), &STRICT),
            Ok(()),
            "within the margin"
        );
        assert_eq!(
            clock.spend(milliseconds(61), &STRICT),
            Err(milliseconds(11))
        );
    }

    #[test]
    fn time_for_a_move_is_the_same_every_move() {
        let mut clock = Clock::new(Some(TimeControl::PerMove { move_ms: 100 }));
        for _ in 0..3 {
            assert_eq!(clock.spend(milliseconds(105), &STRICT), Ok(()));
            assert_eq!(clock.left(), TimeLeft::PerMove(milliseconds(100)));
        }
        assert_eq!(
            clock.spend(milliseconds(130), &STRICT),
            Err(milliseconds(30))
        );
    }

    #[test]
    fn without_a_clock_nobody_is_late() {
        let mut clock = Clock::new(None);
        assert_eq!(clock.spend(milliseconds(100_000), &STRICT), Ok(()));
        assert_eq!(clock.left(), TimeLeft::Unlimited);
        assert_eq!(clock.deadline(&STRICT), STRICT.without_clock);
    }
}
