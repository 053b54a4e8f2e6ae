//! The report on a game, ply by ply on the pool's threads.

use super::config::Services;
use super::line::game_of;
use super::outbox::Outbox;
use super::owed::Owed;
use super::pool::{IdlePlayers, Kind};
use super::wire::{Code, Refusal, Review, ServerMessage, refuse};
use anqi_analysis::Effort;
use anqi_analysis::Report;
use anqi_analysis::default_nodes;
use anqi_analysis::{ReviewedPly, review_ply};
use anqi_rules::Game;
use anqi_search::Stop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The most nodes for a decision.
const MOST_NODES: u64 = 5_000_000;

/// A review that is under way.
pub struct ReviewRun {
    services: Arc<Services>,
    outbox: Outbox,
    re: Option<u64>,
    game: Game,
    players: Option<[String; 2]>,
    nodes: u64,
    stop: Arc<Stop>,
    next: AtomicUsize,
    found: Mutex<Vec<(usize, ReviewedPly)>>,
}

impl ReviewRun {
    /// Starts a review; progress and report go to the outbox. Raising the flag ends it.
    ///
    /// # Errors
    ///
    /// Returns an error if the line cannot be played or has no plies.
    pub fn start(
        services: &Arc<Services>,
        outbox: &Outbox,
        re: Option<u64>,
        review: Review,
    ) -> Result<Arc<Stop>, Refusal> {
        let game = game_of(&review.line)?;
        if game.plies().is_empty() {
            return refuse(Code::Unreadable, "a game without plies has no report");
        }
        let nodes = review.nodes.unwrap_or_else(|| default_nodes(&game));
        let run = Arc::new(ReviewRun {
            services: Arc::clone(services),
            outbox: outbox.clone(),
            re,
            players: review.players,
            nodes: nodes.clamp(1, MOST_NODES),
            stop: Arc::new(Stop::new()),
            next: AtomicUsize::new(0),
            found: Mutex::new(Vec::with_capacity(game.plies().len())),
            game,
        });
        for _ in 0..services.config.threads.clamp(1, run.game.plies().len()) {
            run.submit();
        }
        Ok(Arc::clone(&run.stop))
    }

    fn submit(self: &Arc<Self>) {
        let run = Arc::clone(self);
        let task = move |idle: &IdlePlayers| run.review_next(idle);
        let pool = &self.services.pool;
        pool.submit(Kind::Review, &self.stop, Box::new(task));
    }

    fn review_next(self: &Arc<Self>, idle: &IdlePlayers) {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        let total = self.game.plies().len();
        if index >= total || self.stop.requested() {
            return;
        }
        let owed = Owed::new(&self.outbox, self.re, &self.stop, "review");
        let rules = self.game.rules();
        let mut analyst = match self.services.analyst(idle, "review", rules) {
            Ok(analyst) => analyst,
            Err(error) => return owed.fail(&error.to_string()),
        };
        let effort = Effort {
            nodes: self.nodes,
            time: None,
            stop: &self.stop,
        };
        let ply = review_ply(&mut analyst, &self.game, index, effort);
        idle.keep("review".to_owned(), analyst.into_player());
        if self.stop.requested() {
            return;
        }
        let done = {
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            found.push((index, ply));
            found.len()
        };
        let progress = ServerMessage::ReviewProgress { done, total };
        self.outbox.send(self.re, &progress);
        match done == total {
            true => self.finish(),
            false => self.submit(),
        }
    }

    fn finish(&self) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|(index, _)| *index);
        let plies = found.drain(..).map(|(_, ply)| ply).collect();
        let report = Report::of(&self.game, self.players.clone(), plies, self.nodes);
        self.stop.request();
        let report = Box::new(report);
        self.outbox.send(self.re, &ServerMessage::Review { report });
    }
}
