//! Recorded conversations with the script of a course's server: the same lines in, legal
//! actions within the clock out.
//!
//! `data/course-server.txt` has the lines that programs heard (`>`) and their answers (`<`) in
//! games of a few seconds, one conversation after a line of `#`. In the first all pieces of the
//! side that is asked are taken but those face down, so that it must flip.

use anqi_protocol::dialect::lines;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

const CONVERSATIONS: &str = include_str!("data/course-server.txt");
/// How much later than its clock an answer may come on a busy machine.
const SLACK: Duration = Duration::from_secs(20);

/// The program as the server starts it: without arguments.
struct Engine {
    child: Child,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_anqi"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program was built for this test");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Engine { child, lines }
    }

    fn say(&mut self, line: &str) {
        let input = self.child.stdin.as_mut().expect("it is piped");
        writeln!(input, "{line}").expect("the program reads");
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The time left of the side that a line asks, `None` if it asks nobody.
fn left(line: &str) -> Option<Duration> {
    let words: Vec<&str> = line.split(' ').collect();
    let clock = if words[1] == "r" { words[2] } else { words[3] };
    let milliseconds: f64 = clock.parse().expect("a number");
    (milliseconds >= 0.0).then(|| Duration::from_secs_f64(milliseconds / 1_000.0))
}

/// Sends the lines of a conversation, and returns how many were answered, and how many of them by
/// a side whose pieces had been taken.
fn replay(conversation: &str) -> (usize, usize) {
    let mut engine = Engine::start();
    let (mut answers, mut bare, mut had_pieces) = (0, 0, false);
    for line in conversation
        .lines()
        .filter_map(|line| line.strip_prefix("> "))
    {
        let diagram = lines::read(line).expect("a line").diagram;
        engine.say(line);
        let begin = Instant::now();
        let Some(left) = left(line) else {
            continue;
        };
        let told = engine.lines.recv_timeout(left + SLACK);
        let told = told.unwrap_or_else(|_| panic!("no answer to {line} within {left:?}"));
        assert!(begin.elapsed() <= left + SLACK, "{line}");
        let legal: Vec<String> = diagram
            .actions()
            .into_iter()
            .map(lines::write_action)
            .collect();
        assert!(legal.contains(&told), "{line}: {told}");
        answers += 1;
        bare += usize::from(had_pieces && !has_pieces(line));
        had_pieces |= has_pieces(line);
    }
    (answers, bare)
}

/// Whether the side to move has a piece that is face up.
fn has_pieces(line: &str) -> bool {
    let (board, rest) = line.split_once(' ').expect("a board");
    board.contains(|sign: char| {
        if rest.starts_with('r') {
            sign.is_ascii_lowercase()
        } else {
            sign.is_ascii_uppercase()
        }
    })
}

#[test]
fn recorded_games_are_answered_with_legal_actions_within_the_clock() {
    let (mut answers, mut bare) = (0, 0);
    for conversation in CONVERSATIONS.split("#\n").filter(|text| !text.is_empty()) {
        let (answered, flips) = replay(conversation);
        assert!(answered > 5, "{conversation}");
        answers += answered;
        bare += flips;
    }
    assert!(
        answers > 40 && bare > 0,
        "{answers} answers, {bare} without a piece"
    );
}
