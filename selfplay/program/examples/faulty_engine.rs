//! An engine that keeps to its protocol, but for one fault.
//!
//! `faulty_engine none` passes every check of `selfplay check` in each of the three dialects;
//! `faulty_engine NAME` does what the check of this name looks for. It thinks no time at all
//! and plays an action that depends on the position alone. Its first line decides its dialect.
//! In a match of the one-line dialect `garbage`, `exit` and `stall` are faults too.

use std::io::{self, BufRead, Write};
use std::process;
use std::thread;
use std::time::Duration;

use anqi_protocol::Command;
use anqi_protocol::command::{CommandName, Request, parse};
use anqi_protocol::dialect::lines::{self, Follower};
use anqi_protocol::dialect::uci;
use anqi_rules::random::scramble;
use anqi_rules::{Action, Color, Content, Game, Piece, Ply, Position, Role, Rules};

fn main() {
    let fault = std::env::args().nth(1).unwrap_or_default();
    let mut engine = Engine::new(fault);
    let mut dialect = None;
    for line in io::stdin().lock().split(b'\n') {
        let Ok(line) = line else { break };
        let text = String::from_utf8_lossy(&line).into_owned();
        engine.look_at(&line, &text);
        let dialect = *dialect.get_or_insert(match text.as_str() {
            "uci" => Dialect::Uci,
            text if lines::recognises(text) => Dialect::Line,
            _ => Dialect::Tournament,
        });
        match dialect {
            Dialect::Tournament => engine.hear_tournament(&line, &text),
            Dialect::Uci => engine.hear_uci(&line, &text),
            Dialect::Line => engine.hear_line(&text),
        }
    }
    if engine.has("end-of-input") {
        sleep_for_good();
    }
}

#[derive(Clone, Copy)]
enum Dialect {
    Tournament,
    Uci,
    Line,
}

struct Engine {
    fault: String,
    game: Game,
    follower: Follower,
    /// Whether a search waits for the other side to end it.
    is_thinking: bool,
    /// Whether the side to move is not known, after `init_board`.
    is_undecided: bool,
    games: u32,
    /// Milliseconds left of the side asked last.
    left_ms: f64,
    hoard: Vec<u8>,
}

impl Engine {
    fn new(fault: String) -> Engine {
        let hoard = if fault == "memory" {
            vec![1; 100 << 20]
        } else {
            Vec::new()
        };
        Engine {
            fault,
            game: start(),
            follower: Follower::default(),
            is_thinking: false,
            is_undecided: false,
            games: 0,
            left_ms: 0.0,
            hoard,
        }
    }

    fn has(&self, fault: &str) -> bool {
        self.fault == fault
    }

    /// Ends at lines that it cannot bear.
    fn look_at(&self, line: &[u8], text: &str) {
        let is_raw = line.iter().any(|byte| !(b' '..0x7f).contains(byte));
        let is_unbearable = match self.fault.as_str() {
            "long-lines" => line.len() > 65_536,
            "raw-bytes" => is_raw,
            "unknown-words" => text.starts_with("xyzzy"),
            "bad-arguments" => text.starts_with("position fen X8/9") || text.starts_with("9/8/8/8"),
            _ => false,
        };
        if is_unbearable {
            process::exit(7);
        }
    }

    /// Chooses an action, after the time and with the legality of its fault.
    fn choose(&self) -> Action {
        let position = self.game.position();
        let actions = position.actions();
        self.waste_time();
        if self.blunders(position, &actions) {
            let illegal = Action::all().find(|&action| !position.is_legal(action));
            return illegal.expect("most pairs of squares are no move");
        }
        let salt = if self.has("determinism") {
            u64::from(process::id())
        } else {
            0
        };
        let mixed = scramble(scramble(salt) ^ position.key()) >> 33;
        actions[mixed as usize % actions.len()]
    }

    fn waste_time(&self) {
        let milliseconds = match self.fault.as_str() {
            "move-time" | "little-time" => 1_000,
            "game-clock" => 500,
            "decimal-times" if self.left_ms.fract() != 0.0 => 1_000,
            "quit-while-thinking" if self.left_ms > 1e6 => u64::MAX,
            "stall" => u64::MAX,
            _ => 0,
        };
        thread::sleep(Duration::from_millis(milliseconds));
        if self.has("exit") {
            process::exit(0);
        }
    }

