//! A running service and a small HTTP client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// Longer than any answer takes, even on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// A service that ends when this is dropped.
pub struct Running {
    pub child: Child,
    pub address: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A response.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut pairs = self.head.lines().filter_map(|line| line.split_once(": "));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    pub fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"));
        serde_json::from_str(&self.body).unwrap()
    }
}

impl Running {
    /// Starts a service of a folder at any free port.
    pub fn start(dir: &Path, more: &[&str]) -> Running {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tablebase"))
            .args(["serve", "--listen", "127.0.0.1:0", "--dir"])
            .arg(dir)
            .args(more)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap().to_owned();
        Running { child, address }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream
    }

    /// Sends bytes and reads to the end of the connection.
    pub fn send(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // The service may have refused it already.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        Answer {
            status: head.get(9..12).and_then(|s| s.parse().ok()).unwrap_or(0),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    /// Sends a request with headers, one a line, and a body.
    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let (address, length) = (&self.address, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
        );
        self.send(request.as_bytes())
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "", "")
    }

    pub fn probe(&self, position: &str) -> Answer {
        self.get(&format!("/probe?position={}", encoded(position)))
    }
}

/// A position as it stands in an address.
pub fn encoded(position: &str) -> String {
    position.replace(' ', "+")
}
