//! UCI for banqi, for programs of the JavaScript world: a game, a few options, one search at a time.
//!
//! The protocol's crate reads and writes the lines. Requests are answered even during a search; a second `go`
//! waits for the first. A `go` is always answered: of a position that is refused the board is kept, and an
//! action of it is the answer.

use crate::direct::so_far;
use crate::outside::{Outside, Post};
use anqi_desk::{Found, Job, Kind, Owner, Work};
use anqi_protocol::command::{GoLimits, Refusal, Request};
use anqi_protocol::dialect::{Diagram, uci};
use anqi_protocol::{Answer, BestMove, Command, CommandName, Info, Reply};
use anqi_rules::{Action, Color, Game, Position, Rules};
use anqi_search::{Choice, Limits, Report, Stop, TimeLimit};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// The largest transposition table, in mebibytes: memories of a browser are small.
const MOST_HASH: u32 = 128;
/// Mebibytes of the table unless an option sets them.
const DEFAULT_HASH: u32 = 32;
/// The most lines.
const MOST_LINES: u32 = 256;
/// Time for an action if nothing limits it.
const UNTIMED: Duration = Duration::from_secs(1);

/// The answer to `isready`.
const READY: &str = "readyok";

/// A conversation.
#[derive(Debug)]
pub(crate) struct Uci {
    outside: Arc<dyn Outside>,
    game: Game,
    /// The board of the last position, if that was refused.
    lost: Option<Box<Diagram>>,
    rules: Rules,
    level: Option<u32>,
    hash: u32,
    lines: u32,
    seed: u64,
    /// Whether a game begins: its player forgets the last one. One player serves all games, since memories never shrink.
    begins: bool,
    /// The flags of searches that have not ended.
    searches: Vec<Weak<Stop>>,
}

impl Uci {
    /// Begins a conversation.
    pub(crate) fn new(outside: &Arc<dyn Outside>) -> Uci {
        let rules = Rules::default();
        Uci {
            outside: Arc::clone(outside),
            game: Game::new(Position::start(), rules),
            lost: None,
            rules,
            level: None,
            hash: DEFAULT_HASH,
            lines: 1,
            seed: 0,
            begins: false,
            searches: Vec::new(),
        }
    }

    /// Takes a line, and returns a search to run.
    pub(crate) fn hear(&mut self, line: &str) -> Option<Job> {
        match uci::read(line.as_bytes()) {
            Ok(uci::Message::Introduce) => self.say(&introduction()),
            Ok(uci::Message::Ready) => return self.make_ready(),
            Ok(uci::Message::Nothing | uci::Message::PonderHit) => {}
            Ok(uci::Message::Request(request)) => return self.obey(line, request),
            Ok(uci::Message::Doubtful(request, faults)) => {
                for fault in faults {
                    self.refuse(None, &fault.to_string());
                }
                return self.obey(line, request);
            }
            Err(Refusal { number, error }) => {
                if number == Some(CommandName::Position.number()) {
                    self.lost = uci::sketch(line.as_bytes()).map(Box::new);
                }
                self.refuse(None, &error.to_string());
            }
        }
        None
    }

    fn say(&self, text: &str) {
        for line in text.lines() {
            self.outside.post(Post::Uci(line.to_owned()));
        }
    }

    fn refuse(&self, number: Option<u32>, why: &str) {
        self.say(&uci::write_reply(&Reply::refused(number, why)));
    }

    fn obey(&mut self, line: &str, request: Request) -> Option<Job> {
        match request.command {
            Command::ResetBoard => self.begins = true,
            Command::Position(start, plies) => {
                let mut game = Game::new(*start, self.rules);
                let played = plies.into_iter().try_for_each(|ply| game.play(ply));
                match played {
                    Ok(()) => (self.game, self.lost) = (game, None),
                    Err(error) => {
                        self.lost = uci::sketch(line.as_bytes()).map(Box::new);
                        self.refuse(None, &error.to_string());
                    }
                }
            }
            Command::Set(name, value) => {
                if let Err(why) = self.set(&name, &value) {
                    self.refuse(None, &why);
                }
            }
            Command::Stop | Command::Quit => {
                let running = self.searches.drain(..).filter_map(|stop| stop.upgrade());
                running.for_each(|stop| stop.request());
            }
            Command::Go(limits) => return self.go(&limits),
            _ => {}
        }
        None
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = |least: u32, most: u32| {
            let number = value.parse().ok();
            let number = number.filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| {
                format!("'{value}' is not a value of {name} (expected {least}-{most})")
            })
        };
        match name {
            "hash" => self.hash = number(1, MOST_HASH)?,
            "level" => self.level = Some(number(1, 10)?),
            "multipv" => self.lines = number(1, MOST_LINES)?,
            "seed" => self.seed = u64::from(number(0, u32::MAX)?),
            "rules" => self.rules = value.parse::<Rules>().map_err(|error| error.to_string())?,
            _ => {
                return Err(format!(
                    "no option '{name}' (expected hash, level, multipv, rules or seed)"
                ));
            }
        }
        Ok(())
    }

    /// Answers `isready`: once the player has its tables, which take half a second that no clock must pay; at
    /// once during a search.
    fn make_ready(&mut self) -> Option<Job> {
        let is_searching = self.searches.iter().any(|search| search.strong_count() > 0);
        if is_searching || self.game.actions().is_empty() {
            self.say(READY);
            return None;
        }
        let limits = Limits {
            depth: Some(1),
            nodes: Some(1),
            ..Limits::NONE
        };
        let owner = Preparation {
            outside: Arc::clone(&self.outside),
            work: Some(self.work(limits)),
        };
        Some(Job::new(Kind::Move, &Arc::new(Stop::new()), owner))
    }

    /// Returns a search of the game's position.
    fn work(&mut self, limits: Limits) -> Work {
        let level = self
            .level
            .map_or(String::new(), |level| format!(",level={level}"));
        let spec = format!("champion:hash={}{level}", self.hash);
        Work::Move {
            game: self.game.clone(),
            // Another option makes another player.
            key: format!("uci {spec}"),
            spec,
            begins: std::mem::take(&mut self.begins),
            limits,
            seed: self.seed,
        }
    }

    /// Returns the search for a `go`, or answers it where there is nothing to search.
    fn go(&mut self, request: &GoLimits) -> Option<Job> {
        let lost = self.lost.as_ref().map(|board| board.safest());
        let is_over = self.game.actions().is_empty();
        if let Some(instead) = lost.or_else(|| is_over.then_some(None)) {
            let number = Some(CommandName::Go.number());
            match instead {
                Some(action) => self.say(&best_move(action)),
                None => self.refuse(number, "the game is over"),
            }
            return None;
        }
        let color = self.game.position().turn();
        let limits = Limits {
            depth: request.depth,
            nodes: request.nodes,
            time: time_of(request, color),
            multipv: request.multipv.unwrap_or(self.lines) as usize,
            outcomes: false,
        };
        let stop = Arc::new(Stop::new());
        self.searches.retain(|search| search.strong_count() > 0);
        self.searches.push(Arc::downgrade(&stop));
        let owner = Search {
            outside: Arc::clone(&self.outside),
            work: Some(self.work(limits)),
            several: limits.multipv > 1,
            last: None,
            fallback: self.game.actions()[0],
        };
        Some(Job::new(Kind::Move, &stop, owner))
    }
}

