//! A rate limit for costly messages.

use crate::serve::wire::{Code, Refusal, refuse};
use std::time::Instant;

/// The burst of costly messages, and the number earned each second: more than a person who holds
/// a key down.
const A_SECOND: f64 = 40.0;

/// A token bucket of costly messages.
#[derive(Debug)]
pub(super) struct Allowance {
    left: f64,
    since: Instant,
}

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance {
            left: A_SECOND,
            since: Instant::now(),
        }
    }
}

impl Allowance {
    /// Spends one message.
    pub(super) fn spend(&mut self) -> Result<(), Refusal> {
        self.spend_at(Instant::now())
    }

    fn spend_at(&mut self, now: Instant) -> Result<(), Refusal> {
        let earned = now.duration_since(self.since).as_secs_f64() * A_SECOND;
        self.left = (self.left + earned).min(A_SECOND);
        self.since = now;
        if self.left < 1.0 {
            return refuse(Code::TooFast, "too many costly messages; wait a little");
        }
        self.left -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn an_allowance_is_spent_and_earned_again() {
        let mut allowance = Allowance::default();
        let now = Instant::now();
        let spent = (0..100).filter(|_| allowance.spend_at(now).is_ok()).count();
        assert_eq!(spent, A_SECOND as usize);
        assert!(allowance.spend_at(now + Duration::from_millis(60)).is_ok());
        assert!(allowance.spend_at(now + Duration::from_millis(61)).is_ok());
        assert!(allowance.spend_at(now + Duration::from_millis(62)).is_err());
    }
}
