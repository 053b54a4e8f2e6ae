//! Games of matches in the shape of PGN (`docs/record-format.md`).

use std::io::Write;

use anqi_protocol::record::pgn::{
    Annotation, Eval, Expectation, GameResult, PgnGame, Termination, write,
};

use super::sink::ExportError;
use super::source::SavedMatch;
use crate::limits::TimeControl;
use crate::luck::WIN;
use crate::record::{GameRecord, Reason, Verdict};
use crate::replay;

/// Writes all games of the matches and returns their number.
///
/// # Errors
///
/// Fails if the file cannot be written or a record cannot be replayed.
pub fn write_pgn(matches: &[SavedMatch], mut out: impl Write) -> Result<u64, ExportError> {
    let mut count = 0;
    for saved in matches {
        for pair in &saved.records {
            for (index, record) in pair.games.iter().enumerate() {
                let mut game = of_game(saved, record)?;
                let round = format!("{}.{}", pair.pair + 1, index + 1);
                game.tags.set("Round", &round);
                if count > 0 {
                    out.write_all(b"\n")?;
                }
                out.write_all(write(&[game]).as_bytes())?;
                count += 1;
            }
        }
    }
    out.flush()?;
    Ok(count)
}

fn of_game(saved: &SavedMatch, record: &GameRecord) -> Result<PgnGame, ExportError> {
    let identity = &saved.meta.identity;
    let game = replay::replayed(record, saved.rules(), None)?;
    let seats = [record.starter, !record.starter];
    let names = seats.map(|side| identity.players[side].as_str());
    let mut pgn = PgnGame::of_game(&game, names);
    pgn.tags.set("Event", "selfplay match");
    pgn.tags.set("Seed", &identity.seed.to_string());
    pgn.tags.set("DealKind", &identity.deal.to_string());
    for (tag, side) in ["FirstLimits", "SecondLimits"].into_iter().zip(seats) {
        pgn.tags.set(tag, &identity.limits[side].to_string());
    }
    let [first, second] = seats.map(|side| identity.limits[side].time);
    if let (Some(time), true) = (first, first == second) {
        pgn.tags.set("TimeControl", &time_control(time));
    }
    end(&mut pgn, record);
    for (seat, side) in seats.into_iter().enumerate() {
        value(&mut pgn, seat, record.last_values[side]);
    }
    Ok(pgn)
}

fn time_control(time: TimeControl) -> String {
    let seconds = |ms: u64| format!("{}", ms as f64 / 1_000.0);
    match time {
        // As chess programs write a fixed time for each move.
        TimeControl::PerMove { move_ms } => format!("1/{}", seconds(move_ms)),
        TimeControl::Total {
            total_ms,
            increment_ms: 0,
        } => seconds(total_ms),
        TimeControl::Total {
            total_ms,
            increment_ms,
        } => format!("{}+{}", seconds(total_ms), seconds(increment_ms)),
    }
}

/// Sets result and reason, and what exactly went wrong.
fn end(pgn: &mut PgnGame, record: &GameRecord) {
    let Verdict {
        winner,
        reason,
        detail,
    } = &record.verdict;
    pgn.result = match winner {
        None => GameResult::Draw,
        Some(winner) => GameResult::won_by(usize::from(*winner != record.starter)),
    };
    pgn.termination = Some(match reason {
        Reason::NoLegalAction => Termination::NoLegalAction,
        Reason::Annihilation => Termination::Annihilation,
        Reason::QuietLimit => Termination::QuietLimit,
        Reason::Repetition => Termination::Repetition,
        Reason::AdjudicatedWin | Reason::AdjudicatedDraw | Reason::Tables => {
            Termination::Adjudication
        }
        Reason::TimeForfeit | Reason::Stall => Termination::TimeForfeit,
        Reason::IllegalAction | Reason::BadAnswer | Reason::Flood | Reason::Crash => {
            Termination::RulesInfraction
        }
    });
    let words = match reason {
        Reason::NoLegalAction | Reason::Annihilation | Reason::QuietLimit | Reason::Repetition => {
            return;
        }
        other => other.words(),
    };
    let said = match detail {
        Some(detail) => format!("{words}: {detail}"),
        None => words,
    };
    let last = match pgn.plies.last_mut() {
        Some(ply) => &mut ply.annotation,
        None => &mut pgn.annotation,
    };
    *last = Annotation::read(&said);
}

/// Adds the value that a seat reported with its last ply, turned to the first player's view.
fn value(pgn: &mut PgnGame, seat: usize, value: Option<i32>) {
    let Some(value) = value else { return };
    let plies = pgn.plies.len();
    let last = (0..plies).rev().find(|ply| ply % 2 == seat);
    let Some(ply) = last.and_then(|last| pgn.plies.get_mut(last)) else {
        return;
    };
    let sign = if seat == 0 { 1 } else { -1 };
    ply.annotation.eval = Some(Eval {
        expectation: Expectation::Result((sign * value).clamp(-WIN, WIN)),
        depth: None,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::side::Side;

    #[test]
    fn times_are_written_as_chess_programs_do() {
        let total = |total_ms, increment_ms| TimeControl::Total {
            total_ms,
            increment_ms,
        };
        assert_eq!(time_control(total(900_000, 0)), "900");
        assert_eq!(time_control(total(60_000, 500)), "60+0.5");
        assert_eq!(time_control(TimeControl::PerMove { move_ms: 100 }), "1/0.1");
    }

    #[test]
    fn a_fault_names_the_winner_and_the_reason() {
        let game = anqi_rules::Game::from_text("start moves a1(k)", anqi_rules::Rules::OLYMPIAD);
        let mut pgn = PgnGame::of_game(&game.expect("a game"), ["x", "y"]);
        let record = GameRecord {
            opening: None,
            starter: Side::B,
            starter_color: None,
            verdict: Verdict::fault(Side::A, Reason::Crash, "exit code 3"),
            nodes: Default::default(),
            last_values: Default::default(),
            plies: "a1(k)".to_owned(),
        };
        end(&mut pgn, &record);
        value(&mut pgn, 1, Some(40));
        assert_eq!(pgn.result, GameResult::FirstWins);
        value(&mut pgn, 0, Some(-2_500));
        let text = pgn.to_string();
        assert!(
            text.contains("[Termination \"rules infraction\"]"),
            "{text}"
        );
        let end = "1. a1=k {[%eval -0.2500] crash: exit code 3} 1-0\n";
        assert!(text.ends_with(end), "{text}");
    }
}
