//! Draws, undos and hints that two people have to agree on.

use super::seats::Occupant;
use super::shared::Room;
use super::table::Table;
use crate::outbox::Outbox;
use crate::wire::{Code, Refusal, refuse};
use anqi_play::{EndReason, Offer, OfferKind, Verdict};
use std::sync::Arc;

/// An engine accepts a draw if its position is worth at most this to it.
const DRAWISH: f64 = 0.0;
/// A draw by agreement.
const AGREED: Verdict = Verdict::draw(EndReason::Agreement);

impl Room {
    /// Offers a draw; an engine answers at once, by the value of its last search.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over, the connection has no seat or an offer is open.
    pub fn offer_draw(self: &Arc<Self>, outbox: &Outbox, re: Option<u64>) -> Result<(), Refusal> {
        let mut table = self.lock();
        let seats = table.seats_of(outbox)?;
        table.check_playing()?;
        let [by] = seats[..] else {
            // Two seats at one screen have agreed already.
            table.end(AGREED, self.now());
            self.changed(table, Some((outbox, re)));
            return Ok(());
        };
        let kind = OfferKind::Draw;
        let offer = Offer { kind, by };
        let value = table.last_values[(!by).index()];
        if table.offers.meets(offer) {
            table.end(AGREED, self.now());
        } else if !table.occupant(!by).is_engine() {
            self.propose(&mut table, offer)?;
        } else if value.is_some_and(|value| value <= DRAWISH) {
            table.end(AGREED, self.now());
        } else {
            table.offers.decline(kind, !by);
        }
        self.changed(table, Some((outbox, re)));
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
        let mut table = self.lock();
        let only_engines = table.occupants.iter().all(Occupant::is_engine);
        table.check_playing()?;
        if only_engines {
            table.member(outbox)?;
            return Ok(true);
        }
        let seats = table.seats_of(outbox)?;
        if table.hints_are_free(&seats) {
            return Ok(true);
        }
        let (kind, by) = (OfferKind::Hint, seats[0]);
        let offer = Offer { kind, by };
        if table.offers.meets(offer) {
            table.offers.withdraw();
            table.hints_agreed = true;
            self.changed(table, None);
            return Ok(true);
        }
        self.propose(&mut table, offer)?;
        self.changed(table, Some((outbox, re)));
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
        let mut table = self.lock();
        let seats = table.seats_of(outbox)?;
        table.check_playing()?;
        let Some(offer) = table.offers.take(&seats) else {
            return refuse(Code::NothingToDo, "nothing waits for your answer");
        };
        match (accept, offer.kind) {
            (false, kind) => table.offers.decline(kind, !offer.by),
            (true, OfferKind::Draw) => table.end(AGREED, self.now()),
            (true, OfferKind::Undo) => table.take_back(&[offer.by], self.now()),
            (true, OfferKind::Hint) => table.hints_agreed = true,
        }
        self.changed(table, Some((outbox, re)));
        Ok(())
    }

    /// Makes an offer.
    pub(super) fn propose(&self, table: &mut Table, offer: Offer) -> Result<(), Refusal> {
        let pending =
            |error: anqi_play::OfferPending| Refusal::new(Code::NothingToDo, error.to_string());
        table.offers.propose(offer).map_err(pending)
    }
}