    fn blunders(&self, position: &Position, actions: &[Action]) -> bool {
        let pieces = position.occupied().len();
        match self.fault.as_str() {
            "first-flip" => position.turn().is_none(),
            "middle-game" => position.ply() > 8 && !position.face_down().is_empty(),
            "cannon-jumps" => actions.iter().any(|&action| is_jump(position, action)),
            "few-pieces" => pieces <= 6,
            "only-action" => actions.len() == 1,
            "flips" => position.face_down().is_empty(),
            _ => false,
        }
    }

    fn hear_tournament(&mut self, line: &[u8], text: &str) {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let number = words.first().copied().unwrap_or_default();
        if let ["15" | "16", _, times @ ..] = &words[..]
            && let Some(answer) = self.read_time(&words, times.last().copied())
        {
            return say(&format!(
                "{answer}{number}{}",
                if answer == '?' { " no time" } else { "" }
            ));
        }
        match parse(line) {
            // Answered at `stop`.
            Ok(Some(request)) if self.begins_endless(&request.command) => self.is_thinking = true,
            Ok(Some(request)) => match self.answer(&request) {
                Ok(answer) => say(format!("={number} {answer}").trim_end()),
                Err(reason) => say(&format!("?{number} {reason}")),
            },
            Ok(None) => {}
            Err(_) if self.has("bad-arguments") || self.has("unknown-words") => {
                say(&format!("={number}"));
            }
            Err(_) => say(&format!("?{number} not understood")),
        }
    }

    /// Reads a time setting or the time left; returns the sign of the answer.
    fn read_time(&mut self, words: &[&str], time: Option<&str>) -> Option<char> {
        if self.has("settings") && words[1] == "time_setting" {
            return Some('?');
        }
        let Some(left_ms) = time.and_then(|time| time.parse::<f64>().ok()) else {
            return Some('?');
        };
        self.left_ms = left_ms;
        let refuses = self.has("decimal-times") && left_ms.fract() != 0.0;
        Some(if refuses { '?' } else { '=' })
    }

    fn answer(&mut self, request: &Request) -> Result<String, String> {
        let silent = Ok(String::new());
        match &request.command {
            Command::ProtocolVersion => Ok("1.1.0".to_owned()),
            Command::Name if self.has("handshake") => Err("who asks?".to_owned()),
            Command::Name => Ok("faulty".to_owned()),
            Command::Version => Ok("1".to_owned()),
            Command::KnownCommand(name) => {
                let known = CommandName::from_text(name).is_some() || self.has("known-commands");
                Ok(known.to_string())
            }
            Command::ListCommands => Ok("name\ngenmove\nmove\nflip".to_owned()),
            Command::Quit => self.quit(),
            Command::ResetBoard => {
                if !self.has("new-game") {
                    self.game = start();
                }
                silent
            }
            Command::Move(from, to) => self.play(Ply::step(*from, *to)),
            Command::Flip(square, piece) => self.play(Ply::flip(*square, *piece)),
            Command::InitBoard(board) => {
                if !self.has("init-board") {
                    let position = board.position(Color::Red).map_err(|e| e.to_string())?;
                    self.game = Game::new(position, Rules::OLYMPIAD);
                    self.is_undecided = true;
                }
                silent
            }
            Command::Genmove(color) => Ok(self.genmove(*color)),
            Command::Go(_) => Ok(format!("bestmove {}", self.choose())),
            Command::Stop => {
                self.stop_tournament();
                silent
            }
            _ => silent,
        }
    }

    fn begins_endless(&self, command: &Command) -> bool {
        let endless = matches!(command, Command::Go(limits) if limits.infinite);
        endless && !self.has("infinite")
    }

    fn quit(&mut self) -> Result<String, String> {
        say("=5");
        process::exit(if self.has("quit") { 3 } else { 0 });
    }

    fn play(&mut self, ply: Ply) -> Result<String, String> {
        let played = self.game.play(ply);
        played.map(|()| String::new()).map_err(|e| e.to_string())
    }

