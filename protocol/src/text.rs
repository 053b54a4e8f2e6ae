//! Quoting what came from outside, so that a message stays one short line.

/// Most characters of a foreign word that a message repeats.
const EXCERPT_CHARS: usize = 40;

/// Returns the beginning of a foreign text, control characters escaped, fit to
/// be quoted inside a one-line message.
pub(crate) fn excerpt(text: &str) -> String {
    let mut out: String = text
        .chars()
        .take(EXCERPT_CHARS)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().nth(EXCERPT_CHARS).is_some() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_on_one_line() {
        assert_eq!(excerpt("b9"), "b9");
        assert_eq!(excerpt("a\nb\r\0"), "a\\nb\\r\\0");
        let long = excerpt(&"x".repeat(1000));
        assert_eq!(long.chars().count(), EXCERPT_CHARS + 1);
        assert!(long.ends_with('…'));
    }
}
