//! `anqi probe`: a position in the endgame tables.

use super::error::UsageError;
use super::tables::Opened;
use anqi_rules::{Action, Color, Game, Position, Rules};
use anqi_tablebase::Tables;
use anqi_tablebase::Wdl;
use anqi_tablebase::classes::Fit;
use anqi_tablebase::facedown::{Endings, MOST_PIECES, Report, unlimited};
use anqi_tablebase::probe::HiddenLibrary;
use anqi_tablebase::{Rated, TableValue, material_of, rated_actions};
use anyhow::{anyhow, bail};
use clap::Parser;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;

/// The most pieces of a position that is solved on the spot.
const MOST_PIECES_ON_THE_SPOT: usize = 6;

/// Bytes for cached phases while a position is solved.
const CACHE_BYTES: usize = 256 << 20;

/// The most pieces that are solved a second time, for unlimited play; more would take a second.
const MOST_SOLVED_TWICE: u32 = 4;

const EXAMPLES: &str = "\
Examples:
  anqi probe 'K3/4/4/4/4/4/4/3g r - 0 0'
  anqi probe --rules none '3k/4/4/4/4/4/G3/C1c1 b - 0 0'
  anqi --tables DIR probe --json '4/4/m3/K1g1/4/1M2/4/3p b - 0 0'
  anqi probe '4/3?/2?G/4/4/?3/4/4 b Ckc 0 40'

One JSON object (--json):
  position   the position
  wdl        \"win\", \"draw\" or \"loss\" for the side to move
  dtc        plies to the next capture or the end, null for draws
  dtw        plies to the end if both sides aim at that, in unlimited play, null where not known
  plies_to_end  the same, where no limit of the rules can come before it
  expected   the result in unlimited play, such as \"-1\"; null where only that under the rules is known
  actions    the best first: [{action, wdl, dtc, plies_to_end, expected}]

With face-down pieces (--json):
  position   the position
  expected   the expected result for the side to move in unlimited play, such as \"2/3\"
  plies      plies to the capture or flip that the better side forces, null where neither is better
  longest    the longest such wait from here to the end of the game
  exact      whether the rules' quiet limit leaves all that as it is
  actions    the best first: [{action, expected, plies, outcomes: [{piece, chance, expected}]}]
";

/// Look up an endgame: who wins, how soon, and the value of each move.
///
/// The value is for the side to move under the rules, with the quiet counter of the
/// position. Without `--tables DIR` up to five pieces are solved on the spot, in seconds;
/// six take minutes and gigabytes.
///
/// With face-down pieces, up to five in all, the answer is the exact expectation in
/// unlimited play, every arrangement of the bag equally likely.
#[derive(Parser, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A position string, optionally followed by `moves` and plies
    #[arg(num_args = 1.., required = true, value_name = "POSITION")]
    position: Vec<String>,

    /// When a game is drawn: olympiad, platform, paper, openspiel, mistboard, course, or none
    #[arg(long, value_name = "PRESET", default_value = "olympiad", value_parser = rules)]
    rules: Rules,

    /// Print one JSON object instead; its fields are listed below
    #[arg(long)]
    json: bool,
}

/// The table entry of a position.
struct Answer {
    position: Position,
    known: TableValue,
    /// Plies to the end in unlimited play.
    end: Option<u16>,
    /// The same, if no limit can come before it.
    certain_end: Option<u16>,
    /// Every action, with its own plies to the end.
    actions: Vec<(Rated, Option<u16>)>,
}

impl Args {
    /// Looks the position up and prints the answer.
    pub fn run(self, folder: Option<&Path>) -> anyhow::Result<()> {
        let text = self.position.join(" ");
        let game = Game::from_text(&text, self.rules).map_err(|e| UsageError(e.to_string()))?;
        let position = game.position();
        if !position.face_down().is_empty() {
            return self.with_face_down(folder, position);
        }
        let tables = open(folder, position, self.rules)?;
        let answer = Answer::of(&tables.tables, position);
        tables.report_damage();
        let mut output = io::stdout().lock();
        if self.json {
            writeln!(output, "{}", answer?.to_json(&self.rules))?;
        } else {
            answer?.write(&mut output)?;
        }
        Ok(())
    }

    /// Prints the value of a position with face-down pieces.
    fn with_face_down(&self, folder: Option<&Path>, position: &Position) -> anyhow::Result<()> {
        let endings = Endings::new(MOST_PIECES, CACHE_BYTES);
        let endings = match folder {
            None => endings,
            Some(folder) => HiddenLibrary::behind(folder, endings)
                .map_err(|error| UsageError(format!("--tables: {error}")))?,
        };
        let report = Report::of(&endings, position)
            .map_err(|refused| anyhow!("no table has this position: {refused}"))?;
        let mut output = io::stdout().lock();
        if self.json {
            writeln!(output, "{}", report.to_json(&self.rules))?;
        } else {
            report.write(&self.rules, &mut output)?;
        }
        Ok(())
    }
}

