//! One ply: its value against that of the best action.

use crate::analyst::{Analyst, Appearance, Effort};
use crate::value::{Step, Value, rounded};
use anqi_rules::{Action, Color, Game, Piece, Ply};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The least loss in points of each grade, after backgammon, where a blunder costs a tenth of a
/// game or more. Results here span 2 points.
const INACCURACY: f64 = 0.02;
const MISTAKE: f64 = 0.06;
const BLUNDER: f64 = 0.15;

/// How good a decision was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Grade {
    /// As good as the best action, or nearly.
    Good,
    /// A small loss.
    Inaccuracy,
    /// A noticeable loss.
    Mistake,
    /// A loss that decides games.
    Blunder,
    /// No choice: the first flip, or the only legal action.
    Forced,
}

/// A ply with its value for the side that played it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReviewedPly {
    /// The ply.
    pub ply: String,
    /// Who played it: 0 for the seat that began.
    #[cfg_attr(feature = "typescript", ts(type = "0 | 1"))]
    pub seat: usize,
    /// Its colour, unknown if nothing was ever flipped.
    #[serde(serialize_with = "color_name", deserialize_with = "color_named")]
    #[cfg_attr(feature = "typescript", ts(type = "\"red\" | \"black\" | null"))]
    pub color: Option<Color>,
    /// The best action.
    pub best: String,
    /// Its value.
    pub best_value: Value,
    /// The value of the action played; for a flip, the average.
    pub played_value: Value,
    /// What the decision lost, in points.
    #[serde(serialize_with = "rounded")]
    pub loss: f64,
    /// The grade of the loss.
    pub grade: Grade,
    /// Whether tables or rules make the loss exact.
    pub exact: bool,
    /// The best action and its line.
    pub better: Vec<Step>,
    /// The action played and its refutation.
    pub refutation: Vec<Step>,
    /// The outcome of a flip.
    pub flip: Option<Luck>,
}

/// The outcome of a flip.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Luck {
    /// The value of what appeared less the average, for the side that flipped.
    #[serde(serialize_with = "rounded")]
    pub luck: f64,
    /// All possible reveals.
    pub appearances: Vec<Appearance>,
}

impl Luck {
    /// Returns the variance of the luck over all reveals.
    pub fn variance(&self) -> f64 {
        let mean = crate::analyst::average(&self.appearances);
        let deviation = |a: &Appearance| a.chance * (a.value - mean).powi(2);
        self.appearances.iter().map(deviation).sum()
    }
}

impl ReviewedPly {
    /// Returns the value of the game after the ply, for the side that played it.
    pub fn value_after(&self) -> f64 {
        let luck = self.flip.as_ref().map_or(0.0, |flip| flip.luck);
        self.played_value.expected + luck
    }

    /// Returns every number that is written rounded, in a fixed order: whoever carries the ply as text and
    /// sums it up elsewhere carries these beside it, so that the sums are the same.
    pub fn numbers(&mut self) -> Vec<&mut f64> {
        let mut numbers = vec![
            &mut self.best_value.expected,
            &mut self.played_value.expected,
            &mut self.loss,
        ];
        let steps = self.better.iter_mut().chain(&mut self.refutation);
        numbers.extend(steps.filter_map(|step| step.expected.as_mut()));
        if let Some(flip) = &mut self.flip {
            numbers.push(&mut flip.luck);
            let appearances = flip.appearances.iter_mut();
            numbers.extend(appearances.flat_map(|one| [&mut one.chance, &mut one.value]));
        }
        numbers
    }
}

fn color_name<S: Serializer>(color: &Option<Color>, to: S) -> Result<S::Ok, S::Error> {
    let name = color.map(|color| match color {
        Color::Red => "red",
        Color::Black => "black",
    });
    name.serialize(to)
}

fn color_named<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Color>, D::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Name {
        Red,
        Black,
    }
    let name = Option::<Name>::deserialize(from)?;
    Ok(name.map(|name| match name {
        Name::Red => Color::Red,
        Name::Black => Color::Black,
    }))
}

/// An action with its value and line.
struct Weighed {
    action: Action,
    value: Value,
    appearances: Option<Vec<Appearance>>,
    line: Vec<Step>,
}

/// Reviews one ply of a game. The result does not depend on earlier searches.
///
/// # Panics
///
/// Panics if the game has no such ply.
pub fn review_ply(
    analyst: &mut Analyst,
    game: &Game,
    index: usize,
    effort: Effort<'_>,
) -> ReviewedPly {
    analyst.forget();
    let before = prefix(game, index);
    let ply = game.plies()[index];
    let first = before.position().turn().is_none();
    // Before the first flip squares differ only in their distance from the edge.
    let forced = first || before.actions().len() == 1;
    let played = weigh(analyst, &before, ply.action, effort);
    let best = if forced {
        None
    } else {
        better(analyst, &before, &played, effort)
    };
    let (best_action, best_value, better) = match &best {
        Some(best) => (best.action, best.value, best.line.clone()),
        None => (played.action, played.value, played.line.clone()),
    };
    let loss = (best_value.expected - played.value.expected).max(0.0);
    ReviewedPly {
        ply: ply.to_string(),
        seat: index % 2,
        color: mover(game, index),
        best: best_action.to_string(),
        best_value,
        played_value: played.value,
        loss,
        grade: if forced { Grade::Forced } else { grade(loss) },
        exact: best_value.is_exact() && played.value.is_exact(),
        better,
        refutation: played.line,
        flip: played.appearances.and_then(|all| luck(ply, all)),
    }
}

