//! How things look: letters or characters, with or without colour.
//!
//! All escape sequences of the program are in this file. Every painted piece of
//! text ends with a reset, so that a program that is interrupted between two
//! writes never leaves its colours behind.

use super::language::{Language, say};
use anqi_rules::{Color, Piece, Ply};

/// The writing on the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Script {
    /// Latin letters, upper case for red.
    #[default]
    Letters,
    /// The characters that stand on real pieces, two columns wide.
    Chinese,
}

/// Whether text is painted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Paint {
    /// Plain text.
    #[default]
    Plain,
    /// Text with terminal colours.
    Colors,
}

/// How the terminal game looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// The writing on the pieces.
    pub script: Script,
    /// Whether text is painted.
    pub paint: Paint,
    /// The language of the sentences.
    pub language: Language,
}

/// The kind of a text, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// Ordinary text.
    Plain,
    /// A face-up piece of this colour.
    Piece(Color),
    /// A face-up piece that the last ply moved or turned over.
    FreshPiece(Color),
    /// A face-down piece.
    FaceDown,
    /// The name of a side.
    Side(Color),
    /// The square that the last ply left.
    Trace,
    /// Lines, labels and other things that should step back.
    Faint,
    /// Things that should stand out.
    Strong,
    /// A refusal.
    Warning,
    /// A code that cameras read: white on black, whatever the terminal's colours are.
    Code,
}

impl Ink {
    /// Returns the terminal's "select graphic rendition" parameters.
    ///
    /// Pieces are discs of pale wood with red or black writing, as in a real
    /// set, so that black is readable on light and on dark terminals alike.
    const fn parameters(self) -> &'static str {
        match self {
            Ink::Plain => "0",
            Ink::Piece(Color::Red) => "1;38;5;160;48;5;223",
            Ink::Piece(Color::Black) => "1;38;5;16;48;5;223",
            Ink::FreshPiece(Color::Red) => "1;38;5;160;48;5;229",
            Ink::FreshPiece(Color::Black) => "1;38;5;16;48;5;229",
            Ink::FaceDown => "38;5;180;48;5;94",
            Ink::Side(Color::Red) => "1;31",
            Ink::Side(Color::Black) | Ink::Strong => "1",
            Ink::Trace => "33",
            Ink::Faint => "90",
            Ink::Warning => "35",
            Ink::Code => "38;5;231;48;5;16",
        }
    }
}

impl Style {
    /// Returns `text` in the colour of `ink`, or unchanged where nothing is painted.
    pub fn paint(self, ink: Ink, text: &str) -> String {
        match self.paint {
            Paint::Colors if ink != Ink::Plain => {
                format!("\x1b[{}m{text}\x1b[0m", ink.parameters())
            }
            _ => text.to_owned(),
        }
    }

    /// Returns the character on a piece.
    pub fn glyph(self, piece: Piece) -> char {
        match self.script {
            Script::Letters => piece.letter(),
            Script::Chinese if self.language == Language::Simplified => simplified(piece),
            Script::Chinese => piece.character(),
        }
    }

    /// Returns the width of a square in columns: a glyph and one blank on either side.
    pub const fn cell_width(self) -> usize {
        match self.script {
            Script::Letters => 3,
            Script::Chinese => 4,
        }
    }

    /// Returns the text on a face-down piece, as wide as a glyph.
    pub const fn back(self) -> &'static str {
        match self.script {
            Script::Letters => "?",
            Script::Chinese => "？",
        }
    }

    /// Returns a ply as records spell it, with the glyph of the piece that it revealed.
    pub fn ply(self, ply: Ply) -> String {
        match ply.reveal {
            Some(piece) => format!("{}({})", ply.action.from(), self.glyph(piece)),
            None => ply.to_string(),
        }
    }

    /// Returns a piece in words: `red guard (G)`.
    pub fn words(self, piece: Piece) -> String {
        let name = say!(self.language, &format!("piece.{}", piece.letter()));
        match self.script {
            // The character stands in the name already.
            Script::Chinese if self.language != Language::English => name,
            _ => format!("{name} ({})", self.glyph(piece)),
        }
    }

    /// Returns the name of a side.
    pub fn side(self, color: Color) -> String {
        match color {
            Color::Red => say!(self.language, "side.red"),
            Color::Black => say!(self.language, "side.black"),
        }
    }
}

/// Returns the simplified character of a piece.
fn simplified(piece: Piece) -> char {
    match piece.character() {
        '帥' => '帅',
        '將' => '将',
        '俥' | '車' => '车',
        '傌' | '馬' => '马',
        '包' => '炮',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_no_escape_and_painted_text_ends_with_a_reset() {
        let mut style = Style::default();
        assert_eq!(style.paint(Ink::Faint, "x"), "x");
        style.paint = Paint::Colors;
        let painted = style.paint(Ink::Piece(Color::Red), "x");
        assert!(painted.starts_with("\x1b[") && painted.ends_with("x\x1b[0m"));
    }
}
