//! Puzzles: positions from played games in which one action is clearly best.
//!
//! A quick search finds candidates, a deep one confirms them, and weighing the
//! best action and the second confirms that the difference is real. How hard a
//! puzzle is follows from who solves it: the lowest level of the built-in player
//! from which on all levels find the action.

use super::analyst::{Analyst, Effort};
use super::decision::prefix;
use super::value::{Step, Value};
use anqi_rules::{Action, Game, Position};
use anqi_search::spec::SpecError;
use anqi_search::{Limits, Player, Request, Stop, players};
use serde::Serialize;

/// Before this ply a game has no puzzles: too little is face up.
const FIRST_PLY: usize = 8;
/// Plies between two puzzles of one game.
const DISTANCE: usize = 6;
/// Nodes of the quick search and of the deep one; weighing takes as many as the deep one.
const QUICK: u64 = 6_000;
const DEEP: u64 = 150_000;
/// By how much the best action must be better, in points: more than a blunder costs. The deep search
/// may find a little less than the quick one.
const QUICK_GAP: f64 = 0.25;
const DEEP_GAP: f64 = 0.22;
/// Puzzles are for the side that can still do something, and do not win anyway.
const HOPELESS: f64 = -0.6;
const WON_ANYWAY: f64 = 0.75;
/// The levels that try a puzzle, the weakest first.
const SOLVERS: [u32; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/// A puzzle, as the page is given it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Puzzle {
    /// A name that follows from the position.
    pub id: String,
    /// The position.
    pub position: String,
    /// The rules' preset.
    pub rules: String,
    /// The actions that solve it.
    pub solution: Vec<String>,
    /// What both sides would play, the solution first.
    pub line: Vec<Step>,
    /// The value of the solution.
    pub value: Value,
    /// The value of the best other action.
    pub second: Option<Value>,
    /// From 1 to 10.
    pub difficulty: u32,
    /// What it is about.
    pub theme: Theme,
}

/// What a puzzle is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
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

/// Somebody who makes puzzles.
pub struct Maker {
    analyst: Analyst,
    solvers: Vec<(u32, Box<dyn Player>)>,
}

impl Maker {
    /// Returns a maker with this analyst.
    ///
    /// # Errors
    ///
    /// Says which of its levels there is not.
    pub fn new(analyst: Analyst) -> Result<Maker, SpecError> {
        let mut solvers = Vec::new();
        for level in SOLVERS {
            let spec = format!("champion:level={level},hash=8");
            solvers.push((level, players::by_spec(&spec)?));
        }
        Ok(Maker { analyst, solvers })
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
            // A puzzle is a position without a past.
            let alone = Game::new(*before.position(), game.rules());
            if let Some(puzzle) = self.puzzle(&alone) {
                found.push(puzzle);
                next = index + DISTANCE;
            }
        }
        found
    }

    /// Returns the puzzle that a position is, if it is one.
    fn puzzle(&mut self, game: &Game) -> Option<Puzzle> {
        let position = game.position();
        if game.outcome().is_some() || game.actions().len() < 3 {
            return None;
        }
        let stop = Stop::new();
        let (quick, _) = self.best_two(game, QUICK, QUICK_GAP, &stop)?;
        let (best, second) = self.best_two(game, DEEP, DEEP_GAP, &stop)?;
        if best != quick {
            return None;
        }
        let effort = effort(DEEP, &stop);
        let (value, _, line) = self.analyst.value(game, best, effort);
        let (other, ..) = self.analyst.value(game, second, effort);
        let worth_it = value.expected >= HOPELESS && other.expected <= WON_ANYWAY;
        if !worth_it || value.expected - other.expected < DEEP_GAP {
            return None;
        }
        let text = position.to_string();
        Some(Puzzle {
            id: blake3::hash(text.as_bytes()).to_hex()[..8].to_owned(),
            rules: game.rules().name().unwrap_or("olympiad").to_owned(),
            solution: vec![best.to_string()],
            line,
            value,
            second: Some(other),
            difficulty: self.difficulty(game, best),
            theme: theme(position, best),
            position: text,
        })
    }

    /// Returns the two best actions if the first is better by a gap.
    fn best_two(
        &mut self,
        game: &Game,
        nodes: u64,
        gap: f64,
        stop: &Stop,
    ) -> Option<(Action, Action)> {
        self.analyst.forget();
        let choice = self.analyst.think(game, effort(nodes, stop), 2);
        let [best, second] = choice.ranked.get(..2)? else {
            return None;
        };
        let [high, low] = [best, second].map(|ranked| ranked.score.expected_result());
        (high - low >= gap).then_some((best.action, second.action))
    }

    /// Returns the lowest level from which on all levels find the action.
    fn difficulty(&mut self, game: &Game, solution: Action) -> u32 {
        let stop = Stop::new();
        let mut difficulty = SOLVERS.len() as u32 + 1;
        for (level, solver) in self.solvers.iter_mut().rev() {
            solver.new_game();
            let request = Request {
                game,
                among: None,
                limits: Limits::NONE,
                seed: 1,
                stop: &stop,
            };
            if solver.choose(&request, &mut |_| {}).action != solution {
                break;
            }
            difficulty = *level;
        }
        difficulty
    }
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

/// Chooses at most so many puzzles, as evenly over the difficulties as there are any, the easy first.
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
    use anqi_rules::Rules;

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
    fn puzzles_are_chosen_evenly() {
        let all = [("a", 1), ("b", 1), ("c", 1), ("d", 4), ("e", 9), ("a", 1)];
        let all = all.map(|(id, difficulty)| puzzle(id, difficulty)).to_vec();
        let chosen = choose(all, 4);
        let names: Vec<&str> = chosen.iter().map(|puzzle| puzzle.id.as_str()).collect();
        assert_eq!(names, ["a", "b", "d", "e"]);
    }

    #[test]
    fn the_only_win_is_a_puzzle_and_a_quiet_position_is_none() {
        let analyst = Analyst::new(None, Rules::OLYMPIAD).unwrap();
        let mut maker = Maker::new(analyst).unwrap();
        // One guard takes the other, or is taken: from a game of the built-in player.
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
