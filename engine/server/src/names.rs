//! The names of the server: the hosts that requests may name, and the origins they may come from.
//!
//! A foreign page could open a WebSocket to this server, or pass for ours by DNS rebinding. So
//! every request must name one of our hosts, and its origin, if a browser sends one, must be ours.
//! On a network the only names are the address that the connection arrived at, which no foreign
//! page can borrow, and the name of the proxy in front of the server.

use axum::http::header::{HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// The host names of this machine.
const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];
/// The scheme that a proxy was asked with.
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
/// The longest name of a host.
const LONGEST: usize = 253;

/// The name of a proxy, perhaps with a port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostName(String);

/// A text that is not the name of a host.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is not the name of a host (expected a name without scheme or path, such as anqi.example.org)"
)]
pub struct HostNameError(String);

impl FromStr for HostName {
    type Err = HostNameError;

    fn from_str(text: &str) -> Result<HostName, HostNameError> {
        let (name, port) = text.split_once(':').unwrap_or((text, "443"));
        let label = |label: &str| {
            !label.is_empty()
                && label
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b == b'-')
        };
        let is_port = port.parse::<u16>().is_ok_and(|number| number > 0);
        if name.len() > LONGEST || !name.split('.').all(label) || !is_port {
            return Err(HostNameError(text.to_owned()));
        }
        let lower = text.to_ascii_lowercase();
        // Browsers leave out the usual port.
        let short = lower.strip_suffix(":443").unwrap_or(&lower);
        Ok(HostName(short.to_owned()))
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One of our names, as a request used it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The host, with its port unless it is the scheme's own.
    pub host: String,
    /// Whether a proxy with TLS stands between the browser and us.
    pub secure: bool,
    /// Whether it is the name of the proxy.
    pub proxied: bool,
}

impl Site {
    /// Returns the origin of its pages.
    pub fn origin(&self) -> String {
        let scheme = if self.secure { "https" } else { "http" };
        format!("{scheme}://{}", self.host)
    }

    /// Returns the origin of its WebSockets, `None` if a content security policy cannot name it.
    pub fn socket_origin(&self) -> Option<String> {
        let scheme = if self.secure { "wss" } else { "ws" };
        (!self.host.starts_with('[')).then(|| format!("{scheme}://{}", self.host))
    }
}

/// All our names.
#[derive(Clone, Debug)]
pub enum Names {
    /// Those of this machine's loopback address.
    ThisMachine {
        /// The port.
        port: u16,
    },
    /// Those by which other devices reach this machine.
    Network {
        /// The port.
        port: u16,
        /// The name of the proxy in front of the server.
        proxy: Option<HostName>,
    },
}

impl Names {
    /// Returns the site that a request names, if host and origin are our own; `local` is the
    /// address that its connection arrived at.
    pub fn site(&self, headers: &HeaderMap, local: IpAddr) -> Option<Site> {
        let mut hosts = headers.get_all(HOST).iter();
        let host = hosts.next()?.to_str().ok()?.to_ascii_lowercase();
        if hosts.next().is_some() {
            return None;
        }
        let site = match self {
            Names::ThisMachine { port } => is_loopback(&host, *port).then_some(Site {
                host,
                secure: false,
                proxied: false,
            }),
            Names::Network { port, proxy } => {
                network_site(host, headers, *port, proxy.as_ref(), local)
            }
        }?;
        let mut origins = headers.get_all(ORIGIN).iter();
        origins
            .all(|origin| self.is_own_origin(origin, &site))
            .then_some(site)
    }

    fn is_own_origin(&self, origin: &HeaderValue, site: &Site) -> bool {
        let Ok(origin) = origin.to_str() else {
            return false;
        };
        match self {
            Names::ThisMachine { port } => origin
                .strip_prefix("http://")
                .is_some_and(|host| is_loopback(host, *port)),
            Names::Network { .. } => origin == site.origin(),
        }
    }

    /// Returns the WebSocket addresses that a page may connect to.
    pub fn sockets(&self, site: Option<&Site>) -> Vec<String> {
        match self {
            // A bracketed address is no valid source in a policy.
            Names::ThisMachine { port } => LOOPBACK[..2]
                .iter()
                .map(|name| format!("ws://{name}:{port}"))
                .collect(),
            Names::Network { .. } => site.and_then(Site::socket_origin).into_iter().collect(),
        }
    }
}

fn network_site(
    host: String,
    headers: &HeaderMap,
    port: u16,
    proxy: Option<&HostName>,
    local: IpAddr,
) -> Option<Site> {
    let proxied = proxy.is_some_and(|proxy| is_proxy(&host, proxy));
    let own = matches(&host, &host_text(local), port);
    let loopback = local.is_loopback() && is_loopback(&host, port);
    // The header only ever makes the answer stricter: a cookie that plain http does not get.
    let scheme = headers.get(FORWARDED_PROTO);
    let secure = proxied || scheme.is_some_and(|scheme| scheme == "https");
    (proxied || own || loopback).then_some(Site {
        host,
        secure,
        proxied,
    })
}

fn is_proxy(host: &str, proxy: &HostName) -> bool {
    host.strip_suffix(":443").unwrap_or(host) == proxy.0
}

