//! A line of play as text.

use anqi_analysis::Valuation;
use anqi_search::{LineStep, Score};

/// Writes a line of play; a flip is a square and a question mark, followed, except
/// in the first step, by its value for the side that flips.
pub fn steps(line: &[LineStep]) -> String {
    let step = |(index, step): (usize, &LineStep)| match step.expectation {
        Some(value) if index > 0 => {
            let value = Valuation::from(Score::from_value(value));
            format!("{}?({value})", step.action.from())
        }
        _ if step.action.is_flip() => format!("{}?", step.action.from()),
        _ => step.action.to_string(),
    };
    let steps: Vec<String> = line.iter().enumerate().map(step).collect();
    steps.join(" ")
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
