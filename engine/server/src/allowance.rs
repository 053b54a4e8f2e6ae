//! What one connection may ask for: its own rate, and that of its address.

use crate::bucket::{Bucket, Rate};
use crate::caller::Caller;
use anqi_desk::wire::{Code, Cost, Refusal, refuse};
use std::time::Instant;

/// Costly messages of one connection: more than a person who holds a key down.
const COSTLY: Rate = Rate {
    burst: 40.0,
    a_second: 40.0,
};

/// What a connection may still ask for.
#[derive(Debug)]
pub struct Allowance {
    caller: Caller,
    bucket: Bucket,
}

impl Allowance {
    /// Returns the full allowance of a caller.
    pub fn new(caller: Caller) -> Allowance {
        Allowance {
            caller,
            bucket: Bucket::new(COSTLY, Instant::now()),
        }
    }

    /// Spends one costly message of the connection.
    fn spend(&mut self) -> Result<(), Refusal> {
        if self.bucket.spend(Instant::now()) {
            return Ok(());
        }
        refuse(Code::TooFast, "too many costly messages; wait a little")
    }

    /// Spends one costly message of the connection and of its address.
    fn spend_both(&mut self) -> Result<(), Refusal> {
        self.spend()?;
        self.caller.check_message()
    }
}

impl anqi_desk::Caller for Allowance {
    fn pay(&mut self, cost: Cost) -> Result<(), Refusal> {
        match cost {
            Cost::Nothing => Ok(()),
            Cost::Hint => self.spend(),
            Cost::Work => self.spend_both(),
            Cost::Game => {
                self.spend_both()?;
                self.caller.check_create()
            }
            Cost::Rematch => {
                self.spend_both()?;
                self.caller.check_game()
            }
        }
    }
}
