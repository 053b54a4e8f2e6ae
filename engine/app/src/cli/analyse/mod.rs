//! `anqi analyse`: the best actions in a position, and the outcomes of flips.

mod json;
mod line;
mod live;
mod text;

use super::error::{Interrupted, UsageError};
use anqi_analysis::ranking::Ranker;
use anqi_rules::{Game, Rules};
use anqi_search::endgames::{SharedTables, TablesSource};
use anqi_search::resources::tables_for;
use anqi_search::{Limits, Player, Stop, TimeLimit, players};
use anyhow::Context;
use clap::Parser;
use live::Live;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Thinking time where no limit is given.
const DEFAULT_MILLISECONDS: u64 = 2_000;

const EXAMPLES: &str = "\
Examples:
  anqi analyse 'm?pr/1?c1/1g2/1n?g/C?p?/??G?/1p1N/KC?? b GMRPPkmcpp 0 30'
  anqi analyse --nodes 500000 --best 8 'start moves b2(G) b3(k)'
  anqi --tables DIR analyse --best 20 '4/4/m3/K1g1/4/1M2/4/3p b - 0 0'
  anqi analyse --json --depth 6 start

Ctrl-C ends the thinking: what is known by then is printed, and the exit code is 130.

One JSON object (--json):
  position, turn, rules, player    what was asked; turn is null before the first flip
  result       null, or how the game has ended
  source       \"search\" with depth and nodes, or \"tables\"
  seconds, interrupted
  actions      the best first, each with
    action     such as \"b2-b3\"; a flip names its square twice
    value      {expected: -1 to 1, verdict: null or \"win\", \"draw\", \"loss\", plies: null or n,
               plies_to_end: n if those are plies to the end of the game, null if they are to
               the next capture, exact: null or a fraction such as \"2/3\"}
    line       what both sides would play: [{action, value}]; only flips have a value
    outcomes   what a flip may reveal: [{piece, chance: 0 to 1, value}]; the flip's value is their
               average; no values after Ctrl-C
";

/// Analyse a position: the best moves and flips, and what each flip may reveal.
///
/// Values are expected results for the side to move, from -1 (lost) to +1 (won), or
/// `win 5`, `draw`, `loss 4` where that is certain: proven by the search, or known from the endgame
/// tables, which count the plies to the next capture, or to the end with files of `--metric dtw`. The value of a flip is the average over the
/// pieces that it may reveal; each is listed with its chance and its value for the side that flips.
/// Up to four pieces, some of them face down, are solved: `exact 2/3`.
#[derive(Parser, Debug)]
#[command(visible_alias = "analyze", after_help = EXAMPLES)]
pub struct Args {
    /// `start` or a position string, optionally followed by `moves` and plies
    #[arg(num_args = 1.., required = true, value_name = "POSITION")]
    position: Vec<String>,

    /// Show this many of the best moves and flips
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=64))]
    best: u16,

    /// Think for this many milliseconds [default: 2000 if nothing else limits it]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,

    /// Search this many positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Search this many plies deep
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: Option<u32>,

    /// The player that thinks; `anqi players` lists them
    #[arg(long, value_name = "PLAYER", default_value = players::DEFAULT)]
    player: String,

    /// When a game is drawn: olympiad, platform, paper, openspiel, mistboard or course
    #[arg(long, value_name = "PRESET", default_value = "olympiad", value_parser = super::play::rules)]
    rules: Rules,

    /// Print one JSON object instead; its fields are listed below
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Thinks and prints.
    pub fn run(self, folder: Option<&Path>) -> anyhow::Result<()> {
        let game = Game::from_text(&self.position.join(" "), self.rules)
            .map_err(|error| UsageError(error.to_string()))?;
        let mut player = self.player(folder)?;
        // The player's own tables, if it has any: nothing is solved or opened twice.
        let source = TablesSource::of_folder(folder.map(Path::to_owned));
        let tables = tables_for(self.rules, &source)
            .map_err(|error| UsageError(format!("--tables: {error}")))?;
        if !game.position().has_action() {
            return self.print_end(&game, &*player);
        }
        let stop = stop_on_interrupt()?;
        player.prepare(self.rules)?;
        let live = Live::on_terminal();
        let ranker = Ranker {
            game: &game,
            limits: self.limits(),
            tables: tables.as_deref().map(SharedTables::tables),
            stop: &stop,
            progress: &live,
        };
        let begun = Instant::now();
        let ranking = ranker.rank(&mut *player);
        let time = begun.elapsed();
        live.clear();
        crate::print_warning(&mut *player);
        if let Some(damage) = tables.and_then(|tables| tables.take_damage()) {
            eprintln!("anqi: damaged table, left out: {damage}");
        }
        let mut output = io::stdout().lock();
        if self.json {
            let object = json::object(&game, &player.spec(), Some((&ranking, time)));
            writeln!(output, "{object}")?;
        } else {
            text::write(&ranking, game.position(), &mut output)?;
        }
        output.flush()?;
        if ranking.interrupted {
            Err(Interrupted.into())
        } else {
            Ok(())
        }
    }

    /// Prints how a finished game ended.
    fn print_end(&self, game: &Game, player: &dyn Player) -> anyhow::Result<()> {
        let mut output = io::stdout().lock();
        match (self.json, game.outcome()) {
            (true, _) => writeln!(output, "{}", json::object(game, &player.spec(), None))?,
            (false, Some(outcome)) => writeln!(output, "the game is over: {outcome}")?,
            (false, None) => writeln!(output, "the game is over")?,
        }
        Ok(())
    }

    fn player(&self, folder: Option<&Path>) -> anyhow::Result<Box<dyn Player>> {
        let mut spec = self.player.clone();
        if let Some(folder) = folder {
            let sign = if spec.contains(':') { ',' } else { ':' };
            spec.push_str(&format!("{sign}tables={}", folder.display()));
        }
        Ok(players::by_spec(&spec).map_err(|error| UsageError(format!("--player: {error}")))?)
    }

    fn limits(&self) -> Limits {
        let unlimited = self.nodes.is_none() && self.depth.is_none();
        let milliseconds = self.movetime.or(unlimited.then_some(DEFAULT_MILLISECONDS));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: milliseconds.map_or(TimeLimit::None, |ms| {
                TimeLimit::PerMove(Duration::from_millis(ms))
            }),
            multipv: self.best.into(),
            outcomes: true,
        }
    }
}

/// Returns a flag that the first interrupt raises; the second one ends the program at once.
fn stop_on_interrupt() -> anyhow::Result<Arc<Stop>> {
    let stop = Arc::new(Stop::new());
    let flag = Arc::clone(&stop);
    let interrupt = move || {
        if flag.requested() {
            std::process::exit(i32::from(Interrupted::EXIT_CODE))
        } else {
            flag.request();
        }
    };
    ctrlc::set_handler(interrupt).context("cannot watch for interrupts")?;
    Ok(stop)
}
