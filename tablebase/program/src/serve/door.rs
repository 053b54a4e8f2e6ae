//! The door of the service: every request passes it, and every answer gets the headers that all have.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use anqi_server::forwarded::client;
use anqi_server::limits::Spending;
use anqi_server::listener::Peer;
use axum::extract::{ConnectInfo, Request};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, HeaderName, HeaderValue,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::reply;
use super::routes::Service;

/// The address that a request counts for.
#[derive(Clone, Copy, Debug)]
pub struct Client(pub IpAddr);

/// Headers of every answer: any page may read it.
const ALWAYS: [(HeaderName, &str); 3] = [
    (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    (ACCESS_CONTROL_EXPOSE_HEADERS, "etag, retry-after"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
];

/// Headers of the answer to a browser that asks whether its page may ask.
const ALLOWED: [(HeaderName, &str); 3] = [
    (ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST"),
    (ACCESS_CONTROL_ALLOW_HEADERS, "content-type, if-none-match"),
    (ACCESS_CONTROL_MAX_AGE, "86400"),
];

/// Lets a request in, or tells its client to wait.
pub async fn door(service: Arc<Service>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let endpoint = endpoint(request.method(), request.uri().path());
    let peer = request.extensions().get::<ConnectInfo<Peer>>();
    let Some(ConnectInfo(peer)) = peer.cloned() else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    peer.lease.extend();
    let address = client(request.headers(), &peer, service.proxied);
    request.extensions_mut().insert(Client(address));
    let mut answer = if request.method() == Method::OPTIONS {
        (StatusCode::NO_CONTENT, ALLOWED).into_response()
    } else {
        match service.limits.pay(address, Spending::Request, 1) {
            Ok(()) => next.run(request).await,
            Err(wait) => reply::too_many(wait),
        }
    };
    for (name, value) in ALWAYS {
        answer
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    let status = answer.status().as_u16();
    service.metrics.request(endpoint, status, begun.elapsed());
    answer
}

/// The name of what is asked for, one of few whatever the request.
fn endpoint(method: &Method, path: &str) -> &'static str {
    match path {
        "/probe" if method == Method::POST => "batch",
        "/probe" => "probe",
        "/line" => "line",
        "/health" => "health",
        "/metrics" => "metrics",
        "/openapi.json" => "openapi",
        _ => "other",
    }
}
