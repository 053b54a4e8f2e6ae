//! Words, signs, comments and tags of a text, each with its place.

use super::error::{PgnError, PgnFault};
use super::tags::is_name;
use anqi_rules::Piece;
use anqi_rules::notation::excerpt;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`.
    Tag(String, String),
    /// What stands in braces, or after a semicolon.
    Comment(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$1`
    Glyph(u8),
    /// Anything else.
    Word(&'a str),
}

/// A text from one of its bytes on.
#[derive(Clone, Copy)]
pub(super) struct Tail<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl<'a> Tail<'a> {
    /// Reads the next token and returns it with its place; `None` at the end.
    pub(super) fn token(&mut self) -> Result<Option<(usize, Token<'a>)>, PgnError> {
        self.skip_blanks();
        let place = self.at;
        let Some(sign) = self.rest().chars().next() else {
            return Ok(None);
        };
        let token = match sign {
            '[' => self.tag()?,
            '{' => self.comment()?,
            ';' => self.line_comment(),
            '(' => self.sign(Token::Open),
            ')' => self.sign(Token::Close),
            '$' => self.glyph()?,
            '}' | ']' | '"' => {
                let found = sign.to_string();
                let expected = "a move, a comment, a variation or a result";
                return Err(self.error(PgnFault::OutOfPlace { found, expected }));
            }
            _ => self.word(),
        };
        Ok(Some((place, token)))
    }

    /// Returns the next token without reading on.
    pub(super) fn peek(&self) -> Result<Option<(usize, Token<'a>)>, PgnError> {
        let mut ahead = *self;
        ahead.token()
    }

    /// Returns an error at the place where this tail begins.
    pub(super) fn error(&self, fault: PgnFault) -> PgnError {
        PgnError::at(self.text, self.at, fault)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips white space, and lines that begin with `%`.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let line_begins = self.at == 0 || self.text[..self.at].ends_with('\n');
            let length = if rest.starts_with('%') && line_begins {
                rest.find('\n').unwrap_or(rest.len())
            } else {
                let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
                // One line at a time, so that no line that begins with % is missed.
                let end = rest.find(|c| !blank(c)).unwrap_or(rest.len());
                rest[..end].find('\n').map_or(end, |newline| newline + 1)
            };
            if length == 0 {
                return;
            }
            self.at += length;
        }
    }

    fn sign(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    fn glyph(&mut self) -> Result<Token<'a>, PgnError> {
        let digits = &self.rest()[1..];
        let end = digits.find(|c: char| !c.is_ascii_digit());
        let digits = &digits[..end.unwrap_or(digits.len())];
        let Ok(number) = digits.parse() else {
            let found = excerpt(&format!("${digits}"));
            return Err(self.error(PgnFault::Glyph(found)));
        };
        self.at += 1 + digits.len();
        Ok(Token::Glyph(number))
    }

    fn word(&mut self) -> Token<'a> {
        let rest = self.rest();
        let ends = |c: char| c.is_whitespace() || "{}()[];\"$".contains(c);
        let mut end = rest.find(ends).unwrap_or(rest.len());
        // The platform's flips: b3(K).
        if let [b'(', letter, b')', ..] = rest.as_bytes()[end..]
            && Piece::from_letter(char::from(letter)).is_some()
        {
            end += 3;
        }
        self.at += end;
        Token::Word(&rest[..end])
    }

    fn line_comment(&mut self) -> Token<'a> {
        let rest = self.rest();
        let end = rest.find('\n').unwrap_or(rest.len());
        self.at += end;
        Token::Comment(rest[1..end].to_owned())
    }

    /// Reads a comment in braces, where `\` escapes `}` and itself.
    fn comment(&mut self) -> Result<Token<'a>, PgnError> {
        let mut comment = String::new();
        let mut signs = self.rest().char_indices().skip(1).peekable();
        while let Some((index, sign)) = signs.next() {
            let escaped = |&(_, next): &(usize, char)| matches!(next, '}' | '\\');
            match sign {
                '}' => {
                    self.at += index + 1;
                    return Ok(Token::Comment(comment));
                }
                '\\' => match signs.next_if(escaped) {
                    Some((_, next)) => comment.push(next),
                    None => comment.push(sign),
                },
                _ => comment.push(sign),
            }
        }
        let (what, expected) = ("comment", '}');
        Err(self.error(PgnFault::NotClosed { what, expected }))
    }

    fn tag(&mut self) -> Result<Token<'a>, PgnError> {
        let begin = *self;
        self.at += 1;
        self.skip_blanks();
        let rest = self.rest();
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        self.at += end;
        self.skip_blanks();
        if name.is_empty() || !self.rest().starts_with('"') {
            return Err(begin.not_a_tag());
        }
        let value = self.value()?;
        self.skip_blanks();
        if !self.rest().starts_with(']') {
            return Err(begin.not_a_tag());
        }
        self.at += 1;
        Ok(Token::Tag(name, value))
    }

    fn not_a_tag(self) -> PgnError {
        let line = self.rest().lines().next().unwrap_or_default();
        self.error(PgnFault::Tag(excerpt(line)))
    }

    /// Reads a value in quotes, where `\` escapes `"` and itself.
    fn value(&mut self) -> Result<String, PgnError> {
        let mut value = String::new();
        let mut signs = self.rest().char_indices().skip(1).peekable();
        while let Some((index, sign)) = signs.next() {
            let escaped = |&(_, next): &(usize, char)| matches!(next, '"' | '\\');
            match sign {
                '"' => {
                    self.at += index + 1;
                    return Ok(value);
                }
                '\n' => break,
                '\\' => match signs.next_if(escaped) {
                    Some((_, next)) => value.push(next),
                    None => value.push(sign),
                },
                _ => value.push(sign),
            }
        }
        let (what, expected) = ("value", '"');
        Err(self.error(PgnFault::NotClosed { what, expected }))
    }
}
