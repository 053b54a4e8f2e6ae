//! The door of the server: every request passes it, and every response gets the security headers.
//!
//! [`Access`] judges a request; here the verdict becomes a response.

use crate::access::{Access, Admission};
use crate::listener::Peer;
use axum::extract::{ConnectInfo, Request};
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, LOCATION, REFERRER_POLICY,
    RETRY_AFTER, SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The seconds after which an address may try again.
const PAUSE: &str = "3";

/// Refuses requests that may not enter, and adds the security headers to every response.
pub async fn guard(access: Arc<Access>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<Peer>>();
    let Some(ConnectInfo(peer)) = peer.cloned() else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let site = access.names.site(request.headers(), peer.local);
    let verdict = access.judge(request.uri(), request.headers(), &peer, site.as_ref());
    let mut answer = match verdict {
        Admission::Enter(caller) => {
            peer.lease.extend();
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Admission::Redirect { location, cookie } => redirect(&location, cookie.as_deref()),
        Admission::Foreign => refusal(
            StatusCode::FORBIDDEN,
            "this server answers pages of its own only\n",
        ),
        Admission::Stranger => refusal(
            StatusCode::FORBIDDEN,
            "this server needs the link that its terminal shows, or an invitation\n",
        ),
        Admission::TooMany => {
            let mut answer = refusal(
                StatusCode::TOO_MANY_REQUESTS,
                "too many requests from this address; wait a little\n",
            );
            let pause = HeaderValue::from_static(PAUSE);
            answer.headers_mut().insert(RETRY_AFTER, pause);
            answer
        }
    };
    let sockets = access.names.sockets(site.as_ref());
    let secure = site.is_some_and(|site| site.secure);
    add_security(&mut answer, &sockets, secure || peer.local.is_loopback());
    answer
}

fn refusal(status: StatusCode, text: &'static str) -> Response {
    let headers = [(CACHE_CONTROL, "no-store")];
    (status, headers, text).into_response()
}

/// Sends a browser on to the address without the token.
fn redirect(location: &str, cookie: Option<&str>) -> Response {
    let mut answer = refusal(StatusCode::SEE_OTHER, "");
    let headers = [(LOCATION, Some(location)), (SET_COOKIE, cookie)];
    for (name, value) in headers {
        if let Some(Ok(value)) = value.map(HeaderValue::from_str) {
            answer.headers_mut().insert(name, value);
        }
    }
    answer
}

fn add_security(answer: &mut Response, sockets: &[String], trusted: bool) {
    let headers = answer.headers_mut();
    for (name, value) in fixed_headers() {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&policy(sockets)) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    // Browsers complain of it where they do not heed it: over plain http from another machine.
    if trusted {
        let name = HeaderName::from_static("cross-origin-opener-policy");
        headers.insert(name, HeaderValue::from_static("same-origin"));
    }
}

fn fixed_headers() -> [(HeaderName, &'static str); 4] {
    [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ]
}

/// The page's content security policy: its own files, and images that it draws itself.
fn policy(sockets: &[String]) -> String {
    let connect: String = sockets.iter().map(|socket| format!(" {socket}")).collect();
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; \
         img-src 'self' data: blob:; media-src 'self' data: blob:; manifest-src 'self'; \
         connect-src 'self'{connect}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Names;

    #[test]
    fn the_policy_lets_nothing_in_from_elsewhere() {
        let names = Names::ThisMachine { port: 8080 };
        let policy = policy(&names.sockets(None));
        assert!(policy.starts_with("default-src 'none'"));
        assert!(policy.contains("ws://localhost:8080"));
        assert!(!policy.contains("unsafe"));
    }
}
