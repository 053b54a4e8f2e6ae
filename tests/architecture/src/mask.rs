//! Source text with comments and literals blanked, so that braces and words can be counted.
//!
//! Every byte keeps its place and every line its number.

/// Returns the text with each byte of a comment, string or character literal replaced by a blank.
pub fn masked(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = literal_end(bytes, at);
        for byte in &mut out[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end.max(at + 1);
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns where the comment or literal that begins at `at` ends, or `at` if none begins there.
fn literal_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let in_word = at > 0 && is_word(bytes[at - 1]);
    match rest {
        [b'/', b'/', ..] => at + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()),
        [b'/', b'*', ..] => at + block_comment(rest),
        [b'"', ..] => at + string(rest),
        [b'r', b'"' | b'#', ..] if !in_word => at + raw_string(rest, 1),
        [b'b', b'r', b'"' | b'#', ..] if !in_word => at + raw_string(rest, 2),
        [b'\'', ..] => at + character(rest),
        _ => at,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The length of a comment, which may hold others.
fn block_comment(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match &rest[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn string(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != b'"' {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// The length of a raw string whose `r` is the last of `prefix` letters, or 0 if it is a raw name.
fn raw_string(rest: &[u8], prefix: usize) -> usize {
    let hashes = rest[prefix..].iter().take_while(|&&b| b == b'#').count();
    if rest.get(prefix + hashes) != Some(&b'"') {
        return 0;
    }
    let mut close = vec![b'#'; hashes + 1];
    close[0] = b'"';
    let body = prefix + hashes + 1;
    let end = rest[body..].windows(close.len()).position(|w| w == close);
    end.map_or(rest.len(), |end| body + end + close.len())
}

/// The length of a character literal, or 0 for a lifetime.
fn character(rest: &[u8]) -> usize {
    match rest {
        [_, b'\\', _, tail @ ..] => 3 + tail.iter().position(|&b| b == b'\'').map_or(0, |p| p + 1),
        [_, first, tail @ ..] => {
            let width = match first {
                0..0xC0 => 1,
                0xC0..0xE0 => 2,
                0xE0..0xF0 => 3,
                _ => 4,
            };
            if tail.get(width - 1) == Some(&b'\'') {
                width + 2
            } else {
                0
            }
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_vanish_and_lines_stay() {
        let text = "a // { b\n/* /* { */ } */ c \"{\\\"\" d '{' e '\\'' f 'x g\nr#\"{\"\"# h br\"{\" i '½' j";
        let left = masked(text);
        assert_eq!(left.len(), text.len());
        assert_eq!(left.lines().count(), 3);
        let words: Vec<&str> = left.split_whitespace().collect();
        assert_eq!(words, ["a", "c", "d", "e", "f", "'x", "g", "h", "i", "j"]);
    }

    #[test]
    fn raw_names_and_bytes_are_no_strings() {
        assert_eq!(masked("r#type b'a' 'a: loop"), "r#type b    'a: loop");
    }
}
