//! How a conversation begins.

use std::time::Duration;

use anqi_protocol::BoardText;

use crate::check::dialect::Dialect;
use crate::check::exam::Exam;
use crate::check::finding::{Checked, fail, skip};
use crate::check::games::{ScriptKind, scripts};
use crate::check::tournament::{self, accepted, request};
use crate::check::voice::Pace;

/// Boards that are set up.
const BOARDS: usize = 5;
/// The engine introduces itself.
pub fn handshake(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_game(Pace::Quick)?;
    if partner.name.is_empty() {
        return fail("the engine has no name");
    }
    if exam.dialect() == Dialect::Tournament {
        accepted(&mut partner.wire, "0 protocol_version")?;
    }
    Ok(partner.name)
}

/// `known_command` and `list_commands` agree.
pub fn known_commands(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open()?;
    let wire = &mut partner.wire;
    for known in ["genmove", "move", "flip", "quit"] {
        if !tournament::knows(wire, known)? {
            return fail(format!(
                "'3 known_command {known}' was not answered by =3 true"
            ));
        }
    }
    let unknown = accepted(wire, "3 known_command castle")?;
    if unknown != "false" {
        return fail(format!(
            "'3 known_command castle' was answered by =3 {unknown} (expected false)"
        ));
    }
    let first = accepted(wire, "4 list_commands")?;
    let mut names = vec![first];
    // The names after the first stand on lines of their own, which end with the next answer.
    wire.send("1 name");
    wire.wait("answer to '1 name'", Duration::from_secs(10), |line| {
        names.push(line.trim().to_owned());
        line.starts_with("=1")
    })?;
    if names.iter().any(|name| name == "genmove") {
        Ok(format!("{} commands", names.len() - 1))
    } else {
        fail("genmove is not in the answer to '4 list_commands'")
    }
}

/// The commands that servers send before a game are accepted.
pub fn settings(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open()?;
    let sent = [
        "6 boardsize 4 8",
        "7 reset_board",
        "8 num_repetition 3",
        "9 num_moves_to_draw 60",
        "15 time_settings 900000",
        "15 time_setting 900000",
        "14 ready",
    ];
    for line in sent {
        accepted(&mut partner.wire, line)?;
    }
    Ok(format!("{} commands accepted", sent.len()))
}

/// Boards set up by `init_board` are played.
pub fn init_board(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open()?;
    if !tournament::knows(&mut partner.wire, "init_board")? {
        return skip("the engine does not know the command init_board");
    }
    let scripts = scripts(exam.settings.seed ^ 18, ScriptKind::Few, 40);
    for script in scripts.iter().take(BOARDS) {
        partner.begin(Pace::Quick)?;
        for &ply in &script.plies {
            partner.game.play(ply).expect("scripts are legal");
        }
        let board = BoardText::of(partner.game.position());
        accepted(&mut partner.wire, &format!("18 init_board {board}"))?;
        partner.ask()?;
    }
    Ok(format!("{} boards", scripts.len().min(BOARDS)))
}

/// Nothing but answers stands on standard output.
pub fn clean_output(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_game(Pace::Quick)?;
    for plies in ["a1(K)", "b3(p) c5(k)", "d8(G) c7(r)"] {
        partner.ask()?;
        partner.play_all(plies)?;
    }
    partner.ask()?;
    partner
        .wire
        .expect_none("a line that answers nothing", exam.settings.watch, |line| {
            !line.is_empty()
        })?;
    if exam.dialect() == Dialect::Tournament {
        // Its last answer is behind everything that was written before.
        let _ = request(&mut partner.wire, "13 game_over the check is over")?;
    }
    partner.expect_no_stray()?;
    Ok("every line answers something".to_owned())
}

/// A board that is only shown is not answered.
pub fn unasked(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_game(Pace::Quick)?;
    partner.play_all("a1(K)")?;
    partner.expect_no_answer("it is asked", exam.settings.watch)?;
    partner.play_all("b1(k)")?;
    partner.expect_no_answer("it is asked", exam.settings.watch)?;
    partner.ask()?;
    Ok("two boards were shown and not answered".to_owned())
}
