//! A conversation with a server, a script or a graphical board.
//!
//! A [`Session`] owns the game, the clocks, the options and one player. It
//! takes requests one by one ([`Session::handle`]) and never blocks: a search
//! or a perft is handed out as a [`Job`], which owns everything it needs, may
//! run on any thread, and is handed back when it is done. The driver
//! ([`serve()`]) stays free to listen for `stop` and `quit`;
//! [`Session::respond`] is the driver that does not listen, for tests and
//! simple programs.
//!
//! A refused request changes nothing. The server decides about draws: a game
//! that is drawn by our rules may continue, and so may one that a side has lost by them, as
//! long as the side to move has an action.

mod board;
mod choosing;
mod clock;
mod dialect;
mod job;
mod log;
mod option_error;
mod options;
mod parts;
mod player;
mod queue;
mod serve;
mod slot;
mod tables;
#[cfg(test)]
mod tests;
mod uci_options;

pub use job::{Done, Job};
pub use log::Log;
pub use option_error::OptionError;
pub use parts::{ChosenRules, Parts};
pub use player::{Made, MakePlayer, PlayerOptions, builtin_player};
pub use serve::{serve, serve_logged};
pub use tables::{OpenTables, Probe, builtin_tables};

use anqi_protocol::dialect::Diagram;
use anqi_protocol::{Answer, BestMove, Command, CommandName, Refusal, Reply, Request, command};
use anqi_rules::{Action, Color, DrawReason, Game, Outcome, Ply, Rules, WinReason};
use anqi_search::{Limits, TimeLimit};
use board::Board;
use choosing::Choosing;
use clock::Clocks;
use job::{AnswerForm, Perft, Thinking};
use options::Options;
use slot::PlayerSlot;
use std::time::Duration;

/// The supported version of the tournament protocol.
const PROTOCOL_VERSION: &str = "1.1.0";
/// The result of a request.
pub enum Step {
    /// No answer: an empty line or a comment.
    Silent,
    /// The answer.
    Reply(Reply),
    /// A job to run; [`Session::finish`] then gives the answer.
    Work(Job),
    /// The answer, and the end of the conversation.
    Leave(Reply),
}

/// The state of a conversation.
pub struct Session {
    board: Board,
    clocks: Clocks,
    options: Options,
    player: PlayerSlot,
    chosen_rules: ChosenRules,
}

impl Session {
    /// Begins a conversation with a new game.
    ///
    /// # Errors
    ///
    /// Fails if the player cannot be made.
    pub fn new(parts: Parts) -> Result<Session, OptionError> {
        let chosen_rules = parts.rules;
        let options = Options {
            rules: chosen_rules.over(Rules::default()),
            ..Options::default()
        };
        Ok(Session {
            board: Board::start(options.rules),
            clocks: Clocks::default(),
            player: PlayerSlot::new(parts)?,
            options,
            chosen_rules,
        })
    }

    /// Takes one line and returns the lines of its answer; a search runs on this thread.
    ///
    /// No `stop` can end such a search.
    pub fn respond(&mut self, line: &str) -> Vec<String> {
        let mut text = String::new();
        let reply = match self.handle(command::parse(line.as_bytes())) {
            Step::Silent => return Vec::new(),
            Step::Reply(reply) | Step::Leave(reply) => reply,
            Step::Work(job) => {
                let done = job.run(&mut |info| text.push_str(&info.to_string()));
                self.finish(done)
            }
        };
        text.push_str(&reply.to_string());
        text.lines().map(str::to_owned).collect()
    }

    /// Takes one request, or the parser's refusal of a line.
    pub fn handle(&mut self, request: Result<Option<Request>, Refusal>) -> Step {
        match request {
            Ok(None) => Step::Silent,
            Err(refusal) => Step::Reply(Reply::from(refusal)),
            Ok(Some(Request { number, command })) => match self.obey(number, command) {
                Ok(step) => step,
                Err(reason) => Step::Reply(Reply::refused(number, reason)),
            },
        }
    }

    /// Takes the player back from a finished job and returns the answer.
    pub fn finish(&mut self, done: Done) -> Reply {
        match done {
            Done::Perft(number, leaves) => match leaves {
                Some(leaves) => Reply::done(number, Answer::Count(leaves)),
                None => Reply::refused(number, "stopped before the end"),
            },
            Done::Thinking(thought) => {
                if matches!(thought.limits.time, TimeLimit::Total { .. }) {
                    self.clocks.spend(thought.color, thought.elapsed);
                }
                let answer = thought.answer();
                let reply = Reply::done(thought.number, answer);
                self.player.give_back(thought.player);
                reply
            }
        }
    }

