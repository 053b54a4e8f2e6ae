//! The HTTP routes, and the upgrade to the WebSocket.

use crate::access::{Access, SOCKET};
use crate::assets;
use crate::backend::Backend;
use crate::caller::Caller;
use crate::guard::guard;
use crate::listener::Peer;
use crate::socket;
use anqi_desk::puzzles::PUZZLES;
use anqi_desk::wire::{About, LimitsView, RulesName};
use anqi_search::endgames::MOST_SOLVED_PIECES;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::watch;

/// Larger messages end the connection; smaller ones above the configured limit get an error.
const MOST_BYTES: usize = 1 << 20;

/// The state that all requests share.
#[derive(Clone, Debug)]
pub struct Shared {
    /// The games.
    pub backend: Arc<Backend>,
    /// Turns true when the server ends.
    pub ending: watch::Receiver<bool>,
    /// The origin of links for other devices, if they reach the server.
    reach: Option<String>,
    numbers: Arc<AtomicU64>,
}

impl Shared {
    /// Returns the state that the requests to a server share.
    pub fn new(
        backend: Arc<Backend>,
        ending: watch::Receiver<bool>,
        reach: Option<String>,
    ) -> Shared {
        Shared {
            backend,
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
    let Some(place) = shared.backend.place() else {
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
            socket::serve(stream, shared.backend, caller, number, shared.ending).await;
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
    let config = &shared.backend.config;
    let limits = LimitsView {
        message_bytes: config.message_bytes,
        games: config.games,
        engine_ms: config.engine_ms,
        lines: config.lines,
    };
    let rules = RulesName::default().rules();
    let pieces = shared.backend.tables.pieces(rules);
    let pieces = pieces.max(MOST_SOLVED_PIECES);
    as_json(About::new(limits, pieces, shared.reach).json())
}
