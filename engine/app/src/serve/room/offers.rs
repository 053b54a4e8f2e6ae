//! Draws, undos and hints that two people have to agree on.

use super::{Inner, Room, Seat};
use crate::serve::board::{EndReason, Outcome};
use crate::serve::outbox::Outbox;
use crate::serve::wire::{Code, Offer, OfferKind, Refusal, refuse};
use std::sync::Arc;
use std::time::Instant;

/// An engine accepts a draw if its position is worth at most this to it.
const DRAWISH: f64 = 0.0;

impl Room {
    /// Offers a draw; an engine answers at once, by the value of its last search.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over, the connection has no seat or an offer is open.
    pub fn offer_draw(self: &Arc<Self>, outbox: &Outbox, re: Option<u64>) -> Result<(), Refusal> {
        let mut inner = self.lock();
        let seats = inner.seats_of(outbox)?;
        inner.check_playing()?;
        let [by] = seats[..] else {
            // Two seats at one screen have agreed already.
            inner.end(Outcome::draw(EndReason::Agreement), Instant::now());
            self.changed(inner, Some((outbox, re)));
            return Ok(());
        };
        let offer = Offer {
            kind: OfferKind::Draw,
            by,
        };
        let theirs = Offer {
            by: 1 - by,
            ..offer
        };
        if inner.offer == Some(theirs) {
            inner.end(Outcome::draw(EndReason::Agreement), Instant::now());
        } else if !inner.seats[1 - by].is_engine() {
            inner.propose(offer)?;
        } else if inner.last_values[1 - by].is_some_and(|value| value <= DRAWISH) {
            inner.end(Outcome::draw(EndReason::Agreement), Instant::now());
        } else {
            inner.declined = Some(theirs);
        }
        self.changed(inner, Some((outbox, re)));
        Ok(())
    }

    /// Returns whether a hint may be given. Against another person it is offered first, and allowed
    /// for the rest of the game once both have asked, or one has accepted.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over, an offer is open, or a watcher asks for a person.
    pub fn allows_hint(
        self: &Arc<Self>,
        outbox: &Outbox,
        re: Option<u64>,
    ) -> Result<bool, Refusal> {
        let mut inner = self.lock();
        let only_engines = inner.seats.iter().all(Seat::is_engine);
        inner.check_playing()?;
        if only_engines {
            inner.member(outbox)?;
            return Ok(true);
        }
        let seats = inner.seats_of(outbox)?;
        if inner.hints_are_free(&seats) {
            return Ok(true);
        }
        let kind = OfferKind::Hint;
        let by = seats[0];
        let agreed = inner.offer == Some(Offer { kind, by: 1 - by });
        if agreed {
            inner.offer = None;
            inner.hints_agreed = true;
            self.changed(inner, None);
            return Ok(true);
        }
        inner.propose(Offer { kind, by })?;
        self.changed(inner, Some((outbox, re)));
        Ok(false)
    }

    /// Answers an offer.
    ///
    /// # Errors
    ///
    /// Returns an error if no offer waits for an answer from this connection.
    pub fn answer(
        self: &Arc<Self>,
        outbox: &Outbox,
        re: Option<u64>,
        accept: bool,
    ) -> Result<(), Refusal> {
        let mut inner = self.lock();
        let seats = inner.seats_of(outbox)?;
        inner.check_playing()?;
        let Some(offer) = inner.offer.filter(|offer| !seats.contains(&offer.by)) else {
            return refuse(Code::NothingToDo, "nothing waits for your answer");
        };
        inner.offer = None;
        match (accept, offer.kind) {
            (false, kind) => {
                let by = 1 - offer.by;
                inner.declined = Some(Offer { kind, by });
            }
            (true, OfferKind::Draw) => {
                inner.end(Outcome::draw(EndReason::Agreement), Instant::now());
            }
            (true, OfferKind::Undo) => inner.take_back(&[offer.by], Instant::now()),
            (true, OfferKind::Hint) => inner.hints_agreed = true,
        }
        self.changed(inner, Some((outbox, re)));
        Ok(())
    }
}

impl Inner {
    /// Returns whether somebody else has to agree before these seats take a ply back.
    pub(super) fn needs_consent(&self, seats: &[usize]) -> bool {
        let other = |seat: &usize| !seats.contains(seat);
        (0..2)
            .filter(other)
            .any(|seat| !self.seats[seat].is_engine())
    }

    /// Returns whether these seats get hints without asking anybody.
    pub(super) fn hints_are_free(&self, seats: &[usize]) -> bool {
        self.hints_agreed || !seats.is_empty() && !self.needs_consent(seats)
    }

    pub(super) fn offer_undo(&mut self, by: usize) -> Result<(), Refusal> {
        self.propose(Offer {
            kind: OfferKind::Undo,
            by,
        })
    }

    fn propose(&mut self, offer: Offer) -> Result<(), Refusal> {
        if self.offer.is_some() {
            return refuse(Code::NothingToDo, "an offer waits for its answer already");
        }
        self.declined = None;
        self.offer = Some(offer);
        Ok(())
    }
}
