//! An analysis as one JSON object.

use super::thinking::{Analysis, Appearance, Origin, RatedAction};
use anqi_rules::{Game, Position};
use anqi_search::{LineStep, Score};
use serde_json::{Value as Json, json};

/// Returns the object; `None` stands for the analysis of a game that is over.
pub fn object(game: &Game, player: &str, analysis: Option<&Analysis>) -> Json {
    let (source, depth, nodes) = match analysis.map(|analysis| analysis.origin) {
        None => (None, None, None),
        Some(Origin::Tables) => (Some("tables"), None, None),
        Some(Origin::Search { depth, nodes }) => (Some("search"), Some(depth), Some(nodes)),
    };
    let actions = analysis.map_or(&[][..], |analysis| &analysis.actions);
    let position: &Position = game.position();
    json!({
        "position": position.to_string(),
        "turn": position.turn().map(|color| color.to_string()),
        "rules": game.rules().name(),
        "result": game.outcome().map(|outcome| outcome.to_string()),
        "player": player,
        "source": source,
        "depth": depth,
        "nodes": nodes,
        "seconds": analysis.map_or(0.0, |analysis| analysis.time.as_secs_f64()),
        "interrupted": analysis.is_some_and(|analysis| analysis.interrupted),
        "actions": actions.iter().map(action).collect::<Vec<Json>>(),
    })
}

fn action(rated: &RatedAction) -> Json {
    json!({
        "action": rated.action.to_string(),
        "value": rated.value.to_json(),
        "line": line(rated),
        "outcomes": rated.outcomes.iter().map(outcome).collect::<Vec<Json>>(),
    })
}

/// Returns the line; a flip that comes first has the value of its action.
fn line(rated: &RatedAction) -> Vec<Json> {
    let mut steps: Vec<Json> = rated.line.iter().map(step).collect();
    if let Some(first) = steps.first_mut().filter(|_| rated.action.is_flip()) {
        first["value"] = rated.value.to_json();
    }
    steps
}

fn step(step: &LineStep) -> Json {
    let value = step.expectation.map(Score::from_value);
    json!({
        "action": step.action.to_string(),
        "value": value.map(|score| super::value::Value::from(score).to_json()),
    })
}

fn outcome(outcome: &Appearance) -> Json {
    json!({
        "piece": outcome.piece.to_string(),
        "chance": outcome.chance,
        "value": outcome.value.map(super::value::Value::to_json),
    })
}
