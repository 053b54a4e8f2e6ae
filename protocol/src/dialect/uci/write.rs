//! The engine's output in UCI.

use super::action::write_action;
use crate::command::CommandName;
use crate::reply::{Answer, BestMove, Info, Reply};

/// Writes a reply in UCI, with its newline; most replies are empty.
pub fn write_reply(reply: &Reply) -> String {
    let go = reply.number == Some(CommandName::Go.number());
    match &reply.content {
        Ok(Answer::BestMove(BestMove { action, .. })) => {
            format!("bestmove {}\n", write_action(*action))
        }
        Ok(_) => String::new(),
        Err(reason) => {
            let reason = reason.replace('\n', " ");
            let none = if go { "bestmove (none)\n" } else { "" };
            format!("info string {reason}\n{none}")
        }
    }
}

/// Writes a line about a running search; the score is the moves to the end of the game, or the
/// expected result in hundredths.
pub fn write_info(info: &Info) -> String {
    let mut line = format!(
        "info depth {} seldepth {}",
        info.depth, info.selective_depth
    );
    if let Some(multipv) = info.multipv {
        line.push_str(&format!(" multipv {multipv}"));
    }
    if let Some(plies) = info.plies_to_end {
        line.push_str(&format!(" score mate {}", moves(plies)));
    } else if let Some(score) = &info.score {
        line.push_str(&format!(" score cp {}", hundredths(score)));
    }
    line.push_str(&info.counts());
    if !info.line.is_empty() {
        let moves: Vec<String> = info
            .line
            .iter()
            .map(|&action| write_action(action))
            .collect();
        line.push_str(&format!(" pv {}", moves.join(" ")));
    }
    line + "\n"
}

/// Returns the moves of the side to move that these plies take, rounded up; both are negative if that
/// side loses.
fn moves(plies: i32) -> i32 {
    (plies.abs() + 1) / 2 * plies.signum()
}

fn hundredths(score: &str) -> i32 {
    match score.split(' ').next() {
        Some("win") => 100,
        Some("loss") => -100,
        _ => score
            .parse()
            .map_or(0, |value: f64| (value * 100.0).round() as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn info_has_the_speed_and_what_else_is_known() {
        let info = Info {
            multipv: Some(2),
            depth: 3,
            selective_depth: 5,
            score: Some("win 7".to_owned()),
            plies_to_end: None,
            nodes: 1_000,
            time: Duration::from_millis(20),
            table_hits: 4,
            hash_permille: 9,
            line: vec!["a1-a1".parse().expect("an action")],
        };
        assert_eq!(
            write_info(&info),
            "info depth 3 seldepth 5 multipv 2 score cp 100 nodes 1000 time 20 nps 50000 \
             hashfull 9 tbhits 4 pv a0a0\n"
        );
    }

    #[test]
    fn the_end_of_the_game_is_told_in_moves_rounded_up() {
        let told = [1, 2, 3, 37, 38, -1, -2, -3, -36].map(moves);
        assert_eq!(told, [1, 1, 2, 19, 19, -1, -1, -2, -18]);
        let info = Info {
            multipv: None,
            depth: 0,
            selective_depth: 0,
            score: Some("loss 36".to_owned()),
            plies_to_end: Some(-36),
            nodes: 0,
            time: Duration::ZERO,
            table_hits: 0,
            hash_permille: 0,
            line: Vec::new(),
        };
        let line = write_info(&info);
        assert!(line.contains(" score mate -18 "), "{line}");
        assert!(info.to_string().contains(" score loss 36 "), "{info}");
    }
}
