//! `tablebase probe` and `tablebase line`: one position.

use std::io::Write;

use anqi_rules::{Color, Position};
use anqi_tablebase::classes::Fit;
use anqi_tablebase::probe::{TableValue, Tables, material_of, rated_actions};
use anqi_tablebase::solve::Wdl;
use anyhow::{Context, anyhow, bail};
use serde_json::json;

use crate::options::TableOptions;

/// Options of `tablebase probe`.
#[derive(clap::Args)]
pub struct Args {
    /// The position, in quotes: "4/4/4/4/4/4/1k2/K1g1 r - 0 0"
    position: String,
    #[command(flatten)]
    tables: TableOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Options of `tablebase line`.
#[derive(clap::Args)]
pub struct LineArgs {
    /// The position, in quotes: "4/4/4/4/4/4/1k2/K1g1 r - 0 0"
    position: String,
    #[command(flatten)]
    tables: TableOptions,
}

fn read(text: &str) -> anyhow::Result<Position> {
    text.trim()
        .parse()
        .with_context(|| format!("'{text}' is not a position"))
}

/// Opens the tables that a position needs; without a directory its unit is solved on the spot.
fn open(options: &TableOptions, position: &Position) -> anyhow::Result<Tables> {
    let Some(set) = material_of(position) else {
        bail!("tables know positions without face-down pieces only");
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

fn look_up(tables: &Tables, position: &Position) -> anyhow::Result<TableValue> {
    tables.look_up(position)?.ok_or_else(|| {
        let set = material_of(position).unwrap_or_default();
        anyhow!("no table for {set}; build it or give its directory with --dir")
    })
}

fn word(wdl: Wdl) -> &'static str {
    match wdl {
        Wdl::Win => "win",
        Wdl::Draw => "draw",
        Wdl::Loss => "loss",
    }
}

/// Prints a position's value and its moves.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let position = read(&args.position)?;
    let tables = open(&args.tables, &position)?;
    let known = look_up(&tables, &position)?;
    let rated = rated_actions(&tables, &position).ok_or_else(|| {
        anyhow!(
            tables
                .trouble()
                .unwrap_or("a table of a smaller set is missing")
                .to_owned()
        )
    })?;
    let end = tables.plies_to_end(&position)?;
    let mut out = std::io::stdout().lock();
    if args.json {
        let actions: Vec<_> = rated
            .iter()
            .map(|r| json!({"action": r.action.to_string(), "wdl": word(r.wdl), "dtc": r.dtc}))
            .collect();
        let answer = json!({
            "position": position.to_string(), "wdl": word(known.wdl), "dtc": known.dtc, "dtw": end,
            "actions": actions,
        });
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
            plies(rating.dtc)
        )?;
    }
    if rated.is_empty() {
        writeln!(out, "  the game is over")?;
    }
    Ok(())
}

fn plies(distance: Option<u16>) -> String {
    distance.map_or_else(String::new, |d| {
        format!(", next capture or end in {d} plies")
    })
}

/// Prints a line of best play.
pub fn line(args: &LineArgs) -> anyhow::Result<()> {
    let position = read(&args.position)?;
    let tables = open(&args.tables, &position)?;
    look_up(&tables, &position)?;
    show_line(&tables, position)
}

/// Plays both sides by the tables until the game is over or drawn.
pub fn show_line(tables: &Tables, start: Position) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let mut position = start;
    writeln!(out, "{position}")?;
    for ply in 1.. {
        let known = look_up(tables, &position)?;
        let rated = rated_actions(tables, &position).ok_or_else(|| {
            anyhow!(
                tables
                    .trouble()
                    .unwrap_or("a table of a smaller set is missing")
                    .to_owned()
            )
        })?;
        let Some(best) = rated.first() else {
            let end = if known.wdl == Wdl::Win { "won" } else { "lost" };
            writeln!(out, "{ply:>4}. over: the side to move has {end}")?;
            return Ok(());
        };
        if known.wdl == Wdl::Draw {
            writeln!(out, "{ply:>4}. draw")?;
            return Ok(());
        }
        let undo = position.step_unchecked(best.action);
        let taken = undo
            .captured()
            .map_or_else(String::new, |piece| format!(" takes {piece}"));
        writeln!(
            out,
            "{ply:>4}. {}{taken} ({}{})",
            best.action,
            word(best.wdl),
            plies(best.dtc)
        )?;
        if let Some(loser) = position.annihilated() {
            writeln!(out, "      over: {loser} has no pieces")?;
            return Ok(());
        }
    }
    Ok(())
}
