//! Tests of panics: the client gets an error, and the server goes on.

use crate::Config;
use crate::allowance::Allowance;
use crate::backend::Backend;
use crate::caller::Caller;
use crate::outbox::outbox;
use anqi_desk::Connection;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::Receiver;
use tokio::time::timeout;

const SOON: Duration = Duration::from_secs(60);

/// A connection to a server, and the messages that it is sent.
fn connection(config: Config) -> (Backend, Connection, Receiver<String>) {
    let backend = Backend::new(config);
    let (outbox, letters, _) = outbox(1);
    let caller = Allowance::new(Caller::this_machine());
    let connection = Connection::new(Arc::clone(&backend.hub), caller, outbox);
    (backend, connection, letters)
}

async fn receive(letters: &mut Receiver<String>) -> Value {
    let letter = timeout(SOON, letters.recv()).await;
    let letter = letter.expect("an answer in good time").expect("an answer");
    serde_json::from_str(&letter).expect("JSON")
}

/// Sends a message, and returns the first error or other answer to it.
async fn ask(connection: &mut Connection, letters: &mut Receiver<String>, text: &Value) -> Value {
    connection.text(&text.to_string());
    loop {
        let answer = receive(letters).await;
        if answer["re"] == text["id"] {
            return answer;
        }
    }
}

#[tokio::test]
async fn a_task_that_panics_gives_its_client_an_error_and_the_server_lives() {
    let (backend, mut connection, mut letters) = connection(Config {
        threads: 2,
        searches_panic: true,
        ..Config::default()
    });
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    let create = json!({"id": 1, "type": "create", "seats": seats});
    let created = ask(&mut connection, &mut letters, &create).await;
    assert_eq!(created["type"], "created");
    let line = json!({"start": "start", "plies": ["b2(G)", "b3(k)", "a1(p)"]});
    // More often than there are threads: a thread that died would be missed.
    for round in 0..4 {
        let tasks = [
            ("analysis", json!({"type": "analyse", "line": line})),
            ("review", json!({"type": "review", "line": line})),
            ("hint", json!({"type": "hint"})),
            ("material", json!({"type": "material", "material": "Kk"})),
        ];
        for (number, (name, mut message)) in tasks.into_iter().enumerate() {
            let id = 10 * (round + 1) + number;
            message["id"] = json!(id);
            let answer = ask(&mut connection, &mut letters, &message).await;
            assert_eq!(answer["code"], "internal", "{name}: {answer}");
            let words = answer["message"].as_str().expect("words");
            assert!(words.contains(name), "{words}");
        }
        // The task is over for the server too.
        let stop = json!({"id": 10 * (round + 1) + 9, "type": "stop_analysis"});
        let answer = ask(&mut connection, &mut letters, &stop).await;
        assert_eq!(answer["code"], "nothing_to_do", "{answer}");
    }
    let play = json!({"id": 100, "type": "play", "action": "b2-b2"});
    let state = ask(&mut connection, &mut letters, &play).await;
    assert_eq!(state["type"], "state", "{state}");
    drop(connection);
    backend.pool.close();
}

#[tokio::test]
async fn an_answer_that_panics_gives_its_client_an_error_and_the_connection_lives() {
    let (backend, mut connection, mut letters) = connection(Config {
        threads: 2,
        entropy: Box::new(|_| panic!("as planned")),
        ..Config::default()
    });
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    let create = json!({"id": 1, "type": "create", "seats": seats});
    let answer = ask(&mut connection, &mut letters, &create).await;
    assert_eq!(answer["code"], "internal", "{answer}");
    let ping = json!({"id": 2, "type": "ping"});
    let answer = ask(&mut connection, &mut letters, &ping).await;
    assert_eq!(answer["type"], "pong");
    backend.pool.close();
}
