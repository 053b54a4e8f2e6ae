//! Draws, undos and hints that two people have to agree on.

use crate::Seat;

/// What can be offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OfferKind {
    /// To call the game a draw.
    Draw,
    /// To take plies back.
    Undo,
    /// To allow hints.
    Hint,
}

/// An offer to the other seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offer {
    /// What is offered.
    pub kind: OfferKind,
    /// By which seat.
    pub by: Seat,
}

/// An offer waits for its answer, so that no other can be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an offer waits for its answer already")]
pub struct OfferPending;

/// The offers of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Offers {
    pending: Option<Offer>,
    declined: Option<Offer>,
}

impl Offers {
    /// Returns the offer that waits for an answer.
    pub fn pending(&self) -> Option<Offer> {
        self.pending
    }

    /// Returns what was declined since the last ply, and by which seat.
    pub fn declined(&self) -> Option<Offer> {
        self.declined
    }

    /// Returns whether the other seat has offered the same, so that both agree.
    pub fn meets(&self, offer: Offer) -> bool {
        let theirs = Offer {
            by: !offer.by,
            ..offer
        };
        self.pending == Some(theirs)
    }

    /// Makes an offer.
    ///
    /// # Errors
    ///
    /// Returns an error if another offer waits for its answer.
    pub fn propose(&mut self, offer: Offer) -> Result<(), OfferPending> {
        if self.pending.is_some() {
            return Err(OfferPending);
        }
        self.declined = None;
        self.pending = Some(offer);
        Ok(())
    }

    /// Takes the pending offer for an answer of one of these seats, `None` if none waits for them.
    pub fn take(&mut self, seats: &[Seat]) -> Option<Offer> {
        let offer = self.pending.filter(|offer| !seats.contains(&offer.by))?;
        self.pending = None;
        Some(offer)
    }

    /// Notes that a seat has declined an offer of this kind.
    pub fn decline(&mut self, kind: OfferKind, by: Seat) {
        self.declined = Some(Offer { kind, by });
    }

    /// Withdraws the pending offer; what was declined stays known.
    pub fn withdraw(&mut self) {
        self.pending = None;
    }

    /// Forgets everything: a ply was played or taken back.
    pub fn clear(&mut self) {
        *self = Offers::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_is_answered_by_the_other_seat_alone() {
        let mut offers = Offers::default();
        let (kind, by) = (OfferKind::Draw, Seat::First);
        offers.propose(Offer { kind, by }).unwrap();
        assert_eq!(offers.propose(Offer { kind, by: !by }), Err(OfferPending));
        assert!(offers.meets(Offer { kind, by: !by }));
        assert!(!offers.meets(Offer { kind, by }));
        assert_eq!(offers.take(&[Seat::First]), None);
        assert_eq!(offers.take(&[Seat::Second]), Some(Offer { kind, by }));
        assert_eq!(offers.take(&[Seat::Second]), None);
        offers.decline(kind, Seat::Second);
        offers.propose(Offer { kind, by }).unwrap();
        assert_eq!(offers.declined(), None);
    }
}
