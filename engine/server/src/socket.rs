//! A WebSocket: reads, writes, and detects a dead peer.

use crate::allowance::Allowance;
use crate::backend::Backend;
use crate::caller::Caller;
use crate::outbox::outbox;
use anqi_desk::Connection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use futures_util::SinkExt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

/// The interval between pings.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// A peer silent for this long is dead.
const SILENCE: Duration = Duration::from_secs(40);
/// The longest write: a slower peer holds up engines.
const WRITE: Duration = Duration::from_millis(800);

/// Serves a connection until one side ends it.
pub async fn serve(
    mut socket: WebSocket,
    backend: Arc<Backend>,
    caller: Caller,
    number: u64,
    mut ending: watch::Receiver<bool>,
) {
    let (outbox, mut letters, close) = outbox(number);
    let mut connection = Connection::new(Arc::clone(&backend.hub), Allowance::new(caller), outbox);
    let mut heartbeat = interval(HEARTBEAT);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = Instant::now();
    loop {
        // Writing comes first: a flood of messages must not starve the answers.
        let message = tokio::select! {
            biased;
            _ = ending.wait_for(|ending| *ending) => break,
            () = close.notified() => return,
            Some(letter) = letters.recv() => Message::Text(letter.into()),
            _ = heartbeat.tick() => {
                if heard.elapsed() > SILENCE {
                    return;
                }
                Message::Ping(Vec::new().into())
            }
            received = socket.recv() => {
                heard = Instant::now();
                match received {
                    Some(Ok(Message::Text(text))) => connection.text(&text),
                    Some(Ok(Message::Binary(_))) => connection.binary(),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                }
                continue;
            }
        };
        if !matches!(timeout(WRITE, socket.send(message)).await, Ok(Ok(()))) {
            return;
        }
    }
    let farewell = CloseFrame {
        code: close_code::AWAY,
        reason: "the server ends".into(),
    };
    // The other side may be gone already.
    let _ = timeout(WRITE, socket.send(Message::Close(Some(farewell)))).await;
    let _ = timeout(WRITE, socket.close()).await;
}
