//! Players as text: `name:key=value,key=value`.
//!
//! A spec names a player and overrides some of its settings. Every player prints
//! itself as a spec, so that a record names its players exactly. The settings are
//! declared in the players' [`parameters`](crate::parameters).

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
        expected: String,
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

/// A setting: `key=value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The name.
    pub key: String,
    /// The value.
    pub value: String,
}

/// A parsed spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    name: String,
    settings: Vec<Word>,
}

impl Spec {
    /// Parses a spec.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting has no value.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let settings = rest.split(',').filter(|part| !part.is_empty()).map(|part| {
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| SpecError::NotASetting(part.to_string()))?;
            Ok(Word {
                key: key.trim().to_string(),
                value: value.trim().to_string(),
            })
        });
        Ok(Spec {
            name: name.trim().to_string(),
            settings: settings.collect::<Result<_, _>>()?,
        })
    }

    /// Returns the player's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the spec of the same player with these settings instead.
    #[must_use]
    pub(crate) fn with_settings(self, settings: Vec<Word>) -> Spec {
        Spec { settings, ..self }
    }

    /// Returns the settings in their order.
    pub fn settings(&self) -> &[Word] {
        &self.settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_settings_are_told_apart() {
        let spec = Spec::parse(" basic : depth=3,k = 2,").unwrap();
        assert_eq!(spec.name(), "basic");
        let settings: Vec<(&str, &str)> = spec
            .settings()
            .iter()
            .map(|w| (&*w.key, &*w.value))
            .collect();
        assert_eq!(settings, [("depth", "3"), ("k", "2")]);
        assert!(Spec::parse("basic:depth").is_err());
    }
}
