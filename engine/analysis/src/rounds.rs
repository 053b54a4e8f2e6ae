//! The analysis of a position, round by round.
//!
//! Each round has more nodes than the one before, so that a caller can show what is known so far and
//! stop at any time. A round ranks the best actions and keeps what the flips among them may reveal.
//! The analyst's transposition table keeps earlier rounds, so that little is searched twice.

use crate::{Analyst, Candidate, Effort, Flip, Value};
use anqi_rules::order::sort_few_by;
use anqi_rules::{Action, Game, Square};
use anqi_search::{Choice, Stop};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Nodes of the first round, and the growth from one round to the next.
const FIRST_NODES: u64 = 15_000;
const GROWTH: u64 = 3;

/// An analysis that is under way, in a game that is not over.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Rounds {
    game: Game,
    lines: usize,
    flips: Vec<Square>,
    nodes: u64,
    most_nodes: u64,
    spent: u64,
}

/// The result of a round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Round {
    /// The depth of the last finished iteration.
    pub depth: u32,
    /// The value of the position for the side to move.
    pub value: Value,
    /// The best actions, the best first.
    pub lines: Vec<Candidate>,
    /// The outcomes of the flips among them and of those asked for.
    pub flips: Vec<Flip>,
    /// Whether a further round can find nothing new.
    pub is_last: bool,
}

impl Rounds {
    /// Begins an analysis: this many best actions, the distributions of these flips even if they are
    /// not among the best, and at most so many nodes in all.
    pub fn new(game: Game, lines: usize, flips: Vec<Square>, most_nodes: Option<u64>) -> Rounds {
        Rounds {
            game,
            lines,
            flips,
            nodes: FIRST_NODES,
            most_nodes: most_nodes.unwrap_or(u64::MAX).max(1),
            spent: 0,
        }
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the nodes of all rounds so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Searches one round, in at most this much time.
    pub fn next(&mut self, analyst: &mut Analyst, time: Option<Duration>, stop: &Stop) -> Round {
        let left = self.most_nodes - self.spent.min(self.most_nodes - 1);
        let effort = Effort {
            nodes: self.nodes.min(left),
            time,
            stop,
        };
        let choice = analyst.rank(&self.game, effort, self.lines);
        self.spent += choice.nodes.max(1);
        self.nodes = self.nodes.saturating_mul(GROWTH);
        let (lines, flips) = self.rated(analyst, &choice, effort.shared(2));
        let value = analyst.known(self.game.position());
        let value = value.or(lines.first().map(|line| line.value));
        let is_exact = lines.first().is_none_or(|line| line.value.is_exact());
        Round {
            depth: choice.depth,
            value: value.unwrap_or(Value::estimate(0.0)),
            is_last: self.spent >= self.most_nodes || is_exact && flips.is_empty(),
            lines,
            flips,
        }
    }

    /// Returns the ranked actions, the best first, and the outcomes of the flips among them and of
    /// those asked for. The search that ranked a flip tells its outcomes too; other flips are
    /// searched outcome by outcome. Either way a flip's value is the average of what is shown.
    fn rated(
        &self,
        analyst: &mut Analyst,
        choice: &Choice,
        effort: Effort<'_>,
    ) -> (Vec<Candidate>, Vec<Flip>) {
        let mut lines = Vec::new();
        let mut flips = Vec::new();
        let mut squares = self.flips.clone();
        for ranked in &choice.ranked {
            let (line, flip) = analyst.rated(&self.game, ranked);
            let square = ranked.action.from();
            match flip {
                Some(flip) => {
                    squares.retain(|wanted| *wanted != square);
                    flips.push(flip);
                }
                None if ranked.action.is_flip() && !squares.contains(&square) => {
                    squares.push(square);
                }
                None => {}
            }
            lines.push(line);
        }
        let share = effort.shared(squares.len());
        for square in squares {
            let flip = analyst.flip(&self.game, square, share);
            // An interrupted distribution is not worth showing.
            if effort.stop.requested() {
                break;
            }
            let action = Action::flip(square).to_string();
            if let Some(line) = lines.iter_mut().find(|line| line.action == action) {
                line.take_average(&flip);
            }
            flips.push(flip);
        }
        sort_few_by(&mut lines, |a, b| {
            b.value.expected.total_cmp(&a.value.expected)
        });
        sort_few_by(&mut flips, |a, b| b.value.total_cmp(&a.value));
        (lines, flips)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Rules;

    #[test]
    fn rounds_grow_until_the_nodes_are_spent() {
        let game = Game::from_text("start moves b2(G) b3(k)", Rules::OLYMPIAD).unwrap();
        let mut analyst = Analyst::new(None, Rules::OLYMPIAD).unwrap();
        let stop = Stop::new();
        let mut rounds = Rounds::new(game, 2, Vec::new(), Some(40_000));
        let first = rounds.next(&mut analyst, None, &stop);
        assert!(!first.is_last);
        assert_eq!(first.lines.len(), 2);
        let after_one = rounds.spent();
        let second = rounds.next(&mut analyst, None, &stop);
        assert!(second.is_last && rounds.spent() > after_one);
    }
}
