//! A visitor of a server that other devices reach: plain requests and WebSockets with headers of
//! its choice, from an address of its choice.

use super::client::{Client, LONG, Running, config, start};
use anqi_server::Config;
use anqi_server::bucket::Rate;
use anqi_server::limits::PerAddress;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderName;
use tokio_tungstenite::{MaybeTlsStream, client_async};

/// Limits that no test reaches unless it lowers them.
pub fn generous() -> PerAddress {
    let plenty = at_once(100_000);
    PerAddress {
        connections: 1_000,
        sockets: 1_000,
        requests: plenty,
        guesses: plenty,
        messages: plenty,
        games: plenty,
        patience: Duration::from_secs(600),
        idle: Duration::from_secs(600),
    }
}

/// A number at once and nothing later, so that no test depends on the clock.
pub fn at_once(number: u32) -> Rate {
    Rate {
        burst: f64::from(number),
        a_second: 0.0,
    }
}

/// A server with a token, on the loopback address.
pub async fn open(per_address: PerAddress) -> Running {
    start(open_config(per_address)).await
}

pub fn open_config(per_address: PerAddress) -> Config {
    Config {
        port: None,
        listen: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))),
        per_address,
        ..config()
    }
}

/// A device at `127.0.0.<number>`.
#[derive(Clone, Copy)]
pub struct Visitor<'a> {
    server: &'a Running,
    number: u8,
}

/// A response.
pub struct Answer {
    pub status: u16,
    /// Without the date.
    pub text: String,
}

impl Answer {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self
            .text
            .lines()
            .skip(1)
            .take_while(|line| !line.is_empty());
        let mut pairs = lines.filter_map(|line| line.split_once(": "));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The cookie that it sets, without its attributes.
    pub fn cookie(&self) -> Option<&str> {
        self.header("set-cookie")?.split(';').next()
    }
}

impl Running {
    pub fn visitor(&self, number: u8) -> Visitor<'_> {
        Visitor {
            server: self,
            number,
        }
    }

    /// The token of the host.
    pub fn token(&self) -> &str {
        let url = self.urls.first().expect("an address");
        url.split_once("?token=").expect("a token").1
    }

    /// The header with the cookie for a token.
    pub fn cookie(&self, token: &str) -> String {
        format!("anqi-{}={token}", self.address.port())
    }

    /// The origin of the server's pages.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Visitor<'_> {
    pub async fn connect(self) -> TcpStream {
        let socket = TcpSocket::new_v4().expect("a socket");
        let own = SocketAddr::from((Ipv4Addr::new(127, 0, 0, self.number), 0));
        socket.bind(own).expect("an address of this machine");
        socket
            .connect(self.server.address)
            .await
            .expect("a connection")
    }

    /// Asks for a path, with the host of the server unless the headers name one.
    pub async fn get(self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            request += &format!("host: {}\r\n", self.server.address);
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        self.send(&format!("{request}\r\n")).await
    }

    /// Sends a text, and returns the answer up to the end of the connection.
    pub async fn send(self, request: &str) -> Answer {
        let mut stream = self.connect().await;
        // A server that has no place for the connection may have closed it already.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut bytes = Vec::new();
        let read = timeout(LONG, stream.read_to_end(&mut bytes)).await;
        let _ = read.expect("an answer in good time");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let status = text.get(9..12).and_then(|status| status.parse().ok());
        let kept = text
            .split("\r\n")
            .filter(|line| !line.starts_with("date: "));
        Answer {
            status: status.unwrap_or(0),
            text: kept.collect::<Vec<_>>().join("\n"),
        }
    }

    /// Asks for a page with the host's token.
    pub async fn get_as_host(self, path: &str) -> Answer {
        let cookie = self.server.cookie(self.server.token());
        self.get(path, &[("cookie", &cookie)]).await
    }

    /// Opens a WebSocket with these headers; the error is the status of the refusal.
    pub async fn socket_with(self, headers: &[(&str, &str)]) -> Result<Client, u16> {
        let url = format!("ws://{}/ws", self.server.address);
        let mut request = url.into_client_request().expect("a request");
        for (name, value) in headers {
            let name: HeaderName = name.parse().expect("a name");
            request
                .headers_mut()
                .insert(name, value.parse().expect("a value"));
        }
        let stream = MaybeTlsStream::Plain(self.connect().await);
        match client_async(request, stream).await {
            Ok((socket, _)) => Ok(Client::new(socket)),
            Err(tokio_tungstenite::tungstenite::Error::Http(answer)) => {
                Err(answer.status().as_u16())
            }
            Err(_) => Err(0),
        }
    }

    /// Opens a WebSocket as a page does that has come with this token.
    pub async fn socket(self, token: &str) -> Result<Client, u16> {
        let (cookie, origin) = (self.server.cookie(token), self.server.origin());
        self.socket_with(&[("cookie", &cookie), ("origin", &origin)])
            .await
    }

    /// Opens a WebSocket as the host's page does.
    pub async fn host(self) -> Client {
        let socket = self.socket(self.server.token()).await;
        socket.unwrap_or_else(|status| panic!("refused with {status}"))
    }
}
