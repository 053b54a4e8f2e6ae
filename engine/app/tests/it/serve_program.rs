//! `anqi serve`, `anqi review` and `anqi puzzles` as programs.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn anqi(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_anqi"));
    command.args(arguments);
    command
}

/// A server that does not outlive its test.
struct Server {
    child: Child,
    /// `127.0.0.1:<port>`.
    address: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        let mut child = anqi(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let output = child.stdout.as_mut().expect("piped");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("http://");
        let address = address.and_then(|rest| rest.strip_suffix('/'));
        let address = address.expect("an address").to_owned();
        Server { child, address }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        let host = &self.address;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn with_input(arguments: &[&str], input: &str) -> Output {
    let mut child = anqi(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    // A program that refuses its command line does not read its input.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

#[test]
#[cfg(unix)]
fn the_page_is_there_at_once_and_the_server_ends_when_it_is_told() {
    let mut server = Server::start(&["serve", "--port", "0"]);
    assert!(server.address.starts_with("127.0.0.1:"));
    assert!(server.get("/").starts_with("HTTP/1.1 200"));
    assert!(server.get("/api/about").contains("\"levels\""));
    assert!(server.get("/nothing").starts_with("HTTP/1.1 404"));
    let id = server.child.id().to_string();
    let told = Command::new("kill").args(["-TERM", &id]).status();
    assert!(told.expect("kill").success());
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = server.child.try_wait().expect("a child") {
            break status;
        }
        assert!(begun.elapsed() < Duration::from_secs(15), "it goes on");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "{status}");
}

#[test]
fn other_devices_are_let_in_on_demand_with_a_token_a_code_and_a_warning() {
    let mut child = anqi(&["serve", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut line = || lines.next().expect("a line").expect("text");
    let url = line();
    let (address, token) = url.split_once("/?token=").expect("a token");
    assert_eq!(token.len(), 32);
    assert!(line().is_empty());
    let code: Vec<String> = (0..20)
        .map(|_| line())
        .take_while(|line| !line.is_empty())
        .collect();
    assert!(code.len() > 15 && code[0].starts_with("███"), "{code:?}");
    let server = Server {
        child,
        address: address.strip_prefix("http://").expect("http").to_owned(),
    };
    assert!(server.get("/").starts_with("HTTP/1.1 403"));
    let entered = server.get(&format!("/?token={token}"));
    assert!(entered.starts_with("HTTP/1.1 303"), "{entered}");
    assert!(!entered.contains(&format!("/?token={token}")));
    let mut server = server;
    let mut errors = server.child.stderr.take().expect("piped");
    drop(server);
    let mut warning = String::new();
    errors.read_to_string(&mut warning).expect("text");
    for part in ["everybody who has this link", "plain http"] {
        assert!(warning.contains(part), "{warning}");
    }
    assert!(!warning.contains(token));
}

#[test]
fn an_address_to_listen_at_is_checked() {
    for (arguments, code, part) in [
        (&["--listen", "8080"][..], 2, "expected IP:PORT"),
        (&["--listen", "localhost:8080"], 2, "expected IP:PORT"),
        (&["--listen", "127.0.0.1:0", "--port", "1"], 2, "--port"),
        (&["--host", "anqi.example.org"], 2, "--listen"),
        (
            &["--listen", "127.0.0.1:0", "--host", "https://x/"],
            2,
            "without scheme or path",
        ),
        (
            &["--listen", "192.0.2.99:0"],
            1,
            "cannot listen at 192.0.2.99:0",
        ),
    ] {
        let refused = anqi(&[&["serve"], arguments].concat()).output();
        let refused = refused.expect("it ends");
        let told = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(code), "{told}");
        assert!(told.contains(part), "{told}");
    }
}

#[test]
fn a_port_that_is_taken_is_named() {
    let server = Server::start(&["serve", "--port", "0"]);
    let port = server.address.rsplit(':').next().expect("a port");
    let second = anqi(&["serve", "--port", port]).output().expect("it ends");
    assert_eq!(second.status.code(), Some(1));
    let told = text(&second.stderr);
    assert!(
        told.contains(&format!("port {port} of this machine")),
        "{told}"
    );
    let wrong = anqi(&["--tables", "/nowhere", "serve"])
        .output()
        .expect("it ends");
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_review_is_printed_for_people_and_as_json() {
    let game = "start moves b2(G) b3(k) a1(p) b3-b2 a2(r) b2-b3";
    let shown = with_input(&["review", "--nodes", "200", "-"], game);
    assert!(shown.status.success(), "{}", text(&shown.stderr));
    assert!(text(&shown.stdout).contains("error rate"));
    let json = with_input(&["review", "--json", "--nodes", "200", "-"], game);
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(report["plies"].as_array().map(Vec::len), Some(6));
    assert_eq!(report["sides"][0]["color"], "red");
    assert_eq!(
        report["plies"][1]["flip"]["appearances"]
            .as_array()
            .map(Vec::len),
        Some(14)
    );
}

#[test]
fn a_review_tells_once_of_damage_in_a_table() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("KMkgp.wdl"), "junk").expect("it can be written");
    let tables = folder.path().to_str().expect("a plain name");
    let game = "4/4/2g1/K3/1M2/3k/4/3p r - 0 0 moves a5-a4 c6-c7 b4-b5";
    let review = ["--tables", tables, "review", "--nodes", "200", "-"];
    let output = with_input(&review, game);
    let told = text(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert_eq!(told.matches("not an anqi table").count(), 1, "{told}");
}

#[test]
fn a_record_that_is_none_is_refused_in_words() {
    for (input, part) in [
        ("", "five"),
        ("* a vs b\n", "the record ends early"),
        ("start", "no plies"),
        ("start moves a1-a2", "a1-a2"),
    ] {
        let refused = with_input(&["review", "-"], input);
        assert_eq!(refused.status.code(), Some(2), "{input}");
        assert!(
            text(&refused.stderr).contains(part),
            "{}",
            text(&refused.stderr)
        );
    }
    let missing = anqi(&["review", "/nowhere/game.txt"])
        .output()
        .expect("it ends");
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("/nowhere/game.txt"));
}
