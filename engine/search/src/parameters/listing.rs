//! The parameters of all players as one list, for programs and for people.

use super::{Description, Kind, Purpose, Value};
use crate::players::{KINDS, PlayerKind, kind_named};
use crate::spec::SpecError;
use serde::Serialize;

/// A parameter of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Entry {
    /// Its player.
    pub player: &'static str,
    /// Its name in a spec.
    pub name: &'static str,
    /// `integer`, `switch`, `choice` or `file`.
    pub kind: &'static str,
    /// The least number.
    pub min: Option<i64>,
    /// The greatest number.
    pub max: Option<i64>,
    /// The default value.
    pub default: Default,
    /// A sensible step for a tuner.
    pub step: Option<i64>,
    /// The words to choose from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<&'static [&'static str]>,
    /// The meaning of 0 if it is not a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zero: Option<&'static str>,
    /// `play`, or `resource` for limits on resources and names of files.
    pub purpose: &'static str,
    /// What it does, in a line.
    pub meaning: &'static str,
}

/// A default: a number, or a word as it stands in a spec.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Default {
    /// A number.
    Number(i64),
    /// A word.
    Word(String),
}

/// Lists the parameters of all players, or of one.
///
/// # Errors
///
/// Fails if no player has this name.
pub fn entries(player: Option<&str>) -> Result<Vec<Entry>, SpecError> {
    let kinds = match player {
        Some(name) => vec![kind_named(name)?],
        None => KINDS.iter().collect(),
    };
    let of = |kind: &PlayerKind| {
        let name = kind.name;
        let parameters = kind.parameters().into_iter();
        parameters.map(move |parameter| entry(name, &parameter))
    };
    Ok(kinds.into_iter().flat_map(of).collect())
}

fn entry(player: &'static str, parameter: &Description) -> Entry {
    let mut entry = Entry {
        player,
        name: parameter.name,
        kind: "switch",
        min: None,
        max: None,
        default: match &parameter.default {
            Value::Integer(number) => Default::Number(*number),
            word => Default::Word(word.to_string()),
        },
        step: None,
        choices: None,
        zero: None,
        purpose: match parameter.purpose {
            Purpose::Play => "play",
            Purpose::Resource => "resource",
        },
        meaning: parameter.meaning,
    };
    match parameter.kind {
        Kind::Switch => {}
        Kind::Choice(words) => {
            entry.kind = "choice";
            entry.choices = Some(words);
        }
        Kind::File(_) => entry.kind = "file",
        Kind::Integer {
            least,
            most,
            step,
            zero,
        } => {
            entry.kind = "integer";
            (entry.min, entry.max) = (Some(least), Some(most));
            (entry.step, entry.zero) = (Some(step), zero);
        }
    }
    entry
}

/// Writes a list as a table, a block for each player.
pub fn table(entries: &[Entry]) -> String {
    let rows: Vec<[String; 5]> = entries.iter().map(cells).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: [usize; 4] = std::array::from_fn(width);
    let line = |cells: [&str; 5]| {
        let columns = cells.iter().zip(widths);
        let padded = columns.map(|(cell, width)| format!("{cell:<width$}  "));
        padded.collect::<String>() + cells[4] + "\n"
    };
    let mut text = String::new();
    for (index, (entry, row)) in entries.iter().zip(&rows).enumerate() {
        if index == 0 || entries[index - 1].player != entry.player {
            let gap = if index == 0 { "" } else { "\n" };
            let player = entry.player;
            text += &(gap.to_owned() + &line([player, "values", "default", "step", "meaning"]));
        }
        text += &line(row.each_ref().map(String::as_str));
    }
    text
}

/// Returns the cells of a parameter's row, the name indented below the player's.
fn cells(entry: &Entry) -> [String; 5] {
    let default = match &entry.default {
        Default::Number(number) => number.to_string(),
        Default::Word(word) => word.clone(),
    };
    let step = entry.step.map_or(String::new(), |step| step.to_string());
    let zero = entry
        .zero
        .map_or(String::new(), |zero| format!("; 0 for {zero}"));
    let name = format!("  {}", entry.name);
    let meaning = format!("{}{zero}", entry.meaning);
    [name, values(entry), default, step, meaning]
}

fn values(entry: &Entry) -> String {
    match (entry.min.zip(entry.max), entry.choices) {
        (Some((min, max)), _) => format!("{min} to {max}"),
        (None, Some(words)) => words.join(", "),
        (None, None) if entry.kind == "switch" => "on, off".to_owned(),
        (None, None) => entry.kind.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_of_every_player_is_listed_once() {
        let all = entries(None).unwrap();
        let count: usize = KINDS.iter().map(|kind| kind.parameters().len()).sum();
        assert_eq!(all.len(), count);
        let mut names: Vec<_> = all.iter().map(|e| (e.player, e.name)).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for entry in &all {
            assert_eq!(entry.kind == "integer", entry.step.is_some(), "{entry:?}");
        }
    }

    #[test]
    fn the_papers_margins_are_listed_with_the_papers_setting() {
        let basic = entries(Some("basic")).unwrap();
        for name in ["null-margin", "static-margin", "reveals"] {
            let entry = basic.iter().find(|entry| entry.name == name).unwrap();
            assert_eq!(entry.default, Default::Number(0), "{name}");
            assert_eq!(entry.purpose, "play");
        }
        assert!(table(&basic).contains("null-margin"));
        assert!(matches!(
            entries(Some("nobody")),
            Err(SpecError::UnknownPlayer { .. })
        ));
    }

    #[test]
    fn columns_stand_apart_however_long_a_name_is() {
        let all = entries(None).unwrap();
        let text = table(&all);
        let lines = text.lines().filter(|line| line.starts_with("  "));
        for (line, entry) in lines.zip(&all) {
            let meaning = line.find(entry.meaning).expect("the meaning");
            let column = text.lines().next().unwrap().find("meaning");
            assert_eq!(Some(meaning), column, "{line}");
            assert!(line.contains(&format!("  {}  ", entry.name)), "{line}");
        }
    }
}
