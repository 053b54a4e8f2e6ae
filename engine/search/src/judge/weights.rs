//! The weights of the terms, and the file they are kept in.
//!
//! The file has one weight a line, its name before it; `half` is the sum that
//! makes half of a sure win. A weight without a line is zero; a line that
//! names nothing is an error, so that an old file is not half read.

use super::terms::{TERMS, name};
use super::{FEATURES, UNIT, features, squashed};
use anqi_rules::{Position, SQUARES};
use std::fmt;
use std::sync::{Arc, LazyLock};

/// A weight is at most this far from zero.
const MOST: i32 = 1 << 22;
/// The least and the greatest sum that may make half of a sure win.
const HALVES: std::ops::RangeInclusive<i32> = 1..=1_000_000;

/// Weights and where they come from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The weights.
    pub weights: Arc<Weights>,
    file: String,
}

/// How a player's settings call the weights that are built in.
const BUILT_IN_NAME: &str = "built-in";

impl Default for Source {
    fn default() -> Source {
        Source {
            weights: Weights::built_in().clone(),
            file: BUILT_IN_NAME.to_string(),
        }
    }
}

impl Source {
    /// Reads the weights in a file; `built-in` names those of the program.
    ///
    /// # Errors
    ///
    /// Says why the file cannot be read, or which line is wrong.
    pub fn read(file: &str) -> Result<Source, WeightsError> {
        if file == BUILT_IN_NAME {
            return Ok(Source::default());
        }
        let text = std::fs::read_to_string(file)
            .map_err(|error| WeightsError::Unreadable(error.to_string()))?;
        let weights = Weights::parse(&text)?;
        Ok(Source {
            weights: Arc::new(weights),
            file: file.to_string(),
        })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)
    }
}

/// What the parts of the evaluation weigh.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// A weight for each of [`features`], in 1/256.
    pub weights: [i32; FEATURES],
    /// The sum that is half of a sure win.
    pub half: i32,
}

/// Why a text is not a set of weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// A line is not a name and a number.
    #[error("line {line}: '{text}' is not a name and a whole number")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// No weight is called so.
    #[error("line {line}: no weight is called '{name}'")]
    Name {
        /// Which line, from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// A number is too large.
    #[error("line {line}: {value} is out of range")]
    Range {
        /// Which line, from 1.
        line: usize,
        /// The number.
        value: i64,
    },
    /// The file cannot be read.
    #[error("cannot be read ({0}); expected a file of weights, or {BUILT_IN_NAME}")]
    Unreadable(String),
    /// There is no line for `half`.
    #[error("there is no line 'half'")]
    NoHalf,
}

static BUILT_IN: LazyLock<Arc<Weights>> = LazyLock::new(|| {
    let weights = Weights::parse(include_str!("../../weights.txt"));
    Arc::new(weights.expect("the weights of this crate are read by its tests"))
});

impl Default for Weights {
    fn default() -> Weights {
        Weights::clone(Weights::built_in())
    }
}

impl Weights {
    /// Returns the weights that are built into the program.
    pub fn built_in() -> &'static Arc<Weights> {
        &BUILT_IN
    }

    /// Reads weights from their file.
    ///
    /// # Errors
    ///
    /// Says which line is wrong.
    pub fn parse(text: &str) -> Result<Weights, WeightsError> {
        let mut weights = [0; FEATURES];
        let mut half = None;
        let names: Vec<String> = (0..FEATURES).map(name).collect();
        for (index, content) in text.lines().enumerate() {
            let line = index + 1;
            let content = content.split('#').next().unwrap_or("").trim();
            if content.is_empty() {
                continue;
            }
            let (name, value) = entry(content).ok_or_else(|| WeightsError::Line {
                line,
                text: content.chars().take(60).collect(),
            })?;
            let fits = |range: std::ops::RangeInclusive<i32>| {
                let fitting = i32::try_from(value).ok().filter(|n| range.contains(n));
                fitting.ok_or(WeightsError::Range { line, value })
            };
            if name == "half" {
                half = Some(fits(HALVES)?);
                continue;
            }
            let feature = names.iter().position(|known| known == name);
            let feature = feature.ok_or_else(|| WeightsError::Name {
                line,
                name: name.to_string(),
            })?;
            weights[feature] = fits(-MOST..=MOST)?;
        }
        let half = half.ok_or(WeightsError::NoHalf)?;
        Ok(Weights { weights, half })
    }

    /// Returns the expected result for the side to move, worked out from the
    /// list of features: the slow twin of [`super::Judge::value`].
    pub fn value(&self, position: &Position) -> i32 {
        let products = features(position).into_iter().zip(self.weights);
        let sum = products.map(|(amount, weight)| i64::from(amount) * i64::from(weight));
        squashed(sum.sum(), self.half)
    }

    /// Returns a term's weight with so many pieces face down, 32 times as great.
    pub(super) fn mixed(&self, term: usize, hidden: i32) -> i32 {
        let open = SQUARES as i32 - hidden;
        self.weights[term] * hidden + self.weights[TERMS + term] * open
    }
}

fn entry(content: &str) -> Option<(&str, i64)> {
    let (name, value) = content.split_once(char::is_whitespace)?;
    Some((name, value.trim().parse().ok()?))
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# Weights of the champion's evaluation, in 1/{UNIT}.")?;
        writeln!(f, "half {}", self.half)?;
        for (feature, weight) in self.weights.into_iter().enumerate() {
            writeln!(f, "{} {weight}", name(feature))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let weights = Weights::default();
        assert_eq!(Weights::parse(&weights.to_string()), Ok(weights));
    }

    #[test]
    fn a_file_that_is_not_there_is_said_to_be_so() {
        let error = Source::read("no such file").unwrap_err().to_string();
        assert!(error.contains("cannot be read"), "{error}");
        assert_eq!(
            Source::read(BUILT_IN_NAME).unwrap().to_string(),
            BUILT_IN_NAME
        );
    }

    #[test]
    fn bad_lines_are_named() {
        let line = |text: &str| Weights::parse(&format!("half 1000\n{text}\n"));
        assert!(matches!(
            line("turn"),
            Err(WeightsError::Line { line: 2, .. })
        ));
        assert!(matches!(
            line("turm.full 3"),
            Err(WeightsError::Name { .. })
        ));
        assert!(matches!(
            line("turn.full 99999999999"),
            Err(WeightsError::Range { .. })
        ));
        assert_eq!(Weights::parse("# nothing\n"), Err(WeightsError::NoHalf));
        assert!(line("turn.full 3 # more than two").is_ok());
    }
}
