//! Self-play games for training positions.
//!
//! A strong player left alone plays quiet, balanced games, and weights fitted to
//! those know little about anything else. Therefore some actions are random:
//! many of the first few, so that games differ, and a few later ones, so that
//! unbalanced positions occur and are played out. The player does not search
//! before a random action, and that position is not recorded.
//!
//! All other positions with a searched value are recorded, except those with a
//! single legal action, which players do not search. A game ends as soon as its
//! player has proven a win or loss.
//!
//! A game depends only on the recipe and its number. Workers take the next number
//! and send games as they end; [`run`] passes them on in order.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::mpsc;

use anqi_rules::random::below;
use anqi_rules::{Action, Color, Game, Ply, Position, Rules};
use anqi_search::players::by_spec;
use anqi_search::spec::SpecError;
use anqi_search::{Choice, Limits, Player, Request, Score};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::example::{BestAction, Example, GameResult, value_of};
use anqi_match::deal::{Deal, DealKind};
use anqi_match::engines::builtin::panic_text;
use anqi_match::interrupt::Interrupt;
use anqi_match::live::print_warning;
use anqi_match::runner::{Next, share};
use anqi_match::seed;

/// Everything that decides how the games go.
#[derive(Clone, PartialEq, Debug)]
pub struct Recipe {
    /// The built-in player.
    pub player: String,
    /// Nodes for each action.
    pub nodes: u64,
    /// The rules, draws included.
    pub rules: Rules,
    /// The name of the rules.
    pub rules_name: String,
    /// Which actions are random.
    pub variety: Randomization,
    /// The seed of everything random.
    pub seed: u64,
}

/// How many actions are random.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Randomization {
    /// Length of the opening in plies.
    pub opening_plies: u32,
    /// The chance of a random move in the opening.
    pub opening: f64,
    /// The chance of a random move after the opening.
    pub later: f64,
}

impl Default for Randomization {
    fn default() -> Randomization {
        Randomization {
            opening_plies: 8,
            opening: 0.5,
            later: 0.04,
        }
    }
}

impl Randomization {
    /// Draws whether the action at this ply is random.
    fn draw(&self, ply: u32, rng: &mut Pcg64) -> bool {
        let chance = if ply < self.opening_plies {
            self.opening
        } else {
            self.later
        };
        // The upper 53 bits are a uniform number below one, as exact as a float can be.
        let drawn = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        drawn < chance
    }
}

impl fmt::Display for Recipe {
    /// Writes everything but the seed in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Recipe {
            player,
            nodes,
            rules_name,
            variety,
            ..
        } = self;
        write!(
            f,
            "{player}, {nodes} nodes, {rules_name} rules, random actions: {} before ply {}, then {}",
            variety.opening, variety.opening_plies, variety.later
        )
    }
}

/// Why there are no games.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// No built-in player has this name.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The player panicked.
    #[error("game {game}: the player panicked: {message}")]
    Panicked {
        /// In which game.
        game: u32,
        /// Its message.
        message: String,
    },
}

/// Plays games `0..games` and hands the examples of each to `finished`, in order.
///
/// An interrupt ends it early; the games passed on are then the first ones.
///
/// # Errors
///
/// Returns the error of `finished`, or says what is wrong with the player.
pub fn run<E: From<GenerateError>>(
    recipe: &Recipe,
    games: u32,
    jobs: usize,
    interrupt: &Interrupt,
    mut finished: impl FnMut(&[Example]) -> Result<(), E>,
) -> Result<(), E> {
    by_spec(&recipe.player).map_err(GenerateError::Player)?;
    let work = |next: Next<'_, u32>, sender: &_| work(recipe, interrupt, next, sender);
    share(0..games, jobs, interrupt, work, |receiver, enough| {
        let result = in_order(receiver, &mut finished);
        enough.store(true, Ordering::SeqCst);
        result
    })
}

/// What a worker sends: the number and the examples of a game.
type WorkerResult = Result<(u32, Vec<Example>), GenerateError>;

