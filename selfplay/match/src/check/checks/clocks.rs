//! Time: kept, short, and written with a fraction.

use std::time::{Duration, Instant};

use anqi_rules::random::mix;
use anqi_rules::{Action, ByColor, Color, Piece, Ply};

use crate::check::dialect::Dialect;
use crate::check::exam::{Exam, Partner};
use crate::check::finding::{Checked, fail};
use crate::check::games::{Taste, is_over, random_ply};
use crate::check::line;
use crate::check::tournament::{accepted, reply};
use crate::check::uci;
use crate::check::voice::Pace;

/// The time for each of a few moves.
const MOVE_MS: u64 = 200;
/// The clock of a whole game.
const GAME_MS: f64 = 4_000.0;
/// Plies after which a game has lasted long enough.
const ENOUGH_PLIES: usize = 160;

/// A time for each move is kept.
pub fn move_time(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_knowing(&["go"])?;
    let mut longest = Duration::ZERO;
    for plies in ["a1(K) b2(p)", "d8(G) c7(r)", "a8(c) d1(M)"] {
        partner.play_all(plies)?;
        let begun = Instant::now();
        match exam.dialect() {
            Dialect::Tournament => go(&mut partner, &format!("movetime {MOVE_MS}"))?,
            _ => {
                partner.wire.send(&uci::position(&partner.game));
                partner.wire.send(&format!("go movetime {MOVE_MS}"));
                partner.answer_within(Duration::from_millis(MOVE_MS) + LATE)?;
            }
        }
        longest = longest.max(begun.elapsed());
    }
    in_time(exam, longest, MOVE_MS as f64)?;
    Ok(format!("at most {} of {MOVE_MS} ms", longest.as_millis()))
}

/// How late an answer may be and still be told as late.
const LATE: Duration = Duration::from_secs(5);

/// Asks by the command `go`, whose answer must be a legal action.
fn go(partner: &mut Partner, limits: &str) -> Checked {
    let line = format!("54 go {limits}");
    partner.wire.send(&line);
    let text = match reply(
        &mut partner.wire,
        &line,
        Duration::from_millis(MOVE_MS) + LATE,
    )? {
        Ok(text) => text,
        Err(reason) => return fail(format!("'{line}' was refused: ?{reason}")),
    };
    let word = text
        .strip_prefix("bestmove ")
        .and_then(|rest| rest.split(' ').next());
    let action: Option<Action> = word.and_then(|word| word.parse().ok());
    match action {
        Some(action) if partner.game.is_legal(action) => Ok(()),
        Some(action) => fail(format!(
            "{action} is illegal at {}",
            partner.game.position()
        )),
        None => fail(format!(
            "'{text}' does not answer go (expected bestmove b4-b2 …)"
        )),
    }
}

fn in_time(exam: &Exam, elapsed: Duration, limit_ms: f64) -> Checked {
    let margin = exam.settings.margin;
    let limit = Duration::from_secs_f64(limit_ms.max(0.0) / 1e3);
    if elapsed <= limit + margin {
        Ok(())
    } else {
        fail(format!(
            "answered after {} ms with {limit_ms} ms left (margin {} ms)",
            elapsed.as_millis(),
            margin.as_millis()
        ))
    }
}

/// A whole game against an opponent at random is played within its clock.
pub fn game_clock(exam: &Exam) -> Checked<String> {
    let pace = Pace::Clocks(ByColor([GAME_MS; 2]));
    let mut partner = exam.open_game(pace)?;
    let mut state = mix(exam.settings.seed, 4_000);
    let mut left_ms = GAME_MS;
    let mut color = None;
    while partner.game.plies().len() < ENOUGH_PLIES && !is_over(&mut partner.game) {
        let mine = partner.game.plies().len().is_multiple_of(2);
        let drawn = random_ply(partner.game.position(), Taste::Captures, &mut state);
        let ply = if mine {
            let limit = Duration::from_secs_f64(left_ms / 1e3) + LATE;
            let answer = partner.ask_within(limit)?;
            in_time(exam, answer.elapsed, left_ms)?;
            left_ms = (left_ms - answer.elapsed.as_secs_f64() * 1e3).max(0.0);
            played(&partner, answer.action, drawn, &mut state)
        } else {
            drawn
        };
        // The first flip decides which clock is the engine's.
        let own = *color.get_or_insert_with(|| ply.reveal.map_or(Color::Red, Piece::color));
        let mut clocks = ByColor([GAME_MS; 2]);
        clocks[own] = told(exam.dialect(), left_ms);
        partner.pace = Pace::Clocks(clocks);
        partner.play(ply)?;
    }
    let plies = partner.game.plies().len();
    Ok(format!("{plies} plies, {left_ms:.0} of {GAME_MS} ms left"))
}

/// Servers of the tournament protocol and boards send whole milliseconds.
fn told(dialect: Dialect, left_ms: f64) -> f64 {
    match dialect {
        Dialect::Line => left_ms,
        Dialect::Tournament | Dialect::Uci => left_ms.trunc(),
    }
}

/// Returns the ply of an answer: a flip reveals what would have been drawn for another flip.
fn played(partner: &Partner, action: Action, drawn: Ply, state: &mut u64) -> Ply {
    if !action.is_flip() {
        return Ply::from(action);
    }
    let mut reveal = drawn.reveal;
    while reveal.is_none() {
        reveal = random_ply(partner.game.position(), Taste::Flips, state).reveal;
    }
    Ply::flip(action.from(), reveal.expect("a flip was drawn"))
}

/// An answer comes with next to no time left, and with less.
pub fn little_time(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_game(Pace::Clocks(ByColor([60_000.0; 2])))?;
    partner.play_all("a1(K) a2(p)")?;
    for left_ms in [300.0, 30.0, 0.0, -5.0] {
        let elapsed = timed(exam, &mut partner, &left_ms.to_string())?;
        in_time(exam, elapsed, left_ms)?;
    }
    Ok("answered with 300, 30, 0 and -5 ms left".to_owned())
}

/// Times with a fraction or an exponent are understood.
pub fn decimal_times(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_game(Pace::Clocks(ByColor([60_000.0; 2])))?;
    partner.play_all("a1(K) a2(p)")?;
    let times = [
        ("347.418022155762", 347.4),
        ("1.5e2", 150.0),
        ("3E+2", 300.0),
    ];
    for (text, left_ms) in times {
        let elapsed = timed(exam, &mut partner, text)?;
        in_time(exam, elapsed, left_ms)?;
    }
    Ok("347.418022155762, 1.5e2 and 3E+2 ms".to_owned())
}

/// Asks with so little time left for the side to move, and returns how long the answer took.
fn timed(exam: &Exam, partner: &mut Partner, left: &str) -> Checked<Duration> {
    let mover = partner.mover();
    let clocks = match mover {
        Color::Red => [left, "60000"],
        Color::Black => ["60000", left],
    };
    let [red, black] = clocks;
    let begun = Instant::now();
    match exam.dialect() {
        Dialect::Tournament => {
            accepted(&mut partner.wire, &format!("16 time_left {mover} {left}"))?;
            partner.wire.send(&format!("12 genmove {mover}"));
        }
        Dialect::Uci => {
            partner.wire.send(&uci::position(&partner.game));
            partner.wire.send(&format!("go wtime {red} btime {black}"));
        }
        Dialect::Line => {
            let shown = line::shown(&partner.game);
            let board = shown.trim_end_matches(" -9999 -9999");
            partner.wire.send(&format!("{board} {red} {black}"));
        }
    }
    partner.answer_within(LATE)?;
    Ok(begun.elapsed())
}
