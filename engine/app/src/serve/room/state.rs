//! The state that every connection of a game receives.

use super::{Inner, Room, Seat};
use crate::serve::board::{Board, color_name, plies, seat_color};
use crate::serve::outbox::Outbox;
use crate::serve::wire::{Clocks, SeatView, ServerMessage, State};
use std::time::Instant;

impl Room {
    /// Sends the state to everybody; to the connection that asked, as its answer.
    pub(super) fn tell(&self, inner: &Inner, asked: Option<(&Outbox, Option<u64>)>) {
        if inner.members.is_empty() {
            return;
        }
        let mut state = self.state(inner);
        for member in &inner.members {
            state.you.clone_from(&inner.tokens[member.token].seats);
            state.hints = inner.hints_are_free(&state.you);
            let re = asked
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

    fn state(&self, inner: &Inner) -> State {
        let game = inner.dealt.game();
        let outcome = inner.outcome();
        let to_move = outcome.is_none().then(|| inner.to_move());
        State {
            game: self.id.clone(),
            version: inner.version,
            you: Vec::new(),
            seats: [0, 1].map(|seat| inner.seat_view(seat)),
            rules: inner.rules,
            start: game.start().to_string(),
            plies: plies(game, &inner.ply_ms),
            board: Board::of(game, &self.services.tables),
            to_move,
            clocks: inner.clocks(to_move),
            thinking: inner.search.is_some(),
            paused: inner.paused,
            offer: inner.offer,
            declined: inner.declined,
            hints: false,
            deal: inner.deal_view(),
            can_undo: outcome.is_none() && !game.plies().is_empty(),
            outcome,
        }
    }
}

impl Inner {
    fn seat_view(&self, seat: usize) -> SeatView {
        let sitter = &self.seats[seat];
        let (kind, level) = match sitter {
            Seat::Person { .. } => ("person", None),
            Seat::Level { level, .. } => ("level", Some(level.number())),
            Seat::Player { .. } => ("player", None),
        };
        SeatView {
            kind,
            name: sitter.name().to_owned(),
            level,
            color: seat_color(self.dealt.game(), seat).map(color_name),
            present: self.is_present(seat),
            waiting: self.is_waiting(seat),
        }
    }

    fn clocks(&self, to_move: Option<usize>) -> Option<Clocks> {
        let now = Instant::now();
        let left = |seat| self.clock.left(seat, to_move, now);
        let ((first, increment), (second, _)) = (left(0)?, left(1)?);
        Some(Clocks {
            left_ms: [first, second].map(|left| left.as_millis() as u64),
            increment_ms: increment.as_millis() as u64,
            running: to_move.filter(|_| self.clock.ticks()),
        })
    }
}