    fn genmove(&mut self, color: Option<Color>) -> String {
        let turn = self.game.position().turn();
        if std::mem::take(&mut self.is_undecided) && color != turn {
            self.game = Game::new(self.game.position().passed(), Rules::OLYMPIAD);
        }
        let action = self.choose();
        if self.has("clean-output") {
            say("thinking about it");
        }
        if self.has("echo") {
            let reveal = self.game.position().reveals().next();
            let ply = match reveal.filter(|_| action.is_flip()) {
                Some(reveal) => Ply::flip(action.from(), reveal.piece),
                None => Ply::from(action),
            };
            let _ = self.game.play(ply);
        }
        format!("{} {}", action.from(), action.to())
    }

    fn stop_tournament(&mut self) {
        if self.is_thinking {
            self.is_thinking = false;
            self.dawdle("stop");
            say(&format!("=54 bestmove {}", self.choose()));
        }
    }

    fn dawdle(&self, fault: &str) {
        if self.has(fault) {
            thread::sleep(Duration::from_millis(900));
        }
    }

    fn hear_uci(&mut self, line: &[u8], text: &str) {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        match words.first().copied().unwrap_or_default() {
            "uci" if self.has("handshake") => say("uciok"),
            "uci" => say("id name faulty\nuciok"),
            "isready" => {
                if self.is_thinking {
                    self.dawdle("ready-while-thinking");
                }
                say("readyok");
            }
            "ucinewgame" => {
                self.games += 1;
                if self.has("new-game") && self.games > 1 {
                    process::exit(7);
                }
            }
            "position" => {
                if let Ok(uci::Message::Request(request)) = uci::read(line)
                    && let Command::Position(position, plies) = request.command
                {
                    self.set_up(*position, &plies);
                }
            }
            "go" => self.go(&words),
            "stop" | "ponderhit" if self.is_thinking => {
                self.dawdle("stop");
                self.best_move();
            }
            "quit" => {
                if self.has("quit-while-thinking") && self.is_thinking {
                    sleep_for_good();
                }
                process::exit(if self.has("quit") { 3 } else { 0 });
            }
            _ => {}
        }
    }

    fn set_up(&mut self, position: Position, plies: &[Ply]) {
        self.game = Game::new(position, Rules::OLYMPIAD);
        for &ply in plies {
            self.game.play(ply).expect("a legal ply");
        }
    }

    fn go(&mut self, words: &[&str]) {
        let times = words.iter().filter_map(|word| word.parse::<f64>().ok());
        self.left_ms = times.reduce(f64::min).unwrap_or(0.0);
        let endless = words.contains(&"infinite") && !self.has("infinite");
        let pondering = words.contains(&"ponder") && !self.has("ponder");
        if endless || pondering {
            self.is_thinking = true;
        } else {
            self.best_move();
        }
    }

    fn best_move(&mut self) {
        self.is_thinking = false;
        say(&format!("bestmove {}", uci::write_action(self.choose())));
    }

    fn hear_line(&mut self, text: &str) {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [ranks, turn, red, black] = words[..] else {
            return;
        };
        // The clocks are read here, the board there.
        let Ok(line) = lines::read(&format!("{ranks} {turn} -9999 -9999")) else {
            return;
        };
        let Ok(game) = self.follower.follow(&line, Rules::COURSE) else {
            return;
        };
        self.game = game.clone();
        let own = if turn == "r" { red } else { black };
        self.left_ms = own.parse().unwrap_or(0.0);
        let is_asked = (red, black) != ("-9999", "-9999");
        if !is_asked && !self.has("unasked") {
            return;
        }
        if self.has("clean-output") || self.has("garbage") {
            say("thinking about it");
        }
        say(&lines::write_action(self.choose()));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Keeps the hoard until the end.
        std::hint::black_box(&self.hoard);
    }
}

fn start() -> Game {
    Game::new(Position::start(), Rules::OLYMPIAD)
}

fn is_jump(position: &Position, action: Action) -> bool {
    let role = position.piece_at(action.from()).map(Piece::role);
    let captures = position.content(action.to()) != Content::Empty;
    role == Some(Role::Cannon) && !action.is_flip() && captures
}

fn sleep_for_good() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

/// Writes a line and flushes; who has gone away ends the engine.
fn say(text: &str) {
    let mut output = io::stdout().lock();
    let written = writeln!(output, "{text}").and_then(|()| output.flush());
    if written.is_err() {
        process::exit(1);
    }
}
