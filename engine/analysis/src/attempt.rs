//! A puzzle as somebody solves it: what is right, what answers it, and what refutes a wrong action.

use crate::analyst::{Analyst, Effort};
use crate::puzzle::Puzzle;
use crate::puzzles::read;
use crate::value::Value;
use anqi_rules::{Action, Game, PlayError};
use anqi_search::Stop;

/// Nodes of the search for a refutation.
const NODES: u64 = 60_000;

/// A puzzle that is being solved.
#[derive(Clone, Debug)]
pub struct Attempt {
    puzzle: Puzzle,
    game: Game,
    /// How many right actions were played.
    step: usize,
}

/// What a try was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Wrong: the puzzle stands where it stood.
    Wrong,
    /// Right, and answered by this action of the other side: the puzzle goes on.
    Answered(Action),
    /// Right, and the last one.
    Solved,
}

/// What a wrong action leads to.
#[derive(Clone, PartialEq, Debug)]
pub struct Refutation {
    /// The best reply; none after a flip, where it depends on what appears, and at the end of a game.
    pub reply: Option<String>,
    /// The value of the wrong action for the side that tried it.
    pub value: Value,
}

/// Why an action cannot be tried.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AttemptError {
    /// The puzzle is solved already.
    #[error("the puzzle is solved")]
    Solved,
    /// The rules do not allow it.
    #[error(transparent)]
    Illegal(#[from] PlayError),
}

impl Attempt {
    /// Begins to solve a puzzle.
    ///
    /// # Errors
    ///
    /// Returns an error that says which part of the puzzle is none.
    pub fn new(puzzle: Puzzle) -> Result<Attempt, String> {
        let (game, _) = read(&puzzle)?;
        Ok(Attempt {
            puzzle,
            game,
            step: 0,
        })
    }

    /// Returns the game so far: the puzzle's position, the right actions and their answers.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns how many right actions were played, and how many the puzzle has.
    pub fn steps(&self) -> (usize, usize) {
        (self.step, self.puzzle.more.len() + 1)
    }

    /// Returns whether every step is solved.
    pub fn is_solved(&self) -> bool {
        let (done, all) = self.steps();
        done == all
    }

    /// Returns the actions that are right now; none once the puzzle is solved.
    pub fn solution(&self) -> &[String] {
        let later = |step: usize| Some(&self.puzzle.more.get(step)?.solution);
        let right = match self.step.checked_sub(1) {
            None => Some(&self.puzzle.solution),
            Some(step) => later(step),
        };
        right.map_or(&[], Vec::as_slice)
    }

    /// Tries an action; a right one is played and answered. A flip that solves the puzzle is not played, as
    /// nobody knows what it reveals.
    ///
    /// # Errors
    ///
    /// Returns an error if the puzzle is solved or the action is not legal.
    pub fn play(&mut self, action: Action) -> Result<Verdict, AttemptError> {
        if self.is_solved() {
            return Err(AttemptError::Solved);
        }
        self.game.check_action(action)?;
        if !self.solution().contains(&action.to_string()) {
            return Ok(Verdict::Wrong);
        }
        let reply = self.puzzle.more.get(self.step);
        let reply = reply.and_then(|step| step.reply.parse::<Action>().ok());
        if !action.is_flip() {
            self.game.play(action.into())?;
        }
        self.step += 1;
        let Some(reply) = reply else {
            return Ok(Verdict::Solved);
        };
        self.game.play(reply.into())?;
        Ok(Verdict::Answered(reply))
    }

    /// Looks for what refutes a legal action; the best value if `stop` ends it early.
    pub fn refutation(&self, analyst: &mut Analyst, action: Action, stop: &Stop) -> Refutation {
        let effort = Effort {
            nodes: NODES,
            time: None,
            stop,
        };
        let (value, _, line) = analyst.value(&self.game, action, effort);
        let reply = line.into_iter().nth(1).map(|step| step.action);
        Refutation { reply, value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Continuation, Theme};
    use crate::value::Certainty;
    use anqi_rules::Rules;

    fn puzzle(position: &str, solution: &str, more: &[(&str, &str)]) -> Puzzle {
        let step = |&(reply, solution): &(&str, &str)| Continuation {
            reply: reply.to_owned(),
            solution: vec![solution.to_owned()],
        };
        Puzzle {
            position: position.to_owned(),
            rules: "olympiad".to_owned(),
            solution: vec![solution.to_owned()],
            theme: Theme::Quiet,
            more: more.iter().map(step).collect(),
            ..Puzzle::sample("a", 1)
        }
    }

    #[test]
    fn right_actions_are_answered_until_the_puzzle_is_solved() {
        let two = puzzle("K3/4/4/4/4/4/4/3g r - 0 9", "a8-a7", &[("d1-d2", "a7-a6")]);
        let mut attempt = Attempt::new(two).expect("a puzzle");
        let mut plays = |action: &str| attempt.play(action.parse().expect("an action"));
        assert_eq!(plays("a8-b8"), Ok(Verdict::Wrong));
        let reply = "d1-d2".parse().expect("an action");
        assert_eq!(plays("a8-a7"), Ok(Verdict::Answered(reply)));
        assert!(matches!(plays("a8-a7"), Err(AttemptError::Illegal(_))));
        assert_eq!(plays("a7-a6"), Ok(Verdict::Solved));
        assert_eq!(plays("a6-a5"), Err(AttemptError::Solved));
        assert_eq!((attempt.steps(), attempt.solution().len()), ((2, 2), 0));
        assert_eq!(attempt.game().plies().len(), 3);
    }

    #[test]
    fn wrong_actions_are_refuted_and_damaged_puzzles_refused() {
        // The guard takes the pawn unless it runs.
        let won = puzzle("3P/3g/4/4/4/1G2/4/4 r - 0 0", "d8-c8", &[]);
        let attempt = Attempt::new(won).expect("a puzzle");
        let mut analyst = Analyst::new(None, Rules::OLYMPIAD).expect("an analyst");
        let (wrong, stop) = ("b3-a3".parse().expect("an action"), Stop::new());
        let refutation = attempt.refutation(&mut analyst, wrong, &stop);
        assert_eq!(refutation.reply.as_deref(), Some("d7-d8"));
        assert_eq!(refutation.value.kind, Certainty::Loss);
        assert!(Attempt::new(puzzle("4/4", "a1-b1", &[])).is_err());
    }
}
