//! `tablebase findings` and `tablebase duel`: statistics of the tables, and games played by them.

use std::collections::HashMap;
use std::io::Write;

use anqi_rules::{Color, Game, Outcome, Ply, Position, Rules};
use anqi_tablebase::classes::{Fit, Material, Units};
use anqi_tablebase::numbering::{DenseIndex, position_of, usual_order};
use anqi_tablebase::probe::{Rated, Tables, rated_actions};
use anqi_tablebase::solve::{Goal, Totals, UnitCache, Wdl, solve, totals};
use anyhow::{Context, bail};
use rayon::prelude::*;

use crate::random::Random;

/// Options of `tablebase findings`.
#[derive(clap::Args)]
pub struct Args {
    /// Up to this many pieces; five take about a minute of processor time
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=5))]
    pieces: u8,
}

/// Options of `tablebase duel`.
#[derive(clap::Args)]
pub struct DuelArgs {
    /// The material set; it is solved in memory
    set: Material,
    /// Won positions to play out
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// When games are drawn
    #[arg(long, default_value = "olympiad", value_parser = crate::options::rules)]
    rules: Rules,
}

/// Prints statistics of all sets of each number of pieces.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let cache = UnitCache::new(args.pieces.into(), 1 << 30, Goal::Values)?;
    for pieces in 2..=usize::from(args.pieces) {
        let units = Units::of(pieces).list();
        let solved: Vec<_> = units
            .par_iter()
            .map(|unit| -> anyhow::Result<(Totals, u32)> {
                let solved = solve(unit, &cache.children(unit)?, Goal::Distances)?;
                Ok((totals(&solved)?, solved.longest))
            })
            .collect();
        let solved = solved.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
        writeln!(out, "{pieces} pieces")?;
        let mut slowest: Vec<_> = units.iter().zip(&solved).collect();
        slowest.sort_by_key(|(unit, (_, longest))| (std::cmp::Reverse(*longest), unit.number));
        let names: Vec<String> = slowest
            .iter()
            .take(6)
            .map(|(unit, (_, plies))| format!("{unit} {plies}"))
            .collect();
        writeln!(out, "  longest to the next capture: {}", names.join(", "))?;
        let all = Sum::over(pieces, &solved);
        for (i, limit) in LIMITS.iter().enumerate() {
            let share = percent(all.slow[i], all.wins);
            writeln!(
                out,
                "  wins more than {limit} plies from the next capture: {} ({share})",
                all.slow[i]
            )?;
        }
        let share = percent(all.odd, all.wins);
        writeln!(
            out,
            "  won positions {}, an odd number of plies from the next capture: {share}",
            all.wins
        )?;
        let (drawn, lost) = (
            percent(all.drawn, all.stronger),
            percent(all.lost, all.stronger),
        );
        writeln!(
            out,
            "  side with more pieces to move: drawn {drawn}, lost {lost}"
        )?;
        if all.uneven > 0 {
            writeln!(
                out,
                "  sets in which the side with more pieces never wins: {} of {}",
                all.hopeless, all.uneven
            )?;
        }
    }
    Ok(())
}

const LIMITS: [usize; 3] = [40, 60, 180];

fn percent(part: u128, whole: u128) -> String {
    format!("{:.3}%", part as f64 * 100.0 / whole.max(1) as f64)
}

/// Sums over all sets of a number of pieces, both sides to move, mirrors counted.
#[derive(Default)]
struct Sum {
    wins: u128,
    slow: [u128; 3],
    odd: u128,
    stronger: u128,
    drawn: u128,
    lost: u128,
    uneven: usize,
    hopeless: usize,
}

impl Sum {
    fn over(pieces: usize, solved: &[(Totals, u32)]) -> Sum {
        let mut sum = Sum::default();
        for set in Material::all(pieces) {
            let fit = Fit::of(&set);
            let apart = set.placements() / u128::from(fit.unit.placements());
            let sides = &solved[fit.unit.number].0;
            for side in sides {
                sum.wins += u128::from(side.win) * apart;
                for (slow, limit) in sum.slow.iter_mut().zip(LIMITS) {
                    *slow += u128::from(side.wins_beyond(limit)) * apart;
                }
                let odd = side.wins_at.iter().skip(1).step_by(2).sum::<u64>();
                sum.odd += u128::from(odd) * apart;
            }
            let (red, black) = (set.side(Color::Red), set.side(Color::Black));
            if red != black {
                let strong = if red > black {
                    Color::Red
                } else {
                    Color::Black
                };
                let there = if fit.swapped { !strong } else { strong };
                let side = &sides[there.index()];
                sum.stronger += u128::from(side.win + side.draw + side.loss) * apart;
                sum.drawn += u128::from(side.draw) * apart;
                sum.lost += u128::from(side.loss) * apart;
                sum.uneven += 1;
                sum.hopeless += usize::from(side.win == 0);
            }
        }
        sum
    }
}

/// How an attacker picks among the moves that keep a win.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attack {
    /// Any move that keeps the win, at random: value tables say no more.
    Values,
    /// The move with the least distance to the next capture.
    Distances,
}

/// Plays won positions out against the longest defence, with two kinds of tables.
pub fn duel(args: &DuelArgs) -> anyhow::Result<()> {
    if args.set.len() > 5 {
        bail!("{}: duels are played with at most five pieces", args.set);
    }
    let fit = Fit::of(&args.set);
    let free = Rules {
        quiet_limit: None,
        ..Rules::PAPER
    };
    let tables = Tables::of_unit(fit.unit, free, false)?;
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
