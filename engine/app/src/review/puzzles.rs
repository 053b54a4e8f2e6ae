//! Puzzles: positions from played games in which one action is clearly best.
//!
//! A search finds candidates and a deeper one confirms them; then the best action
//! and the next best are valued separately to confirm the gap. A quick search finds
//! the easy puzzles; the hard ones are those that it gets wrong and a longer search
//! solves. Since a flip is rarely best on one square alone, a few flips of equal
//! value count as one solution. A puzzle's difficulty says how long a search must be to solve it:
//! nine searches try, each three to four times as long as the one before.

use super::analyst::{Analyst, Effort};
use super::decision::prefix;
use super::value::{Step, Value};
use anqi_rules::{Action, Game, Position, Rules};
use anqi_search::spec::SpecError;
use anqi_search::{Limits, Player, Request, Stop, players};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// The first ply at which a game has puzzles: before it too little is face up.
const FIRST_PLY: usize = 8;
/// Least number of plies between two puzzles of one game.
const DISTANCE: usize = 6;
/// Nodes of the quick search, of the longer one that looks for its mistakes, and of the deep one
/// that confirms; valuing the best two actions takes as many as the deep one.
const QUICK: u64 = 6_000;
const LONGER: u64 = 40_000;
const DEEP: u64 = 400_000;
/// The gap to the next best action, in points: more than a blunder; for hard puzzles more than a
/// mistake; for flips, whose values are averages and lie close together, nearly a mistake. The deep
/// search may find a slightly smaller gap than the search for candidates.
const EASY: Gap = Gap {
    first: 0.25,
    deep: 0.22,
};
const HARD: Gap = Gap {
    first: 0.12,
    deep: 0.1,
};
const FLIP: Gap = Gap {
    first: 0.06,
    deep: 0.05,
};
/// Flips that differ by less are one solution; the most flips in a solution.
const SAME: f64 = 0.02;
const MOST_SOLUTIONS: usize = 4;
/// A puzzle's solution is worth at least this, and the next best action at most that.
const HOPELESS: f64 = -0.6;
const WON_ANYWAY: f64 = 0.75;
/// The positions that the searches visit that try a puzzle. The shortest do not even see every
/// action of it.
const SOLVERS: [u32; 9] = [12, 40, 130, 450, 1_500, 5_000, 16_000, 60_000, 250_000];
/// How often each search tries, and how often it must succeed: the order in which it sees equals is
/// drawn.
const TRIES: u64 = 3;
const SUCCESSES: usize = 2;

/// The least gap of a candidate, and after the deep search.
#[derive(Clone, Copy)]
struct Gap {
    first: f64,
    deep: f64,
}

/// A puzzle in the page's format.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Puzzle {
    /// A name derived from the position.
    pub id: String,
    /// The position.
    pub position: String,
    /// The rules' preset.
    pub rules: String,
    /// The actions that solve it.
    pub solution: Vec<String>,
    /// The principal variation, from the solution.
    pub line: Vec<Step>,
    /// The value of the solution.
    pub value: Value,
    /// The value of the best other action.
    pub second: Option<Value>,
    /// From 1 to 10.
    pub difficulty: u32,
    /// Its theme.
    pub theme: Theme,
}

/// The theme of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// The solution captures.
    Capture,
    /// The solution saves a piece.
    Escape,
    /// The solution flips.
    Flip,
    /// Few pieces, all of them known.
    Endgame,
    /// None of these.
    Quiet,
}

/// A maker of puzzles.
pub struct Maker {
    analyst: Analyst,
    /// The searches that try a puzzle, the shortest first.
    solvers: Vec<Box<dyn Player>>,
    /// The only theme wanted, if any.
    only: Option<Theme>,
}

impl Maker {
    /// Returns a maker with this analyst.
    ///
    /// # Errors
    ///
    /// Returns an error if a solver cannot be made.
    pub fn new(analyst: Analyst, only: Option<Theme>) -> Result<Maker, SpecError> {
        let mut solvers = Vec::new();
        for nodes in SOLVERS {
            solvers.push(players::by_spec(&format!("champion:nodes={nodes},hash=8"))?);
        }
        Ok(Maker {
            analyst,
            solvers,
            only,
        })
    }