/// Returns the best action if it differs from the one played and is worth more.
fn better(
    analyst: &mut Analyst,
    before: &Game,
    played: &Weighed,
    effort: Effort<'_>,
) -> Option<Weighed> {
    let best = analyst.best(before, effort);
    let action: Action = best.action.parse().ok()?;
    if action == played.action {
        return None;
    }
    // Valued like the action played, so that the comparison is fair.
    let best = weigh(analyst, before, action, effort);
    (best.value.expected > played.value.expected).then_some(best)
}

fn weigh(analyst: &mut Analyst, before: &Game, action: Action, effort: Effort<'_>) -> Weighed {
    let (value, flip, line) = analyst.value(before, action, effort);
    Weighed {
        action,
        value,
        appearances: flip.map(|flip| flip.appearances),
        line,
    }
}

fn luck(ply: Ply, appearances: Vec<Appearance>) -> Option<Luck> {
    let piece = ply.reveal?.letter();
    let mean = crate::analyst::average(&appearances);
    let appeared = appearances.iter().find(|a| a.piece == piece)?;
    Some(Luck {
        luck: appeared.value - mean,
        appearances,
    })
}

/// Returns the colour of the side that played a ply, once it is known.
fn mover(game: &Game, index: usize) -> Option<Color> {
    let first = game.start().turn();
    let first = first.or_else(|| game.plies().first()?.reveal.map(Piece::color))?;
    Some(if index.is_multiple_of(2) {
        first
    } else {
        !first
    })
}

fn grade(loss: f64) -> Grade {
    match loss {
        loss if loss >= BLUNDER => Grade::Blunder,
        loss if loss >= MISTAKE => Grade::Mistake,
        loss if loss >= INACCURACY => Grade::Inaccuracy,
        _ => Grade::Good,
    }
}

/// Returns the game as it was before a ply.
pub fn prefix(game: &Game, index: usize) -> Game {
    let mut before = game.clone();
    while before.plies().len() > index {
        before.undo();
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Rules;
    use anqi_search::Stop;

    fn reviewed(text: &str, index: usize) -> ReviewedPly {
        let game = Game::from_text(text, Rules::OLYMPIAD).unwrap();
        let mut analyst = Analyst::new(None, Rules::OLYMPIAD).unwrap();
        let stop = Stop::new();
        let effort = Effort {
            nodes: 3_000,
            time: None,
            stop: &stop,
        };
        review_ply(&mut analyst, &game, index, effort)
    }

    #[test]
    fn a_missed_win_costs_what_the_tables_say() {
        // The guard must capture the other guard or be captured.
        let ply = reviewed("3P/4/4/4/4/4/4/Gg2 r - 0 0 moves d8-d7", 0);
        assert_eq!(ply.best, "a1-b1");
        assert!(ply.exact && ply.loss >= 0.99, "{ply:?}");
        assert_eq!(ply.grade, Grade::Blunder);
        assert_eq!(ply.better[0].action, "a1-b1");
        let ply = reviewed("3P/4/4/4/4/4/4/Gg2 r - 0 0 moves a1-b1", 0);
        assert_eq!((ply.loss, ply.grade), (0.0, Grade::Good));
    }

    #[test]
    fn a_ply_that_is_carried_as_text_keeps_every_number() {
        for (text, index) in [
            ("start moves b2(K)", 0),
            ("start moves b2(K) b3(p) c7(g)", 2),
            ("3P/4/4/4/4/4/4/Gg2 r - 0 0 moves d8-d7", 0),
        ] {
            let mut ply = reviewed(text, index);
            let numbers: Vec<f64> = ply.numbers().into_iter().map(|number| *number).collect();
            let json = serde_json::to_string(&ply).unwrap();
            let mut again: ReviewedPly = serde_json::from_str(&json).unwrap();
            for (rounded, exact) in again.numbers().into_iter().zip(&numbers) {
                assert!((*rounded - exact).abs() < 1e-4);
                *rounded = *exact;
            }
            assert_eq!(again, ply);
        }
    }

    #[test]
    fn a_flip_is_split_into_decision_and_luck() {
        let ply = reviewed("start moves b2(K)", 0);
        let flip = ply.flip.as_ref().unwrap();
        assert_eq!((flip.appearances.len(), ply.grade), (14, Grade::Forced));
        assert_eq!(ply.color, Some(Color::Red));
        let expected: f64 = flip.appearances.iter().map(|a| a.chance * a.value).sum();
        assert!((ply.played_value.expected - expected).abs() < 1e-9);
        let king = flip.appearances.iter().find(|a| a.piece == 'K').unwrap();
        assert!((ply.value_after() - king.value).abs() < 1e-9);
        // Weighted by chance, luck sums to zero over all reveals.
        let sum: f64 = flip
            .appearances
            .iter()
            .map(|a| a.chance * (a.value - expected))
            .sum();
        assert!(sum.abs() < 1e-9);
        assert!(flip.variance() >= 0.0);
    }
}
