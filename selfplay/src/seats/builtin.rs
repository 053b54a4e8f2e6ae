//! A built-in player on a seat.
//!
//! A panic in a player is caught and reported as a crash, like that of an
//! outside program: a match of thousands of games must not be lost to one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use anqi_search::{Limits, Player, Request, Score, TimeLimit};

use crate::clock::TimeLeft;
use crate::interrupt::Interrupt;
use crate::live::tell_trouble;
use crate::seat::{Answer, Fault, NewGame, Played, Question, Seat};

/// A seat for a player that runs in this process.
pub struct BuiltIn {
    player: Box<dyn Player>,
    interrupt: Interrupt,
}

impl BuiltIn {
    /// Seats a player.
    pub fn new(player: Box<dyn Player>, interrupt: Interrupt) -> BuiltIn {
        BuiltIn { player, interrupt }
    }

    /// Runs the player and turns a panic into a fault.
    fn guarded<T>(&mut self, run: impl FnOnce(&mut dyn Player) -> T) -> Result<T, Fault> {
        // After a panic the seat, and with it the player, is thrown away.
        let run = AssertUnwindSafe(|| run(&mut *self.player));
        catch_unwind(run)
            .map_err(|payload| Fault::Crash(format!("panicked: {}", panic_text(&*payload))))
    }
}

/// Returns what a panic said.
pub(crate) fn panic_text(payload: &(dyn std::any::Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}

impl Seat for BuiltIn {
    fn begin(&mut self, game: &NewGame) -> Result<(), Fault> {
        let rules = game.rules;
        let prepared = self.guarded(|player| {
            let prepared = player.prepare(rules);
            player.new_game();
            prepared
        })?;
        prepared.map_err(|error| Fault::Crash(error.to_string()))
    }

    fn choose(&mut self, question: &Question<'_>) -> Result<Answer, Fault> {
        let interrupt = self.interrupt.clone();
        let request = Request {
            game: question.game,
            limits: limits(question),
            seed: question.seed,
            stop: interrupt.thinking(),
        };
        let choice = self.guarded(|player| player.choose(&request, &mut |_| {}))?;
        tell_trouble(&mut *self.player);
        if interrupt.stop_now() {
            return Err(Fault::Interrupted);
        }
        Ok(Answer {
            action: choice.action,
            nodes: choice.nodes,
            value: choice.score.map(ten_thousandths),
        })
    }

    /// Every question carries the whole game, so there is nothing to remember.
    fn observe(&mut self, _played: &Played<'_>) -> Result<(), Fault> {
        Ok(())
    }
}

fn ten_thousandths(score: Score) -> i32 {
    (score.expected_result() * 10_000.0).round() as i32
}

fn limits(question: &Question<'_>) -> Limits {
    Limits {
        depth: question.limits.depth,
        nodes: question.limits.nodes,
        time: match question.time {
            TimeLeft::Unlimited => TimeLimit::None,
            TimeLeft::PerMove(time) => TimeLimit::PerMove(time),
            TimeLeft::Total { left, increment } => TimeLimit::Total { left, increment },
        },
        multipv: 1,
    }
}
