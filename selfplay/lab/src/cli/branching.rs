//! `lab branching`: how many moves and flips the positions of games have.

use std::io::{self, Write};

use anqi_lab::branching::{Plan, of_games};
use anqi_rules::Rules;

/// Options of `lab branching`.
#[derive(clap::Args)]
pub struct Options {
    /// The two players; each starts every other game
    #[arg(num_args = 2, value_name = "PLAYER", default_values = ["basic", "enhance"])]
    players: Vec<String>,

    /// Nodes of each choice
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,

    /// Games
    #[arg(long, default_value_t = 20)]
    games: u32,

    /// When games are drawn
    #[arg(long, default_value = "olympiad", value_parser = super::rules)]
    rules: Rules,

    /// Decides the deals
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Plays the games and prints the means.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let [one, other] = &options.players[..] else {
        anyhow::bail!("two players are needed, found {}", options.players.len());
    };
    let sums = of_games(&Plan {
        players: [one.clone(), other.clone()],
        nodes: options.nodes,
        rules: options.rules,
        games: options.games,
        seed: options.seed,
    })?;
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} positions of {} games, {one} against {other}; {:.1} % with a face-down piece",
        sums.positions,
        sums.games,
        100.0 * sums.mean(sums.with_flips)
    )?;
    let moves = sums.mean(sums.moves);
    for (name, mean) in [
        ("without flips", moves),
        ("with flips, each once", moves + sums.mean(sums.flips)),
        (
            "with flips, each once for every kind",
            moves + sums.mean(sums.outcomes),
        ),
    ] {
        writeln!(out, "{name:<37} {mean:>7.2}")?;
    }
    Ok(())
}
