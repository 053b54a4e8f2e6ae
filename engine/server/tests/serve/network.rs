//! A server that other devices reach: tokens, cookies, invitations, and those who have none.

use super::client::{actions, start};
use super::visitor::{generous, open, open_config};
use anqi_server::Config;
use anqi_server::names::HostName;
use serde_json::{Value, json};

const UPGRADE: [(&str, &str); 4] = [
    ("upgrade", "websocket"),
    ("connection", "upgrade"),
    ("sec-websocket-version", "13"),
    ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
];

fn by_link() -> Value {
    json!({"seats": [{"kind": "me"}, {"kind": "link"}]})
}

/// Another digit.
fn other(digit: &str) -> &str {
    if digit == "0" { "1" } else { "0" }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_token_everything_is_refused_with_the_same_bytes() {
    let server = open(generous()).await;
    let mut host = server.visitor(1).host().await;
    let (created, _) = host.create(by_link()).await;
    host.play("b2-b2").await;
    let stranger = server.visitor(2);
    let token = server.token();
    let expected = stranger.get("/", &[]).await;
    assert_eq!(expected.status, 403, "{}", expected.text);
    assert_eq!(expected.header("set-cookie"), None);
    let game = created["game"].as_str().expect("a name");
    let paths = [
        "/index.html".to_owned(),
        "/nothing".to_owned(),
        "/assets/page.js".to_owned(),
        "/api/about".to_owned(),
        "/api/puzzles".to_owned(),
        format!("/{token}"),
        "/?token".to_owned(),
        "/?token=".to_owned(),
        format!("/?token={}", &token[1..]),
        format!("/?token={token}0"),
        format!("/?token={}{}", &token[..31], other(&token[31..])),
        format!("/?token={game}"),
        format!("/?tokens={token}"),
        format!("/api/about?token={}", "0".repeat(10_000)),
    ];
    for path in &paths {
        let answer = stranger.get(path, &[]).await;
        assert_eq!(answer.text, expected.text, "{path}");
    }
    let origin = server.origin();
    let cookies = [
        "anqi=1".to_owned(),
        format!("anqi-1={token}"),
        server.cookie(&token[..31]),
        server.cookie(game),
        format!("x{}", server.cookie(token)),
    ];
    for cookie in &cookies {
        let mut headers = UPGRADE.to_vec();
        headers.extend([("cookie", cookie.as_str()), ("origin", &origin)]);
        for path in ["/", "/ws"] {
            let answer = stranger.get(path, &headers).await;
            assert_eq!(answer.status, 403, "{path} {cookie}");
            assert!(answer.text.ends_with("or an invitation\n"), "{cookie}");
        }
    }
    let answer = stranger.send("POST / HTTP/1.1\r\nhost: evil\r\nconnection: close\r\n\r\n");
    assert_eq!(answer.await.status, 403);
    assert!(server.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_token_is_answered_by_a_cookie_and_an_address_without_it() {
    let server = open(generous()).await;
    let (visitor, token) = (server.visitor(2), server.token());
    assert_eq!(token.len(), 32);
    let answer = visitor.get(&format!("/?token={token}"), &[]).await;
    assert_eq!(answer.status, 303, "{}", answer.text);
    assert_eq!(answer.header("location"), Some("/"));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let set = answer.header("set-cookie").expect("a cookie");
    assert!(set.ends_with("; Path=/; HttpOnly; SameSite=Lax"), "{set}");
    let cookie = answer.cookie().expect("a cookie");
    assert_eq!(cookie, server.cookie(token));
    let about = visitor.get("/api/about", &[("cookie", cookie)]).await;
    assert_eq!(about.status, 200);
    let reach = format!("\"reach\":{{\"origin\":\"{}\"}}", server.origin());
    assert!(about.text.contains(&reach), "{}", about.text);
    let page = visitor.get("/", &[("cookie", cookie)]).await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert!(!page.text.contains(token) && !about.text.contains(token));
    let policy = page.header("content-security-policy").expect("a policy");
    let sockets = format!("connect-src 'self' ws://{};", server.address);
    assert!(policy.contains(&sockets), "{policy}");
    for (path, location) in [
        ("//evil.example/?token=", "/evil.example/"),
        ("/nothing?x=1&token=", "/nothing?x=1"),
    ] {
        let answer = visitor.get(&format!("{path}{token}"), &[]).await;
        assert_eq!(answer.header("location"), Some(location), "{path}");
    }
    // A token that a restart has made worthless does no harm in a bookmark.
    let old = format!("/?token={}", "0".repeat(32));
    let answer = visitor.get(&old, &[("cookie", cookie)]).await;
    assert_eq!((answer.status, answer.cookie()), (303, None));
    let other = open(generous()).await;
    assert_ne!(other.token(), token);
    assert!(server.end().await && other.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_websocket_needs_the_cookie_our_host_and_our_origin() {
    let server = open(generous()).await;
    let visitor = server.visitor(2);
    let (cookie, origin) = (server.cookie(server.token()), server.origin());
    let (cookie, origin) = (("cookie", cookie.as_str()), ("origin", origin.as_str()));
    let port = server.address.port();
    let foreign_host = format!("evil.example:{port}");
    let other_port = format!("http://127.0.0.1:{}", port ^ 1);
    assert!(visitor.socket_with(&[cookie, origin]).await.is_ok());
    for headers in [
        vec![origin],
        vec![cookie],
        vec![],
        vec![cookie, ("origin", "http://evil.example")],
        vec![cookie, ("origin", "null")],
        vec![cookie, ("origin", &other_port)],
        vec![cookie, origin, ("host", &foreign_host)],
        vec![("cookie", "anqi=wrong"), origin],
    ] {
        let refused = visitor.socket_with(&headers).await.err();
        assert_eq!(refused, Some(403), "{headers:?}");
    }
    // The token in the address of a WebSocket opens none.
    let path = format!("/ws?token={}", server.token());
    let mut headers = UPGRADE.to_vec();
    headers.push(origin);
    assert_eq!(visitor.get(&path, &headers).await.status, 303);
    for host in ["evil.example", &foreign_host, "127.0.0.2", "localhost"] {
        let answer = visitor.get("/", &[("host", host), cookie]).await;
        assert_eq!(answer.status, 403, "{host}");
    }
    assert!(server.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invitation_opens_its_game_and_makes_nobody_a_host() {
    let server = open(generous()).await;
    let mut host = server.visitor(1).host().await;
    let (created, state) = host.create(by_link()).await;
    let link = created["links"][0]["token"].as_str().expect("a token");
    let phone = server.visitor(2);
    let answer = phone.get(&format!("/?token={link}"), &[]).await;
    assert_eq!(answer.cookie(), Some(server.cookie(link).as_str()));
    let mut guest = phone.socket(link).await.expect("a guest");
    let entered = guest.ask(json!({"type": "enter", "token": link})).await;
    assert_eq!(entered["you"], json!([1]), "{entered}");
    let own = json!({"type": "create", "seats": [{"kind": "me"}, {"kind": "me"}]});
    assert_eq!(guest.ask(own).await["code"], "forbidden");
    host.play(&actions(&state)[0]).await;
    let state = guest.until(|m| m["plies"].as_array().is_some_and(|plies| plies.len() == 1));
    let state = state.await;
    let played = guest.play(&actions(&state)[0]).await;
    assert_eq!(played["type"], "state", "{played}");
    // Afterwards the guest may look the game over, and play another one.
    guest.ask(json!({"type": "resign"})).await;
    let line = json!({"start": "start", "plies": []});
    let view = guest.ask(json!({"type": "view", "line": line})).await;
    assert_eq!(view["type"], "view");
    assert_eq!(
        guest.ask(json!({"type": "rematch"})).await["type"],
        "created"
    );
    let heard = guest.heard.join("\n");
    assert!(!heard.contains(server.token()));
    assert!(!heard.contains(created["token"].as_str().expect("a token")));
    // The host who opens the invitation stays the host.
    let cookie = server.cookie(server.token());
    let path = format!("/?token={link}");
    let answer = server.visitor(1).get(&path, &[("cookie", &cookie)]).await;
    assert_eq!((answer.status, answer.cookie()), (303, None));
    assert!(server.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_a_proxy_with_tls_the_cookie_is_secure_and_the_origin_is_https() {
    let name: HostName = "anqi.example.org".parse().expect("a name");
    let server = start(Config {
        host: Some(name),
        ..open_config(generous())
    })
    .await;
    let url = &server.urls[0];
    assert!(url.starts_with("https://anqi.example.org/?token="), "{url}");
    let proxy = server.visitor(1);
    let host = ("host", "anqi.example.org");
    let path = format!("/?token={}", server.token());
    let answer = proxy.get(&path, &[host]).await;
    let set = answer.header("set-cookie").expect("a cookie");
    assert!(set.ends_with("; HttpOnly; SameSite=Lax; Secure"), "{set}");
    let cookie = server.cookie(server.token());
    let cookie = ("cookie", cookie.as_str());
    let page = proxy.get("/", &[host, cookie]).await;
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("wss://anqi.example.org;"), "{policy}");
    for (origin, allowed) in [
        ("https://anqi.example.org", true),
        ("http://anqi.example.org", false),
        ("https://evil.example", false),
    ] {
        let headers = [host, cookie, ("origin", origin)];
        assert_eq!(
            proxy.socket_with(&headers).await.is_ok(),
            allowed,
            "{origin}"
        );
    }
    assert!(server.end().await);
}
