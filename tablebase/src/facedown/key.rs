//! What defines a phase.

use anqi_rules::{Color, HiddenBag, Piece, Position, Square, SquareSet};

use crate::classes::Material;

/// The most pieces, face up and face down, that are solved: more take minutes.
pub const MOST_PIECES: u32 = 5;

/// The part of a position that only captures and flips change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PhaseKey {
    /// The pieces that stand face up.
    pub face_up: Material,
    /// The pieces that lie face down.
    pub bag: HiddenBag,
    /// The squares on which they lie.
    pub face_down: SquareSet,
}

impl PhaseKey {
    /// Returns the key of a position.
    pub fn of(position: &Position) -> PhaseKey {
        let face_up = position.occupied() & !position.face_down();
        let pieces = face_up
            .into_iter()
            .filter_map(|square| position.piece_at(square));
        PhaseKey {
            face_up: pieces.fold(Material::empty(), Material::with),
            bag: position.hidden(),
            face_down: position.face_down(),
        }
    }

    /// Returns the number of pieces, face up and face down.
    pub fn pieces(&self) -> usize {
        self.face_up.len() + self.face_down.len()
    }

    /// Returns whether a colour has a piece, face up or face down.
    pub(crate) fn has_color(&self, color: Color) -> bool {
        self.face_up.side(color) > 0 || self.bag.has_color(color)
    }

    /// Returns the key after the capture of a piece; `None` if its owner has none left.
    pub(crate) fn after_capture(&self, prey: Piece) -> Option<PhaseKey> {
        let key = PhaseKey {
            face_up: self.face_up.without(prey),
            ..*self
        };
        key.has_color(prey.color()).then_some(key)
    }

    /// Returns the key after a flip that revealed `piece`.
    pub fn after_flip(&self, square: Square, piece: Piece) -> PhaseKey {
        let mut key = PhaseKey {
            face_up: self.face_up.with(piece),
            ..*self
        };
        key.bag.remove(piece);
        key.face_down.remove(square);
        key
    }
}