/// Passes games on in the order of their numbers.
fn in_order<E: From<GenerateError>>(
    receiver: mpsc::Receiver<WorkerResult>,
    finished: &mut impl FnMut(&[Example]) -> Result<(), E>,
) -> Result<(), E> {
    let mut waiting = BTreeMap::new();
    let mut wanted = 0;
    for played in receiver {
        let (number, examples) = played?;
        waiting.insert(number, examples);
        while let Some(examples) = waiting.remove(&wanted) {
            finished(&examples)?;
            wanted += 1;
        }
    }
    Ok(())
}

/// Plays games until none is left.
fn work(
    recipe: &Recipe,
    interrupt: &Interrupt,
    next: impl Fn() -> Option<u32>,
    sender: &mpsc::Sender<WorkerResult>,
) {
    // The caller has tried the name.
    let Ok(mut player) = by_spec(&recipe.player) else {
        return;
    };
    while let Some(number) = next() {
        // After a panic neither the player nor the game is used again.
        let play = AssertUnwindSafe(|| play_game(recipe, number, &mut *player, interrupt));
        let played = match catch_unwind(play) {
            Ok(None) => return,
            Ok(Some(examples)) => Ok((number, examples)),
            Err(payload) => Err(GenerateError::Panicked {
                game: number,
                message: panic_text(&*payload).to_owned(),
            }),
        };
        let is_fault = played.is_err();
        if sender.send(played).is_err() || is_fault {
            return;
        }
    }
}

/// Plays one game, `None` if it is interrupted.
fn play_game(
    recipe: &Recipe,
    number: u32,
    player: &mut dyn Player,
    interrupt: &Interrupt,
) -> Option<Vec<Example>> {
    let pair = u64::from(number);
    let deal = Deal::new(DealKind::Sequence, recipe.seed, pair);
    let mut rng = Pcg64::seed_from_u64(seed::variety_seed(recipe.seed, pair));
    let choice_seeds = seed::pair_seed(recipe.seed, pair);
    if let Err(error) = player.prepare(recipe.rules) {
        eprintln!("selfplay: {error}");
    }
    player.new_game();
    let mut game = Game::new(Position::start(), recipe.rules);
    let mut noted = Vec::new();
    let mut flips = 0;
    let winner = loop {
        if let Some(outcome) = game.outcome() {
            break outcome.winner();
        }
        let position = game.position();
        let action = if recipe.variety.draw(position.ply(), &mut rng) {
            random_action(position, &mut rng)
        } else {
            let seed = seed::choice_seed(choice_seeds, position.key(), position.ply());
            let choice = ask(player, recipe, &game, seed, interrupt)?;
            noted.extend(note(position, &choice, number));
            if let Some(winner) = proven_winner(position, &choice) {
                break Some(winner);
            }
            choice.action
        };
        let reveal = action.is_flip().then(|| deal.reveal(action.from(), flips));
        flips += usize::from(action.is_flip());
        game.play(Ply { action, reveal })
            .expect("players choose legal actions");
    };
    for example in &mut noted {
        // Only positions with a known side to move are recorded.
        example.result = GameResult::new(winner, example.position.turn()?);
    }
    Some(noted)
}

fn random_action(position: &Position, rng: &mut Pcg64) -> Action {
    let actions = position.actions();
    actions[below(actions.len() as u64, || rng.next_u64()) as usize]
}

/// Lets the player choose, `None` if the game is to be abandoned.
fn ask(
    player: &mut dyn Player,
    recipe: &Recipe,
    game: &Game,
    seed: u64,
    interrupt: &Interrupt,
) -> Option<Choice> {
    let request = Request {
        game,
        among: None,
        limits: Limits {
            nodes: Some(recipe.nodes),
            ..Limits::NONE
        },
        seed,
        stop: interrupt.thinking(),
    };
    let choice = player.choose(&request, &mut |_| {});
    print_warning(player);
    (!interrupt.stop_now()).then_some(choice)
}

/// Returns the example of this position, if any; its result is not known yet.
fn note(position: &Position, choice: &Choice, game: u32) -> Option<Example> {
    let score = choice.score?;
    let unsearched = choice.depth == 0 && matches!(score, Score::Estimate(_));
    if position.turn().is_none() || unsearched || position.actions().len() == 1 {
        return None;
    }
    Some(Example {
        position: *position,
        value: value_of(score),
        result: GameResult::Draw,
        best: BestAction::new(position, choice.action),
        depth: u8::try_from(choice.depth).unwrap_or(u8::MAX),
        game,
    })
}

