//! Engines in a game: when they think, and what happens to their answers.
//!
//! **Invariant:** all that a player is given comes from [`Thought`], which holds
//! the public game and no deal.

use super::{Inner, Room};
use crate::serve::board::{EndReason, Outcome};
use crate::serve::pool::{IdlePlayers, Kind};
use crate::serve::wire::ServerMessage;
use anqi_analysis::{Value, steps};
use anqi_rules::{Action, Game};
use anqi_search::{Choice, Limits, Report, Request, Score, Stop, TimeLimit};
use std::sync::{Arc, MutexGuard};
use std::time::{Duration, Instant};

/// All that a player is given.
struct Thought {
    game: Game,
    spec: String,
    key: String,
    limits: Limits,
    seed: u64,
    turn: u64,
    stop: Arc<Stop>,
}

impl Room {
    /// Starts clocks, alarms and the engine to move, as the state of the game requires.
    pub(super) fn schedule(self: &Arc<Self>, inner: &mut Inner) {
        let waiting = (0..2).any(|seat| inner.is_waiting(seat));
        if inner.outcome().is_some() || inner.paused || waiting {
            return;
        }
        let seat = inner.to_move();
        match inner.seats[seat].spec() {
            None => {
                if !inner.clock.runs() {
                    inner.clock.start(Instant::now());
                    self.set_alarm(inner);
                }
            }
            Some(_) if inner.search.is_none() && !inner.members.is_empty() => {
                self.let_think(inner, seat);
            }
            Some(_) => {}
        }
    }

    fn let_think(self: &Arc<Self>, inner: &mut Inner, seat: usize) {
        let stop = Arc::new(Stop::new());
        let thought = Thought {
            game: inner.dealt.game().clone(),
            spec: inner.seats[seat].spec().unwrap_or_default().to_owned(),
            key: format!("{} {seat}", self.id),
            limits: inner.limits(seat, self.longest()),
            seed: inner.engine_seed,
            turn: inner.turn,
            stop: Arc::clone(&stop),
        };
        inner.search = Some(Arc::clone(&stop));
        let room = Arc::clone(self);
        let runtime = tokio::runtime::Handle::current();
        let task = move |idle: &IdlePlayers| {
            let _runtime = runtime.enter();
            room.think(idle, thought);
        };
        self.services.pool.submit(Kind::Move, &stop, Box::new(task));
    }

    fn longest(&self) -> Duration {
        Duration::from_millis(self.services.config.engine_ms)
    }

