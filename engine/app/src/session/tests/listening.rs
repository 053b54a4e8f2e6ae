//! Input that arrives while the session works.

use super::super::serve::serve_with_patience;
use super::*;
use anqi_rules::Position;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Input that comes when the test sends it, and ends when the sender is dropped.
struct Feed {
    chunks: Receiver<String>,
    rest: Vec<u8>,
}

impl Read for Feed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.chunks.recv().unwrap_or_default().into_bytes();
        }
        let count = buffer.len().min(self.rest.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// Output that the test can inspect.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Page {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("no panic").clone()).expect("text")
    }
}

/// A session that is served on another thread.
pub(super) struct Served {
    input: Option<Sender<String>>,
    page: Page,
    thread: thread::JoinHandle<io::Result<()>>,
}

const PATIENCE: Duration = Duration::from_secs(20);

impl Served {
    pub(super) fn new(player: &'static str) -> Served {
        let (sender, chunks) = channel();
        let page = Page::default();
        let output = page.clone();
        let thread = thread::spawn(move || {
            let feed = Feed {
                chunks,
                rest: Vec::new(),
            };
            serve(&mut session(player), feed, output)
        });
        Served {
            input: Some(sender),
            page,
            thread,
        }
    }

    pub(super) fn send(&self, text: &str) {
        let input = self.input.as_ref().expect("the input is open");
        input.send(text.to_owned()).expect("the session reads");
    }

