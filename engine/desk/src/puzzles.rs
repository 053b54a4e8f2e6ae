//! The puzzles of the page, made by `anqi puzzles`: inside the program (the feature `puzzles`), or given to
//! it later.

use crate::wire::{Code, Refusal, ServerMessage, refuse};
use anqi_analysis::puzzle::Puzzle;
use std::sync::OnceLock;

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

/// Returns all puzzles as a message.
///
/// # Errors
///
/// Fails if the list is damaged.
pub fn all() -> Result<ServerMessage, Refusal> {
    match list() {
        Ok(puzzles) => Ok(ServerMessage::Puzzles { puzzles }),
        Err(error) => refuse(Code::Internal, format!("the puzzles are damaged: {error}")),
    }
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
        let message = serde_json::to_value(all().unwrap()).unwrap();
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