    /// Carries out a command, or says why not.
    fn obey(&mut self, number: Option<u32>, command: Command) -> Result<Step, String> {
        let answer = match command {
            Command::Quit => return Ok(Step::Leave(Reply::done(number, Answer::Empty))),
            Command::Genmove(color) => return self.genmove(number, color),
            Command::Go(limits) => return self.go(number, &limits),
            Command::Perft(depth) => return self.perft(number, depth).map(Step::Work),
            Command::ProtocolVersion => Answer::Text(PROTOCOL_VERSION.to_owned()),
            Command::Name => Answer::Text("anqi".to_owned()),
            Command::Version => Answer::Text(env!("CARGO_PKG_VERSION").to_owned()),
            Command::KnownCommand(name) => Answer::Truth(CommandName::from_text(&name).is_some()),
            Command::ListCommands => {
                Answer::Lines(CommandName::texts().map(str::to_owned).collect())
            }
            Command::Showboard => Answer::Lines(self.board.drawing()),
            Command::LegalActions => Answer::Actions(self.game()?.actions().to_vec()),
            Command::GetPosition => Answer::Position(Box::new(*self.game()?.position())),
            Command::Result => Answer::Text(result_text(self.game()?.outcome())),
            Command::Options => Answer::Lines(self.options.lines(&self.player)),
            Command::Probe => Answer::Text(self.probe()?),
            other => {
                self.change(other)?;
                Answer::Empty
            }
        };
        Ok(Step::Reply(Reply::done(number, answer)))
    }

