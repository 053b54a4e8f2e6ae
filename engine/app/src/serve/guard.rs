//! Access control: only pages of this server may talk to it.
//!
//! A foreign page could open a WebSocket to this machine, or pass for ours by DNS
//! rebinding. So every request must name this machine as its host, and its origin,
//! if a browser sends one, must be ours.

use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The host names of this machine.
const NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Refuses foreign requests, and adds the security headers to every response.
pub async fn guard(port: u16, request: Request, next: Next) -> Response {
    let mut answer = match is_own(request.headers(), port) {
        true => next.run(request).await,
        false => (
            StatusCode::FORBIDDEN,
            "this server answers pages of its own only\n",
        )
            .into_response(),
    };
    let headers = answer.headers_mut();
    for (name, value) in fixed_headers() {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&policy(port)) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    answer
}

fn fixed_headers() -> [(HeaderName, &'static str); 5] {
    [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ]
}

/// The page's content security policy: its own files, and images that it draws itself.
fn policy(port: u16) -> String {
    // A bracketed address is no valid source in a policy.
    let sockets: Vec<String> = NAMES[..2]
        .iter()
        .map(|name| format!("ws://{name}:{port}"))
        .collect();
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; \
         img-src 'self' data: blob:; media-src 'self' data: blob:; manifest-src 'self'; \
         connect-src 'self' {}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        sockets.join(" ")
    )
}

fn is_own(headers: &HeaderMap, port: u16) -> bool {
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next().is_some_and(|host| is_own_host(host, port));
    let origin = headers
        .get_all(ORIGIN)
        .iter()
        .all(|origin| is_own_origin(origin, port));
    host && hosts.next().is_none() && origin
}

fn is_own_host(host: &HeaderValue, port: u16) -> bool {
    let Ok(host) = host.to_str() else {
        return false;
    };
    NAMES.iter().any(|name| match host.strip_prefix(name) {
        Some("") => port == 80,
        Some(rest) => rest.strip_prefix(':') == Some(&port.to_string()),
        None => false,
    })
}

fn is_own_origin(origin: &HeaderValue, port: u16) -> bool {
    let Some(host) = origin.as_bytes().strip_prefix(b"http://") else {
        return false;
    };
    HeaderValue::from_bytes(host).is_ok_and(|host| is_own_host(&host, port))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(host: &[&'static str], origin: Option<&'static str>) -> bool {
        let mut headers = HeaderMap::new();
        for host in host {
            headers.append(HOST, HeaderValue::from_static(host));
        }
        if let Some(origin) = origin {
            headers.insert(ORIGIN, HeaderValue::from_static(origin));
        }
        is_own(&headers, 8080)
    }

    #[test]
    fn only_this_machine_and_this_port_are_our_own() {
        assert!(allowed(&["127.0.0.1:8080"], None));
        assert!(allowed(&["localhost:8080"], Some("http://localhost:8080")));
        assert!(allowed(&["[::1]:8080"], Some("http://127.0.0.1:8080")));
        for host in [
            "evil.example:8080",
            "127.0.0.1:81",
            "127.0.0.1",
            "localhost.evil.example:8080",
            "127.0.0.1:8080.evil.example",
            "",
        ] {
            assert!(!allowed(&[host], None), "{host}");
        }
        assert!(!allowed(&[], None));
        assert!(!allowed(&["127.0.0.1:8080", "evil.example"], None));
        for origin in [
            "null",
            "http://evil.example",
            "https://localhost:8080",
            "http://localhost:8081",
            "http://localhost:8080/",
        ] {
            assert!(!allowed(&["127.0.0.1:8080"], Some(origin)), "{origin}");
        }
    }

    #[test]
    fn the_policy_lets_nothing_in_from_elsewhere() {
        let policy = policy(8080);
        assert!(policy.starts_with("default-src 'none'"));
        assert!(policy.contains("ws://localhost:8080"));
        assert!(!policy.contains("unsafe"));
    }
}
