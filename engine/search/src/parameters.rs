//! Parameters of players: each declared once, as data.
//!
//! A player's options are a struct; its table of [`Parameter`]s gives each one's name,
//! meaning, values and place in the struct. Reading a spec, printing one, lists for
//! people and tuning all use that table.
//!
//! [`listing`] shows all tables at once, and [`mod@file`] reads settings from a file.

pub(crate) mod file;
pub mod listing;

use crate::spec::{Spec, SpecError, Word};
use std::fmt;

/// The value of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// On or off.
    Switch(Switch),
    /// A whole number.
    Integer(i64),
    /// One of several words, or the name of a file.
    Text(String),
}

/// On or off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Switch {
    /// The word `on`.
    On,
    /// The word `off`.
    Off,
}

impl From<bool> for Value {
    fn from(is_on: bool) -> Value {
        Value::Switch(if is_on { Switch::On } else { Switch::Off })
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value::Integer(number.into())
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Value {
        Value::Integer(number.into())
    }
}

impl From<Option<std::num::NonZeroU32>> for Value {
    fn from(number: Option<std::num::NonZeroU32>) -> Value {
        number.map_or(0, std::num::NonZero::get).into()
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Switch(Switch::On) => f.write_str("on"),
            Value::Switch(Switch::Off) => f.write_str("off"),
            Value::Integer(number) => write!(f, "{number}"),
            Value::Text(text) => f.write_str(text),
        }
    }
}

impl Value {
    /// Returns whether a switch is on.
    pub fn is_on(&self) -> bool {
        *self == Value::Switch(Switch::On)
    }

    /// Returns the number, within the range of the target.
    pub fn number<T: TryFrom<i64> + Default>(&self) -> T {
        match self {
            Value::Integer(number) => T::try_from(*number).unwrap_or_default(),
            _ => T::default(),
        }
    }

    /// Returns the text of a word or file.
    pub fn text(&self) -> &str {
        match self {
            Value::Text(text) => text,
            _ => "",
        }
    }
}

/// Which values a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `on` or `off`.
    Switch,
    /// A whole number within a range.
    Integer {
        /// The least value.
        least: i64,
        /// The greatest value.
        most: i64,
        /// A sensible step for a tuner.
        step: i64,
        /// The meaning of 0 if it is not a number.
        zero: Option<&'static str>,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A file, a folder or a word; the text says what is expected.
    File(&'static str),
}

impl Kind {
    /// Reads a value of this kind; words and files are not checked.
    pub fn read(&self, text: &str) -> Option<Value> {
        match self {
            Kind::Switch => match text {
                "on" => Some(true.into()),
                "off" => Some(false.into()),
                _ => None,
            },
            Kind::Integer { least, most, .. } => {
                let number = text.parse().ok().filter(|n| (least..=most).contains(&n));
                number.map(Value::Integer)
            }
            // The parameter checks its words: some have old names.
            Kind::Choice(_) | Kind::File(_) => Some(Value::Text(text.to_owned())),
        }
    }

    /// Describes the values allowed.
    pub fn expected(&self) -> String {
        match self {
            Kind::Switch => "on or off".to_owned(),
            Kind::Integer {
                least, most, zero, ..
            } => {
                let zero = zero.map(|meaning| format!(", 0 for {meaning}"));
                format!("{least} to {most}{}", zero.unwrap_or_default())
            }
            Kind::Choice(words) => words.join(", "),
            Kind::File(expected) => (*expected).to_owned(),
        }
    }
}

/// A parameter of players with options `T`.
#[derive(Debug)]
pub struct Parameter<T: 'static> {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it does, in a line.
    pub meaning: &'static str,
    /// Which values it takes.
    pub kind: Kind,
    /// Returns the value in these options.
    pub get: fn(&T) -> Value,
    /// Changes the value, or says why it cannot be used.
    pub set: fn(&mut T, &Value) -> Result<(), Refused>,
}

/// Why a value of the right kind cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It is not a value of the parameter.
    Word,
    /// It names a file that cannot be used, for this reason.
    File(String),
}

/// A parameter as others see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it does, in a line.
    pub meaning: &'static str,
    /// Which values it takes.
    pub kind: Kind,
    /// What it is for.
    pub purpose: Purpose,
    /// Its default value.
    pub default: Value,
}

/// What a parameter is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// It decides how the player plays: something to tune.
    Play,
    /// It limits resources or names files.
    Resource,
}

