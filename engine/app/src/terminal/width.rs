//! How many columns a text takes on a terminal.
//!
//! Chinese characters and full-width forms take two columns, everything else
//! that this program writes takes one; escape sequences take none.

/// Returns the number of columns that `text` takes.
pub fn width(text: &str) -> usize {
    let mut columns = 0;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\x1b' {
            // A colour sequence ends with its first letter.
            let _ = characters.find(char::is_ascii_alphabetic);
        } else {
            columns += character_width(character);
        }
    }
    columns
}

/// Returns `text` followed by blanks up to `columns` columns.
pub fn pad(text: &str, columns: usize) -> String {
    let blanks = columns.saturating_sub(width(text));
    format!("{text}{:blanks$}", "")
}

/// Returns the longest start of `text` that fits `columns` columns, with an ellipsis if it is cut.
///
/// For text without escape sequences.
pub fn fit(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut kept = String::new();
    for character in text.chars() {
        if width(&kept) + character_width(character) >= columns {
            break;
        }
        kept.push(character);
    }
    kept + "…"
}

const fn character_width(character: char) -> usize {
    match character {
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Piece;

    #[test]
    fn characters_are_two_columns_and_colours_none() {
        for piece in Piece::all() {
            assert_eq!(width(&piece.character().to_string()), 2, "{piece}");
            assert_eq!(width(&piece.letter().to_string()), 1, "{piece}");
        }
        assert_eq!(width("？│─·"), 5);
        assert_eq!(width("\x1b[1;38;5;160m帥\x1b[0m!"), 3);
    }

    #[test]
    fn padding_and_fitting_count_columns() {
        assert_eq!(pad("帥", 4), "帥  ");
        assert_eq!(pad("abcde", 4), "abcde");
        assert_eq!(fit("abcd", 4), "abcd");
        assert_eq!(fit("abcde", 4), "abc…");
        assert_eq!(fit("帥將車", 4), "帥…");
    }
}
