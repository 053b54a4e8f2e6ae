//! The report that the programs print on a position with face-down pieces.

use std::io::{self, Write};

use anqi_rules::{Convention, Position, Repetition, Rules};
use serde_json::{Value, json};

use super::endings::{Endings, Expectation, Refused};
use super::rated::{FlipOutcome, RatedAction, rated_by_expectation};
use crate::fraction::Fraction;
use crate::solve::Wdl;

/// A position, its value in unlimited play, and the value of every action.
#[derive(Clone, Debug)]
pub struct Report {
    position: Position,
    known: Expectation,
    actions: Vec<RatedAction>,
}

impl Report {
    /// Computes the report on a position.
    ///
    /// # Errors
    ///
    /// Fails as [`Endings::known`] does.
    pub fn of(endings: &Endings, position: &Position) -> Result<Report, Refused> {
        Ok(Report {
            position: *position,
            known: endings.known(position)?,
            actions: rated_by_expectation(endings, position)?,
        })
    }

    /// Returns the expected result for the side to move.
    pub fn expected(&self) -> Fraction {
        self.known.expected
    }

    /// Returns the report as one JSON object; `exact` says whether the expectations also hold
    /// under the rules.
    pub fn to_json(&self, rules: &Rules) -> Value {
        json!({
            "position": self.position.to_string(),
            "expected": self.known.expected.to_string(),
            "plies": plies(self.known.plies),
            "longest": self.known.longest,
            "exact": self.is_exact(rules),
            "actions": self.actions.iter().map(action).collect::<Vec<Value>>(),
        })
    }

    /// Writes the report for people.
    ///
    /// # Errors
    ///
    /// Fails if the output does.
    pub fn write(&self, rules: &Rules, output: &mut impl Write) -> io::Result<()> {
        let Expectation {
            expected, longest, ..
        } = self.known;
        let value = f64::from(expected);
        let wait = wait(self.known.plies);
        writeln!(
            output,
            "{expected} ({value:+.3}) expected for the side to move{wait}"
        )?;
        if matches!(rules.repetition, Repetition::ChaseBan { .. }) {
            writeln!(
                output,
                "in unlimited play: the rules' ban on perpetual chasing may change it"
            )?;
        } else if rules.convention == Convention::Course {
            writeln!(
                output,
                "in unlimited play by the rules of tournaments: a course counts flips and ends games in \
                 another way"
            )?;
        } else if let Some(limit) = rules.quiet_limit.filter(|_| !self.is_exact(rules)) {
            writeln!(
                output,
                "in unlimited play: a capture or flip may be {longest} plies away, and the rules \
                 draw after {limit}"
            )?;
        }
        for rated in &self.actions {
            let (action, expected) = (rated.action.to_string(), rated.expected.to_string());
            let wait = self::wait(rated.plies);
            let text = if rated.action.is_flip() {
                format!("  {action} {expected:<8}{}", outcomes(&rated.outcomes))
            } else {
                format!("  {action} {expected:<8}{wait}")
            };
            writeln!(output, "{}", text.trim_end())?;
        }
        if self.actions.is_empty() {
            writeln!(output, "  the game is over")?;
        }
        Ok(())
    }

    fn is_exact(&self, rules: &Rules) -> bool {
        self.known.holds_under(rules, self.position.quiet_counter())
    }
}

/// Returns the value of a position without face-down pieces in unlimited play: from a solution on
/// the spot, or from its value under rules without a quiet limit.
pub fn unlimited(
    endings: &Endings,
    position: &Position,
    (wdl, rules): (Wdl, &Rules),
) -> Option<Fraction> {
    let known = endings.known(position).ok().map(|known| known.expected);
    known.or_else(|| rules.quiet_limit.is_none().then(|| Fraction::from(wdl)))
}

fn action(rated: &RatedAction) -> Value {
    let outcome = |outcome: &FlipOutcome| {
        json!({
            "piece": outcome.piece.to_string(),
            "chance": outcome.chance.to_string(),
            "expected": outcome.expected.to_string(),
        })
    };
    json!({
        "action": rated.action.to_string(),
        "expected": rated.expected.to_string(),
        "plies": plies(rated.plies),
        "outcomes": rated.outcomes.iter().map(outcome).collect::<Vec<Value>>(),
    })
}

fn plies(plies: u16) -> Option<u16> {
    (plies > 0).then_some(plies)
}

fn wait(plies: u16) -> String {
    match plies {
        0 => String::new(),
        1 => ", next capture or flip at once".to_owned(),
        plies => format!(", next capture or flip in {plies} plies"),
    }
}

fn outcomes(outcomes: &[FlipOutcome]) -> String {
    let outcomes = outcomes.iter();
    let texts = outcomes.map(|o| format!("{} {} ({})", o.piece, o.expected, o.chance));
    texts.collect::<Vec<_>>().join(", ")
}
