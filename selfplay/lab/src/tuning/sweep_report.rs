//! The scores of a sweep's settings, for people, programs and browsers.

use std::fmt::Write;

use serde::Serialize;

use super::plot::{self, Axes, Point, Series};
use super::sweep::{Setting, SweptParameter};
use anqi_match::report::html::{beginning, section};
use anqi_match::report::plot::{escape, standalone};
use anqi_match::report::run::Run;
use anqi_match::report::text::{self, count, elo_estimate, with_error};
use anqi_match::side::Side;
use anqi_match::statistics::elo::EloEstimate;
use anqi_match::statistics::normal::Z_95;
use anqi_match::statistics::pentanomial::Pentanomial;
use anqi_match::summary::Summary;

/// An advantage ratio with its standard error.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Ratio {
    /// From 0 to 4; 2 is equal.
    pub ratio: Option<f64>,
    /// One standard error; unknown where all pairs ended alike.
    pub standard_error: Option<f64>,
    /// The 95 % bounds in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[f64; 2]>,
}

impl Ratio {
    /// Returns the greater distance from the ratio to an end of its 95 % interval.
    fn half_width(&self) -> f64 {
        match (self.ratio, self.bounds) {
            (Some(ratio), Some([low, high])) => (ratio - low).max(high - ratio),
            _ => Z_95 * self.standard_error.unwrap_or(0.0),
        }
    }
}

/// The result of a setting.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SettingResult {
    /// Values of the swept parameters, in their order.
    pub values: Vec<String>,
    /// The player with these values.
    pub player: String,
    /// Games that were played.
    pub games: u64,
    /// Results of its pairs: LL, LD, DD and WL, WD, WW.
    pub pairs: Pentanomial,
    /// Games won, drawn and lost.
    pub results: [u64; 3],
    /// Its advantage ratio over the opponent.
    pub raw: Ratio,
    /// Its Elo over the opponent with the 95 % interval.
    pub elo: Option<EloEstimate>,
    /// Its advantage ratio with the luck taken out, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<Ratio>,
    /// Its Elo with the luck taken out, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjusted_elo: Option<EloEstimate>,
}

impl SettingResult {
    /// Sums up the match of a setting, which is side A.
    pub fn new(setting: &Setting, summary: &Summary) -> SettingResult {
        let rows = &summary.table.rows;
        let without_luck = summary.without_luck.as_ref();
        SettingResult {
            values: setting.values.clone(),
            player: setting.spec.clone(),
            games: 2 * summary.pentanomial.pairs(),
            pairs: summary.pentanomial,
            results: [
                rows.a.win + rows.b.loss,
                rows.a.draw + rows.b.draw,
                rows.a.loss + rows.b.win,
            ],
            raw: Ratio {
                ratio: summary.table.advantage_ratio(Side::A),
                standard_error: summary.standard_error(),
                bounds: summary.ratio_bounds(),
            },
            elo: summary.elo,
            adjusted: without_luck.map(|found| Ratio {
                ratio: Some(found.advantage_ratio(Side::A)),
                standard_error: found.standard_error(),
                bounds: None,
            }),
            adjusted_elo: without_luck.and_then(|found| found.elo),
        }
    }

    /// Returns the better of the two ratios: the one with the luck taken out, if there is one.
    fn best_known(&self) -> Ratio {
        self.adjusted.unwrap_or(self.raw)
    }
}

/// A finished sweep.
#[derive(Clone, Debug, Serialize)]
pub struct SweepReport {
    /// The player that was swept, as given.
    pub player: String,
    /// The parameters.
    pub parameters: Vec<String>,
    /// The opponent of every setting.
    pub against: String,
    /// How the games were played, in words.
    pub conditions: String,
    /// A row for each setting.
    pub rows: Vec<SettingResult>,
}

fn ratio(ratio: Ratio) -> String {
    with_error(ratio.ratio, ratio.standard_error, 3)
}

impl SweepReport {
    /// Starts a report that has no rows yet.
    pub fn new(
        player: &str,
        parameters: &[SweptParameter],
        against: &str,
        conditions: String,
    ) -> SweepReport {
        SweepReport {
            player: player.to_owned(),
            parameters: parameters.iter().map(|p| p.name.clone()).collect(),
            against: against.to_owned(),
            conditions,
            rows: Vec::new(),
        }
    }

