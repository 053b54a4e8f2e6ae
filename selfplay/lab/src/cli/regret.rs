//! `lab regret`: how much value the choices of players give away, judged by the champion with far more nodes.
//!
//! Exits with 0 if it could measure, 2 if not. The same command gives the same figures.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anqi_lab::regret::{CHAMPION, Chosen, Judge, Judged, chosen, difference, mean_of};
use anqi_search::players::by_spec;
use anyhow::{Context, ensure};
use clap::Args;
use serde_json::{Value, json};

/// The largest file of judged positions that is read.
const MOST_BYTES: u64 = 1 << 30;

/// Options of `lab regret`.
#[derive(Args, Debug)]
pub struct Options {
    /// The players, the first of which the others are compared with
    #[arg(required = true, value_name = "PLAYER")]
    players: Vec<String>,

    /// Nodes of each choice
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,

    /// How many positions to judge
    #[arg(long, default_value_t = 200)]
    positions: usize,

    /// Who judges them
    #[arg(long, value_name = "PLAYER", default_value = CHAMPION)]
    judge: String,

    /// Nodes with which the judge searches each
    #[arg(long, value_name = "NODES", default_value_t = 1_000_000)]
    judge_nodes: u64,

    /// Decides which positions
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Read judged positions from this file; if it does not exist, judge and write it
    #[arg(long, value_name = "FILE")]
    judged: Option<PathBuf>,

    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let mut players = options
        .players
        .iter()
        .map(|spec| by_spec(spec))
        .collect::<Result<Vec<_>, _>>()?;
    let judged = positions(options)?;
    let chosen: Vec<Chosen> = players
        .iter_mut()
        .map(|player| chosen(player.as_mut(), &judged, options.nodes))
        .collect();
    let text = if options.json {
        as_json(options, &chosen).to_string()
    } else {
        as_text(options, &chosen)
    };
    writeln!(io::stdout(), "{text}")?;
    Ok(())
}

/// Reads the judged positions, or judges them and keeps them if there is a file for them.
fn positions(options: &Options) -> anyhow::Result<Vec<Judged>> {
    let Some(file) = &options.judged else {
        return judge(options);
    };
    if file.exists() {
        return read(file);
    }
    let judged = judge(options)?;
    let lines: Vec<String> = judged.iter().map(|one| format!("{one}\n")).collect();
    anqi_files::replace(file, lines.concat())
        .with_context(|| format!("cannot write '{}'", file.display()))?;
    Ok(judged)
}

fn read(file: &Path) -> anyhow::Result<Vec<Judged>> {
    let text = anqi_files::read_text_limited(file, MOST_BYTES)
        .with_context(|| format!("cannot read '{}'", file.display()))?;
    let place = |number: usize| format!("'{}', line {}", file.display(), number + 1);
    let lines = text.lines().enumerate();
    let judged = lines
        .map(|(number, line)| line.parse().with_context(|| place(number)))
        .collect::<anyhow::Result<Vec<_>>>()?;
    ensure!(!judged.is_empty(), "'{}' has no positions", file.display());
    Ok(judged)
}

fn judge(options: &Options) -> anyhow::Result<Vec<Judged>> {
    let mut judge = Judge::new(&options.judge, options.judge_nodes, options.seed)?;
    let judged = (0..).filter_map(|number| judge.judge(number));
    Ok(judged.take(options.positions).collect())
}

fn as_text(options: &Options, chosen: &[Chosen]) -> String {
    let positions = chosen[0].regrets.len();
    let mut lines = vec![
        format!(
            "{positions} positions, {} nodes a choice; regret in ten-thousandths, ± one standard error",
            options.nodes
        ),
        "       regret   less the first's   same  depth".to_owned(),
    ];
    for (spec, one) in options.players.iter().zip(chosen) {
        let regret = regret(one);
        let less = difference(one, &chosen[0]);
        let same = 100.0 * one.same as f64 / positions.max(1) as f64;
        lines.push(format!(
            "{:6.1} ± {:4.1}      {:+6.1} ± {:4.1}  {same:4.1} %  {:5.2}  {spec}",
            regret.mean, regret.error, less.mean, less.error, one.depth
        ));
    }
    lines.join("\n")
}

fn regret(chosen: &Chosen) -> anqi_lab::regret::Mean {
    mean_of(chosen.regrets.iter().map(|&regret| f64::from(regret)))
}

fn as_json(options: &Options, chosen: &[Chosen]) -> Value {
    let players: Vec<Value> = options
        .players
        .iter()
        .zip(chosen)
        .map(|(spec, one)| {
            let (regret, less) = (regret(one), difference(one, &chosen[0]));
            json!({
                "player": spec,
                "regret": regret.mean,
                "regret_error": regret.error,
                "difference": less.mean,
                "difference_error": less.error,
                "same": one.same,
                "mean_depth": one.depth,
            })
        })
        .collect();
    json!({
        "positions": chosen[0].regrets.len(),
        "nodes": options.nodes,
        "judge": options.judge,
        "judge_nodes": options.judge_nodes,
        "seed": options.seed,
        "players": players,
    })
}
