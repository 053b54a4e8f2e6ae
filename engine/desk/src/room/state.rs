//! The state that every connection of a game receives.

use super::seats::Occupant;
use super::shared::Room;
use super::table::Table;
use crate::board::{Board, plies};
use crate::outbox::Outbox;
use crate::wire::{
    Clocks, ColorName, OfferKindName, OfferView, SeatKind, SeatView, ServerMessage, State,
};
use anqi_play::{Offer, OfferKind, Seat};
use std::time::Duration;

impl Room {
    /// Sends the state to everybody; to the connection that asked, as its answer.
    pub(super) fn tell(&self, table: &Table, asker: Option<(&Outbox, Option<u64>)>) {
        if table.members.is_empty() {
            return;
        }
        let mut state = self.state(table);
        for member in &table.members {
            let seats = &table.tokens[member.token].seats;
            state.you = seats.iter().map(|seat| seat.index()).collect();
            state.hints = table.hints_are_free(seats);
            let re = asker
                .filter(|(outbox, _)| outbox.connection == member.outbox.connection)
                .and_then(|(_, re)| re);
            let message = ServerMessage::State(Box::new(state));
            member.outbox.send(re, &message);
            let ServerMessage::State(back) = message else {
                return;
            };
            state = *back;
        }
    }

    fn state(&self, table: &Table) -> State {
        let game = table.dealt.game();
        let outcome = table.outcome();
        let to_move = outcome.is_none().then(|| table.to_move());
        State {
            game: self.id.clone(),
            version: table.version,
            you: Vec::new(),
            seats: Seat::ALL.map(|seat| table.seat_view(seat)),
            rules: table.rules,
            start: game.start().to_string(),
            plies: plies(game, &table.ply_ms),
            board: Board::of(game, &self.services.tables),
            to_move: to_move.map(Seat::index),
            clocks: table.clocks(to_move, self.now()),
            thinking: table.search.is_some(),
            paused: table.paused,
            offer: table.offers.pending().map(OfferView::from),
            declined: table.offers.declined().map(OfferView::from),
            hints: false,
            deal: table.deal_view(),
            can_undo: outcome.is_none() && !game.plies().is_empty(),
            outcome,
        }
    }
}

impl Table {
    fn seat_view(&self, seat: Seat) -> SeatView {
        let occupant = self.occupant(seat);
        let (kind, level) = match occupant {
            Occupant::Person { .. } => (SeatKind::Person, None),
            Occupant::Level { level, .. } => (SeatKind::Level, Some(level.number())),
            Occupant::Player { .. } => (SeatKind::Player, None),
        };
        SeatView {
            kind,
            name: occupant.name().to_owned(),
            level,
            color: seat.color(self.dealt.game()).map(ColorName::from),
            present: self.is_present(seat),
            waiting: self.is_waiting(seat),
        }
    }

    fn clocks(&self, to_move: Option<Seat>, now: Duration) -> Option<Clocks> {
        let left = |seat| self.clock.left(seat, to_move, now);
        let (first, second) = (left(Seat::First)?, left(Seat::Second)?);
        Some(Clocks {
            left_ms: [first, second].map(|left| left.as_millis() as u64),
            increment_ms: self.clock.increment().as_millis() as u64,
            running: to_move.filter(|_| self.clock.ticks()).map(Seat::index),
        })
    }
}

impl From<Offer> for OfferView {
    fn from(offer: Offer) -> OfferView {
        OfferView {
            kind: match offer.kind {
                OfferKind::Draw => OfferKindName::Draw,
                OfferKind::Undo => OfferKindName::Undo,
                OfferKind::Hint => OfferKindName::Hint,
            },
            by: offer.by.index(),
        }
    }
}
