//! Who may talk to the server.
//!
//! On this machine alone every request needs a host and an origin of ours. On a network it also
//! needs a token: the host's, which the printed address carries and which opens everything, or
//! one of a seat or a watcher's place, which an invitation carries and which opens its game.
//! Whatever a request without a valid token asks for, the answer is the same.

use crate::caller::{Caller, Scope};
use crate::forwarded::client;
use crate::limits::{Limits, Spending};
use crate::listener::Peer;
use crate::names::{Names, Site};
use crate::secret::{self, Cookie, Secret};
use anqi_desk::Hub;
use axum::http::Uri;
use axum::http::header::{HeaderMap, ORIGIN};
use std::net::IpAddr;
use std::sync::Arc;

/// The path of the WebSocket.
pub const SOCKET: &str = "/ws";

/// The rules of access.
#[derive(Debug)]
pub struct Access {
    /// The names of the server.
    pub names: Names,
    /// What requests from a network need beside.
    pub network: Option<Network>,
}

/// What requests from a network need.
#[derive(Debug)]
pub struct Network {
    /// The host's token.
    pub secret: Secret,
    /// The cookie that carries a token.
    pub cookie: Cookie,
    /// What each address may do.
    pub limits: Arc<Limits>,
    /// The games, whose tokens are invitations.
    pub hub: Arc<Hub>,
}

/// What becomes of a request.
#[derive(Debug)]
pub enum Admission {
    /// It is answered.
    Enter(Caller),
    /// It has brought a token in its address: it goes on without, with a cookie if it is new.
    Redirect {
        /// Where.
        location: String,
        /// The cookie to set.
        cookie: Option<String>,
    },
    /// It names a foreign host or comes from a foreign page.
    Foreign,
    /// It has no valid token.
    Stranger,
    /// Its address must wait.
    TooMany,
}

impl Access {
    /// Judges a request.
    pub fn judge(
        &self,
        uri: &Uri,
        headers: &HeaderMap,
        peer: &Peer,
        site: Option<&Site>,
    ) -> Admission {
        let Some(network) = &self.network else {
            return match site {
                Some(_) => Admission::Enter(Caller::this_machine()),
                None => Admission::Foreign,
            };
        };
        let proxied = site.is_some_and(|site| site.proxied);
        let address = client(headers, peer, proxied);
        if !network.limits.spend(address, Spending::Request) {
            return Admission::TooMany;
        }
        let Some(site) = site else {
            return Admission::Foreign;
        };
        // Browsers always tell the origin of a WebSocket.
        if uri.path() == SOCKET && !headers.contains_key(ORIGIN) {
            return Admission::Foreign;
        }
        let verdict = network.judge(uri, headers, address, site);
        match verdict {
            Admission::Stranger if !network.limits.spend(address, Spending::Guess) => {
                Admission::TooMany
            }
            verdict => verdict,
        }
    }
}

impl Network {
    fn judge(&self, uri: &Uri, headers: &HeaderMap, address: IpAddr, site: &Site) -> Admission {
        let known = self.cookie.tokens(headers).filter_map(|t| self.scope(t));
        let known = known.min_by_key(|scope| *scope != Scope::Host);
        let brought = secret::split(uri.path(), uri.query().unwrap_or_default());
        let Some((token, location)) = brought else {
            return match known {
                Some(scope) => Admission::Enter(Caller::from_network(scope, address, &self.limits)),
                None => Admission::Stranger,
            };
        };
        let cookie = match self.scope(&token) {
            // The host who opens an invitation stays the host.
            Some(Scope::Guest) if known == Some(Scope::Host) => None,
            Some(_) => Some(self.cookie.set(&token, site.secure)),
            None if known.is_some() => None,
            None => return Admission::Stranger,
        };
        Admission::Redirect { location, cookie }
    }

    fn scope(&self, token: &str) -> Option<Scope> {
        if self.secret.matches(token) {
            Some(Scope::Host)
        } else {
            self.hub.find(token).is_ok().then_some(Scope::Guest)
        }
    }
}
