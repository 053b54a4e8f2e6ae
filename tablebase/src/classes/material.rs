//! Material sets: which pieces stand on the board, and how many of each.
//!
//! A set is written red first, in upper case, then black in lower case, each
//! in the order `KGMRNCP`: `KGgp`. Nothing here knows about squares or files.

use std::fmt;
use std::str::FromStr;

use anqi_rules::{Color, PIECES, Piece, Role};

/// The most pieces that a material set of this crate may hold.
pub const MAX_PIECES: usize = 8;

/// How many pieces of each kind stand on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Material {
    counts: [u8; PIECES],
}

/// Why a text is not a material set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseMaterialError {
    /// A character that names no piece.
    #[error("'{letter}' in the set '{text}' is not a piece (expected letters of KGMRNCPkgmrncp)")]
    Letter {
        /// The character found.
        letter: char,
        /// The whole text.
        text: String,
    },
    /// More pieces of a kind than the game has.
    #[error("the set '{text}' has too many of '{letter}' (a side has {limit})")]
    TooMany {
        /// The piece that is too frequent.
        letter: char,
        /// How many the game has.
        limit: usize,
        /// The whole text.
        text: String,
    },
    /// A side without pieces: such a game is over.
    #[error(
        "the set '{0}' needs at least one piece of each colour (red in upper case, black in lower case)"
    )]
    OneSided(String),
    /// Too many pieces in all.
    #[error("the set '{text}' has {found} pieces (at most {MAX_PIECES} are supported)")]
    TooLarge {
        /// How many pieces the text names.
        found: usize,
        /// The whole text.
        text: String,
    },
}

impl Material {
    /// Returns the set with no pieces.
    pub const fn empty() -> Material {
        Material {
            counts: [0; PIECES],
        }
    }

    /// Returns how many of `piece` there are.
    pub fn count(&self, piece: Piece) -> usize {
        usize::from(self.counts[piece.index()])
    }

    /// Returns the number of pieces.
    pub fn len(&self) -> usize {
        self.counts.iter().map(|&count| usize::from(count)).sum()
    }

    /// Returns whether there are no pieces.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of pieces of one colour.
    pub fn side(&self, color: Color) -> usize {
        Role::ALL
            .iter()
            .map(|&role| self.count(Piece::new(color, role)))
            .sum()
    }

    /// Returns the set with one more `piece`.
    #[must_use]
    pub fn with(mut self, piece: Piece) -> Material {
        self.counts[piece.index()] += 1;
        self
    }

    /// Returns the set with one `piece` fewer.
    ///
    /// # Panics
    ///
    /// Panics if the set has none.
    #[must_use]
    pub fn without(mut self, piece: Piece) -> Material {
        assert!(self.count(piece) > 0, "{self} has no {piece}");
        self.counts[piece.index()] -= 1;
        self
    }

    /// Returns the set with the colours exchanged.
    #[must_use]
    pub fn swapped(&self) -> Material {
        let mut other = Material::empty();
        for piece in Piece::all() {
            other.counts[piece.recolored().index()] = self.counts[piece.index()];
        }
        other
    }

    /// Iterates over the kinds of pieces in the set with their counts.
    pub fn kinds(&self) -> impl Iterator<Item = (Piece, usize)> + '_ {
        Piece::all()
            .map(|piece| (piece, self.count(piece)))
            .filter(|&(_, count)| count > 0)
    }

    /// Lists all sets of `pieces` pieces with both colours, in the order of their texts' pieces.
    pub fn all(pieces: usize) -> Vec<Material> {
        let mut found = Vec::new();
        extend(Material::empty(), 0, pieces, &mut found);
        found
    }
}

/// Adds to `found` every way of completing `set` with `left` pieces of kind `from` or later,
/// the strongest kinds first.
fn extend(set: Material, from: usize, left: usize, found: &mut Vec<Material>) {
    if left == 0 {
        if Color::ALL.iter().all(|&color| set.side(color) > 0) {
            found.push(set);
        }
        return;
    }
    let Some(piece) = Piece::from_index(from) else {
        return;
    };
    for count in (0..=left.min(piece.role().per_side())).rev() {
        let mut next = set;
        next.counts[from] = count as u8;
        extend(next, from + 1, left - count, found);
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for (piece, count) in self.kinds() {
            text.extend(std::iter::repeat_n(piece.letter(), count));
        }
        f.pad(&text)
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Material {
    type Err = ParseMaterialError;

    fn from_str(text: &str) -> Result<Material, ParseMaterialError> {
        let mut set = Material::empty();
        for letter in text.chars() {
            let piece = Piece::from_letter(letter).ok_or_else(|| ParseMaterialError::Letter {
                letter,
                text: text.to_owned(),
            })?;
            let limit = piece.role().per_side();
            if set.count(piece) == limit {
                return Err(ParseMaterialError::TooMany {
                    letter,
                    limit,
                    text: text.to_owned(),
                });
            }
            set = set.with(piece);
        }
        if Color::ALL.iter().any(|&color| set.side(color) == 0) {
            return Err(ParseMaterialError::OneSided(text.to_owned()));
        }
        if set.len() > MAX_PIECES {
            return Err(ParseMaterialError::TooLarge {
                found: set.len(),
                text: text.to_owned(),
            });
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_invert_in_any_order_of_letters() {
        for set in Material::all(4) {
            assert_eq!(set.to_string().parse(), Ok(set));
        }
        let shuffled: Material = "pgGK".parse().unwrap();
        assert_eq!(shuffled.to_string(), "KGgp");
        assert_eq!(shuffled.swapped().to_string(), "GPkg");
    }

    #[test]
    fn bad_texts_say_why() {
        use ParseMaterialError as E;
        let error = |text: &str| text.parse::<Material>().unwrap_err();
        assert!(matches!(error("Kx"), E::Letter { letter: 'x', .. }));
        assert!(matches!(
            error("KKp"),
            E::TooMany {
                letter: 'K',
                limit: 1,
                ..
            }
        ));
        assert!(matches!(error("KG"), E::OneSided(_)));
        assert!(matches!(error(""), E::OneSided(_)));
        assert!(matches!(error("KGGMMRRkg"), E::TooLarge { found: 9, .. }));
    }

    #[test]
    fn sets_are_counted_as_published() {
        let counts: Vec<usize> = (2..=6).map(|n| Material::all(n).len()).collect();
        assert_eq!(counts, [49, 378, 1737, 5946, 16524]);
    }
}
