//! `lab duel`: games from won positions by the tables, with and without distances.

use std::collections::HashMap;
use std::io::Write;

use anqi_rules::{Color, Game, Outcome, Ply, Position, Rules};
use anqi_tablebase::classes::{Fit, Material};
use anqi_tablebase::numbering::{DenseIndex, position_of, usual_order};
use anqi_tablebase::probe::{Rated, Tables, rated_actions};
use anqi_tablebase::solve::Wdl;
use anyhow::{Context, bail};

/// Options of `lab duel`.
#[derive(clap::Args)]
pub struct Options {
    /// The material set; it is solved in memory
    set: Material,
    /// Won positions to play out
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// When games are drawn
    #[arg(long, default_value = "olympiad", value_parser = rules)]
    rules: Rules,
}

/// How an attacker picks among the moves that keep a win.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attack {
    /// Any move that keeps the win, at random: value tables say no more.
    Values,
    /// The move with the least distance to the next capture.
    Distances,
}

/// Reads the name of a rule set, or none.
fn rules(name: &str) -> Result<Rules, String> {
    match name {
        "none" => Ok(Rules::UNLIMITED),
        _ => super::rules(name).map_err(|expected| format!("{expected} or none")),
    }
}

/// Knuth's linear congruential generator for MMIX; any seed will do.
struct Random(u64);

impl Random {
    /// Returns a number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }
}

/// Plays won positions out against the longest defence, with two kinds of tables.
pub fn run(args: &Options) -> anyhow::Result<()> {
    if args.set.len() > 5 {
        bail!("{}: duels are played with at most five pieces", args.set);
    }
    let fit = Fit::of(&args.set);
    let tables = Tables::of_unit(fit.unit, Rules::UNLIMITED, false)?;
    let starts = won_positions(&args.set, &tables, args.games as usize)?;
    let mut out = std::io::stdout().lock();
    for (name, attack) in [
        ("values only", Attack::Values),
        ("distances", Attack::Distances),
    ] {
        let mut random = Random(1);
        let mut ends: HashMap<&str, usize> = HashMap::new();
        let mut plies = 0;
        for start in &starts {
            let (end, length) = play(*start, attack, &tables, args.rules, &mut random)?;
            *ends.entry(end).or_default() += 1;
            plies += length;
        }
        let count = |end: &str| ends.get(end).copied().unwrap_or(0);
        writeln!(
            out,
            "{name}: {} won, {} drawn of {} won positions, {:.1} plies a game",
            count("won"),
            count("drawn"),
            starts.len(),
            plies as f64 / starts.len().max(1) as f64
        )?;
    }
    Ok(())
}

/// Positions won for the side to move and more than a few plies from the next capture.
fn won_positions(set: &Material, tables: &Tables, count: usize) -> anyhow::Result<Vec<Position>> {
    let fit = Fit::of(set);
    let index = DenseIndex::new(fit.unit, usual_order(fit.unit));
    let mut random = Random(2);
    let mut found = Vec::new();
    for _ in 0..count * 2000 {
        if found.len() == count {
            break;
        }
        let number = random.below(index.len() as usize) as u64;
        let position = position_of(set, &index.groups(number), Color::ALL[random.below(2)]);
        let known = tables.look_up(&position)?.context("the set was solved")?;
        if known.wdl == Wdl::Win && known.dtc >= Some(9) {
            found.push(position);
        }
    }
    if found.is_empty() {
        bail!("{set}: no win takes nine plies to the next capture");
    }
    Ok(found)
}

fn play(
    start: Position,
    attack: Attack,
    tables: &Tables,
    rules: Rules,
    random: &mut Random,
) -> anyhow::Result<(&'static str, usize)> {
    let mut game = Game::new(start, rules);
    let attacker = start.turn();
    loop {
        match game.outcome() {
            Some(Outcome::Win { .. }) => return Ok(("won", game.plies().len())),
            Some(Outcome::Draw(_)) => return Ok(("drawn", game.plies().len())),
            None => {}
        }
        let position = game.position();
        let rated = rated_actions(tables, position).context("the set was solved")?;
        let choice = if position.turn() == attacker && attack == Attack::Values {
            let winning: Vec<&Rated> = rated.iter().filter(|r| r.wdl == Wdl::Win).collect();
            winning[random.below(winning.len())]
        } else {
            &rated[0]
        };
        game.play(Ply {
            action: choice.action,
            reveal: None,
        })?;
    }
}
