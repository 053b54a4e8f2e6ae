//! The commitment to a deal.
//!
//! Before the first ply the referee shows the hash of a random number and the layout; at the end it
//! shows both. The hash does not reveal the layout, and the referee cannot exchange a piece
//! undetected.

use crate::Deal;
use anqi_protocol::record::pgn::{hash_of_deal, layout_fault};
use anqi_rules::Game;
use std::fmt;

/// Bytes of the random number.
pub const NONCE_BYTES: usize = 32;

/// A deal fixed before the game.
#[derive(Clone)]
pub struct Commitment {
    nonce: String,
    layout: String,
    hash: String,
}

impl fmt::Debug for Commitment {
    /// Keeps the secret out of logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Commitment({})", self.hash)
    }
}

impl Commitment {
    /// Commits to a deal.
    pub fn new(deal: &Deal, nonce: [u8; NONCE_BYTES]) -> Commitment {
        let nonce = hexadecimal(&nonce);
        let layout = deal.layout();
        let hash = hash_of(&nonce, &layout);
        Commitment {
            nonce,
            layout,
            hash,
        }
    }

    /// Returns the commitment that was made with this random number and this layout.
    pub fn again(nonce: String, layout: String) -> Commitment {
        Commitment {
            hash: hash_of(&nonce, &layout),
            nonce,
            layout,
        }
    }

    /// Returns the hash, which is public during the game.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Returns the random number, which is public after the game.
    pub fn nonce(&self) -> &str {
        &self.nonce
    }

    /// Returns the layout, which is public after the game.
    pub fn layout(&self) -> &str {
        &self.layout
    }
}

/// Returns the hash of a random number and a layout.
fn hash_of(nonce: &str, layout: &str) -> String {
    hash_of_deal(&format!("{nonce} {layout}"))
}

/// Returns bytes as lower-case hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the first contradiction between a commitment, the deal shown and the game.
pub fn mismatch(hash: &str, nonce: &str, layout: &str, game: Option<&Game>) -> Option<String> {
    let found = hash_of(nonce, layout);
    if found != hash {
        return Some(format!("the hash of nonce and layout is {found}"));
    }
    let plies = game
        .into_iter()
        .flat_map(|game| game.plies().iter().copied());
    layout_fault(layout, plies).map(|fault| fault.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KnownDeal;
    use anqi_rules::{Position, Rules};

    #[test]
    fn a_commitment_holds_and_a_changed_one_is_found_out() {
        let start = Position::start();
        let deal = Deal::new(&start, &KnownDeal::default(), 5).unwrap();
        let commitment = Commitment::new(&deal, [7; NONCE_BYTES]);
        let (hash, nonce) = (commitment.hash(), commitment.nonce());
        let layout = commitment.layout();
        assert_eq!((nonce.len(), layout.len()), (64, 32));
        assert_eq!(mismatch(hash, nonce, layout, None), None);
        let other: String = layout.chars().rev().collect();
        assert!(mismatch(hash, nonce, &other, None).is_some());
        assert!(!format!("{commitment:?}").contains(layout));
    }

    #[test]
    fn every_flip_must_show_what_the_layout_says() {
        let start = Position::start();
        let deal = Deal::new(&start, &KnownDeal::default(), 5).unwrap();
        let commitment = Commitment::new(&deal, [7; NONCE_BYTES]);
        let check = |piece: char| {
            let text = format!("start moves b2({piece})");
            let game = Game::from_text(&text, Rules::OLYMPIAD).unwrap();
            let (hash, nonce) = (commitment.hash(), commitment.nonce());
            mismatch(hash, nonce, commitment.layout(), Some(&game))
        };
        let piece = deal.under("b2".parse().unwrap()).unwrap();
        assert_eq!(check(piece.letter()), None);
        let wrong = check(piece.recolored().letter()).unwrap();
        assert!(wrong.contains("b2("), "{wrong}");
    }
}
