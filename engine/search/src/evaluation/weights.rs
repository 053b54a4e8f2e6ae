//! The weights of the terms, and their file.
//!
//! The file has one name and weight per line; `half` is the sum that makes half of a
//! sure win by the ratio. A line `curve logistic` chooses the [curve](Curve); without one it is the ratio. Every weight has exactly one line: an unknown, missing or duplicate name
//! is an error, so that an old file is not half read.

use super::curve::{Curve, half_sum};
use super::terms::{EDGE, FEATURES, JUMP, TERMS, TURN, UNIT, feature_name};
use anqi_rules::SQUARES;
use anqi_rules::notation::excerpt;
use std::fmt;
use std::sync::{Arc, LazyLock};

/// The greatest absolute weight: far beyond what fitting gives, and no sum overflows.
const MOST: i32 = 1 << 22;
/// The least and the greatest sum that may make half of a sure win.
const HALVES: std::ops::RangeInclusive<i32> = 1..=1_000_000;

/// Weights and where they come from.
#[derive(Clone, Debug)]
pub(crate) struct WeightsSource {
    /// The weights.
    pub weights: Arc<Weights>,
    file: String,
}

/// The name of the built-in weights in a player's settings.
const BUILT_IN_NAME: &str = "built-in";

impl Default for WeightsSource {
    fn default() -> WeightsSource {
        WeightsSource {
            weights: Weights::built_in().clone(),
            file: BUILT_IN_NAME.to_string(),
        }
    }
}

impl WeightsSource {
    /// Reads weights from a file; `built-in` names the program's own.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, a line is wrong or a weight is missing.
    pub(crate) fn read(file: &str) -> Result<WeightsSource, WeightsError> {
        if file == BUILT_IN_NAME {
            return Ok(WeightsSource::default());
        }
        let text = read_text(file)?;
        let weights = Weights::parse(&text)?;
        Ok(WeightsSource {
            weights: Arc::new(weights),
            file: file.to_string(),
        })
    }
}

impl WeightsSource {
    /// Returns whether these are the program's own.
    pub(crate) fn is_built_in(&self) -> bool {
        self.file == BUILT_IN_NAME
    }
}

/// A file of weights has about 3,000 bytes; a far larger one is something else.
#[cfg(feature = "os")]
const MOST_BYTES: u64 = 1 << 20;

#[cfg(feature = "os")]
fn read_text(file: &str) -> Result<String, WeightsError> {
    anqi_files::read_text_limited(file.as_ref(), MOST_BYTES)
        .map_err(|error| WeightsError::Unreadable(error.to_string()))
}

#[cfg(not(feature = "os"))]
fn read_text(_: &str) -> Result<String, WeightsError> {
    Err(WeightsError::Unreadable(
        "this build reads no files".to_owned(),
    ))
}

impl fmt::Display for WeightsSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)
    }
}

/// The weights of the evaluation's terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// A weight for each of the [`features`](super::features()), in 1/256.
    pub weights: [i32; FEATURES],
    /// The sum that is half of a sure win by the ratio.
    pub half: i32,
    /// How a sum becomes an expected result.
    pub curve: Curve,
}

/// Which terms have weights other than zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// Terms on squares too.
    Everything,
    /// All but those of hunting: what pieces find on and beside their squares.
    Beside,
    /// The turn and terms of material: a network knows the squares.
    Material,
}

