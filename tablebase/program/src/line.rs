//! `tablebase line`: best play from one position to the end.

use std::io::{self, Write};

use anqi_rules::{Color, Piece, Position};
use anqi_tablebase::Wdl;
use anqi_tablebase::probe::{Rated, Tables, rated_actions};
use anyhow::anyhow;

use crate::options::TableOptions;
use crate::probe::{distances, look_up, open, read};
use crate::words::word;

/// Options of `tablebase line`.
#[derive(clap::Args)]
pub struct Args {
    /// The position, in quotes: "4/4/4/4/4/4/1k2/K1g1 r - 0 0"
    position: String,
    #[command(flatten)]
    tables: TableOptions,
    /// Print the position and the moves alone, on one line that the engine's `position` command reads
    #[arg(long)]
    moves: bool,
}

/// A ply of best play.
pub struct BestPly {
    /// Its number, from 1.
    pub number: u32,
    /// The action, and its value for the side that plays it.
    pub best: Rated,
    /// What it captures.
    pub captured: Option<Piece>,
}

/// How a line ends.
pub enum End {
    /// The game was over at the start, with this value for the side to move.
    Over(Wdl),
    /// From here it is a draw.
    Drawn,
    /// A side has lost.
    Decided {
        /// The side.
        loser: Color,
        /// The name of what it has none of.
        lacks: &'static str,
    },
    /// There are more plies than were asked for.
    Unfinished,
}

/// Prints a line of best play.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let position = read(&args.position, &args.tables.rules)?;
    let tables = open(&args.tables, &position)?;
    look_up(&tables, &position)?;
    show_line(&tables, position, args.moves)
}

/// Plays both sides by the tables until the game is over or drawn, and prints every ply with its value,
/// or the moves alone.
pub fn show_line(tables: &Tables, start: Position, moves: bool) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    if moves {
        write!(out, "{start} moves")?;
        follow(tables, start, u32::MAX, |ply| {
            write!(out, " {}", ply.best.action)
        })?;
        writeln!(out)?;
        return Ok(());
    }
    writeln!(out, "{start}")?;
    let (length, end) = follow(tables, start, u32::MAX, |ply| {
        let taken = ply
            .captured
            .map_or_else(String::new, |piece| format!(" takes {piece}"));
        let (number, action) = (ply.number, ply.best.action);
        let (value, distance) = (word(ply.best.wdl), distances(&ply.best));
        writeln!(out, "{number:>4}. {action}{taken} ({value}{distance})")
    })?;
    let next = length + 1;
    match end {
        End::Over(Wdl::Win) => writeln!(out, "{next:>4}. over: the side to move has won")?,
        End::Over(_) => writeln!(out, "{next:>4}. over: the side to move has lost")?,
        End::Drawn => writeln!(out, "{next:>4}. draw")?,
        End::Decided { loser, lacks } => writeln!(out, "      over: {loser} has no {lacks}")?,
        End::Unfinished => {}
    }
    Ok(())
}

/// Plays both sides by the tables until the game is over or drawn, `most` plies at most; returns how
/// many there were.
pub fn follow(
    tables: &Tables,
    start: Position,
    most: u32,
    mut played: impl FnMut(&BestPly) -> io::Result<()>,
) -> anyhow::Result<(u32, End)> {
    let mut position = start;
    for length in 0..most {
        let known = look_up(tables, &position)?;
        let rated = rated_actions(tables, &position)
            .ok_or_else(|| anyhow!(tables.why_unknown().to_owned()))?;
        let Some(&best) = rated.first() else {
            return Ok((length, End::Over(known.wdl)));
        };
        if known.wdl == Wdl::Draw {
            return Ok((length, End::Drawn));
        }
        let captured = position.step_unchecked(best.action).captured();
        let number = length + 1;
        played(&BestPly {
            number,
            best,
            captured,
        })?;
        if let Some(loser) = position.decided() {
            let lacks = match position.living(loser) {
                0 => "pieces",
                _ => "action",
            };
            return Ok((number, End::Decided { loser, lacks }));
        }
    }
    Ok((most, End::Unfinished))
}
