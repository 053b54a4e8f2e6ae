//! The seats of a game and their connections.

use super::{Inner, Room};
use crate::serve::config::Services;
use crate::serve::outbox::Outbox;
use crate::serve::wire::{Code, Created, Link, Refusal, ServerMessage, Sitter, refuse};
use anqi_play::Level;
use anqi_search::players;
use std::sync::Arc;

/// The longest name of a person, in characters.
const NAME_LENGTH: usize = 40;

/// A seat.
#[derive(Clone, Debug)]
pub enum Seat {
    /// A person.
    Person {
        /// Its display name, empty if none was given: each viewer then names it from its own seat.
        name: String,
    },
    /// The built-in player at a level.
    Level {
        /// The level.
        level: Level,
        /// The player's spec.
        spec: String,
    },
    /// A built-in player.
    Player {
        /// Its name.
        name: String,
        /// Its spec.
        spec: String,
    },
}

/// A secret text that admits its holder to the game.
#[derive(Clone, Debug)]
pub struct Token {
    /// The text.
    pub text: String,
    /// The seats it gives; none for watching.
    pub seats: Vec<usize>,
    /// Whether anybody has entered with it.
    pub used: bool,
}

/// A connection.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub outbox: Outbox,
    /// The index of its token.
    pub token: usize,
    pub show_thinking: bool,
}

impl Seat {
    /// Returns whether an engine sits here.
    pub fn is_engine(&self) -> bool {
        self.spec().is_some()
    }

    /// Returns the player's spec, `None` for a person.
    pub fn spec(&self) -> Option<&str> {
        match self {
            Seat::Person { .. } => None,
            Seat::Level { spec, .. } | Seat::Player { spec, .. } => Some(spec),
        }
    }

    /// Returns the name of the player in this seat.
    pub fn name(&self) -> &str {
        match self {
            Seat::Person { name } | Seat::Player { name, .. } => name,
            Seat::Level { level, .. } => level.name(),
        }
    }

    fn of(services: &Services, sitter: &Sitter) -> Result<Seat, Refusal> {
        let person = |name: &Option<String>| Seat::Person {
            name: match name.as_deref().map(str::trim) {
                Some(name) if !name.is_empty() => tidy(name),
                _ => String::new(),
            },
        };
        Ok(match sitter {
            Sitter::Me { name } | Sitter::Link { name } => person(name),
            Sitter::Level { level } => {
                let parsed = level.to_string().parse::<Level>();
                Seat::Level {
                    level: parsed.map_err(|error| unreadable(&error.to_string()))?,
                    spec: services.spec("champion", Some(*level)),
                }
            }
            Sitter::Player { spec } => {
                // Settings could name files and ask for memory, so only plain names are accepted.
                let known = players::KNOWN.iter().find(|(name, _)| name == spec);
                let Some((name, _)) = known else {
                    let names = players::KNOWN.map(|(name, _)| name).join(", ");
                    let message = format!("no such player (expected {names})");
                    return refuse(Code::Unreadable, message);
                };
                Seat::Player {
                    name: (*name).to_owned(),
                    spec: services.spec(name, None),
                }
            }
        })
    }
}

fn tidy(name: &str) -> String {
    let printable = name.chars().filter(|c| !c.is_control());
    printable.take(NAME_LENGTH).collect()
}

fn unreadable(message: &str) -> Refusal {
    Refusal {
        code: Code::Unreadable,
        message: message.to_owned(),
    }
}

/// Fills the seats, and returns the tokens: the creator's, one for each link, the watchers'.
pub(super) fn seats_of(
    services: &Services,
    sitters: &[Sitter; 2],
    names: [String; 4],
) -> Result<([Seat; 2], Vec<Token>), Refusal> {
    let [first, second] = sitters;
    let seats = [Seat::of(services, first)?, Seat::of(services, second)?];
    let [creator, links @ .., watch] = names;
    let token = |text, seats, used| Token { text, seats, used };
    let of_kind = |wanted: fn(&Sitter) -> bool| (0..2).filter(move |seat| wanted(&sitters[*seat]));
    let mine = of_kind(|sitter| matches!(sitter, Sitter::Me { .. })).collect();
    let mut tokens = vec![token(creator, mine, true)];
    for (seat, text) in of_kind(|sitter| matches!(sitter, Sitter::Link { .. })).zip(links) {
        tokens.push(token(text, vec![seat], false));
    }
    tokens.push(token(watch, Vec::new(), true));
    Ok((seats, tokens))
}

