//! How soon the program answers: at `stop`, and when the action is forced or the result proven.
//!
//! Measured from outside, through the pipes, so the slack is generous: a busy
//! machine may take a while to wake a process. A test fails if an answer comes
//! only when an iteration or a time limit ends.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The slowest prompt answer, even on a busy machine.
const SLACK: Duration = Duration::from_secs(2);
/// When a test stops waiting for a line.
const PATIENCE: Duration = Duration::from_secs(20);
/// Limit of the median delay.
const TYPICAL: Duration = Duration::from_millis(100);

/// How often an infinite search is stopped with each number of threads.
const STOPS: usize = 100;

/// Positions in which an infinite search has work for hours.
const MIDDLES: [&str; 3] = [
    "start",
    "m?pr/1?c1/1g2/1n?g/C?p?/??G?/1p1N/KC?? b GMRPPkmcpp 0 30",
    "nR1P/2?M/k?1P/?cm?/?r?1/?p1G/pg?1/gp?? b GRNNCPPcpp 0 30",
];

/// The program in a session.
struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_anqi"))
            .arg("protocol")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program was built for this test");
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Engine {
            child,
            input,
            lines,
        }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the program reads");
    }

    #[track_caller]
    fn hear(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("an answer")
    }

    /// Stops an infinite search after some milliseconds, and returns how long the answer took.
    fn stopped(&mut self, round: usize) -> Duration {
        self.ask(&format!("position {}", MIDDLES[round % MIDDLES.len()]));
        self.say("54 go infinite");
        thread::sleep(Duration::from_millis(7 * round as u64 % 61));
        let begin = Instant::now();
        self.say("55 stop");
        let told = self.hear();
        let delay = begin.elapsed();
        assert!(told.starts_with("=54 bestmove "), "{told}");
        assert_eq!(self.hear(), "=55");
        delay
    }

    /// Sends a line and expects an answer that is not a refusal.
    #[track_caller]
    fn ask(&mut self, line: &str) -> String {
        self.say(line);
        let told = self.hear();
        assert!(told.starts_with('='), "{line}: {told}");
        told
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It ends at the end of its input; a failing test does not wait for that.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn stop_is_answered_at_once_at_any_moment() {
    let mut engine = Engine::start();
    for threads in ["1", "2"] {
        engine.ask(&format!("set threads {threads}"));
        engine.ask("ready");
        let mut delays: Vec<Duration> = (0..STOPS).map(|round| engine.stopped(round)).collect();
        delays.sort();
        let [median, most, worst] = [STOPS / 2, STOPS * 99 / 100, STOPS - 1].map(|i| delays[i]);
        println!(
            "stop, {threads} threads: median {median:.1?}, 99 % {most:.1?}, worst {worst:.1?}"
        );
        assert!(median < TYPICAL, "{delays:?}");
        assert!(worst < SLACK, "{delays:?}");
    }
}

#[test]
fn forced_actions_and_proven_results_are_played_at_once() {
    // Each has so many pieces that a search to the greatest depth would never end.
    let cases = [
        // One action: the king steps away from a pawn, the others cannot move.
        ("Kp2/4/4/3r/1n1n/3g/m1gP/NmkG r - 0 60", "a8 a7"),
        // A win on the spot.
        ("Kg2/1?2/2?1/?2?/1P1P/4/2?1/P2R r MNNCC 0 60", "a8 b8"),
        // Lost after any action: pawns guard both ways out.
        ("k1P1/1P2/4/R1M1/1N1G/2C1/M1R1/G1NC b - 0 60", "a8 "),
    ];
    let mut engine = Engine::start();
    // Without tables the search has to prove it.
    for player in ["champion", "champion:tables=0"] {
        engine.ask(&format!("set player {player}"));
        engine.ask("time_settings 3600000");
        engine.ask("ready");
        for (position, squares) in cases {
            engine.ask(&format!("position {position}"));
            let color = if position.contains(" b ") {
                "black"
            } else {
                "red"
            };
            let begin = Instant::now();
            let chosen = engine.ask(&format!("12 genmove {color}"));
            let told = engine.ask("54 go movetime 60000");
            assert!(begin.elapsed() < SLACK, "{player}: {position}: {told}");
            assert!(chosen.starts_with(&format!("=12 {squares}")), "{chosen}");
        }
    }
}
