//! Hostile messages and clients.

use super::client::{actions, config, start};
use anqi_server::Config;
use futures_util::SinkExt;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_bad_messages_get_an_error_each_and_disturb_nobody() {
    let server = start(config()).await;
    let (mut hostile, mut player) = (server.client().await, server.client().await);
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    let (_, mut state) = player.create(json!({"seats": seats})).await;
    let large = format!(
        "{{\"type\":\"import\",\"text\":\"{}\"}}",
        "x".repeat(300_000)
    );
    let deep = format!("{}1{}", "[".repeat(2_000), "]".repeat(2_000));
    let bad = [
        "",
        "{",
        "null",
        "[]",
        "\"create\"",
        "{\"type\":null}",
        "{\"type\":\"create\"}",
        "{\"type\":\"create\",\"seats\":[]}",
        "{\"type\":\"play\",\"action\":\"\"}",
        "{\"type\":\"play\",\"action\":\"z9-z9\",\"ply\":-1}",
        "{\"type\":\"enter\",\"token\":\"\u{0}\"}",
        "{\"type\":\"answer\",\"accept\":1}",
        "{\"type\":\"view\",\"line\":{\"start\":\"9/9 r - 0 0\",\"plies\":[]}}",
        "{\"type\":\"analyse\",\"line\":{\"start\":\"start\",\"plies\":[\"a1(Q)\"]}}",
        "{\"type\":\"probe\",\"position\":\"????????????????????? - - 99999999999999999999 0\"}",
        "{\"type\":\"material\",\"material\":\"KKKKKKKKKKKKKKKKKK\"}",
        "{\"type\":\"leave\",\"id\":18446744073709551616}",
        "{\"type\":\"import\",\"text\":\"* a vs b\\n* 1\"}",
        "{\"type\":\"walk\",\"line\":{\"start\":\"start\",\"plies\":[\"a1-a2\"]}}",
        &deep,
    ];
    const ROUNDS: usize = 500;
    for round in 0..ROUNDS {
        if round % 10 == 0 {
            hostile.send_text(&large).await;
            let answer = hostile.receive().await.expect("an open connection");
            assert_eq!(answer["code"], "too_large", "{answer}");
            // Others are answered meanwhile; the ping also keeps the silent player connected.
            assert_eq!(player.ask(json!({"type": "ping"})).await["type"], "pong");
        }
        for text in bad {
            hostile.send_text(text).await;
        }
        for _ in bad {
            let answer = hostile.receive().await.expect("an open connection");
            assert_eq!(answer["type"], "error", "{answer}");
        }
        if round % 100 == 0 {
            let action = actions(&state)[round % 7].clone();
            state = player.play(&action).await;
            assert_eq!(state["type"], "state");
        }
    }
    let message = Message::Binary(vec![0xff; 100].into());
    hostile
        .socket
        .send(message)
        .await
        .expect("an open connection");
    assert_eq!(
        hostile.receive().await.expect("an answer")["code"],
        "malformed"
    );
    assert_eq!(hostile.ask(json!({"type": "ping"})).await["type"], "pong");
    // A message beyond the hard limit ends the connection, perhaps before all of it is sent; the
    // server stays.
    let endless = Message::Text("x".repeat(2 << 20).into());
    let _ = hostile.socket.send(endless).await;
    while hostile.receive().await.is_some() {}
    assert_eq!(player.ask(json!({"type": "ping"})).await["type"], "pong");
    assert!(server.end().await);
}

async fn raw(address: std::net::SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    // The server may keep the connection open: one read is enough.
    let mut buffer = [0; 4096];
    if let Ok(Ok(length)) =
        tokio::time::timeout(Duration::from_secs(20), stream.read(&mut buffer)).await
    {
        answer.extend_from_slice(&buffer[..length]);
    }
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_from_elsewhere_are_refused() {
    let server = start(config()).await;
    let address = server.address;
    let ask = |path: &str, host: &str| {
        format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
    };
    let own = address.to_string();
    for path in ["/", "/api/about", "/api/puzzles"] {
        let answer = raw(address, &ask(path, &own)).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        assert!(
            answer.contains("content-security-policy: default-src 'none'"),
            "{answer}"
        );
        let rebound = raw(address, &ask(path, "evil.example")).await;
        assert!(rebound.starts_with("HTTP/1.1 403"), "{rebound}");
    }
    let about = raw(address, &ask("/api/about", &own)).await;
    assert!(about.contains("cache-control: no-store"), "{about}");
    for (origin, allowed) in [
        (format!("http://{own}"), true),
        ("http://evil.example".to_owned(), false),
        ("null".to_owned(), false),
    ] {
        let mut request = format!("ws://{own}/ws")
            .into_client_request()
            .expect("a request");
        let origin = origin.parse().expect("a header");
        request.headers_mut().insert("origin", origin);
        assert_eq!(connect_async(request).await.is_ok(), allowed);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_connections_and_games_than_fit_are_refused() {
    let config = Config {
        connections: 2,
        games: 3,
        ..config()
    };
    let server = start(config).await;
    let (mut one, two) = (server.client().await, server.client().await);
    let url = format!("ws://{}/ws", server.address);
    assert!(connect_async(&url).await.is_err());
    drop(two);
    let begun = Instant::now();
    while connect_async(&url).await.is_err() {
        assert!(begun.elapsed() < Duration::from_secs(20));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let wish = json!({"type": "create", "seats": [{"kind": "me"}, {"kind": "me"}]});
    for _ in 0..3 {
        assert_eq!(one.ask(wish.clone()).await["type"], "created");
    }
    assert_eq!(one.ask(wish.clone()).await["code"], "busy");
    // A finished game makes room when nobody is connected to it.
    one.ask(json!({"type": "resign"})).await;
    one.ask(json!({"type": "leave"})).await;
    assert_eq!(one.ask(wish).await["type"], "created");
    assert_eq!(server.backend.hub.games(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_with_people_and_engines_ends_when_it_is_told() {
    let server = start(config()).await;
    let mut client = server.client().await;
    let seats = json!([{"kind": "level", "level": 10}, {"kind": "me"}]);
    client
        .create(json!({"seats": seats, "engine_ms": 60000}))
        .await;
    let line = json!({"start": "start", "plies": []});
    client.send(json!({"type": "analyse", "line": line})).await;
    let begun = Instant::now();
    assert!(server.end().await);
    assert!(begun.elapsed() < Duration::from_secs(10));
    while client.receive().await.is_some() {}
}
