//! Many games at once, and engines that nobody waits for.

use super::client::{Dice, Running, actions, config, start};
use anqi_desk::{Found, Job, Kind, Owner, Work};
use anqi_search::Stop;
use futures_util::SinkExt;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The owner of a job that rings as soon as it has a thread.
struct Ringing(Option<oneshot::Sender<()>>);

impl Owner for Ringing {
    fn begin(&mut self) -> Option<Work> {
        let _ = self.0.take()?.send(());
        None
    }

    fn finish(self: Box<Self>, _: Result<Found, String>) {}
}

/// Returns how long a job waits for a free thread.
async fn wait_for_a_thread(server: &Running) -> Duration {
    let (sender, receiver) = oneshot::channel();
    let begun = Instant::now();
    let stop = Arc::new(Stop::new());
    let job = Job::new(Kind::Move, &stop, Ringing(Some(sender)));
    server.backend.pool.submit(job);
    receiver.await.expect("a thread");
    begun.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_vanish_free_their_engines_within_a_second() {
    let server = start(config()).await;
    // More games than threads, with a minute for each move.
    let mut clients = Vec::new();
    for _ in 0..6 {
        let mut client = server.client().await;
        let seats = json!([{"kind": "me"}, {"kind": "level", "level": 10}]);
        client
            .create(json!({"seats": seats, "engine_ms": 60000}))
            .await;
        let state = client.play("b2-b2").await;
        assert_eq!(state["thinking"], true);
        let line = json!({"start": "start", "plies": []});
        client.send(json!({"type": "analyse", "line": line})).await;
        clients.push(client);
    }
    // Dropped without a close message, as by a killed browser.
    drop(clients);
    let waited = wait_for_a_thread(&server).await;
    assert!(waited < Duration::from_secs(1), "{waited:?}");
    assert!(server.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_does_not_read_is_let_go() {
    let server = start(config()).await;
    let mut client = server.client().await;
    let line = json!({"start": "start", "plies": []});
    for _ in 0..2 {
        client.send(json!({"type": "analyse", "line": line})).await;
    }
    // Answers of half a megabyte each, until no more fit into the system's buffers.
    let cycle = ["a8-a7", "d1-d2", "a7-a8", "d2-d1"];
    let plies: Vec<&str> = cycle.iter().cycle().take(800).copied().collect();
    let line = json!({"start": "K3/4/4/4/4/4/4/3g r - 0 0", "plies": plies});
    let walk = json!({"type": "walk", "line": line}).to_string();
    for _ in 0..38 {
        // The server may have closed the connection already.
        if client.socket.send(walk.clone().into()).await.is_err() {
            break;
        }
    }
    let begun = Instant::now();
    while server.connections() > 0 {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "it is still there"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let waited = wait_for_a_thread(&server).await;
    assert!(waited < Duration::from_secs(1), "{waited:?}");
    drop(client);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_games_stay_responsive() {
    let server = start(config()).await;
    let mut clients = Vec::new();
    for index in 0..50u64 {
        let mut client = server.client().await;
        // Half of them against engines, which keep all threads busy.
        let other = match index % 2 {
            0 => json!({"kind": "me"}),
            _ => json!({"kind": "level", "level": 10}),
        };
        let wish = json!({"seats": [{"kind": "me"}, other], "engine_ms": 200});
        let (_, state) = client.create(wish).await;
        clients.push((client, state, Dice(index)));
    }
    let mut waits = Vec::new();
    for _ in 0..4 {
        for (client, state, dice) in &mut clients {
            let mine = state["you"]
                .as_array()
                .expect("seats")
                .contains(&state["to_move"]);
            if !mine || !state["outcome"].is_null() {
                continue;
            }
            let action = dice.pick(&actions(state)).to_owned();
            let begun = Instant::now();
            let id = client.send(json!({"type": "play", "action": action})).await;
            *state = client.until(|answer| answer["re"] == id).await;
            waits.push(begun.elapsed());
        }
    }
    waits.sort();
    let median = waits[waits.len() / 2];
    println!(
        "{} moves, median {median:?}, slowest {:?}",
        waits.len(),
        waits[waits.len() - 1]
    );
    assert!(median < Duration::from_millis(100), "{median:?}");
    assert!(server.end().await);
}