/// Returns the time limit of a `go`.
fn time_of(request: &GoLimits, color: Option<Color>) -> TimeLimit {
    if let Some(time) = request.movetime {
        return TimeLimit::PerMove(time);
    }
    if request.infinite || request.ponder {
        return TimeLimit::None;
    }
    let clock = request.clock.as_ref().and_then(|clock| {
        // Before the first flip the shorter clock counts.
        let sides = Color::ALL
            .into_iter()
            .filter(|side| color.is_none_or(|turn| turn == *side));
        let left = sides.filter_map(|side| Some((clock.left[side]?, clock.increment[side])));
        let (left, increment) = left.min()?;
        Some(match clock.moves_to_go {
            Some(moves) => {
                TimeLimit::PerMove((left / moves.get() + increment / 2).min(left * 9 / 10))
            }
            None => TimeLimit::Total { left, increment },
        })
    });
    match clock {
        Some(limit) => limit,
        None if request.nodes.is_some() || request.depth.is_some() => TimeLimit::None,
        None => TimeLimit::PerMove(UNTIMED),
    }
}

/// A search that answers in UCI.
struct Search {
    outside: Arc<dyn Outside>,
    work: Option<Work>,
    several: bool,
    last: Option<Report>,
    fallback: Action,
}

impl Owner for Search {
    fn begin(&mut self) -> Option<Work> {
        self.work.take()
    }

    fn progress(&mut self, report: &Report) {
        let line = uci::write_info(&info(report, self.several));
        self.outside.post(Post::Uci(line.trim_end().to_owned()));
        if report.rank <= 1 {
            self.last = Some(report.clone());
        }
    }

    fn finish(self: Box<Self>, found: Result<Found, String>) {
        let choice = match found {
            Ok(Found::Move(choice)) => Some(choice),
            _ => self.last.as_ref().and_then(so_far),
        };
        let choice = choice.unwrap_or_else(|| Choice::plain(self.fallback));
        let line = best_move(choice.action);
        self.outside.post(Post::Uci(line.trim_end().to_owned()));
    }
}

/// A search of one position, after which the player is ready.
struct Preparation {
    outside: Arc<dyn Outside>,
    work: Option<Work>,
}

impl Owner for Preparation {
    fn begin(&mut self) -> Option<Work> {
        self.work.take()
    }

    fn finish(self: Box<Self>, _: Result<Found, String>) {
        self.outside.post(Post::Uci(READY.to_owned()));
    }
}

fn best_move(action: Action) -> String {
    let answer = Answer::BestMove(BestMove::plain(action));
    uci::write_reply(&Reply::done(Some(CommandName::Go.number()), answer))
}

fn info(report: &Report, several: bool) -> Info {
    Info {
        multipv: several.then_some(report.rank as u32),
        depth: report.depth,
        selective_depth: report.selective_depth,
        score: Some(report.score.to_string()),
        plies_to_end: report.score.plies_to_end(),
        nodes: report.nodes,
        time: report.elapsed,
        table_hits: report.table_hits,
        hash_permille: report.hash_permille,
        line: report.line.iter().map(|step| step.action).collect(),
    }
}

fn introduction() -> String {
    let rules: Vec<String> = Rules::PRESETS
        .iter()
        .map(|(name, _)| format!(" var {name}"))
        .collect();
    format!(
        "id name anqi {}\nid author the anqi authors\n\
         option name Hash type spin default {DEFAULT_HASH} min 1 max {MOST_HASH}\n\
         option name Level type spin default 10 min 1 max 10\n\
         option name MultiPV type spin default 1 min 1 max {MOST_LINES}\n\
         option name Rules type combo default {}{}\n\
         option name Seed type spin default 0 min 0 max {}\nuciok\n",
        env!("CARGO_PKG_VERSION"),
        Rules::default(),
        rules.concat(),
        u32::MAX
    )
}
