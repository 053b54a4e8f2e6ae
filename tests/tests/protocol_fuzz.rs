//! The protocol fuzzer against a session in this process, and against itself.
//!
//! `cargo run --release -p anqi-tests --bin fuzz -- target/release/anqi --seconds 60` does the same to the whole program.

use anqi_tests::fuzz::{Fuzzer, Inside, Tally, Wire};

const LINES: usize = 20_000;

fn fuzz(wire: &mut dyn Wire, seed: u64, lines: usize) -> Result<Tally, String> {
    let mut fuzzer = Fuzzer::new(wire, seed);
    fuzzer.prepare()?;
    fuzzer.run(lines)
}

#[test]
fn a_session_bears_twenty_thousand_lines() {
    let mut session = Inside::start().unwrap();
    let tally = match fuzz(&mut session, 1, LINES) {
        Ok(tally) => tally,
        Err(why) => panic!("{why}"),
    };
    println!("{tally}");
    // A conversation that is refused from beginning to end, or never leaves the start, tests little.
    assert!(tally.lines > LINES * 9 / 10, "{tally}");
    assert!(
        tally.accepted > LINES / 4 && tally.refused > LINES / 4,
        "{tally}"
    );
    assert!(
        tally.changes > LINES / 8 && tally.silent > 10 && tally.restarts > 10,
        "{tally}"
    );
}

/// What a faulty engine does wrong, now and then.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Answers twice.
    Twice,
    /// Does not answer.
    Never,
    /// Answers under another number.
    OtherNumber,
    /// Refuses and does not say why.
    NoReason,
    /// Says that it has done what it has refused.
    Obsequious,
    /// Refuses what it has done.
    Stubborn,
    /// Takes a ply back when it refuses one.
    Forgetful,
    /// Leaves an action out of the list.
    Blind,
    /// Says that the game goes on when it is over.
    Tireless,
}

/// A session that errs at regular intervals.
struct Faulty {
    session: Inside,
    fault: Fault,
    lines: usize,
}

impl Faulty {
    /// Spoils the answers to one line and the question after it.
    fn spoil(&mut self, answers: &mut Vec<String>) -> Result<(), String> {
        let Some(answer) = answers.first_mut() else {
            return Ok(());
        };
        let refused = answer.starts_with('?');
        match self.fault {
            Fault::Twice => answers.insert(0, answers[0].clone()),
            Fault::Never => drop(answers.remove(0)),
            Fault::OtherNumber if answer.len() > 2 => answer.insert(1, '1'),
            Fault::NoReason if refused => answer.truncate(answer.find(' ').unwrap_or(answer.len())),
            Fault::Obsequious if refused => *answer = answer.replacen('?', "=", 1),
            Fault::Stubborn if *answer == "=10" => *answer = "?10 no".to_string(),
            Fault::Forgetful if answer.starts_with("?10") => {
                let again = self
                    .session
                    .exchange(&[b"52 undo".to_vec(), b"53 get_position".to_vec()], 2)?;
                answers.truncate(1);
                answers.push(again[1].clone());
            }
            Fault::Blind if answer.starts_with("=51 ") => {
                let at = answer.rfind(' ').unwrap_or(answer.len());
                answer.truncate(at);
            }
            Fault::Tireless if answer.ends_with(" wins") || answer.contains(" draw ") => {
                *answer = "=59 playing".to_string();
            }
            _ => {}
        }
        Ok(())
    }
}

impl Wire for Faulty {
    fn exchange(&mut self, lines: &[Vec<u8>], answers: usize) -> Result<Vec<String>, String> {
        let mut heard = self.session.exchange(lines, answers)?;
        self.lines += 1;
        if self.lines > 100 && self.lines.is_multiple_of(3) && lines.len() == 2 && answers == 2 {
            self.spoil(&mut heard)?;
        }
        if heard.len() == answers {
            Ok(heard)
        } else {
            Err(format!(
                "{answers} answers were expected, these came: {heard:?}"
            ))
        }
    }

    fn restart(&mut self, line: &[u8]) -> Result<(), String> {
        self.session.restart(line)
    }
}

#[test]
fn the_fuzzer_finds_every_fault() {
    let faults = [
        Fault::Twice,
        Fault::Never,
        Fault::OtherNumber,
        Fault::NoReason,
        Fault::Obsequious,
        Fault::Stubborn,
        Fault::Forgetful,
        Fault::Blind,
        Fault::Tireless,
    ];
    for fault in faults {
        let session = Inside::start().unwrap();
        let mut faulty = Faulty {
            session,
            fault,
            lines: 0,
        };
        let found = fuzz(&mut faulty, 3, LINES);
        assert!(found.is_err(), "{fault:?} was not found");
    }
}
