//! `tablebase longest`: the slowest wins and losses, of one material set or of all units.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anqi_protocol::record::pgn::{self, PgnGame};
use anqi_rules::{Game, Ply, Position, Rules};
use anqi_tablebase::classes::{Fit, Material, Unit, Units};
use anqi_tablebase::file::{Metric, TableFile, place};
use anqi_tablebase::numbering::position_of;
use anqi_tablebase::probe::{Tables, best_to_end, units_in};
use anqi_tablebase::solve::{
    Distance, Goal, Solved, Store, UnitCache, Wdl, farthest, slowest, solve,
};
use anyhow::{Context, bail};

use crate::options;
use crate::stats::refuse_large;

/// The most pieces of the units in the table, unless another number is asked for.
const USUAL_PIECES: u8 = 4;

/// Options of `tablebase longest`.
#[derive(clap::Args)]
pub struct Args {
    /// The material set, such as KCPgpm, which is solved in memory; without it a table of all units is
    /// printed, with the greatest plies to the end of a win and of a loss
    set: Option<Material>,
    /// The units with a table of plies to the end in this directory, solved again and compared; if it
    /// has no such tables, only the greatest plies to the next capture, from the files
    #[arg(long, conflicts_with = "set")]
    dir: Option<PathBuf>,
    /// Units of up to this many pieces [default: 4, or all of DIR]
    #[arg(long, value_name = "N", conflicts_with = "set", value_parser = clap::value_parser!(u8).range(2..=6))]
    pieces: Option<u8>,
    /// Play the longest win and the longest loss of each unit by plies to the end and write the games
    /// to this file as PGN (docs/record-format.md)
    #[arg(long, value_name = "FILE", conflicts_with = "set")]
    out: Option<PathBuf>,
    /// Print the position and the moves alone, on one line that the engine's `position` command reads
    #[arg(long, requires = "set")]
    moves: bool,
}

/// Prints the longest win of a set with its line, or the table of all units.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(set) = &args.set {
        return of_set(set, args.moves);
    }
    let most = usize::from(args.pieces.unwrap_or(USUAL_PIECES));
    let Some(dir) = &args.dir else {
        let units = (2..=most).flat_map(|pieces| Units::of(pieces).list());
        return table(&units.collect::<Vec<_>>(), args);
    };
    let mut units = units_in(dir)?;
    units.retain(|(unit, _)| args.pieces.is_none() || unit.pieces() <= most);
    let ends = units
        .iter()
        .map(|(unit, _)| *unit)
        .filter(|unit| place(dir, unit, Metric::Dtw).exists());
    let ends: Vec<&'static Unit> = ends.collect();
    if ends.is_empty() {
        if args.out.is_some() {
            bail!(
                "--out: {} has no tables of plies to the end (expected names like KGgp.dtw)",
                dir.display()
            );
        }
        return to_capture(dir, units.iter().map(|(unit, _)| *unit));
    }
    table(&ends, args)
}

/// Prints units of a directory with their greatest distances to the next capture.
fn to_capture(dir: &Path, units: impl Iterator<Item = &'static Unit>) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let mut found = false;
    for unit in units {
        let path = place(dir, unit, Metric::Dtc);
        if path.exists() {
            let table = TableFile::open(&path)?;
            writeln!(out, "{unit} {}", table.header.longest.plies)?;
            found = true;
        }
    }
    if !found {
        bail!("{}: no tables of DTC here", dir.display());
    }
    Ok(())
}

fn of_set(set: &Material, moves: bool) -> anyhow::Result<()> {
    refuse_large(set)?;
    let fit = Fit::of(set);
    let store = Store::solve_unit(fit.unit, Goal::Distances)?;
    let solved = store.get(fit.unit).expect("it was just solved");
    let Some((_, turn, address)) = farthest(solved.as_ref(), Distance::ToCapture)? else {
        let mut out = io::stdout().lock();
        writeln!(out, "{set}: every position is a draw")?;
        return Ok(());
    };
    let groups = solved
        .layout
        .groups_at(address)
        .expect("only possible placements have distances");
    let position = position_of(set, &groups, turn);
    drop(store);
    let tables = Tables::of_unit(fit.unit, Rules::UNLIMITED, false)?;
    crate::line::show_line(&tables, position, moves)
}

/// A position that takes longest, with its distances.
struct Slowest {
    position: Position,
    to_end: u16,
    to_capture: u16,
}

