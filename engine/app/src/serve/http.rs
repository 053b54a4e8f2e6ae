//! The HTTP routes, and the upgrade to the WebSocket.

use super::access::{Access, SOCKET};
use super::assets;
use super::caller::Caller;
use super::guard::guard;
use super::hub::Hub;
use super::listener::Peer;
use super::socket;
use super::wire::RulesName;
use anqi_play::Level;
use anqi_rules::{Repetition, Rules};
use anqi_search::endgames::MOST_SOLVED_PIECES;
use anqi_search::players;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::watch;

/// Larger messages end the connection; smaller ones above the configured limit get an error.
const MOST_BYTES: usize = 1 << 20;
/// Puzzles made by `anqi puzzles`.
const PUZZLES: &str = include_str!("puzzles.json");

/// The state that all requests share.
#[derive(Clone, Debug)]
pub struct Shared {
    /// The games.
    pub hub: Arc<Hub>,
    /// Turns true when the server ends.
    pub ending: watch::Receiver<bool>,
    /// The origin of links for other devices, if they reach the server.
    reach: Option<String>,
    numbers: Arc<AtomicU64>,
}

impl Shared {
    /// Returns the state that the requests to a hub share.
    pub fn new(hub: Arc<Hub>, ending: watch::Receiver<bool>, reach: Option<String>) -> Shared {
        Shared {
            hub,
            ending,
            reach,
            numbers: Arc::default(),
        }
    }
}

/// Returns the routes of a server with these rules of access.
pub fn routes(shared: Shared, access: &Arc<Access>) -> Router {
    let access = Arc::clone(access);
    Router::new()
        .route(SOCKET, get(upgrade))
        .route("/api/about", get(about))
        .route("/api/puzzles", get(puzzles))
        .fallback(get(page))
        .layer(from_fn(move |request: Request, next: Next| {
            guard(Arc::clone(&access), request, next)
        }))
        .with_state(shared)
}

async fn page(uri: Uri, headers: HeaderMap) -> Response {
    assets::answer(uri.path().trim_start_matches('/'), &headers)
}

async fn upgrade(
    State(shared): State<Shared>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    Extension(caller): Extension<Caller>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(held) = caller.socket() else {
        let text = "there are as many connections as one address may have\n";
        return (StatusCode::TOO_MANY_REQUESTS, text).into_response();
    };
    let Some(place) = shared.hub.services.place() else {
        let text = "there are as many connections as fit; try later\n";
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    };
    let number = shared.numbers.fetch_add(1, Ordering::Relaxed);
    upgrade
        .max_message_size(MOST_BYTES)
        .max_frame_size(MOST_BYTES)
        .on_upgrade(move |stream| async move {
            let _places = (place, held);
            // The socket detects a silent peer by itself.
            peer.lease.keep();
            socket::serve(stream, shared.hub, caller, number, shared.ending).await;
        })
}

fn as_json(text: String) -> Response {
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, text).into_response()
}

async fn puzzles() -> Response {
    as_json(PUZZLES.to_owned())
}

async fn about(State(shared): State<Shared>) -> Response {
    let config = &shared.hub.services.config;
    let levels = Level::all().map(|level| json!({"number": level.number(), "name": level.name()}));
    let known = players::KNOWN
        .iter()
        .map(|(spec, about)| json!({"spec": spec, "about": about}));
    let about = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "levels": levels.collect::<Vec<_>>(),
        "rules": Rules::PRESETS.map(|(name, rules)| preset(name, rules)),
        "players": known.collect::<Vec<_>>(),
        "limits": {
            "message_bytes": config.message_bytes,
            "games": config.games,
            "engine_ms": config.engine_ms,
            "lines": config.lines,
        },
        "table_pieces": shared.hub.services.tables
            .pieces(RulesName::default().rules())
            .max(MOST_SOLVED_PIECES),
        "reach": shared.reach.map(|origin| json!({"origin": origin})),
    });
    as_json(about.to_string())
}

fn preset(name: &str, rules: Rules) -> Value {
    let repetition = match rules.repetition {
        Repetition::Never => json!({"kind": "never"}),
        Repetition::Position { times } => json!({"kind": "position", "times": times}),
        Repetition::Sequence { times } => json!({"kind": "sequence", "times": times}),
        Repetition::ChaseBan { times } => json!({"kind": "chase_ban", "times": times}),
    };
    json!({"name": name, "quiet_limit": rules.quiet_limit, "repetition": repetition})
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::{Action, Game, Position};
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