fn is_loopback(host: &str, port: u16) -> bool {
    LOOPBACK.iter().any(|name| matches(host, name, port))
}

fn matches(host: &str, name: &str, port: u16) -> bool {
    match host.strip_prefix(name) {
        Some("") => port == 80,
        Some(rest) => rest.strip_prefix(':') == Some(&port.to_string()),
        None => false,
    }
}

/// Returns an address as it stands in an URL.
pub fn host_text(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
    const LAN: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 5));

    fn headers(hosts: &[&'static str], others: &[(HeaderName, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(HOST, HeaderValue::from_static(host));
        }
        for (name, value) in others {
            headers.append(name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn only_this_machine_and_this_port_are_our_own() {
        let names = Names::ThisMachine { port: 8080 };
        let allowed = |hosts: &[&'static str], origin: Option<&'static str>| {
            let origin: Vec<_> = origin.map(|origin| (ORIGIN, origin)).into_iter().collect();
            names.site(&headers(hosts, &origin), HERE).is_some()
        };
        assert!(allowed(&["127.0.0.1:8080"], None));
        assert!(allowed(&["localhost:8080"], Some("http://localhost:8080")));
        assert!(allowed(&["[::1]:8080"], Some("http://127.0.0.1:8080")));
        for host in [
            "evil.example:8080",
            "127.0.0.1:81",
            "127.0.0.1",
            "localhost.evil.example:8080",
            "127.0.0.1:8080.evil.example",
            "192.168.1.5:8080",
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
    fn on_a_network_only_the_address_arrived_at_and_the_proxy_are_our_own() {
        let proxy = Some("Anqi.Example.org".parse().unwrap());
        let names = Names::Network { port: 8080, proxy };
        let site = |host, local, others: &[_]| names.site(&headers(&[host], others), local);
        let at = |host, local| site(host, local, &[]).map(|site| site.origin());
        assert_eq!(
            at("192.168.1.5:8080", LAN).as_deref(),
            Some("http://192.168.1.5:8080")
        );
        assert_eq!(
            at("localhost:8080", HERE).as_deref(),
            Some("http://localhost:8080")
        );
        for host in ["anqi.example.org", "ANQI.example.org:443"] {
            let site = site(host, HERE, &[]).expect(host);
            assert!(site.secure && site.proxied, "{host}");
        }
        // Any other address of this machine, and whatever resolves to it.
        for host in [
            "192.168.1.6:8080",
            "192.168.1.5:8081",
            "192.168.1.5",
            "localhost:8080",
            "127.0.0.1:8080",
            "192.168.1.5.evil.example:8080",
            "evil.example",
            "evil.anqi.example.org",
            "anqi.example.org:8080",
            "anqi.example.org.evil.example",
        ] {
            assert_eq!(at(host, LAN), None, "{host}");
        }
        let origin = |host, origin| site(host, LAN, &[(ORIGIN, origin)]).is_some();
        assert!(origin("192.168.1.5:8080", "http://192.168.1.5:8080"));
        assert!(origin("anqi.example.org", "https://anqi.example.org"));
        for foreign in [
            "null",
            "http://evil.example",
            "http://192.168.1.5",
            "https://192.168.1.5:8080",
            "http://anqi.example.org",
            "https://anqi.example.org",
        ] {
            assert!(!origin("192.168.1.5:8080", foreign), "{foreign}");
        }
        assert!(!origin("anqi.example.org", "http://anqi.example.org"));
    }

    #[test]
    fn a_proxy_can_ask_for_a_cookie_of_https_but_not_for_one_of_http() {
        let proxy = Some("anqi.example.org".parse().unwrap());
        let names = Names::Network { port: 8080, proxy };
        let secure = |host, scheme| {
            let headers = headers(&[host], &[(FORWARDED_PROTO, scheme)]);
            names.site(&headers, LAN).expect("a site").secure
        };
        assert!(secure("192.168.1.5:8080", "https"));
        assert!(!secure("192.168.1.5:8080", "http"));
        assert!(secure("anqi.example.org", "http"));
    }

    #[test]
    fn a_name_has_neither_scheme_nor_path() {
        let name: HostName = "anqi.example.org:8443".parse().unwrap();
        assert_eq!(name.to_string(), "anqi.example.org:8443");
        let usual: HostName = "anqi.example.org:443".parse().unwrap();
        assert_eq!(usual.to_string(), "anqi.example.org");
        for wrong in [
            "",
            "https://anqi.example.org",
            "anqi.example.org/",
            "a b",
            "a..b",
            "anqi:0",
            "anqi:x",
            "anqi:70000",
            "x;y",
        ] {
            let error = wrong.parse::<HostName>().expect_err(wrong);
            assert!(error.to_string().contains("anqi.example.org"));
        }
    }

    #[test]
    fn an_address_of_the_sixth_version_stands_in_brackets() {
        let local: IpAddr = "fd00::5".parse().unwrap();
        let names = Names::Network {
            port: 8080,
            proxy: None,
        };
        let site = names.site(&headers(&["[fd00::5]:8080"], &[]), local);
        let site = site.expect("our own");
        assert_eq!(site.origin(), "http://[fd00::5]:8080");
        assert_eq!(names.sockets(Some(&site)), Vec::<String>::new());
    }
}
