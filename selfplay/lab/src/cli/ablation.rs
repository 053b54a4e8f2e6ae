//! `lab ablation`: what each technique of the champion saves.

use anqi_lab::ablation::{self, Comparison, End, PositionResult};
use anqi_search::players::DEFAULT;
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Columns for the difference.
const WHAT_COLUMNS: usize = 20;
/// Columns for the setting.
const SETTING_COLUMNS: usize = 16;

/// Options of `lab ablation`.
#[derive(Args, Debug)]
pub struct Options {
    /// How many plies deep
    #[arg(long, value_name = "PLIES", default_value_t = 7,
          value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,

    /// Give up on a position after this many times the nodes of the whole champion
    #[arg(long, value_name = "TIMES", default_value_t = 20,
          value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    patience: u64,

    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// Measures the variants; prints each row as soon as it is known, JSON at the end.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let Options {
        depth,
        patience,
        json: as_json,
    } = *options;
    let mut output = io::stdout().lock();
    if as_json {
        let mut rows = Vec::new();
        ablation::run::<anyhow::Error>(depth, patience, |row| {
            rows.push(comparison_json(row));
            Ok(())
        })?;
        let whole = json!({
            "player": DEFAULT, "depth": depth, "patience": patience, "rows": rows,
        });
        writeln!(output, "{whole}")?;
        return Ok(());
    }
    write_head(depth, &mut output)?;
    ablation::run::<anyhow::Error>(depth, patience, |row| {
        writeln!(output, "{}", line(row))?;
        Ok(output.flush()?)
    })?;
    Ok(write_legend(patience, &mut output)?)
}

fn write_head(depth: u32, output: &mut impl Write) -> io::Result<()> {
    writeln!(
        output,
        "{DEFAULT} to depth {depth}, one thing different a line"
    )?;
    writeln!(output)?;
    let (what, setting) = ("", "");
    writeln!(
        output,
        "{what:<WHAT_COLUMNS$} {setting:<SETTING_COLUMNS$} {:>12} {:>7} {:>7} {:>10} {:>7} {:>7} {:>6}",
        "nodes", "of sum", "of each", "seconds", "of sum", "of each", "same"
    )
}

fn line(row: &Comparison) -> String {
    let bound = if row.gave_up > 0 { ">" } else { "" };
    let nodes = format!("{bound}{}", row.nodes.total);
    let seconds = format!("{bound}{:.3}", row.time.total.as_secs_f64());
    let times = |ratio: f64| format!("{bound}{}", short(ratio));
    let same = format!("{}/{}", row.same_action, row.results.len());
    format!(
        "{:<WHAT_COLUMNS$} {:<SETTING_COLUMNS$} {nodes:>12} {:>7} {:>7} {seconds:>10} {:>7} {:>7} {same:>6}",
        row.variant.what,
        row.variant.setting,
        times(row.nodes.of_sum),
        times(row.nodes.of_each),
        times(row.time.of_sum),
        times(row.time.of_each),
    )
}

/// Writes three digits or a few more: 0.93, 12.5, 340.
fn short(ratio: f64) -> String {
    match ratio {
        ratio if ratio < 9.995 => format!("{ratio:.2}"),
        ratio if ratio < 99.95 => format!("{ratio:.1}"),
        ratio => format!("{ratio:.0}"),
    }
}

fn write_legend(patience: u64, output: &mut impl Write) -> io::Result<()> {
    writeln!(
        output,
        "
of sum    as a multiple of the first line's total
of each   geometric mean of the positions' multiples
same      positions with the action of the first line
>         at least: a position was given up after {patience} times the nodes of the first line

The nodes of one thread are the same every time; seconds are the clock's."
    )
}

fn comparison_json(row: &Comparison) -> Value {
    let results: Vec<Value> = row.results.iter().enumerate().map(result_json).collect();
    json!({
        "what": row.variant.what,
        "setting": row.variant.setting,
        "nodes": row.nodes.total,
        "nodes_of_sum": row.nodes.of_sum,
        "nodes_of_each": row.nodes.of_each,
        "seconds": row.time.total.as_secs_f64(),
        "seconds_of_sum": row.time.of_sum,
        "seconds_of_each": row.time.of_each,
        "same_action": row.same_action,
        "gave_up": row.gave_up,
        "positions": results,
    })
}

fn result_json((index, look): (usize, &PositionResult)) -> Value {
    json!({
        "position": index + 1,
        "action": look.action.to_string(),
        "nodes": look.nodes,
        "seconds": look.time.as_secs_f64(),
        "gave_up": look.end == End::GaveUp,
    })
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn ratios_keep_three_digits() {
        let cases = [
            (0.0, "0.00"),
            (1.0, "1.00"),
            (9.999, "10.0"),
            (12.34, "12.3"),
            (99.96, "100"),
            (12_345.6, "12346"),
        ];
        for (ratio, text) in cases {
            assert_eq!(short(ratio), text);
        }
    }
}
