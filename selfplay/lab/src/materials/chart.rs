//! A picture of wins by their distance to the next capture, as SVG.

use std::fmt::Write;

use super::sums::{LIMITS, Sums};

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
    let mut chart = Chart {
        svg: String::new(),
        most: most.div_ceil(20).max(1) * 20,
    };
    chart.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>Wins by the plies to the next capture</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n"
    ));
    chart.axes();
    for sums in all {
        chart.line(sums);
    }
    let pieces = all.last().map_or(2, |sums| sums.pieces);
    chart.text(
        ((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8.0),
        "middle",
        "#000000",
        &format!(
            "plies to the next capture; share of wins at least so far away; 2 to {pieces} pieces"
        ),
    );
    chart.put(format_args!("</svg>\n"));
    chart.svg
}

struct Chart {
    svg: String,
    /// Plies at the right edge.
    most: usize,
}

impl Chart {
    fn x(&self, plies: usize) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * plies as f64 / self.most as f64
    }

    fn y(power: f64) -> f64 {
        TOP + (HEIGHT - TOP - BOTTOM) * power / LEAST
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.svg.write_fmt(text);
    }

    fn text(&mut self, (x, y): (f64, f64), anchor: &str, color: &str, text: &str) {
        self.put(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{color}\">{text}</text>\n"
        ));
    }

    fn straight(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), style: &str) {
        self.put(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>\n"
        ));
    }

    fn axes(&mut self) {
        for power in 0..=(-LEAST as u32) {
            let y = Chart::y(-f64::from(power));
            self.straight((LEFT, y), (WIDTH - RIGHT, y), "stroke=\"#e5e5e5\"");
            self.text((LEFT - 6.0, y + 4.0), "end", "#000000", &label(power));
        }
        let step = if self.most > 200 { 40 } else { 20 };
        for plies in (0..=self.most).step_by(step) {
            let at = (self.x(plies), HEIGHT - BOTTOM + 18.0);
            self.text(at, "middle", "#000000", &plies.to_string());
        }
        for limit in LIMITS {
            if limit < self.most {
                let x = self.x(limit);
                let dashes = "stroke=\"#777777\" stroke-dasharray=\"4 4\"";
                self.straight((x, TOP), (x, HEIGHT - BOTTOM), dashes);
                self.text(
                    (x, TOP - 8.0),
                    "middle",
                    "#555555",
                    &format!("limit {limit}"),
                );
            }
        }
    }

    /// Draws one number of pieces, with the number at the line's end.
    fn line(&mut self, sums: &Sums) {
        let color = COLORS[(sums.pieces - 2) % COLORS.len()];
        let points = self.points(sums);
        let Some(&(x, y)) = points.last() else {
            return;
        };
        let path: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        self.put(format_args!(
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"1.8\" points=\"{}\"/>\n",
            path.join(" ")
        ));
        let end = ((x + 4.0).min(WIDTH - RIGHT - 8.0), y - 4.0);
        self.text(end, "start", color, &sums.pieces.to_string());
    }

    fn points(&self, sums: &Sums) -> Vec<(f64, f64)> {
        let mut left: u128 = sums.wins_at.iter().sum();
        let mut points = Vec::new();
        for (plies, &wins) in sums.wins_at.iter().enumerate() {
            if left == 0 {
                break;
            }
            let share = left as f64 / sums.wins.max(1) as f64;
            points.push((self.x(plies), Chart::y(share.log10().max(LEAST))));
            left -= wins;
        }
        points
    }
}

/// Ten to the power of minus this, as text.
fn label(power: u32) -> String {
    match power {
        0 => "1".to_owned(),
        1..=3 => format!("0.{}1", "0".repeat(power as usize - 1)),
        _ => format!("1e-{power}"),
    }
}
