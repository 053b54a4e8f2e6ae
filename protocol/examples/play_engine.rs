//! Lets an engine play a game against itself and prints the record.
//!
//! ```sh
//! cargo run -p anqi-protocol --example play_engine -- anqi protocol --player greedy
//! ```
//!
//! The engine is any program that speaks the tournament protocol. This program
//! is the server: it asks for actions, draws the pieces that flips reveal,
//! checks the engine's actions, and reports every ply back.

use anqi_protocol::record::PlayerName;
use anqi_protocol::{Client, ClientError, Launch, Record};
use anqi_rules::{Action, Game, Piece, Ply, Position, Rules};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::process::ExitCode;
use std::time::Duration;

/// The thinking time of each side for the whole game.
const TOTAL: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    let Some(program) = words.next() else {
        eprintln!("usage: play_engine PROGRAM [ARGUMENT]...");
        return ExitCode::from(2);
    };
    let launch = Launch {
        arguments: words.collect(),
        ..Launch::new(program)
    };
    match play(&launch) {
        Ok(record) => {
            print!("{record}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("play_engine: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays a game and returns its record.
fn play(launch: &Launch) -> Result<Record, Box<dyn std::error::Error>> {
    let mut engine = Client::start(launch)?;
    let mut game = Game::new(Position::start(), Rules::PLATFORM);
    engine.set_limits(3, 60)?;
    engine.new_game(Some(TOTAL))?;
    while game.outcome().is_none() {
        let action = next_action(&mut engine, &game)?;
        // An engine may answer with any action: `Game::play` checks it.
        let ply = Ply {
            action,
            reveal: if action.is_flip() {
                draw(game.position())
            } else {
                None
            },
        };
        game.play(ply)?;
        engine.play(ply)?;
    }
    let name = PlayerName::new(engine.name());
    engine.quit();
    Ok(Record::of_game(&game, [name.clone(), name]))
}

fn next_action(engine: &mut Client, game: &Game) -> Result<Action, ClientError> {
    let generated = engine.genmove(game.position().turn(), TOTAL)?;
    Ok(generated.action)
}

/// Draws one of the face-down pieces, each with the same chance; `None` if there is none.
fn draw(position: &Position) -> Option<Piece> {
    // A fresh hash of nothing is as good as a die for one game.
    let die = RandomState::new().build_hasher().finish();
    let pieces = position
        .hidden()
        .into_iter()
        .flat_map(|(piece, count)| std::iter::repeat_n(piece, count as usize));
    let pieces: Vec<Piece> = pieces.collect();
    let index = die.checked_rem(pieces.len() as u64)?;
    pieces.get(index as usize).copied()
}
