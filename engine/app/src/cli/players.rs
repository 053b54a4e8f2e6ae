//! `anqi players`: the built-in players.

use crate::terminal::text::wrap;
use crate::terminal::tty;
use anqi_play::Level;
use anqi_search::parameters::Description;
use anqi_search::players::{DEFAULT, KINDS};
use clap::Parser;
use std::io::{self, Write};

/// Columns for the name of a player.
const NAME_COLUMNS: usize = 12;
/// Most columns of the list.
const MOST_COLUMNS: usize = 79;

/// List the built-in players, their settings, and the levels of the champion.
///
/// Settings follow the name after a colon, as in `basic:policy=compare,depth=4`.
#[derive(Parser, Debug)]
pub struct Args {}

impl Args {
    /// Prints the list.
    pub fn run(self) -> anyhow::Result<()> {
        let mut output = io::stdout().lock();
        let columns = tty::columns().map_or(MOST_COLUMNS, |c| c.min(MOST_COLUMNS));
        let indent = " ".repeat(NAME_COLUMNS);
        for kind in KINDS {
            let about = wrap(kind.about.split(' '), &indent, columns);
            writeln!(output, "{:<NAME_COLUMNS$}{}", kind.name, about.trim_start())?;
            for parameter in kind.parameters() {
                let line = described(&parameter);
                let line = wrap(line.split(' '), &format!("{indent}    "), columns);
                writeln!(output, "{indent}{}", line.trim_start())?;
            }
        }
        // A number and its name stay on one line.
        let mut levels: Vec<String> = vec![format!("Levels of {DEFAULT}:")];
        levels.extend(Level::all().map(|level| format!("{level} {},", level.name())));
        let levels = wrap(levels.iter().map(String::as_str), "", columns);
        writeln!(output, "\n{}.", levels.trim_end_matches(','))?;
        let opponent = Level::DEFAULT;
        writeln!(
            output,
            "The default is {DEFAULT}, for anqi play level {opponent} of it."
        )?;
        Ok(())
    }
}

/// A setting with its default, its meaning and its values.
fn described(parameter: &Description) -> String {
    let Description {
        name,
        meaning,
        kind,
        default,
        ..
    } = parameter;
    format!("{name}={default}: {meaning} ({})", kind.expected())
}
