//! Options that `set` changes and `options` lists.

use super::option_error::{NAMES, OptionError};
use super::player::PlayerOptions;
use super::slot::PlayerSlot;
use anqi_play::Level;
use anqi_rules::notation::excerpt;
use anqi_rules::{Repetition, Rules};
pub(super) use anqi_search::players::MOST_CONTEMPT;
use anqi_search::players::{MOST_HASH_MEBIBYTES, MOST_THREADS};
use std::num::NonZeroU32;
use std::path::PathBuf;

/// The options that are not the player's.
#[derive(Default)]
pub(super) struct Options {
    pub(super) seed: u64,
    pub(super) rules: Rules,
    pub(super) info: bool,
}

impl Options {
    /// Sets an option; on an error nothing changes.
    pub(super) fn set(
        &mut self,
        name: &str,
        value: &str,
        slot: &mut PlayerSlot,
    ) -> Result<(), OptionError> {
        let options = slot.options().without(name);
        match name {
            "level" => slot.change_level(PlayerOptions {
                level: Some(level(value)?),
                ..options
            })?,
            "contempt" => slot.change(PlayerOptions {
                contempt: Some(contempt(value)?),
                ..options
            })?,
            "player" => slot.change(PlayerOptions {
                player: value.to_owned(),
                ..options
            })?,
            "threads" => slot.change(PlayerOptions {
                threads: Some(whole("threads", value, 1, MOST_THREADS)?),
                ..options
            })?,
            // Allocates now: a size that memory cannot hold is refused before a clock runs.
            "hash" => slot.change_prepared(
                PlayerOptions {
                    hash: Some(whole("hash", value, 1, MOST_HASH_MEBIBYTES)?),
                    ..options
                },
                self.rules,
            )?,
            "tables" => {
                let folder = (value != "none").then(|| PathBuf::from(value));
                slot.set_tables(folder, self.rules)?;
            }
            "seed" => {
                let expected = || "a whole number from 0 to 18446744073709551615".to_owned();
                self.seed = number(value).ok_or_else(|| bad("seed", value, expected()))?;
            }
            "rules" => self.rules = preset(value)?,
            "no_progress" => self.rules.quiet_limit = no_progress(value)?,
            "repetition" => self.rules.repetition = self.repetition(value)?,
            "info" => self.info = on_or_off(value)?,
            _ => set_parameter(name, value, slot)?,
        }
        Ok(())
    }

    /// Sets how many repetitions draw, keeping the kind of repetition.
    pub(super) fn limit_repetition(&mut self, times: Option<u16>) {
        self.rules.repetition = match (times.map(u32::from), self.rules.repetition) {
            (None, _) => Repetition::Never,
            (Some(times), Repetition::Sequence { .. }) => Repetition::Sequence { times },
            (Some(times), Repetition::ChaseBan { .. }) => Repetition::ChaseBan { times },
            (Some(times), _) => Repetition::Position { times },
        };
    }

    /// Reads `none`, `3`, `position 3`, `sequence 3` or `chase-ban 3`.
    fn repetition(&self, value: &str) -> Result<Repetition, OptionError> {
        let refuse = || {
            let expected = "none, or 2 to 255, after 'position', 'sequence' or 'chase-ban' if the \
                            kind is to change";
            bad("repetition", value, expected.to_owned())
        };
        let (kind, times) = value.split_once([' ', ':']).unwrap_or(("", value));
        if value == "none" || value == "0" {
            return Ok(Repetition::Never);
        }
        let times = number::<u32>(times).filter(|times| (2..=255).contains(times));
        let times = times.ok_or_else(refuse)?;
        match (kind, self.rules.repetition) {
            ("sequence", _) | ("", Repetition::Sequence { .. }) => {
                Ok(Repetition::Sequence { times })
            }
            ("chase-ban", _) | ("", Repetition::ChaseBan { .. }) => {
                Ok(Repetition::ChaseBan { times })
            }
            ("position" | "", _) => Ok(Repetition::Position { times }),
            _ => Err(refuse()),
        }
    }

