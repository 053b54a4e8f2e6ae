//! `lab endings`: a player plays out endings that the tables call won, against perfect defence.
//!
//! Exits with 0 if every ending was won, 1 if one was not, 2 if the command line or the tables are wrong.
//! With `--nodes` instead of a time the same command gives the same games.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anqi_lab::endings::{Attacker, Ending, Played, RULES, RandomEndings, Slip, play_all};
use anqi_search::players;
use anqi_tablebase::{Endgames, Tables};
use anyhow::{Context, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::budget::Budget;

/// The most pieces that are solved in memory.
const SOLVED_PIECES: usize = 4;

/// Options of `lab endings`.
#[derive(Args, Debug)]
pub struct Options {
    /// How many endings
    #[arg(long, default_value_t = 1000)]
    positions: usize,

    /// Decides which endings
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How many pieces they have: 4, or 3-5
    #[arg(long, default_value = "3-5", value_parser = pieces)]
    pieces: RangeInclusive<usize>,

    #[command(flatten)]
    budget: Budget<100>,

    /// Who attacks
    #[arg(long, default_value = players::DEFAULT)]
    player: String,

    /// Take the attacker's tables away
    #[arg(long)]
    tables_off: bool,

    /// Folder of tables for five pieces and more, made by `tablebase build`
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,

    /// Print one JSON object instead
    #[arg(long)]
    json: bool,

    /// Threads that play
    #[arg(short, long, default_value_t = 2)]
    jobs: usize,
}

fn pieces(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.parse::<usize>().ok().filter(|n| (2..=8).contains(n));
    match (number(from), number(to)) {
        (Some(from), Some(to)) if from <= to => Ok(from..=to),
        _ => Err("expected a number from 2 to 8, or two such as 3-5".to_owned()),
    }
}

/// Plays, prints, and returns whether everything was won.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    let tables = open(options)?;
    let attacker = attacker(options)?;
    let endings: Vec<Ending> = RandomEndings::new(&tables, options.pieces.clone(), options.seed)
        .take(options.positions)
        .collect::<Result<_, _>>()?;
    let played = play_all(&endings, &attacker, &tables, options.jobs)?;
    let rows = rows(&endings, &played);
    let text = if options.json {
        as_json(options, &attacker, &rows, &endings, &played).to_string()
    } else {
        as_text(&attacker, &rows, &endings, &played)
    };
    writeln!(io::stdout(), "{text}")?;
    Ok(played.iter().all(Played::is_won))
}

fn open(options: &Options) -> anyhow::Result<Tables> {
    let tables = match &options.tables {
        Some(folder) => Tables::open(folder, SOLVED_PIECES, RULES)
            .with_context(|| format!("--tables {}", folder.display()))?,
        None => Tables::solved(SOLVED_PIECES.min(*options.pieces.end()).max(2), RULES)?,
    };
    let (most, wanted) = (tables.pieces() as usize, *options.pieces.end());
    ensure!(
        most >= wanted,
        "--pieces asks for {wanted}, but the tables end at {most}: build more with \
         `tablebase build --pieces {wanted} --dir DIR` and name them with --tables DIR"
    );
    Ok(tables)
}

fn attacker(options: &Options) -> anyhow::Result<Attacker> {
    let mut spec = options.player.clone();
    if options.tables_off {
        spec.push(if spec.contains(':') { ',' } else { ':' });
        spec.push_str("tables=0");
    }
    Ok(Attacker {
        spec: players::by_spec(&spec)?.spec(),
        limits: options.budget.limits(),
        seed: options.seed,
    })
}

/// The results of the endings with one number of pieces.
struct PieceCountResult {
    pieces: usize,
    endings: usize,
    won: usize,
    plies: f64,
    distance: f64,
    longest: u16,
}

