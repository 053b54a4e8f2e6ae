//! `anqi perft`: count the leaves of the game tree.

use super::error::UsageError;
use anqi_rules::{Game, Position, Rules, perft, perft_divide, perft_played};
use clap::Parser;
use std::io::{self, Write};
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  anqi perft 4
  anqi perft --divide 2
  anqi perft --position 'Kp2/C?r1/Pr2/4/Ng2/c?2/2?1/4 r kGP 0 40' 5
";

/// The shortest time that is not shown as zero.
const LEAST_TIME: Duration = Duration::from_micros(500);

/// Count the leaves of the game tree, to test the rules and measure their speed.
///
/// Every kind of piece that a flip may reveal counts as a leaf of its own: from the
/// start, one ply is 32 squares times 14 kinds, 448 leaves. Two programs with the same
/// counts have the same rules.
#[derive(Parser, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// How many plies deep
    #[arg(value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,

    /// Start from this position string, optionally followed by `moves` and plies
    #[arg(
        long,
        value_name = "POSITION",
        default_value = "start",
        hide_default_value = true
    )]
    position: String,

    /// By which rules a side has lost; of the presets only course differs from the others
    #[arg(long, value_name = "PRESET", default_value = "olympiad", value_parser = super::play::rules)]
    rules: Rules,

    /// Print one line for each first move or flip, with its leaves
    #[arg(long, conflicts_with = "play_all")]
    divide: bool,

    /// Play and undo the last ply too, instead of counting its actions at once
    #[arg(long)]
    play_all: bool,
}

impl Args {
    /// Counts and prints.
    pub fn run(self) -> anyhow::Result<()> {
        let game = Game::from_text(&self.position, self.rules)
            .map_err(|error| UsageError(format!("--position: {error}")))?;
        let mut output = io::stdout().lock();
        if self.divide {
            self.print_divided(game.position(), &mut output)?;
        } else {
            self.print_depths(game.position(), &mut output)?;
        }
        Ok(())
    }

    fn print_depths(&self, position: &Position, output: &mut impl Write) -> io::Result<()> {
        writeln!(
            output,
            "depth             leaves       time        leaves/s"
        )?;
        for depth in 1..=self.depth {
            let start = Instant::now();
            let leaves = if self.play_all {
                perft_played(position, depth)
            } else {
                perft(position, depth)
            };
            let time = start.elapsed();
            let (seconds, speed) = (time.as_secs_f64(), speed(leaves, time));
            writeln!(
                output,
                "{depth:>5} {leaves:>18} {seconds:>8.3} s {speed:>15}"
            )?;
            output.flush()?;
        }
        Ok(())
    }

    fn print_divided(&self, position: &Position, output: &mut impl Write) -> io::Result<()> {
        let counts = perft_divide(position, self.depth);
        for (action, leaves) in &counts {
            writeln!(output, "{action} {leaves}")?;
        }
        let total: u64 = counts.iter().map(|(_, leaves)| leaves).sum();
        writeln!(output, "total {total}")
    }
}

/// Returns leaves per second, or a dash for a time that is shown as 0.000 s.
fn speed(leaves: u64, time: Duration) -> String {
    if time < LEAST_TIME {
        "-".to_owned()
    } else {
        (u128::from(leaves) * 1_000_000 / time.as_micros()).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_is_shown_as_zero_gives_no_rate() {
        for micros in [0, 1, 400, 499, 500, 501, 1_000, 1_500_000] {
            let time = Duration::from_micros(micros);
            let is_zero = format!("{:.3}", time.as_secs_f64()) == "0.000";
            assert_eq!(speed(448, time) == "-", is_zero, "{micros} µs");
        }
        assert_eq!(speed(3_000, Duration::from_millis(1_500)), "2000");
    }
}