impl Room {
    /// Returns the texts of all tokens.
    pub fn token_texts(&self) -> Vec<String> {
        let inner = self.lock();
        inner.tokens.iter().map(|t| t.text.clone()).collect()
    }

    /// Returns the reply to the creator of the game, who holds the token at this place.
    pub fn created(&self, place: usize) -> Created {
        let inner = self.lock();
        let watch = inner.tokens.last().map(|token| token.text.clone());
        let waiting = inner.tokens.iter().filter(|token| !token.used);
        Created {
            game: self.id.clone(),
            token: inner.tokens[place].text.clone(),
            links: waiting
                .flat_map(|token| {
                    token.seats.iter().map(|seat| Link {
                        seat: *seat,
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
        let mut inner = self.lock();
        let Some(place) = inner.tokens.iter().position(|known| known.text == token) else {
            return refuse(Code::UnknownToken, "no game has this token");
        };
        inner.tokens[place].used = true;
        let show_thinking = inner.show_thinking;
        inner
            .members
            .retain(|m| m.outbox.connection != outbox.connection);
        inner.members.push(Member {
            outbox: outbox.clone(),
            token: place,
            show_thinking,
        });
        self.changed(inner, Some((outbox, re)));
        Ok(())
    }

    /// Removes a connection. A search that no connection waits for is stopped and restarts
    /// when one returns.
    pub fn leave(self: &Arc<Self>, connection: u64) {
        let mut inner = self.lock();
        let before = inner.members.len();
        inner.members.retain(|m| m.outbox.connection != connection);
        if inner.members.len() == before {
            return;
        }
        if inner.members.is_empty() && inner.search.is_some() {
            inner.drop_search();
        }
        self.changed(inner, None);
    }

    /// Switches messages about an engine's thinking on or off for one connection.
    ///
    /// # Errors
    ///
    /// Returns an error if the connection is not in the game.
    pub fn show_thinking(&self, outbox: &Outbox, show: bool) -> Result<(), Refusal> {
        let mut inner = self.lock();
        inner.member(outbox)?;
        for member in &mut inner.members {
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
        make: impl FnOnce([Seat; 2], Vec<Token>) -> Result<Arc<Room>, Refusal>,
    ) -> Result<(Arc<Room>, usize), Refusal> {
        let mut inner = self.lock();
        let place = inner.member(outbox)?.token;
        if inner.outcome().is_none() {
            return refuse(Code::WrongPhase, "the game is not over yet");
        }
        if inner.next.is_none() {
            let [first, second] = inner.seats.clone();
            let mut tokens = inner.tokens.clone();
            for token in &mut tokens {
                token.seats = token.seats.iter().map(|seat| 1 - seat).collect();
            }
            let next = make([second, first], tokens)?;
            let texts = next.token_texts();
            for member in &inner.members {
                if member.outbox.connection != outbox.connection {
                    let token = texts[member.token].clone();
                    let game = next.id.clone();
                    let message = ServerMessage::Rematch { game, token };
                    member.outbox.send(None, &message);
                }
            }
            inner.next = Some(next);
        }
        match &inner.next {
            Some(next) => Ok((Arc::clone(next), place)),
            None => refuse(Code::Internal, "the next game is missing"),
        }
    }
}

impl Inner {
    pub(super) fn member(&self, outbox: &Outbox) -> Result<&Member, Refusal> {
        let here = |member: &&Member| member.outbox.connection == outbox.connection;
        match self.members.iter().find(here) {
            Some(member) => Ok(member),
            None => refuse(Code::NoSeat, "you are in no game"),
        }
    }

    /// Returns the seats of a connection, at least one.
    pub(super) fn seats_of(&self, outbox: &Outbox) -> Result<Vec<usize>, Refusal> {
        let seats = &self.tokens[self.member(outbox)?.token].seats;
        match seats.is_empty() {
            true => refuse(Code::NoSeat, "you are watching"),
            false => Ok(seats.clone()),
        }
    }

    /// Returns whether a seat is still free.
    pub(super) fn is_waiting(&self, seat: usize) -> bool {
        self.tokens
            .iter()
            .any(|token| !token.used && token.seats.contains(&seat))
    }

    /// Returns whether a seat is connected.
    pub(super) fn is_present(&self, seat: usize) -> bool {
        let sits = |member: &Member| self.tokens[member.token].seats.contains(&seat);
        self.seats[seat].is_engine() || self.members.iter().any(sits)
    }
}
