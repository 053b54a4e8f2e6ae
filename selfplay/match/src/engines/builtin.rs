//! Engines that run a built-in player.
//!
//! A panic in a player is caught and reported as a crash, like that of an
//! outside program: a match of thousands of games must not be lost to one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use anqi_search::{Limits, Player, Request, Score, TimeLimit};

use crate::clock::TimeLeft;
use crate::engine::{Engine, EngineFault, MoveReply, MoveRequest, NewGame, PlyNotice};
use crate::interrupt::Interrupt;
use crate::live::print_warning;

/// An engine for a player that runs in this process.
pub struct BuiltInEngine {
    player: Box<dyn Player>,
    interrupt: Interrupt,
}

impl BuiltInEngine {
    /// Wraps a player.
    pub fn new(player: Box<dyn Player>, interrupt: Interrupt) -> BuiltInEngine {
        BuiltInEngine { player, interrupt }
    }

    /// Runs the player and turns a panic into a fault.
    fn guarded<T>(&mut self, run: impl FnOnce(&mut dyn Player) -> T) -> Result<T, EngineFault> {
        // After a panic the engine is discarded, and the player with it.
        let run = AssertUnwindSafe(|| run(&mut *self.player));
        catch_unwind(run)
            .map_err(|payload| EngineFault::Crash(format!("panicked: {}", panic_text(&*payload))))
    }
}

/// Returns the message of a panic.
pub fn panic_text(payload: &(dyn std::any::Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}

impl Engine for BuiltInEngine {
    fn new_game(&mut self, game: &NewGame) -> Result<(), EngineFault> {
        let rules = game.rules;
        let prepared = self.guarded(|player| {
            let prepared = player.prepare(rules);
            player.new_game();
            prepared
        })?;
        prepared.map_err(|error| EngineFault::Crash(error.to_string()))
    }

    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, EngineFault> {
        let interrupt = self.interrupt.clone();
        let request = Request {
            game: request.game,
            among: None,
            limits: limits(request),
            seed: request.seed,
            stop: interrupt.thinking(),
        };
        let choice = self.guarded(|player| player.choose(&request, &mut |_| {}))?;
        print_warning(&mut *self.player);
        if interrupt.stop_now() {
            return Err(EngineFault::Interrupted);
        }
        Ok(MoveReply {
            action: choice.action,
            nodes: choice.nodes,
            value: choice.score.map(ten_thousandths),
        })
    }

    /// Every request carries the whole game, so there is nothing to remember.
    fn notify(&mut self, _played: &PlyNotice<'_>) -> Result<(), EngineFault> {
        Ok(())
    }
}

fn ten_thousandths(score: Score) -> i32 {
    (score.expected_result() * 10_000.0).round() as i32
}

fn limits(request: &MoveRequest<'_>) -> Limits {
    Limits {
        depth: request.limits.depth,
        nodes: request.limits.nodes,
        time: match request.time {
            TimeLeft::Unlimited => TimeLimit::None,
            TimeLeft::PerMove(time) => TimeLimit::PerMove(time),
            TimeLeft::Total { left, increment } => TimeLimit::Total { left, increment },
        },
        ..Limits::NONE
    }
}
