//! `lab ways`: the longest wins, played with three kinds of tables against the longest defence.

use std::cmp::Reverse;
use std::io::{self, Write};
use std::path::PathBuf;

use anqi_lab::ways::{
    Contest, End, RULE_SETS, Way, WaysMeta, WonGame, link, longest_wins, open, picture, play,
};
use anqi_rules::Rules;
use anqi_search::players;
use anqi_tablebase::Tables;
use anqi_tablebase::file::Metric;
use anyhow::Context;
use clap::Args;

use super::budget::Budget;
use super::draw;

/// Options of `lab ways`.
#[derive(Args, Debug)]
pub struct Options {
    /// Folder of tables with values, plies to the next capture and plies to the end, made by
    /// `tablebase build --metric wdl,dtc,dtw`
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,

    /// Folder of the finished games, from which a stopped run goes on; on the same disk as the tables
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// The pieces of the units
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=6))]
    pieces: u8,

    /// Only so many units, those with the longest wins
    #[arg(long, value_name = "N")]
    units: Option<usize>,

    #[command(flatten)]
    budget: Budget<50>,

    /// Who should win with values and with plies to the next capture
    #[arg(long, default_value = players::DEFAULT)]
    player: String,

    /// Only print what the finished games say
    #[arg(long)]
    report: bool,

    /// Draw the share of the games that are won by the plies needed, as SVG
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

/// Plays what is left, and prints the table.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let pieces = usize::from(options.pieces);
    let tables = Tables::open(&options.tables, 2, Rules::UNLIMITED)
        .with_context(|| format!("--tables {}", options.tables.display()))?;
    let meta = WaysMeta {
        program: concat!("lab ", env!("CARGO_PKG_VERSION")).to_owned(),
        player: players::by_spec(&options.player)?.spec(),
        limits: match (options.budget.nodes, options.budget.move_ms()) {
            (Some(nodes), _) => format!("{nodes} nodes"),
            (None, ms) => format!("{} ms", ms.unwrap_or_default()),
        },
        pieces,
    };
    let (mut journal, mut games) = open(&options.out, &meta)?;
    if !options.report {
        let folders = [
            ("values", vec![Metric::Wdl]),
            ("captures", vec![Metric::Wdl, Metric::Dtc]),
        ]
        .map(|(name, metrics)| (options.out.join(name), metrics));
        for (folder, metrics) in &folders {
            link(&options.tables, folder, metrics)?;
        }
        let mut wins = longest_wins(&options.tables, pieces, &tables)?;
        wins.sort_by_key(|(_, _, needed)| Reverse(*needed));
        wins.truncate(options.units.unwrap_or(usize::MAX));
        let contest = Contest {
            tables: &tables,
            player: &meta.player,
            limits: options.budget.limits(),
            folders: folders.map(|(folder, _)| folder),
        };
        let finished = games.clone();
        play(&contest, &wins, &finished, |game| {
            journal.append(&game)?;
            games.push(game);
            Ok(())
        })?;
    }
    draw(options.picture.as_deref(), || picture(&games))?;
    print(&meta, &games)
}

/// Prints a row for each set of rules and each way.
fn print(meta: &WaysMeta, games: &[WonGame]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} with {} a ply, longest wins of {} pieces",
        meta.player, meta.limits, meta.pieces
    )?;
    writeln!(
        out,
        "rules     way      games   won  slips  drawn  wandered  plies needed, played in games won  detours"
    )?;
    for (rules, _) in RULE_SETS {
        for way in Way::ALL {
            let these = || {
                games
                    .iter()
                    .filter(move |game| game.rules == rules && game.way == way)
            };
            let count = |end: End| these().filter(|game| game.end == end).count();
            let won = || these().filter(|game| game.end == End::Won);
            let mean = |sum: usize| sum as f64 / won().count().max(1) as f64;
            writeln!(
                out,
                "{rules:<9} {:<7} {:>6} {:>5} {:>6} {:>6} {:>9} {:>13.1} {:>21.1} {:>8}",
                format!("{way:?}").to_lowercase(),
                these().count(),
                count(End::Won),
                count(End::Slip),
                count(End::Drawn),
                count(End::Wandered),
                mean(won().map(|game| usize::from(game.needed)).sum()),
                mean(won().map(|game| game.played).sum()),
                won()
                    .filter(|game| game.played > usize::from(game.needed))
                    .count()
            )?;
        }
    }
    Ok(())
}
