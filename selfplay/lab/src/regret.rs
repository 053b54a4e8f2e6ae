//! Regret: how much value a player's choices give away.
//!
//! A judge, usually the champion with far more nodes, values the best actions of positions from the champion's games.
//! The regret of a choice is the value of the judge's best action less that of the action chosen. A match tells two
//! players apart by its result, one sample of noise a game; regret tells them apart at every decision, so that a few seconds show what
//! takes hours of games. But the judge has the same blind spots as the players: regret screens ideas, matches decide.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use anqi_rulebooks::wander::{Temper, Wanderer};
use anqi_rules::{Action, Game, Position, Rules};
use anqi_search::players::by_spec;
use anqi_search::score::ESTIMATE_BOUND;
use anqi_search::spec::SpecError;
use anqi_search::{Limits, Player, Request, Score, Stop};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// The player of the games, and the usual judge.
pub const CHAMPION: &str = "champion";
/// Nodes of each action in the games.
const GAME_NODES: u64 = 1_000;
/// The plies after which a position may be taken.
const PLIES: std::ops::RangeInclusive<usize> = 6..=160;
/// The actions that the judge values; all others count like the worst of them.
const JUDGED_ACTIONS: usize = 5;
/// Positions that leave fewer actions decide little.
const LEAST_ACTIONS: usize = 3;
/// Positions with greater values are decided already.
const MOST_VALUE: i32 = ESTIMATE_BOUND - 500;
/// The most that one choice counts: a single blunder must not drown all else.
pub const MOST_REGRET: i32 = 600;
/// The rules of the games.
const RULES: Rules = Rules::OLYMPIAD;

/// A position with the values of its best actions.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The game up to the position: `start moves` and the plies.
    pub line: String,
    /// Values in ten-thousandths, by the name of the action.
    pub values: BTreeMap<String, i32>,
}

impl Judged {
    /// Returns the regret of an action.
    pub fn regret(&self, action: Action) -> i32 {
        let values = || self.values.values().copied();
        let best = values().max().unwrap_or(0);
        let worst = values().min().unwrap_or(0);
        let value = self.values.get(&action.to_string()).copied();
        (best - value.unwrap_or(worst)).min(MOST_REGRET)
    }
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self
            .values
            .iter()
            .map(|(action, v)| format!("{action}={v}"));
        let values: Vec<String> = values.collect();
        write!(f, "{}\t{}", values.join(","), self.line)
    }
}

/// Why a line of a file is no judged position.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum JudgedError {
    /// There are not two columns.
    #[error("expected the values of actions, a tab and a game, found '{0}'")]
    Columns(String),
    /// A value cannot be read.
    #[error("expected an action and its value such as b2-b3=150, found '{0}'")]
    Value(String),
    /// The game cannot be read.
    #[error("no game: {0}")]
    Game(String),
}

impl FromStr for Judged {
    type Err = JudgedError;

    fn from_str(text: &str) -> Result<Judged, JudgedError> {
        let columns = text.split_once('\t');
        let (values, line) = columns.ok_or_else(|| JudgedError::Columns(text.to_owned()))?;
        let value = |text: &str| {
            let (action, value) = text.split_once('=')?;
            let action: Action = action.parse().ok()?;
            Some((action.to_string(), value.parse().ok()?))
        };
        let values = values
            .split(',')
            .map(|text| value(text).ok_or_else(|| JudgedError::Value(text.to_owned())))
            .collect::<Result<_, _>>()?;
        Game::from_text(line, RULES).map_err(|error| JudgedError::Game(error.to_string()))?;
        let line = line.to_owned();
        Ok(Judged { line, values })
    }
}

/// Judges positions of the champion's games, each from a game of its own.
pub struct Judge {
    /// Plays the games, so that every judge has the same positions.
    player: Box<dyn Player>,
    judge: Box<dyn Player>,
    nodes: u64,
    seed: u64,
}

impl Judge {
    /// Returns a judge that searches this many nodes; the seed decides the positions.
    ///
    /// # Errors
    ///
    /// Returns an error if the judge's spec names no player.
    pub fn new(judge: &str, nodes: u64, seed: u64) -> Result<Judge, SpecError> {
        Ok(Judge {
            player: by_spec(CHAMPION)?,
            judge: by_spec(judge)?,
            nodes,
            seed,
        })
    }

    /// Returns the position of the game with this number, `None` if it decides too little.
    pub fn judge(&mut self, number: u64) -> Option<Judged> {
        let game = self.part_of_game(self.seed << 32 ^ number)?;
        if game.actions().len() < LEAST_ACTIONS {
            return None;
        }
        let limits = Limits {
            nodes: Some(self.nodes),
            multipv: JUDGED_ACTIONS,
            ..Limits::NONE
        };
        let choice = choose(self.judge.as_mut(), &game, None, limits);
        let ranked = choice.ranked.iter();
        let values: BTreeMap<String, i32> = ranked
            .map(|ranked| (ranked.action.to_string(), value(ranked.score)))
            .collect();
        let is_open = values.values().max()?.abs() <= MOST_VALUE;
        let plies: Vec<String> = game.plies().iter().map(ToString::to_string).collect();
        let line = format!("start moves {}", plies.join(" "));
        (is_open && values.len() >= LEAST_ACTIONS).then_some(Judged { line, values })
    }