    /// Waits until the output is this.
    fn expect(&self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.page.text() != text {
            assert!(
                Instant::now() < deadline,
                "{:?} is not {text:?}",
                self.page.text()
            );
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits until the output ends with this, and returns all of it.
    pub(super) fn await_end(&self, end: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let text = self.page.text();
            if text.ends_with(end) {
                return text;
            }
            assert!(Instant::now() < deadline, "no {end:?} ends {text:?}");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits for the end of the conversation and returns all output.
    pub(super) fn end(self) -> String {
        let deadline = Instant::now() + PATIENCE;
        while !self.thread.is_finished() {
            assert!(
                Instant::now() < deadline,
                "still going on after {:?}",
                self.page.text()
            );
            thread::sleep(Duration::from_millis(1));
        }
        self.thread.join().expect("no panic").expect("no fault");
        self.page.text()
    }
}

#[test]
fn stop_ends_the_thinking_and_is_answered_after_it() {
    let served = Served::new("waits");
    served.send("54 go infinite\n1 name\n");
    thread::sleep(Duration::from_millis(30));
    assert_eq!(served.page.text(), "", "the name waits its turn");
    served.send("55 stop\n");
    served.expect("=54 bestmove a1-a1 depth 0 nodes 0\n=1 anqi\n=55\n");
    served.send("12 genmove unknown\n");
    thread::sleep(Duration::from_millis(10));
    served.send("stop\n5 quit\n");
    let output = served.end();
    assert!(output.ends_with("=55\n=12 a1 a1\n= \n=5\n"), "{output}");
}

#[test]
fn stop_is_meant_for_all_that_was_asked_before() {
    let served = Served::new("waits");
    served.send("54 go infinite\n12 genmove unknown\n55 stop\n");
    served.expect("=54 bestmove a1-a1 depth 0 nodes 0\n=12 a1 a1\n=55\n");
}

#[test]
fn quit_ends_the_thinking_and_leaves_after_the_answers() {
    let served = Served::new("waits");
    served.send("54 go infinite\n1 name\n");
    thread::sleep(Duration::from_millis(10));
    served.send("5 quit\n2 version\n");
    let expected = "=54 bestmove a1-a1 depth 0 nodes 0\n=1 anqi\n=5\n";
    assert_eq!(served.end(), expected);
}

/// A search that has begun is answered even if the machine is busy.
#[test]
fn quit_waits_for_a_player_that_is_slow_to_stop() {
    let uci = "uci\nposition startpos\ngo movetime 300\nquit\n";
    let output = conversation("stops slowly", uci);
    assert!(output.ends_with("uciok\nbestmove a0a0\n"), "{output}");
    let platform = "54 go infinite\n12 genmove unknown\n5 quit\n";
    let expected = "=54 bestmove a1-a1 depth 0 nodes 0\n=12 a1 a1\n=5\n";
    assert_eq!(conversation("stops slowly", platform), expected);
}

#[test]
fn quit_does_not_wait_for_a_player_that_does_not_listen() {
    let begin = Instant::now();
    let input = io::Cursor::new("12 genmove unknown\n5 quit\n");
    let mut output = Vec::new();
    let patience = Duration::from_millis(100);
    serve_with_patience(
        &mut session("deaf"),
        input,
        &mut output,
        patience,
        Log::none(),
    )
    .expect("no fault");
    assert_eq!(output, b"=5\n");
    assert!(begin.elapsed() < Duration::from_secs(4));
}

#[test]
fn the_end_of_the_input_ends_unbounded_work_and_answers_what_waits() {
    let mut served = Served::new("waits");
    served.send("54 go infinite\n12 genmove unknown\n2 version");
    served.input = None;
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!("=54 bestmove a1-a1 depth 0 nodes 0\n=12 a1 a1\n=2 {version}\n");
    assert_eq!(served.end(), expected);
}

#[test]
fn the_end_of_the_input_lets_bounded_work_finish() {
    let mut served = Served::new("first");
    let endgame = "position K3/1r2/4/4/4/4/4/?2g r p 0 0\n";
    served.send(endgame);
    served.send("58 perft 6\n54 go depth 3\n");
    served.input = None;
    let position: Position = "K3/1r2/4/4/4/4/4/?2g r p 0 0".parse().expect("a position");
    let leaves = anqi_rules::perft(&position, 6);
    let output = served.end();
    assert!(
        output.starts_with(&format!("= \n=58 {leaves}\n=54 bestmove ")),
        "{output}"
    );
}

#[test]
fn perft_can_be_stopped() {
    let served = Served::new("first");
    served.send("58 perft 9\n");
    thread::sleep(Duration::from_millis(20));
    served.send("55 stop\n");
    served.expect("?58 stopped before the end\n=55\n");
}

#[test]
fn long_scripts_are_answered_line_by_line_and_in_order() {
    // Far more lines than are read ahead, with thinking in between.
    let rounds = 1000;
    let input = "12 genmove unknown\n1 name\n# nothing\n\n3 known_command x\n".repeat(rounds);
    let mut output = Vec::new();
    serve(&mut session("first"), io::Cursor::new(input), &mut output).expect("no fault");
    let expected = "=12 a1 a1\n=1 anqi\n=3 false\n".repeat(rounds);
    assert!(String::from_utf8(output).expect("text") == expected);
}

#[test]
fn a_peer_that_sends_too_much_is_slowed_down_and_loses_nothing() {
    let served = Served::new("waits");
    served.send("54 go infinite\n");
    served.send(&"1 name\n".repeat(900));
    served.send("55 stop\n");
    served.send(&"1 name\n".repeat(900));
    served.send("5 quit\n");
    let output = served.end();
    assert_eq!(output.matches("=1 anqi\n").count(), 1800);
    assert!(output.ends_with("=1 anqi\n=5\n"));
}

#[test]
fn overlong_and_binary_lines_are_answered_once_and_the_rest_goes_on() {
    let mut input = vec![b'9'; 300_000];
    input.extend_from_slice(b"\n13 game_over ");
    input.extend(std::iter::repeat_n(b'x', 200_000));
    input.extend_from_slice(b"\n1 na\xffme\n\n# comment\n2 version\n1 name");
    let mut output = Vec::new();
    serve(&mut session("first"), io::Cursor::new(input), &mut output).expect("no fault");
    let text = String::from_utf8(output).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    assert!(lines[0].starts_with("? line too long"), "{text}");
    assert!(lines[1].starts_with("?13 line too long"), "{text}");
    assert!(lines[2].starts_with("?1 byte 5"), "{text}");
    assert!(
        lines[3].starts_with("=2 ") && lines[4] == "=1 anqi",
        "{text}"
    );
}

/// Output whose reader has gone away.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_output_ends_the_conversation_with_its_error() {
    let error =
        serve(&mut session("first"), io::Cursor::new("1 name\n"), Closed).expect_err("closed");
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
}