    /// Writes the report as text.
    pub fn text(&self) -> String {
        let is_adjusted = self.rows.iter().any(|row| row.adjusted.is_some());
        let mut table = format!(
            "{}  against  {}\n  {}\n\n",
            self.player, self.against, self.conditions
        );
        let mut heads = self.parameters.clone();
        let fixed = ["games", "win", "draw", "loss", "AR", "Elo (95 %)"];
        heads.extend(fixed.map(str::to_owned));
        if is_adjusted {
            heads.extend(["AR, luck out", "Elo, luck out"].map(str::to_owned));
        }
        let cells = self.rows.iter().map(|row| row_cells(row, is_adjusted));
        let lines: Vec<Vec<String>> = std::iter::once(heads).chain(cells).collect();
        let width = |column: usize| {
            let cells = lines.iter().map(|line| line[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
        for line in &lines {
            for (cell, width) in line.iter().zip(&widths) {
                // Writing to a string cannot fail.
                let _ = write!(table, "{cell:>width$}  ");
            }
            table.truncate(table.trim_end().len());
            table.push('\n');
        }
        let bounds = if self.rows.iter().any(|row| row.raw.bounds.is_some()) {
            "; where all pairs ended alike, the 95 % bound"
        } else {
            ""
        };
        table
            + &format!(
                "\nAR is the advantage ratio of the setting; 2 is equal, ± one standard error{bounds}.\n"
            )
    }

    /// Writes the report as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report is JSON") + "\n"
    }

    /// Writes the report as a page.
    pub fn html(&self, run: &Run) -> String {
        let title = escape(&format!("{} against {}", self.player, self.against));
        let mut page = beginning(&title, Some(run));
        let note = "<p class=\"note\">Bars are 95 % intervals.</p>\n";
        section(&mut page, "Advantage ratio", &(self.plot() + note));
        let text = format!("<pre>{}</pre>\n", escape(&self.text()));
        section(&mut page, "All figures", &text);
        page + "</main>\n</html>\n"
    }

    /// Writes the plot as a standalone SVG picture.
    pub fn svg(&self) -> String {
        standalone(&self.plot())
    }

    /// Draws ratios over the values of the first parameter, a series for each value of the second.
    fn plot(&self) -> String {
        let mut labels: Vec<String> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for row in &self.rows {
            push_new(&mut labels, row.values.first());
            push_new(&mut names, row.values.get(1));
        }
        let numbers: Option<Vec<f64>> = labels.iter().map(|l| l.parse().ok()).collect();
        // Values that are words are equally spaced.
        let places = numbers.unwrap_or_else(|| (0..labels.len()).map(|i| i as f64).collect());
        let place = |label: &str| {
            let index = labels.iter().position(|known| known == label);
            index.map(|index| places[index])
        };
        let point = |row: &SettingResult| {
            let known = row.best_known();
            Some(Point {
                x: place(row.values.first()?)?,
                y: known.ratio?,
                error: known.half_width(),
            })
        };
        let series_of = |name: Option<&String>| Series {
            name: name.map_or(String::new(), |value| {
                format!("{}={value}", self.parameters[1])
            }),
            points: self
                .rows
                .iter()
                .filter(|row| row.values.get(1) == name)
                .filter_map(point)
                .collect(),
        };
        let series: Vec<Series> = if names.is_empty() {
            vec![series_of(None)]
        } else {
            names.iter().map(|name| series_of(Some(name))).collect()
        };
        let labels: Vec<(f64, String)> = places.iter().copied().zip(labels.clone()).collect();
        let y = format!("AR against {}", self.against);
        plot::scores(
            &series,
            &Axes {
                labels: &labels,
                x: self.parameters.first().map_or("", String::as_str),
                y: &y,
                equal: 2.0,
            },
        )
    }
}

fn push_new(list: &mut Vec<String>, value: Option<&String>) {
    if let Some(value) = value.filter(|value| !list.contains(value)) {
        list.push(value.clone());
    }
}

fn row_cells(row: &SettingResult, is_adjusted: bool) -> Vec<String> {
    let mut cells = row.values.clone();
    cells.push(count(row.games));
    cells.extend(row.results.map(count));
    cells.push(match row.raw.bounds {
        Some(_) => text::ratio(row.raw.ratio, &row.pairs, 3),
        None => ratio(row.raw),
    });
    cells.push(text::elo(&row.pairs, 0));
    if is_adjusted {
        cells.push(row.adjusted.map_or(String::new(), ratio));
        cells.push(elo_estimate(row.adjusted_elo));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(values: &[&str], mean: f64) -> SettingResult {
        SettingResult {
            values: values.iter().map(|&value| value.to_owned()).collect(),
            player: "basic".to_owned(),
            games: 200,
            results: [80, 60, 60],
            pairs: Pentanomial([5, 6, 8, 4, 2]),
            raw: Ratio {
                ratio: Some(mean),
                standard_error: Some(0.08),
                bounds: None,
            },
            elo: Some(EloEstimate {
                elo: 17.4,
                error: Some(40.0),
            }),
            adjusted: None,
            adjusted_elo: None,
        }
    }

    fn report(parameters: &[&str], rows: Vec<SettingResult>) -> SweepReport {
        SweepReport {
            player: "basic".to_owned(),
            parameters: parameters.iter().map(|&name| name.to_owned()).collect(),
            against: "enhance".to_owned(),
            conditions: "200 games each".to_owned(),
            rows,
        }
    }

    #[test]
    fn a_table_has_a_line_for_each_setting() {
        let rows = vec![row(&["0"], 2.2), row(&["50"], 1.9)];
        let text = report(&["null-margin"], rows).text();
        let expected = "null-margin  games  win  draw  loss             AR  Elo (95 %)\n          0    200   80    60    60  2.200 ± 0.080    −56 ± 87\n";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn a_setting_that_won_every_pair_has_a_bound() {
        let mut won = row(&["0"], 4.0);
        won.pairs = Pentanomial([0, 0, 0, 0, 5]);
        won.raw.standard_error = None;
        won.raw.bounds = Some([2.2, 4.0]);
        let report = report(&["null-margin"], vec![won]);
        assert!(report.text().contains("above 2.197"), "{}", report.text());
        assert!(report.svg().contains("4.000 ± 1.800"), "{}", report.svg());
        assert!(report.json().contains("\"bounds\""));
    }

    #[test]
    fn two_parameters_make_a_line_for_each_value_of_the_second() {
        let rows = ["a", "b"].map(|word| [row(&[word, "1"], 2.0), row(&[word, "2"], 2.1)]);
        let report = report(&["policy", "k"], rows.concat());
        let svg = report.svg();
        assert_eq!(svg.matches("<polyline").count(), 2, "{svg}");
        assert!(svg.contains("k=1") && svg.contains("k=2"), "{svg}");
        assert!(svg.starts_with("<svg xmlns=") && !svg.contains("NaN"));
        let page = report.html(&Run::now("selfplay sweep".to_owned()));
        assert!(page.contains("<svg "));
    }
}
