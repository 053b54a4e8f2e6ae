//! The report as text for a terminal.

use crate::decision::{Grade, ReviewedPly};
use crate::report::{Cause, Report, SideReport};
use crate::value::{Certainty, Step, Value};
use std::fmt;

/// The most mistakes to list.
const MISTAKES: usize = 12;
/// The most steps of a line to show.
const STEPS: usize = 6;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names();
        writeln!(
            f,
            "{} against {}, {} plies, {} nodes a decision",
            names[0],
            names[1],
            self.plies.len(),
            self.nodes_per_decision
        )?;
        writeln!(f)?;
        table(f, &names, &self.sides)?;
        self.write_mistakes(f)?;
        self.write_turning_points(f)
    }
}

impl Report {
    fn names(&self) -> [String; 2] {
        let named = |seat: usize| match &self.players {
            Some(players) => players[seat].clone(),
            None => ["first", "second"][seat].to_owned(),
        };
        [0, 1].map(|seat| match self.sides[seat].color {
            Some(color) => format!("{} ({color})", named(seat)),
            None => named(seat),
        })
    }

    fn write_mistakes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.mistakes.is_empty() {
            return writeln!(f, "\nNo mistakes.");
        }
        writeln!(f, "\nMistakes, the largest first")?;
        for &index in self.mistakes.iter().take(MISTAKES) {
            let ply = &self.plies[index];
            let name = match ply.grade {
                Grade::Blunder => "blunder",
                _ => "mistake",
            };
            writeln!(
                f,
                "  {:<14} {name} of {:.2}: {} instead of {}",
                numbered(index, ply),
                ply.loss,
                worth(&ply.best, ply.best_value),
                value(ply.played_value),
            )?;
            writeln!(f, "      better  {}", line(&ply.better))?;
            if ply.refutation.len() > 1 {
                writeln!(f, "      played  {}", line(&ply.refutation))?;
            }
        }
        if self.mistakes.len() > MISTAKES {
            writeln!(f, "  and {} more", self.mistakes.len() - MISTAKES)?;
        }
        Ok(())
    }

    fn write_turning_points(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.turning_points.is_empty() {
            return Ok(());
        }
        let names = self.names();
        writeln!(f, "\nTurning points")?;
        for point in &self.turning_points {
            let gainer = &names[usize::from(point.change < 0.0)];
            let cause = match point.cause {
                Cause::Decision => "the decision",
                Cause::Luck => "the tile",
            };
            writeln!(
                f,
                "  {:<14} {:.2} for {gainer}, by {cause}",
                numbered(point.ply, &self.plies[point.ply]),
                point.change.abs(),
            )?;
        }
        Ok(())
    }
}

/// Writes both sides next to each other.
fn table(f: &mut fmt::Formatter<'_>, names: &[String; 2], sides: &[SideReport; 2]) -> fmt::Result {
    let mut row = |title: &str, cell: &dyn Fn(usize) -> String| {
        writeln!(f, "{title:<12} {:<28} {}", cell(0), cell(1))
    };
    row("", &|seat| names[seat].clone())?;
    row("error rate", &|seat| {
        let side = &sides[seat];
        let [low, high] = side.error_interval;
        format!("{:.3} ({low:.3} to {high:.3})", side.error_rate)
    })?;
    row("level", &|seat| match sides[seat].rating {
        Some(rating) => format!("{} ({} to {})", rating.level, rating.from, rating.to),
        None => "too few decisions".to_owned(),
    })?;
    row("decisions", &|seat| sides[seat].decisions.to_string())?;
    row("inaccuracies", &|seat| sides[seat].inaccuracies.to_string())?;
    row("mistakes", &|seat| sides[seat].mistakes.to_string())?;
    row("blunders", &|seat| sides[seat].blunders.to_string())?;
    row("luck", &|seat| {
        let side = &sides[seat];
        let width = side.luck_interval[1];
        let flips = side.flips;
        format!("{:+.2} (±{width:.2} in {flips} flips)", side.luck)
    })
}

/// Writes a ply with its round, as records do; `…` marks the second ply of a round.
fn numbered(index: usize, ply: &ReviewedPly) -> String {
    let dots = if index.is_multiple_of(2) { "." } else { "…" };
    format!("{}{dots} {}", index / 2 + 1, ply.ply)
}

fn worth(action: &str, of: Value) -> String {
    format!("{} {}", shown(action), value(of))
}

fn value(value: Value) -> String {
    let plies = value
        .plies
        .map_or(String::new(), |plies| format!(" {plies}"));
    match value.kind {
        Certainty::Estimate => format!("{:+.2}", value.expected),
        Certainty::Win => format!("win{plies}"),
        Certainty::Loss => format!("loss{plies}"),
        Certainty::Draw => "draw".to_owned(),
    }
}

fn line(steps: &[Step]) -> String {
    let shown: Vec<String> = steps.iter().take(STEPS).map(|s| shown(&s.action)).collect();
    shown.join(" ")
}

/// Writes a flip as `b2?`.
fn shown(action: &str) -> String {
    match action.split_once('-') {
        Some((from, to)) if from == to => format!("{from}?"),
        _ => action.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Analyst, Review};
    use anqi_rules::{Game, Rules};
    use anqi_search::Stop;

    #[test]
    fn a_missed_win_is_shown_with_what_was_better() {
        let text = "3P/4/4/4/4/4/4/Gg2 r - 0 0 moves d8-d7 b1-a1";
        let game = Game::from_text(text, Rules::OLYMPIAD).unwrap();
        let players = Some(["Ann".to_owned(), "Bob".to_owned()]);
        let mut analyst = Analyst::new(None, game.rules()).unwrap();
        let mut review = Review::new(game, 1_000);
        review.run(&mut analyst, &Stop::new());
        let report = review.report(players);
        let shown = report.to_string();
        assert!(
            shown.starts_with("Ann (red) against Bob (black), 2 plies"),
            "{shown}"
        );
        assert!(shown.contains("1. d8-d7"), "{shown}");
        assert!(shown.contains("a1-b1 win 1 instead of"), "{shown}");
        assert!(shown.contains("by the decision"), "{shown}");
    }
}
