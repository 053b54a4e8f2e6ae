//! The secret token of the server: how it is compared, and how browsers carry it.
//!
//! A browser brings the token once, in the query of the address, and gets a cookie for it and an
//! address without it, so that it stays out of the history, of bookmarks and of screenshots.
//! `HttpOnly` keeps scripts away from the cookie. `SameSite=Lax` keeps it out of whatever foreign
//! pages request, WebSockets included, but not out of a link that is followed from elsewhere,
//! such as a message with an invitation; no such request changes anything.

use anqi_play::hexadecimal;
use axum::http::header::{COOKIE, HeaderMap};
use std::fmt;

/// The name of the token in a query.
const KEY: &str = "token";

/// A token of 128 bits, compared in constant time.
pub struct Secret {
    text: String,
    hash: blake3::Hash,
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// Returns the token of these random bytes.
    pub fn new(bytes: [u8; 16]) -> Secret {
        let text = hexadecimal(&bytes);
        Secret {
            hash: blake3::hash(text.as_bytes()),
            text,
        }
    }

    /// Returns the token for the address that is printed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether a text is the token. The comparison of hashes takes constant time, and so
    /// tells nothing of how much of a guess is right.
    pub fn matches(&self, guess: &str) -> bool {
        blake3::hash(guess.as_bytes()) == self.hash
    }
}

/// Returns the query part that carries a token to a page.
pub fn query(token: &str) -> String {
    format!("?{KEY}={token}")
}

/// Returns the token in a query, and the path and query without it.
pub fn split(path: &str, query: &str) -> Option<(String, String)> {
    let (mine, others): (Vec<&str>, Vec<&str>) = query
        .split('&')
        .partition(|pair| pair.split('=').next() == Some(KEY));
    let token = mine.first()?.split_once('=').map_or("", |(_, token)| token);
    // A path such as `//evil.example` would lead elsewhere.
    let path = path.trim_start_matches(['/', '\\']);
    let others = match others.join("&") {
        others if others.is_empty() => others,
        others => format!("?{others}"),
    };
    Some((token.to_owned(), format!("/{path}{others}")))
}

/// The cookie that carries a token; its name has the port, as cookies of one host share all ports.
#[derive(Clone, Debug)]
pub struct Cookie {
    name: String,
}

impl Cookie {
    /// Returns the cookie of a server on this port.
    pub fn new(port: u16) -> Cookie {
        Cookie {
            name: format!("anqi-{port}"),
        }
    }

    /// Returns the text that sets it, until the browser ends.
    pub fn set(&self, token: &str, secure: bool) -> String {
        let secure = if secure { "; Secure" } else { "" };
        format!(
            "{}={token}; Path=/; HttpOnly; SameSite=Lax{secure}",
            self.name
        )
    }

    /// Returns all tokens in the cookies of a request; a neighbour may have added wrong ones.
    pub fn tokens<'a>(&'a self, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> {
        let texts = headers.get_all(COOKIE).iter();
        let texts = texts.filter_map(|value| value.to_str().ok());
        let pairs = texts.flat_map(|text| text.split(';'));
        pairs.filter_map(|pair| pair.trim().strip_prefix(&self.name)?.strip_prefix('='))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn a_token_matches_itself_alone_and_is_never_printed() {
        let secret = Secret::new([0xa5; 16]);
        let text = secret.text().to_owned();
        assert_eq!(text.len(), 32);
        assert!(secret.matches(&text));
        for wrong in [
            "",
            &text[1..],
            &text[..31],
            &text.to_uppercase(),
            &format!("{text}0"),
        ] {
            assert!(!secret.matches(wrong), "{wrong}");
        }
        assert!(!format!("{secret:?}").contains(&text[..4]));
    }

    #[test]
    fn the_token_is_taken_out_of_the_address_which_stays_on_this_host() {
        let split = |path, query| split(path, query);
        let pair = |token: &str, rest: &str| Some((token.to_owned(), rest.to_owned()));
        assert_eq!(split("/", "token=abc"), pair("abc", "/"));
        assert_eq!(split("/a/b", "x=1&token=abc&y"), pair("abc", "/a/b?x=1&y"));
        assert_eq!(split("/", "token=a&token=b"), pair("a", "/"));
        assert_eq!(split("/", "token"), pair("", "/"));
        assert_eq!(split("/", "tokens=a&x=token"), None);
        for path in ["//evil.example", "/\\evil.example", "///evil.example"] {
            assert_eq!(split(path, "token=a"), pair("a", "/evil.example"));
        }
    }

    #[test]
    fn a_cookie_is_found_among_others_and_is_secure_behind_tls() {
        let cookie = Cookie::new(8080);
        let mut headers = HeaderMap::new();
        let text = "anqi-80=no; anqi-8080=wrong;anqi-8080=right; anqi-80800=no; x";
        headers.append(COOKIE, HeaderValue::from_static(text));
        headers.append(COOKIE, HeaderValue::from_static("anqi-8080=third"));
        let tokens: Vec<&str> = cookie.tokens(&headers).collect();
        assert_eq!(tokens, ["wrong", "right", "third"]);
        assert_eq!(
            cookie.set("t", false),
            "anqi-8080=t; Path=/; HttpOnly; SameSite=Lax"
        );
        assert!(cookie.set("t", true).ends_with("; Secure"));
    }
}
