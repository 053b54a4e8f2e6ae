//! Rule sets as text: the name of a preset, or each rule by name.

use crate::ending::{Convention, Precedence, Repetition, Rules};
use crate::excerpt::excerpt;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

/// Why a text is not a rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{}' is not a rule set (expected {}, or rules such as \
     quiet=40,repetition=position:3,precedence=wins,convention=tournament)",
    excerpt(.0), Rules::PRESETS.map(|(name, _)| name).join(", ")
)]
pub struct ParseRulesError(String);

impl fmt::Display for Rules {
    /// Writes the name of a preset, or `quiet=40,repetition=position:3,precedence=wins,convention=tournament`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.name() {
            return out.write_str(name);
        }
        match self.quiet_limit {
            None => out.write_str("quiet=none")?,
            Some(limit) => write!(out, "quiet={limit}")?,
        }
        let (word, times) = match self.repetition {
            Repetition::Never => ("never", None),
            Repetition::Position { times } => ("position", Some(times)),
            Repetition::Sequence { times } => ("sequence", Some(times)),
            Repetition::ChaseBan { times } => ("chase-ban", Some(times)),
        };
        write!(out, ",repetition={word}")?;
        if let Some(times) = times {
            write!(out, ":{times}")?;
        }
        let precedence = match self.precedence {
            Precedence::Wins => "wins",
            Precedence::Draws => "draws",
        };
        let convention = match self.convention {
            Convention::Tournament => "tournament",
            Convention::Course => "course",
        };
        write!(out, ",precedence={precedence},convention={convention}")
    }
}

impl FromStr for Rules {
    type Err = ParseRulesError;

    /// Reads the name of a preset, or all four rules by name in any order.
    fn from_str(text: &str) -> Result<Rules, ParseRulesError> {
        let rules = Rules::preset(text).or_else(|| by_name(text));
        rules.ok_or_else(|| ParseRulesError(text.to_owned()))
    }
}

/// Reads each rule by its name.
fn by_name(text: &str) -> Option<Rules> {
    let (mut quiet, mut repetition, mut precedence, mut convention) = (None, None, None, None);
    for rule in text.split(',') {
        let (name, value) = rule.split_once('=')?;
        let is_new = match name {
            "quiet" => quiet.replace(quiet_limit(value)?).is_none(),
            "repetition" => repetition.replace(repetition_of(value)?).is_none(),
            "precedence" => precedence.replace(precedence_of(value)?).is_none(),
            "convention" => convention.replace(convention_of(value)?).is_none(),
            _ => return None,
        };
        if !is_new {
            return None;
        }
    }
    Some(Rules {
        quiet_limit: quiet?,
        repetition: repetition?,
        precedence: precedence?,
        convention: convention?,
    })
}

fn quiet_limit(value: &str) -> Option<Option<NonZeroU32>> {
    match value {
        "none" => Some(None),
        number => number.parse().ok().map(Some),
    }
}

fn repetition_of(value: &str) -> Option<Repetition> {
    if value == "never" {
        return Some(Repetition::Never);
    }
    let (word, times) = value.split_once(':')?;
    let times = times.parse().ok()?;
    match word {
        "position" => Some(Repetition::Position { times }),
        "sequence" => Some(Repetition::Sequence { times }),
        "chase-ban" => Some(Repetition::ChaseBan { times }),
        _ => None,
    }
}

fn precedence_of(value: &str) -> Option<Precedence> {
    match value {
        "wins" => Some(Precedence::Wins),
        "draws" => Some(Precedence::Draws),
        _ => None,
    }
}

fn convention_of(value: &str) -> Option<Convention> {
    match value {
        "tournament" => Some(Convention::Tournament),
        "course" => Some(Convention::Course),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_read_what_they_write() {
        let own = Rules {
            quiet_limit: NonZeroU32::new(7),
            ..Rules::MISTBOARD
        };
        let endless = Rules {
            quiet_limit: None,
            repetition: Repetition::Never,
            ..Rules::COURSE
        };
        let presets = Rules::PRESETS.map(|(_, rules)| rules);
        for rules in presets.into_iter().chain([own, endless]) {
            assert_eq!(rules.to_string().parse(), Ok(rules), "{rules}");
        }
        assert_eq!(
            own.to_string(),
            "quiet=7,repetition=chase-ban:3,precedence=draws,convention=tournament"
        );
    }

    #[test]
    fn what_is_no_rule_set_is_refused() {
        for text in [
            "",
            "chess",
            "quiet=40",
            "quiet=0,repetition=never,precedence=wins,convention=course",
            "quiet=9,quiet=9,repetition=never,precedence=wins,convention=course",
            "quiet=9,repetition=position,precedence=wins,convention=course",
        ] {
            let refused = text.parse::<Rules>().unwrap_err().to_string();
            assert!(refused.contains("expected olympiad, platform"), "{refused}");
        }
    }
}
