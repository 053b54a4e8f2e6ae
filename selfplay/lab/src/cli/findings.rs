//! `lab findings`: statistics of all sets of each number of pieces.

use std::io::Write;
use std::path::PathBuf;

use anqi_lab::materials::chart::chart;
use anqi_lab::materials::sums::{Balance, Extreme, LIMITS, Sums};
use anyhow::Context;
use serde_json::{Value, json};

use super::counting::Counting;

/// Options of `lab findings`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    counting: Counting,
    /// Draw the wins by their distance to the next capture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints statistics of all sets of each number of pieces.
pub fn run(args: &Options) -> anyhow::Result<()> {
    let all = args.counting.sums()?;
    if let Some(place) = &args.svg {
        anqi_files::replace(place, chart(&all).as_bytes())
            .with_context(|| place.display().to_string())?;
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        let list: Vec<Value> = all.iter().map(to_json).collect();
        writeln!(out, "{}", json!({ "findings": list }))?;
        return Ok(());
    }
    all.iter().try_for_each(|sums| write(&mut out, sums))?;
    Ok(())
}

fn percent(part: u128, whole: u128) -> String {
    format!("{:.3}%", part as f64 * 100.0 / whole.max(1) as f64)
}

fn write(out: &mut impl Write, sums: &Sums) -> std::io::Result<()> {
    let Sums {
        pieces,
        wins,
        positions,
        ..
    } = sums;
    writeln!(
        out,
        "{pieces} pieces: {} sets, {positions} positions",
        sums.sets
    )?;
    let names = sums
        .longest
        .iter()
        .map(|(set, plies)| format!("{set} {plies}"));
    let names: Vec<String> = names.collect();
    writeln!(out, "  longest to the next capture: {}", names.join(", "))?;
    for (slow, limit) in sums.slow.iter().zip(LIMITS) {
        writeln!(
            out,
            "  wins more than {limit} plies from the next capture: {slow} ({})",
            percent(*slow, *wins)
        )?;
    }
    writeln!(
        out,
        "  won positions {wins}, an odd number of plies from the next capture: {}",
        percent(sums.odd(), *wins)
    )?;
    let placements = positions / 2;
    writeln!(
        out,
        "  whichever side is to move: it wins {}, a draw {}, it loses {} ({} mutual zugzwangs)",
        percent(sums.both_win, placements),
        percent(sums.both_draw, placements),
        percent(sums.both_lose, placements),
        sums.both_lose
    )?;
    for balance in &sums.balances {
        write_balance(out, balance)?;
    }
    let listed = |list: &[Extreme], digits: usize| -> String {
        let one = |extreme: &Extreme| format!("{} {:.digits$}", extreme.set, extreme.value);
        list.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    writeln!(out, "  the move is worth most: {}", listed(&sums.swings, 3))?;
    writeln!(
        out,
        "  mutual zugzwang, per cent of placements: {}",
        listed(&sums.zugzwangs, 3)
    )?;
    writeln!(
        out,
        "  wins beyond {} plies, per cent of wins: {}",
        LIMITS[1],
        listed(&sums.slowest, 2)
    )
}

fn write_balance(out: &mut impl Write, balance: &Balance) -> std::io::Result<()> {
    let shares = |[won, drawn, lost]: [f64; 3]| format!("{won:.3}/{drawn:.3}/{lost:.3}");
    writeln!(
        out,
        "  {} against {}: to move won/drawn/lost {}%, waiting {}%; drawn whichever side is to move {}",
        balance.more,
        balance.fewer,
        shares(balance.to_move.percent()),
        shares(balance.to_wait.percent()),
        percent(balance.fortresses, balance.placements)
    )?;
    if balance.more > balance.fewer {
        writeln!(
            out,
            "    sets in which the side with more pieces never wins: {} of {}",
            balance.hopeless, balance.sets
        )?;
    }
    Ok(())
}

fn to_json(sums: &Sums) -> Value {
    let extremes = |list: &[Extreme]| -> Vec<Value> {
        let one = |extreme: &Extreme| json!({"set": extreme.set, "value": extreme.value});
        list.iter().map(one).collect()
    };
    let balances = sums.balances.iter().map(|balance| {
        json!({
            "more": balance.more,
            "fewer": balance.fewer,
            "to_move": balance.to_move.percent(),
            "to_wait": balance.to_wait.percent(),
            "fortresses": balance.fortresses.to_string(),
            "placements": balance.placements.to_string(),
            "sets": balance.sets,
            "never_wins": balance.hopeless,
        })
    });
    let text =
        |numbers: &[u128]| -> Vec<String> { numbers.iter().map(ToString::to_string).collect() };
    json!({
        "pieces": sums.pieces,
        "sets": sums.sets,
        "positions": sums.positions.to_string(),
        "wins": sums.wins.to_string(),
        "limits": LIMITS,
        "wins_beyond": text(&sums.slow),
        "wins_at": text(&sums.wins_at),
        "both_win": sums.both_win.to_string(),
        "both_draw": sums.both_draw.to_string(),
        "both_lose": sums.both_lose.to_string(),
        "longest": sums.longest,
        "balances": balances.collect::<Vec<_>>(),
        "swings": extremes(&sums.swings),
        "zugzwangs": extremes(&sums.zugzwangs),
        "slowest": extremes(&sums.slowest),
    })
}
