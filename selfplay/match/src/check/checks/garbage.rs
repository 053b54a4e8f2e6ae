//! Lines that no server should send: the conversation goes on, and the position stays.

use std::time::Duration;

use anqi_rules::notation::excerpt;

use crate::check::dialect::Dialect;
use crate::check::exam::{Exam, Partner};
use crate::check::finding::{Broken, Checked, fail};
use crate::check::tournament::{Reply, reply};
use crate::check::uci::exchange;
use crate::check::voice::Pace;

/// Bytes of a line that is too long for any command.
const LONG_BYTES: usize = 200_000;
/// How long an engine may take for a line that it can make nothing of.
const PATIENCE: Duration = Duration::from_secs(5);

/// Words that are no command.
pub fn unknown_words(exam: &Exam) -> Checked<String> {
    let lines: &[&str] = match exam.dialect() {
        Dialect::Tournament => &["99 castle", "98", "97 xyzzy a1 a2 a3 a4 a5 a6 a7 a8"],
        Dialect::Uci => &[
            "castle",
            "xyzzy a1 a2",
            "setoption name No Such Option value 7",
            "ponderhit",
        ],
        Dialect::Line => &["castle", "xyzzy a1 a2", "hello world this is a line"],
    };
    survives(exam, lines.iter().map(|line| line.as_bytes().to_vec()))
}

/// Commands with arguments that are none; boards that are none are shown and not asked.
pub fn bad_arguments(exam: &Exam) -> Checked<String> {
    let lines: &[&str] = match exam.dialect() {
        Dialect::Tournament => &[
            "10 move z9 a1",
            "10 move a1",
            "10 move a1 d8",
            "11 flip b9 P",
            "11 flip b8 Q",
            "11 flip a1 K",
            "12 genmove white",
            "16 time_left red soon",
        ],
        Dialect::Uci => &[
            "position fen X8/9 q Z9 none",
            "position",
            "position fen XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX - G9 0 1 moves z9z9",
        ],
        Dialect::Line => &[
            "????????/????????/???????? r -9999 -9999",
            "9/8/8/8 r -9999 -9999",
            "q?x?????/????????/????????/???????? z -9999 -9999",
        ],
    };
    survives(exam, lines.iter().map(|line| line.as_bytes().to_vec()))
}

/// Lines of many bytes.
pub fn long_lines(exam: &Exam) -> Checked<String> {
    let one_word = vec![b'x'; LONG_BYTES];
    let many_words = b"a1 ".repeat(LONG_BYTES / 3);
    let number: &[u8] = match exam.dialect() {
        Dialect::Tournament => b"99 ",
        Dialect::Uci | Dialect::Line => b"",
    };
    let lines = [one_word, many_words].map(|text| [number, &text].concat());
    survives(exam, lines.into_iter())
}

/// Bytes that are no text.
pub fn raw_bytes(exam: &Exam) -> Checked<String> {
    let number: &[u8] = match exam.dialect() {
        Dialect::Tournament => b"99 ",
        Dialect::Uci | Dialect::Line => b"",
    };
    let texts: [&[u8]; 3] = [
        b"\xff\xfe\x80",
        b"\xc3\x28 \xe2\x82",
        b"\x00\x01\x02\x1b[2J",
    ];
    survives(exam, texts.into_iter().map(|text| [number, text].concat()))
}

/// Sends each line in the middle of a game; after it the engine must play on in the same position.
fn survives(exam: &Exam, lines: impl Iterator<Item = Vec<u8>>) -> Checked<String> {
    let mut partner = exam.open_game(Pace::Quick)?;
    partner.play_all("a1(K) b1(p)")?;
    let mut count = 0;
    for line in lines {
        let told = excerpt(&String::from_utf8_lossy(&line));
        partner.wire.send_bytes(&line);
        passed_over(exam, &mut partner, &line, &told)?;
        if let Err(broken) = partner.ask() {
            return fail(format!("after the line '{told}': {}", reason(broken)));
        }
        count += 1;
    }
    Ok(format!("{count} lines"))
}

fn reason(broken: Broken) -> String {
    match broken {
        Broken::Failed(reason) | Broken::Skipped(reason) => reason,
    }
}

/// Waits until the engine is through with a line: refused, or without any answer.
fn passed_over(exam: &Exam, partner: &mut Partner, line: &[u8], told: &str) -> Checked {
    match exam.dialect() {
        Dialect::Tournament => {
            let text = String::from_utf8_lossy(line);
            let number = text.split(' ').next().unwrap_or_default();
            let answer: Reply = reply(&mut partner.wire, number, PATIENCE)?;
            match answer {
                Err(reason) if !reason.is_empty() => Ok(()),
                Err(_) => fail(format!("'{told}' was refused without a reason")),
                Ok(text) => fail(format!(
                    "'{told}' was answered by '={number} {text}' (expected ?{number} and a reason)"
                )),
            }
        }
        Dialect::Uci => exchange(&mut partner.wire, "isready", "readyok", PATIENCE),
        Dialect::Line => Ok(()),
    }
}
