//! Entity tags: whether a client has an answer already.

use axum::http::header::{HeaderMap, IF_NONE_MATCH};

/// Returns whether the request names this tag, quotes included, among those that it knows.
pub fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let lines = headers.get_all(IF_NONE_MATCH).iter();
    let mut known = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','));
    known.any(|one| {
        let one = one.trim();
        // A weak tag counts too: nobody asks for a part of an answer.
        one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn a_tag_is_known_alone_in_a_list_weak_or_as_any() {
        let known = |line: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(IF_NONE_MATCH, HeaderValue::from_static(line));
            is_known(&headers, "\"abc\"")
        };
        for line in ["\"abc\"", "\"x\", \"abc\"", "W/\"abc\"", "*"] {
            assert!(known(line), "{line}");
        }
        for line in ["abc", "\"abcd\"", "\"x\"", ""] {
            assert!(!known(line), "{line}");
        }
        assert!(!is_known(&HeaderMap::new(), "\"abc\""));
    }
}
