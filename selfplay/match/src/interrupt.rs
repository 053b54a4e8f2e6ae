//! Interrupting a match: first politely, then at once.
//!
//! The first interrupt lets the running pairs finish and starts no more; the
//! second stops the games in progress, whose pairs are played again when
//! the match is resumed. The state only ever becomes more urgent.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use anqi_search::Stop;

const FINISH_PAIRS: u8 = 1;
const STOP_NOW: u8 = 2;

/// How urgently a match is to end; shared by all its threads.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    level: Arc<AtomicU8>,
    thinking: Arc<Stop>,
}

impl Interrupt {
    /// Returns a state without any interrupt.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Raises the urgency by one step, and returns whether to stop at once.
    pub fn request(&self) -> bool {
        let raised = self.level.fetch_add(1, Ordering::SeqCst).saturating_add(1);
        if raised >= STOP_NOW {
            self.level.store(STOP_NOW, Ordering::SeqCst);
            self.thinking.request();
        }
        raised >= STOP_NOW
    }

    /// Returns whether no further pair is to be started.
    pub fn finish_pairs(&self) -> bool {
        self.level.load(Ordering::SeqCst) >= FINISH_PAIRS
    }

    /// Returns whether games in progress are to be abandoned.
    pub fn stop_now(&self) -> bool {
        self.level.load(Ordering::SeqCst) >= STOP_NOW
    }

    /// Returns the flag that ends the thinking of built-in players.
    pub fn thinking(&self) -> &Stop {
        &self.thinking
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urgency_rises_in_two_steps_and_stays() {
        let interrupt = Interrupt::new();
        let seen_by_a_worker = interrupt.clone();
        assert!(!seen_by_a_worker.finish_pairs());
        assert!(!interrupt.request());
        assert!(seen_by_a_worker.finish_pairs() && !seen_by_a_worker.stop_now());
        assert!(interrupt.request());
        assert!(interrupt.request(), "a third request changes nothing");
        assert!(seen_by_a_worker.stop_now() && seen_by_a_worker.thinking().requested());
    }
}
