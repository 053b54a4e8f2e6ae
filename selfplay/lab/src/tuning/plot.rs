//! Plots of tuning: the path of a parameter, and scores over the values of a sweep.

use anqi_match::report::plot::{
    BOTTOM, INNER, LEFT, RIGHT, TOP, WIDTH, axis_text, escape, horizontal_line, open, ticks,
    trimmed,
};
use anqi_match::report::text::fixed;

/// The path of a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    /// Its values, the start first.
    pub values: &'a [f64],
    /// Its value in the player as given.
    pub default: f64,
}

/// Points of a path; more cannot be distinguished on a screen.
const PATH_POINTS: usize = 600;

/// Draws the path of a parameter over the iterations, and a line at its default.
pub fn path(path: Path<'_>) -> String {
    const HEIGHT: f64 = 220.0;
    let all = path.values.iter().copied().chain([path.default]);
    let (low, high) = padded(all);
    let last = path.values.len().saturating_sub(1).max(1) as f64;
    let x = |iteration: usize| LEFT + INNER * iteration as f64 / last;
    let y = |value: f64| TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low);
    let mut svg = open(HEIGHT);
    for tick in ticks(low, high, 5) {
        svg += &horizontal_line(y(tick), "grid");
        svg += &axis_text(LEFT - 8.0, y(tick), "end", &trimmed(tick));
    }
    svg += &horizontal_line(y(path.default), "equal");
    svg += &axis_text(WIDTH - RIGHT + 8.0, y(path.default), "start", "default");
    let every = path.values.len().div_ceil(PATH_POINTS).max(1);
    let end = path.values.len().saturating_sub(1);
    let shown = path.values.iter().enumerate();
    let points: String = shown
        .filter(|(index, _)| index % every == 0 || *index == end)
        .map(|(index, value)| format!("{:.1},{:.1} ", x(index), y(*value)))
        .collect();
    svg += &format!(r#"<polyline class="line" points="{}"/>"#, points.trim_end());
    for tick in ticks(0.0, last, 8) {
        svg += &axis_text(
            x(tick as usize),
            HEIGHT - BOTTOM + 18.0,
            "middle",
            &trimmed(tick),
        );
    }
    if let Some(value) = path.values.last() {
        svg += &format!(
            r#"<circle class="dot" cx="{:.1}" cy="{:.1}" r="4"><title>{}</title></circle>"#,
            x(end),
            y(*value),
            fixed(*value, 2)
        );
    }
    svg += &axis_text(LEFT + INNER / 2.0, HEIGHT - 6.0, "middle", "iterations");
    svg + "</svg>\n"
}

/// A score with its error over a value.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Its place on the x axis.
    pub x: f64,
    /// The score.
    pub y: f64,
    /// Half the width of its interval.
    pub error: f64,
}

/// Points that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    /// Their name; empty if there is only one series.
    pub name: String,
    /// The points, from left to right.
    pub points: Vec<Point>,
}

/// The axes of a plot of scores.
#[derive(Clone, Debug)]
pub struct Axes<'a> {
    /// The labels of the x axis.
    pub labels: &'a [(f64, String)],
    /// The title of the x axis.
    pub x: &'a str,
    /// The title of the y axis.
    pub y: &'a str,
    /// The score between equals.
    pub equal: f64,
}

/// Classes of the style sheet, one for each series in turn.
const CLASSES: [&str; 4] = ["a", "b", "draw", "a-light"];

