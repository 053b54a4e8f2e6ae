//! Connections that come and go, and the rematch that takes them along.

use super::seats::{Member, Occupant, Token};
use super::shared::Room;
use crate::outbox::Outbox;
use crate::wire::{Code, Created, Link, Refusal, ServerMessage, refuse};
use std::sync::{Arc, PoisonError};

impl Room {
    /// Returns the texts of all tokens.
    pub fn token_texts(&self) -> Vec<String> {
        let table = self.lock();
        table.tokens.iter().map(|t| t.text.clone()).collect()
    }

    /// Returns the reply to the creator of the game, who holds the token at this place.
    pub fn created(&self, place: usize) -> Created {
        let table = self.lock();
        let watch = table.tokens.last().map(|token| token.text.clone());
        let waiting = table.tokens.iter().filter(|token| !token.used);
        Created {
            game: self.id.clone(),
            token: table.tokens[place].text.clone(),
            links: waiting
                .flat_map(|token| {
                    token.seats.iter().map(|seat| Link {
                        seat: seat.index(),
                        token: token.text.clone(),
                    })
                })
                .collect(),
            watch: watch.unwrap_or_default(),
        }
    }

    /// Adds a connection.
    ///
    /// # Errors
    ///
    /// Returns an error if no place has this token.
    pub fn enter(
        self: &Arc<Self>,
        outbox: &Outbox,
        re: Option<u64>,
        token: &str,
    ) -> Result<(), Refusal> {
        let mut table = self.lock();
        let Some(place) = table.tokens.iter().position(|known| known.text == token) else {
            return refuse(Code::UnknownToken, "no game has this token");
        };
        table.tokens[place].used = true;
        let show_thinking = table.show_thinking;
        table
            .members
            .retain(|m| m.outbox.connection != outbox.connection);
        table.members.push(Member {
            outbox: outbox.clone(),
            token: place,
            show_thinking,
        });
        self.changed(table, Some((outbox, re)));
        Ok(())
    }

    /// Removes a connection. A search that no connection waits for is stopped and restarts
    /// when one returns.
    pub fn leave(self: &Arc<Self>, connection: u64) {
        let mut table = self.lock();
        let before = table.members.len();
        table.members.retain(|m| m.outbox.connection != connection);
        if table.members.len() == before {
            return;
        }
        if table.members.is_empty() && table.search.is_some() {
            table.drop_search();
        }
        self.changed(table, None);
    }

    /// Switches messages about an engine's thinking on or off for one connection.
    ///
    /// # Errors
    ///
    /// Returns an error if the connection is not in the game.
    pub fn show_thinking(&self, outbox: &Outbox, show: bool) -> Result<(), Refusal> {
        let mut table = self.lock();
        table.member(outbox)?;
        for member in &mut table.members {
            if member.outbox.connection == outbox.connection {
                member.show_thinking = show;
            }
        }
        Ok(())
    }

    /// Returns the rematch, created by `make` at the first request, and the index of the
    /// requester's token; the other connections are invited.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is not over, the connection is not in it, or `make` fails.
    pub fn rematch(
        &self,
        outbox: &Outbox,
        make: impl FnOnce([Occupant; 2], Vec<Token>) -> Result<Arc<Room>, Refusal>,
    ) -> Result<(Arc<Room>, usize), Refusal> {
        let table = self.lock();
        let place = table.member(outbox)?.token;
        if !table.is_over() {
            return refuse(Code::WrongPhase, "the game is not over yet");
        }
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(next) = &*next {
            return Ok((Arc::clone(next), place));
        }
        let [first, second] = table.occupants.clone();
        let mut tokens = table.tokens.clone();
        for token in &mut tokens {
            token.seats = token.seats.iter().map(|seat| !*seat).collect();
        }
        let made = make([second, first], tokens)?;
        let texts = made.token_texts();
        for member in &table.members {
            if member.outbox.connection != outbox.connection {
                let token = texts[member.token].clone();
                let game = made.id.clone();
                let message = ServerMessage::Rematch { game, token };
                member.outbox.send(None, &message);
            }
        }
        *next = Some(Arc::clone(&made));
        Ok((made, place))
    }
}
