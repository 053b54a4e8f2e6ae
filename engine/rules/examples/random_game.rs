//! A game of random actions, ply by ply, with the position after the last one.
//!
//! ```console
//! $ cargo run -p anqi-rules --example random_game -- 7 mistboard
//! ```

use std::error::Error;

use anqi_rules::random::{below, split_mix};
use anqi_rules::{Game, Position, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut state: u64 = arguments.next().unwrap_or_else(|| "7".to_owned()).parse()?;
    let rules: Rules = arguments
        .next()
        .map_or(Ok(Rules::default()), |name| name.parse())?;
    let mut game = Game::new(Position::start(), rules);
    while game.outcome().is_none() {
        let actions = game.actions();
        let index = below(actions.len() as u64, || split_mix(&mut state));
        let ply = game.play_drawn(actions[index as usize], || split_mix(&mut state))?;
        println!("{:>3}. {ply}", game.plies().len());
    }
    println!("{}", game.position());
    if let Some(outcome) = game.outcome() {
        println!("{outcome}");
    }
    Ok(())
}
