//! Plots as inline SVG: bars, a running mean with its band, a histogram.
//!
//! Each function returns one `<svg>` element that fits its container. Colours
//! come from the page's style sheet by class, so that light and dark pages
//! share the same plots; every mark has a `<title>`, which browsers show when
//! the pointer rests on it.

use std::fmt::Write;

use super::text::fixed;

/// The width of a picture in pixels.
pub const WIDTH: f64 = 860.0;
/// The space left of the axes.
pub const LEFT: f64 = 56.0;
/// The space right of them.
pub const RIGHT: f64 = 64.0;
/// The space above them.
pub const TOP: f64 = 14.0;
/// The space below them.
pub const BOTTOM: f64 = 40.0;

/// The inner width of a plot.
pub const INNER: f64 = WIDTH - LEFT - RIGHT;

/// One horizontal bar made of segments.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The label to its left.
    pub label: String,
    /// Class, length and title of each segment.
    pub segments: Vec<Segment>,
}

/// One segment of a bar.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Class of the style sheet.
    pub class: &'static str,
    /// Its length.
    pub count: u64,
    /// Its name.
    pub name: String,
}

/// Draws horizontal bars, each filling the width with its own total.
pub fn stacked_bars(bars: &[Bar]) -> String {
    const ROW: f64 = 46.0;
    const LABELS: f64 = 170.0;
    let height = ROW * bars.len() as f64 + 8.0;
    let mut svg = open(height);
    for (row, bar) in bars.iter().enumerate() {
        let y = ROW * row as f64 + 6.0;
        let label = escape(&bar.label);
        svg += &format!(
            r#"<text class="label" x="0" y="{}" dominant-baseline="middle">{label}</text>"#,
            y + 16.0
        );
        let total: u64 = bar.segments.iter().map(|s| s.count).sum();
        let mut x = LABELS;
        for segment in bar.segments.iter().filter(|s| s.count > 0) {
            let width = (WIDTH - LABELS) * segment.count as f64 / total as f64;
            svg += &bar_segment(segment, total, x, y, width);
            x += width;
        }
    }
    svg + "</svg>\n"
}

fn bar_segment(segment: &Segment, total: u64, x: f64, y: f64, width: f64) -> String {
    let percent = 100.0 * segment.count as f64 / total as f64;
    let title = escape(&format!(
        "{}: {} games, {percent:.1} %",
        segment.name, segment.count
    ));
    let mut svg = format!(
        r#"<rect class="{}" x="{x:.1}" y="{y:.1}" width="{:.1}" height="32" rx="3"><title>{title}</title></rect>"#,
        segment.class,
        (width - 2.0).max(0.5)
    );
    if width > 34.0 {
        let (middle, line) = (x + width / 2.0 - 1.0, y + 16.0);
        svg += &format!(
            r#"<text class="on-{}" x="{middle:.1}" y="{line:.1}" text-anchor="middle" dominant-baseline="middle">{}</text>"#,
            segment.class, segment.count
        );
    }
    svg
}

/// A running mean and its band after some number of pairs.
#[derive(Clone, Copy, Debug)]
pub struct RunningPoint {
    /// Number of pairs.
    pub pairs: u64,
    /// The mean so far.
    pub mean: f64,
    /// Half the width of the band.
    pub half_width: f64,
}

/// Draws a running advantage ratio with its band; the right axis reads in Elo.
pub fn running(points: &[RunningPoint], elo_of_ratio: impl Fn(f64) -> f64) -> String {
    const HEIGHT: f64 = 320.0;
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return String::new();
    };
    let (low, high) = ratio_range(points);
    let x = |pairs: u64| {
        let span = (last.pairs - first.pairs).max(1) as f64;
        LEFT + INNER * (pairs - first.pairs) as f64 / span
    };
    let y =
        |ratio: f64| TOP + (HEIGHT - TOP - BOTTOM) * (high - ratio.clamp(low, high)) / (high - low);
    let mut svg = open(HEIGHT);
    for tick in ticks(low, high, 6) {
        svg += &horizontal_line(y(tick), "grid");
        svg += &axis_text(LEFT - 8.0, y(tick), "end", &trimmed(tick));
        let elo = elo_of_ratio(tick);
        if elo.is_finite() {
            let sign = if elo >= 0.5 { "+" } else { "" };
            let text = format!("{sign}{}", fixed(elo, 0));
            svg += &axis_text(WIDTH - RIGHT + 8.0, y(tick), "start", &text);
        }
    }
    svg += &horizontal_line(y(2.0), "equal");
    svg += &band(points, &x, &y);
    svg += &polyline(points, &x, &y);
    for tick in ticks(first.pairs as f64, last.pairs as f64, 8) {
        svg += &axis_text(
            x(tick as u64),
            HEIGHT - BOTTOM + 18.0,
            "middle",
            &trimmed(tick),
        );
    }
    svg += &axis_text(LEFT, HEIGHT - 6.0, "start", "AR(A,B)");
    svg += &axis_text(LEFT + INNER / 2.0, HEIGHT - 6.0, "middle", "pairs");
    svg += &axis_text(WIDTH - RIGHT, HEIGHT - 6.0, "end", "Elo");
    let title = format!(
        "after {} pairs: {:.3} ± {:.3} (95 %)",
        last.pairs, last.mean, last.half_width
    );
    let (cx, cy) = (x(last.pairs), y(last.mean));
    svg += &format!(
        r#"<circle class="a" cx="{cx:.1}" cy="{cy:.1}" r="4"><title>{title}</title></circle>"#
    );
    svg + "</svg>\n"
}

