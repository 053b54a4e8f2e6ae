//! How a conversation ends.

use std::process::ExitStatus;
use std::thread;
use std::time::Duration;

use anqi_rules::ByColor;

use crate::check::dialect::Dialect;
use crate::check::exam::{Exam, Partner};
use crate::check::finding::{Checked, fail};
use crate::check::uci;
use crate::check::voice::Pace;

/// How long an engine may take to end.
const PATIENCE: Duration = Duration::from_secs(2);

fn quit_command(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Tournament => "5 quit",
        Dialect::Uci | Dialect::Line => "quit",
    }
}

fn ends_well(status: ExitStatus, after: &str) -> Checked<String> {
    if status.success() {
        Ok(format!("exit code 0 after {after}"))
    } else {
        fail(format!("{status} after {after} (expected exit code 0)"))
    }
}

/// `quit` ends the program with exit code 0.
pub fn quit(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_game(Pace::Quick)?;
    partner.ask()?;
    quits(exam, &mut partner)
}

fn quits(exam: &Exam, partner: &mut Partner) -> Checked<String> {
    let command = quit_command(exam.dialect());
    partner.wire.send(command);
    let status = partner
        .wire
        .exit(command, PATIENCE + exam.settings.margin)?;
    ends_well(status, command)
}

/// `quit` ends a search too: a server's way to end a game that is lost on time.
pub fn quit_while_thinking(exam: &Exam) -> Checked<String> {
    let clocks = ByColor([3_600_000.0; 2]);
    let mut partner = exam.open_game(Pace::Clocks(clocks))?;
    partner.play_all("a1(K) a2(p)")?;
    if exam.dialect() == Dialect::Uci {
        let position = uci::position(&partner.game);
        partner.wire.send(&position);
        partner.wire.send("go infinite");
    } else {
        partner
            .voice
            .ask(&mut partner.wire, &partner.game, partner.pace);
    }
    thread::sleep(Duration::from_millis(200));
    quits(exam, &mut partner)
}

/// The end of the input ends the program with exit code 0.
pub fn end_of_input(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_game(Pace::Quick)?;
    partner.ask()?;
    partner.wire.close_input();
    let after = "the end of the input";
    let status = partner.wire.exit(after, PATIENCE + exam.settings.margin)?;
    ends_well(status, after)
}
