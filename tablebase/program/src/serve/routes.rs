//! The endpoints.

use std::sync::Arc;
use std::time::Duration;

use anqi_server::limits::{Limits, Spending};
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use serde::Serialize;
use serde_json::json;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::spawn_blocking;

use super::answer::Answer;
use super::door::{Client, door};
use super::knowledge::Knowledge;
use super::metrics::Metrics;
use super::question::{Question, read_batch, read_position};
use super::refusal::Refusal;
use super::reply::{self, error, fresh, kept, refused, to_json, too_many};
use anqi_rules::Rules;

/// The most bytes of a body: a thousand positions of the usual length, twice.
const BODY_BYTES: usize = 256 << 10;

/// How many positions a line counts for.
const LINE_COST: u32 = 20;

/// Batches and lines that are computed at once; single positions do not wait for them.
const SLOW_AT_ONCE: usize = 1;

/// The description of the service.
const OPENAPI: &str = include_str!("openapi.json");

/// What all requests share.
#[derive(Debug)]
pub struct Service {
    knowledge: Knowledge,
    /// What each client may do.
    pub limits: Arc<Limits>,
    /// Whether a proxy on this machine is believed.
    pub proxied: bool,
    /// What is counted.
    pub metrics: Metrics,
    slow: Semaphore,
}

/// A position of a batch: its answer, or why there is none.
#[derive(Serialize)]
#[serde(untagged)]
enum OfBatch {
    Answer(Answer),
    Refusal { position: String, error: String },
}

impl Service {
    /// Returns a service that has counted nothing yet.
    pub fn new(knowledge: Knowledge, limits: &Arc<Limits>, proxied: bool) -> Arc<Service> {
        Arc::new(Service {
            knowledge,
            limits: Arc::clone(limits),
            proxied,
            metrics: Metrics::default(),
            slow: Semaphore::new(SLOW_AT_ONCE),
        })
    }

    /// Lets a client pay, then waits for its turn at what takes long.
    async fn turn(
        &self,
        client: Client,
        positions: u32,
    ) -> Result<Option<SemaphorePermit<'_>>, Duration> {
        self.limits.pay(client.0, Spending::Request, positions)?;
        // The semaphore is never closed.
        Ok(self.slow.acquire().await.ok())
    }

    /// Counts an answer; tells the operator of damage.
    fn count<T>(&self, answer: Result<T, Refusal>) -> Result<T, Refusal> {
        match &answer {
            Ok(_) => self.metrics.positions(1, 0),
            Err(_) => self.metrics.positions(0, 1),
        }
        if let Err(Refusal::Damaged(what)) = &answer {
            eprintln!("tablebase: {what}");
        }
        answer
    }

    fn of_batch(&self, text: String, rules: &Rules) -> OfBatch {
        let answer = read_position(&text);
        let answer = answer.and_then(|position| self.knowledge.answer(&position, rules));
        match self.count(answer) {
            Ok(answer) => OfBatch::Answer(answer),
            Err(refusal) => OfBatch::Refusal {
                position: text,
                error: reply::words(&refusal),
            },
        }
    }
}

/// Returns the routes of a service.
pub fn routes(service: Arc<Service>) -> Router {
    let at_the_door = Arc::clone(&service);
    Router::new()
        .route("/probe", get(probe).post(batch))
        .route("/line", get(line))
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(openapi))
        .fallback(nowhere)
        .method_not_allowed_fallback(not_so)
        .layer(from_fn(move |request: Request, next: Next| {
            door(Arc::clone(&at_the_door), request, next)
        }))
        .with_state(service)
}

async fn probe(State(service): State<Arc<Service>>, uri: Uri, headers: HeaderMap) -> Response {
    let question = uri.query().unwrap_or_default().to_owned();
    let work = move || {
        let question = Question::read(&question)?;
        let position = question.position();
        let answer = position.and_then(|p| service.knowledge.answer(&p, &question.rules));
        service.count(answer)
    };
    answered(work, &headers).await
}

async fn line(
    State(service): State<Arc<Service>>,
    Extension(client): Extension<Client>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let question = Question::read(uri.query().unwrap_or_default());
    let read = question.and_then(|question| Ok((question.position()?, question.rules)));
    let (position, rules) = match read {
        Ok(read) => read,
        Err(refusal) => return refused(&refusal),
    };
    let _turn = match service.turn(client, LINE_COST).await {
        Ok(turn) => turn,
        Err(wait) => return too_many(wait),
    };
    let asked = Arc::clone(&service);
    let work = move || asked.count(asked.knowledge.line(&position, &rules));
    answered(work, &headers).await
}

/// Answers a question on a thread that may wait for the disk.
async fn answered<T: Serialize>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    headers: &HeaderMap,
) -> Response {
    match spawn_blocking(move || work().map(|answer| to_json(&answer))).await {
        Ok(Ok(body)) => kept(body, headers),
        Ok(Err(refusal)) => refused(&refusal),
        Err(_) => panicked(),
    }
}

fn panicked() -> Response {
    error(
        StatusCode::INTERNAL_SERVER_ERROR,
        "a fault of the service; its operator can read more",
    )
}

async fn batch(
    State(service): State<Arc<Service>>,
    Extension(client): Extension<Client>,
    uri: Uri,
    body: Body,
) -> Response {
    let Ok(body) = to_bytes(body, BODY_BYTES).await else {
        let text = format!("the body is damaged or has more than {BODY_BYTES} bytes");
        return error(StatusCode::PAYLOAD_TOO_LARGE, &text);
    };
    let texts = match read_batch(&body) {
        Ok(texts) => texts,
        Err(refusal) => return refused(&refusal),
    };
    let rules = match Question::read(uri.query().unwrap_or_default()) {
        Ok(Question {
            position: None,
            rules,
        }) => rules,
        Ok(_) => {
            let text = "a batch has its positions in the body, and none in the address";
            return error(StatusCode::BAD_REQUEST, text);
        }
        Err(refusal) => return refused(&refusal),
    };
    let _turn = match service.turn(client, texts.len() as u32).await {
        Ok(turn) => turn,
        Err(wait) => return too_many(wait),
    };
    let asked = Arc::clone(&service);
    let work = move || {
        let answers = texts.into_iter().map(|text| asked.of_batch(text, &rules));
        to_json(&answers.collect::<Vec<_>>())
    };
    match spawn_blocking(work).await {
        Ok(body) => fresh(StatusCode::OK, body),
        Err(_) => panicked(),
    }
}

async fn health() -> Response {
    fresh(StatusCode::OK, json!({ "status": "ok" }).to_string())
}

async fn metrics(State(service): State<Arc<Service>>) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/plain; version=0.0.4"),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, service.metrics.text()).into_response()
}

async fn openapi(headers: HeaderMap) -> Response {
    kept(OPENAPI.to_owned(), &headers)
}

async fn nowhere() -> Response {
    let text = "nothing here (expected /probe, /line, /health, /metrics or /openapi.json)";
    error(StatusCode::NOT_FOUND, text)
}

async fn not_so() -> Response {
    let text = "not by this method (expected GET, and POST for /probe)";
    error(StatusCode::METHOD_NOT_ALLOWED, text)
}
