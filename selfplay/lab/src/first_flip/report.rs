//! The values of the first flip for people and programs.

use std::fmt::Write;

use anqi_rules::{ROWS, Role, Square};
use serde::Serialize;

use super::games::FirstFlipRecipe;
use super::plan::{Orbit, chance};
use super::values::{Equality, Value, Values};
use anqi_match::adjudication::Adjudication;
use anqi_match::limits::Limits;
use anqi_match::report::text::{count, fixed, optional, with_error};
use anqi_match::statistics::moments::Estimate;
use anqi_match::statistics::normal::Z_95;

/// The width of a value with its error, in columns.
const WIDTH: usize = 14;

#[derive(Serialize)]
struct Document<'a> {
    program: &'a str,
    player: &'a str,
    limits: Limits,
    rules: &'a str,
    #[serde(skip_serializing_if = "Adjudication::is_none")]
    adjudication: Adjudication,
    seed: u64,
    appraiser: String,
    games: u64,
    drawn: f64,
    plies: f64,
    faults: u64,
    luck: Option<Estimate>,
    luck_coefficient: Option<f64>,
    variance_ratio: Option<f64>,
    any_square: Value,
    squares: Vec<SquareJson>,
    equal_squares: Option<Equality>,
    pieces: Vec<PieceJson>,
    outcomes: Vec<OutcomeJson>,
}

#[derive(Serialize)]
struct SquareJson {
    square: Orbit,
    squares: [String; 4],
    #[serde(flatten)]
    value: Value,
}

#[derive(Serialize)]
struct PieceJson {
    piece: &'static str,
    chance: f64,
    #[serde(flatten)]
    value: Value,
}

#[derive(Serialize)]
struct OutcomeJson {
    square: Orbit,
    piece: &'static str,
    #[serde(flatten)]
    value: Value,
}

/// Writes all values as JSON, points from 0 to 1 with standard errors.
pub fn json(recipe: &FirstFlipRecipe, values: &Values) -> String {
    let squares = values.orbits.iter().map(|&(square, value)| SquareJson {
        square,
        squares: square.squares().map(|square| square.to_string()),
        value,
    });
    let pieces = values.pieces.iter().map(|&(role, value)| PieceJson {
        piece: role.name(),
        chance: chance(role),
        value,
    });
    let outcomes = values
        .cells
        .iter()
        .map(|&(square, role, value)| OutcomeJson {
            square,
            piece: role.name(),
            value,
        });
    let document = Document {
        program: concat!("selfplay ", env!("CARGO_PKG_VERSION")),
        player: recipe.player.name(),
        limits: recipe.limits,
        rules: &recipe.rules_name,
        adjudication: recipe.adjudication,
        seed: recipe.seed,
        appraiser: recipe.appraiser.to_string(),
        games: values.any.games,
        drawn: values.draws,
        plies: values.plies,
        faults: values.faults,
        luck: values.luck,
        luck_coefficient: values.coefficient,
        variance_ratio: values.variance_ratio,
        any_square: values.any,
        squares: squares.collect(),
        equal_squares: values.equal_squares,
        pieces: pieces.collect(),
        outcomes: outcomes.collect(),
    };
    serde_json::to_string_pretty(&document).expect("values hold nothing that JSON cannot say")
        + "\n"
}

/// Writes all values as text.
pub fn text(recipe: &FirstFlipRecipe, values: &Values) -> String {
    let mut text = head(recipe, values);
    text += &row(
        "",
        "chance",
        "games",
        &["raw", "value", "more than any"].map(str::to_owned),
    );
    text += &value_row("any square", 1.0, &values.any);
    for (orbit, value) in &values.orbits {
        text += &value_row(&format!("square {orbit}"), 0.125, value);
    }
    for (role, value) in &values.pieces {
        text += &value_row(role.name(), chance(*role), value);
    }
    text += "\nby square and piece\n";
    text += &outcomes(values);
    text += "\nthe board: every square is one of a1 to b4 in a mirror\n";
    text += &board(values);
    text.push('\n');
    text + &foot(values)
}

fn head(recipe: &FirstFlipRecipe, values: &Values) -> String {
    let mut text = format!(
        "the first flip: {} against itself\n  {} games, {}, rules {}, seed {}",
        recipe.player.given(),
        count(values.any.games),
        recipe.limits,
        recipe.rules_name,
        recipe.seed,
    );
    // Writing to a string cannot fail.
    if !recipe.adjudication.is_none() {
        let _ = write!(text, ", {}", recipe.adjudication);
    }
    let _ = write!(
        text,
        "\n  {} plies on average, {} % drawn",
        fixed(values.plies, 1),
        fixed(100.0 * values.draws, 1)
    );
    if values.faults > 0 {
        let _ = write!(text, ", {} ended by a fault", count(values.faults));
    }
    text + "\n\nwhat the side that flips scores, in per cent, ± 95 %; value: with the luck of later flips taken out\n\n"
}

fn row(name: &str, chance: &str, games: &str, values: &[String; 3]) -> String {
    let [raw, value, advantage] = values;
    format!(
        "{name:<12}{chance:>7}{games:>9}  {raw:>WIDTH$}  {value:>WIDTH$}  {advantage:>WIDTH$}\n"
    )
}

fn value_row(name: &str, chance: f64, value: &Value) -> String {
    let chance = format!("{chance:.4}");
    row(
        name,
        chance.trim_end_matches('0').trim_end_matches('.'),
        &count(value.games),
        &[value.raw, value.value, value.advantage].map(per_cent),
    )
}

/// Writes an estimate in per cent with its 95 % interval.
pub(super) fn per_cent(estimate: Option<Estimate>) -> String {
    let error = estimate.and_then(|found| found.standard_error);
    with_error(
        estimate.map(|found| 100.0 * found.mean),
        error.map(|error| 100.0 * Z_95 * error),
        2,
    )
}

fn outcomes(values: &Values) -> String {
    let mut text = format!("{:<12}", "");
    for role in Role::ALL {
        let _ = write!(text, "{:>WIDTH$}", role.name());
    }
    for (orbit, _) in &values.orbits {
        let _ = write!(text, "\nsquare {orbit:<5}");
        for (_, _, value) in values.cells.iter().filter(|(of, ..)| of == orbit) {
            let _ = write!(text, "{:>WIDTH$}", per_cent(value.value));
        }
    }
    text + "\n"
}

fn board(values: &Values) -> String {
    let mut text = String::new();
    for rank in (0..ROWS).rev() {
        let _ = write!(text, "  {}", rank + 1);
        for square in (0..4).filter_map(|column| Square::at(column, rank)) {
            let (_, value) = values.orbits[Orbit::of(square).index()];
            let mean = value.value.map(|found| 100.0 * found.mean);
            let _ = write!(text, "{:>7}", optional(mean, 1));
        }
        text.push('\n');
    }
    text + "        a      b      c      d\n"
}

fn foot(values: &Values) -> String {
    let mut text = String::new();
    if let Some(Equality {
        chi_square,
        degrees,
        chance,
    }) = values.equal_squares
    {
        let _ = writeln!(
            text,
            "squares     chi-square {} with {degrees} degrees of freedom: squares of one value differ as much in {} % of such runs",
            fixed(chi_square, 1),
            fixed(100.0 * chance, 1)
        );
    }
    let _ = writeln!(
        text,
        "luck        {} on average, coefficient {}, leaves {} of a game's variance",
        per_cent(values.luck),
        optional(values.coefficient, 2),
        optional(values.variance_ratio, 3)
    );
    text
}
