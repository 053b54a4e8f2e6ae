//! A picture of wins by their distance to the next capture, as SVG.

use std::fmt::Write;

use crate::findings_sums::{LIMITS, Sums};

/// Width, height and the space for the axes, in pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 44.0;
const TOP: f64 = 28.0;
const RIGHT: f64 = 16.0;

/// The least share that is drawn, as a power of ten.
const LEAST: f64 = -9.0;

/// One colour for each number of pieces from two on.
const COLORS: [&str; 5] = ["#999999", "#d55e00", "#0072b2", "#009e73", "#cc79a7"];

/// Draws the share of all wins that are at least so many plies from the next capture, on a
/// logarithmic scale, one line for each number of pieces.
pub fn chart(all: &[Sums]) -> String {
    let most = all.iter().map(|sums| sums.wins_at.len()).max().unwrap_or(1);
    let most = most.div_ceil(20).max(1) * 20;
    let x = |plies: usize| LEFT + (WIDTH - LEFT - RIGHT) * plies as f64 / most as f64;
    let y = |power: f64| TOP + (HEIGHT - TOP - BOTTOM) * power / LEAST;
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let mut put = |text: std::fmt::Arguments<'_>| {
        let _ = svg.write_fmt(text);
    };
    put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<title>Wins by the plies to the next capture</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n"
    ));
    for power in 0..=(-LEAST as u32) {
        let at = y(-f64::from(power));
        put(format_args!(
            "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" stroke=\"#e5e5e5\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0,
            label(power)
        ));
    }
    for plies in (0..=most).step_by(if most > 200 { 40 } else { 20 }) {
        put(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{plies}</text>\n",
            x(plies),
            HEIGHT - BOTTOM + 18.0
        ));
    }
    for limit in LIMITS.into_iter().filter(|&limit| limit < most) {
        let at = x(limit);
        put(format_args!(
            "<line x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{:.1}\" stroke=\"#777777\" \
             stroke-dasharray=\"4 4\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\" \
             fill=\"#555555\">limit {limit}</text>\n",
            HEIGHT - BOTTOM,
            TOP - 8.0
        ));
    }
    for sums in all {
        let color = COLORS[(sums.pieces - 2) % COLORS.len()];
        let points = line(sums, &x, &y);
        let Some((last_x, last_y)) = points.last().copied() else {
            continue;
        };
        let path: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        put(format_args!(
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"1.8\" points=\"{}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{color}\">{}</text>\n",
            path.join(" "),
            (last_x + 4.0).min(WIDTH - RIGHT - 8.0),
            last_y - 4.0,
            sums.pieces
        ));
    }
    put(format_args!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">plies to the next capture; share of wins \
         at least so far away; 2 to {} pieces</text>\n</svg>\n",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 8.0,
        all.last().map_or(2, |sums| sums.pieces)
    ));
    svg
}

/// Ten to the power of minus this, as text.
fn label(power: u32) -> String {
    match power {
        0 => "1".to_owned(),
        1..=3 => format!("0.{}1", "0".repeat(power as usize - 1)),
        _ => format!("1e-{power}"),
    }
}

/// The points of one number of pieces, as long as their share can be drawn.
fn line(sums: &Sums, x: impl Fn(usize) -> f64, y: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    let mut left: u128 = sums.wins_at.iter().sum();
    let mut points = Vec::new();
    for (plies, &wins) in sums.wins_at.iter().enumerate() {
        let share = left as f64 / sums.wins.max(1) as f64;
        if share <= 0.0 {
            break;
        }
        points.push((x(plies), y(share.log10().max(LEAST))));
        left -= wins;
    }
    points
}
