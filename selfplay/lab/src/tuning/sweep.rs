//! Sweeps: one or two parameters over values, each setting in a match of its own.
//!
//! Every match has the same opponent, seed and deals, so that all settings have the same
//! luck of the deals.

use std::str::FromStr;

use anqi_search::players::settings_of;
use anqi_search::spec::SpecError;

use super::plan::spec_with;
use anqi_match::engines::participant::names_program;

/// Most settings of a sweep; more is a typing error.
pub const MOST_SETTINGS: usize = 1_000;
/// Most parameters of a sweep.
pub const MOST_PARAMETERS: usize = 2;

/// A parameter and its values: `k=1..14`, `null-margin=-50,0,50`, `policy=move-first,compare`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SweptParameter {
    /// Its name.
    pub name: String,
    /// Its values as a spec has them.
    pub values: Vec<String>,
}

/// Why a text is not a parameter with values.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseSweptError {
    /// There is no `=`.
    #[error(
        "'{0}' names no values (expected NAME=VALUE,… or NAME=FIRST..LAST or NAME=FIRST..LAST/STEP)"
    )]
    NoValues(String),
    /// A value is empty.
    #[error("'{0}' has an empty value")]
    Empty(String),
    /// A range makes no sense.
    #[error("'{0}' is no range (expected FIRST..LAST or FIRST..LAST/STEP, whole numbers upwards)")]
    Range(String),
    /// There are too many values.
    #[error("'{text}' has more than {MOST_SETTINGS} values")]
    TooMany {
        /// The text.
        text: String,
    },
    /// A value is repeated.
    #[error("'{text}' has the value {value} twice")]
    Twice {
        /// The text.
        text: String,
        /// The value.
        value: String,
    },
}

impl FromStr for SweptParameter {
    type Err = ParseSweptError;

    fn from_str(text: &str) -> Result<SweptParameter, ParseSweptError> {
        let no_values = || ParseSweptError::NoValues(text.to_owned());
        let (name, list) = text.split_once('=').ok_or_else(no_values)?;
        if name.trim().is_empty() || list.trim().is_empty() {
            return Err(no_values());
        }
        let mut values = Vec::new();
        for part in list.split(',').map(str::trim) {
            if part.is_empty() {
                return Err(ParseSweptError::Empty(text.to_owned()));
            }
            match part.split_once("..") {
                None => values.push(part.to_owned()),
                Some((first, rest)) => values.extend(range(part, first, rest)?),
            }
            if values.len() > MOST_SETTINGS {
                let text = text.to_owned();
                return Err(ParseSweptError::TooMany { text });
            }
        }
        for (index, value) in values.iter().enumerate() {
            if values[..index].contains(value) {
                let (text, value) = (text.to_owned(), value.clone());
                return Err(ParseSweptError::Twice { text, value });
            }
        }
        let name = name.trim().to_owned();
        Ok(SweptParameter { name, values })
    }
}

/// Lists the numbers of `FIRST..LAST/STEP`.
fn range(part: &str, first: &str, rest: &str) -> Result<Vec<String>, ParseSweptError> {
    let refuse = || ParseSweptError::Range(part.to_owned());
    let (last, step) = rest.split_once('/').unwrap_or((rest, "1"));
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| refuse());
    let (first, last, step) = (number(first)?, number(last)?, number(step)?);
    if step < 1 || first > last {
        return Err(refuse());
    }
    let step = usize::try_from(step).unwrap_or(usize::MAX);
    let numbers = (first..=last).step_by(step).take(MOST_SETTINGS + 1);
    Ok(numbers.map(|number| number.to_string()).collect())
}

/// Why a sweep cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SweepError {
    /// Only one or two parameters can be shown.
    #[error("{0} parameters are swept (expected one or two)")]
    Parameters(usize),
    /// The same parameter twice.
    #[error("parameter '{0}' is swept twice")]
    SameParameter(String),
    /// There are too many settings.
    #[error("{0} settings are too many (expected at most {MOST_SETTINGS})")]
    TooMany(usize),
    /// The player does not take a setting.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Only built-in players have parameters.
    #[error("'{0}' is an outside program (expected a built-in player)")]
    Outside(String),
}

