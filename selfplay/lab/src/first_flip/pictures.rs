//! Pictures of the values: a board with a value on every square, and the pieces with error bars.

use anqi_rules::{COLUMNS, Color, Piece, ROWS, Square};

use super::plan::{Orbit, chance};
use super::values::{Value, Values};
use anqi_match::report::plot::{ErrorBar, error_bars, standalone};
use anqi_match::report::text::fixed;
use anqi_match::statistics::normal::Z_95;

/// The side of a square.
const SIDE: f64 = 84.0;
/// The room for the names of rows and columns.
const MARGIN: f64 = 28.0;
/// The advantage at which a square has its full colour at least.
const FULL: f64 = 0.01;
/// The opacity of the full colour, which text must stay readable on.
const OPACITY: f64 = 0.55;

/// Draws the board with the value of a flip on each square in per cent: blue above the mean of all
/// squares, orange below.
pub fn squares(values: &Values) -> String {
    let (width, height) = (COLUMNS as f64 * SIDE + MARGIN, ROWS as f64 * SIDE + MARGIN);
    let full = values
        .orbits
        .iter()
        .map(|(_, value)| advantage(value).abs())
        .fold(FULL, f64::max);
    let mut svg = format!(
        r#"<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"><title>What the side that flips first scores, by square, in per cent ± 95 %</title>"#
    );
    for square in Square::all() {
        let (_, value) = &values.orbits[Orbit::of(square).index()];
        svg += &board_square(square, value, full);
    }
    for row in 0..ROWS {
        let y = (ROWS - row) as f64 * SIDE - SIDE / 2.0;
        svg += &centred(MARGIN / 2.0, y, 13, &(row + 1).to_string());
    }
    for (column, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let x = MARGIN + (column as f64 + 0.5) * SIDE;
        svg += &centred(x, height - MARGIN / 2.0, 13, name);
    }
    standalone(&(svg + "</svg>\n"))
}

fn advantage(value: &Value) -> f64 {
    value.advantage.map_or(0.0, |found| found.mean)
}

fn board_square(square: Square, value: &Value, full: f64) -> String {
    let x = MARGIN + square.column() as f64 * SIDE;
    let y = (ROWS - 1 - square.row()) as f64 * SIDE;
    let more = advantage(value);
    let class = if more >= 0.0 { "a" } else { "b" };
    let opacity = OPACITY * more.abs() / full;
    let mut svg = format!(
        r#"<rect class="{class}" x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" fill-opacity="{opacity:.2}" stroke="{EDGE}"/>"#
    );
    let middle = x + SIDE / 2.0;
    if let Some(found) = value.value {
        svg += &centred(
            middle,
            y + SIDE / 2.0 - 8.0,
            19,
            &fixed(100.0 * found.mean, 1),
        );
        if let Some(error) = found.standard_error {
            let error = format!("± {}", fixed(100.0 * Z_95 * error, 1));
            svg += &centred(middle, y + SIDE / 2.0 + 15.0, 12, &error);
        }
    }
    svg
}

/// The colour of the lines of the board.
const EDGE: &str = "#9a9da5";

fn centred(x: f64, y: f64, size: u32, text: &str) -> String {
    format!(
        r#"<text x="{x}" y="{y}" style="font-size: {size}px" text-anchor="middle" dominant-baseline="middle">{text}</text>"#
    )
}

/// Draws how many points of a hundred each piece is worth more than a flip of any square.
pub fn pieces(values: &Values) -> String {
    let bar = |(role, value): &(anqi_rules::Role, Value)| {
        let found = value.advantage?;
        let piece = Piece::new(Color::Red, *role);
        Some(ErrorBar {
            label: format!(
                "{} {} ({} of 16)",
                piece.character(),
                role.name(),
                (16.0 * chance(*role)).round()
            ),
            value: 100.0 * found.mean,
            error: 100.0 * Z_95 * found.standard_error?,
        })
    };
    let bars: Vec<ErrorBar> = values.pieces.iter().filter_map(bar).collect();
    standalone(&error_bars(&bars))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::first_flip::plan::ORBITS;
    use anqi_match::statistics::moments::Estimate;
    use anqi_rules::Role;

    fn values(known: bool) -> Values {
        let estimate = |mean| {
            known.then_some(Estimate {
                mean,
                standard_error: Some(0.005),
            })
        };
        let value = |place: usize| Value {
            games: 100,
            raw: estimate(0.5),
            value: estimate(0.4 + place as f64 / 100.0),
            advantage: estimate(place as f64 / 100.0 - 0.03),
        };
        Values {
            any: value(3),
            orbits: Orbit::all()
                .map(|orbit| (orbit, value(orbit.index())))
                .collect(),
            pieces: Role::ALL.map(|role| (role, value(role.index()))).to_vec(),
            cells: Vec::new(),
            equal_squares: None,
            luck: None,
            coefficient: None,
            variance_ratio: None,
            draws: 0.0,
            faults: 0,
            plies: 100.0,
        }
    }

    #[test]
    fn a_square_and_its_mirrors_show_the_same_value() {
        let svg = squares(&values(true));
        assert!(
            svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"),
            "{svg}"
        );
        for place in 0..ORBITS {
            let shown = format!(">{}.0<", 40 + place);
            assert_eq!(svg.matches(&shown).count(), 4, "{shown}");
        }
        assert_eq!(svg.matches(">± 1.0<").count(), 32);
        // The corner, a1, is the worst of all, b4 in the middle the best.
        assert_eq!(svg.matches(r#"class="b""#).count(), 12, "{svg}");
    }

    #[test]
    fn pieces_have_bars_and_unknown_values_none() {
        let svg = pieces(&values(true));
        assert_eq!(svg.matches("<circle").count(), 7);
        assert!(
            svg.contains("帥 king (1 of 16)") && svg.contains("兵 pawn (5 of 16)"),
            "{svg}"
        );
        for svg in [squares(&values(false)), pieces(&values(false))] {
            assert!(!svg.contains("NaN") && !svg.contains("<circle"), "{svg}");
        }
    }
}
