//! The state of a game, which its room keeps under a lock.

use super::seats::{Member, Occupant, Token};
use crate::outbox::Outbox;
use crate::wire::{Code, DealView, OutcomeView, Refusal, RulesName, refuse};
use anqi_play::{Clock, Commitment, DealtGame, Offers, Seat, Verdict};
use anqi_rules::Action;
use anqi_search::Stop;
use std::sync::Arc;
use std::time::Duration;

/// The state of a game with its seats and connections.
#[derive(Debug)]
pub(super) struct Table {
    pub dealt: DealtGame,
    pub commitment: Commitment,
    pub rules: RulesName,
    pub occupants: [Occupant; 2],
    pub tokens: Vec<Token>,
    pub members: Vec<Member>,
    /// Counts every change.
    pub version: u64,
    /// Changes when a running search or a waiting alarm becomes stale.
    pub turn: u64,
    pub clock: Clock,
    pub ply_ms: Vec<u64>,
    pub engine_ms: u64,
    pub engine_seed: u64,
    /// The running search.
    pub search: Option<Arc<Stop>>,
    /// The last value that each engine reported.
    pub last_values: [Option<f64>; 2],
    pub show_thinking: bool,
    pub paused: bool,
    pub offers: Offers,
    /// Whether two people have agreed on hints.
    pub hints_agreed: bool,
    /// When it changed last.
    pub touched: Duration,
}

impl Table {
    /// Returns the seat to move, even after the end.
    pub fn to_move(&self) -> Seat {
        self.dealt.turn()
    }

    pub fn is_over(&self) -> bool {
        self.dealt.verdict().is_some()
    }

    pub fn outcome(&self) -> Option<OutcomeView> {
        let verdict = self.dealt.verdict()?;
        Some(OutcomeView::from_verdict(self.dealt.game(), verdict))
    }

    pub fn occupant(&self, seat: Seat) -> &Occupant {
        &self.occupants[seat.index()]
    }

    /// Returns the commitment to the deal, open if the game is over.
    pub fn deal_view(&self) -> DealView {
        if self.is_over() {
            DealView::opened(&self.commitment)
        } else {
            DealView::sealed(&self.commitment)
        }
    }

    pub fn check_playing(&self) -> Result<(), Refusal> {
        if self.is_over() {
            return refuse(Code::WrongPhase, "the game is over");
        }
        Ok(())
    }

    /// Plays an action for the seat to move.
    pub fn act(&mut self, action: Action, now: Duration) -> Result<(), Refusal> {
        let seat = self.to_move();
        let left = self.clock.left(seat, Some(seat), now);
        if left.is_some_and(|left| left.is_zero()) {
            return refuse(Code::WrongPhase, "the time is up");
        }
        let illegal = |message| Refusal::new(Code::Illegal, message);
        self.dealt.act(action).map_err(illegal)?;
        let spent = self.clock.stop(seat, now);
        self.clock.credit(seat);
        self.ply_ms.push(spent.as_millis() as u64);
        self.offers.clear();
        self.interrupt();
        Ok(())
    }

    /// Makes the running search and the waiting alarm stale.
    pub fn interrupt(&mut self) {
        self.turn += 1;
        if let Some(search) = self.search.take() {
            search.request();
        }
    }

    /// Drops the engine's search, which begins anew later: nobody pays for its time, nor for the
    /// time until then.
    pub fn drop_search(&mut self) {
        self.interrupt();
        self.clock.forget();
    }

    /// Ends the game by resignation, agreement or time.
    pub fn end(&mut self, verdict: Verdict, now: Duration) {
        let seat = self.to_move();
        self.clock.stop(seat, now);
        self.dealt.decide(verdict);
        self.offers.withdraw();
        self.interrupt();
    }

    /// Takes plies back to the last decision of these seats; the deal stays.
    pub fn take_back(&mut self, seats: &[Seat], now: Duration) {
        let seat = self.to_move();
        self.clock.stop(seat, now);
        for _ in 0..self.dealt.plies_to_undo(seats).unwrap_or(0) {
            self.dealt.undo();
            self.ply_ms.pop();
        }
        self.offers.clear();
        self.interrupt();
    }

    /// Returns whether the seat to move has run out of time.
    pub fn is_time_up(&self, now: Duration) -> bool {
        let seat = self.to_move();
        let left = self.clock.left(seat, Some(seat), now);
        self.clock.ticks() && left.is_some_and(|left| left.is_zero())
    }

    pub fn member(&self, outbox: &Outbox) -> Result<&Member, Refusal> {
        let here = |member: &&Member| member.outbox.connection == outbox.connection;
        match self.members.iter().find(here) {
            Some(member) => Ok(member),
            None => refuse(Code::NoSeat, "you are in no game"),
        }
    }

    /// Returns the seats of a connection, at least one.
    pub fn seats_of(&self, outbox: &Outbox) -> Result<Vec<Seat>, Refusal> {
        let seats = &self.tokens[self.member(outbox)?.token].seats;
        if seats.is_empty() {
            return refuse(Code::NoSeat, "you are watching");
        }
        Ok(seats.clone())
    }

    /// Returns whether a seat is still free.
    pub fn is_waiting(&self, seat: Seat) -> bool {
        self.tokens
            .iter()
            .any(|token| !token.used && token.seats.contains(&seat))
    }

    /// Returns whether a seat is connected.
    pub fn is_present(&self, seat: Seat) -> bool {
        let sits = |member: &Member| self.tokens[member.token].seats.contains(&seat);
        self.occupant(seat).is_engine() || self.members.iter().any(sits)
    }

    /// Returns whether somebody else has to agree before these seats take a ply back.
    pub fn needs_consent(&self, seats: &[Seat]) -> bool {
        let others = Seat::ALL.into_iter().filter(|seat| !seats.contains(seat));
        let mut others = others.map(|seat| self.occupant(seat));
        others.any(|occupant| !occupant.is_engine())
    }

    /// Returns whether these seats get hints without asking anybody.
    pub fn hints_are_free(&self, seats: &[Seat]) -> bool {
        self.hints_agreed || !seats.is_empty() && !self.needs_consent(seats)
    }
}
