//! What an engine keeps from game to game, and what it takes.

use std::time::Duration;

use anqi_rules::ByColor;

use crate::check::dialect::Dialect;
use crate::check::exam::{Exam, Partner};
use crate::check::finding::{Checked, fail, skip};
use crate::check::memory::Usage;
use crate::check::tournament::{accepted, knows, reply};
use crate::check::uci;
use crate::check::voice::{ANSWER, Pace};

/// The nodes of a search that is made twice.
const NODES: u32 = 3_000;

/// A second game in the same process begins at the start.
pub fn new_game(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_game(Pace::Quick)?;
    // The same squares hide other pieces in each game.
    for plies in ["a1(K) a2(p)", "a1(p) a2(k)", "a2(G) a1(M)"] {
        partner.play_all(plies)?;
        partner.ask()?;
        partner.begin(Pace::Quick)?;
        partner.ask()?;
    }
    Ok("three games in one process".to_owned())
}

/// The peak of memory stays below the limit.
pub fn memory(exam: &Exam) -> Checked<String> {
    let clocks = ByColor([30_000.0; 2]);
    let mut partner = exam.open_game(Pace::Clocks(clocks))?;
    partner.play_all("a1(K) a2(p)")?;
    partner.ask()?;
    partner.play_all("d8(p) c3(k)")?;
    partner.ask()?;
    let Some(usage) = Usage::of_group(partner.wire.process_id()) else {
        return skip("this system does not tell how much memory a process takes");
    };
    // The server of the one-line dialect limits the address space.
    let (what, peak) = match exam.dialect() {
        Dialect::Line => ("address space", usage.address_space_bytes),
        Dialect::Tournament | Dialect::Uci => ("memory", usage.resident_bytes),
    };
    let limit = exam.settings.memory_bytes;
    let told = format!("{what} of {} MiB (limit {} MiB)", peak >> 20, limit >> 20);
    if peak <= limit { Ok(told) } else { fail(told) }
}

/// The same search in two processes gives the same action.
pub fn determinism(exam: &Exam) -> Checked<String> {
    let first = searched(exam)?;
    let second = searched(exam)?;
    if first == second {
        Ok(format!("'{first}' twice with {NODES} nodes"))
    } else {
        fail(format!("'{first}', then '{second}' with {NODES} nodes"))
    }
}

/// Searches a fixed number of nodes in a new process, after a seed if the engine has one.
fn searched(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_knowing(&["go"])?;
    if exam.dialect() == Dialect::Tournament && knows(&mut partner.wire, "set")? {
        accepted(&mut partner.wire, "56 set seed 7")?;
    }
    let mut chosen = Vec::new();
    for plies in ["a1(K) b2(p)", "d8(G) c7(r)", "a8(c) d1(M)"] {
        partner.play_all(plies)?;
        chosen.push(choice(exam, &mut partner)?);
    }
    Ok(chosen.join(" "))
}

fn choice(exam: &Exam, partner: &mut Partner) -> Checked<String> {
    if exam.dialect() == Dialect::Uci {
        let position = uci::position(&partner.game);
        partner.wire.send(&position);
        partner.wire.send(&format!("go nodes {NODES}"));
        let answer = partner.answer_within(ANSWER + Duration::from_secs(5))?;
        return Ok(answer.action.to_string());
    }
    let line = format!("54 go nodes {NODES}");
    partner.wire.send(&line);
    match reply(&mut partner.wire, &line, ANSWER)? {
        Ok(text) => Ok(text.split(' ').nth(1).unwrap_or_default().to_owned()),
        Err(reason) => fail(format!("'{line}' was refused: ?{reason}")),
    }
}
