//! `tablebase probe`: one position.

use std::io::{self, Write};
use std::path::PathBuf;

use anqi_rules::{Color, Position, Rules};
use anqi_tablebase::classes::Fit;
use anqi_tablebase::facedown::{Endings, MOST_PIECES, Report, unlimited};
use anqi_tablebase::probe::{HiddenLibrary, Rated, TableValue, Tables, material_of, rated_actions};
use anyhow::{Context, anyhow, bail};
use serde_json::json;

use crate::options::TableOptions;
use crate::words::word;

/// Bytes for cached phases while a position is solved.
const CACHE_BYTES: usize = 256 << 20;

/// The most pieces that are solved a second time, for unlimited play; more would take a second.
const MOST_SOLVED_TWICE: u32 = 4;

/// Options of `tablebase probe`.
#[derive(clap::Args)]
pub struct Args {
    /// The position, in quotes: "4/4/4/4/4/4/1k2/K1g1 r - 0 0", or with face-down pieces (five
    /// pieces in all at most): "4/3?/2?G/4/4/?3/4/4 b Ckc 0 40"
    position: String,
    #[command(flatten)]
    tables: TableOptions,
    /// Take the value from this file of `distil` alone, which has no distances
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dir", "rules"])]
    distilled: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Reads a position, by the convention of the rules.
pub fn read(text: &str, rules: &Rules) -> anyhow::Result<Position> {
    let position: Position = text
        .trim()
        .parse()
        .with_context(|| format!("'{text}' is not a position"))?;
    Ok(position.under(rules.convention))
}

/// Opens the tables that a position needs; without a directory its unit is solved on the spot.
pub fn open(options: &TableOptions, position: &Position) -> anyhow::Result<Tables> {
    let Some(set) = material_of(position) else {
        bail!("a line of best play needs a position without face-down pieces");
    };
    let over = Color::ALL.iter().any(|&color| set.side(color) == 0);
    if over || options.dir.is_some() {
        return options.open();
    }
    if set.len() > 6 {
        bail!("{set}: positions of more than 6 pieces need table files (--dir)");
    }
    Ok(Tables::of_unit(
        Fit::of(&set).unit,
        options.rules,
        set.len() < 6,
    )?)
}

/// Looks a position up; what is missing is named, with advice.
pub fn look_up(tables: &Tables, position: &Position) -> anyhow::Result<TableValue> {
    tables.look_up(position)?.ok_or_else(|| {
        let set = material_of(position).unwrap_or_default().to_string();
        let advice = "build it or give its directory with --dir";
        anyhow!(tables.why_absent(position, &set, advice))
    })
}

/// Prints the value of a position with face-down pieces.
fn with_face_down(position: &Position, args: &Args) -> anyhow::Result<()> {
    let endings = Endings::new(MOST_PIECES, CACHE_BYTES);
    let endings = match &args.tables.dir {
        None => endings,
        Some(dir) => HiddenLibrary::behind(dir, endings)
            .with_context(|| format!("--dir {}", dir.display()))?,
    };
    let report = Report::of(&endings, position)?;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", report.to_json(&args.tables.rules))?;
    } else {
        report.write(&args.tables.rules, &mut out)?;
    }
    Ok(())
}

/// Prints a position's value and its moves.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let position = read(&args.position, &args.tables.rules)?;
    if let Some(file) = &args.distilled {
        return crate::distil::probe(file, &position, args.json);
    }
    if !position.face_down().is_empty() {
        return with_face_down(&position, args);
    }
    let tables = open(&args.tables, &position)?;
    let known = look_up(&tables, &position)?;
    let rated = rated_actions(&tables, &position)
        .ok_or_else(|| anyhow!(tables.why_unknown().to_owned()))?;
    let end = tables.plies_to_end(&position)?;
    let mut out = io::stdout().lock();
    if args.json {
        let answer = json(&position, (known, end), &rated, &tables);
        writeln!(out, "{answer}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{} for the side to move{}",
        word(known.wdl),
        plies(known.dtc)
    )?;
    if let Some(end) = end {
        writeln!(
            out,
            "end of the game in {end} plies if both sides aim at that"
        )?;
    }
    for rating in &rated {
        writeln!(
            out,
            "  {} {}{}",
            rating.action,
            word(rating.wdl),
            distances(rating)
        )?;
    }
    if rated.is_empty() {
        writeln!(out, "  the game is over")?;
    }
    Ok(())
}

/// The answer as one JSON object.
fn json(
    position: &Position,
    (known, end): (TableValue, Option<u16>),
    rated: &[Rated],
    tables: &Tables,
) -> serde_json::Value {
    let rules = tables.rules();
    let endings = Endings::new(MOST_SOLVED_TWICE, CACHE_BYTES);
    let expected = |position: &Position, wdl| unlimited(&endings, position, (wdl, rules));
    let action = |rated: &Rated| {
        let mut next = *position;
        let _ = next.step_unchecked(rated.action);
        let expected = expected(&next, rated.wdl.reversed()).map(|value| (-value).to_string());
        json!({
            "action": rated.action.to_string(),
            "wdl": word(rated.wdl),
            "dtc": rated.dtc,
            "plies_to_end": tables.certain_end(&next, rated.wdl).map(|plies| plies + 1),
            "expected": expected,
        })
    };
    json!({
        "position": position.to_string(),
        "wdl": word(known.wdl),
        "dtc": known.dtc,
        "dtw": end,
        "plies_to_end": tables.certain_end(position, known.wdl),
        "expected": expected(position, known.wdl).map(|value| value.to_string()),
        "actions": rated.iter().map(action).collect::<Vec<_>>(),
    })
}

/// The words for a distance.
pub fn plies(distance: Option<u16>) -> String {
    distance.map_or_else(String::new, |d| {
        format!(", next capture or end in {d} plies")
    })
}

/// The plies to the next capture, and those to the end where they decide which action is best.
pub fn distances(rated: &Rated) -> String {
    let end = rated.certain_end();
    let end = end.map_or_else(String::new, |d| format!(", end in {d} plies"));
    plies(rated.dtc) + &end
}
