//! Plays the games: one player against itself, from every first flip.
//!
//! A game depends on the recipe and its own number only, so that neither the number of threads
//! nor an interrupt changes any of them.

use anqi_rules::Rules;
use serde::{Deserialize, Serialize};

use super::plan::FirstFlip;
use anqi_match::adjudication::Adjudication;
use anqi_match::clock::TimeTolerance;
use anqi_match::deal::{Deal, DealKind};
use anqi_match::engine::{Engine, EngineFault};
use anqi_match::engines::participant::Participant;
use anqi_match::interrupt::Interrupt;
use anqi_match::limits::Limits;
use anqi_match::luck::{self, Appraiser, AppraiserSpec};
use anqi_match::openings::Opening;
use anqi_match::record::GameRecord;
use anqi_match::referee::{self, GameSetup, Interrupted};
use anqi_match::runner::{Next, share};
use anqi_match::seed;
use anqi_match::side::{BySide, Side};
use anqi_match::statistics::adjusted::PairResult;

/// The side that has made the first flip.
pub const FLIPPER: Side = Side::A;

/// How the piece that a later flip reveals is chosen; without a pair to share it, both kinds are alike.
pub(super) const DEAL: DealKind = DealKind::Sequence;

/// Everything that decides how the games go.
#[derive(Clone, Debug)]
pub struct FirstFlipRecipe {
    /// The player of both sides.
    pub player: Participant,
    /// What it may spend on a move.
    pub limits: Limits,
    /// The rules, draws included.
    pub rules: Rules,
    /// The name of the rules.
    pub rules_name: String,
    /// The seed of everything random.
    pub seed: u64,
    /// When decided games end early.
    pub adjudication: Adjudication,
    /// The appraiser of flips.
    pub appraiser: AppraiserSpec,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Its number, from 0.
    pub game: u64,
    /// The game after the first flip; side A has made that, and B begins.
    pub record: GameRecord,
    /// A's luck in each later flip, in ten-thousandths of a win.
    pub luck: Vec<i32>,
}

impl PlayedGame {
    /// Returns what the side that flipped first scores, and its luck in the flips after that.
    pub fn result(&self) -> PairResult {
        let luck: i64 = self.luck.iter().map(|&luck| i64::from(luck)).sum();
        PairResult {
            score: self.record.verdict.half_points(FLIPPER) as f64 / 2.0,
            // From a draw to a win is half a point.
            luck: luck as f64 / f64::from(luck::WIN) / 2.0,
        }
    }
}

/// Returns the pieces that the later flips of a game reveal.
pub(super) fn deal(seed: u64, game: u64) -> Deal {
    Deal::at(&FirstFlip::of_game(game).position(), DEAL, seed, game)
}

/// Plays games on `jobs` threads and hands each to `finished`, in the order in which they end.
///
/// # Errors
///
/// Returns the error of `finished`.
pub fn run<E>(
    recipe: &FirstFlipRecipe,
    games: impl Iterator<Item = u64> + Send,
    jobs: usize,
    interrupt: &Interrupt,
    mut finished: impl FnMut(PlayedGame) -> Result<(), E>,
) -> Result<(), E> {
    let work = |next: Next<'_, u64>, sender: &std::sync::mpsc::Sender<PlayedGame>| {
        let mut worker = Worker::new(recipe, interrupt);
        while let Some(game) = next() {
            let Ok(played) = worker.play(game) else {
                return;
            };
            if sender.send(played).is_err() {
                return;
            }
        }
    };
    share(games, jobs, interrupt, work, |receiver, enough| {
        let result = receiver.into_iter().try_for_each(&mut finished);
        enough.store(true, std::sync::atomic::Ordering::SeqCst);
        result
    })
}

/// One thread's engines.
struct Worker<'a> {
    recipe: &'a FirstFlipRecipe,
    interrupt: &'a Interrupt,
    engines: Option<BySide<Box<dyn Engine>>>,
    appraiser: Appraiser,
}