    /// Returns the puzzles of a game.
    pub fn puzzles(&mut self, game: &Game) -> Vec<Puzzle> {
        let mut found = Vec::new();
        let mut next = FIRST_PLY;
        for index in FIRST_PLY..game.plies().len() {
            if index < next {
                continue;
            }
            let before = prefix(game, index);
            // A puzzle is a position without a history.
            let alone = Game::new(*before.position(), game.rules());
            if let Some(puzzle) = self.puzzle(&alone) {
                found.push(puzzle);
                next = index + DISTANCE;
            }
        }
        found
    }

    /// Returns the position as a puzzle, if it is one.
    fn puzzle(&mut self, game: &Game) -> Option<Puzzle> {
        let position = game.position();
        if game.outcome().is_some() || game.actions().len() < 3 {
            return None;
        }
        let stop = Stop::new();
        let (candidate, gap) = self.candidate(game, &stop)?;
        let found = self.clearly_best(game, DEEP, gap.deep, &stop)?;
        if !found.solutions.contains(&candidate) {
            return None;
        }
        let effort = effort(DEEP, &stop);
        let (value, _, line) = self.analyst.value(game, found.solutions[0], effort);
        let (other, ..) = self.analyst.value(game, found.next, effort);
        let worth_it = value.expected >= HOPELESS && other.expected <= WON_ANYWAY;
        if !worth_it || value.expected - other.expected < gap.deep {
            return None;
        }
        let text = position.to_string();
        Some(Puzzle {
            id: blake3::hash(text.as_bytes()).to_hex()[..8].to_owned(),
            rules: game.rules().name().unwrap_or("olympiad").to_owned(),
            solution: found.solutions.iter().map(Action::to_string).collect(),
            line,
            value,
            second: Some(other),
            difficulty: self.difficulty(game, &found.solutions),
            theme: theme(position, found.solutions[0]),
            position: text,
        })
    }

    /// Returns a candidate for the solution: clearly best in a quick search, or in a longer one
    /// while the quick one prefers another action.
    fn candidate(&mut self, game: &Game, stop: &Stop) -> Option<(Action, Gap)> {
        let only = self.only;
        let unwanted = |action| only.is_some_and(|only| only != theme(game.position(), action));
        if let Some(quick) = self.clearly_best(game, QUICK, FLIP.first, stop) {
            let best = quick.solutions[0];
            let gap = if best.is_flip() { FLIP } else { EASY };
            let clear = quick.gap >= gap.first && !unwanted(best);
            return clear.then_some((best, gap));
        }
        let quick = self.analyst.think(game, effort(QUICK, stop), 1).action;
        if unwanted(quick) {
            return None;
        }
        let longer = self.clearly_best(game, LONGER, HARD.first, stop)?;
        let best = longer.solutions[0];
        let missed = !longer.solutions.contains(&quick) && !unwanted(best);
        missed.then_some((best, HARD))
    }

    /// Returns the best action, or the best flips, if the next best is worse by at least `gap`.
    fn clearly_best(
        &mut self,
        game: &Game,
        nodes: u64,
        gap: f64,
        stop: &Stop,
    ) -> Option<ClearlyBest> {
        self.analyst.forget();
        let choice = self
            .analyst
            .think(game, effort(nodes, stop), MOST_SOLUTIONS + 1);
        let values: Vec<(Action, f64)> = choice
            .ranked
            .iter()
            .map(|ranked| (ranked.action, ranked.score.expected_result()))
            .collect();
        clearly_best(&values, gap)
    }

    /// Returns the number of the shortest search from which on all find a solution.
    fn difficulty(&mut self, game: &Game, solutions: &[Action]) -> u32 {
        let mut solvers = self.solvers.iter_mut();
        let fails = |solver: &mut Box<dyn Player>| !solves(solver.as_mut(), game, solutions);
        let longest_that_fails = solvers.rposition(fails);
        1 + longest_that_fails.map_or(0, |index| index as u32 + 1)
    }

    /// Works out the difficulty of a puzzle that was made before.
    ///
    /// # Errors
    ///
    /// Returns an error that says which part of the puzzle is none.
    pub fn grade(&mut self, puzzle: &mut Puzzle) -> Result<(), String> {
        let rules = Rules::preset(&puzzle.rules);
        let rules = rules.ok_or_else(|| format!("no rules are called '{}'", puzzle.rules))?;
        let game = Game::from_text(&puzzle.position, rules).map_err(|error| error.to_string())?;
        if game.outcome().is_some() {
            return Err("its game is over".to_owned());
        }
        let solutions = puzzle.solution.iter().map(|action| action.parse());
        let solutions: Result<Vec<Action>, _> = solutions.collect();
        let solutions = solutions.map_err(|error| error.to_string())?;
        puzzle.difficulty = self.difficulty(&game, &solutions);
        Ok(())
    }
}

