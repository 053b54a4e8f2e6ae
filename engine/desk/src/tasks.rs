//! What a connection has asked the thinkers for: a hint, an analysis, a review, a look-up.

use crate::line::game_of;
use crate::outbox::Outbox;
use crate::practice::Drill;
use crate::services::Services;
use crate::tables::TableAction;
use crate::wire::{
    Analyse, Analysis, Code, HintView, Refusal, Review as ReviewRequest, ServerMessage, refuse,
};
use crate::work::{Found, Job, Kind, Owner, Work};
use anqi_analysis::{Candidate, Flip, Review, Rounds, Value, default_nodes, over};
use anqi_rules::{Game, Square};
use anqi_search::Stop;
use anqi_tablebase::classes::Material;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The shortest round of an analysis.
const LEAST_ROUND: Duration = Duration::from_millis(5);
/// The default number of best actions.
const LINES: usize = 3;
/// The most nodes for a decision in a review.
const MOST_NODES: u64 = 5_000_000;

/// The connection that a task answers.
#[derive(Clone, Debug)]
pub struct Asker {
    /// What all share.
    pub services: Services,
    /// The way back.
    pub outbox: Outbox,
    /// The number of the message.
    pub re: Option<u64>,
}

impl Asker {
    fn send(&self, message: &ServerMessage) {
        self.outbox.send(self.re, message);
    }

    /// Ends a task with an error, unless it was told to end.
    fn fail(&self, stop: &Stop, what: &str, why: &str) {
        if stop.requested() {
            return;
        }
        stop.request();
        self.send(&ServerMessage::Error {
            code: Code::Internal,
            message: format!("the {what} failed: {why}"),
        });
    }

    fn submit(&self, kind: Kind, stop: &Arc<Stop>, owner: impl Owner + 'static) {
        self.services.host.submit(Job::new(kind, stop, owner));
    }
}

/// Starts the search for a hint in the game with this name. Raising the flag ends it.
pub fn start_hint(asker: &Asker, name: String, game: Game) -> Arc<Stop> {
    let stop = Arc::new(Stop::new());
    let owner = HintTask {
        asker: asker.clone(),
        name,
        game,
        stop: Arc::clone(&stop),
    };
    asker.submit(Kind::Hint, &stop, owner);
    stop
}

struct HintTask {
    asker: Asker,
    name: String,
    game: Game,
    stop: Arc<Stop>,
}

impl Owner for HintTask {
    fn begin(&mut self) -> Option<Work> {
        let game = self.game.clone();
        Some(Work::Hint { game })
    }

    fn finish(self: Box<Self>, found: Result<Found, String>) {
        match found {
            Ok(Found::Hint(best)) => {
                self.stop.request();
                self.asker.send(&ServerMessage::Hint(HintView {
                    ply: self.game.plies().len(),
                    best,
                    game: self.name,
                }));
            }
            Ok(_) => self.asker.fail(&self.stop, "hint", "another answer"),
            Err(why) => self.asker.fail(&self.stop, "hint", &why),
        }
    }
}

/// Starts an analysis. Raising the flag ends it.
///
/// Each round is a job of its own, so that many analyses share the thinkers fairly.
///
/// # Errors
///
/// Returns an error if the line cannot be played or a requested square is not face down.
pub fn start_analysis(asker: &Asker, request: &Analyse) -> Result<Arc<Stop>, Refusal> {
    let game = game_of(&request.line)?;
    let config = Arc::clone(&asker.services.config);
    let time = request.ms.unwrap_or(config.engine_ms);
    let begun = asker.services.host.now();
    let flips = squares(&game, &request.distributions)?;
    let lines = request.lines.unwrap_or(LINES).clamp(1, config.lines);
    let stop = Arc::new(Stop::new());
    let table = asker.services.tables.actions(&game);
    let value = over(&game);
    let rounds = Rounds::new(game, lines, flips, request.nodes);
    let task = AnalysisTask {
        until: begun + Duration::from_millis(time.clamp(1, config.engine_ms)),
        begun,
        key: format!("analysis {}", asker.outbox.connection),
        stop: Arc::clone(&stop),
        asker: asker.clone(),
        table,
        rounds: Some(Box::new(rounds)),
    };
    match value {
        Some(value) => {
            stop.request();
            task.tell(0, 0, value, Vec::new(), Vec::new());
        }
        None => task.submit(),
    }
    Ok(stop)
}