    /// Lists the options with their values.
    pub(super) fn lines(&self, slot: &PlayerSlot) -> Vec<String> {
        let options = slot.options();
        let setting = |name| options.value(name).unwrap_or("default".to_owned());
        let folder = options.tables.as_ref();
        let rules = self.rules.name().unwrap_or("custom");
        let quiet_limit = self.rules.quiet_limit;
        let values = [
            options.player.clone(),
            setting("level"),
            setting("contempt"),
            setting("threads"),
            setting("hash"),
            folder.map_or("none".to_owned(), |path| path.display().to_string()),
            self.seed.to_string(),
            rules.to_owned(),
            quiet_limit.map_or("none".to_owned(), |plies| plies.to_string()),
            repetition_text(self.rules.repetition),
            if self.info { "on" } else { "off" }.to_owned(),
        ];
        let line = |(name, value): (&str, String)| {
            if slot.leaves_unused(name) {
                format!("{name} {value} (not used by this player)")
            } else {
                format!("{name} {value}")
            }
        };
        NAMES.into_iter().zip(values).map(line).collect()
    }
}

/// Sets a parameter of the player in use.
fn set_parameter(name: &str, value: &str, slot: &mut PlayerSlot) -> Result<(), OptionError> {
    let unknown = || OptionError::Unknown {
        name: excerpt(name),
    };
    let options = slot.options().with_parameter(name, value);
    let options = options.ok_or_else(unknown)?;
    // In a spec a comma would begin another setting.
    if value.contains(',') {
        let reason = format!("'{}' is not a value for '{name}'", excerpt(value));
        return Err(OptionError::Player(format!("{reason} (it has a comma)")));
    }
    slot.change(options)
}

fn repetition_text(repetition: Repetition) -> String {
    match repetition {
        Repetition::Never => "none".to_owned(),
        Repetition::Position { times } => format!("position {times}"),
        Repetition::Sequence { times } => format!("sequence {times}"),
        Repetition::ChaseBan { times } => format!("chase-ban {times}"),
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse()
        .ok()
        .filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

fn whole(name: &'static str, value: &str, least: u32, most: u32) -> Result<u32, OptionError> {
    number(value)
        .filter(|n| (least..=most).contains(n))
        .ok_or_else(|| {
            bad(
                name,
                value,
                format!("a whole number from {least} to {most}"),
            )
        })
}

fn level(value: &str) -> Result<Level, OptionError> {
    let wrong = |_| bad("level", value, Level::expected());
    value.parse().map_err(wrong)
}

fn contempt(value: &str) -> Result<i32, OptionError> {
    let number = value.parse().ok();
    let bounds = -MOST_CONTEMPT..=MOST_CONTEMPT;
    number.filter(|n| bounds.contains(n)).ok_or_else(|| {
        let expected = format!("a whole number from -{MOST_CONTEMPT} to {MOST_CONTEMPT}");
        bad("contempt", value, expected)
    })
}

fn preset(value: &str) -> Result<Rules, OptionError> {
    let names = Rules::PRESETS.map(|(name, _)| name).join(", ");
    Rules::preset(value).ok_or_else(|| bad("rules", value, format!("one of {names}")))
}

fn no_progress(value: &str) -> Result<Option<NonZeroU32>, OptionError> {
    match value {
        "none" | "0" => Ok(None),
        _ => whole("no_progress", value, 1, 65_535)
            .map(NonZeroU32::new)
            .map_err(|_| bad("no_progress", value, "none, or 1 to 65535 plies".to_owned())),
    }
}

fn on_or_off(value: &str) -> Result<bool, OptionError> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(bad("info", value, "on or off".to_owned())),
    }
}

fn bad(name: &'static str, value: &str, expected: String) -> OptionError {
    OptionError::Value {
        name,
        value: excerpt(value),
        expected,
    }
}