/// Returns whether a player finds a solution more often than not.
fn solves(solver: &mut dyn Player, game: &Game, solutions: &[Action]) -> bool {
    let stop = Stop::new();
    let mut finds = |seed: &u64| {
        solver.new_game();
        let request = Request {
            game,
            among: None,
            limits: Limits::NONE,
            seed: *seed,
            stop: &stop,
        };
        let action = solver.choose(&request, &mut |_| {}).action;
        crate::print_warning(solver);
        solutions.contains(&action)
    };
    (1..=TRIES).filter(|seed| finds(seed)).count() >= SUCCESSES
}

/// A solution, and the next best action.
#[derive(Clone, PartialEq, Debug)]
struct ClearlyBest {
    /// One action, or flips of equal value, the best first.
    solutions: Vec<Action>,
    /// The best other action.
    next: Action,
    /// By how much it is worse than the best.
    gap: f64,
}

/// Looks for a gap in ranked actions, the best first.
fn clearly_best(ranked: &[(Action, f64)], gap: f64) -> Option<ClearlyBest> {
    let &(best, high) = ranked.first()?;
    let alike = |&&(action, value): &&(Action, f64)| {
        action == best || best.is_flip() && action.is_flip() && high - value < SAME
    };
    let solutions: Vec<Action> = ranked.iter().take_while(alike).map(|r| r.0).collect();
    let &(next, low) = ranked.get(solutions.len())?;
    let found = ClearlyBest {
        solutions,
        next,
        gap: high - low,
    };
    (found.gap >= gap).then_some(found)
}

fn effort(nodes: u64, stop: &Stop) -> Effort<'_> {
    Effort {
        nodes,
        time: None,
        stop,
    }
}

fn theme(position: &Position, action: Action) -> Theme {
    let (from, to) = (action.from(), action.to());
    if action.is_flip() {
        return Theme::Flip;
    }
    if position.face_down().is_empty() && position.occupied().len() <= 6 {
        return Theme::Endgame;
    }
    if position.piece_at(to).is_some() {
        return Theme::Capture;
    }
    let enemies = position.turn().map(|turn| position.color(!turn));
    let attacked = enemies
        .into_iter()
        .flatten()
        .any(|enemy| position.targets(enemy).contains(from));
    match attacked {
        true => Theme::Escape,
        false => Theme::Quiet,
    }
}

