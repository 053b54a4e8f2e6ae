//! Searches that the other side ends: `infinite`, `stop`, `ponder`.

use std::time::{Duration, Instant};

use crate::check::dialect::Dialect;
use crate::check::exam::{Exam, Partner};
use crate::check::finding::{Checked, fail};
use crate::check::games::{ScriptKind, Sort, scripts};
use crate::check::tournament::reply;
use crate::check::uci::{exchange, position};
use crate::check::voice::Pace;

/// How late an answer may be and still be told as late.
const LATE: Duration = Duration::from_secs(5);

/// Begins a search without end.
fn search(exam: &Exam, partner: &mut Partner, how: &str) {
    if exam.dialect() == Dialect::Uci {
        let position = position(&partner.game);
        partner.wire.send(&position);
        partner.wire.send(&format!("go {how}"));
    } else {
        partner.wire.send(&format!("54 go {how}"));
    }
}

/// Ends it, and returns how long the answer took.
fn stop(exam: &Exam, partner: &mut Partner) -> Checked<Duration> {
    let begun = Instant::now();
    if exam.dialect() == Dialect::Uci {
        partner.wire.send("stop");
        partner.answer_within(LATE)?;
    } else {
        partner.wire.send("55 stop");
        if let Err(reason) = reply(&mut partner.wire, "54 go", LATE)? {
            return fail(format!("'54 go infinite' was refused: ?{reason}"));
        }
    }
    Ok(begun.elapsed())
}

/// Watches a search that must not end by itself.
fn watch(exam: &Exam, partner: &mut Partner, event: &str) -> Checked {
    let Partner { wire, voice, .. } = partner;
    let tournament = exam.dialect() == Dialect::Tournament;
    wire.expect_none(
        &format!("an answer before {event}"),
        exam.settings.watch,
        |line| {
            if tournament {
                line.starts_with("=54") || line.starts_with("?54")
            } else {
                voice.is_answer(line)
            }
        },
    )
}

/// `infinite` ends with `stop` alone; in UCI also where there is nothing to think about.
pub fn infinite(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_knowing(&["go", "stop"])?;
    partner.play_all("a1(K) a2(p)")?;
    search(exam, &mut partner, "infinite");
    watch(exam, &mut partner, "stop")?;
    stop(exam, &mut partner)?;
    if exam.dialect() == Dialect::Tournament {
        // The extension `go` may end a search whose value is proven.
        return Ok("no answer before stop".to_owned());
    }
    let forced = scripts(exam.settings.seed, ScriptKind::Only(Sort::Step), 1);
    for script in &forced {
        partner = exam.open_knowing(&["go", "stop"])?;
        for &ply in &script.plies {
            partner.play(ply)?;
        }
        search(exam, &mut partner, "infinite");
        watch(exam, &mut partner, "stop")?;
        stop(exam, &mut partner)?;
    }
    Ok("no answer before stop, not even for the only legal action".to_owned())
}

/// `stop` ends a search soon, with a legal action.
pub fn stopped(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_knowing(&["go", "stop"])?;
    partner.play_all("a1(K) a2(p)")?;
    let mut longest = Duration::ZERO;
    for _ in 0..3 {
        search(exam, &mut partner, "infinite");
        std::thread::sleep(Duration::from_millis(100));
        longest = longest.max(stop(exam, &mut partner)?);
    }
    soon(exam, longest, "stop")?;
    Ok(format!(
        "answered at most {} ms after stop",
        longest.as_millis()
    ))
}

fn soon(exam: &Exam, elapsed: Duration, event: &str) -> Checked {
    if elapsed <= exam.settings.margin {
        Ok(())
    } else {
        fail(format!(
            "answered {} ms after {event} (expected at most {})",
            elapsed.as_millis(),
            exam.settings.margin.as_millis()
        ))
    }
}

/// `go ponder` is not answered before `ponderhit`, which starts the clock, or `stop`.
pub fn ponder(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_game(Pace::Quick)?;
    partner.play_all("a1(K) a2(p)")?;
    search(exam, &mut partner, "ponder wtime 1000 btime 1000");
    watch(exam, &mut partner, "ponderhit")?;
    let begun = Instant::now();
    partner.wire.send("ponderhit");
    partner.answer_within(LATE)?;
    let elapsed = begun.elapsed();
    if elapsed > Duration::from_secs(1) + exam.settings.margin {
        let elapsed = elapsed.as_millis();
        return fail(format!(
            "answered {elapsed} ms after ponderhit with 1000 ms left"
        ));
    }
    search(exam, &mut partner, "ponder wtime 60000 btime 60000");
    watch(exam, &mut partner, "stop")?;
    let stopped = stop(exam, &mut partner)?;
    soon(exam, stopped, "stop")?;
    Ok(format!(
        "{} ms after ponderhit, {} ms after stop",
        elapsed.as_millis(),
        stopped.as_millis()
    ))
}

/// `isready` is answered while the engine thinks.
pub fn ready_while_thinking(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_game(Pace::Quick)?;
    partner.play_all("a1(K) a2(p)")?;
    search(exam, &mut partner, "infinite");
    let begun = Instant::now();
    exchange(&mut partner.wire, "isready", "readyok", LATE)?;
    let elapsed = begun.elapsed();
    soon(exam, elapsed, "isready")?;
    stop(exam, &mut partner)?;
    Ok(format!("readyok after {} ms", elapsed.as_millis()))
}
