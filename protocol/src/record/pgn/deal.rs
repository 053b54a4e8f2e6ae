//! The proof that a deal was fixed before the game.
//!
//! `DealCommitment` is the BLAKE3 hash, in lower-case hexadecimal, of the text of `Deal`: a
//! random number, a blank, and the 32 squares in reading order (a8 b8 c8 d8 a7 … d1), each
//! with the letter of the piece that lay face down there, `.` if none did. The hash is shown
//! before the first ply, the text after the last.

use super::PgnGame;
use crate::board::reading_order;
use anqi_rules::Ply;

/// A commitment to a deal and, after the game, the deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealProof {
    /// The hash.
    pub commitment: String,
    /// The text whose hash it is; during a game it is secret.
    pub deal: Option<String>,
}

/// Why a deal does not prove its commitment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DealFault {
    /// The hash is another one.
    #[error("the hash of the deal is {0}")]
    Hash(String),
    /// A flip shows another piece.
    #[error("{ply}, but the layout has {said} there")]
    Flip {
        /// The flip.
        ply: Ply,
        /// The letter in the layout.
        said: char,
    },
    /// There is no layout.
    #[error("the deal has no layout (expected a random number, a blank and 32 squares)")]
    NoLayout,
}

/// Returns the commitment to the text of a deal.
pub fn hash_of_deal(deal: &str) -> String {
    blake3::hash(deal.as_bytes()).to_hex().to_string()
}

/// Returns the first flip that shows another piece than a layout of 32 squares.
pub fn layout_fault(layout: &str, plies: impl IntoIterator<Item = Ply>) -> Option<DealFault> {
    let letters: Vec<char> = layout.chars().collect();
    for ply in plies {
        let Some(piece) = ply.reveal else { continue };
        let place = reading_order().position(|square| square == ply.action.from());
        let said = place.and_then(|place| letters.get(place)).copied();
        if said != Some(piece.letter()) {
            let said = said.unwrap_or('.');
            return Some(DealFault::Flip { ply, said });
        }
    }
    None
}

impl DealProof {
    /// Checks that the deal proves its commitment in a game with these plies; nothing to check
    /// without a deal.
    ///
    /// # Errors
    ///
    /// Returns the first contradiction.
    pub fn check(&self, plies: impl IntoIterator<Item = Ply>) -> Result<(), DealFault> {
        let Some(deal) = &self.deal else {
            return Ok(());
        };
        let found = hash_of_deal(deal);
        if !found.eq_ignore_ascii_case(&self.commitment) {
            return Err(DealFault::Hash(found));
        }
        let (_, layout) = deal.split_once(' ').ok_or(DealFault::NoLayout)?;
        layout_fault(layout, plies).map_or(Ok(()), Err)
    }
}

impl PgnGame {
    /// Checks that the deal, if the record has one, proves its commitment.
    ///
    /// # Errors
    ///
    /// Returns the first contradiction between commitment, deal and flips.
    pub fn check_deal(&self) -> Result<(), DealFault> {
        let plies = self.main_line().into_iter().map(|ply| ply.ply);
        self.deal.as_ref().map_or(Ok(()), |deal| deal.check(plies))
    }
}