/// Why a text is not a set of weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// A line is not a name and a number.
    #[error("line {line}: '{text}' is not a weight (expected a name and a whole number)")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// Its text.
        text: String,
    },
    /// No weight has this name.
    #[error(
        "line {line}: no weight is called '{name}' (expected half, curve or a name like turn.full)"
    )]
    Name {
        /// Which line, from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// No curve has this name.
    #[error("line {line}: no curve is called '{name}' (expected {})", Curve::NAMES.join(" or "))]
    Curve {
        /// Which line, from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// A weight has two lines.
    #[error("line {line}: '{name}' has a weight already (expected each name once)")]
    Duplicate {
        /// The second line, from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// A number is too large or too small.
    #[error("line {line}: {value} is out of range (expected {least} to {most})")]
    Range {
        /// Which line, from 1.
        line: usize,
        /// The number.
        value: i64,
        /// The least number.
        least: i32,
        /// The greatest number.
        most: i32,
    },
    /// A weight has no line.
    #[error("there is no line for '{name}' ({missing} of {all} weights are missing)")]
    Missing {
        /// The first name that is missing.
        name: String,
        /// How many are missing.
        missing: usize,
        /// How many there should be.
        all: usize,
    },
    /// The file cannot be read.
    #[error("cannot be read ({0}); expected a file of weights, or {BUILT_IN_NAME}")]
    Unreadable(String),
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
    /// Returns an error if a line is wrong or a weight is missing.
    pub fn parse(text: &str) -> Result<Weights, WeightsError> {
        // `half` comes last, after the weights.
        let mut numbers = [None; FEATURES + 1];
        let mut names: Vec<String> = (0..FEATURES).map(feature_name).collect();
        names.push("half".to_owned());
        let mut curve = None;
        for (index, content) in text.lines().enumerate() {
            let line = index + 1;
            let content = content.split('#').next().unwrap_or("").trim();
            if content.is_empty() {
                continue;
            }
            if let Some(name) = curve_name(content) {
                let found = Curve::named(name).ok_or_else(|| WeightsError::Curve {
                    line,
                    name: excerpt(name),
                })?;
                if curve.replace(found).is_some() {
                    let name = "curve".to_owned();
                    return Err(WeightsError::Duplicate { line, name });
                }
                continue;
            }
            let (name, value) = entry(content).ok_or_else(|| WeightsError::Line {
                line,
                text: excerpt(content),
            })?;
            let place = names.iter().position(|known| known == name);
            let place = place.ok_or_else(|| WeightsError::Name {
                line,
                name: excerpt(name),
            })?;
            let number = Some(in_range(line, place, value)?);
            if std::mem::replace(&mut numbers[place], number).is_some() {
                let name = name.to_owned();
                return Err(WeightsError::Duplicate { line, name });
            }
        }
        complete(&numbers, &names, curve.unwrap_or_default())
    }

    /// Returns the estimate for a sum of weighted terms.
    #[inline]
    pub(super) fn estimate(&self, sum: i64) -> i32 {
        self.curve.estimate(sum, half_sum(self.half))
    }

    /// Returns the same weights with another curve.
    #[must_use]
    pub fn with_curve(&self, curve: Curve) -> Weights {
        Weights {
            curve,
            ..self.clone()
        }
    }

    /// Returns which terms have weights that count.
    pub(super) fn scope(&self) -> Scope {
        let is_zero = |term: usize| self.weights[term] == 0 && self.weights[TERMS + term] == 0;
        if (0..TURN).all(is_zero) {
            Scope::Material
        } else if (0..JUMP).chain(EDGE..TURN).all(is_zero) {
            Scope::Beside
        } else {
            Scope::Everything
        }
    }

    /// Returns the built-in weights with zeros for all terms outside a scope.
    #[cfg(test)]
    pub(super) fn within(scope: Scope) -> Weights {
        let mut weights = Weights::default();
        let left_out = |term: usize| match scope {
            Scope::Everything => false,
            Scope::Beside => term < JUMP || (EDGE..TURN).contains(&term),
            Scope::Material => term < TURN,
        };
        for feature in (0..FEATURES).filter(|feature| left_out(feature % TERMS)) {
            weights.weights[feature] = 0;
        }
        weights
    }

    /// Returns 32 times a term's weight with this many pieces face down.
    pub(super) fn mixed(&self, term: usize, hidden: i32) -> i32 {
        let open = SQUARES as i32 - hidden;
        self.weights[term] * hidden + self.weights[TERMS + term] * open
    }
}

/// A weight, or `half` after them, if it is in its range.
fn in_range(line: usize, place: usize, value: i64) -> Result<i32, WeightsError> {
    let range = if place == FEATURES {
        HALVES
    } else {
        -MOST..=MOST
    };
    let number = i32::try_from(value).ok().filter(|n| range.contains(n));
    number.ok_or(WeightsError::Range {
        line,
        value,
        least: *range.start(),
        most: *range.end(),
    })
}

/// The weights, if none is missing.
fn complete(
    numbers: &[Option<i32>; FEATURES + 1],
    names: &[String],
    curve: Curve,
) -> Result<Weights, WeightsError> {
    let mut missing = names.iter().zip(numbers).filter(|(_, n)| n.is_none());
    if let Some((name, _)) = missing.next() {
        return Err(WeightsError::Missing {
            name: name.clone(),
            missing: 1 + missing.count(),
            all: names.len(),
        });
    }
    let number = |place: usize| numbers[place].unwrap_or_default();
    Ok(Weights {
        weights: std::array::from_fn(number),
        half: number(FEATURES),
        curve,
    })
}

/// The name of the curve, if the line chooses one.
fn curve_name(content: &str) -> Option<&str> {
    let (word, name) = content.split_once(char::is_whitespace)?;
    (word == "curve").then(|| name.trim())
}

fn entry(content: &str) -> Option<(&str, i64)> {
    let (name, value) = content.split_once(char::is_whitespace)?;
    Some((name, value.trim().parse().ok()?))
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# Weights of the champion's evaluation, in 1/{UNIT}.")?;
        writeln!(f, "half {}", self.half)?;
        if self.curve != Curve::default() {
            writeln!(f, "curve {}", self.curve.name())?;
        }
        for (feature, weight) in self.weights.into_iter().enumerate() {
            writeln!(f, "{} {weight}", feature_name(feature))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for curve in [Curve::Ratio, Curve::Logistic] {
            let weights = Weights {
                curve,
                ..Weights::default()
            };
            assert_eq!(Weights::parse(&weights.to_string()), Ok(weights));
        }
    }

    #[test]
    fn a_wrong_curve_is_named() {
        let told = |lines: &str| {
            let text = format!("{}{lines}", Weights::default());
            Weights::parse(&text).unwrap_err().to_string()
        };
        let unknown = told("curve linear");
        assert!(
            unknown.contains("'linear' (expected ratio or logistic)"),
            "{unknown}"
        );
        let twice = told("curve ratio\ncurve logistic");
        assert!(twice.contains("'curve' has a weight already"), "{twice}");
    }

    #[test]
    fn one_weight_more_widens_the_scope() {
        for scope in [Scope::Everything, Scope::Beside, Scope::Material] {
            assert_eq!(Weights::within(scope).scope(), scope);
        }
        let mut weights = Weights::within(Scope::Material);
        weights.weights[TERMS + EDGE - 1] = 1;
        assert_eq!(weights.scope(), Scope::Beside);
        weights.weights[EDGE] = 1;
        assert_eq!(weights.scope(), Scope::Everything);
    }

    #[test]
    fn a_file_that_is_not_there_is_said_to_be_so() {
        let error = WeightsSource::read("no such file").unwrap_err().to_string();
        assert!(error.contains("cannot be read"), "{error}");
        assert_eq!(
            WeightsSource::read(BUILT_IN_NAME).unwrap().to_string(),
            BUILT_IN_NAME
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_refused_at_once() {
        // Reading a pipe might wait for a writer indefinitely.
        let error = WeightsSource::read("/dev/null").unwrap_err().to_string();
        assert!(error.contains("no regular file"), "{error}");
    }

    #[test]
    fn bad_lines_are_named() {
        let whole = Weights::default().to_string();
        let with = |line: &str| Weights::parse(&format!("{whole}{line}\n"));
        let told = |line: &str| with(line).unwrap_err().to_string();
        let last = whole.lines().count() + 1;
        for (line, expected) in [
            ("turn", "expected a name and a whole number"),
            ("turm.full 3", "no weight is called 'turm.full'"),
            ("turn.full 99999999999", "expected -4194304 to 4194304"),
            ("half 0", "expected 1 to 1000000"),
            ("half 9", "expected each name once"),
            (
                "turn.full 3 # the second",
                "'turn.full' has a weight already",
            ),
        ] {
            let told = told(line);
            let place = format!("line {last}: ");
            assert!(
                told.starts_with(&place) && told.contains(expected),
                "{told}"
            );
        }
        assert!(with("# more than weights").is_ok());
    }

    #[test]
    fn missing_weights_are_named() {
        let whole = Weights::default().to_string();
        let without = |name: &str| {
            let lines = whole.lines().filter(|line| !line.starts_with(name));
            let text: Vec<&str> = lines.collect();
            Weights::parse(&text.join("\n")).unwrap_err().to_string()
        };
        assert!(without("half").contains("no line for 'half' (1 of 161"));
        assert!(without("turn.open").contains("no line for 'turn.open'"));
        assert!(Weights::parse("").is_err());
    }
}
