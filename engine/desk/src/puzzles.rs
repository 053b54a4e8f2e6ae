//! The puzzles of the page, made by `anqi puzzles`: inside the program (the feature `puzzles`), or given to
//! it later.

use crate::lessons::{self, Lesson};
use crate::material::TableFolder;
use crate::tables::WdlName;
use crate::wire::{Code, ExerciseGoal, LessonPuzzle, Refusal, ServerMessage, refuse};
use anqi_analysis::puzzle::{Goal, Puzzle, Theme};
use anqi_analysis::{Certainty, Step, Value, ValueSource};
use anqi_rules::{Game, Outcome, Position, Rules};
use anqi_tablebase::{Endgames, NoEndgames, distil};
use std::sync::OnceLock;

/// A lesson that more actions solve is no puzzle.
const MOST_SOLUTIONS: usize = 2;
/// The most lessons that are puzzles.
const MOST_LESSONS: usize = 200;
/// The rules of a lesson that is a puzzle.
const RULES: Rules = Rules::OLYMPIAD;
/// The plies of the longest win of four pieces: the hardest lesson.
const LONGEST_PLIES: f64 = 121.0;

/// A JSON list of puzzles, the easiest first.
#[cfg(feature = "puzzles")]
pub const PUZZLES: &str = include_str!("puzzles.json");

/// The list of a program that has none inside.
#[cfg(not(feature = "puzzles"))]
const PUZZLES: &str = "[]";

/// The list that was given.
static GIVEN: OnceLock<String> = OnceLock::new();

/// Gives the program a JSON list of puzzles, for the rest of its life; the first one counts.
pub fn provide(list: String) {
    // A page loads one list.
    let _ = GIVEN.set(list);
}

/// Returns all puzzles.
///
/// # Errors
///
/// Fails if the list is damaged.
pub fn list() -> serde_json::Result<Vec<Puzzle>> {
    serde_json::from_str(GIVEN.get().map_or(PUZZLES, String::as_str))
}

/// Returns all puzzles as a message, with the lessons that have few solutions.
///
/// # Errors
///
/// Fails if the list is damaged.
pub fn all(folder: Option<&dyn TableFolder>) -> Result<ServerMessage, Refusal> {
    let puzzles = match list() {
        Ok(puzzles) => puzzles,
        Err(error) => return refuse(Code::Internal, format!("the puzzles are damaged: {error}")),
    };
    let (folders_own, others) = lessons::all_of(folder);
    let mut lessons = all_asked(&others, &NoEndgames);
    if !folders_own.is_empty() {
        lessons.extend(all_asked(&folders_own, &*distil::values(Rules::UNLIMITED)));
    }
    lessons.sort_by_key(|each| each.puzzle.difficulty);
    lessons.truncate(MOST_LESSONS);
    Ok(ServerMessage::Puzzles { puzzles, lessons })
}

fn all_asked(lessons: &[Lesson], values: &dyn Endgames) -> Vec<LessonPuzzle> {
    let asked = lessons.iter().filter_map(|lesson| asked(lesson, values));
    asked.collect()
}

/// Returns a lesson as a puzzle, `None` if it is damaged, values say otherwise, or it has too many solutions.
fn asked(lesson: &Lesson, values: &dyn Endgames) -> Option<LessonPuzzle> {
    let start = lesson.start()?;
    if values.wdl(&start).is_some() {
        let told = lesson.told(values, &start)?;
        let is_right = told.refutations == lesson.refutations;
        is_right.then_some(())?;
    }
    let best = lesson.line.first()?;
    let actions = start.actions().into_iter().map(|action| action.to_string());
    let is_refuted = |action: &String| lesson.refutations.iter().any(|each| each.action == *action);
    let mut solution: Vec<String> = actions.filter(|action| !is_refuted(action)).collect();
    if solution.len() > MOST_SOLUTIONS || !solution.contains(best) {
        return None;
    }
    let keeps = |action: &String| {
        let next = lessons::played(&start, std::slice::from_ref(action));
        let left = next.and_then(|next| values.wdl(&next));
        left.is_none_or(|left| lesson.goal.map(WdlName::from) == Some(left.reversed().into()))
    };
    solution.iter().all(keeps).then_some(())?;
    // The line begins with it.
    solution.sort_by_key(|action| action != best);
    let plies = lesson.line.len() as u32;
    let proven = |kind, plies| Value::proven(kind, plies, ValueSource::Table).ending_in(plies);
    let (value, goal, share) = match lesson.goal? {
        ExerciseGoal::Win => {
            // The quiet limit may come before the win.
            let winner = ending(&start, &lesson.line)?.winner();
            winner.filter(|winner| Some(*winner) == start.turn())?;
            let share = f64::from(plies.max(1)).ln() / LONGEST_PLIES.ln();
            (proven(Certainty::Win, Some(plies)), Goal::Win, share)
        }
        ExerciseGoal::Draw => (proven(Certainty::Draw, None), Goal::Draw, 0.5),
    };
    let line = lesson.line.iter().map(|action| Step {
        action: action.clone(),
        expected: None,
    });
    let puzzle = Puzzle {
        id: blake3::hash(lesson.position.as_bytes()).to_hex()[..8].to_owned(),
        position: lesson.position.clone(),
        rules: RULES.name()?.to_owned(),
        solution,
        line: line.collect(),
        value,
        second: None,
        difficulty: (1.0 + share * 9.0).round().clamp(1.0, 10.0) as u32,
        theme: Theme::Endgame,
        goal,
        more: Vec::new(),
    };
    let lesson = lesson.view();
    Some(LessonPuzzle { puzzle, lesson })
}

/// Returns how a line ends under the rules.
fn ending(start: &Position, line: &[String]) -> Option<Outcome> {
    let mut game = Game::new(*start, RULES);
    for text in line {
        game.play(text.parse().ok()?).ok()?;
    }
    game.outcome()
}

