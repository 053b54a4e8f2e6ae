//! An analysis as text for people.

use super::thinking::{Analysis, Origin, Outcome, RatedAction};
use super::value::Value;
use anqi_rules::Position;
use anqi_search::{LineStep, Score};
use std::io::{self, Write};

/// Outcomes of a flip on one line.
const OUTCOMES_PER_LINE: usize = 3;

/// Writes an analysis.
pub fn write(analysis: &Analysis, position: &Position, output: &mut impl Write) -> io::Result<()> {
    let turn = match position.turn() {
        Some(color) => format!("{color} to move"),
        None => "the first flip to come".to_owned(),
    };
    match analysis.origin {
        Origin::Tables if !position.face_down().is_empty() => {
            writeln!(
                output,
                "{turn}, exact: every arrangement of the face-down pieces is solved"
            )?;
        }
        Origin::Tables => writeln!(output, "{turn}, known from the endgame tables")?,
        Origin::Search { depth, nodes } => {
            writeln!(output, "{turn}, depth {depth}, {nodes} nodes")?;
        }
    }
    for (index, rated) in analysis.actions.iter().enumerate() {
        writeln!(output, "{:>3}. {}", index + 1, line(rated))?;
        for outcomes in rated.outcomes.chunks(OUTCOMES_PER_LINE) {
            let cells: Vec<String> = outcomes.iter().map(outcome).collect();
            writeln!(output, "       {}", cells.join("   ").trim_end())?;
        }
    }
    Ok(())
}

fn line(rated: &RatedAction) -> String {
    format!("{:<8} {}", rated.value, steps(&rated.line))
}

/// Writes a line of play; a flip is a square and a question mark, followed, except
/// in the first step, by its value for the side that flips.
pub fn steps(line: &[LineStep]) -> String {
    let step = |(index, step): (usize, &LineStep)| match step.expectation {
        Some(value) if index > 0 => {
            let value = Value::from(Score::from_value(value));
            format!("{}?({value})", step.action.from())
        }
        _ if step.action.is_flip() => format!("{}?", step.action.from()),
        _ => step.action.to_string(),
    };
    let steps: Vec<String> = line.iter().enumerate().map(step).collect();
    steps.join(" ")
}

fn outcome(outcome: &Outcome) -> String {
    let percent = outcome.chance * 100.0;
    let value = outcome
        .value
        .map_or("-".to_owned(), |value| value.to_string());
    // Two decimals, so that the printed outcomes average to the printed value.
    format!("{} {percent:>6.2} % {value:<8}", outcome.piece)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_no_value_beyond_one() {
        let step = |text: &str, expectation| LineStep {
            action: text.parse().unwrap(),
            expectation,
        };
        let line = [step("b1-b2", None), step("c1-c1", Some(10_482))];
        assert_eq!(steps(&line), "b1-b2 c1?(win 18)");
        let line = [step("c1-c1", Some(10_482))];
        assert_eq!(steps(&line), "c1?");
        let line = [step("b1-b2", None), step("c1-c1", Some(-250))];
        assert_eq!(steps(&line), "b1-b2 c1?(-0.025)");
    }
}
