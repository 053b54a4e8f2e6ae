//! A game between two players, ply by ply.
//!
//! ```console
//! $ cargo run --release -p anqi-search --example game -- champion:level=3 greedy
//! ```

use std::error::Error;

use anqi_rules::random::split_mix;
use anqi_rules::{Game, Position, Rules};
use anqi_search::{Limits, Request, Stop, players};

fn main() -> Result<(), Box<dyn Error>> {
    let mut specs = std::env::args().skip(1);
    let mut next = |usual: &str| specs.next().unwrap_or_else(|| usual.to_owned());
    let mut both = [
        players::by_spec(&next("champion:level=3"))?,
        players::by_spec(&next("greedy"))?,
    ];
    let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
    let (mut deal, stop) = (42, Stop::new());
    while game.outcome().is_none() {
        let player = &mut both[game.plies().len() % 2];
        let request = Request {
            game: &game,
            among: None,
            limits: Limits::NONE,
            seed: 1,
            stop: &stop,
        };
        let choice = player.choose(&request, &mut |_| {});
        let ply = game.play_drawn(choice.action, || split_mix(&mut deal))?;
        println!("{:>3}. {:<18} {ply}", game.plies().len(), player.spec());
    }
    println!("{}\n{:?}", game.position(), game.outcome());
    Ok(())
}