/// Draws scores with error bars, one line for each series.
pub fn scores(series: &[Series], axes: &Axes<'_>) -> String {
    const HEIGHT: f64 = 360.0;
    const EDGE: f64 = 24.0;
    const BESIDE: f64 = 7.0;
    let all = || series.iter().flat_map(|series| &series.points);
    let ends = all().flat_map(|p| [p.y - p.error, p.y + p.error]);
    let (low, high) = padded(ends.chain([axes.equal]));
    let places = axes.labels.iter().map(|(x, _)| *x);
    let left = places.clone().fold(f64::MAX, f64::min);
    let span = (places.fold(f64::MIN, f64::max) - left).max(1e-9);
    let x = |value: f64| LEFT + EDGE + (INNER - 2.0 * EDGE) * (value - left) / span;
    let y = |value: f64| TOP + (HEIGHT - TOP - 2.0 * BOTTOM) * (high - value) / (high - low);
    let mut svg = open(HEIGHT);
    for tick in ticks(low, high, 7) {
        svg += &horizontal_line(y(tick), "grid");
        svg += &axis_text(LEFT - 8.0, y(tick), "end", &trimmed(tick));
    }
    svg += &horizontal_line(y(axes.equal), "equal");
    for (place, label) in axes.labels {
        let bottom = HEIGHT - 2.0 * BOTTOM + 18.0;
        svg += &axis_text(x(*place), bottom, "middle", label);
    }
    for (index, one) in series.iter().enumerate() {
        // Beside each other, so that no bar hides another.
        let beside = BESIDE * (index as f64 - (series.len() - 1) as f64 / 2.0);
        let place = |value: f64| x(value) + beside;
        svg += &drawn(one, CLASSES[index % CLASSES.len()], &place, &y);
        // The names stand below the plot, one beside the other.
        let place = LEFT + INNER * index as f64 / series.len() as f64;
        if !one.name.is_empty() {
            let class = CLASSES[index % CLASSES.len()];
            svg += &format!(
                r#"<circle class="{class}" cx="{:.1}" cy="{}" r="5"/>"#,
                place + 5.0,
                HEIGHT - 10.0
            );
            svg += &axis_text(place + 15.0, HEIGHT - 10.0, "start", &one.name);
        }
    }
    svg += &axis_text(LEFT, 6.0, "start", axes.y);
    let below = HEIGHT - BOTTOM - 6.0;
    svg += &axis_text(LEFT + INNER / 2.0, below, "middle", axes.x);
    svg + "</svg>\n"
}

fn drawn(series: &Series, class: &str, x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) -> String {
    let mut svg = String::new();
    let points = series.points.iter();
    let line: String = points
        .clone()
        .map(|point| format!("{:.1},{:.1} ", x(point.x), y(point.y)))
        .collect();
    svg += &format!(
        r#"<polyline class="series-{class}" points="{}"/>"#,
        line.trim_end()
    );
    for point in points {
        let (cx, cy) = (x(point.x), y(point.y));
        let [top, bottom] = [point.y + point.error, point.y - point.error].map(y);
        svg += &format!(
            r#"<line class="series-{class}" x1="{cx:.1}" x2="{cx:.1}" y1="{top:.1}" y2="{bottom:.1}"/>"#
        );
        let title = format!("{} ± {}", fixed(point.y, 3), fixed(point.error, 3));
        svg += &format!(
            r#"<circle class="{class}" cx="{cx:.1}" cy="{cy:.1}" r="4.5"><title>{}</title></circle>"#,
            escape(&title)
        );
    }
    svg
}

/// Returns the ends of a scale that fits all values.
fn padded(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let edge = (0.08 * (high - low)).max(0.01);
    (low - edge, high + edge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out_of_a_plot() {
        let series = [Series {
            name: "<b>".to_owned(),
            points: vec![Point {
                x: 1.0,
                y: 2.0,
                error: 0.1,
            }],
        }];
        let labels = [(1.0, "<i>".to_owned())];
        let axes = Axes {
            labels: &labels,
            x: "k",
            y: "AR",
            equal: 2.0,
        };
        let svg = scores(&series, &axes);
        assert!(!svg.contains("<b>") && !svg.contains("<i>"), "{svg}");
        assert!(svg.contains("2.000 ± 0.100") && !svg.contains("NaN"));
    }

    #[test]
    fn a_path_that_never_moved_can_be_drawn() {
        for values in [&[3.0][..], &[3.0, 3.0]] {
            let svg = path(Path {
                values,
                default: 3.0,
            });
            assert!(svg.contains("polyline") && !svg.contains("NaN"), "{svg}");
        }
    }
}
