//! The commitment to a deal as messages and records hold it.

use crate::wire::DealView;
use anqi_play::Commitment;
use anqi_protocol::record::pgn::DealProof;

impl DealView {
    /// Returns the part of a commitment that is public during the game.
    pub fn sealed(commitment: &Commitment) -> DealView {
        DealView {
            hash: commitment.hash().to_owned(),
            nonce: None,
            layout: None,
        }
    }

    /// Returns the whole commitment, public after the game.
    pub fn opened(commitment: &Commitment) -> DealView {
        DealView {
            nonce: Some(commitment.nonce().to_owned()),
            layout: Some(commitment.layout().to_owned()),
            ..DealView::sealed(commitment)
        }
    }

    /// Returns the commitment as records hold it.
    pub fn proof(&self) -> DealProof {
        let open = self.nonce.as_ref().zip(self.layout.as_ref());
        DealProof {
            commitment: self.hash.clone(),
            deal: open.map(|(nonce, layout)| format!("{nonce} {layout}")),
        }
    }
}
