//! Players as text: `name:key=value,key=value`.
//!
//! A spec names a player and overrides some of its settings. Every player
//! prints itself as one, with all settings, so that a record says exactly who
//! played.

use std::fmt;

/// Why a text is not the spec of a player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no such player.
    #[error("no player is called '{name}' (there are: {known})")]
    UnknownPlayer {
        /// The name.
        name: String,
        /// The players there are.
        known: String,
    },
    /// The player has no such setting.
    #[error("player '{player}' has no setting '{key}' (it has: {known})")]
    UnknownSetting {
        /// The player.
        player: String,
        /// The setting.
        key: String,
        /// The settings it has.
        known: String,
    },
    /// A setting is written without a value.
    #[error("'{0}' is not a setting (expected key=value)")]
    NotASetting(String),
    /// A value is of the wrong kind.
    #[error("'{value}' is not a value for '{key}' (expected {expected})")]
    BadValue {
        /// The setting.
        key: String,
        /// The value.
        value: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A value names a file that cannot be used.
    #[error("{key}={file}: {reason}")]
    BadFile {
        /// The setting.
        key: String,
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// A spec taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    name: String,
    settings: Vec<(String, String)>,
    /// The settings that somebody has asked for: those the player has.
    known: Vec<&'static str>,
}

impl Spec {
    /// Takes a spec apart.
    ///
    /// # Errors
    ///
    /// Says which setting has no value.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let settings = rest.split(',').filter(|part| !part.is_empty()).map(|part| {
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| SpecError::NotASetting(part.to_string()))?;
            Ok((key.trim().to_string(), value.trim().to_string()))
        });
        Ok(Spec {
            name: name.trim().to_string(),
            settings: settings.collect::<Result<_, _>>()?,
            known: Vec::new(),
        })
    }

    /// Returns the player's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Takes the value of a setting, the last one given, or the default.
    ///
    /// # Errors
    ///
    /// Says what was expected if `read` refuses the value.
    pub fn take<T>(
        &mut self,
        key: &'static str,
        default: T,
        expected: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, SpecError> {
        self.take_checked(key, default, |value| {
            read(value).ok_or_else(|| SpecError::BadValue {
                key: key.to_string(),
                value: value.to_string(),
                expected,
            })
        })
    }

    /// Takes the name of a file and reads it, or takes the default.
    ///
    /// # Errors
    ///
    /// Says why `read` refuses the file.
    pub fn take_file<T, E: fmt::Display>(
        &mut self,
        key: &'static str,
        default: T,
        read: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, SpecError> {
        self.take_checked(key, default, |file| {
            read(file).map_err(|error| SpecError::BadFile {
                key: key.to_string(),
                file: file.to_string(),
                reason: error.to_string(),
            })
        })
    }

    fn take_checked<T>(
        &mut self,
        key: &'static str,
        default: T,
        read: impl Fn(&str) -> Result<T, SpecError>,
    ) -> Result<T, SpecError> {
        self.known.push(key);
        let mut result = Ok(default);
        self.settings.retain(|(known, value)| {
            if known != key {
                return true;
            }
            result = read(value);
            false
        });
        result
    }

    /// Takes a whole number within a range.
    ///
    /// # Errors
    ///
    /// Says what was expected if the value is none.
    pub fn number(
        &mut self,
        key: &'static str,
        default: u32,
        range: std::ops::RangeInclusive<u32>,
        expected: &'static str,
    ) -> Result<u32, SpecError> {
        self.take(key, default, expected, |value| {
            value.parse().ok().filter(|number| range.contains(number))
        })
    }

    /// Ends the reading.
    ///
    /// # Errors
    ///
    /// Names a setting that nobody has taken.
    pub fn finish(self) -> Result<(), SpecError> {
        match self.settings.into_iter().next() {
            None => Ok(()),
            Some((key, _)) => Err(SpecError::UnknownSetting {
                player: self.name,
                key,
                known: match self.known.is_empty() {
                    true => "none".to_string(),
                    false => self.known.join(", "),
                },
            }),
        }
    }
}

/// Writes a spec from its parts, leaving out settings that are empty.
pub fn write(name: &str, settings: &[(&str, &dyn fmt::Display)]) -> String {
    let mut text = name.to_string();
    for (index, (key, value)) in settings.iter().enumerate() {
        let sign = if index == 0 { ':' } else { ',' };
        text.push_str(&format!("{sign}{key}={value}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_taken_once_and_leftovers_named() {
        let mut spec = Spec::parse("basic:depth=3,k=2").unwrap();
        assert_eq!(spec.number("depth", 9, 1..=64, "1 to 64"), Ok(3));
        assert!(
            spec.clone()
                .finish()
                .unwrap_err()
                .to_string()
                .contains("'k'")
        );
        assert_eq!(spec.number("k", 9, 1..=14, "1 to 14"), Ok(2));
        assert_eq!(spec.finish(), Ok(()));
        assert!(Spec::parse("basic:depth").is_err());
        let mut bad = Spec::parse("basic:depth=99").unwrap();
        assert!(bad.number("depth", 9, 1..=64, "1 to 64").is_err());
    }
}
