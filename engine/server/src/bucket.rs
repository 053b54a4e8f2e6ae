//! A token bucket: a burst at once, then a fixed number a second.

use std::time::{Duration, Instant};

/// How much may be spent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rate {
    /// At once.
    pub burst: f64,
    /// Earned each second.
    pub a_second: f64,
}

/// What is left of a rate.
#[derive(Clone, Debug)]
pub struct Bucket {
    rate: Rate,
    left: f64,
    since: Instant,
}

impl Bucket {
    /// Returns a full bucket.
    pub fn new(rate: Rate, now: Instant) -> Bucket {
        Bucket {
            rate,
            left: rate.burst,
            since: now,
        }
    }

    /// Spends one, if there is one.
    pub fn spend(&mut self, now: Instant) -> bool {
        self.pay(1.0, now).is_ok()
    }

    /// Spends a number at once, if there are so many; the error is how long it takes to earn the rest.
    pub fn pay(&mut self, number: f64, now: Instant) -> Result<(), Duration> {
        let earned = now.saturating_duration_since(self.since).as_secs_f64() * self.rate.a_second;
        self.left = (self.left + earned).min(self.rate.burst);
        self.since = now;
        if self.left >= number {
            self.left -= number;
            return Ok(());
        }
        let seconds = (number - self.left) / self.rate.a_second;
        // Never, if nothing is earned.
        Err(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_spent_and_earned_again() {
        let rate = Rate {
            burst: 40.0,
            a_second: 40.0,
        };
        let now = Instant::now();
        let mut bucket = Bucket::new(rate, now);
        let spent = (0..100).filter(|_| bucket.spend(now)).count();
        assert_eq!(spent, 40);
        let at = |ms| now + Duration::from_millis(ms);
        assert!(bucket.spend(at(60)));
        assert!(bucket.spend(at(61)));
        assert!(!bucket.spend(at(62)));
        // More than there is costs nothing, and tells when there is enough.
        let wait = bucket.pay(21.0, at(62)).expect_err("not yet earned");
        assert!((500..520).contains(&wait.as_millis()), "{wait:?}");
        assert!(bucket.pay(21.0, at(61) + wait).is_err());
        assert!(bucket.pay(21.0, at(63) + wait).is_ok());
        // A long rest earns no more than a burst.
        let spent = (0..100).filter(|_| bucket.spend(at(60_000))).count();
        assert_eq!(spent, 40);
    }
}
