//! The result of a tuning run, for people, programs and browsers.

use std::fmt::Write;

use serde::Serialize;

use super::journal::Iteration;
use super::plan::Plan;
use super::plot::{self, Path};
use super::spsa::Spsa;
use super::verdict::{TestFinding, TestResult};
use anqi_match::report::html::{beginning, section};
use anqi_match::report::plot::escape;
use anqi_match::report::run::Run;
use anqi_match::report::text::{count, fixed};

/// A finished run.
#[derive(Clone, Debug)]
pub struct TuningReport<'a> {
    /// What was tuned.
    pub plan: &'a Plan,
    /// Values of the player as given.
    pub defaults: &'a [i64],
    /// The arithmetic.
    pub spsa: &'a Spsa,
    /// All iterations.
    pub iterations: &'a [Iteration],
    /// The results of the tests.
    pub verdicts: &'a [TestResult],
}

/// The report as JSON.
#[derive(Serialize)]
struct Document<'a> {
    player: &'a str,
    tuned: String,
    iterations: usize,
    games: u64,
    parameters: Vec<TunedParameter<'a>>,
    verdicts: &'a [TestResult],
}

/// The result for a parameter.
#[derive(Serialize)]
struct TunedParameter<'a> {
    name: &'a str,
    default: i64,
    start: i64,
    tuned: i64,
    value: f64,
}

impl TuningReport<'_> {
    /// Returns the current values of the parameters.
    pub fn values(&self) -> Vec<f64> {
        let last = self.iterations.last();
        last.map_or_else(|| self.spsa.start(), |last| last.values.clone())
    }

    /// Returns the settings that were found.
    pub fn tuned(&self) -> Vec<i64> {
        self.spsa.settled(&self.values())
    }

    /// Returns the number of games played for tuning.
    pub fn games(&self) -> u64 {
        let pairs = |iteration: &Iteration| {
            (iteration.scores.plus.len() + iteration.scores.minus.len()) as u64
        };
        2 * self.iterations.iter().map(pairs).sum::<u64>()
    }

    fn outcomes(&self) -> Vec<TunedParameter<'_>> {
        let (values, tuned) = (self.values(), self.tuned());
        let all = self.plan.parameters.iter().enumerate();
        all.map(|(index, parameter)| TunedParameter {
            name: &parameter.name,
            default: self.defaults[index],
            start: self.spsa.axes[index].start,
            tuned: tuned[index],
            value: values[index],
        })
        .collect()
    }

    /// Writes the settings as a file that a player reads: `NAME:options=FILE`.
    pub fn options(&self) -> String {
        let mut text = format!(
            "# tuned from {} in {} iterations\n",
            self.plan.player.replace('\n', " "),
            self.iterations.len()
        );
        for outcome in self.outcomes() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{} = {}", outcome.name, outcome.tuned);
        }
        text
    }

    /// Writes the report as text.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}\n  {} iterations, {} games, {}, rules {}, seed {}\n\n{:<24}{:>10}{:>10}{:>10}{:>12}\n",
            self.plan.player,
            count(self.iterations.len() as u64),
            count(self.games()),
            self.plan.games.limits(),
            self.plan.games.rules,
            self.plan.games.seed,
            "parameter",
            "default",
            "start",
            "tuned",
            "value"
        );
        for one in self.outcomes() {
            let _ = writeln!(
                text,
                "{:<24}{:>10}{:>10}{:>10}{:>12}",
                one.name,
                one.default,
                one.start,
                one.tuned,
                fixed(one.value, 2)
            );
        }
        let _ = writeln!(text, "\ntuned   {}", self.plan.spec(&self.tuned()));
        for verdict in self.verdicts {
            let _ = writeln!(text, "{}", verdict.sentence());
        }
        if self.verdicts.is_empty() {
            text += "No test was asked for: whether anything was gained is not known.\n";
        }
        text
    }

    /// Writes the report as JSON.
    pub fn json(&self) -> String {
        let document = Document {
            player: &self.plan.player,
            tuned: self.plan.spec(&self.tuned()),
            iterations: self.iterations.len(),
            games: self.games(),
            parameters: self.outcomes(),
            verdicts: self.verdicts,
        };
        serde_json::to_string_pretty(&document).expect("a report is JSON") + "\n"
    }

    /// Writes the report as a page.
    pub fn html(&self, run: &Run) -> String {
        let title = escape(&format!("Tuning {}", self.plan.player));
        let mut page = beginning(&title, Some(run));
        page += &self.tiles();
        let verdicts: String = self
            .verdicts
            .iter()
            .map(|verdict| format!("<p>{}</p>\n", escape(&verdict.sentence())))
            .collect();
        if !verdicts.is_empty() {
            section(&mut page, "What was gained", &verdicts);
        }
        for (index, outcome) in self.outcomes().iter().enumerate() {
            let mut values = vec![outcome.start as f64];
            values.extend(self.iterations.iter().map(|i| i.values[index]));
            let path = plot::path(Path {
                values: &values,
                default: outcome.default as f64,
            });
            let heading = format!(
                "{}: from {} to {}",
                escape(outcome.name),
                outcome.start,
                outcome.tuned
            );
            section(&mut page, &heading, &path);
        }
        let text = format!("<pre>{}</pre>\n", escape(&self.text()));
        section(&mut page, "All figures", &text);
        let plan = toml::to_string(self.plan).unwrap_or_default();
        let plan = format!("<pre>{}</pre>\n", escape(&plan));
        section(&mut page, "The plan", &plan);
        page + "</main>\n</html>\n"
    }

    fn tiles(&self) -> String {
        let found = |finding: TestFinding| self.verdicts.iter().any(|v| v.finding == finding);
        let gained = if found(TestFinding::Better) {
            "yes"
        } else if self.verdicts.is_empty() || found(TestFinding::Undecided) {
            "not known"
        } else {
            "no"
        };
        let facts = [
            ("iterations", count(self.iterations.len() as u64)),
            ("games", count(self.games())),
            ("parameters", self.plan.parameters.len().to_string()),
            ("gained", gained.to_owned()),
        ];
        let tiles = facts.map(|(name, value)| {
            format!("<div class=\"tile\"><span>{name}</span><b>{value}</b></div>\n")
        });
        format!("<div class=\"tiles\">\n{}</div>\n", tiles.concat())
    }
}
