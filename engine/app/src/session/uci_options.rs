//! How the options are declared to a graphical board that speaks UCI.

use super::option_error::NAMES;
use super::options::MOST_CONTEMPT;
use anqi_play::Level;
use anqi_protocol::CommandError;
use anqi_rules::Rules;
use anqi_rules::notation::excerpt;
use anqi_search::players::{self, MOST_HASH_MEBIBYTES, MOST_THREADS};

/// The name of the option that says how many best actions to report.
pub(super) const MULTIPV: &str = "multipv";
/// The largest number of best actions to report.
pub(super) const MOST_MULTIPV: u32 = 256;
/// Megabytes of the champion's transposition table, unless an option sets it.
const DEFAULT_HASH: u32 = 64;

/// Returns the lines that list the options.
pub(super) fn introduction() -> String {
    let mut text = String::new();
    for name in NAMES {
        // Names are the same in any case; boards show them with a capital.
        let (first, rest) = name.split_at(1);
        let (capital, kind) = (first.to_ascii_uppercase(), kind(name));
        text.push_str(&format!("option name {capital}{rest} type {kind}\n"));
    }
    text + &format!("option name MultiPV type spin default 1 min 1 max {MOST_MULTIPV}\n")
}

/// Returns the type, default and range of an option in UCI.
fn kind(name: &str) -> String {
    match name {
        "player" => format!("string default {}", players::DEFAULT),
        "level" => format!("spin default {top} min 1 max {top}", top = Level::TOP),
        "contempt" => format!("spin default 0 min -{MOST_CONTEMPT} max {MOST_CONTEMPT}"),
        "threads" => format!("spin default 1 min 1 max {MOST_THREADS}"),
        "hash" => format!("spin default {DEFAULT_HASH} min 1 max {MOST_HASH_MEBIBYTES}"),
        "tables" => "string default <empty>".to_owned(),
        "seed" => "string default 0".to_owned(),
        "rules" => {
            let names: Vec<String> = Rules::PRESETS
                .iter()
                .map(|(name, _)| format!(" var {name}"))
                .collect();
            let default = Rules::default().name().unwrap_or_default();
            format!("combo default {default}{}", names.concat())
        }
        "info" => "combo default on var on var off".to_owned(),
        _ => "string".to_owned(),
    }
}

/// Reads the value of MultiPV.
///
/// # Errors
///
/// Fails unless the value is a number in the range.
pub(super) fn read_multipv(value: &str) -> Result<u32, CommandError> {
    let number = value.parse().ok();
    let lines = number.filter(|lines| (1..=MOST_MULTIPV).contains(lines));
    lines.ok_or_else(|| CommandError::Argument {
        token: excerpt(value),
        expected: "a number of lines (expected 1-256)",
    })
}