/// Chooses a range that shows the later band in full and always contains 2.
///
/// The first few pairs have bands as wide as the scale and would flatten the rest.
fn ratio_range(points: &[RunningPoint]) -> (f64, f64) {
    let settled = &points[points.len() / 10..];
    let low = settled
        .iter()
        .map(|p| p.mean - p.half_width)
        .fold(2.0, f64::min);
    let high = settled
        .iter()
        .map(|p| p.mean + p.half_width)
        .fold(2.0, f64::max);
    let edge = 0.05 * (high - low).max(0.1);
    ((low - edge).max(0.0), (high + edge).min(4.0))
}

fn band(points: &[RunningPoint], x: &dyn Fn(u64) -> f64, y: &dyn Fn(f64) -> f64) -> String {
    let above = points
        .iter()
        .map(|p| (x(p.pairs), y(p.mean + p.half_width)));
    let below = points
        .iter()
        .rev()
        .map(|p| (x(p.pairs), y(p.mean - p.half_width)));
    let outline: String = above
        .chain(below)
        .map(|(x, y)| format!("{x:.1},{y:.1} "))
        .collect();
    format!(r#"<polygon class="band" points="{}"/>"#, outline.trim_end())
}

fn polyline(points: &[RunningPoint], x: &dyn Fn(u64) -> f64, y: &dyn Fn(f64) -> f64) -> String {
    let line: String = points
        .iter()
        .map(|p| format!("{:.1},{:.1} ", x(p.pairs), y(p.mean)))
        .collect();
    format!(r#"<polyline class="line" points="{}"/>"#, line.trim_end())
}

/// One column of a histogram, made of segments from the bottom up.
#[derive(Clone, Debug)]
pub struct Bin {
    /// The lowest value it counts.
    pub from: usize,
    /// The first value it no longer counts.
    pub to: usize,
    /// Its segments.
    pub segments: Vec<Segment>,
}

/// Draws a histogram of stacked columns.
pub fn histogram(columns: &[Bin], unit: &str) -> String {
    const HEIGHT: f64 = 260.0;
    let total = |column: &Bin| column.segments.iter().map(|s| s.count).sum::<u64>();
    let highest = columns.iter().map(total).max().unwrap_or(0).max(1) as f64;
    let y = |count: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - count / highest);
    let step = INNER / columns.len().max(1) as f64;
    let mut svg = open(HEIGHT);
    for tick in ticks(0.0, highest, 5) {
        svg += &horizontal_line(y(tick), "grid");
        svg += &axis_text(LEFT - 8.0, y(tick), "end", &trimmed(tick));
    }
    for (index, column) in columns.iter().enumerate() {
        let mut below = 0;
        for segment in column.segments.iter().filter(|s| s.count > 0) {
            let (top, bottom) = (y((below + segment.count) as f64), y(below as f64));
            let title = format!(
                "{} to {} {unit}, {}: {}",
                column.from,
                column.to - 1,
                segment.name,
                segment.count
            );
            let _ = write!(
                svg,
                r#"<rect class="{}" x="{:.1}" y="{top:.1}" width="{:.1}" height="{:.1}"><title>{}</title></rect>"#,
                segment.class,
                LEFT + step * index as f64 + 1.0,
                (step - 2.0).max(0.5),
                (bottom - top).max(0.3),
                escape(&title)
            );
            below += segment.count;
        }
        if index % columns.len().div_ceil(10) == 0 {
            let x = LEFT + step * index as f64;
            svg += &axis_text(x, HEIGHT - BOTTOM + 18.0, "start", &column.from.to_string());
        }
    }
    svg += &axis_text(LEFT, HEIGHT - 6.0, "start", "games");
    svg += &axis_text(LEFT + INNER / 2.0, HEIGHT - 6.0, "middle", unit);
    svg + "</svg>\n"
}

/// A labelled value with its error.
#[derive(Clone, Debug)]
pub struct ErrorBar {
    /// The label to its left.
    pub label: String,
    /// The value.
    pub value: f64,
    /// Half the width of its interval.
    pub error: f64,
}

/// Draws values with their intervals below each other, on one scale.
pub fn error_bars(rows: &[ErrorBar]) -> String {
    const ROW: f64 = 30.0;
    const LABELS: f64 = 240.0;
    const LETTERS: usize = 30;
    let low = rows.iter().map(|r| r.value - r.error).fold(0.0, f64::min);
    let high = rows.iter().map(|r| r.value + r.error).fold(0.0, f64::max);
    let scale = (WIDTH - LABELS - RIGHT) / (high - low).max(1.0);
    let x = |value: f64| LABELS + (value - low) * scale;
    let bottom = ROW * rows.len() as f64 + 8.0;
    let mut svg = open(bottom + BOTTOM);
    for tick in ticks(low, high.max(low + 1.0), 6) {
        let place = x(tick);
        svg += &format!(
            r#"<line class="grid" x1="{place:.1}" x2="{place:.1}" y1="0" y2="{bottom}"/>"#
        );
        svg += &axis_text(place, bottom + 16.0, "middle", &trimmed(tick));
    }
    for (row, bar) in rows.iter().enumerate() {
        let y = ROW * row as f64 + ROW / 2.0;
        let label = super::text::shortened(&bar.label, LETTERS);
        svg += &format!(
            r#"<text class="label" x="0" y="{y}" dominant-baseline="middle">{}</text>"#,
            escape(&label)
        );
        svg += &format!(
            r#"<line class="error" x1="{:.1}" x2="{:.1}" y1="{y}" y2="{y}"/>"#,
            x(bar.value - bar.error),
            x(bar.value + bar.error)
        );
        svg += &format!(
            r#"<circle class="dot" cx="{:.1}" cy="{y}" r="5"><title>{} ± {}</title></circle>"#,
            x(bar.value),
            fixed(bar.value, 1),
            fixed(bar.error, 1)
        );
    }
    svg + "</svg>\n"
}

/// Turns a plot into a picture that stands alone, with its own colours.
pub fn standalone(plot: &str) -> String {
    const STYLE: &str = "<style>\
        text { font: 12px system-ui, sans-serif; fill: #3a3d45; }\
        .grid { stroke: #e4e2dd; } .equal { stroke: #666b75; stroke-dasharray: 5 4; }\
        .a { fill: #2563a8; } .b { fill: #c2571a; } .draw { fill: #77797e; } .a-light { fill: #6d9bd0; }\
        [class^=series-] { fill: none; stroke-width: 2; }\
        .series-a { stroke: #2563a8; } .series-b { stroke: #c2571a; }\
        .series-draw { stroke: #77797e; } .series-a-light { stroke: #6d9bd0; }\
        .error { stroke: #2563a8; stroke-width: 2; } .dot { fill: #2563a8; }\
        </style><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>";
    let plot = plot.replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1);
    match plot.split_once('>') {
        Some((head, rest)) => format!("{head}>{STYLE}{rest}"),
        None => plot,
    }
}