struct AnalysisTask {
    asker: Asker,
    stop: Arc<Stop>,
    key: String,
    table: Option<Vec<TableAction>>,
    until: Duration,
    begun: Duration,
    rounds: Option<Box<Rounds>>,
}

impl AnalysisTask {
    fn submit(self) {
        let (asker, stop) = (self.asker.clone(), Arc::clone(&self.stop));
        asker.submit(Kind::Analysis, &stop, self);
    }

    fn now(&self) -> Duration {
        self.asker.services.host.now()
    }

    fn tell(&self, depth: u32, nodes: u64, value: Value, lines: Vec<Candidate>, flips: Vec<Flip>) {
        let elapsed = self.now().saturating_sub(self.begun);
        self.asker.send(&ServerMessage::Analysis(Analysis {
            depth,
            nodes,
            ms: elapsed.as_millis() as u64,
            value,
            lines,
            flips,
            table: self.table.clone(),
            done: self.stop.requested(),
        }));
    }
}

impl Owner for AnalysisTask {
    fn begin(&mut self) -> Option<Work> {
        if self.stop.requested() {
            return None;
        }
        let left = self.until.saturating_sub(self.now());
        Some(Work::Round {
            rounds: self.rounds.take()?,
            key: self.key.clone(),
            time: left.min(self.asker.services.config.round).max(LEAST_ROUND),
        })
    }

    fn finish(mut self: Box<Self>, found: Result<Found, String>) {
        let (rounds, round) = match found {
            Ok(Found::Round(rounds, round)) => (rounds, round),
            Ok(_) => return self.asker.fail(&self.stop, "analysis", "another answer"),
            Err(why) => return self.asker.fail(&self.stop, "analysis", &why),
        };
        if round.is_last || self.now() >= self.until {
            self.stop.request();
        }
        let spent = rounds.spent();
        self.tell(round.depth, spent, round.value, round.lines, round.flips);
        if !self.stop.requested() {
            self.rounds = Some(rounds);
            self.submit();
        }
    }
}

/// Reads the squares whose flips are requested.
fn squares(game: &Game, names: &[String]) -> Result<Vec<Square>, Refusal> {
    let mut squares = Vec::new();
    for name in names {
        let square: Square = name.parse().map_err(Refusal::unreadable)?;
        if !game.position().face_down().contains(square) {
            return refuse(Code::Unreadable, format!("{square} is not face down"));
        }
        if !squares.contains(&square) {
            squares.push(square);
        }
    }
    Ok(squares)
}

/// Starts the review of a game, several plies at once. Raising the flag ends it.
///
/// # Errors
///
/// Returns an error if the line cannot be played or has no plies.
pub fn start_review(asker: &Asker, request: ReviewRequest) -> Result<Arc<Stop>, Refusal> {
    let game = game_of(&request.line)?;
    if game.plies().is_empty() {
        return refuse(Code::Unreadable, "a game without plies has no report");
    }
    let nodes = request.nodes.unwrap_or_else(|| default_nodes(&game));
    let plies = game.plies().len();
    let threads = asker.services.config.threads;
    let stop = Arc::new(Stop::new());
    let shared = Arc::new(SharedReview {
        asker: asker.clone(),
        players: request.players,
        stop: Arc::clone(&stop),
        review: Mutex::new(Review::new(game, nodes.clamp(1, MOST_NODES))),
    });
    for _ in 0..threads.clamp(1, plies) {
        shared.submit();
    }
    Ok(stop)
}

struct SharedReview {
    asker: Asker,
    players: Option<[String; 2]>,
    stop: Arc<Stop>,
    review: Mutex<Review>,
}

impl SharedReview {
    fn submit(self: &Arc<Self>) {
        let owner = ReviewTask {
            shared: Arc::clone(self),
            index: 0,
        };
        self.asker.submit(Kind::Review, &self.stop, owner);
    }
}

/// The review of one ply.
struct ReviewTask {
    shared: Arc<SharedReview>,
    index: usize,
}

