//! The outgoing queue of a connection, which never blocks the sender. A connection whose queue is full
//! is closed.

use anqi_desk::Outbox;
use std::sync::Arc;
use tokio::sync::Notify;
use tokio::sync::mpsc::{Receiver, channel};

/// The most messages that wait for a connection.
const MOST_WAITING: usize = 256;

/// Returns a new connection's outbox, the receiver of its messages, and its signal to close.
pub fn outbox(connection: u64) -> (Outbox, Receiver<String>, Arc<Notify>) {
    let (sender, receiver) = channel(MOST_WAITING);
    let close = Arc::new(Notify::new());
    let full = Arc::clone(&close);
    let sink = move |text| {
        if sender.try_send(text).is_err() {
            full.notify_one();
        }
    };
    (Outbox::new(connection, Arc::new(sink)), receiver, close)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_desk::wire::ServerMessage;

    #[tokio::test]
    async fn a_connection_that_does_not_read_is_told_to_close() {
        let (outbox, mut receiver, close) = outbox(1);
        for _ in 0..MOST_WAITING {
            outbox.send(None, &ServerMessage::Pong);
        }
        assert_eq!(receiver.len(), MOST_WAITING);
        outbox.send(None, &ServerMessage::Pong);
        close.notified().await;
        assert_eq!(receiver.recv().await.as_deref(), Some(r#"{"type":"pong"}"#));
    }
}
