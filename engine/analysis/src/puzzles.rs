//! Puzzles: positions from played games in which one action is clearly best.
//!
//! A search finds candidates and a deeper one confirms them; then the best action
//! and the next best are valued separately to confirm the gap. A quick search finds
//! the easy puzzles; the hard ones are those that it gets wrong and a longer search
//! solves. Since a flip is rarely best on one square alone, a few flips of equal
//! value count as one solution. A puzzle's difficulty says how long a search must be to solve it:
//! nine searches try, each three to four times as long as the one before. While one move is clearly
//! best after the opponent's best reply as well, the puzzle goes on.

use crate::analyst::{Analyst, Effort};
use crate::decision::prefix;
use crate::puzzle::{Continuation, Goal, Puzzle, Theme, theme};
use anqi_rules::{Action, Game, Rules};
use anqi_search::spec::SpecError;
use anqi_search::{Limits, Player, Request, Stop, players};

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
/// Nodes of the searches for a reply and for the move after it, and the most moves that follow the first.
const FOLLOWING: u64 = 100_000;
const MOST_FOLLOWING: usize = 3;
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

    /// Returns a warning that nobody has seen yet, such as of a damaged table file.
    pub fn take_warning(&mut self) -> Option<String> {
        let mut solvers = self.solvers.iter_mut();
        let of_analyst = self.analyst.take_warning();
        of_analyst.or_else(|| solvers.find_map(|solver| solver.take_warning()))
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
        let more = self.following(game, &found.solutions, &stop);
        Some(Puzzle {
            id: blake3::hash(text.as_bytes()).to_hex()[..8].to_owned(),
            rules: game.rules().name().unwrap_or("olympiad").to_owned(),
            solution: found.solutions.iter().map(Action::to_string).collect(),
            line,
            value,
            second: Some(other),
            difficulty: self.difficulty(game, &found.solutions),
            theme: theme(position, found.solutions[0]),
            goal: Goal::of(value),
            more,
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

    /// Returns what follows a solution: the best reply, and the next move while one is clearly best.
    ///
    /// A flip ends the line, as what follows depends on what appears; so does a solution of
    /// several actions.
    fn following(&mut self, game: &Game, solutions: &[Action], stop: &Stop) -> Vec<Continuation> {
        let mut more = Vec::new();
        let mut game = game.clone();
        let mut solutions = solutions.to_vec();
        while let ([action], true) = (&solutions[..], more.len() < MOST_FOLLOWING) {
            let Some(reply) = self.reply(&mut game, *action, stop) else {
                break;
            };
            if game.actions().len() < 3 {
                break;
            }
            let Some(next) = self.next_move(&game, stop) else {
                break;
            };
            more.push(Continuation {
                reply: reply.to_string(),
                solution: next.solutions.iter().map(Action::to_string).collect(),
            });
            solutions = next.solutions;
        }
        more
    }

    /// Returns the next move if a quick search finds it clearly best, and a longer one agrees.
    fn next_move(&mut self, game: &Game, stop: &Stop) -> Option<ClearlyBest> {
        let quick = self.clearly_best(game, QUICK, HARD.deep, stop)?;
        let longer = self.clearly_best(game, FOLLOWING, HARD.deep, stop)?;
        (quick.solutions == longer.solutions).then_some(longer)
    }

    /// Plays a move and the best reply to it, if both are moves that leave the game open.
    fn reply(&mut self, game: &mut Game, action: Action, stop: &Stop) -> Option<Action> {
        if action.is_flip() || game.play(action.into()).is_err() || game.outcome().is_some() {
            return None;
        }
        self.analyst.forget();
        let reply = self.analyst.think(game, effort(FOLLOWING, stop), 1).action;
        let open = !reply.is_flip() && game.play(reply.into()).is_ok();
        (open && game.outcome().is_none()).then_some(reply)
    }

    /// Works out the goal of a puzzle that was made before, and what follows its solution.
    ///
    /// # Errors
    ///
    /// Returns an error that says which part of the puzzle is none.
    pub fn lengthen(&mut self, puzzle: &mut Puzzle) -> Result<(), String> {
        let (game, solutions) = read(puzzle)?;
        puzzle.goal = Goal::of(puzzle.value);
        puzzle.more = self.following(&game, &solutions, &Stop::new());
        Ok(())
    }

    /// Works out the difficulty of a puzzle that was made before.
    ///
    /// # Errors
    ///
    /// Returns an error that says which part of the puzzle is none.
    pub fn grade(&mut self, puzzle: &mut Puzzle) -> Result<(), String> {
        let (game, solutions) = read(puzzle)?;
        puzzle.difficulty = self.difficulty(&game, &solutions);
        Ok(())
    }
}

/// Reads a puzzle's game and solutions.
pub(crate) fn read(puzzle: &Puzzle) -> Result<(Game, Vec<Action>), String> {
    let rules = Rules::preset(&puzzle.rules);
    let rules = rules.ok_or_else(|| format!("no rules are called '{}'", puzzle.rules))?;
    let game = Game::from_text(&puzzle.position, rules).map_err(|error| error.to_string())?;
    if game.outcome().is_some() {
        return Err("its game is over".to_owned());
    }
    let solutions = puzzle.solution.iter().map(|action| action.parse());
    let solutions: Result<Vec<Action>, _> = solutions.collect();
    let solutions = solutions.map_err(|error| error.to_string())?;
    if let Some(action) = solutions.iter().find(|action| !game.is_legal(**action)) {
        return Err(format!("its solution {action} is not legal"));
    }
    Ok((game, solutions))
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
        solutions.contains(&solver.choose(&request, &mut |_| {}).action)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_of_a_file_are_graded_or_refused_by_name() {
        let mut maker = Maker::new(Analyst::new(None, Rules::OLYMPIAD).unwrap(), None).unwrap();
        let mut graded = |position: &str, rules: &str, solution: &str| {
            let mut puzzle = Puzzle {
                position: position.to_owned(),
                rules: rules.to_owned(),
                solution: vec![solution.to_owned()],
                ..Puzzle::sample("a", 9)
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
    fn a_puzzle_goes_on_while_one_move_is_clearly_best() {
        let mut maker = Maker::new(Analyst::new(None, Rules::OLYMPIAD).unwrap(), None).unwrap();
        // From a game of the built-in player: the pawn slips past the knight step by step.
        let mut long = Puzzle {
            position: "4/4/4/4/4/4/N1g1/p1pR b - 89 230".to_owned(),
            rules: "olympiad".to_owned(),
            solution: vec!["a1-b1".to_owned()],
            ..Puzzle::sample("a", 1)
        };
        maker.lengthen(&mut long).unwrap();
        let mut game = Game::from_text(&long.position, Rules::OLYMPIAD).unwrap();
        game.play("a1-b1".parse::<Action>().unwrap().into())
            .unwrap();
        assert!(!long.more.is_empty(), "{long:?}");
        for Continuation { reply, solution } in &long.more {
            for text in [reply, &solution[0]] {
                let action: Action = text.parse().unwrap();
                assert!(game.is_legal(action), "{text} in {long:?}");
                game.play(action.into()).unwrap();
            }
        }
        let mut flip = Puzzle {
            position: "K?2/4/4/4/4/4/4/g3 r p 0 9".to_owned(),
            rules: "olympiad".to_owned(),
            solution: vec!["b8-b8".to_owned()],
            ..Puzzle::sample("b", 1)
        };
        maker.lengthen(&mut flip).unwrap();
        assert_eq!(flip.more, [], "what follows a flip depends on what appears");
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
}
