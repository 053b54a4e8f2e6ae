//! Plays a short match between two players and prints its report.
//!
//! `cargo run --release --example play_match -- greedy basic:depth=2 20`

use std::error::Error;

use anqi_match::{BySide, Interrupt, MatchPlan, MatchSetup, Participant, Side, Summary, play};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |index: usize, default: &str| {
        let given = arguments.get(index);
        given.map_or_else(|| default.to_owned(), String::clone)
    };
    let (a, b) = (argument(0, "greedy"), argument(1, "random"));
    let pairs: u64 = argument(2, "10").parse()?;

    let interrupt = Interrupt::new();
    let players = BySide {
        a: Participant::new(&a, &interrupt)?,
        b: Participant::new(&b, &interrupt)?,
    };
    let plan = MatchPlan::new(MatchSetup::new(players), pairs);
    let played = play(&plan, Vec::new(), None, &interrupt)?;
    let summary = Summary::new(&played.records, &plan.analysis);
    let [ll, ld, even, wd, ww] = summary.pentanomial.0;
    println!("{a} against {b}, {pairs} pairs: LL {ll}, LD {ld}, even {even}, WD {wd}, WW {ww}");
    if let Some(ratio) = summary.table.advantage_ratio(Side::A) {
        println!("advantage ratio {ratio:.3}, where 2 is equal");
    }
    Ok(())
}