    /// Carries out a command whose answer is empty.
    fn change(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::ResetBoard => {
                self.board = Board::start(self.options.rules);
                self.new_game();
            }
            Command::InitBoard(text) => {
                self.board = Board::set_up(*text, self.options.rules)?;
                self.new_game();
            }
            Command::Position(start, plies) => {
                self.board = Board::position(*start, &plies, self.options.rules)?;
            }
            Command::Move(from, to) => self.board.play(Ply::step(from, to))?,
            Command::Flip(square, piece) => self.board.play(Ply::flip(square, piece))?,
            Command::Undo => self.board.undo()?,
            Command::NumRepetition(times) => {
                self.options.limit_repetition(times.map(Into::into));
                self.board.set_rules(self.options.rules);
            }
            Command::NumMovesToDraw(plies) => {
                self.options.rules.quiet_limit = plies.map(Into::into);
                self.board.set_rules(self.options.rules);
            }
            Command::Ready => self.prepare()?,
            Command::TimeSettings(total) => self.clocks = Clocks::both(total),
            Command::TimeLeft(color, left) => self.clocks.left[color] = Some(left),
            Command::Set(name, value) => {
                self.options
                    .set(&name, &value, &mut self.player)
                    .map_err(|e| e.to_string())?;
                self.board.set_rules(self.options.rules);
            }
            // boardsize, game_over and a stop with nothing to stop change nothing.
            _ => {}
        }
        Ok(())
    }

    /// Takes the player back from a search on the opponent's time, and searches again by the
    /// limits that count from now on.
    fn resume(&mut self, done: Done) -> Result<Job, Reply> {
        match done {
            Done::Thinking(mut thought) if thought.after_hit.is_some() => {
                thought.limits = thought.after_hit.take().unwrap_or(thought.limits);
                thought.choice = None;
                self.player.give_back(thought.player.take());
                thought.player = self.player.lend();
                Ok(Job::think(*thought))
            }
            done => Err(self.finish(done)),
        }
    }

    /// Plays by these rules unless others are asked for.
    fn play_by(&mut self, rules: Rules) {
        self.options.rules = self.chosen_rules.over(rules);
        self.board.set_rules(self.options.rules);
    }

    /// Returns the board, unless its side to move is unknown.
    fn diagram(&self) -> Option<Diagram> {
        self.game().ok().map(|game| Diagram::of(game.position()))
    }

    /// Sends `info` lines from now on.
    fn report_info(&mut self) {
        self.options.info = true;
    }

    /// Lets the player allocate its memory and open its tables before a clock runs.
    fn prepare(&mut self) -> Result<(), String> {
        let rules = self.options.rules;
        let prepared = self.player.get_mut().prepare(rules);
        prepared.map_err(|error| error.to_string())
    }

    /// Resets the clocks and the player's memory.
    fn new_game(&mut self) {
        self.clocks = self.clocks.total.map_or_else(Clocks::default, Clocks::both);
        self.player.get_mut().new_game();
    }

    fn game(&self) -> Result<&Game, String> {
        self.board.game()
    }

    /// Starts the search for `genmove`.
    fn genmove(&mut self, number: Option<u32>, color: Option<Color>) -> Result<Step, String> {
        let game = self.board.game_for(color)?;
        if game.actions().is_empty() {
            let action = last_resort(&game)?;
            return Ok(Step::Reply(Reply::done(number, Answer::Squares(action))));
        }
        let limits = Limits {
            time: self.clocks.limit(color),
            ..Limits::NONE
        };
        // Nothing below can fail, so a side to move that was unknown is settled now.
        self.board = Board::Game(Box::new(game.clone()));
        let choosing = Choosing::among_all();
        let thought = self.think(number, color, game, limits, choosing, AnswerForm::Squares);
        Ok(Step::Work(Job::think(thought)))
    }

    /// Starts the search for `go`; without limits the clock decides.
    fn go(&mut self, number: Option<u32>, request: &command::GoLimits) -> Result<Step, String> {
        let game = self.game()?.clone();
        if game.actions().is_empty() {
            let best = BestMove::plain(last_resort(&game)?);
            return Ok(Step::Reply(Reply::done(number, Answer::BestMove(best))));
        }
        let color = game.position().turn();
        let lines = request.multipv.unwrap_or(1) as usize;
        let choosing = Choosing::new(&game, &request.actions, lines);
        let limits = Limits {
            depth: request.depth,
            nodes: request.nodes,
            time: self.time_for(request, color),
            multipv: lines,
            ..Limits::NONE
        };
        let mut thought = self.think(number, color, game, limits, choosing, AnswerForm::BestMove);
        if request.ponder {
            thought.after_hit = Some(limits);
            thought.limits.time = TimeLimit::None;
        }
        Ok(Step::Work(Job::think(thought)))
    }

    /// Returns the time limit of a `go`: its own, or from the clocks it gives, or from ours.
    fn time_for(&self, request: &command::GoLimits, color: Option<Color>) -> TimeLimit {
        if let Some(time) = request.movetime {
            return TimeLimit::PerMove(time);
        }
        if request.infinite {
            return TimeLimit::None;
        }
        let clock = request.clock.as_ref();
        match clock.and_then(|clock| clock::limit_from(clock, color)) {
            Some(limit) => limit,
            None if request.nodes.is_some() || request.depth.is_some() => TimeLimit::None,
            None => self.clocks.limit(color),
        }
    }

    fn think(
        &mut self,
        number: Option<u32>,
        color: Option<Color>,
        game: Game,
        limits: Limits,
        choosing: Choosing,
        form: AnswerForm,
    ) -> Thinking {
        Thinking {
            number,
            player: self.player.lend(),
            game,
            limits,
            seed: self.options.seed,
            info: self.options.info,
            form,
            choosing,
            color,
            arrival: None,
            elapsed: Duration::ZERO,
            choice: None,
            after_hit: None,
        }
    }

    fn perft(&self, number: Option<u32>, depth: u32) -> Result<Job, String> {
        let position = *self.game()?.position();
        Ok(Job::perft(Perft {
            number,
            position,
            depth,
        }))
    }

    fn probe(&mut self) -> Result<String, String> {
        let position = *self.game()?.position();
        self.player.probe(&position, self.options.rules)
    }
}

/// Returns an action in a game that is over by our rules, for a server that plays on.
///
/// # Errors
///
/// Fails with the end of the game if there is no action.
fn last_resort(game: &Game) -> Result<Action, String> {
    let end = match game.position().loser() {
        Some((loser, WinReason::Annihilation)) => format!("{loser} has no pieces left"),
        Some((loser, WinReason::NoLegalAction)) => format!("{loser} has no legal action"),
        None => "no action is legal".to_owned(),
    };
    match Diagram::of(game.position()).safest() {
        None => Err(format!("the game is over: {end}")),
        Some(action) => {
            eprintln!("anqi: the game is over: {end}; asked for an action, {action} is played");
            Ok(action)
        }
    }
}

fn result_text(outcome: Option<Outcome>) -> String {
    match outcome {
        None => "playing".to_owned(),
        Some(Outcome::Win { winner, .. }) => format!("{winner} wins"),
        Some(Outcome::Draw(DrawReason::QuietLimit)) => "draw quiet-limit".to_owned(),
        Some(Outcome::Draw(DrawReason::Repetition { .. })) => "draw repetition".to_owned(),
    }
}
