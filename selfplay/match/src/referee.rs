//! The referee: plays one game from a hidden deal and says how it ended.
//!
//! It alone knows the deal. It asks the side to move, checks the answer against
//! the rules and the clock, reveals what a flip reveals, tells both sides, and
//! stops when the rules or a fault end the game. A fault scores for the other
//! side, but is recorded as a result of its own kind, with its cause.

use std::time::{Duration, Instant};

use anqi_rules::{Action, Color, Game, Ply, Position, Rules};

use crate::adjudication::{Adjudication, Adjudicator};
use crate::clock::{Clock, TimeTolerance};
use crate::deal::Deal;
use crate::engine::{Engine, EngineFault, MoveReply, MoveRequest, NewGame, PlyNotice};
use crate::limits::Limits;
use crate::openings::Opening;
use crate::record::{GameRecord, Reason, Timing, Verdict};
use crate::seed;
use crate::side::{BySide, Side};
use crate::stall::{self, Stolen};
use crate::table_adjudicator::TableAdjudicator;

/// Everything that is fixed before a game begins.
#[derive(Clone, Debug)]
pub struct GameSetup<'a> {
    /// Where the game begins, if not at the usual start.
    pub opening: Option<Opening>,
    /// The hidden deal.
    pub deal: &'a Deal,
    /// The side that moves first.
    pub starter: Side,
    /// The rules, draws included.
    pub rules: Rules,
    /// What each side may spend.
    pub limits: BySide<Limits>,
    /// How strictly the referee keeps time.
    pub tolerance: TimeTolerance,
    /// When decided games end early.
    pub adjudication: Adjudication,
    /// The tables that end games, if any.
    pub adjudicator: Option<&'a TableAdjudicator>,
    /// The seed of all choices of the pair.
    pub pair_seed: u64,
}

/// The two engines of a game.
pub type Engines<'a> = BySide<&'a mut (dyn Engine + 'static)>;

/// Why a game has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the match was broken off during a game")]
pub struct Interrupted;

/// Plays one game to its end.
///
/// # Errors
///
/// Returns [`Interrupted`] if an engine reports that the match is interrupted.
pub fn play<'a>(
    setup: &'a GameSetup<'a>,
    engines: Engines<'a>,
) -> Result<(GameRecord, Timing), Interrupted> {
    let started = Instant::now();
    let mut table = GameInProgress::new(setup, engines);
    let verdict = match table.play_on() {
        Ok(verdict) => verdict,
        Err((side, fault)) => verdict_on_fault(side, &fault)?,
    };
    let timing = Timing {
        thinking_us: BySide::from_fn(|side| microseconds(table.thinking[side])),
        total_us: microseconds(started.elapsed()),
    };
    Ok((table.into_record(verdict), timing))
}

/// Returns the record of a game that a side could not even begin.
pub fn no_show(opening: Option<Opening>, starter: Side, culprit: Side, why: &str) -> GameRecord {
    GameRecord {
        opening,
        starter,
        starter_color: opening.and_then(|opening| opening.0.turn()),
        verdict: Verdict::fault(culprit, Reason::Crash, why),
        nodes: BySide::default(),
        last_values: BySide::default(),
        plies: String::new(),
    }
}

fn verdict_on_fault(side: Side, fault: &EngineFault) -> Result<Verdict, Interrupted> {
    match fault.reason() {
        Some(reason) => Ok(Verdict::fault(side, reason, fault.to_string())),
        None => Err(Interrupted),
    }
}

/// A fault and its side.
type Culprit = (Side, EngineFault);

/// A game in progress.
struct GameInProgress<'a> {
    setup: &'a GameSetup<'a>,
    engines: Engines<'a>,
    game: Game,
    starter_color: Option<Color>,
    flips: usize,
    clocks: BySide<Clock>,
    nodes: BySide<u64>,
    last_values: BySide<Option<i32>>,
    thinking: BySide<Duration>,
    adjudicator: Adjudicator,
}

/// How long an answer took.
struct TimeTaken {
    elapsed: Duration,
    /// How long the player waited for a core meanwhile; known only under a clock, where it matters.
    waited: Duration,
    /// The cores' lost times when the player was asked.
    stolen: Stolen,
}

impl GameSetup<'_> {
    fn start(&self) -> Position {
        self.opening
            .map_or_else(Position::start, |opening| opening.0)
    }
}

