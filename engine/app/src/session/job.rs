//! Jobs: searches and perfts.
//!
//! A job owns everything it needs; only its stop flag is shared. Players are not
//! trusted: if one panics or names an illegal action, the job answers with the
//! first allowed action and reports the fault on standard error, because a
//! server counts silence as a loss.

use super::choosing::Choosing;
use anqi_protocol::reply::RankedAction;
use anqi_protocol::{Answer, BestMove, Info};
use anqi_rules::{Color, Game, Position, perft};
use anqi_search::{Choice, Limits, LineStep, Player, Ranked, Report, Request, Stop, TimeLimit};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The form of an answer with an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AnswerForm {
    /// `genmove`: two squares.
    Squares,
    /// `go`: the action and what is known about it.
    BestMove,
}

/// A search or a perft to run.
pub struct Job {
    stop: Arc<Stop>,
    task: Task,
}

enum Task {
    Think(Box<Thinking>),
    Perft(Perft),
}

/// A finished job.
pub enum Done {
    /// A search.
    Thinking(Box<Thinking>),
    /// The leaves, `None` if stopped.
    Perft(Option<u32>, Option<u64>),
}

/// A search, before and after.
pub struct Thinking {
    pub(super) number: Option<u32>,
    /// `None` after the player has failed.
    pub(super) player: Option<Box<dyn Player>>,
    pub(super) game: Game,
    pub(super) limits: Limits,
    pub(super) seed: u64,
    pub(super) info: bool,
    pub(super) form: AnswerForm,
    pub(super) choosing: Choosing,
    pub(super) color: Option<Color>,
    /// When the request arrived, if that is known: time limits count from then.
    pub(super) arrival: Option<Instant>,
    pub(super) elapsed: Duration,
    pub(super) choice: Option<Choice>,
    /// The limits that count after `ponderhit`, if the search runs on the opponent's time.
    pub(super) after_hit: Option<Limits>,
}

/// A perft.
pub(super) struct Perft {
    pub(super) number: Option<u32>,
    pub(super) position: Position,
    pub(super) depth: u32,
}

impl Job {
    pub(super) fn think(thought: Thinking) -> Job {
        Job {
            stop: Arc::default(),
            task: Task::Think(Box::new(thought)),
        }
    }

    pub(super) fn perft(perft: Perft) -> Job {
        Job {
            stop: Arc::default(),
            task: Task::Perft(perft),
        }
    }

    /// Lets time limits count from the moment in which the request arrived.
    pub(super) fn set_arrival(&mut self, arrival: Instant) {
        if let Task::Think(thought) = &mut self.task {
            thought.arrival = Some(arrival);
        }
    }

    /// Returns the flag that ends the job early.
    pub fn stopper(&self) -> Arc<Stop> {
        Arc::clone(&self.stop)
    }

    /// Returns whether the job ends without a clock, after the same work every time.
    ///
    /// Such a job is finished even after the end of the input.
    pub fn is_bounded(&self) -> bool {
        match &self.task {
            Task::Perft(_) => true,
            Task::Think(thought) => {
                thought.limits.time == TimeLimit::None && !thought.limits.is_unlimited()
            }
        }
    }

    /// Runs the job; `report` gets the progress.
    pub fn run(self, report: &mut dyn FnMut(Info)) -> Done {
        match self.task {
            Task::Think(thought) => Done::Thinking(Box::new(thought.think(&self.stop, report))),
            Task::Perft(perft) => {
                let leaves = count(&perft.position, perft.depth, &self.stop);
                Done::Perft(perft.number, leaves)
            }
        }
    }
}

impl Thinking {
    fn think(mut self, stop: &Stop, report: &mut dyn FnMut(Info)) -> Thinking {
        let Some(mut player) = self.player.take() else {
            return self;
        };
        let begin = self.arrival.unwrap_or_else(Instant::now);
        // What a player does before its first search takes time too. A failure is reported by
        // the choice.
        let _ = player.prepare(self.game.rules());
        let limits = match self.arrival {
            Some(arrival) => less(self.limits, arrival.elapsed()),
            None => self.limits,
        };
        let several = self.choosing.is_several();
        let mut tell = |found: &Report| {
            if self.info {
                report(info(found, several));
            }
        };
        let request = Request {
            game: &self.game,
            among: self.choosing.among(),
            limits,
            seed: self.seed,
            stop,
        };
        // A player that has panicked is dropped, so its broken state is never used.
        let chosen = catch_unwind(AssertUnwindSafe(|| {
            let choice = player.choose(&request, &mut tell);
            (choice, player)
        }));
        self.elapsed = begin.elapsed();
        match chosen {
            Ok((choice, mut player)) => {
                crate::print_warning(&mut *player);
                self.player = Some(player);
                if self.choosing.allows(&self.game, choice.action) {
                    self.choice = Some(choice);
                } else {
                    eprintln!(
                        "anqi: the player chose {}, which is not among the actions allowed",
                        choice.action
                    );
                }
            }
            Err(_) => eprintln!("anqi: the player failed; a new one takes its place"),
        }
        self
    }

    /// Returns the answer in the requested form.
    pub(super) fn answer(&self) -> Answer {
        let fallback = || Choice::plain(self.choosing.any(&self.game));
        let choice = self.choice.clone().unwrap_or_else(fallback);
        match self.form {
            AnswerForm::Squares => Answer::Squares(choice.action),
            AnswerForm::BestMove => Answer::BestMove(BestMove {
                action: choice.action,
                score: choice.score.map(|score| score.to_string()),
                depth: choice.depth,
                nodes: choice.nodes,
                ranked: match self.limits.multipv {
                    0 | 1 => Vec::new(),
                    _ => choice.ranked.iter().map(ranked).collect(),
                },
            }),
        }
    }
}

/// The limits less the time that has passed since the request arrived.
fn less(limits: Limits, passed: Duration) -> Limits {
    let time = match limits.time {
        TimeLimit::None => TimeLimit::None,
        TimeLimit::PerMove(time) => TimeLimit::PerMove(time.saturating_sub(passed)),
        TimeLimit::Total { left, increment } => TimeLimit::Total {
            left: left.saturating_sub(passed),
            increment,
        },
    };
    Limits { time, ..limits }
}

fn ranked(ranked: &Ranked) -> RankedAction {
    RankedAction {
        action: ranked.action,
        score: ranked.score.to_string(),
        line: actions(&ranked.line),
    }
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
        line: actions(&report.line),
    }
}

fn actions(line: &[LineStep]) -> Vec<anqi_rules::Action> {
    line.iter().map(|step| step.action).collect()
}

/// Counts leaves as [`perft`] does, but checks the stop flag down to depth 2.
fn count(position: &Position, depth: u32, stop: &Stop) -> Option<u64> {
    if stop.requested() {
        return None;
    }
    if depth <= 2 {
        return Some(perft(position, depth));
    }
    let mut leaves = 0u64;
    for action in position.actions() {
        let reveals: Vec<_> = if action.is_flip() {
            position
                .reveals()
                .map(|reveal| Some(reveal.piece))
                .collect()
        } else {
            vec![None]
        };
        for reveal in reveals {
            let mut next = *position;
            let _ = next.play_unchecked(anqi_rules::Ply { action, reveal });
            leaves = leaves.saturating_add(count(&next, depth - 1, stop)?);
        }
    }
    Some(leaves)
}