#[cfg(all(test, feature = "puzzles"))]
mod tests {
    use super::*;
    use anqi_rules::{Action, Game, Position, Rules};
    use serde_json::Value;
    use std::collections::HashSet;

    /// Plays the first solution and what follows it.
    fn play_through(puzzle: &Value) -> Result<Game, String> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let rules = Rules::preset(&text(&puzzle["rules"])).ok_or("no rules")?;
        let mut game = Game::from_text(&text(&puzzle["position"]), rules)
            .map_err(|error| error.to_string())?;
        let mut play = |action: &Value| {
            let action: Action = text(action).parse().map_err(|error| format!("{error}"))?;
            game.play(action.into()).map_err(|error| error.to_string())
        };
        let more = puzzle["more"].as_array().ok_or("no 'more'")?;
        if more.is_empty() {
            return Ok(game);
        }
        play(&puzzle["solution"][0])?;
        for step in more {
            play(&step["reply"])?;
            play(&step["solution"][0])?;
        }
        Ok(game)
    }

    #[test]
    fn puzzles_state_a_goal_and_some_have_several_moves() {
        let puzzles: Vec<Value> = serde_json::from_str(PUZZLES).unwrap();
        for puzzle in &puzzles {
            let goal = puzzle["goal"].as_str().unwrap();
            assert!(
                ["win", "advantage", "draw", "defence"].contains(&goal),
                "{puzzle}"
            );
            play_through(puzzle).unwrap_or_else(|error| panic!("{error}: {puzzle}"));
        }
        let long = puzzles
            .iter()
            .filter(|p| p["more"] != Value::Array(Vec::new()));
        assert!(long.count() >= 10);
    }

    #[test]
    fn the_message_holds_the_puzzles_as_they_were_made() {
        let message = serde_json::to_value(all(None).unwrap()).unwrap();
        let made: Value = serde_json::from_str(PUZZLES).unwrap();
        assert_eq!(message["type"], "puzzles");
        let said = message["puzzles"].as_array().unwrap();
        assert_eq!(said.len(), made.as_array().unwrap().len());
        for (said, made) in said.iter().zip(made.as_array().unwrap()) {
            for key in ["id", "position", "solution", "difficulty", "goal", "more"] {
                assert_eq!(said[key], made[key], "{key}");
            }
        }
    }

    #[test]
    fn lessons_with_few_solutions_are_puzzles_of_their_own() {
        let message = serde_json::to_value(all(None).unwrap()).unwrap();
        let lessons = message["lessons"].as_array().unwrap();
        assert!(lessons.len() >= 20, "{}", lessons.len());
        let mut names = HashSet::new();
        for each in lessons {
            let (puzzle, lesson) = (&each["puzzle"], &each["lesson"]);
            assert!(names.insert(puzzle["id"].to_string()), "{puzzle}");
            assert_eq!(puzzle["line"][0]["action"], puzzle["solution"][0]);
            let position: Position = puzzle["position"].as_str().unwrap().parse().unwrap();
            let solved = puzzle["solution"].as_array().unwrap();
            let refuted = lesson["refutations"].as_array().unwrap();
            assert!(solved.len() <= 2 && !refuted.is_empty(), "{puzzle}");
            // Each action either solves it or is refuted.
            assert_eq!(solved.len() + refuted.len(), position.actions().len());
        }
        let difficulties = lessons
            .iter()
            .map(|each| each["puzzle"]["difficulty"].as_u64());
        assert!(difficulties.is_sorted());
    }

    #[test]
    fn a_lesson_that_values_contradict_is_no_puzzle() {
        let values = lessons::tests::values();
        let all = lessons::all_of(None).1;
        let is_single = |lesson: &&Lesson| {
            let puzzle = asked(lesson, &values);
            puzzle.is_some_and(|each| each.puzzle.solution.len() == 1)
        };
        let lesson = all.iter().find(is_single).unwrap();
        let mut false_value = lesson.clone();
        false_value.refutations[0].value = WdlName::Win;
        assert!(asked(&false_value, &values).is_none());
        let mut not_refuted = lesson.clone();
        not_refuted.refutations.remove(0);
        assert!(asked(&not_refuted, &values).is_none());
        // Without values nobody knows better.
        assert!(asked(&not_refuted, &NoEndgames).is_some());
    }

    #[test]
    fn the_first_puzzles_are_not_all_alike() {
        let puzzles: Vec<Value> = serde_json::from_str(PUZZLES).unwrap();
        let kinds: HashSet<String> = puzzles[..6]
            .iter()
            .map(|puzzle| format!("{} {}", puzzle["theme"], puzzle["goal"]))
            .collect();
        assert_eq!(kinds.len(), 6, "{kinds:?}");
    }

    #[test]
    fn every_puzzle_is_a_position_with_a_legal_solution() {
        let puzzles: Vec<Value> = serde_json::from_str(PUZZLES).unwrap();
        let mut names = HashSet::new();
        for puzzle in &puzzles {
            let text = |key: &str| puzzle[key].as_str().unwrap();
            let position: Position = text("position").parse().unwrap();
            let solution = puzzle["solution"][0].as_str().unwrap();
            let action: Action = solution.parse().unwrap();
            assert!(position.is_legal(action), "{puzzle}");
            assert!(Rules::preset(text("rules")).is_some());
            assert_eq!(puzzle["line"][0]["action"], solution);
            let difficulty = puzzle["difficulty"].as_u64().unwrap();
            assert!((1..=10).contains(&difficulty));
            assert!(names.insert(text("id").to_owned()), "{puzzle}");
        }
        assert!(puzzles.len() >= 10, "{}", puzzles.len());
    }
}
