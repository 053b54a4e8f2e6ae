//! A mock engine for the tournament protocol, well-behaved or not.
//!
//! `mock_engine polite` plays legal actions that depend on the position alone;
//! `mock_engine DEED N` does the same until its N-th `genmove` in a process, and
//! then misbehaves: `crash`, `exit`, `stall`, `garbage`, `illegal`, `flood` or
//! `slow`. `mock_engine mute` never answers, `mock_engine seeded` understands
//! `set` and `position` and chooses by the given seed, and `mock_engine drowsy`
//! waits a moment before every move.

use std::io::{self, BufRead, Write};
use std::process;
use std::thread;
use std::time::Duration;

use anqi_protocol::command::{Command, CommandName, Request, parse};
use anqi_protocol::reply::{Answer, Reply};
use anqi_rules::{Action, Game, Ply, Position, Rules};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let deed = arguments.first().map_or("polite", String::as_str);
    let when: u32 = arguments
        .get(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    if deed == "mute" {
        sleep_for_good();
    }
    let mut engine = Engine {
        game: new_game(),
        asked: 0,
        seed: (deed == "seeded").then_some(0),
    };
    for line in io::stdin().lock().split(b'\n') {
        let Ok(line) = line else { return };
        let reply = match parse(&line) {
            Ok(None) => continue,
            Ok(Some(request)) => {
                if matches!(request.command, Command::Genmove(_)) {
                    engine.asked += 1;
                    if deed == "drowsy" {
                        thread::sleep(Duration::from_millis(60));
                    }
                    if engine.asked == when {
                        misbehave(deed, &engine.game);
                    }
                }
                engine.answer(request)
            }
            Err(refusal) => Reply::from(refusal),
        };
        say(&reply.to_string());
    }
}

struct Engine {
    game: Game,
    asked: u32,
    /// The seed last set, if it understands `set`.
    seed: Option<u64>,
}

impl Engine {
    fn answer(&mut self, request: Request) -> Reply {
        let number = request.number;
        let answer = match request.command {
            Command::Name => Answer::Text("mock".to_owned()),
            Command::Version => Answer::Text("1".to_owned()),
            Command::KnownCommand(name) => Answer::Truth(self.knows(&name)),
            Command::Set(option, value) if option == "seed" => {
                self.seed = value.parse().ok();
                Answer::Empty
            }
            Command::Position(start, _) => {
                self.game = Game::new(*start, Rules::OLYMPIAD);
                Answer::Empty
            }
            Command::Quit => process::exit(0),
            Command::ResetBoard => {
                self.game = new_game();
                Answer::Empty
            }
            Command::Move(from, to) => return self.play(number, Ply::step(from, to)),
            Command::Flip(square, piece) => return self.play(number, Ply::flip(square, piece)),
            Command::Genmove(_) => {
                let seed = self.seed.unwrap_or(0);
                Answer::Squares(choice(self.game.position(), seed))
            }
            _ => Answer::Empty,
        };
        Reply::done(number, answer)
    }

    fn knows(&self, command: &str) -> bool {
        let more = [CommandName::Set, CommandName::Position];
        let knows_more = self.seed.is_some() && more.iter().any(|name| command == name.text());
        command == CommandName::Genmove.text() || knows_more
    }

    fn play(&mut self, number: Option<u32>, ply: Ply) -> Reply {
        match self.game.play(ply) {
            Ok(()) => Reply::done(number, Answer::Empty),
            Err(error) => Reply::refused(number, error),
        }
    }
}

fn new_game() -> Game {
    Game::new(Position::start(), Rules::OLYMPIAD)
}

/// Chooses an action by the position's key and a seed: deterministic, but varied.
fn choice(position: &Position, seed: u64) -> Action {
    let actions = position.actions();
    let mixed =
        (position.key() ^ u64::from(position.ply()) ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    actions[(mixed >> 33) as usize % actions.len()]
}

fn misbehave(deed: &str, game: &Game) {
    match deed {
        "crash" => {
            eprintln!("mock: out of ideas");
            process::exit(7);
        }
        "exit" => process::exit(0),
        "stall" => sleep_for_good(),
        "garbage" => say("=12 resign the game\n"),
        "illegal" => say(&format!("=12 {}\n", illegal(game.position()))),
        "slow" => thread::sleep(Duration::from_millis(700)),
        "flood" => loop {
            say("thinking about it, and about it, and about it, and about it, and about it\n");
        },
        _ => {}
    }
}

/// Finds two squares that make no legal action.
fn illegal(position: &Position) -> String {
    let action = Action::all().find(|&action| !position.is_legal(action));
    let action = action.expect("most pairs of squares are no move");
    format!("{} {}", action.from(), action.to())
}

fn sleep_for_good() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

/// Writes and flushes; a referee that has gone away ends the engine.
fn say(text: &str) {
    let mut output = io::stdout().lock();
    let written = output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush());
    if written.is_err() {
        process::exit(1);
    }
}
