//! Plays the pairs of a match on several threads.
//!
//! Workers take the next free pair, play both of its games, and hand the record to the
//! caller's thread; nothing else is shared, and no pair depends on which worker plays it or
//! on what it played before. Records arrive in the order in which pairs end, which differs
//! from run to run; where the order matters, they are sorted by number.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use anqi_rules::{Position, Rules};

use crate::adjudication::Adjudication;
use crate::clock::TimeTolerance;
use crate::deal::{Deal, DealKind};
use crate::engine::{Engine, EngineFault};
use crate::engines::participant::Participant;
use crate::interrupt::Interrupt;
use crate::limits::Limits;
use crate::luck::{self, Appraiser, AppraiserSpec};
use crate::openings::Openings;
use crate::pairing::STARTERS;
use crate::record::{GameRecord, PairRecord, Timing};
use crate::referee::{self, GameSetup, Interrupted};
use crate::seed;
use crate::side::{BySide, Side};
use crate::table_adjudicator::TableAdjudicator;

/// Everything that decides how the games of a match go.
#[derive(Clone, Debug)]
pub struct MatchSetup {
    /// The players.
    pub players: BySide<Participant>,
    /// What each side may spend on a move.
    pub limits: BySide<Limits>,
    /// The rules, draws included.
    pub rules: Rules,
    /// Where its games begin.
    pub openings: Openings,
    /// How the deal is bound to flips.
    pub deal: DealKind,
    /// The seed of everything random.
    pub seed: u64,
    /// How strictly the referee keeps time.
    pub tolerance: TimeTolerance,
    /// When decided games end early.
    pub adjudication: Adjudication,
    /// The tables that end games, if any; the adjudication has their rule.
    pub adjudicator: Option<TableAdjudicator>,
    /// How long an engine is kept.
    pub lifetime: EngineLifetime,
    /// The appraiser of flips, if luck is measured.
    pub appraiser: Option<AppraiserSpec>,
}

impl MatchSetup {
    /// Returns the default match of these players: a fixed number of nodes a move, Olympiad rules,
    /// seed 1.
    pub fn new(players: BySide<Participant>) -> MatchSetup {
        MatchSetup {
            players,
            limits: BySide::from_fn(|_| Limits::DEFAULT),
            rules: Rules::OLYMPIAD,
            openings: Openings::default(),
            deal: DealKind::Sequence,
            seed: 1,
            tolerance: TimeTolerance::default(),
            adjudication: Adjudication::default(),
            adjudicator: None,
            lifetime: EngineLifetime::default(),
            appraiser: None,
        }
    }
}

/// How long an engine is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EngineLifetime {
    /// Until its player is at fault.
    #[default]
    UntilFault,
    /// For one game: outside programs are restarted for each.
    OneGame,
}

/// Whether to continue after a finished pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Start further pairs.
    Continue,
    /// Let the running pairs finish, and start no more.
    Enough,
}

/// Plays pairs on `jobs` threads and hands each finished one to `finished`.
///
/// # Errors
///
/// Returns the error of `finished` after the running pairs have ended.
pub fn run<E>(
    setup: &MatchSetup,
    pairs: impl Iterator<Item = u64> + Send,
    jobs: usize,
    interrupt: &Interrupt,
    mut finished: impl FnMut(PairRecord) -> Result<Flow, E>,
) -> Result<(), E> {
    let work = |next: Next<'_, u64>, sender: &_| work(setup, interrupt, next, sender);
    share(pairs, jobs, interrupt, work, |receiver, enough| {
        let mut result = Ok(());
        for record in receiver {
            if result.is_err() {
                continue;
            }
            match finished(record) {
                Ok(Flow::Continue) => {}
                Ok(Flow::Enough) => enough.store(true, Ordering::SeqCst),
                Err(error) => {
                    enough.store(true, Ordering::SeqCst);
                    result = Err(error);
                }
            }
        }
        result
    })
}

/// The source of a worker's next item.
pub type Next<'a, I> = &'a (dyn Fn() -> Option<I> + Sync);