impl<'a> GameInProgress<'a> {
    fn new(setup: &'a GameSetup<'a>, engines: Engines<'a>) -> GameInProgress<'a> {
        let start = setup.start();
        GameInProgress {
            setup,
            engines,
            game: Game::new(start, setup.rules),
            starter_color: start.turn(),
            flips: 0,
            clocks: BySide::from_fn(|side| Clock::new(setup.limits[side].time)),
            nodes: BySide::default(),
            last_values: BySide::default(),
            thinking: BySide::default(),
            adjudicator: Adjudicator::new(setup.adjudication),
        }
    }

    fn play_on(&mut self) -> Result<Verdict, Culprit> {
        self.begin()?;
        loop {
            if let Some(outcome) = self.game.outcome() {
                return Ok(Verdict::of_outcome(outcome, |side| self.color(side)));
            }
            if let Some(verdict) = self.adjudicator.verdict().or_else(|| self.judged()) {
                return Ok(verdict);
            }
            let side = self.side_to_move();
            let (answer, taken) = self.ask(side)?;
            if let Some(verdict) = self.objection(side, answer.action, &taken) {
                return Ok(verdict);
            }
            self.advance(side, answer)?;
        }
    }

    fn begin(&mut self) -> Result<(), Culprit> {
        for side in Side::ALL {
            let new_game = NewGame {
                start: self.setup.start(),
                rules: self.setup.rules,
                limits: self.setup.limits[side],
            };
            let begun = self.engines[side].new_game(&new_game);
            begun.map_err(|fault| (side, fault))?;
        }
        Ok(())
    }

    /// Returns the verdict of the tables, if it is certain.
    fn judged(&self) -> Option<Verdict> {
        let winner = self.setup.adjudicator?.certain(&self.game)?;
        Some(Verdict {
            winner: Side::ALL
                .into_iter()
                .find(|side| winner.is_some() && self.color(*side) == winner),
            reason: Reason::Tables,
            detail: None,
        })
    }

    fn side_to_move(&self) -> Side {
        if self.game.plies().len().is_multiple_of(2) {
            self.setup.starter
        } else {
            !self.setup.starter
        }
    }

    fn ask(&mut self, side: Side) -> Result<(MoveReply, TimeTaken), Culprit> {
        let position = self.game.position();
        let request = MoveRequest {
            game: &self.game,
            limits: self.setup.limits[side],
            time: self.clocks[side].left(),
            seed: seed::choice_seed(self.setup.pair_seed, position.key(), position.ply()),
            deadline: self.clocks[side].deadline(&self.setup.tolerance),
        };
        let is_timed = self.setup.limits[side].time.is_some();
        let before = is_timed.then(|| self.engines[side].waited()).flatten();
        let stolen = if is_timed {
            Stolen::now()
        } else {
            Stolen::default()
        };
        let asked = Instant::now();
        let answer = self.engines[side].choose(&request);
        let elapsed = asked.elapsed();
        let waits =
            before.and_then(|before| Some(self.engines[side].waited()?.saturating_sub(before)));
        let taken = TimeTaken {
            elapsed,
            waited: waits.unwrap_or_default(),
            stolen,
        };
        self.thinking[side] += elapsed;
        let answer = answer.map_err(|fault| (side, fault))?;
        self.nodes[side] += answer.nodes;
        self.last_values[side] = answer.value;
        Ok((answer, taken))
    }

    /// Returns the verdict if the answer was late or is illegal.
    fn objection(&mut self, side: Side, action: Action, taken: &TimeTaken) -> Option<Verdict> {
        if let Err(late) = self.clocks[side].spend(taken.elapsed, &self.setup.tolerance) {
            let stalled = taken.waited + taken.stolen.passed();
            let detail = stall::details(late, stalled, self.setup.tolerance.margin);
            return Some(Verdict::fault(side, Reason::TimeForfeit, detail));
        }
        let error = self.game.check(self.ply(action)).err()?;
        let detail = format!("{action} at ply {}: {error}", self.game.plies().len() + 1);
        Some(Verdict::fault(side, Reason::IllegalAction, detail))
    }

    /// Returns the ply of an action: a flip gets its piece from the deal.
    fn ply(&self, action: Action) -> Ply {
        if action.is_flip() && self.game.position().face_down().contains(action.from()) {
            let reveal = self.setup.deal.reveal(action.from(), self.flips);
            Ply { action, reveal }
        } else {
            Ply::from(action)
        }
    }

    fn advance(&mut self, side: Side, answer: MoveReply) -> Result<(), Culprit> {
        self.adjudicator.add(side, answer.value);
        let ply = self.ply(answer.action);
        self.game
            .play(ply)
            .expect("the objection has checked this ply");
        if let Some(piece) = ply.reveal {
            self.starter_color.get_or_insert(piece.color());
            self.flips += 1;
        }
        let color = self
            .color(side)
            .expect("the first ply of the usual start is a flip");
        for witness in Side::ALL {
            let played = PlyNotice {
                game: &self.game,
                ply,
                color,
                time: self.clocks[side].left(),
            };
            let observed = self.engines[witness].notify(&played);
            observed.map_err(|fault| (witness, fault))?;
        }
        Ok(())
    }

    fn color(&self, side: Side) -> Option<Color> {
        let color = self.starter_color?;
        Some(if side == self.setup.starter {
            color
        } else {
            !color
        })
    }

    fn into_record(self, verdict: Verdict) -> GameRecord {
        let plies: Vec<String> = self.game.plies().iter().map(ToString::to_string).collect();
        GameRecord {
            opening: self.setup.opening,
            starter: self.setup.starter,
            starter_color: self.starter_color,
            verdict,
            nodes: self.nodes,
            last_values: self.last_values,
            plies: plies.join(" "),
        }
    }
}

fn microseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
