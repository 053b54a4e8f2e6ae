//! The responses: JSON, with headers for caches.

use anqi_server::etag;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;
use std::time::Duration;

use super::refusal::Refusal;

/// How long an answer may be kept: a day, since a folder may be replaced by a better one.
const KEPT: &str = "public, max-age=86400";

/// The longest time that a client is told to wait.
const LONGEST_WAIT: u64 = 3600;

/// Returns an answer that may be kept, or that the client has it already.
pub fn kept(body: String, headers: &HeaderMap) -> Response {
    let hash = blake3::hash(body.as_bytes()).to_hex();
    let tag = format!("\"{}\"", &hash[..32]);
    let mut answer = if etag::is_known(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(CONTENT_TYPE, "application/json")], body).into_response()
    };
    let headers = answer.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(KEPT));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    answer
}

/// Returns an answer in JSON that nobody may keep.
pub fn fresh(status: StatusCode, body: String) -> Response {
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "no-store"),
    ];
    (status, headers, body).into_response()
}

/// Returns the JSON of what always has some.
pub fn to_json(what: &impl Serialize) -> String {
    serde_json::to_string(what).expect("texts, numbers and lists are JSON")
}

/// Returns an error.
pub fn error(status: StatusCode, text: &str) -> Response {
    fresh(status, json!({ "error": text }).to_string())
}

/// Returns why a question is not answered.
pub fn refused(refusal: &Refusal) -> Response {
    error(status(refusal), &words(refusal))
}

/// Returns the words of a refusal for the client.
pub fn words(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Wrong(text) | Refusal::Unknown(text) => text.clone(),
        Refusal::Damaged(_) => "a table that is needed is damaged".to_owned(),
    }
}

fn status(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::Wrong(_) => StatusCode::BAD_REQUEST,
        Refusal::Unknown(_) => StatusCode::NOT_FOUND,
        Refusal::Damaged(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Returns that a client must wait.
pub fn too_many(wait: Duration) -> Response {
    let seconds = wait.as_secs().saturating_add(1).min(LONGEST_WAIT);
    let text = format!("too many requests from this address; wait {seconds} s");
    let mut answer = error(StatusCode::TOO_MANY_REQUESTS, &text);
    answer.headers_mut().insert(RETRY_AFTER, seconds.into());
    answer
}
