//! Another program using the tables as a library: who wins an endgame, with which move, and the
//! statistics of its material.
//!
//! ```console
//! $ cargo run --release -p anqi-tablebase --example endgame_report -- "3k/4/4/4/4/4/G3/C1c1 b - 0 0"
//! ```

use std::error::Error;

use anqi_rules::{Color, Position, Rules};
use anqi_tablebase::classes::{Fit, Material};
use anqi_tablebase::solve::{Goal, Store, totals};
use anqi_tablebase::{Endgames, Tables, Wdl, material_of, rated_actions};

/// Positions of up to this many pieces are answered; more would take minutes to solve.
const MOST_PIECES: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1);
    let text = text.unwrap_or_else(|| "3k/4/4/4/4/4/G3/C1c1 b - 0 0".to_owned());
    let position: Position = text.parse()?;
    let Some(set) = material_of(&position).filter(|set| set.len() <= MOST_PIECES) else {
        return Err(format!("'{text}' has more than {MOST_PIECES} pieces, or hidden ones").into());
    };
    println!("{position}");
    moves(&position)?;
    if Color::ALL.iter().all(|&color| set.side(color) > 0) {
        material(&set)?;
    }
    Ok(())
}

/// Prints the value of a position and of every move.
fn moves(position: &Position) -> Result<(), Box<dyn Error>> {
    let tables = Tables::solved(MOST_PIECES, Rules::OLYMPIAD)?;
    let value = tables.known(position).ok_or("no table has the position")?;
    println!(
        "{} for the side to move{}",
        word(value.wdl),
        plies(value.dtc)
    );
    for rated in rated_actions(&tables, position).unwrap_or_default() {
        println!("  {} {}{}", rated.action, word(rated.wdl), plies(rated.dtc));
    }
    Ok(())
}

/// Prints the shares of won, drawn and lost positions of a material set.
fn material(set: &Material) -> Result<(), Box<dyn Error>> {
    // Sets that play alike share a unit; its colours may be exchanged.
    let fit = Fit::of(set);
    let store = Store::solve_unit(fit.unit, Goal::Distances)?;
    let solved = store.get(fit.unit).ok_or("the unit was just solved")?;
    let mut sides = totals(solved.as_ref())?;
    if fit.swapped {
        sides.swap(0, 1);
    }
    for (color, side) in Color::ALL.iter().zip(&sides) {
        let all = (side.win + side.draw + side.loss) as f64 / 100.0;
        let share = |count: u64| count as f64 / all;
        println!(
            "{set}, {color} to move: {:.1} % won, {:.1} % drawn, {:.1} % lost",
            share(side.win),
            share(side.draw),
            share(side.loss)
        );
    }
    println!("the next capture is at most {} plies away", solved.longest);
    Ok(())
}

fn word(value: Wdl) -> &'static str {
    match value {
        Wdl::Win => "a win",
        Wdl::Draw => "a draw",
        Wdl::Loss => "a loss",
    }
}

fn plies(distance: Option<u16>) -> String {
    distance.map_or_else(String::new, |plies| format!(" in {plies} plies"))
}
