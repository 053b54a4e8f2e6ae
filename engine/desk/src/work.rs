//! Work for whoever thinks: what is searched, and who hears the result.
//!
//! [`Work`] and [`Found`] are plain values, so that a thinker may be another thread or, as JSON
//! ([`crossing`](crate::crossing)), another worker.
//! **Invariant:** a thinker is given public games alone, and never a deal.

use crate::material::{TableFolder, material};
use crate::players::IdlePlayers;
use crate::practice::{Drill, Drilled, Gym};
use crate::tables::TableSet;
use crate::wire::MaterialView;
use anqi_analysis::{
    Analyst, Candidate, Effort, ReviewedPly, Round, Rounds, analyst_spec, hint, review_ply,
};
use anqi_rules::{Game, Rules};
use anqi_search::spec::SpecError;
use anqi_search::{Choice, Limits, Report, Request, Stop};
use anqi_tablebase::classes::Material;
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The purpose of a job; the first is the most urgent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A move in a game.
    Move,
    /// A hint for a person.
    Hint,
    /// A round of an analysis.
    Analysis,
    /// A ply of a review.
    Review,
}

/// Something to search for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// The move of an engine.
    Move {
        /// The public game.
        game: Game,
        /// The player's spec.
        spec: String,
        /// The name under which the player waits for its next turn.
        key: String,
        /// Whether a game begins: a player with this name forgets the last one.
        begins: bool,
        /// How long it may think.
        limits: Limits,
        /// Seeds its choices.
        seed: u64,
    },
    /// A hint.
    Hint {
        /// The public game.
        game: Game,
    },
    /// A round of an analysis.
    Round {
        /// The rounds so far.
        rounds: Box<Rounds>,
        /// The name under which the analyst waits for the next round.
        key: String,
        /// The time for the round.
        time: Duration,
    },
    /// A ply of a review.
    Review {
        /// The game.
        game: Game,
        /// The ply.
        index: usize,
        /// Nodes for each decision.
        nodes: u64,
    },
    /// What tables know of a set of pieces.
    Material {
        /// The set.
        #[serde(with = "crate::crossing::material")]
        set: Material,
    },
    /// An exercise of an ending.
    Drill(Drill),
}

/// What was found.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// The move of an engine.
    Move(Choice),
    /// A hint.
    Hint(Candidate),
    /// A round, and the rounds so far.
    Round(Box<Rounds>, Round),
    /// A reviewed ply.
    Review(#[serde(with = "crate::crossing::reviewed")] Box<ReviewedPly>),
    /// What tables know of a set of pieces, `None` if it cannot be solved.
    Material(Option<MaterialView>),
    /// What practice asked for, `None` if the ending cannot be solved.
    Drill(Option<Drilled>),
}

/// The owner of a job: begins it and hears what becomes of it.
pub trait Owner: Send {
    /// Returns what to search for, `None` if nobody wants it any more.
    fn begin(&mut self) -> Option<Work>;

    /// Hears of a search's progress.
    fn progress(&mut self, _report: &Report) {}

    /// Hears what was found, or why nothing was.
    fn finish(self: Box<Self>, found: Result<Found, String>);
}

/// Work that waits for its turn.
pub struct Job {
    /// Its purpose.
    pub kind: Kind,
    /// Raised to end it early.
    pub stop: Arc<Stop>,
    owner: Box<dyn Owner>,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Job({:?})", self.kind)
    }
}

impl Job {
    /// Returns a job with its owner.
    pub fn new(kind: Kind, stop: &Arc<Stop>, owner: impl Owner + 'static) -> Job {
        Job {
            kind,
            stop: Arc::clone(stop),
            owner: Box::new(owner),
        }
    }

    /// Runs the job: `think` does the work, and if it panics the owner hears of that.
    pub fn run(
        mut self,
        think: impl FnOnce(Work, &Stop, &mut dyn FnMut(&Report)) -> Result<Found, String>,
    ) {
        let Some(work) = self.begin() else {
            return;
        };
        let (owner, stop) = (&mut self.owner, &self.stop);
        let thinking = AssertUnwindSafe(|| think(work, stop, &mut |report| owner.progress(report)));
        // Search and tables keep no half-done state that another job would meet.
        let found = catch_unwind(thinking);
        let found = found.unwrap_or_else(|_| Err("a fault of the program".to_owned()));
        self.finish(found);
    }

