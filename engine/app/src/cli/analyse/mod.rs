//! `anqi analyse`: the best actions in a position, and what flips may bring.

use super::UsageError;
use anqi_rules::{Action, Game, Piece, Ply, Rules};
use anqi_search::{Choice, Limits, Player, Ranked, Request, Score, Stop, TimeLimit, players};
use clap::Parser;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Thinking time where no limit is given.
const DEFAULT_MILLISECONDS: u64 = 2_000;

const EXAMPLES: &str = "\
Examples:
  anqi analyse 'm?pr/1?c1/1g2/1n?g/C?p?/??G?/1p1N/KC?? b GMRPPkmcpp 0 30'
  anqi analyse --nodes 500000 --best 8 'start moves b2(G) b3(k)'
  anqi --tables DIR analyse --movetime 10000 '4/4/m3/K1g1/4/1M2/4/3p b - 0 0'
";

/// Think about a position: the best actions with what both sides would play.
///
/// Values are expected results for the side to move, from -1 (lost) to +1 (won),
/// or `win 5`, `loss 4`, `draw` where that is proven. A flip is worth the average
/// over what may appear; below it stand the best and the worst piece to appear,
/// each with its chance and what the game is then worth.
#[derive(Parser, Debug)]
#[command(visible_alias = "analyze", after_help = EXAMPLES)]
pub struct Args {
    /// `start` or a position string, optionally followed by `moves` and plies
    #[arg(num_args = 1.., required = true, value_name = "POSITION")]
    position: Vec<String>,

    /// How many of the best actions to show
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=64))]
    best: u16,

    /// Think this many milliseconds [default: 2000 if nothing else limits it]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,

    /// Look at this many positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Look this many plies ahead
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: Option<u32>,

    /// Who thinks; `anqi players` lists them
    #[arg(long, value_name = "PLAYER", default_value = players::DEFAULT)]
    player: String,

    /// When a game is drawn: olympiad, platform, paper or openspiel
    #[arg(long, value_name = "PRESET", default_value = "olympiad", value_parser = super::play::rules)]
    rules: Rules,
}

/// What the game is worth to the side that flips if this piece appears.
struct Appearance {
    piece: Piece,
    chance: f64,
    worth: f64,
}

impl Args {
    /// Thinks and prints.
    pub fn run(self, tables: Option<&Path>) -> anyhow::Result<()> {
        let game = Game::from_text(&self.position.join(" "), self.rules)
            .map_err(|error| UsageError(error.to_string()))?;
        let mut output = io::stdout().lock();
        if let Some(outcome) = game.outcome().filter(|_| !game.position().has_action()) {
            writeln!(output, "the game is over: {outcome}")?;
            return Ok(());
        }
        let mut player = self.player(tables)?;
        player.prepare(self.rules)?;
        let choice = think(&mut *player, &game, self.limits());
        writeln!(
            output,
            "{} to move, depth {}, {} nodes",
            game.position()
                .turn()
                .map_or("nobody yet".to_owned(), |c| c.to_string()),
            choice.depth,
            choice.nodes
        )?;
        for (index, ranked) in ranked(&choice).iter().enumerate() {
            writeln!(output, "{:>3}. {}", index + 1, line(ranked))?;
            if ranked.action.is_flip() {
                self.explain(&mut output, &mut *player, &game, ranked.action)?;
            }
            output.flush()?;
        }
        Ok(())
    }

    fn player(&self, tables: Option<&Path>) -> anyhow::Result<Box<dyn Player>> {
        let mut spec = self.player.clone();
        if let Some(folder) = tables.map(PathBuf::from) {
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
        }
    }

    /// The best and the worst that a flip may bring; each kind gets an equal share of the limits.
    fn explain(
        &self,
        output: &mut impl Write,
        player: &mut dyn Player,
        game: &Game,
        flip: Action,
    ) -> io::Result<()> {
        let kinds = game.position().hidden().kinds().max(1);
        let share = self.limits();
        let limits = Limits {
            depth: share.depth.map(|depth| depth.saturating_sub(1).max(1)),
            nodes: share.nodes.map(|nodes| (nodes / u64::from(kinds)).max(1)),
            time: match share.time {
                TimeLimit::PerMove(time) => TimeLimit::PerMove(time / kinds / 2),
                other => other,
            },
            multipv: 1,
        };
        let mut appearances: Vec<Appearance> = game
            .position()
            .reveals()
            .map(|reveal| Appearance {
                piece: reveal.piece,
                chance: reveal.chance(),
                worth: worth_after(player, game, Ply::flip(flip.from(), reveal.piece), limits),
            })
            .collect();
        appearances.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        if let [best, .., worst] = &appearances[..] {
            writeln!(output, "       best  {}", appearance(best))?;
            writeln!(output, "       worst {}", appearance(worst))?;
        }
        Ok(())
    }
}

/// What the game is worth after a flip to the side that has flipped.
fn worth_after(player: &mut dyn Player, game: &Game, ply: Ply, limits: Limits) -> f64 {
    let mut next = game.clone();
    next.play(ply)
        .expect("a generated flip that reveals a piece of the bag is legal");
    if let Some((loser, _)) = next.position().loser() {
        return if Some(loser) == next.position().turn() {
            1.0
        } else {
            -1.0
        };
    }
    let choice = think(player, &next, limits);
    -choice.score.map_or(0.0, Score::expected_result)
}

fn think(player: &mut dyn Player, game: &Game, limits: Limits) -> Choice {
    let stop = Stop::new();
    let request = Request {
        game,
        limits,
        seed: 0,
        stop: &stop,
    };
    let choice = player.choose(&request, &mut |_| {});
    anqi_app::tell_trouble(player);
    choice
}

/// The ranked actions; players that rank nothing have at least chosen one.
fn ranked(choice: &Choice) -> Vec<Ranked> {
    if !choice.ranked.is_empty() {
        return choice.ranked.clone();
    }
    vec![Ranked {
        action: choice.action,
        score: choice.score.unwrap_or(Score::Estimate(0)),
        line: choice.line.clone(),
    }]
}

fn line(ranked: &Ranked) -> String {
    let steps = ranked.line.iter().map(|step| match step.expectation {
        Some(value) if step.action != ranked.action => {
            format!(
                "{}?({:+.3})",
                step.action.from(),
                f64::from(value) / 10_000.0
            )
        }
        _ if step.action.is_flip() => format!("{}?", step.action.from()),
        _ => step.action.to_string(),
    });
    let steps: Vec<String> = steps.collect();
    format!("{:<8} {}", ranked.score.to_string(), steps.join(" "))
}

fn appearance(appearance: &Appearance) -> String {
    let Appearance {
        piece,
        chance,
        worth,
    } = appearance;
    format!("{piece} {worth:+.3}, chance {:.1} %", chance * 100.0)
}
