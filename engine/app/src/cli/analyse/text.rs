//! An analysis as text for people.

use super::line::steps;
use anqi_analysis::ranking::{Origin, Ranking, RatedAction, RatedReveal};
use anqi_rules::Position;
use std::io::{self, Write};

/// Outcomes of a flip on one line.
const OUTCOMES_PER_LINE: usize = 3;

/// Writes an ranking.
pub fn write(ranking: &Ranking, position: &Position, output: &mut impl Write) -> io::Result<()> {
    let turn = match position.turn() {
        Some(color) => format!("{color} to move"),
        None => "the first flip to come".to_owned(),
    };
    match ranking.origin {
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
    for (index, rated) in ranking.actions.iter().enumerate() {
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

fn outcome(outcome: &RatedReveal) -> String {
    let percent = outcome.chance * 100.0;
    let value = outcome
        .value
        .map_or("-".to_owned(), |value| value.to_string());
    // Two decimals, so that the printed outcomes average to the printed value.
    format!("{} {percent:>6.2} % {value:<8}", outcome.piece)
}
