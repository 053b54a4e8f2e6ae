//! `tablebase stats` and `info`: statistics of a set, and the header of a file.

use std::io::Write;
use std::path::PathBuf;

use anqi_rules::Color;
use anqi_tablebase::classes::{Fit, Material};
use anqi_tablebase::file::{Metric, TableFile};
use anqi_tablebase::numbering::position_of;
use anqi_tablebase::solve::{Goal, SideTotals, Store, human_bytes, totals};
use anyhow::bail;
use serde_json::{Value, json};

/// Options of `tablebase stats`.
#[derive(clap::Args)]
pub struct Args {
    /// The material set, such as KCPgp; it is solved in memory
    set: Material,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Omit the plies to the end, which need a second pass
    #[arg(long)]
    no_dtw: bool,
}

/// Options of `tablebase info`.
#[derive(clap::Args)]
pub struct InfoArgs {
    /// The table file
    file: PathBuf,
}

/// Refuses sets that take more than a few minutes, or more memory than most machines have.
pub fn refuse_large(set: &Material) -> anyhow::Result<()> {
    if set.len() > 6 {
        bail!("{set}: sets of more than 6 pieces are not solved in memory; build their tables");
    }
    Ok(())
}

/// Prints totals.
pub fn run(args: &Args) -> anyhow::Result<()> {
    refuse_large(&args.set)?;
    let fit = Fit::of(&args.set);
    let goal = if args.no_dtw {
        Goal::Distances
    } else {
        Goal::ToEnd
    };
    let store = Store::solve_unit(fit.unit, goal)?;
    let mut sides = totals(store.get(fit.unit).expect("it was just solved").as_ref())?;
    if fit.swapped {
        sides.swap(0, 1);
    }
    // Twins are identical in the unit but not in the set.
    let apart = args.set.placements() as u64 / fit.unit.placements();
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", as_json(args, &sides, apart))?;
        return Ok(());
    }
    writeln!(out, "{} (unit {})", args.set, fit.unit)?;
    for (color, side) in Color::ALL.iter().zip(&sides) {
        let all = (side.win + side.draw + side.loss) as f64 / 100.0;
        writeln!(
            out,
            "{color:>5} to move: {:>13} won ({:.2}%), {:>13} drawn ({:.2}%), {:>13} lost ({:.2}%)",
            side.win * apart,
            side.win as f64 / all,
            side.draw * apart,
            side.draw as f64 / all,
            side.loss * apart,
            side.loss as f64 / all
        )?;
    }
    let [red, black] = &sides;
    writeln!(
        out,
        "longest: {} plies to the next capture",
        red.longest.max(black.longest)
    )?;
    if !args.no_dtw {
        writeln!(
            out,
            "longest: {} plies to the end",
            red.longest_to_end.max(black.longest_to_end)
        )?;
    }
    for limit in [40, 60, 180] {
        let wins: u64 = red.win + black.win;
        let slow: u64 = sides.iter().map(|side| side.wins_beyond(limit)).sum();
        writeln!(
            out,
            "wins more than {limit} plies from the next capture: {} ({:.3}%)",
            slow * apart,
            slow as f64 * 100.0 / wins.max(1) as f64
        )?;
    }
    Ok(())
}

fn as_json(args: &Args, sides: &[SideTotals; 2], apart: u64) -> Value {
    let side = |s: &SideTotals| json!({"win": s.win * apart, "draw": s.draw * apart, "loss": s.loss * apart});
    let [red, black] = sides;
    let ends = |value: u64| {
        if args.no_dtw {
            Value::Null
        } else {
            value.into()
        }
    };
    json!({
        "set": args.set.to_string(),
        "red_to_move": side(red),
        "black_to_move": side(black),
        "max_dtc": red.longest.max(black.longest),
        "max_dtw": ends(red.longest_to_end.max(black.longest_to_end).into()),
        "sum_dtc": (red.sum + black.sum) * apart,
        "sum_dtw": ends((red.sum_to_end + black.sum_to_end) * apart),
    })
}

/// Prints a file's header.
pub fn info(args: &InfoArgs) -> anyhow::Result<()> {
    let table = TableFile::open(&args.file)?;
    let header = &table.header;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{}: {} of {}",
        args.file.display(),
        header.metric.name(),
        header.unit
    )?;
    let bits = table.file.bytes() as f64 * 8.0 / header.values() as f64;
    writeln!(
        out,
        "{}, {} positions with either side to move, {bits:.3} bits each",
        human_bytes(table.file.bytes()),
        header.index.len()
    )?;
    let groups: Vec<String> = header
        .index
        .order()
        .iter()
        .map(|&group| {
            let node = &header.unit.graph.nodes[usize::from(group)];
            let letters = node
                .roles
                .iter()
                .map(|&role| anqi_rules::Piece::new(node.color, role).letter());
            format!("{}x{}", letters.collect::<String>(), node.count)
        })
        .collect();
    writeln!(out, "groups, outermost first: {}", groups.join(" "))?;
    for (color, counts) in Color::ALL.iter().zip(&header.counts) {
        writeln!(
            out,
            "{color:>5} to move: {} won, {} drawn, {} lost (mirrors counted)",
            counts.win, counts.draw, counts.loss
        )?;
    }
    if header.metric != Metric::Wdl && header.longest.plies == 0 {
        writeln!(out, "longest: none, every position is a draw")?;
    } else if header.metric != Metric::Wdl {
        let groups = header.index.groups(header.longest.number);
        let turn = Color::ALL[usize::from(header.longest.turn)];
        let position = position_of(&header.unit.key, &groups, turn);
        writeln!(
            out,
            "longest: {} plies, in {position}",
            header.longest.plies
        )?;
    }
    for (key, hash) in &header.children {
        let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(out, "made from {key} {hex}")?;
    }
    let hash = table.file.stored_hash()?;
    let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    writeln!(out, "hash {hex}")?;
    Ok(())
}
