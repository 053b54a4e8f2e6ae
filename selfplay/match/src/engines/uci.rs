//! Engines that run an outside program over the UCI dialect for banqi.
//!
//! `uci`, `isready`, `ucinewgame`, then for every move of its own the position
//! after the last capture or flip with the quiet moves since, and `go`. The
//! program is told nothing between its moves. The dialect has only nodes and time
//! per move; a total clock is divided here as the built-in players do. Where the
//! rules forbid a perpetual chase, `searchmoves` lists the legal actions.

use std::time::Duration;

use anqi_protocol::Launch;
use anqi_rules::{Action, Game, Position};
use anqi_search::clock::share;

use super::banqi_fen;
use super::talk::Talk;
use crate::clock::TimeLeft;
use crate::engine::{Engine, EngineFault, MoveReply, MoveRequest, NewGame, PlyNotice};
use crate::interrupt::Interrupt;
use crate::limits::Limits;

/// How long a program may take to start and to say that it is ready.
const START: Duration = Duration::from_secs(10);
/// The time limit sent where only nodes limit a program, because some search a second by default.
const LONG: Duration = Duration::from_secs(3600);

/// An engine for a program that speaks the dialect.
pub(crate) struct UciEngine {
    talk: Talk,
    name: String,
    /// The position after the last capture or flip.
    window: Position,
    /// The quiet actions since.
    quiet: Vec<Action>,
}

impl UciEngine {
    /// Starts a program and asks for its name.
    ///
    /// # Errors
    ///
    /// Returns an error if the program cannot be started or communication fails.
    pub(crate) fn start(launch: &Launch, interrupt: &Interrupt) -> Result<UciEngine, EngineFault> {
        let mut engine = UciEngine {
            talk: Talk::start(launch, interrupt)?,
            name: String::new(),
            window: Position::start(),
            quiet: Vec::new(),
        };
        engine.talk.send("uci")?;
        let mut name = None;
        engine.wait_for("uciok", START, |line| {
            let said = line.strip_prefix("id name ").map(str::to_owned);
            name = name.take().or(said);
        })?;
        engine.name = name.unwrap_or_default();
        Ok(engine)
    }

    /// Returns the program's own name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Reads lines until one begins with `word`, and returns it.
    fn wait_for(
        &mut self,
        word: &str,
        tolerance: Duration,
        mut other: impl FnMut(&str),
    ) -> Result<String, EngineFault> {
        self.talk.wait_for(word, tolerance, |line| {
            let begins = line.split(' ').next() == Some(word);
            if !begins {
                other(line);
            }
            begins
        })
    }

    /// Returns the position and the quiet moves since.
    fn position_command(&self) -> String {
        let fen = banqi_fen::position(&self.window);
        format!("position fen {fen}{}", list("moves", &self.quiet))
    }

    fn remember(&mut self, game: &Game, action: Action) {
        // A course's counter goes on after a flip, which moves cannot repeat: they do not tell the piece.
        if game.position().quiet_counter() == 0 || action.is_flip() {
            self.window = *game.position();
            self.quiet.clear();
        } else {
            self.quiet.push(action);
        }
    }
}

impl Engine for UciEngine {
    fn new_game(&mut self, game: &NewGame) -> Result<(), EngineFault> {
        self.window = game.start;
        self.quiet.clear();
        self.talk.send("ucinewgame")?;
        self.talk.send("isready")?;
        self.wait_for("readyok", START, |_| {})?;
        Ok(())
    }

    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, EngineFault> {
        self.talk.send(&self.position_command())?;
        let face_down = request.game.position().face_down().len();
        let go = go_command(&request.limits, request.time, face_down);
        self.talk.send(&(go + &search_moves(request.game)))?;
        let mut nodes = 0;
        let answer = self.wait_for("bestmove", request.deadline, |line| {
            nodes = reported_nodes(line).unwrap_or(nodes);
        })?;
        let action = answer
            .split_whitespace()
            .nth(1)
            .and_then(banqi_fen::parse_action);
        match action {
            Some(action) => Ok(MoveReply {
                action,
                nodes,
                value: None,
            }),
            None => Err(EngineFault::BadAnswer(format!("'{answer}' names no move"))),
        }
    }

    fn notify(&mut self, played: &PlyNotice<'_>) -> Result<(), EngineFault> {
        self.remember(played.game, played.ply.action);
        Ok(())
    }

    fn waited(&self) -> Option<Duration> {
        self.talk.waited()
    }
}

/// Returns the command that makes a program think within its limits.
fn go_command(limits: &Limits, time: TimeLeft, face_down: usize) -> String {
    let movetime = match time {
        TimeLeft::PerMove(time) => time,
        TimeLeft::Total { left, increment } => share(left, increment, face_down),
        TimeLeft::Unlimited => LONG,
    };
    let mut command = format!("go movetime {}", movetime.as_millis().max(1));
    if let Some(nodes) = limits.nodes {
        command += &format!(" nodes {nodes}");
    }
    command
}

/// Returns the end of a `go` command that leaves out the chases which the rules forbid here.
///
/// A program that knows no ban would be told of it by nothing else.
fn search_moves(game: &Game) -> String {
    let legal = game.actions();
    if legal.len() == game.position().actions().len() {
        return String::new();
    }
    list("searchmoves", &legal)
}

/// Returns a word and the actions behind it, a space before each, or nothing if there are none.
fn list(word: &str, actions: &[Action]) -> String {
    if actions.is_empty() {
        return String::new();
    }
    let mut words = format!(" {word}");
    for &action in actions {
        words.push(' ');
        words += &banqi_fen::action(action);
    }
    words
}

/// Says why a program cannot be held to these limits, if it cannot.
pub(crate) fn limit_warning(limits: &Limits) -> Option<String> {
    let depth = limits.depth?;
    Some(format!(
        "this dialect knows no depth, so it cannot be asked for depth {depth}"
    ))
}

/// Reads the nodes of an `info` line.
fn reported_nodes(line: &str) -> Option<u64> {
    let mut words = line.strip_prefix("info ")?.split_whitespace();
    words.find(|word| *word == "nodes")?;
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use anqi_rules::Rules;

    use super::*;

    #[test]
    fn limits_are_spelt_out() {
        let nodes = go_command(&Limits::DEFAULT, TimeLeft::Unlimited, 0);
        assert!(nodes.starts_with("go movetime 3600000 nodes "), "{nodes}");
        let per_move = TimeLeft::PerMove(Duration::from_millis(50));
        assert_eq!(
            go_command(&Limits::default(), per_move, 0),
            "go movetime 50"
        );
        assert_eq!(reported_nodes("info depth 3 nodes 77 pv a0a1"), Some(77));
        assert_eq!(reported_nodes("bestmove a0a1"), None);
    }

    #[test]
    fn actions_are_listed_where_a_chase_is_forbidden() {
        let cycle = "c3-b3 b4-c4 b3-c3 c4-b4";
        let text = format!("P3/4/4/1r2/4/2G1/4/3p b - 0 0 moves b5-b4 {cycle} {cycle}");
        let mut game = Game::from_text(&text, Rules::MISTBOARD).expect("a game");
        let words = search_moves(&game);
        let listed: Vec<Action> = words
            .strip_prefix(" searchmoves ")
            .expect("a list")
            .split(' ')
            .map(|word| banqi_fen::parse_action(word).expect("an action"))
            .collect();
        assert_eq!(listed[..], game.actions()[..]);
        assert!(!listed.contains(&"c3-b3".parse().expect("an action")));
        game.undo();
        assert_eq!(search_moves(&game), "");
    }
}