/// Which parameters are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Printing {
    /// These parameters, and all others that differ from [`Options::base`].
    Always(&'static [&'static str]),
    /// Those that differ from [`Options::base`].
    Differences,
}

/// The options of a player.
pub trait Options: Default + 'static {
    /// Its parameters, in the order in which they are set and printed.
    const PARAMETERS: &'static [Parameter<Self>];
    /// Which of them are printed.
    const PRINTING: Printing;
    /// The parameters that are not about play: [`Purpose::Resource`].
    const RESOURCES: &'static [&'static str];

    /// Returns the options that printing compares these with.
    fn base(&self) -> Self {
        Self::default()
    }
}

/// Reads options from a spec.
///
/// # Errors
///
/// Returns an error that names the setting that is unknown, or whose value is of the wrong kind.
pub fn read<T: Options>(spec: &Spec) -> Result<T, SpecError> {
    let is_known = |word: &&Word| !T::PARAMETERS.iter().any(|p| p.name == word.key);
    if let Some(unknown) = spec.settings().iter().find(is_known) {
        let names: Vec<&str> = T::PARAMETERS.iter().map(|p| p.name).collect();
        return Err(SpecError::UnknownSetting {
            player: spec.name().to_owned(),
            key: unknown.key.clone(),
            known: if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            },
        });
    }
    let mut options = T::default();
    for parameter in T::PARAMETERS {
        // The last setting wins.
        let mut said = spec.settings().iter().rev();
        if let Some(word) = said.find(|word| word.key == parameter.name) {
            set(&mut options, parameter, &word.value)?;
        }
    }
    Ok(options)
}

fn set<T>(options: &mut T, parameter: &Parameter<T>, text: &str) -> Result<(), SpecError> {
    let refuse = || SpecError::BadValue {
        key: parameter.name.to_owned(),
        value: anqi_rules::notation::excerpt(text),
        expected: parameter.kind.expected(),
    };
    let value = parameter.kind.read(text).ok_or_else(refuse)?;
    (parameter.set)(options, &value).map_err(|refused| match refused {
        Refused::Word => refuse(),
        Refused::File(reason) => SpecError::BadFile {
            key: parameter.name.to_owned(),
            file: text.to_owned(),
            reason,
        },
    })
}

/// Returns the values of all parameters for a player made from a spec.
///
/// # Errors
///
/// Fails as [`read`] does.
pub fn values<T: Options>(spec: &Spec) -> Result<Vec<Value>, SpecError> {
    let options = read::<T>(spec)?;
    let parameters = T::PARAMETERS.iter();
    Ok(parameters.map(|p| (p.get)(&options)).collect())
}

/// Prints options as the spec of a player.
pub fn print<T: Options>(name: &str, options: &T) -> String {
    let base = options.base();
    let default = T::default();
    let mut text = name.to_owned();
    let mut sign = ':';
    for parameter in T::PARAMETERS {
        let value = (parameter.get)(options);
        let always = match T::PRINTING {
            Printing::Always(names) => names,
            Printing::Differences => &[],
        };
        let is_said = always.contains(&parameter.name)
            || value != (parameter.get)(&base)
            // A preset that the base contains must itself be printed.
            || parameter.name == PRESET && value != (parameter.get)(&default);
        if is_said {
            text.push_str(&format!("{sign}{}={value}", parameter.name));
            sign = ',';
        }
    }
    text
}

/// The parameter that changes the base for the others.
pub const PRESET: &str = "exact";

/// Describes the parameters of options.
pub(crate) fn describe<T: Options>() -> Vec<Description> {
    let default = T::default();
    let parameters = T::PARAMETERS.iter();
    parameters
        .map(|parameter| Description {
            name: parameter.name,
            meaning: parameter.meaning,
            kind: parameter.kind,
            purpose: if T::RESOURCES.contains(&parameter.name) {
                Purpose::Resource
            } else {
                Purpose::Play
            },
            default: (parameter.get)(&default),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_read_what_they_say_they_expect() {
        let number = Kind::Integer {
            least: 0,
            most: 32,
            step: 1,
            zero: Some("all"),
        };
        assert_eq!(number.read("32"), Some(Value::Integer(32)));
        assert_eq!(number.read("33"), None);
        assert_eq!(number.expected(), "0 to 32, 0 for all");
        assert!(Kind::Switch.read("on").is_some_and(|value| value.is_on()));
        assert_eq!(Kind::Switch.read("yes"), None);
    }
}
