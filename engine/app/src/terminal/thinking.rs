//! Runs a player with a live line.
//!
//! Nothing is shown for the first half second. After that a single line shows
//! the thinking time, depth, value and principal variation; it is overwritten
//! as the search proceeds and erased when the answer comes.

use super::console::Console;
use super::language::{Language, say};
use super::width::fit;
use anqi_rules::Game;
use anqi_search::{Choice, Limits, LineStep, Player, Report, Request};
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Shorter thinking shows no line.
const QUIET_TIME: Duration = Duration::from_millis(500);
/// Time between two versions of the line.
const NOTE_INTERVAL: Duration = Duration::from_millis(250);

/// Whether thinking is shown on a screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Progress {
    /// Never.
    #[default]
    Hidden,
    /// In a live line.
    Shown,
}

/// The inputs of the live line.
#[derive(Clone, Copy)]
pub struct Notes<'a> {
    /// The name of the player.
    pub name: &'a str,
    /// Whether to show anything.
    pub progress: Progress,
    /// The language of the line.
    pub language: Language,
    /// Returns the columns of the screen at this moment, `None` without a screen.
    pub columns: &'a dyn Fn() -> Option<usize>,
}

/// A position to think about, and for how long.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The name of the player that is asked.
    pub name: &'a str,
    /// The game, which is not over.
    pub game: &'a Game,
    /// How long it may think.
    pub limits: Limits,
    /// Seeds its random choices.
    pub seed: u64,
    /// Whether its thinking is shown.
    pub progress: Progress,
    /// The language of what is shown.
    pub language: Language,
}

/// Lets a player think until Ctrl-C at the console, and shows its warnings.
///
/// # Errors
///
/// Fails if the live line cannot be written.
pub fn consult(
    player: &mut dyn Player,
    question: Question<'_>,
    console: &impl Console,
    output: &mut impl Write,
) -> io::Result<Choice> {
    console.begin_thinking();
    let request = Request {
        game: question.game,
        among: None,
        limits: question.limits,
        seed: question.seed,
        stop: console.stop(),
    };
    let columns = || console.columns();
    let notes = Notes {
        name: question.name,
        progress: question.progress,
        language: question.language,
        columns: &columns,
    };
    let choice = think(player, &request, notes, output)?;
    if let Some(warning) = player.take_warning() {
        console.warn(&warning);
    }
    Ok(choice)
}

/// Lets `player` answer the request, with a live line.
///
/// # Errors
///
/// Returns the error of a line that could not be written; the player is then stopped.
pub fn think(
    player: &mut dyn Player,
    request: &Request<'_>,
    notes: Notes<'_>,
    output: &mut impl Write,
) -> io::Result<Choice> {
    // The output so far must be visible before the player thinks.
    output.flush()?;
    if notes.progress == Progress::Hidden || (notes.columns)().is_none() {
        return Ok(player.choose(request, &mut |_| {}));
    }
    let latest = Mutex::new(None);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut report = |report: &Report| {
                if report.rank == 1 {
                    // A report is replaced as a whole, so it is sound even if the lock is poisoned.
                    *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(report.clone());
                }
            };
            let choice = player.choose(request, &mut report);
            // Fails if a line could not be written and the caller has left.
            let _ = sender.send(choice);
        });
        let result = await_choice(&receiver, notes, &latest, output);
        if result.is_err() {
            request.stop.request();
        }
        result
    })
}

/// Waits for the answer and keeps the line up to date.
fn await_choice(
    receiver: &Receiver<Choice>,
    notes: Notes<'_>,
    latest: &Mutex<Option<Report>>,
    output: &mut impl Write,
) -> io::Result<Choice> {
    let start = Instant::now();
    let mut wait = QUIET_TIME;
    let mut shown = false;
    loop {
        match receiver.recv_timeout(wait) {
            Ok(choice) => {
                if shown {
                    write!(output, "\r\x1b[K")?;
                    output.flush()?;
                }
                return Ok(choice);
            }
            Err(RecvTimeoutError::Timeout) => {
                let report = latest
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .clone();
                let columns = (notes.columns)().unwrap_or_default();
                let note = note(notes, start.elapsed(), report.as_ref(), columns);
                write!(output, "\r{note}\x1b[K")?;
                output.flush()?;
                shown = true;
                wait = NOTE_INTERVAL;
            }
            Err(RecvTimeoutError::Disconnected) => {
                let name = notes.name;
                return Err(io::Error::other(format!("{name} broke off thinking")));
            }
        }
    }
}