impl<'a> Worker<'a> {
    fn new(recipe: &'a FirstFlipRecipe, interrupt: &'a Interrupt) -> Worker<'a> {
        Worker {
            recipe,
            interrupt,
            engines: None,
            appraiser: Appraiser::new(recipe.appraiser),
        }
    }

    fn play(&mut self, game: u64) -> Result<PlayedGame, Interrupted> {
        let recipe = self.recipe;
        let opening = Some(Opening(FirstFlip::of_game(game).position()));
        let deal = deal(recipe.seed, game);
        let setup = GameSetup {
            opening,
            deal: &deal,
            starter: !FLIPPER,
            rules: recipe.rules,
            limits: BySide::from_fn(|_| recipe.limits),
            tolerance: TimeTolerance::default(),
            adjudication: recipe.adjudication,
            adjudicator: None,
            pair_seed: seed::pair_seed(recipe.seed, game),
        };
        let record = match self.engines() {
            Ok(BySide { a, b }) => {
                let engines = BySide {
                    a: &mut **a,
                    b: &mut **b,
                };
                referee::play(&setup, engines)?.0
            }
            Err(EngineFault::Interrupted) => return Err(Interrupted),
            Err(fault) => {
                let why = format!("cannot be started: {fault}");
                referee::no_show(opening, !FLIPPER, !FLIPPER, &why)
            }
        };
        if record.verdict.reason.is_fault() {
            self.engines = None;
        }
        let luck = luck::of_game(&record, recipe.rules, &mut self.appraiser);
        let luck = luck.expect("a game just played can be replayed");
        Ok(PlayedGame { game, record, luck })
    }

    /// Returns the engines, new ones after a fault.
    fn engines(&mut self) -> Result<&mut BySide<Box<dyn Engine>>, EngineFault> {
        let start = || self.recipe.player.engine(self.interrupt);
        let engines = match self.engines.take() {
            Some(engines) => engines,
            None => BySide {
                a: start()?,
                b: start()?,
            },
        };
        Ok(self.engines.insert(engines))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn recipe(seed: u64) -> FirstFlipRecipe {
        FirstFlipRecipe {
            player: Participant::new("champion:hash=1,tables=0", &Interrupt::new())
                .expect("a player"),
            limits: Limits {
                nodes: Some(50),
                ..Limits::default()
            },
            rules: Rules::OLYMPIAD,
            rules_name: "olympiad".to_owned(),
            seed,
            adjudication: Adjudication::default(),
            appraiser: AppraiserSpec::Evaluation,
        }
    }

    fn played(seed: u64, jobs: usize) -> Vec<PlayedGame> {
        let mut all = Vec::new();
        let finished = |game| {
            all.push(game);
            Ok::<(), Infallible>(())
        };
        let Ok(()) = run(&recipe(seed), 0..10, jobs, &Interrupt::new(), finished);
        all.sort_by_key(|game| game.game);
        all
    }

    #[test]
    fn games_depend_on_seed_and_number_only() {
        let one = played(3, 1);
        assert_eq!(one, played(3, 3));
        assert_ne!(one, played(4, 1));
        for (game, number) in one.iter().zip(0..) {
            assert_eq!(game.game, number);
            let flip = FirstFlip::of_game(number);
            assert_eq!(game.record.start(), flip.position());
            assert_eq!(game.record.color(FLIPPER), Some(flip.piece.color()));
            assert!(game.record.length() > 10);
        }
    }

    #[test]
    fn a_score_is_that_of_the_side_that_flipped_first() {
        let mut game = played(3, 1).remove(0);
        game.luck = vec![3_000, -1_000];
        for (winner, score) in [(Some(Side::A), 1.0), (None, 0.5), (Some(Side::B), 0.0)] {
            game.record.verdict.winner = winner;
            assert_eq!(game.result(), PairResult { score, luck: 0.1 });
        }
    }
}