impl Slowest {
    /// Returns the slowest win or loss of a unit solved to the end.
    fn of(solved: &Solved, wdl: Wdl) -> Option<Slowest> {
        let (to_end, turn, address) = slowest(solved, wdl)?;
        let groups = solved.layout.groups_at(address)?;
        Some(Slowest {
            position: position_of(&solved.layout.unit.key, &groups, turn),
            to_end,
            to_capture: solved.dtc(turn, address)?,
        })
    }
}

/// Solves units to the end, prints the slowest win and loss of each, and writes their games.
fn table(units: &[&'static Unit], args: &Args) -> anyhow::Result<()> {
    let most = units.iter().map(|unit| unit.pieces()).max().unwrap_or(2);
    let cache = UnitCache::new(most, options::usual_memory() / 4, Goal::ToEnd)?;
    // Only the games need more than the headers of files.
    let dir = args.dir.as_ref().filter(|_| args.out.is_some());
    let on_file = dir
        .map(|dir| Tables::open(dir, 2, Rules::UNLIMITED))
        .transpose()?;
    let mut games = Vec::new();
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{:<8} {:>7}  longest win: plies to the end, to the next capture; longest loss",
        "unit", "capture"
    )?;
    for unit in units {
        let solved = solve(unit, &cache.children(unit)?, Goal::ToEnd)?;
        let slowest = [Wdl::Win, Wdl::Loss].map(|wdl| Slowest::of(&solved, wdl));
        if let Some(dir) = &args.dir {
            let longest = slowest.iter().flatten().map(|slowest| slowest.to_end).max();
            compare(dir, unit, longest.unwrap_or(0))?;
        }
        write!(out, "{:<8} {:>7}", unit.to_string(), solved.longest)?;
        for slowest in &slowest {
            match slowest {
                None => write!(out, "  none")?,
                Some(one) => write!(
                    out,
                    "  {:>3} {:>3} {}",
                    one.to_end, one.to_capture, one.position
                )?,
            }
        }
        writeln!(out)?;
        out.flush()?;
        cache.offer(solved);
        if args.out.is_some() {
            games.extend(records(unit, &slowest, on_file.as_ref())?);
        }
    }
    if let Some(file) = &args.out {
        anqi_files::replace(file, pgn::write(&games).as_bytes())
            .with_context(|| format!("--out {}", file.display()))?;
    }
    Ok(())
}

/// Compares the header of a file with what was found.
fn compare(dir: &Path, unit: &Unit, longest: u16) -> anyhow::Result<()> {
    let path = place(dir, unit, Metric::Dtw);
    let stored = TableFile::open(&path)?.header.longest.plies;
    if stored != u32::from(longest) {
        bail!(
            "{}: the longest is {stored} plies, but {longest} follows from the rules",
            path.display()
        );
    }
    Ok(())
}

/// The games of the slowest win and loss of a unit.
fn records(
    unit: &'static Unit,
    slowest: &[Option<Slowest>; 2],
    on_file: Option<&Tables>,
) -> anyhow::Result<Vec<PgnGame>> {
    let solved;
    let tables = if let Some(tables) = on_file {
        tables
    } else {
        solved = Tables::of_unit(unit, Rules::UNLIMITED, true)?;
        &solved
    };
    let named = ["win", "loss"].into_iter().zip(slowest);
    let mut games = Vec::new();
    for (name, one) in named.filter_map(|(name, one)| Some((name, one.as_ref()?))) {
        let game = to_the_end(tables, one)?;
        let mut record = PgnGame::of_game(&game, ["tables", "tables"]);
        let event = format!("{unit}: longest {name}, {} plies to the end", one.to_end);
        record.tags.set("Event", &event);
        games.push(record);
    }
    Ok(games)
}

/// Plays a position out: the winner by the shortest way, the loser by the longest.
fn to_the_end(tables: &Tables, slowest: &Slowest) -> anyhow::Result<Game> {
    let mut game = Game::new(slowest.position, Rules::UNLIMITED);
    while game.outcome().is_none() {
        let action = best_to_end(tables, game.position())?
            .with_context(|| format!("{}: no plies to the end are known", game.position()))?;
        game.play(Ply::from(action))?;
    }
    let (played, promised) = (game.plies().len(), usize::from(slowest.to_end));
    if played != promised {
        bail!(
            "{}: {promised} plies to the end, but the game took {played}",
            slowest.position
        );
    }
    Ok(game)
}