    /// Begins the job for a thinker elsewhere, `None` if nobody wants it any more.
    pub fn begin(&mut self) -> Option<Work> {
        self.owner.begin()
    }

    /// Passes on how far a thinker elsewhere is.
    pub fn progress(&mut self, report: &Report) {
        self.owner.progress(report);
    }

    /// Ends the job with what a thinker elsewhere has found.
    pub fn finish(self, found: Result<Found, String>) {
        self.owner.finish(found);
    }
}

/// Does work: the players between their turns, and the tables.
#[derive(Debug)]
pub struct Thinker {
    players: IdlePlayers,
    gym: Gym,
    tables: Arc<TableSet>,
    /// The folder that players are given.
    path: Option<PathBuf>,
    /// The folder, as far as counts and lessons are asked for.
    folder: Option<Box<dyn TableFolder>>,
}

impl Thinker {
    /// Returns a thinker with these tables.
    pub fn new(
        tables: Arc<TableSet>,
        path: Option<PathBuf>,
        folder: Option<Box<dyn TableFolder>>,
    ) -> Thinker {
        Thinker {
            players: IdlePlayers::default(),
            gym: Gym::default(),
            tables,
            path,
            folder,
        }
    }

    /// Returns the thinker with room for this many players between their turns.
    #[must_use]
    pub fn keeping(self, players: usize) -> Thinker {
        Thinker {
            players: IdlePlayers::new(players),
            ..self
        }
    }

    /// Returns a warning that nobody has seen yet.
    pub fn take_warning(&self) -> Option<String> {
        let damage = || self.tables.take_damage();
        self.players.take_warning().or_else(damage)
    }

    /// Does some work, reporting the progress of an engine's search.
    ///
    /// # Errors
    ///
    /// Returns an error if a player cannot be made or the folder of tables cannot be used.
    pub fn think(
        &self,
        work: Work,
        stop: &Stop,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Found, String> {
        self.found(work, stop, report)
            .map_err(|error| error.to_string())
    }

    fn found(
        &self,
        work: Work,
        stop: &Stop,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Found, SpecError> {
        Ok(match work {
            Work::Move {
                game,
                spec,
                key,
                begins,
                limits,
                seed,
            } => {
                let mut player = self.players.take(&key, &spec, game.rules())?;
                if begins {
                    player.new_game();
                }
                let request = Request {
                    game: &game,
                    among: None,
                    limits,
                    seed,
                    stop,
                };
                let choice = player.choose(&request, report);
                self.players.keep(key, player);
                Found::Move(choice)
            }
            Work::Hint { game } => self.analysed("hint", game.rules(), |analyst| {
                Found::Hint(hint(analyst, &game, stop))
            })?,
            Work::Round {
                mut rounds,
                key,
                time,
            } => self.analysed(&key, rounds.game().rules(), |analyst| {
                let round = rounds.next(analyst, Some(time), stop);
                Found::Round(rounds, round)
            })?,
            Work::Review { game, index, nodes } => {
                self.analysed("review", game.rules(), |analyst| {
                    let time = None;
                    let effort = Effort { nodes, time, stop };
                    Found::Review(Box::new(review_ply(analyst, &game, index, effort)))
                })?
            }
            Work::Drill(drill) => Found::Drill(self.gym.work(&drill, self.folder.as_deref())),
            Work::Material { set } => {
                let tables = self.tables.open(Rules::OLYMPIAD);
                let tables = tables.as_ref().map(|shared| shared.tables());
                Found::Material(material(&set, tables, self.folder.as_deref()))
            }
        })
    }

    /// Lets the analyst with this key work, and keeps it for the next time.
    fn analysed(
        &self,
        key: &str,
        rules: Rules,
        work: impl FnOnce(&mut Analyst) -> Found,
    ) -> Result<Found, SpecError> {
        let path = self.path.as_deref();
        let player = self.players.take(key, &analyst_spec(path), rules)?;
        let mut analyst = Analyst::with_player(player, path, rules);
        let found = work(&mut analyst);
        self.players.keep(key.to_owned(), analyst.into_player());
        Ok(found)
    }
}