    /// Chooses one action, on a thread of the pool.
    fn think(self: &Arc<Self>, idle: &IdlePlayers, mut thought: Thought) {
        let begun = Instant::now();
        {
            let mut inner = self.lock();
            if inner.turn != thought.turn {
                return;
            }
            // The clock does not count the time in the queue.
            inner.clock.start(begun);
            thought.limits = inner.limits(inner.to_move(), self.longest());
            self.set_alarm(&inner);
        }
        let choice =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.choose(idle, &thought)));
        // If the engine fails, any legal action is better than a game that stands still.
        let fallback = || Some(Choice::plain(*thought.game.actions().first()?));
        let Some(choice) = choice.ok().flatten().or_else(fallback) else {
            return;
        };
        self.answered(&thought, &choice, begun);
    }

    fn choose(&self, idle: &IdlePlayers, thought: &Thought) -> Option<Choice> {
        let rules = thought.game.rules();
        let mut player = idle.take(&thought.key, &thought.spec, rules).ok()?;
        let request = Request {
            game: &thought.game,
            among: None,
            limits: thought.limits,
            seed: thought.seed,
            stop: &thought.stop,
        };
        let choice = player.choose(&request, &mut |report| self.tell_thinking(thought, report));
        idle.keep(thought.key.clone(), player);
        Some(choice)
    }

    /// Plays the answer of an engine, delayed by the pace.
    fn answered(self: &Arc<Self>, thought: &Thought, choice: &Choice, begun: Instant) {
        let rest = self.services.config.pace.saturating_sub(begun.elapsed());
        let value = choice.score.map(Score::expected_result);
        let action = choice.action;
        let turn = thought.turn;
        {
            let mut inner = self.lock();
            if inner.turn != turn {
                return;
            }
            let seat = inner.to_move();
            inner.last_values[seat] = value.or(inner.last_values[seat]);
            // The wait is the page's time, not the engine's.
            inner.clock.hold(Instant::now());
        }
        if rest.is_zero() {
            self.play_for_engine(turn, action);
            return;
        }
        let room = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(rest).await;
            room.play_for_engine(turn, action);
        });
    }

    /// Plays an engine's action unless it is stale.
    fn play_for_engine(self: &Arc<Self>, turn: u64, action: Action) {
        let mut inner = self.lock();
        if inner.turn != turn {
            return;
        }
        if inner.act(action, Instant::now()).is_err() {
            // The time is up, and the alarm is about to ring.
            return;
        }
        self.changed(inner, None);
    }

    fn tell_thinking(&self, thought: &Thought, report: &Report) {
        let inner: MutexGuard<'_, Inner> = self.lock();
        if inner.turn != thought.turn || !inner.members.iter().any(|m| m.show_thinking) {
            return;
        }
        let message = ServerMessage::Thinking {
            game: self.id.clone(),
            ply: thought.game.plies().len(),
            depth: report.depth,
            nodes: report.nodes,
            ms: report.elapsed.as_millis() as u64,
            value: Value::of(report.score),
            line: steps(&report.line),
        };
        for member in inner.members.iter().filter(|m| m.show_thinking) {
            member.outbox.send(None, &message);
        }
    }

    /// Ends the game when the running clock runs out.
    fn set_alarm(self: &Arc<Self>, inner: &Inner) {
        let (seat, turn) = (inner.to_move(), inner.turn);
        let Some((left, _)) = inner.clock.left(seat, Some(seat), Instant::now()) else {
            return;
        };
        let room = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(left + Duration::from_millis(1)).await;
            if let Some(room) = room.upgrade() {
                room.ring(seat, turn);
            }
        });
    }

    fn ring(self: &Arc<Self>, seat: usize, turn: u64) {
        let mut inner = self.lock();
        let now = Instant::now();
        if inner.turn != turn || inner.outcome().is_some() || !inner.is_time_up(now) {
            return;
        }
        let outcome = Outcome::won_by(inner.dealt.game(), 1 - seat, EndReason::Time);
        inner.end(outcome, now);
        self.changed(inner, None);
    }
}

impl Inner {
    /// Returns whether the seat to move has run out of time.
    pub(super) fn is_time_up(&self, now: Instant) -> bool {
        let seat = self.to_move();
        let left = self.clock.left(seat, Some(seat), now);
        self.clock.ticks() && left.is_some_and(|(left, _)| left.is_zero())
    }

    /// Returns how long the engine on a seat may think.
    fn limits(&self, seat: usize, most: Duration) -> Limits {
        let time = match self.clock.left(seat, Some(seat), Instant::now()) {
            Some((left, increment)) => on_the_clock(left, increment, most),
            None => TimeLimit::PerMove(Duration::from_millis(self.engine_ms)),
        };
        Limits {
            time,
            ..Limits::NONE
        }
    }
}

/// Returns the engine's time control, limited so that an action takes at most about `most`: a day
/// on the clock must not hold a thread for an hour. An action takes about a thirtieth of the time
/// left and three quarters of the increment.
fn on_the_clock(left: Duration, increment: Duration, most: Duration) -> TimeLimit {
    TimeLimit::Total {
        left: left.min(most * 20),
        increment: increment.min(most / 3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_on_the_clock_is_no_day_for_a_move() {
        let seconds = Duration::from_secs;
        let TimeLimit::Total { left, increment } =
            on_the_clock(seconds(86_400), seconds(600), seconds(60))
        else {
            panic!("a clock is a total");
        };
        assert!(left / 30 + increment * 3 / 4 <= seconds(60));
        let short = on_the_clock(seconds(5), seconds(1), seconds(60));
        assert_eq!(
            short,
            TimeLimit::Total {
                left: seconds(5),
                increment: seconds(1)
            }
        );
    }
}
