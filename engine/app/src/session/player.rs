//! Players by name, and the options that are settings of a player.
//!
//! An option that the player does not use is kept for the next player and
//! listed as unused, so that a client may set options in any order.

use anqi_play::Level;
use anqi_search::Player;
use anqi_search::players::{by_spec, kind_named};
use anqi_search::spec::SpecError;
use std::path::PathBuf;

/// Makes the player that the options ask for, or says why it cannot.
pub type MakePlayer = Box<dyn Fn(&PlayerOptions) -> Result<Made, String> + Send>;

/// The options that are settings of a player.
///
/// A setting can come from an option or from the player's own spec; the later
/// one wins. An option removes its setting from the spec
/// ([`PlayerOptions::without`]), so what the spec still has came later.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PlayerOptions {
    /// Its name and settings.
    pub player: String,
    /// How strong it plays, if that has been set.
    pub level: Option<Level>,
    /// How far below zero it values a draw, in ten-thousandths of a win, if that has been set.
    pub contempt: Option<i32>,
    /// Number of threads, if that has been set.
    pub threads: Option<u32>,
    /// Megabytes of its transposition table, if that has been set.
    pub hash: Option<u32>,
    /// Folder of endgame tables.
    pub tables: Option<PathBuf>,
}

impl PlayerOptions {
    /// Returns the options with their values.
    fn settings(&self) -> [(&'static str, Option<String>); 5] {
        let folder = self.tables.as_ref();
        [
            ("level", self.level.map(|level| level.to_string())),
            ("contempt", self.contempt.map(|n| n.to_string())),
            ("threads", self.threads.map(|n| n.to_string())),
            ("hash", self.hash.map(|n| n.to_string())),
            ("tables", folder.map(|path| path.display().to_string())),
        ]
    }

    /// Returns the value of a setting that the player's own spec has.
    fn given(&self, key: &str) -> Option<&str> {
        let (_, given) = self.player.split_once(':')?;
        let pairs = given.rsplit(',').filter_map(|part| part.split_once('='));
        let mut named = pairs.filter(|(known, _)| known.trim() == key);
        named.next().map(|(_, value)| value.trim())
    }

    /// Returns the value of a player's setting that is in force.
    pub(super) fn value(&self, key: &str) -> Option<String> {
        let mut settings = self.settings().into_iter();
        let set = settings.find(|(known, _)| *known == key);
        let given = self.given(key).map(str::to_owned);
        given.or_else(|| set.and_then(|(_, value)| value))
    }

    /// Returns the options with a setting removed from the player's own spec.
    pub(super) fn without(&self, key: &str) -> PlayerOptions {
        let mut options = self.clone();
        if let Some((name, given)) = self.player.split_once(':') {
            let other = |part: &&str| part.split('=').next().map(str::trim) != Some(key);
            let kept: Vec<&str> = given.split(',').filter(other).collect();
            options.player = if kept.is_empty() {
                name.to_owned()
            } else {
                format!("{name}:{}", kept.join(","))
            };
        }
        options
    }

    /// Returns the options with a parameter of the player set in its spec, or `None` if the
    /// player has none of this name.
    pub(super) fn with_parameter(&self, name: &str, value: &str) -> Option<PlayerOptions> {
        let kind = kind_named(self.player.split(':').next()?.trim()).ok()?;
        let mut parameters = kind.parameters().into_iter();
        parameters.find(|parameter| parameter.name == name)?;
        let mut options = self.without(name);
        let sign = if options.player.contains(':') {
            ','
        } else {
            ':'
        };
        options.player.push_str(&format!("{sign}{name}={value}"));
        Some(options)
    }
}

/// A player, and the options it does not use.
pub struct Made {
    /// The player.
    pub player: Box<dyn Player>,
    /// Names of the options that it does not use.
    pub unused: Vec<&'static str>,
}

/// Makes a built-in player.
///
/// An option becomes a setting of the spec unless the spec has it already.
///
/// # Errors
///
/// Fails if the spec is wrong.
pub fn builtin_player(options: &PlayerOptions) -> Result<Made, String> {
    let set = options.settings().into_iter();
    let mut settings: Vec<(&'static str, String)> = set
        .filter(|(key, _)| options.given(key).is_none())
        .filter_map(|(key, value)| Some((key, value?)))
        .collect();
    let mut unused = Vec::new();
    loop {
        let mut spec = options.player.clone();
        for (key, value) in &settings {
            let sign = if spec.contains(':') { ',' } else { ':' };
            spec.push_str(&format!("{sign}{key}={value}"));
        }
        let error = match by_spec(&spec) {
            Ok(player) => return Ok(Made { player, unused }),
            Err(error) => error,
        };
        let unknown = match &error {
            SpecError::UnknownSetting { key, .. } => settings.iter().position(|(k, _)| k == key),
            _ => None,
        };
        match unknown {
            Some(index) => unused.push(settings.remove(index).0),
            None => return Err(error.to_string()),
        }
    }
}
