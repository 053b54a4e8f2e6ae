//! Answers are legal actions of the position.

use crate::check::exam::Exam;
use crate::check::finding::Checked;
use crate::check::games::{Script, ScriptKind, Sort, asked, scripts};
use crate::check::voice::Pace;

/// The first ply is a flip, for the side that begins and for the one that follows.
pub fn first_flip(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_game(Pace::Quick)?;
    partner.ask()?;
    for plies in ["c4(p)", "b6(K)"] {
        let mut partner = exam.open_game(Pace::Quick)?;
        partner.play_all(plies)?;
        partner.ask()?;
    }
    Ok("3 positions".to_owned())
}

/// Positions with face-down pieces.
pub fn middle_game(exam: &Exam) -> Checked<String> {
    of_kind(exam, ScriptKind::Middle, 37)
}

/// Positions in which a cannon can jump.
pub fn cannon_jumps(exam: &Exam) -> Checked<String> {
    of_kind(exam, ScriptKind::Jump, 20)
}

/// Positions with few pieces.
pub fn few_pieces(exam: &Exam) -> Checked<String> {
    of_kind(exam, ScriptKind::Few, 20)
}

/// Positions after all pieces were flipped: no flip is left to hide behind.
pub fn flips(exam: &Exam) -> Checked<String> {
    of_kind(exam, ScriptKind::Revealed, 8)
}

/// Positions with one legal action: a step, a capture, a jump, a flip.
pub fn only_action(exam: &Exam) -> Checked<String> {
    let mut all = Vec::new();
    for sort in [Sort::Step, Sort::Capture, Sort::Jump, Sort::Flip] {
        all.extend(scripts(exam.settings.seed ^ 99, ScriptKind::Only(sort), 3));
    }
    walked(exam, &all)
}

fn of_kind(exam: &Exam, kind: ScriptKind, count: usize) -> Checked<String> {
    walked(exam, &scripts(exam.settings.seed, kind, count))
}

fn walked(exam: &Exam, scripts: &[Script]) -> Checked<String> {
    exam.walk(scripts)?;
    Ok(format!(
        "{} positions of {} games",
        asked(scripts),
        scripts.len()
    ))
}

/// `genmove` plays nothing: the ply that is told next may be another, and the game goes on from there.
pub fn echo(exam: &Exam) -> Checked<String> {
    let mut partner = exam.open_game(Pace::Quick)?;
    // Red may capture or flip.
    partner.play_all("a1(K) a2(g)")?;
    let first = partner.ask()?.action;
    let another = if first.is_flip() { "a1-a2" } else { "b1(P)" };
    partner.play_all(another)?;
    partner.play_all("d8(r)")?;
    partner.ask()?;
    Ok(format!("it would play {first} and was told {another}"))
}
