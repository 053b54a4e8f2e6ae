//! Engines in a game: when they think, and what happens to their answers.
//!
//! **Invariant:** all that a player is given comes from [`Work::Move`], which holds
//! the public game and no deal.

use super::shared::Room;
use super::table::Table;
use crate::wire::{ServerMessage, Thinking};
use crate::work::{Found, Job, Kind, Owner, Work};
use anqi_analysis::{Value, steps};
use anqi_play::{Seat, Verdict};
use anqi_rules::{Action, Game};
use anqi_search::{Choice, Limits, Report, Score, Stop, TimeLimit};
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

/// The search for an engine's move.
struct Thought {
    room: Arc<Room>,
    game: Game,
    seat: Seat,
    /// The turn of the game that it is for.
    turn: u64,
    /// When it began.
    begun: Duration,
}

impl Owner for Thought {
    fn begin(&mut self) -> Option<Work> {
        self.begun = self.room.now();
        let mut table = self.room.lock();
        if table.turn != self.turn {
            return None;
        }
        // The clock does not count the time in the queue.
        table.clock.start(self.begun);
        self.room.set_alarm(&table);
        Some(Work::Move {
            game: self.game.clone(),
            spec: table.occupant(self.seat).spec()?.to_owned(),
            key: format!("{} {}", self.room.id, self.seat.index()),
            begins: false,
            limits: table.limits(self.seat, self.room.longest(), self.begun),
            seed: table.engine_seed,
        })
    }

    fn progress(&mut self, report: &Report) {
        self.room.tell_thinking(self, report);
    }

    fn finish(self: Box<Self>, found: Result<Found, String>) {
        // If the engine fails, any legal action is better than a game that stands still.
        let fallback = || Some(Choice::plain(*self.game.actions().first()?));
        let choice = match found {
            Ok(Found::Move(choice)) => Some(choice),
            _ => fallback(),
        };
        if let Some(choice) = choice {
            self.room.answered(&self, &choice);
        }
    }
}

impl Room {
    /// Starts clocks, alarms and the engine to move, as the state of the game requires.
    pub(super) fn schedule(self: &Arc<Self>, table: &mut Table) {
        let waiting = Seat::ALL.into_iter().any(|seat| table.is_waiting(seat));
        if table.is_over() || table.paused || waiting {
            return;
        }
        let seat = table.to_move();
        if !table.occupant(seat).is_engine() {
            if !table.clock.runs() {
                table.clock.start(self.now());
                self.set_alarm(table);
            }
        } else if table.search.is_none() && !table.members.is_empty() {
            self.let_think(table, seat);
        }
    }

    fn let_think(self: &Arc<Self>, table: &mut Table, seat: Seat) {
        let stop = Arc::new(Stop::new());
        let thought = Thought {
            room: Arc::clone(self),
            game: table.dealt.game().clone(),
            seat,
            turn: table.turn,
            begun: Duration::ZERO,
        };
        let job = Job::new(Kind::Move, &stop, thought);
        table.search = Some(stop);
        self.services.host.submit(job);
    }

    fn longest(&self) -> Duration {
        Duration::from_millis(self.services.config.engine_ms)
    }

    /// Plays the answer of an engine, delayed by the pace.
    fn answered(self: &Arc<Self>, thought: &Thought, choice: &Choice) {
        let now = self.now();
        let elapsed = now.saturating_sub(thought.begun);
        let rest = self.services.config.pace.saturating_sub(elapsed);
        let value = choice.score.map(Score::expected_result);
        let (action, turn) = (choice.action, thought.turn);
        {
            let mut table = self.lock();
            if table.turn != turn {
                return;
            }
            let last = &mut table.last_values[thought.seat.index()];
            *last = value.or(*last);
            // The wait is the page's time, not the engine's.
            table.clock.hold(now);
        }
        if rest.is_zero() {
            self.play_for_engine(turn, action);
            return;
        }
        let room = Arc::clone(self);
        let play = move || room.play_for_engine(turn, action);
        self.services.host.after(rest, Box::new(play));
    }

    /// Plays an engine's action unless it is stale.
    fn play_for_engine(self: &Arc<Self>, turn: u64, action: Action) {
        let mut table = self.lock();
        if table.turn != turn {
            return;
        }
        if table.act(action, self.now()).is_err() {
            // The time is up, and the alarm is about to ring.
            return;
        }
        self.changed(table, None);
    }

    fn tell_thinking(&self, thought: &Thought, report: &Report) {
        let table: MutexGuard<'_, Table> = self.lock();
        if table.turn != thought.turn || !table.members.iter().any(|m| m.show_thinking) {
            return;
        }
        let message = ServerMessage::Thinking(Thinking {
            game: self.id.clone(),
            ply: thought.game.plies().len(),
            depth: report.depth,
            nodes: report.nodes,
            ms: report.elapsed.as_millis() as u64,
            value: Value::of(report.score),
            line: steps(&report.line),
        });
        for member in table.members.iter().filter(|m| m.show_thinking) {
            member.outbox.send(None, &message);
        }
    }

    /// Ends the game when the running clock runs out.
    fn set_alarm(self: &Arc<Self>, table: &Table) {
        let (seat, turn) = (table.to_move(), table.turn);
        let Some(left) = table.clock.left(seat, Some(seat), self.now()) else {
            return;
        };
        let room = Arc::downgrade(self);
        let alarm = move || {
            if let Some(room) = room.upgrade() {
                room.ring(seat, turn);
            }
        };
        let delay = left + Duration::from_millis(1);
        self.services.host.after(delay, Box::new(alarm));
    }

    fn ring(self: &Arc<Self>, seat: Seat, turn: u64) {
        let mut table = self.lock();
        let now = self.now();
        if table.turn != turn || table.is_over() || !table.is_time_up(now) {
            return;
        }
        table.end(Verdict::out_of_time(seat), now);
        self.changed(table, None);
    }
}

impl Table {
    /// Returns how long the engine on a seat may think.
    fn limits(&self, seat: Seat, most: Duration, now: Duration) -> Limits {
        let time = match self.clock.left(seat, Some(seat), now) {
            Some(left) => on_the_clock(left, self.clock.increment(), most),
            None => TimeLimit::PerMove(Duration::from_millis(self.engine_ms)),
        };
        Limits {
            time,
            ..Limits::NONE
        }
    }
}

/// Returns the engine's time control, limited so that an action takes at most about `most`: a day
/// on the clock must not hold a thread for an hour. What an action takes of it is said by
/// [`share`](anqi_search::clock::share).
fn on_the_clock(left: Duration, increment: Duration, most: Duration) -> TimeLimit {
    TimeLimit::Total {
        left: left.min(most * 20),
        increment: increment.min(most / 3),
    }
}

#[cfg(test)]
mod tests {
    use anqi_search::clock::share;

    use super::*;

    #[test]
    fn a_day_on_the_clock_is_no_day_for_a_move() {
        let seconds = Duration::from_secs;
        let TimeLimit::Total { left, increment } =
            on_the_clock(seconds(86_400), seconds(600), seconds(60))
        else {
            panic!("a clock is a total");
        };
        assert!(share(left, increment, 0) <= seconds(60));
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