/// A setting of a sweep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Values of the swept parameters, in their order.
    pub values: Vec<String>,
    /// The player with these values.
    pub spec: String,
}

impl Setting {
    /// Returns the name of the folder for its match.
    pub fn folder(&self, parameters: &[SweptParameter]) -> String {
        let named = parameters.iter().zip(&self.values);
        let words: Vec<String> = named
            .map(|(parameter, value)| format!("{}={value}", parameter.name))
            .collect();
        // Values may name files.
        words.join(",").replace(['/', '\\'], "_")
    }
}

/// Lists the settings of a sweep and checks each of them.
///
/// # Errors
///
/// Returns an error that names the parameter or the value that the player does not have.
pub fn settings(player: &str, parameters: &[SweptParameter]) -> Result<Vec<Setting>, SweepError> {
    if names_program(player) {
        return Err(SweepError::Outside(player.to_owned()));
    }
    if !(1..=MOST_PARAMETERS).contains(&parameters.len()) {
        return Err(SweepError::Parameters(parameters.len()));
    }
    if let [first, second] = parameters
        && first.name == second.name
    {
        return Err(SweepError::SameParameter(first.name.clone()));
    }
    let count: usize = parameters.iter().map(|p| p.values.len()).product();
    if count > MOST_SETTINGS {
        return Err(SweepError::TooMany(count));
    }
    let mut settings = vec![Vec::new()];
    for parameter in parameters {
        let with = |values: &Vec<String>| {
            let all = parameter.values.iter();
            let values = values.clone();
            all.map(move |value| [values.clone(), vec![value.clone()]].concat())
        };
        settings = settings.iter().flat_map(with).collect();
    }
    let setting = |values: Vec<String>| {
        let names = parameters.iter().map(|p| p.name.as_str());
        let spec = spec_with(player, names.zip(&values));
        settings_of(&spec)?;
        Ok(Setting { values, spec })
    };
    settings.into_iter().map(setting).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn swept(text: &str) -> SweptParameter {
        text.parse().expect("a parameter with values")
    }

    #[test]
    fn lists_and_ranges_are_values() {
        assert_eq!(swept("k=1..4").values, ["1", "2", "3", "4"]);
        assert_eq!(swept("m=-50..50/50,7").values, ["-50", "0", "50", "7"]);
        assert_eq!(
            swept("policy=compare, advantage").values,
            ["compare", "advantage"]
        );
        let cases = [
            ("k", "names no values"),
            ("k=", "names no values"),
            ("k=1,,2", "empty"),
            ("k=3..1", "'3..1' is no range"),
            ("k=1..5/0", "'1..5/0' is no range"),
            ("k=a..b", "'a..b' is no range"),
            ("k=1..99999", "more than 1000"),
            ("k=1..3,2", "the value 2 twice"),
        ];
        for (text, reason) in cases {
            let error = text.parse::<SweptParameter>().expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn settings_are_all_combinations_and_each_is_checked() {
        let both = [swept("policy=compare,advantage"), swept("null-margin=0,50")];
        let all = settings("basic:depth=2", &both).expect("settings");
        let specs: Vec<&str> = all.iter().map(|s| s.spec.as_str()).collect();
        assert_eq!(specs[1], "basic:depth=2,policy=compare,null-margin=50");
        assert_eq!(specs.len(), 4);
        assert_eq!(all[2].folder(&both), "policy=advantage,null-margin=0");
        let error = |player: &str, parameters: &[&str]| {
            let parameters: Vec<SweptParameter> = parameters.iter().map(|t| swept(t)).collect();
            settings(player, &parameters).expect_err(player).to_string()
        };
        assert!(error("basic", &["k=3"]).contains("'k'"));
        assert!(error("var2", &["k=14,15"]).contains("'15' is not a value for 'k'"));
        assert!(error("cmd:x", &["k=1"]).contains("outside program"));
        assert!(error("var2", &["k=1", "k=2"]).contains("swept twice"));
        assert!(error("var2", &[]).contains("0 parameters"));
        assert!(error("nobody", &["k=1"]).contains("'nobody'"));
    }
}
