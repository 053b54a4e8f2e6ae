//! The address that a request counts for.

use crate::listener::Peer;
use axum::http::HeaderValue;
use axum::http::header::{HeaderMap, HeaderName};
use std::net::IpAddr;

/// The addresses that a request has come through; the proxy adds the last.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Returns the address that a request counts for: its own, or the one that a proxy on this
/// machine tells. Other machines are not believed.
pub fn client(headers: &HeaderMap, peer: &Peer, proxied: bool) -> IpAddr {
    let proxied = proxied && peer.address.is_loopback();
    let forwarded = headers.get_all(FORWARDED_FOR).iter().next_back();
    let last = |value: &HeaderValue| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok();
    match forwarded.filter(|_| proxied).and_then(last) {
        Some(address) => address,
        None => peer.address,
    }
}