/// Returns the live line, cut so that the cursor stays on it.
fn note(notes: Notes<'_>, elapsed: Duration, report: Option<&Report>, columns: usize) -> String {
    let name = notes.name.split(':').next().unwrap_or(notes.name);
    let seconds = format!("{:.1}", elapsed.as_secs_f32());
    let note = match report {
        None => say!(notes.language, "thinks", name = name, seconds = seconds),
        Some(report) => say!(
            notes.language,
            "thinks.depth",
            name = name,
            seconds = seconds,
            depth = report.depth,
            score = report.score,
            line = line(&report.line),
        ),
    };
    fit(&note, columns.saturating_sub(1))
}

/// Returns the principal variation; a flip ends with a question mark.
fn line(steps: &[LineStep]) -> String {
    let step = |step: &LineStep| {
        if step.action.is_flip() {
            format!("{}?", step.action.from())
        } else {
            step.action.to_string()
        }
    };
    let steps: Vec<String> = steps.iter().map(step).collect();
    steps.join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::width::width;
    use super::*;
    use anqi_rules::{Action, Game, Position, Rules};
    use anqi_search::{Limits, Score, Stop};

    /// A player that takes its time.
    struct Slow(Duration);

    impl Player for Slow {
        fn spec(&self) -> String {
            "slow".to_owned()
        }

        fn choose(&mut self, request: &Request<'_>, tell: &mut dyn FnMut(&Report)) -> Choice {
            let start = Instant::now();
            tell(&report());
            while start.elapsed() < self.0 && !request.stop.requested() {
                thread::sleep(Duration::from_millis(5));
            }
            Choice::plain(request.game.position().actions()[0])
        }
    }

    fn report() -> Report {
        let step = |text: &str| LineStep {
            action: text.parse().unwrap(),
            expectation: None,
        };
        Report {
            depth: 7,
            selective_depth: 9,
            score: Score::Estimate(2_310),
            nodes: 1_000,
            elapsed: Duration::from_millis(700),
            table_hits: 0,
            hash_permille: 0,
            rank: 1,
            line: vec![step("b2-b3"), step("c4-c4")],
        }
    }

    fn request<'a>(game: &'a Game, stop: &'a Stop) -> Request<'a> {
        Request {
            game,
            among: None,
            limits: Limits::NONE,
            seed: 1,
            stop,
        }
    }

    fn shown(time: Duration, progress: Progress, columns: Option<usize>) -> (Action, String) {
        let game = Game::new(Position::start(), Rules::OLYMPIAD);
        let stop = Stop::new();
        let notes = Notes {
            name: "slow:patience=9",
            progress,
            language: Language::English,
            columns: &|| columns,
        };
        let mut output = Vec::new();
        let request = request(&game, &stop);
        let choice = think(&mut Slow(time), &request, notes, &mut output).unwrap();
        (choice.action, String::from_utf8(output).unwrap())
    }

    #[test]
    fn long_thinking_is_shown_with_depth_value_and_line_and_wiped_away() {
        let long = QUIET_TIME + NOTE_INTERVAL;
        let (action, shown) = shown(long, Progress::Shown, Some(80));
        assert_eq!(action.to_string(), "a1-a1");
        assert!(shown.starts_with("\rslow thinks 0.5 s, depth 7, +0.231: b2-b3 c4?"));
        assert!(shown.ends_with("\r\x1b[K"), "{shown:?}");
    }

    #[test]
    fn nothing_is_shown_of_short_hidden_or_unwatched_thinking() {
        let long = QUIET_TIME + NOTE_INTERVAL;
        assert_eq!(shown(Duration::ZERO, Progress::Shown, Some(80)).1, "");
        assert_eq!(shown(long, Progress::Hidden, Some(80)).1, "");
        assert_eq!(shown(long, Progress::Shown, None).1, "");
    }

    #[test]
    fn the_line_leaves_a_column_for_the_cursor() {
        for columns in [0, 1, 20, 32, 45] {
            let notes = Notes {
                name: "slow",
                progress: Progress::Shown,
                language: Language::English,
                columns: &|| None,
            };
            let note = note(notes, QUIET_TIME, Some(&report()), columns);
            assert!(width(&note) < columns.max(2), "{columns}: {note}");
        }
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
        let notes = Notes {
            name: "slow",
            progress: Progress::Shown,
            language: Language::English,
            columns: &|| Some(80),
        };
        let mut forever = Slow(Duration::from_secs(3_600));
        let error = think(&mut forever, &request(&game, &stop), notes, &mut Broken).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        assert!(stop.requested());
    }
}
