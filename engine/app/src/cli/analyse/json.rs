//! An analysis as one JSON object.

use anqi_analysis::ranking::{Origin, Ranking, RatedAction, RatedReveal};
use anqi_analysis::{Distance, Valuation};
use anqi_rules::{Game, Position};
use anqi_search::{LineStep, Score};
use serde_json::{Value as Json, json};
use std::time::Duration;

/// Returns the object, with the time that the ranking took; `None` stands for that of a game that is
/// over.
pub fn object(game: &Game, player: &str, ranking: Option<(&Ranking, Duration)>) -> Json {
    let (ranking, time) = ranking.unzip();
    let (source, depth, nodes) = match ranking.map(|ranking| ranking.origin) {
        None => (None, None, None),
        Some(Origin::Tables) => (Some("tables"), None, None),
        Some(Origin::Search { depth, nodes }) => (Some("search"), Some(depth), Some(nodes)),
    };
    let actions = ranking.map_or(&[][..], |ranking| &ranking.actions);
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
        "seconds": time.unwrap_or_default().as_secs_f64(),
        "interrupted": ranking.is_some_and(|ranking| ranking.interrupted),
        "actions": actions.iter().map(action).collect::<Vec<Json>>(),
    })
}

fn action(rated: &RatedAction) -> Json {
    json!({
        "action": rated.action.to_string(),
        "value": valuation(rated.value),
        "line": line(rated),
        "outcomes": rated.outcomes.iter().map(outcome).collect::<Vec<Json>>(),
    })
}

/// Returns the line; a flip that comes first has the value of its action.
fn line(rated: &RatedAction) -> Vec<Json> {
    let mut steps: Vec<Json> = rated.line.iter().map(step).collect();
    if let Some(first) = steps.first_mut().filter(|_| rated.action.is_flip()) {
        first["value"] = valuation(rated.value);
    }
    steps
}

fn step(step: &LineStep) -> Json {
    let value = step.expectation.map(Score::from_value);
    json!({
        "action": step.action.to_string(),
        "value": value.map(|score| valuation(Valuation::from(score))),
    })
}

fn outcome(outcome: &RatedReveal) -> Json {
    json!({
        "piece": outcome.piece.to_string(),
        "chance": outcome.chance,
        "value": outcome.value.map(valuation),
    })
}

/// Returns the fields of a value.
fn valuation(value: Valuation) -> Json {
    let verdict = match value {
        Valuation::Estimate(_) | Valuation::Exact(_) => None,
        Valuation::Win(_) => Some("win"),
        Valuation::Draw => Some("draw"),
        Valuation::Loss(_) => Some("loss"),
    };
    let distance = value.distance();
    let exact = match value {
        Valuation::Exact(expected) => Some(expected.to_string()),
        _ => None,
    };
    json!({
        "expected": value.expected(),
        "verdict": verdict,
        "plies": distance.map(Distance::plies),
        "plies_to_end": distance.and_then(Distance::plies_to_end),
        "exact": exact,
    })
}