fn rows(endings: &[Ending], played: &[Played]) -> Vec<PieceCountResult> {
    let most = endings.iter().map(|ending| ending.pieces).max();
    let row = |pieces: usize| {
        let of_these = || {
            let both = endings.iter().zip(played);
            both.filter(move |(ending, _)| ending.pieces == pieces)
        };
        let count = of_these().count();
        let mean = |sum: usize| sum as f64 / count.max(1) as f64;
        PieceCountResult {
            pieces,
            endings: count,
            won: of_these().filter(|(_, played)| played.is_won()).count(),
            plies: mean(of_these().map(|(_, p)| p.game.plies().len()).sum()),
            distance: mean(of_these().map(|(e, _)| usize::from(e.distance)).sum()),
            longest: of_these().map(|(e, _)| e.distance).max().unwrap_or(0),
        }
    };
    let rows = (2..=most.unwrap_or(0)).map(row);
    rows.filter(|row| row.endings > 0).collect()
}

fn as_text(
    attacker: &Attacker,
    rows: &[PieceCountResult],
    endings: &[Ending],
    played: &[Played],
) -> String {
    let won = played.iter().filter(|played| played.is_won()).count();
    let mut lines = vec![
        format!("{} plays won endings, rules olympiad", attacker.spec),
        "pieces  endings     won  plies played  plies to conversion  longest".to_owned(),
    ];
    lines.extend(rows.iter().map(|row| {
        format!(
            "{:6} {:8} {:7} {:13.1} {:20.1} {:8}",
            row.pieces, row.endings, row.won, row.plies, row.distance, row.longest
        )
    }));
    lines.push(format!("won {won} of {}", played.len()));
    for (number, (ending, played)) in endings.iter().zip(played).enumerate() {
        if !played.is_won() {
            lines.push(String::new());
            lines.push(failure(number + 1, ending, played));
        }
    }
    lines.join("\n")
}

fn failure(number: usize, ending: &Ending, played: &Played) -> String {
    let (distance, outcome) = (ending.distance, played.outcome);
    let plies = played.game.plies().len();
    format!(
        "ending {number}, {distance} to conversion: {outcome} after {plies} plies\n  {}\n  {}",
        played.slip.as_ref().map(told).unwrap_or_default(),
        played.line()
    )
}

fn told(slip: &Slip) -> String {
    let score = slip.attempt.score.map(|score| score.to_string());
    format!(
        "{} with {} at ply {} ({} to conversion, seen as {} at depth {}): {}",
        slip.kind.text(),
        slip.attempt.action,
        slip.ply,
        slip.distance.map_or("?".to_owned(), |d| d.to_string()),
        score.as_deref().unwrap_or("?"),
        slip.attempt.depth,
        slip.position
    )
}

fn as_json(
    options: &Options,
    attacker: &Attacker,
    rows: &[PieceCountResult],
    endings: &[Ending],
    played: &[Played],
) -> Value {
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "pieces": row.pieces,
                "endings": row.endings,
                "won": row.won,
                "plies": row.plies,
                "plies_to_conversion": row.distance,
                "longest": row.longest,
            })
        })
        .collect();
    let failures: Vec<Value> = endings
        .iter()
        .zip(played)
        .enumerate()
        .filter(|(_, (_, played))| !played.is_won())
        .map(|(index, (ending, played))| {
            json!({
                "ending": index + 1,
                "position": ending.position.to_string(),
                "plies_to_conversion": ending.distance,
                "outcome": played.outcome.to_string(),
                "plies": played.game.plies().len(),
                "slip": played.slip.as_ref().map(|slip| json!({
                    "kind": slip.kind.text(),
                    "ply": slip.ply,
                    "action": slip.attempt.action.to_string(),
                    "position": slip.position.to_string(),
                    "plies_to_conversion": slip.distance,
                    "score": slip.attempt.score.map(|score| score.to_string()),
                    "depth": slip.attempt.depth,
                })),
                "game": played.line(),
            })
        })
        .collect();
    json!({
        "player": attacker.spec,
        "seed": options.seed,
        "move_ms": options.budget.move_ms(),
        "nodes": options.budget.nodes,
        "rules": "olympiad",
        "endings": played.len(),
        "won": played.len() - failures.len(),
        "by_pieces": rows,
        "failures": failures,
    })
}