    /// Plays the beginning of a game, `None` if it ends before.
    fn part_of_game(&mut self, seed: u64) -> Option<Game> {
        let mut reveals = Wanderer {
            source: Pcg64::seed_from_u64(seed),
            temper: Temper::Even,
        };
        let plies = reveals.source.random_range(PLIES);
        let mut game = Game::new(Position::start(), RULES);
        let limits = Limits {
            nodes: Some(GAME_NODES),
            ..Limits::NONE
        };
        for _ in 0..plies {
            let action = choose(self.player.as_mut(), &game, None, limits).action;
            let ply = reveals.carried_out(game.position(), action);
            game.play(ply).expect("players play legal actions");
            if game.outcome().is_some() {
                return None;
            }
        }
        Some(game)
    }
}

/// What a player chose in all judged positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The regret of each choice.
    pub regrets: Vec<i32>,
    /// How many choices were the judge's.
    pub same: usize,
    /// The mean depth of the searches.
    pub depth: f64,
}

/// Returns what a player chooses in these positions with this many nodes each.
///
/// # Panics
///
/// Panics if a position's game cannot be played, which reading it has excluded.
pub fn chosen(player: &mut dyn Player, judged: &[Judged], nodes: u64) -> Chosen {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::NONE
    };
    let mut depths = 0;
    let one = |judged: &Judged| {
        let game = Game::from_text(&judged.line, RULES).expect("checked when it was read");
        let choice = choose(player, &game, None, limits);
        depths += choice.depth;
        judged.regret(choice.action)
    };
    let regrets: Vec<i32> = judged.iter().map(one).collect();
    Chosen {
        same: regrets.iter().filter(|regret| **regret == 0).count(),
        depth: f64::from(depths) / judged.len().max(1) as f64,
        regrets,
    }
}

/// A mean and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

/// Returns the mean of numbers and its standard error.
pub fn mean_of(numbers: impl Iterator<Item = f64> + Clone) -> Mean {
    let count = numbers.clone().count().max(1) as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    let squares: f64 = numbers.map(|number| (number - mean).powi(2)).sum();
    Mean {
        mean,
        error: (squares / count / count).sqrt(),
    }
}

/// Returns a player's mean regret less another's, position by position.
pub fn difference(one: &Chosen, other: &Chosen) -> Mean {
    let pairs = one.regrets.iter().zip(&other.regrets);
    mean_of(pairs.map(|(one, other)| f64::from(one - other)))
}

/// Lets a player that remembers nothing choose, among these actions if there are any.
pub(crate) fn choose(
    player: &mut dyn Player,
    game: &Game,
    among: Option<&[Action]>,
    limits: Limits,
) -> anqi_search::Choice {
    let stop = Stop::new();
    player.new_game();
    let request = Request {
        game,
        among,
        limits,
        seed: 1,
        stop: &stop,
    };
    player.choose(&request, &mut |_| {})
}

/// A score in ten-thousandths; proofs are the ends of the scale.
pub(crate) fn value(score: Score) -> i32 {
    match score {
        Score::Estimate(value) => value,
        Score::Win { .. } => 10_000,
        Score::Loss { .. } => -10_000,
        Score::Draw => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(count: usize) -> Vec<Judged> {
        let mut judge = Judge::new(CHAMPION, 20_000, 7).unwrap();
        (0..)
            .filter_map(|number| judge.judge(number))
            .take(count)
            .collect()
    }

    #[test]
    fn judged_positions_are_read_as_they_are_written_and_nonsense_is_refused() {
        for judged in judged(3) {
            assert!((LEAST_ACTIONS..=JUDGED_ACTIONS).contains(&judged.values.len()));
            assert_eq!(judged.to_string().parse(), Ok(judged));
        }
        let error = |text: &str| text.parse::<Judged>().unwrap_err().to_string();
        assert!(error("b2-b3=1").contains("a tab and a game"));
        assert!(error("b2-b9=1\tstart").contains("'b2-b9=1'"));
        assert!(error("b2-b3=much\tstart").contains("'b2-b3=much'"));
        assert!(error("b2-b2=1\tstart moves b2-b3").contains("no game"));
    }

    #[test]
    fn the_best_action_has_no_regret_unknown_ones_that_of_the_worst_and_blunders_are_capped() {
        let values = [("b2-b2", 400), ("b3-b3", 250), ("b4-b4", -9_000)];
        let values = values.map(|(action, value)| (action.to_owned(), value));
        let judged = Judged {
            line: "start".to_owned(),
            values: BTreeMap::from(values),
        };
        let regret = |action: &str| judged.regret(action.parse().unwrap());
        assert_eq!((regret("b2-b2"), regret("b3-b3")), (0, 150));
        assert_eq!(
            (regret("b4-b4"), regret("c7-c7")),
            (MOST_REGRET, MOST_REGRET)
        );
    }

    #[test]
    fn more_nodes_mean_less_regret() {
        let judged = judged(30);
        let of = |spec: &str, nodes| chosen(by_spec(spec).unwrap().as_mut(), &judged, nodes);
        let [random, some, all] = [of("random", 1), of(CHAMPION, 1_000), of(CHAMPION, 10_000)];
        let sum = |chosen: &Chosen| chosen.regrets.iter().sum::<i32>();
        assert!(sum(&random) > 2 * sum(&some), "{random:?} {some:?}");
        assert!(sum(&some) >= sum(&all), "{some:?} {all:?}");
        assert!(difference(&all, &random).mean < 0.0);
    }

    #[test]
    fn standard_errors_are_those_of_the_mean() {
        let mean = mean_of([1.0, 3.0, 1.0, 3.0].into_iter());
        assert_eq!((mean.mean, mean.error), (2.0, 0.5));
    }
}
