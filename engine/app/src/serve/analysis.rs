//! The analysis of a position, round by round.
//!
//! Each round has more nodes than the one before and is a task of its own, so
//! that many analyses share the threads fairly. A round ranks the best actions and
//! keeps what the flips among them may reveal. The transposition table keeps
//! earlier rounds, so that little is searched twice.

use super::board::TableAction;
use super::config::Services;
use super::line::game_of;
use super::outbox::Outbox;
use super::owed::Owed;
use super::pool::{IdlePlayers, Kind};
use super::wire::{Analyse, Analysis, Code, Refusal, ServerMessage, refuse};
use anqi_analysis::Value;
use anqi_analysis::{Analyst, Candidate, Effort, Flip, over};
use anqi_rules::{Action, Game, Square};
use anqi_search::{Choice, Stop};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Nodes of the first round, and the growth from one round to the next.
const FIRST_NODES: u64 = 15_000;
const GROWTH: u64 = 3;
/// The longest time for one round, before other tasks get a turn.
const ROUND: Duration = Duration::from_millis(1_500);
/// The default number of best actions.
const LINES: usize = 3;

/// An analysis that is under way.
pub struct Study {
    services: Arc<Services>,
    outbox: Outbox,
    re: Option<u64>,
    game: Game,
    stop: Arc<Stop>,
    lines: usize,
    wanted: Vec<Square>,
    table: Option<Vec<TableAction>>,
    nodes: u64,
    most_nodes: u64,
    spent: u64,
    until: Instant,
    begun: Instant,
    key: String,
}

impl Study {
    /// Starts an analysis; its answers go to the outbox. Raising the flag ends it.
    ///
    /// # Errors
    ///
    /// Returns an error if the line cannot be played or a requested square is not face down.
    pub fn start(
        services: &Arc<Services>,
        outbox: &Outbox,
        re: Option<u64>,
        analyse: &Analyse,
    ) -> Result<Arc<Stop>, Refusal> {
        let game = game_of(&analyse.line)?;
        let config = &services.config;
        let time = analyse
            .ms
            .unwrap_or(config.engine_ms)
            .clamp(1, config.engine_ms);
        let begun = Instant::now();
        let study = Study {
            wanted: squares(&game, &analyse.distributions)?,
            table: services.tables.actions(&game),
            lines: analyse.lines.unwrap_or(LINES).clamp(1, config.lines),
            nodes: FIRST_NODES,
            most_nodes: analyse.nodes.unwrap_or(u64::MAX).max(1),
            spent: 0,
            until: begun + Duration::from_millis(time),
            begun,
            key: format!("analysis {}", outbox.connection),
            stop: Arc::new(Stop::new()),
            services: Arc::clone(services),
            outbox: outbox.clone(),
            re,
            game,
        };
        let stop = Arc::clone(&study.stop);
        match over(&study.game) {
            Some(value) => {
                stop.request();
                study.tell(0, value, Vec::new(), Vec::new());
            }
            None => study.submit(),
        }
        Ok(stop)
    }

    fn submit(self) {
        let services = Arc::clone(&self.services);
        let stop = Arc::clone(&self.stop);
        let task = move |idle: &IdlePlayers| self.round(idle);
        services.pool.submit(Kind::Analysis, &stop, Box::new(task));
    }

    fn round(mut self, idle: &IdlePlayers) {
        if self.stop.requested() {
            return;
        }
        let owed = Owed::new(&self.outbox, self.re, &self.stop, "analysis");
        let rules = self.game.rules();
        let mut analyst = match self.services.analyst(idle, &self.key, rules) {
            Ok(analyst) => analyst,
            Err(error) => return owed.fail(&error.to_string()),
        };
        let left = self.until.saturating_duration_since(Instant::now());
        let stop = Arc::clone(&self.stop);
        let effort = Effort {
            nodes: self
                .nodes
                .min(self.most_nodes - self.spent.min(self.most_nodes - 1)),
            time: Some(left.min(ROUND).max(Duration::from_millis(5))),
            stop: &stop,
        };
        let choice = analyst.rank(&self.game, effort, self.lines);
        self.spent += choice.nodes.max(1);
        let (lines, flips) = self.rated(&mut analyst, &choice, effort.shared(2));
        let value = analyst.known(self.game.position());
        idle.keep(self.key.clone(), analyst.into_player());
        let value = value.or(lines.first().map(|line| line.value));
        let decided = lines.first().is_none_or(|line| line.value.is_exact()) && flips.is_empty();
        if self.spent >= self.most_nodes || Instant::now() >= self.until || decided {
            self.stop.request();
        }
        self.tell(
            choice.depth,
            value.unwrap_or(Value::estimate(0.0)),
            lines,
            flips,
        );
        if !self.stop.requested() {
            self.nodes = self.nodes.saturating_mul(GROWTH);
            self.submit();
        }
    }

    /// Returns the ranked actions, the best first, and the outcomes of the flips among them and of
    /// those asked for. The search that ranked a flip tells its outcomes too; other flips are
    /// searched outcome by outcome. Either way a flip's value is the average of what is shown.
    fn rated(
        &self,
        analyst: &mut Analyst,
        choice: &Choice,
        effort: Effort<'_>,
    ) -> (Vec<Candidate>, Vec<Flip>) {
        let mut lines = Vec::new();
        let mut flips = Vec::new();
        let mut squares = self.wanted.clone();
        for ranked in &choice.ranked {
            let (line, flip) = analyst.rated(&self.game, ranked);
            let square = ranked.action.from();
            match flip {
                Some(flip) => {
                    squares.retain(|wanted| *wanted != square);
                    flips.push(flip);
                }
                None if ranked.action.is_flip() && !squares.contains(&square) => {
                    squares.push(square);
                }
                None => {}
            }
            lines.push(line);
        }
        let share = effort.shared(squares.len());
        for square in squares {
            let flip = analyst.flip(&self.game, square, share);
            // An interrupted distribution is not worth showing.
            if self.stop.requested() {
                break;
            }
            let action = Action::flip(square).to_string();
            if let Some(line) = lines.iter_mut().find(|line| line.action == action) {
                line.take_average(&flip);
            }
            flips.push(flip);
        }
        lines.sort_by(|a, b| b.value.expected.total_cmp(&a.value.expected));
        flips.sort_by(|a, b| b.value.total_cmp(&a.value));
        (lines, flips)
    }

    fn tell(&self, depth: u32, value: Value, lines: Vec<Candidate>, flips: Vec<Flip>) {
        let analysis = Analysis {
            depth,
            nodes: self.spent,
            ms: self.begun.elapsed().as_millis() as u64,
            value,
            lines,
            flips,
            table: self.table.clone(),
            done: self.stop.requested(),
        };
        self.outbox
            .send(self.re, &ServerMessage::Analysis(analysis));
    }
}

/// Reads the squares whose flips are requested.
fn squares(game: &Game, names: &[String]) -> Result<Vec<Square>, Refusal> {
    let mut squares = Vec::new();
    for name in names {
        let square: Square = name.parse().map_err(|error| Refusal {
            code: Code::Unreadable,
            message: format!("{error}"),
        })?;
        if !game.position().face_down().contains(square) {
            return refuse(Code::Unreadable, format!("{square} is not face down"));
        }
        if !squares.contains(&square) {
            squares.push(square);
        }
    }
    Ok(squares)
}
