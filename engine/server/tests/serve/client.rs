//! A client, and a server for it.

use anqi_server::backend::Backend;
use anqi_server::{Config, Server};
use futures_util::SinkExt;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Longer than any answer takes, even on a busy machine.
pub const LONG: Duration = Duration::from_secs(120);

/// A server that ends when this is dropped.
pub struct Running {
    pub address: SocketAddr,
    pub backend: Arc<Backend>,
    /// The addresses that it prints.
    pub urls: Vec<String>,
    end: oneshot::Sender<()>,
    task: JoinHandle<std::io::Result<()>>,
}

/// A configuration for tests: any free port, and engines without a pace.
pub fn config() -> Config {
    Config {
        port: Some(0),
        threads: 2,
        pace: Duration::ZERO,
        ..Config::default()
    }
}

pub async fn start(config: Config) -> Running {
    let server = Server::bind(config).await.expect("a free port");
    let (end, ended) = oneshot::channel();
    Running {
        address: server.address(),
        backend: Arc::clone(server.backend()),
        urls: server.urls(),
        end,
        task: tokio::spawn(server.run(async {
            let _ = ended.await;
        })),
    }
}

impl Running {
    pub async fn client(&self) -> Client {
        let url = format!("ws://{}/ws", self.address);
        let (socket, _) = connect_async(url).await.expect("a connection");
        Client::new(socket)
    }

    /// Returns how many WebSockets are open.
    pub fn connections(&self) -> usize {
        self.backend.connections()
    }

    /// Ends the server, and returns whether it did so in good time.
    pub async fn end(self) -> bool {
        let _ = self.end.send(());
        let ended = tokio::time::timeout(Duration::from_secs(20), self.task).await;
        matches!(ended, Ok(Ok(Ok(()))))
    }
}

pub struct Client {
    pub socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    next: u64,
    /// Everything received.
    pub heard: Vec<String>,
}

impl Client {
    pub fn new(socket: WebSocketStream<MaybeTlsStream<TcpStream>>) -> Client {
        Client {
            socket,
            next: 1,
            heard: Vec::new(),
        }
    }

    pub async fn send_text(&mut self, text: &str) {
        let message = Message::Text(text.to_owned().into());
        self.socket.send(message).await.expect("an open connection");
    }

    /// Sends a message and returns its number.
    pub async fn send(&mut self, mut message: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        message["id"] = json!(id);
        self.send_text(&message.to_string()).await;
        id
    }

    /// Returns the next message, `None` at the end of the connection.
    pub async fn receive(&mut self) -> Option<Value> {
        use std::pin::Pin;
        loop {
            let next = std::future::poll_fn(|context| {
                futures_util::Stream::poll_next(Pin::new(&mut self.socket), context)
            });
            let message = tokio::time::timeout(LONG, next).await.expect("an answer");
            match message {
                Some(Ok(Message::Text(text))) => {
                    self.heard.push(text.to_string());
                    return Some(serde_json::from_str(&text).expect("JSON"));
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    pub async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.receive().await.expect("an open connection");
            if wanted(&message) {
                return message;
            }
        }
    }

    /// Sends a message and returns the first answer to it.
    pub async fn ask(&mut self, message: Value) -> Value {
        let id = self.send(message).await;
        self.until(|answer| answer["re"] == id).await
    }

    /// Creates a game and returns the `created` message and the first state.
    pub async fn create(&mut self, mut message: Value) -> (Value, Value) {
        message["type"] = json!("create");
        let created = self.ask(message).await;
        assert_eq!(created["type"], "created", "{created}");
        let state = self.until(|m| m["type"] == "state").await;
        (created, state)
    }

    pub async fn play(&mut self, action: &str) -> Value {
        self.ask(json!({"type": "play", "action": action})).await
    }

    /// Returns the next state in which one of these seats is to move or the game is over.
    pub async fn my_turn(&mut self, mut state: Value) -> Value {
        loop {
            let mine = |seat: &Value| *seat == state["to_move"];
            let seats = state["you"].as_array().expect("seats");
            if !state["outcome"].is_null() || seats.iter().any(mine) {
                return state;
            }
            state = self.until(|m| m["type"] == "state").await;
        }
    }
}

/// All legal actions in a state, in a fixed order.
pub fn actions(state: &Value) -> Vec<String> {
    let board = &state["board"];
    let text = |value: &Value| value.as_str().expect("a square").to_owned();
    let flips = board["flips"].as_array().expect("flips").iter().map(text);
    let mut all: Vec<String> = flips.map(|square| format!("{square}-{square}")).collect();
    for (from, targets) in board["targets"].as_object().expect("targets") {
        let targets = targets.as_array().expect("targets").iter().map(text);
        all.extend(targets.map(|to| format!("{from}-{to}")));
    }
    all
}

/// A small generator, so that a test always plays the same game.
pub struct Dice(pub u64);

impl Dice {
    pub fn pick<'a>(&mut self, from: &'a [String]) -> &'a str {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        &from[(self.0 >> 33) as usize % from.len()]
    }
}