/// Opens the tables that a position needs; without a folder they are solved on the spot.
fn open(folder: Option<&Path>, position: &Position, rules: Rules) -> anyhow::Result<Opened> {
    let Some(set) = material_of(position) else {
        bail!("no table has this position: a piece is face down");
    };
    let over = Color::ALL.iter().any(|&color| set.side(color) == 0);
    if over || folder.is_some() {
        return Opened::new(folder, rules);
    }
    if set.len() > MOST_PIECES_ON_THE_SPOT {
        bail!(
            "{set}: positions of more than {MOST_PIECES_ON_THE_SPOT} pieces need table files \
             (--tables DIR)"
        );
    }
    let unit = Fit::of(&set).unit;
    let tables = Tables::of_unit(unit, rules, set.len() < MOST_PIECES_ON_THE_SPOT)?;
    Ok(Opened { tables })
}

impl Answer {
    fn of(tables: &Tables, position: &Position) -> anyhow::Result<Answer> {
        let known = tables.look_up(position)?.ok_or_else(|| {
            let set = material_of(position).unwrap_or_default().to_string();
            let advice = "build it, or give its folder with --tables";
            anyhow!(tables.why_absent(position, &set, advice))
        })?;
        let rated = rated_actions(tables, position)
            .ok_or_else(|| anyhow!(tables.why_unknown().to_owned()))?;
        let end = tables.plies_to_end(position)?;
        let actions = rated.into_iter().map(|rated| {
            let end = tables.certain_end(&after(position, rated.action), rated.wdl);
            (rated, end.map(|plies| plies + 1))
        });
        Ok(Answer {
            position: *position,
            known,
            end,
            certain_end: tables.certain_end(position, known.wdl),
            actions: actions.collect(),
        })
    }

    fn to_json(&self, rules: &Rules) -> Value {
        let endings = Endings::new(MOST_SOLVED_TWICE, CACHE_BYTES);
        let expected = |position: &Position, wdl| unlimited(&endings, position, (wdl, rules));
        let rated = |(rated, end): &(Rated, Option<u16>)| {
            let next = after(&self.position, rated.action);
            let expected = expected(&next, rated.wdl.reversed());
            json!({
                "action": rated.action.to_string(),
                "wdl": word(rated.wdl),
                "dtc": rated.dtc,
                "plies_to_end": end,
                "expected": expected.map(|value| (-value).to_string()),
            })
        };
        json!({
            "position": self.position.to_string(),
            "wdl": word(self.known.wdl),
            "dtc": self.known.dtc,
            "dtw": self.end,
            "plies_to_end": self.certain_end,
            "expected": expected(&self.position, self.known.wdl).map(|value| value.to_string()),
            "actions": self.actions.iter().map(rated).collect::<Vec<Value>>(),
        })
    }

    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let verdict = word(self.known.wdl);
        let distance = distance(self.known.dtc);
        writeln!(output, "{verdict} for the side to move{distance}")?;
        if let Some(plies) = self.end {
            writeln!(
                output,
                "end of the game in {plies} plies if both sides aim at that"
            )?;
        }
        for (rated, _) in &self.actions {
            let (distance, end) = (self::distance(rated.dtc), end_in(rated));
            writeln!(
                output,
                "  {} {}{distance}{end}",
                rated.action,
                word(rated.wdl)
            )?;
        }
        if self.actions.is_empty() {
            writeln!(output, "  the game is over")?;
        }
        Ok(())
    }
}

/// Returns the position after an action.
fn after(position: &Position, action: Action) -> Position {
    let mut next = *position;
    let _ = next.step_unchecked(action);
    next
}

/// The plies to the end, where they decide which action is best.
fn end_in(rated: &Rated) -> String {
    let end = rated.certain_end();
    end.map_or_else(String::new, |plies| format!(", end in {plies} plies"))
}

fn word(wdl: Wdl) -> &'static str {
    match wdl {
        Wdl::Win => "win",
        Wdl::Draw => "draw",
        Wdl::Loss => "loss",
    }
}

fn distance(plies: Option<u16>) -> String {
    plies.map_or_else(String::new, |plies| {
        format!(", next capture or end in {plies} plies")
    })
}

/// Reads a preset, or `none` for no limit at all.
fn rules(name: &str) -> Result<Rules, String> {
    match name {
        "none" => Ok(Rules::UNLIMITED),
        _ => super::play::rules(name).map_err(|expected| format!("{expected}, none")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_limit_is_a_choice_beside_the_presets() {
        let unlimited = rules("none").unwrap();
        assert_eq!(unlimited.quiet_limit, None);
        assert_eq!(
            rules("platform").unwrap().quiet_limit,
            std::num::NonZeroU32::new(60)
        );
        let error = rules("chess").unwrap_err();
        assert!(
            error.contains("olympiad") && error.ends_with(", none"),
            "{error}"
        );
    }
}
