//! How much of a fixed time per move the program uses, measured from outside.
//!
//! Nothing else may run beside it, and the program must be built for release, so the test is
//! ignored unless it is asked for:
//!
//!     cargo test --release -p anqi-app --test move_times -- --ignored --nocapture
//!
//! A metronome on another thread tells stalls of the machine apart: where it too was late, an
//! answer's delay is not the program's.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Positions whose best move is neither forced nor proven.
const MIDDLES: [&str; 3] = [
    "position startpos",
    "position fen XXXXXXXX/XXXXXXXX/XXXXgXXX/XXXXXXXX r G1A2E2R2H2C2S5a2e2r2h2c2s5 0 2",
    "position fen XXXXXXXX/XXSXXXXX/XXXXgXXX/XXXXXXXX r G1A2E2R2H2C2S4a2e2r2h2c2s5 0 3",
];
/// Answers may be this late, since servers allow for the way of an answer.
const MOST_LATE: Duration = Duration::from_millis(6);
/// A beat of the metronome, and how late it comes on a machine that stalls.
const BEAT: Duration = Duration::from_millis(1);
const STALL: Duration = Duration::from_millis(3);
const PATIENCE: Duration = Duration::from_secs(20);

struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<(String, Instant)>,
}

impl Engine {
    fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_anqi"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program was built for this test");
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send((line, Instant::now())).is_err() {
                    return;
                }
            }
        });
        let mut engine = Engine {
            child,
            input,
            lines,
        };
        engine.say("uci\nisready");
        engine.await_line("readyok");
        engine
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the program reads");
    }

    /// Waits for a line that begins with a word, and returns when it came.
    fn await_line(&mut self, word: &str) -> Instant {
        loop {
            let (line, at) = self.lines.recv_timeout(PATIENCE).expect("a line");
            if line.starts_with(word) {
                return at;
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Notes when the machine stalled.
struct Metronome {
    stalls: Arc<Mutex<Vec<(Instant, Instant)>>>,
    ended: Arc<AtomicBool>,
}

impl Metronome {
    fn start() -> Metronome {
        let stalls = Arc::new(Mutex::new(Vec::new()));
        let ended = Arc::new(AtomicBool::new(false));
        let (noted, end) = (Arc::clone(&stalls), Arc::clone(&ended));
        thread::spawn(move || {
            let mut last = Instant::now();
            while !end.load(Ordering::Relaxed) {
                thread::sleep(BEAT);
                let now = Instant::now();
                if now - last > BEAT + STALL {
                    noted.lock().expect("no panic").push((last, now));
                }
                last = now;
            }
        });
        Metronome { stalls, ended }
    }

    /// Returns whether the machine stalled between two moments.
    fn stalled(&self, from: Instant, to: Instant) -> bool {
        let stalls = self.stalls.lock().expect("no panic");
        stalls.iter().any(|(begin, end)| *begin < to && *end > from)
    }
}

impl Drop for Metronome {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

#[test]
#[ignore = "measures time, so nothing else may run beside it"]
fn a_fixed_time_per_move_is_used_and_kept() {
    let metronome = Metronome::start();
    for (limit, least, moves) in [(300, 294, 60), (20, 15, 300)] {
        let mut engine = Engine::start();
        let limit = Duration::from_millis(limit);
        let mut times = Vec::new();
        let mut stalled = 0;
        for number in 0..moves {
            engine.say("ucinewgame");
            engine.say(MIDDLES[number % MIDDLES.len()]);
            engine.say("isready");
            engine.await_line("readyok");
            let begin = Instant::now();
            engine.say(&format!("go movetime {}", limit.as_millis()));
            let end = engine.await_line("bestmove");
            if end > begin + limit && metronome.stalled(begin, end) {
                stalled += 1;
            } else {
                times.push(end - begin);
            }
        }
        times.sort();
        let [median, worst] = [times.len() / 2, times.len() - 1].map(|index| times[index]);
        println!("{limit:?} a move: median {median:.1?}, longest {worst:.1?}, {stalled} stalled");
        assert!(median >= Duration::from_millis(least), "{times:?}");
        assert!(worst <= limit + MOST_LATE, "{times:?}");
    }
}
