//! Guesses, floods and slow connections from one address, which leave the others theirs.

use super::client::{LONG, start};
use super::visitor::{at_once, generous, open, open_config};
use anqi_server::Config;
use anqi_server::limits::PerAddress;
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Waits until the server has closed a connection; what it sends before is of no interest.
async fn closed(mut stream: TcpStream) {
    let mut bytes = Vec::new();
    let end = timeout(LONG, stream.read_to_end(&mut bytes)).await;
    // A reset is an end too.
    let _ = end.expect("the server closes the connection");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guesses_are_held_up_and_the_holder_of_the_token_is_not() {
    let server = open(PerAddress {
        guesses: at_once(5),
        ..generous()
    })
    .await;
    let guesser = server.visitor(2);
    for number in 0..8u128 {
        let answer = guesser.get(&format!("/?token={number:032x}"), &[]).await;
        let expected = if number < 5 { 403 } else { 429 };
        assert_eq!(answer.status, expected, "{number}");
        assert_eq!(answer.header("retry-after").is_some(), number >= 5);
    }
    // Not by a cookie either.
    let refused = guesser.socket("0").await.err();
    assert_eq!(refused, Some(429));
    // Nobody is locked out by the guesses of others, not even at the same address.
    assert_eq!(guesser.get_as_host("/").await.status, 200);
    let path = format!("/?token={}", server.token());
    assert_eq!(guesser.get(&path, &[]).await.status, 303);
    assert_eq!(server.visitor(3).get("/", &[]).await.status, 403);
    assert!(server.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_requests_is_refused_and_others_are_served() {
    let server = open(PerAddress {
        requests: at_once(6),
        ..generous()
    })
    .await;
    let flood = server.visitor(2);
    for number in 0..10 {
        let answer = flood.get_as_host("/api/about").await;
        let expected = if number < 6 { 200 } else { 429 };
        assert_eq!(answer.status, expected, "{number}");
    }
    let forged = [("x-forwarded-for", "203.0.113.9")];
    assert_eq!(flood.get("/", &forged).await.status, 429);
    assert_eq!(server.visitor(3).get_as_host("/").await.status, 200);
    assert!(server.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_on_this_machine_tells_the_address_and_is_not_one_itself() {
    let server = start(Config {
        host: Some("anqi.example.org".parse().expect("a name")),
        ..open_config(PerAddress {
            requests: at_once(3),
            connections: 1,
            ..generous()
        })
    })
    .await;
    let proxy = server.visitor(1);
    // More connections than one address may have.
    let _idle = [proxy.connect().await, proxy.connect().await];
    let ask = async |client: &str| {
        let host = ("host", "anqi.example.org");
        let headers = [host, ("x-forwarded-for", client)];
        proxy.get("/", &headers).await.status
    };
    for number in 0..5 {
        // The proxy appends the address that it sees to whatever the client claims.
        let claimed = format!("198.51.100.{number}, 203.0.113.1");
        let expected = if number < 3 { 403 } else { 429 };
        assert_eq!(ask(&claimed).await, expected, "{number}");
    }
    assert_eq!(ask("203.0.113.2").await, 403);
    assert!(server.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_connections_from_one_address_leaves_room_for_others() {
    let server = open(PerAddress {
        connections: 4,
        sockets: 2,
        ..generous()
    })
    .await;
    let flood = server.visitor(2);
    let mut idle = Vec::new();
    for _ in 0..4 {
        idle.push(flood.connect().await);
    }
    for _ in 0..20 {
        closed(flood.connect().await).await;
    }
    assert_eq!(server.visitor(3).get_as_host("/").await.status, 200);
    // WebSockets have a number of their own.
    let holder = server.visitor(4);
    let _open = (holder.host().await, holder.host().await);
    assert_eq!(holder.socket(server.token()).await.err(), Some(429));
    assert!(server.visitor(3).socket(server.token()).await.is_ok());
    drop(idle);
    let begun = std::time::Instant::now();
    while flood.get_as_host("/").await.status != 200 {
        assert!(begun.elapsed() < LONG, "the places are not given back");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(server.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_show_no_token_are_closed_and_websockets_stay() {
    let server = open(PerAddress {
        patience: Duration::from_millis(300),
        ..generous()
    })
    .await;
    // On a busy machine even the host may need more than one attempt.
    let mut host = loop {
        if let Ok(host) = server.visitor(1).socket(server.token()).await {
            break host;
        }
    };
    let silent = server.visitor(2).connect().await;
    let mut endless = server.visitor(2).connect().await;
    endless
        .write_all(b"GET / HTTP/1.1\r\nx: ")
        .await
        .expect("sent");
    // A request without a token buys no time.
    let mut stranger = server.visitor(2).connect().await;
    let request = format!("GET / HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    stranger.write_all(request.as_bytes()).await.expect("sent");
    for stream in [silent, endless, stranger] {
        closed(stream).await;
    }
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(host.ask(json!({"type": "ping"})).await["type"], "pong");
    assert!(server.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_asks_for_much_and_reads_nothing_is_let_go() {
    const TIMES: usize = 900;
    let server = open(PerAddress {
        patience: Duration::from_secs(2),
        idle: Duration::from_millis(300),
        ..generous()
    })
    .await;
    let page = server.visitor(2).get_as_host("/assets/page.css").await;
    let mut slow = server.visitor(2).connect().await;
    let cookie = server.cookie(server.token());
    let request = format!(
        "GET /assets/page.css HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\n\r\n",
        server.address
    );
    // All of it is more than fits into the system's buffers.
    slow.write_all(request.repeat(TIMES).as_bytes())
        .await
        .expect("sent");
    tokio::time::sleep(Duration::from_secs(4)).await;
    let mut bytes = Vec::new();
    let end = timeout(LONG, slow.read_to_end(&mut bytes)).await;
    // A reset is an end too.
    let _ = end.expect("the server closes the connection");
    assert!(bytes.len() < TIMES * page.text.len(), "{}", bytes.len());
    assert_eq!(server.visitor(3).get_as_host("/").await.status, 200);
    assert!(server.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_websockets_do_not_multiply_what_one_address_may_ask() {
    let server = open(PerAddress {
        messages: at_once(5),
        ..generous()
    })
    .await;
    let view = json!({"type": "view", "line": {"start": "start", "plies": []}});
    for number in 0..8 {
        let mut client = server.visitor(2).host().await;
        let answer = client.ask(view.clone()).await;
        let refused = answer["code"] == "too_fast";
        assert_eq!(refused, number >= 5, "{answer}");
        assert_eq!(client.ask(json!({"type": "ping"})).await["type"], "pong");
    }
    let mut other = server.visitor(3).host().await;
    assert_eq!(other.ask(view).await["type"], "view");
    assert!(server.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_address_makes_only_so_many_games() {
    let server = open(PerAddress {
        games: at_once(3),
        ..generous()
    })
    .await;
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    let wish = json!({"type": "create", "seats": seats});
    let (mut one, mut two) = (
        server.visitor(2).host().await,
        server.visitor(2).host().await,
    );
    for client in [&mut one, &mut two] {
        assert_eq!(client.ask(wish.clone()).await["type"], "created");
    }
    one.ask(json!({"type": "resign"})).await;
    assert_eq!(one.ask(json!({"type": "rematch"})).await["type"], "created");
    one.ask(json!({"type": "resign"})).await;
    let late = one.ask(json!({"type": "rematch"})).await;
    assert_eq!(late["code"], "too_fast", "{late}");
    assert_eq!(two.ask(wish.clone()).await["code"], "too_fast");
    let mut other = server.visitor(3).host().await;
    assert_eq!(other.ask(wish).await["type"], "created");
    assert!(server.end().await);
}