/// Lets `jobs` threads take items until none is left, an interrupt arrives, or the
/// receiver sets its flag.
pub fn share<I: Send, R: Send, O>(
    items: impl Iterator<Item = I> + Send,
    jobs: usize,
    interrupt: &Interrupt,
    work: impl Fn(Next<'_, I>, &mpsc::Sender<R>) + Sync,
    receive: impl FnOnce(mpsc::Receiver<R>, &AtomicBool) -> O,
) -> O {
    let queue = Mutex::new(items);
    let enough = AtomicBool::new(false);
    let next = || {
        let go_on = !interrupt.finish_pairs() && !enough.load(Ordering::SeqCst);
        // Only `next` runs under the lock, and it does not panic.
        go_on
            .then(|| queue.lock().expect("never poisoned").next())
            .flatten()
    };
    let (next, work) = (&next, &work);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..jobs {
            let sender = sender.clone();
            scope.spawn(move || work(next, &sender));
        }
        drop(sender);
        receive(receiver, &enough)
    })
}

/// Plays pairs until none is left or the match is interrupted.
fn work(
    setup: &MatchSetup,
    interrupt: &Interrupt,
    next: impl Fn() -> Option<u64>,
    sender: &mpsc::Sender<PairRecord>,
) {
    let mut worker = Worker {
        setup,
        interrupt,
        engines: BySide { a: None, b: None },
        appraiser: setup.appraiser.map(Appraiser::new),
    };
    while let Some(pair) = next() {
        let Ok(record) = worker.play_pair(pair) else {
            return;
        };
        if sender.send(record).is_err() {
            return;
        }
    }
}

/// One thread's engines.
struct Worker<'a> {
    setup: &'a MatchSetup,
    interrupt: &'a Interrupt,
    engines: BySide<Option<Box<dyn Engine>>>,
    appraiser: Option<Appraiser>,
}

impl Worker<'_> {
    fn play_pair(&mut self, pair: u64) -> Result<PairRecord, Interrupted> {
        let opening = self.setup.openings.of_pair(pair);
        let start = opening.map_or_else(Position::start, |opening| opening.0);
        let deal = Deal::at(&start, self.setup.deal, self.setup.seed, pair);
        let (first, first_timing) = self.play_game(pair, &deal, STARTERS[0])?;
        let (second, second_timing) = self.play_game(pair, &deal, STARTERS[1])?;
        let mut record = PairRecord {
            pair,
            games: [first, second],
            timing: [first_timing, second_timing],
            luck: None,
        };
        if let Some(appraiser) = &mut self.appraiser {
            let luck = luck::of_pair(&record, self.setup.rules, appraiser);
            record.luck = Some(luck.expect("games just played can be replayed"));
        }
        Ok(record)
    }

    fn play_game(
        &mut self,
        pair: u64,
        deal: &Deal,
        starter: Side,
    ) -> Result<(GameRecord, Timing), Interrupted> {
        for side in Side::ALL {
            match self.start_engine(side) {
                Ok(()) => {}
                Err(EngineFault::Interrupted) => return Err(Interrupted),
                Err(fault) => {
                    let why = format!("cannot be started: {fault}");
                    let opening = self.setup.openings.of_pair(pair);
                    let record = referee::no_show(opening, starter, side, &why);
                    return Ok((record, Timing::default()));
                }
            }
        }
        let game_setup = GameSetup {
            opening: self.setup.openings.of_pair(pair),
            deal,
            starter,
            rules: self.setup.rules,
            limits: self.setup.limits,
            tolerance: self.setup.tolerance,
            adjudication: self.setup.adjudication,
            adjudicator: self.setup.adjudicator.as_ref(),
            pair_seed: seed::pair_seed(self.setup.seed, pair),
        };
        let played = self.play_started(&game_setup)?;
        match self.setup.lifetime {
            EngineLifetime::UntilFault => self.drop_culprit(&played.0),
            EngineLifetime::OneGame => self.engines = BySide { a: None, b: None },
        }
        Ok(played)
    }

    fn play_started(&mut self, setup: &GameSetup<'_>) -> Result<(GameRecord, Timing), Interrupted> {
        let (Some(a), Some(b)) = (&mut self.engines.a, &mut self.engines.b) else {
            unreachable!("both sides have sat down");
        };
        let engines = BySide {
            a: &mut **a,
            b: &mut **b,
        };
        referee::play(setup, engines)
    }

    /// Makes an engine for this side, unless it still has one.
    fn start_engine(&mut self, side: Side) -> Result<(), EngineFault> {
        if self.engines[side].is_none() {
            let player = &self.setup.players[side];
            self.engines[side] = Some(player.engine(self.interrupt)?);
        }
        Ok(())
    }

    /// Discards the engine at fault; the next game gets a new one.
    fn drop_culprit(&mut self, record: &GameRecord) {
        if let (true, Some(winner)) = (record.verdict.reason.is_fault(), record.verdict.winner) {
            self.engines[!winner] = None;
        }
    }
}
