//! The way back to a connection, which never blocks the sender.
//!
//! Games write to it under their lock, so writing must not block.

use crate::wire::{self, ServerMessage};
use std::fmt;
use std::sync::Arc;

/// Takes the messages to a connection.
pub type Sink = Arc<dyn Fn(String) + Send + Sync>;

/// The sender of messages to a connection.
#[derive(Clone)]
pub struct Outbox {
    sink: Sink,
    /// The number of the connection.
    pub connection: u64,
}

impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Outbox({})", self.connection)
    }
}

impl Outbox {
    /// Returns the outbox of a connection; numbers are unique among all connections of a desk.
    pub fn new(connection: u64, sink: Sink) -> Outbox {
        Outbox { sink, connection }
    }

    /// Sends a message, as an answer to the message with this number.
    pub fn send(&self, re: Option<u64>, message: &ServerMessage) {
        (self.sink)(wire::write(re, message));
    }
}