/// Returns the winner if the player has proven one.
fn proven_winner(position: &Position, choice: &Choice) -> Option<Color> {
    let turn = position.turn()?;
    match choice.score? {
        Score::Win { .. } => Some(turn),
        Score::Loss { .. } => Some(!turn),
        Score::Estimate(_) | Score::Draw => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(player: &str) -> Recipe {
        Recipe {
            player: player.to_owned(),
            nodes: 60,
            rules: Rules::OLYMPIAD,
            rules_name: "olympiad".to_owned(),
            variety: Randomization::default(),
            seed: 5,
        }
    }

    fn games(recipe: &Recipe, games: u32, jobs: usize) -> Vec<Vec<Example>> {
        let mut all = Vec::new();
        let finished = |examples: &[Example]| {
            all.push(examples.to_vec());
            Ok::<(), GenerateError>(())
        };
        run(recipe, games, jobs, &Interrupt::new(), finished).expect("games");
        all
    }

    #[test]
    fn games_depend_on_recipe_and_number_only() {
        let recipe = recipe("champion:hash=1,tables=0");
        let one = games(&recipe, 12, 1);
        assert_eq!(one, games(&recipe, 12, 3));
        assert_eq!(one[..5], games(&recipe, 5, 2)[..]);
        let numbers: Vec<u32> = one.iter().map(|game| game[0].game).collect();
        assert_eq!(numbers, (0..12).collect::<Vec<u32>>());
        let other = Recipe { seed: 6, ..recipe };
        assert_ne!(one, games(&other, 12, 1));
    }

    #[test]
    fn a_game_has_one_result_and_a_proof_agrees_with_it() {
        let all = games(&recipe("champion:hash=1,tables=0"), 20, 2);
        let mut proven = 0;
        for game in &all {
            let signs = game.iter().map(|example| {
                let is_red = example.position.turn() == Some(Color::Red);
                example.result.sign() * if is_red { 1 } else { -1 }
            });
            let signs: Vec<i8> = signs.collect();
            assert!(signs.windows(2).all(|two| two[0] == two[1]), "{signs:?}");
            for example in game.iter().filter(|example| example.is_proven()) {
                assert_eq!(example.value.signum(), i16::from(example.result.sign()));
                proven += 1;
            }
        }
        assert!(proven > 0, "some game ends by a proof");
    }

    #[test]
    fn random_actions_are_as_frequent_as_asked_for() {
        let variety = Randomization::default();
        let mut rng = Pcg64::seed_from_u64(1);
        let mut count = |ply| (0..20_000).filter(|_| variety.draw(ply, &mut rng)).count();
        // Five standard deviations: 354 around 10,000 and 139 around 800.
        assert!(count(7).abs_diff(10_000) < 354);
        assert!(count(8).abs_diff(800) < 139);
    }

    #[test]
    fn players_without_values_give_no_examples_and_unknown_ones_an_error() {
        assert_eq!(games(&recipe("random"), 3, 1), vec![Vec::new(); 3]);
        let finished = |_: &[Example]| Ok::<(), GenerateError>(());
        let error = run(&recipe("nobody"), 1, 1, &Interrupt::new(), finished);
        assert!(matches!(error, Err(GenerateError::Player(_))));
    }

    #[test]
    fn an_interrupt_hands_over_the_first_games_only() {
        let interrupt = Interrupt::new();
        let mut seen = Vec::new();
        let finished = |examples: &[Example]| {
            seen.push(examples[0].game);
            interrupt.request();
            Ok::<(), GenerateError>(())
        };
        run(
            &recipe("champion:hash=1,tables=0"),
            4_000,
            2,
            &interrupt,
            finished,
        )
        .expect("games");
        assert!(!seen.is_empty() && seen.len() < 100, "{} games", seen.len());
        assert_eq!(seen, (0..seen.len() as u32).collect::<Vec<_>>());
    }
}