impl Owner for ReviewTask {
    fn begin(&mut self) -> Option<Work> {
        let shared = &self.shared;
        let mut review = shared.review.lock().unwrap_or_else(PoisonError::into_inner);
        self.index = review.take().filter(|_| !shared.stop.requested())?;
        Some(Work::Review {
            game: review.game().clone(),
            index: self.index,
            nodes: review.nodes(),
        })
    }

    fn finish(self: Box<Self>, found: Result<Found, String>) {
        let shared = self.shared;
        let ply = match found {
            Ok(Found::Review(ply)) => ply,
            Ok(_) => return shared.asker.fail(&shared.stop, "review", "another answer"),
            Err(why) => return shared.asker.fail(&shared.stop, "review", &why),
        };
        if shared.stop.requested() {
            return;
        }
        let (done, total, complete) = {
            let mut review = shared.review.lock().unwrap_or_else(PoisonError::into_inner);
            review.add(self.index, *ply);
            let complete = review.is_complete().then(|| review.clone());
            (review.done(), review.total(), complete)
        };
        let progress = ServerMessage::ReviewProgress { done, total };
        shared.asker.send(&progress);
        match complete {
            Some(review) => {
                shared.stop.request();
                let report = Box::new(review.report(shared.players.clone()));
                shared.asker.send(&ServerMessage::Review { report });
            }
            None => shared.submit(),
        }
    }
}

/// Starts the look-up of a set of pieces. Raising the flag keeps it from beginning.
pub fn start_look_up(asker: &Asker, set: Material) -> Arc<Stop> {
    let stop = Arc::new(Stop::new());
    let owner = LookUp {
        asker: asker.clone(),
        set,
        stop: Arc::clone(&stop),
    };
    asker.submit(Kind::Analysis, &stop, owner);
    stop
}

struct LookUp {
    asker: Asker,
    set: Material,
    stop: Arc<Stop>,
}

impl Owner for LookUp {
    fn begin(&mut self) -> Option<Work> {
        let set = self.set;
        (!self.stop.requested()).then_some(Work::Material { set })
    }

    fn finish(self: Box<Self>, found: Result<Found, String>) {
        let what = "look-up of this material";
        match found {
            Ok(Found::Material(view)) => {
                self.stop.request();
                self.asker.send(&match view {
                    Some(view) => ServerMessage::Material(view),
                    None => ServerMessage::Error {
                        code: Code::Internal,
                        message: format!("{} cannot be solved", self.set),
                    },
                });
            }
            Ok(_) => self.asker.fail(&self.stop, what, "another answer"),
            Err(why) => self.asker.fail(&self.stop, what, &why),
        }
    }
}

/// Starts work on an exercise. Raising the flag keeps it from beginning.
pub fn start_drill(asker: &Asker, drill: Drill) -> Arc<Stop> {
    let stop = Arc::new(Stop::new());
    // Somebody waits for a judgement; positions are chosen from an ending that is solved first.
    let kind = match drill {
        Drill::Choose { .. } => Kind::Analysis,
        Drill::Judge { .. } => Kind::Hint,
    };
    let owner = DrillTask {
        asker: asker.clone(),
        drill,
        stop: Arc::clone(&stop),
    };
    asker.submit(kind, &stop, owner);
    stop
}

struct DrillTask {
    asker: Asker,
    drill: Drill,
    stop: Arc<Stop>,
}

impl Owner for DrillTask {
    fn begin(&mut self) -> Option<Work> {
        (!self.stop.requested()).then(|| Work::Drill(self.drill.clone()))
    }

    fn finish(self: Box<Self>, found: Result<Found, String>) {
        match found {
            Ok(Found::Drill(drilled)) => {
                self.stop.request();
                self.asker.send(&match drilled {
                    Some(drilled) => self.drill.answer(drilled, &self.asker.services.tables),
                    None => ServerMessage::Error {
                        code: Code::Unreadable,
                        message: "no table has this position or all that may follow".to_owned(),
                    },
                });
            }
            Ok(_) => self.asker.fail(&self.stop, "exercise", "another answer"),
            Err(why) => self.asker.fail(&self.stop, "exercise", &why),
        }
    }
}
