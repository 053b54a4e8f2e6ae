//! The outgoing queue of a connection, which never blocks the sender.
//!
//! Games write to it under their lock, so writing must not block. A connection
//! whose queue is full is closed.

use super::wire::{ServerMessage, write};
use std::sync::Arc;
use tokio::sync::Notify;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// The most messages that wait for a connection.
const MOST_WAITING: usize = 256;

/// The sender of messages to a connection.
#[derive(Clone, Debug)]
pub struct Outbox {
    sender: Sender<String>,
    close: Arc<Notify>,
    /// The number of the connection.
    pub connection: u64,
}

impl Outbox {
    /// Returns a new connection's outbox, the receiver of its messages, and its signal to close.
    pub fn new(connection: u64) -> (Outbox, Receiver<String>, Arc<Notify>) {
        let (sender, receiver) = channel(MOST_WAITING);
        let close = Arc::new(Notify::new());
        let outbox = Outbox {
            sender,
            close: Arc::clone(&close),
            connection,
        };
        (outbox, receiver, close)
    }

    /// Sends a message, as an answer to the message with this number.
    pub fn send(&self, re: Option<u64>, message: &ServerMessage) {
        self.send_text(write(re, message));
    }

    /// Sends a serialized message; if the queue is full, closes the connection.
    pub fn send_text(&self, text: String) {
        if self.sender.try_send(text).is_err() {
            self.close.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_connection_that_does_not_read_is_told_to_close() {
        let (outbox, mut receiver, close) = Outbox::new(1);
        for _ in 0..MOST_WAITING {
            outbox.send(None, &ServerMessage::Pong);
        }
        assert_eq!(receiver.len(), MOST_WAITING);
        outbox.send(None, &ServerMessage::Pong);
        close.notified().await;
        assert_eq!(receiver.recv().await.as_deref(), Some(r#"{"type":"pong"}"#));
    }
}
