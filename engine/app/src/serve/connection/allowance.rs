//! A rate limit for costly messages.

use crate::serve::bucket::{Bucket, Rate};
use crate::serve::wire::{Code, Refusal, refuse};
use std::time::Instant;

/// Costly messages of one connection: more than a person who holds a key down.
const COSTLY: Rate = Rate {
    burst: 40.0,
    a_second: 40.0,
};

/// What a connection may still ask for.
#[derive(Debug)]
pub(super) struct Allowance(Bucket);

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance(Bucket::new(COSTLY, Instant::now()))
    }
}

impl Allowance {
    /// Spends one message.
    pub(super) fn spend(&mut self) -> Result<(), Refusal> {
        match self.0.spend(Instant::now()) {
            true => Ok(()),
            false => refuse(Code::TooFast, "too many costly messages; wait a little"),
        }
    }
}
