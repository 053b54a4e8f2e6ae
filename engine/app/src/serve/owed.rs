//! The answer that a task of the pool owes its client. If the task panics, an error takes its
//! place, so that no client waits for ever.

use super::outbox::Outbox;
use super::wire::{Code, ServerMessage};
use anqi_search::Stop;
use std::sync::Arc;

/// An answer that is still owed.
#[derive(Debug)]
pub struct Owed {
    outbox: Outbox,
    re: Option<u64>,
    stop: Arc<Stop>,
    what: &'static str,
}

impl Owed {
    /// Watches over a task that answers the message with this number; `stop` is its flag.
    pub fn new(outbox: &Outbox, re: Option<u64>, stop: &Arc<Stop>, what: &'static str) -> Owed {
        Owed {
            outbox: outbox.clone(),
            re,
            stop: Arc::clone(stop),
            what,
        }
    }

    /// Ends the task with an error for its client, unless it was told to end.
    pub fn fail(&self, why: &str) {
        if self.stop.requested() {
            return;
        }
        self.stop.request();
        let message = ServerMessage::Error {
            code: Code::Internal,
            message: format!("the {} failed: {why}", self.what),
        };
        self.outbox.send(self.re, &message);
    }
}

impl Drop for Owed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.fail("a fault of the program");
        }
    }
}
