//! Quoting foreign text so that a message stays one short line.

/// The most characters of a foreign text that a message quotes.
const EXCERPT_CHARS: usize = 40;

/// Returns the beginning of a foreign text, control characters escaped, fit to
/// be quoted inside a one-line message.
///
/// ```
/// use anqi_rules::notation::excerpt;
///
/// assert_eq!(excerpt("b9"), "b9");
/// assert_eq!(excerpt("b9\n"), "b9\\n");
/// assert!(excerpt(&"9".repeat(1_000)).ends_with('…'));
/// ```
pub fn excerpt(text: &str) -> String {
    let mut short = String::new();
    for character in text.chars().take(EXCERPT_CHARS) {
        if character.is_control() {
            short.extend(character.escape_debug());
        } else {
            short.push(character);
        }
    }
    if text.chars().nth(EXCERPT_CHARS).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_on_one_line() {
        assert_eq!(excerpt("it's \"b9\" 帥"), "it's \"b9\" 帥");
        assert_eq!(excerpt("a\nb\r\0\u{1b}"), "a\\nb\\r\\0\\u{1b}");
        let long = excerpt(&"x".repeat(1000));
        assert_eq!(long.chars().count(), EXCERPT_CHARS + 1);
        assert!(long.ends_with('…'));
        assert_eq!(excerpt(&"x".repeat(EXCERPT_CHARS)).len(), EXCERPT_CHARS);
    }
}
