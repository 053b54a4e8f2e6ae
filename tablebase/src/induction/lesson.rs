//! What critical positions teach: a position, its goal, a line, and why the alternatives fail.

use std::collections::HashMap;

use anqi_rules::{Action, Position};

use super::critical::Critical;
use super::ending::{Ending, Number};
use super::idea;
use super::line::{Rating, captures};
use crate::probe::{Endgames, Tables, after, best_to_end};
use crate::solve::Wdl;

/// Plies of a line that holds a draw.
const HELD_PLIES: usize = 7;
/// Lessons with the same idea, but for squares and numbers.
const ALIKE: usize = 2;

/// A position in which the side to move wins or holds a draw, and something goes wrong otherwise.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The position; the side to move reaches the goal.
    pub position: Position,
    /// Whether it wins or holds a draw.
    pub goal: Wdl,
    /// Best play: of a win to the end of the game, of a draw for some plies.
    pub line: Vec<Action>,
    /// The actions that fail.
    pub refutations: Vec<Refutation>,
    /// What to do and why, in a sentence or two.
    pub idea: String,
}

/// An action that does not reach the goal.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The action.
    pub action: Action,
    /// What is left of the value, for the side that plays it.
    pub value: Wdl,
    /// How the other side answers it: a loss up to the next capture or the end, a draw for some plies.
    pub line: Vec<Action>,
}

/// Makes lessons of an ending.
#[derive(Debug)]
pub struct Lessons<'a> {
    ending: &'a Ending,
    /// Values and plies to the end in unlimited play, of all positions that can arise.
    tables: &'a Tables,
}

impl<'a> Lessons<'a> {
    /// Prepares lessons with tables for unlimited play that know the plies to the end.
    pub fn new(ending: &'a Ending, tables: &'a Tables) -> Lessons<'a> {
        Lessons { ending, tables }
    }

    /// Makes lessons of the critical positions, the most used first: so many wins and so many draws at most.
    ///
    /// A lost critical position is taught to the winner, a ply earlier, where the fewest actions win. A
    /// position in which nothing can go wrong teaches nothing.
    pub fn of(&self, critical: &Critical, wins: usize, draws: usize) -> Vec<Lesson> {
        let mut left = [(Wdl::Win, wins), (Wdl::Draw, draws)];
        let mut alike: HashMap<String, usize> = HashMap::new();
        let mut lessons: Vec<Lesson> = Vec::new();
        for (number, _) in critical.most_used() {
            let goal = self.goal(number);
            let Some(room) = left.iter_mut().find(|(kind, n)| *kind == goal && *n > 0) else {
                continue;
            };
            let Some(lesson) = self.lesson(number) else {
                continue;
            };
            let is_new = lessons.iter().all(|each| each.position != lesson.position);
            let same = alike.entry(idea::kind(&lesson.idea)).or_default();
            if is_new && *same < ALIKE {
                *same += 1;
                room.1 -= 1;
                lessons.push(lesson);
            }
            if left.iter().all(|(_, n)| *n == 0) {
                break;
            }
        }
        lessons
    }

    /// What a critical position is about: a lost one is won by the other side.
    fn goal(&self, number: Number) -> Wdl {
        self.ending
            .value(number)
            .max(self.ending.value(number).reversed())
    }

    /// The lesson of a critical position, `None` if it teaches nothing.
    fn lesson(&self, number: Number) -> Option<Lesson> {
        let position = if self.ending.value(number) == Wdl::Loss {
            self.before(number)?
        } else {
            self.ending.position(number)
        };
        let goal = self.goal(number);
        let ratings = self.ratings(&position)?;
        let best = self.key_action(&position, &ratings, goal)?;
        let fails = ratings.iter().filter(|rating| rating.wdl != goal);
        let refutations: Vec<Refutation> = fails
            .map(|rating| self.refutation(&position, rating))
            .collect();
        if refutations.is_empty() {
            return None;
        }
        let mut line = vec![best];
        line.extend(self.line(&after(&position, best), goal));
        let idea = idea::sentence(self.tables, &position, goal, &line, &ratings)?;
        Some(Lesson {
            position,
            goal,
            line,
            refutations,
            idea,
        })
    }

    /// The position a ply before a lost one in which the fewest actions win.
    fn before(&self, number: Number) -> Option<Position> {
        let earlier = self.ending.before(number).into_iter();
        let counted = earlier.filter_map(|earlier| {
            let position = self.ending.position(earlier);
            let ratings = self.ratings(&position)?;
            let wins = ratings.iter().filter(|each| each.wdl == Wdl::Win).count();
            Some((wins, earlier, position))
        });
        let fewest = counted.min_by_key(|(wins, earlier, _)| (*wins, *earlier));
        fewest.map(|(_, _, position)| position)
    }

    fn ratings(&self, position: &Position) -> Option<Vec<Rating>> {
        let rated = position.actions().into_iter().map(|action| {
            let next = after(position, action);
            let wdl = self.tables.wdl(&next)?.reversed();
            let plies = self.tables.plies_to_end(&next).ok()?;
            Some(Rating {
                action,
                wdl,
                plies: plies.map(|plies| plies + 1).filter(|_| wdl != Wdl::Draw),
            })
        });
        rated.collect()
    }

    /// The action that a line begins with: the quickest win, or the draw that is easiest to hold.
    fn key_action(&self, position: &Position, ratings: &[Rating], goal: Wdl) -> Option<Action> {
        let keep = ratings.iter().filter(|rating| rating.wdl == goal);
        let best = match goal {
            Wdl::Draw => keep.min_by_key(|rating| self.dangers(&after(position, rating.action))),
            _ => keep.min_by_key(|rating| rating.plies),
        };
        best.map(|rating| rating.action)
    }

    /// How many answers of the other side leave a single action that holds.
    fn dangers(&self, position: &Position) -> usize {
        let answers = position.actions().into_iter();
        answers
            .filter(|&answer| self.holding(&after(position, answer)) == 1)
            .count()
    }

    /// How many actions of the side to move do not lose.
    fn holding(&self, position: &Position) -> usize {
        let ratings = self.ratings(position).unwrap_or_default();
        ratings.iter().filter(|each| each.wdl > Wdl::Loss).count()
    }

    fn refutation(&self, position: &Position, rating: &Rating) -> Refutation {
        let next = after(position, rating.action);
        let mut line = self.line(&next, rating.wdl);
        if rating.wdl == Wdl::Loss {
            let captures = captures(next, &line);
            let first = captures.first().map(|capture| capture.ply);
            line.truncate(first.unwrap_or(line.len()));
        }
        Refutation {
            action: rating.action,
            value: rating.wdl,
            line,
        }
    }

    /// Best play from a position: to the end, or for some plies if it is drawn.
    fn line(&self, start: &Position, value: Wdl) -> Vec<Action> {
        let mut position = *start;
        let mut line = Vec::new();
        while position.loser().is_none() && (value != Wdl::Draw || line.len() < HELD_PLIES) {
            let action = match value {
                Wdl::Draw => self.drawing(&position),
                Wdl::Win | Wdl::Loss => best_to_end(self.tables, &position).ok().flatten(),
            };
            let Some(action) = action else {
                break;
            };
            let _ = position.step_unchecked(action);
            line.push(action);
        }
        line
    }

    /// The drawing action after which the fewest answers hold.
    fn drawing(&self, position: &Position) -> Option<Action> {
        let ratings = self.ratings(position)?;
        let draws = ratings.iter().filter(|each| each.wdl == Wdl::Draw);
        let hardest = draws.min_by_key(|each| self.holding(&after(position, each.action)));
        hardest.map(|each| each.action)
    }
}
