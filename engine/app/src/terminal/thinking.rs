//! Letting a player think, with a quiet note for those who watch.
//!
//! Nothing is shown for the first half second. After that a single line tells
//! how long the player has been thinking and how deep it has looked; it is
//! written over and wiped away when the answer comes.

use super::style::Audience;
use anqi_search::{Choice, Player, Report, Request};
use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Thinking that is over sooner is not worth a note.
const QUIET_TIME: Duration = Duration::from_millis(500);
/// Time between two notes.
const NOTE_INTERVAL: Duration = Duration::from_millis(250);

/// Lets `player` answer the request.
///
/// # Errors
///
/// Returns the error of a note that could not be written; the player is told to stop then.
pub fn think(
    player: &mut dyn Player,
    request: &Request<'_>,
    name: &str,
    audience: Audience,
    output: &mut impl Write,
) -> io::Result<Choice> {
    let choice = think_aloud(player, request, name, audience, output);
    crate::tell_trouble(player);
    choice
}

fn think_aloud(
    player: &mut dyn Player,
    request: &Request<'_>,
    name: &str,
    audience: Audience,
    output: &mut impl Write,
) -> io::Result<Choice> {
    if audience == Audience::Later {
        return Ok(player.choose(request, &mut |_| {}));
    }
    let depth = AtomicU32::new(0);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut report = |report: &Report| depth.store(report.depth, Ordering::Relaxed);
            let choice = player.choose(request, &mut report);
            // Nobody listens any more once a note has failed.
            let _ = sender.send(choice);
        });
        let result = await_choice(&receiver, name, &depth, output);
        if result.is_err() {
            request.stop.request();
        }
        result
    })
}

/// Waits for the answer and keeps the note up to date.
fn await_choice(
    receiver: &Receiver<Choice>,
    name: &str,
    depth: &AtomicU32,
    output: &mut impl Write,
) -> io::Result<Choice> {
    let start = Instant::now();
    let mut wait = QUIET_TIME;
    let mut noted = false;
    loop {
        match receiver.recv_timeout(wait) {
            Ok(choice) => {
                if noted {
                    write!(output, "\r\x1b[K")?;
                    output.flush()?;
                }
                return Ok(choice);
            }
            Err(RecvTimeoutError::Timeout) => {
                let note = note(name, start.elapsed(), depth.load(Ordering::Relaxed));
                write!(output, "\r{note}\x1b[K")?;
                output.flush()?;
                noted = true;
                wait = NOTE_INTERVAL;
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(io::Error::other(format!("{name} broke off thinking")));
            }
        }
    }
}

fn note(name: &str, elapsed: Duration, depth: u32) -> String {
    let seconds = elapsed.as_secs_f32();
    match depth {
        0 => format!("{name} thinks … {seconds:.1} s"),
        _ => format!("{name} thinks … {seconds:.1} s, depth {depth}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::{Action, Game, Position, Rules};
    use anqi_search::{Limits, Stop};

    /// A player who takes its time.
    struct Slow(Duration);

    impl Player for Slow {
        fn spec(&self) -> String {
            "slow".to_owned()
        }

        fn choose(&mut self, request: &Request<'_>, _: &mut dyn FnMut(&Report)) -> Choice {
            let start = Instant::now();
            while start.elapsed() < self.0 && !request.stop.requested() {
                thread::sleep(Duration::from_millis(5));
            }
            Choice::plain(request.game.position().actions()[0])
        }
    }

    fn notes(time: Duration, audience: Audience) -> (Action, String) {
        let game = Game::new(Position::start(), Rules::OLYMPIAD);
        let stop = Stop::new();
        let request = Request {
            game: &game,
            limits: Limits::NONE,
            seed: 1,
            stop: &stop,
        };
        let mut output = Vec::new();
        let choice = think(&mut Slow(time), &request, "slow", audience, &mut output).unwrap();
        (choice.action, String::from_utf8(output).unwrap())
    }

    #[test]
    fn only_long_thinking_before_an_audience_leaves_a_note_and_wipes_it() {
        let long = QUIET_TIME + NOTE_INTERVAL;
        let (action, shown) = notes(long, Audience::Watching);
        assert_eq!(action.to_string(), "a1-a1");
        assert!(shown.starts_with("\rslow thinks … "), "{shown:?}");
        assert!(shown.ends_with("\r\x1b[K"), "{shown:?}");
        assert_eq!(notes(Duration::ZERO, Audience::Watching).1, "");
        assert_eq!(notes(long, Audience::Later).1, "");
    }

    /// An output that is gone.
    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_broken_output_stops_the_player() {
        let game = Game::new(Position::start(), Rules::OLYMPIAD);
        let stop = Stop::new();
        let request = Request {
            game: &game,
            limits: Limits::NONE,
            seed: 1,
            stop: &stop,
        };
        let mut forever = Slow(Duration::from_secs(3_600));
        let audience = Audience::Watching;
        let error = think(&mut forever, &request, "slow", audience, &mut Broken).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        assert!(stop.requested());
    }
}