/// Chooses up to `most` puzzles, spread evenly over the difficulties, the easy first.
pub fn choose(mut puzzles: Vec<Puzzle>, most: usize) -> Vec<Puzzle> {
    puzzles.sort_by(|a, b| (a.difficulty, &a.id).cmp(&(b.difficulty, &b.id)));
    puzzles.dedup_by(|a, b| a.id == b.id);
    let mut ranks: Vec<(usize, Puzzle)> = Vec::with_capacity(puzzles.len());
    for puzzle in puzzles {
        let rank = match ranks.last() {
            Some((rank, last)) if last.difficulty == puzzle.difficulty => rank + 1,
            _ => 0,
        };
        ranks.push((rank, puzzle));
    }
    ranks.sort_by_key(|(rank, puzzle)| (*rank, puzzle.difficulty));
    ranks.truncate(most);
    let mut chosen: Vec<Puzzle> = ranks.into_iter().map(|(_, puzzle)| puzzle).collect();
    chosen.sort_by(|a, b| (a.difficulty, &a.id).cmp(&(b.difficulty, &b.id)));
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzle(id: &str, difficulty: u32) -> Puzzle {
        Puzzle {
            id: id.to_owned(),
            position: String::new(),
            rules: String::new(),
            solution: Vec::new(),
            line: Vec::new(),
            value: Value::estimate(0.5),
            second: None,
            difficulty,
            theme: Theme::Quiet,
        }
    }

    #[test]
    fn puzzles_of_a_file_are_graded_or_refused_by_name() {
        let mut maker = Maker::new(Analyst::new(None, Rules::OLYMPIAD).unwrap(), None).unwrap();
        let mut graded = |position: &str, rules: &str, solution: &str| {
            let mut puzzle = Puzzle {
                position: position.to_owned(),
                rules: rules.to_owned(),
                solution: vec![solution.to_owned()],
                ..puzzle("a", 9)
            };
            maker.grade(&mut puzzle).map(|()| puzzle.difficulty)
        };
        let won = "4/4/4/4/4/4/4/Kg2 r - 0 0";
        assert_eq!(graded(won, "olympiad", "a1-b1"), Ok(1));
        assert_eq!(
            graded(won, "olympiad", "a1-a2"),
            Ok(10),
            "nobody plays that"
        );
        assert!(
            graded(won, "chess", "a1-b1")
                .unwrap_err()
                .contains("'chess'")
        );
        assert!(graded("4/4", "olympiad", "a1-b1").is_err());
        assert!(graded(won, "olympiad", "z9").is_err());
        let over = "4/4/4/4/4/4/4/KG2 b - 0 9";
        assert_eq!(
            graded(over, "olympiad", "a1-b1").unwrap_err(),
            "its game is over"
        );
    }

    #[test]
    fn puzzles_are_chosen_evenly() {
        let all = [("a", 1), ("b", 1), ("c", 1), ("d", 4), ("e", 9), ("a", 1)];
        let all = all.map(|(id, difficulty)| puzzle(id, difficulty)).to_vec();
        let chosen = choose(all, 4);
        let names: Vec<&str> = chosen.iter().map(|puzzle| puzzle.id.as_str()).collect();
        assert_eq!(names, ["a", "b", "d", "e"]);
    }

    #[test]
    fn flips_of_one_worth_are_one_solution_and_moves_are_not() {
        let ranked = |all: &[(&str, f64)]| -> Vec<(Action, f64)> {
            let read = |&(text, value): &(&str, f64)| (text.parse().unwrap(), value);
            all.iter().map(read).collect()
        };
        let flips = ranked(&[("b2-b2", 0.5), ("c3-c3", 0.495), ("a1-a2", 0.1)]);
        let found = clearly_best(&flips, 0.25).unwrap();
        assert_eq!(found.solutions, [flips[0].0, flips[1].0]);
        assert_eq!(found.next, flips[2].0);
        let moves = ranked(&[("a1-a2", 0.5), ("a1-b1", 0.495), ("b2-b2", 0.1)]);
        assert_eq!(clearly_best(&moves, 0.25), None);
        // There is no gap without a worse action.
        assert_eq!(clearly_best(&flips[..2], 0.25), None);
        assert_eq!(clearly_best(&[], 0.25), None);
    }

    #[test]
    fn the_only_win_is_a_puzzle_and_a_quiet_position_is_none() {
        let analyst = Analyst::new(None, Rules::OLYMPIAD).unwrap();
        let mut maker = Maker::new(analyst, None).unwrap();
        // One guard captures the other or is captured: from a game of the built-in player.
        let text = "4/1G2/4/4/1c2/2gG/p3/1p2 b - 0 137";
        let game = Game::from_text(text, Rules::OLYMPIAD).unwrap();
        let puzzle = maker.puzzle(&game).expect("a puzzle");
        assert_eq!(puzzle.solution, ["c3-d3"]);
        assert_eq!(
            (puzzle.theme, puzzle.line[0].action.as_str()),
            (Theme::Endgame, "c3-d3")
        );
        assert!(puzzle.value.expected > 0.2, "{puzzle:?}");
        let quiet = Game::from_text("K3/4/4/4/4/4/4/3g r - 0 0", Rules::OLYMPIAD).unwrap();
        assert_eq!(maker.puzzle(&quiet), None);
    }

    #[test]
    fn themes_follow_from_the_solution() {
        let theme = |position: &str, action: &str| {
            theme(&position.parse().unwrap(), action.parse().unwrap())
        };
        assert_eq!(theme("K?2/4/4/4/4/4/4/g3 r p 0 9", "b8-b8"), Theme::Flip);
        assert_eq!(theme("g?2/K3/4/4/4/4/4/4 r p 0 9", "a7-a8"), Theme::Capture);
        assert_eq!(theme("p?2/K3/4/4/4/4/4/4 r p 0 9", "a7-a6"), Theme::Escape);
        assert_eq!(theme("K3/4/4/4/4/4/4/g3 r - 0 9", "a8-a7"), Theme::Endgame);
    }
}