/// Begins a picture of this height.
pub fn open(height: f64) -> String {
    format!(r#"<svg viewBox="0 0 {WIDTH} {height}" role="img">"#)
}

/// Draws a line across the inner width.
pub fn horizontal_line(y: f64, class: &str) -> String {
    let end = LEFT + INNER;
    format!(r#"<line class="{class}" x1="{LEFT}" x2="{end}" y1="{y:.1}" y2="{y:.1}"/>"#)
}

/// Writes a label of an axis.
pub fn axis_text(x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!(
        r#"<text class="axis" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" dominant-baseline="middle">{}</text>"#,
        escape(text)
    )
}

/// Chooses round numbers between two ends, about `wanted` of them.
pub fn ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let rough = (high - low).max(1e-9) / wanted as f64;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|m| m * power)
        .into_iter()
        .find(|&s| s >= rough);
    let step = step.unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|k| k as f64 * step).collect()
}

/// Writes a tick without trailing zeros.
pub fn trimmed(tick: f64) -> String {
    let text = format!("{tick:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Escapes text for HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(0.0, 10.0, 5), vec![0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        let fine: Vec<String> = ticks(1.31, 2.04, 6).into_iter().map(trimmed).collect();
        assert_eq!(fine, ["1.4", "1.6", "1.8", "2"]);
        assert_eq!(ticks(7.0, 7.0, 5), vec![7.0]);
    }

    #[test]
    fn names_cannot_break_out_of_the_page() {
        let bar = Bar {
            label: "<script>".to_owned(),
            segments: vec![Segment {
                class: "a",
                count: 1,
                name: "\"><b>".to_owned(),
            }],
        };
        let svg = stacked_bars(&[bar]);
        assert!(!svg.contains("<script>") && !svg.contains("<b>"), "{svg}");
    }
}
