//! `lab savings`: the champion's nodes against those of plain expectimax at equal depth and equal value.
//!
//! Exits with 0 if every value is the same and the saving reaches `--least`, 1 if not, 2 if the command line is
//! wrong. With `--nodes` instead of a time the same command gives the same figures.

use std::io::{self, Write};

use anqi_lab::savings::{
    AS_PLAYED, ComparedPosition, EXACT, PLAIN, TECHNIQUES, compare, mean_saving, mean_time_saving,
    middle_games,
};
use anqi_search::players::by_spec;
use clap::Args;
use serde_json::{Value, json};

use super::budget::Budget;

/// Options of `lab savings`.
#[derive(Args, Debug)]
pub struct Options {
    /// How many middle-game positions
    #[arg(long, default_value_t = 50)]
    positions: usize,

    /// Decides which positions
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    budget: Budget<1000>,

    /// The least saving of the whole exact search that is enough
    #[arg(long, value_name = "TIMES", default_value_t = 0.0)]
    least: f64,

    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// Measures, prints, and returns whether all values that must be equal are and the saving is enough.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    let specs = specs();
    let mut plain = by_spec(PLAIN)?;
    let mut others = specs
        .iter()
        .map(|(spec, _)| by_spec(spec))
        .collect::<Result<Vec<_>, _>>()?;
    let positions = middle_games(options.positions, options.seed)?;
    let compared: Vec<ComparedPosition> = positions
        .iter()
        .filter_map(|position| {
            compare(
                plain.as_mut(),
                &mut others,
                position,
                options.budget.limits(),
            )
        })
        .collect();
    let wrong = wrong(&specs, &compared);
    let text = if options.json {
        as_json(options, &specs, &compared, &wrong).to_string()
    } else {
        as_text(&specs, &compared, &wrong)
    };
    writeln!(io::stdout(), "{text}")?;
    let enough = mean_saving(&compared, 0) >= options.least;
    Ok(wrong.is_empty() && compared.len() == positions.len() && enough)
}

/// The specs to compare with the plain search, and whether their values must be the same.
fn specs() -> Vec<(String, bool)> {
    let without = TECHNIQUES.map(|off| (format!("{EXACT},{off}"), true));
    let mut specs = vec![(EXACT.to_owned(), true)];
    specs.extend(without);
    specs.push((AS_PLAYED.to_owned(), false));
    specs
}

/// One line for each value that differs from the plain one.
fn wrong(specs: &[(String, bool)], compared: &[ComparedPosition]) -> Vec<String> {
    let mut lines = Vec::new();
    for one in compared {
        for ((spec, exact), other) in specs.iter().zip(&one.others) {
            if *exact && other.score != one.plain.score {
                lines.push(format!(
                    "{spec} at depth {}: {} instead of {}: {}",
                    one.plain.depth, other.score, one.plain.score, one.position
                ));
            }
        }
    }
    lines
}

/// Means over all positions.
struct Summary {
    depth: f64,
    plain_nodes: f64,
}

fn summary(compared: &[ComparedPosition]) -> Summary {
    let count = compared.len().max(1) as f64;
    let depths: u32 = compared.iter().map(|one| one.plain.depth).sum();
    let nodes: u64 = compared.iter().map(|one| one.plain.nodes).sum();
    Summary {
        depth: f64::from(depths) / count,
        plain_nodes: nodes as f64 / count,
    }
}

fn as_text(specs: &[(String, bool)], compared: &[ComparedPosition], wrong: &[String]) -> String {
    let Summary { depth, plain_nodes } = summary(compared);
    let mut lines = vec![
        format!(
            "{} positions, {PLAIN} to depth {depth:.1} with {plain_nodes:.0} nodes on average",
            compared.len()
        ),
        "geometric means of what plain expectimax takes divided by what others take:".to_owned(),
        " nodes    time".to_owned(),
    ];
    for (index, (spec, exact)) in specs.iter().enumerate() {
        let note = if *exact { "" } else { " (other values)" };
        let saving = mean_saving(compared, index);
        let faster = mean_time_saving(compared, index);
        lines.push(format!("{saving:6.1}  {faster:6.1}  {spec}{note}"));
    }
    lines.push(format!("{} values differ", wrong.len()));
    lines.extend_from_slice(wrong);
    lines.join("\n")
}

fn as_json(
    options: &Options,
    specs: &[(String, bool)],
    compared: &[ComparedPosition],
    wrong: &[String],
) -> Value {
    let Summary { depth, plain_nodes } = summary(compared);
    let savings: Vec<Value> = specs
        .iter()
        .enumerate()
        .map(|(index, (spec, exact))| {
            json!({
                "player": spec,
                "exact": exact,
                "saving": mean_saving(compared, index),
                "time_saving": mean_time_saving(compared, index),
            })
        })
        .collect();
    let positions: Vec<Value> = compared
        .iter()
        .map(|one| {
            json!({
                "position": one.position.to_string(),
                "depth": one.plain.depth,
                "score": one.plain.score.to_string(),
                "plain_nodes": one.plain.nodes,
                "nodes": one.others.iter().map(|other| other.nodes).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "plain": PLAIN,
        "seed": options.seed,
        "move_ms": options.budget.move_ms(),
        "nodes": options.budget.nodes,
        "mean_depth": depth,
        "mean_plain_nodes": plain_nodes,
        "savings": savings,
        "differing": wrong,
        "positions": positions,
    })
}
