//! The moves of a game, played while they are read.

use super::error::{PgnError, PgnFault};
use super::header::Header;
use super::scan::Token;
use super::{Annotation, PgnPly};
use anqi_rules::notation::excerpt;
use anqi_rules::{Color, Content, Game, Piece, Ply, Rules, Square};

/// The most plies of a game, variations included; the longest known game has 503.
pub const MOST_PGN_PLIES: usize = 20_000;

/// Suffixes and the glyphs that they stand for, longer ones first.
const SUFFIXES: [(&str, u8); 6] = [
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
];

/// The plies read so far.
pub(super) struct Movetext<'a> {
    text: &'a str,
    game: Game,
    /// The colour of the first player by the tags.
    first: Option<Color>,
    plies: Vec<PgnPly>,
    /// The comment before the first ply, then those of the plies.
    comments: Vec<String>,
    /// The ply that was read last, 0 before the first.
    at: usize,
    /// The open variations.
    open: Vec<Variation>,
    /// The comment between a bracket and the first ply of its variation.
    early: String,
    /// Whether a variation has just begun.
    begins: bool,
}

struct Variation {
    /// The place of its bracket.
    place: usize,
    /// The ply that it replaces.
    replaced: usize,
}

impl<'a> Movetext<'a> {
    /// Begins a game without plies; `rules` are those of a game that names none.
    pub(super) fn new(header: &Header, rules: Rules, text: &'a str) -> Movetext<'a> {
        Movetext {
            text,
            game: Game::new(header.start, header.rules.unwrap_or(rules)),
            first: header.first.map(|(color, _)| color),
            plies: Vec::new(),
            comments: vec![String::new()],
            at: 0,
            open: Vec::new(),
            early: String::new(),
            begins: false,
        }
    }

    /// Reads a token that is neither a tag nor a result.
    pub(super) fn token(&mut self, place: usize, token: Token<'_>) -> Result<(), PgnError> {
        match token {
            Token::Comment(comment) => self.comment(&comment),
            Token::Open => self.begin_variation(place)?,
            Token::Close => self.end_variation(place)?,
            Token::Glyph(glyph) => self.glyph(place, glyph)?,
            Token::Word(word) => self.word(place, word)?,
            Token::Tag(name, _) => return Err(self.out_of_place(place, &name, "a move")),
        }
        Ok(())
    }

    /// Adds a comment to the ply read last, or to the one that a variation begins with.
    pub(super) fn comment(&mut self, comment: &str) {
        let place = if self.begins {
            &mut self.early
        } else {
            &mut self.comments[self.at]
        };
        if !place.is_empty() {
            place.push(' ');
        }
        place.push_str(comment);
    }

    /// Checks that no variation is open.
    pub(super) fn require_closed(&self) -> Result<(), PgnError> {
        let Some(variation) = self.open.last() else {
            return Ok(());
        };
        let (what, expected) = ("variation", ')');
        let fault = PgnFault::NotClosed { what, expected };
        Err(PgnError::at(self.text, variation.place, fault))
    }

    /// Returns what is said before the first ply, and the plies.
    pub(super) fn finish(self) -> (Annotation, Vec<PgnPly>) {
        let mut comments = self.comments.iter().map(|text| Annotation::read(text));
        let before = comments.next().unwrap_or_default();
        let mut plies = self.plies;
        for (ply, annotation) in plies.iter_mut().zip(comments) {
            ply.annotation = annotation;
        }
        (before, plies)
    }

    fn out_of_place(&self, place: usize, found: &str, expected: &'static str) -> PgnError {
        let found = excerpt(found);
        let fault = PgnFault::OutOfPlace { found, expected };
        PgnError::at(self.text, place, fault)
    }

    fn glyph(&mut self, place: usize, glyph: u8) -> Result<(), PgnError> {
        if self.at == 0 || self.begins {
            return Err(self.out_of_place(place, &format!("${glyph}"), "a move before it"));
        }
        self.plies[self.at - 1].glyphs.push(glyph);
        Ok(())
    }

    fn begin_variation(&mut self, place: usize) -> Result<(), PgnError> {
        if self.at == 0 || self.begins {
            return Err(self.out_of_place(place, "(", "a move before it"));
        }
        let replaced = self.at;
        self.open.push(Variation { place, replaced });
        self.take_back();
        self.begins = true;
        Ok(())
    }

    fn end_variation(&mut self, place: usize) -> Result<(), PgnError> {
        let replaced = match self.open.pop() {
            Some(variation) if !self.begins => variation.replaced,
            Some(_) => return Err(self.out_of_place(place, ")", "a move in the variation")),
            None => return Err(self.out_of_place(place, ")", "a variation that it closes")),
        };
        let before = self.plies[replaced - 1].after;
        while self.at != before {
            self.take_back();
        }
        self.play(place, ")", self.plies[replaced - 1].ply)?;
        self.at = replaced;
        Ok(())
    }

    fn take_back(&mut self) {
        self.game.undo();
        self.at = self.plies[self.at - 1].after;
    }

    fn play(&mut self, place: usize, word: &str, ply: Ply) -> Result<(), PgnError> {
        self.game.play(ply).map_err(|error| {
            let word = excerpt(word);
            PgnError::at(self.text, place, PgnFault::Illegal { word, error })
        })
    }

    /// Reads the number of a move, the move, or both.
    fn word(&mut self, place: usize, word: &str) -> Result<(), PgnError> {
        let spelled = without_number(word);
        if spelled.is_empty() {
            return Ok(());
        }
        let place = place + (word.len() - spelled.len());
        let suffix = SUFFIXES
            .iter()
            .find(|(suffix, _)| spelled.ends_with(suffix));
        let bare = spelled.strip_suffix(suffix.map_or("", |(suffix, _)| suffix));
        let read = Spelled::read(bare.unwrap_or(spelled)).ok_or_else(|| {
            let fault = PgnFault::NotAMove(excerpt(spelled));
            PgnError::at(self.text, place, fault)
        })?;
        self.check(place, spelled, read)?;
        if self.plies.len() >= MOST_PGN_PLIES {
            let fault = PgnFault::TooLong(MOST_PGN_PLIES);
            return Err(PgnError::at(self.text, place, fault));
        }
        self.play(place, spelled, read.ply)?;
        let mut ply = PgnPly::new(read.ply, self.at);
        ply.glyphs.extend(suffix.map(|(_, glyph)| *glyph));
        self.plies.push(ply);
        self.comments.push(std::mem::take(&mut self.early));
        self.at = self.plies.len();
        self.begins = false;
        Ok(())
    }

    /// Checks that a capture captures, and that the first flip shows the colour in the tags.
    fn check(&self, place: usize, word: &str, read: Spelled) -> Result<(), PgnError> {
        let position = self.game.position();
        let action = read.ply.action;
        if read.capture && position.content(action.to()) == Content::Empty {
            let fault = PgnFault::NoCapture {
                word: excerpt(word),
                expected: action.to_string(),
            };
            return Err(PgnError::at(self.text, place, fault));
        }
        let opens = self.plies.is_empty() && position.turn().is_none();
        let shown = read.ply.reveal.map(Piece::color).filter(|_| opens);
        match (self.first, shown) {
            (Some(Color::Red), Some(Color::Black)) => Err(self.out_of_place(
                place,
                word,
                "a red piece, for by the tag Red the first player is red",
            )),
            (Some(Color::Black), Some(Color::Red)) => Err(self.out_of_place(
                place,
                word,
                "a black piece, for by the tag Red the first player is black",
            )),
            _ => Ok(()),
        }
    }
}

/// Returns a word without the number of a move and the dots after it.
fn without_number(word: &str) -> &str {
    let dots = |c: char| matches!(c, '.' | '…');
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || rest.starts_with(dots) {
        rest.trim_start_matches(dots)
    } else {
        word
    }
}

/// A move as a word spells it.
#[derive(Clone, Copy)]
struct Spelled {
    ply: Ply,
    /// Whether it is written as a capture.
    capture: bool,
}

impl Spelled {
    /// Reads `b3-b4`, `b3xb4` and `b3=K`; also `b3(K)`, and squares in capitals.
    fn read(word: &str) -> Option<Spelled> {
        let square = |text: &str| text.to_ascii_lowercase().parse::<Square>().ok();
        let from = square(word.get(..2)?)?;
        let rest = word.get(2..)?;
        let flip = rest.strip_prefix('=').or_else(|| {
            let inner = rest.strip_prefix('(')?;
            inner.strip_suffix(')')
        });
        if let Some(piece) = flip {
            let ply = Ply::flip(from, piece.parse().ok()?);
            let capture = false;
            return Some(Spelled { ply, capture });
        }
        let capture = rest.starts_with(['x', 'X', '×']);
        let to = square(rest.trim_start_matches(['-', '–', 'x', 'X', '×']))?;
        // A step has one sign between its squares, and two squares.
        let one = rest.chars().count() == 3 && from != to;
        let ply = Ply::step(from, to);
        one.then_some(Spelled { ply, capture })
    }
}
