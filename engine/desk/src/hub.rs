//! All games of a desk, by the tokens of their seats.

use crate::outbox::Outbox;
use crate::room::{Room, Token};
use crate::services::Services;
use crate::wire::{Code, Create, Created, Refusal, ServerMessage, refuse};
use anqi_play::hexadecimal;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// After this long without connections a game may be dropped.
const ABANDONED: Duration = Duration::from_secs(6 * 3600);

/// The games and their shared state.
#[derive(Debug)]
pub struct Hub {
    /// The state that all games share.
    pub services: Services,
    rooms: Mutex<Rooms>,
}

#[derive(Debug, Default)]
struct Rooms {
    /// By the hashes of tokens, whose comparison takes constant time.
    by_token: HashMap<blake3::Hash, Arc<Room>>,
    /// The oldest first.
    all: Vec<Arc<Room>>,
}

impl Hub {
    /// Returns a hub without games.
    pub fn new(services: Services) -> Hub {
        Hub {
            services,
            rooms: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Rooms> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates a game and lets its creator enter.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no room for the game or the request cannot be met.
    pub fn create(
        &self,
        outbox: &Outbox,
        re: Option<u64>,
        create: &Create,
    ) -> Result<Arc<Room>, Refusal> {
        self.make_place()?;
        let [id, first, second, third, fourth] = self.names()?;
        let id = id[..12].to_owned();
        let room = Room::new(&self.services, create, id, [first, second, third, fourth])?;
        let room = Arc::new(room);
        self.add(&room);
        let created = room.created(0);
        self.welcome(&room, outbox, re, created)?;
        Ok(room)
    }

    /// Creates the rematch of a finished game, with the seats exchanged.
    ///
    /// # Errors
    ///
    /// Returns an error if the game goes on, the connection is not in it, or there is no room.
    pub fn rematch(
        &self,
        room: &Room,
        outbox: &Outbox,
        re: Option<u64>,
    ) -> Result<Arc<Room>, Refusal> {
        // Before the room is locked: this locks every room.
        self.make_place()?;
        let make = |seats, mut tokens: Vec<Token>| {
            for token in &mut tokens {
                token.text = self.name()?;
            }
            let id = self.name()?[..12].to_owned();
            let next = Arc::new(room.followed_by(seats, tokens, id)?);
            self.add(&next);
            Ok(next)
        };
        let (next, place) = room.rematch(outbox, make)?;
        let created = next.created(place);
        self.welcome(&next, outbox, re, created)?;
        Ok(next)
    }

    fn welcome(
        &self,
        room: &Arc<Room>,
        outbox: &Outbox,
        re: Option<u64>,
        created: Created,
    ) -> Result<(), Refusal> {
        let token = created.token.clone();
        outbox.send(re, &ServerMessage::Created(created));
        room.enter(outbox, None, &token)
    }

    /// Returns the game that a token belongs to.
    ///
    /// # Errors
    ///
    /// Returns an error if no game has this token.
    pub fn find(&self, token: &str) -> Result<Arc<Room>, Refusal> {
        match self.lock().by_token.get(&blake3::hash(token.as_bytes())) {
            Some(room) => Ok(Arc::clone(room)),
            None => refuse(Code::UnknownToken, "no game has this token"),
        }
    }

    /// Brings a game back that a host has kept; one that is here already follows the later text.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a game that this desk has given to keep, or there is no room.
    pub fn restore(&self, text: &str) -> Result<(), Refusal> {
        let room = Room::restored(&self.services, text)?;
        let known = self
            .lock()
            .all
            .iter()
            .find(|known| known.id == room.id)
            .cloned();
        if let Some(known) = known {
            known.follow(room);
            return Ok(());
        }
        self.make_place()?;
        self.add(&Arc::new(room));
        Ok(())
    }

    /// Returns the number of games.
    pub fn games(&self) -> usize {
        self.lock().all.len()
    }

    fn add(&self, room: &Arc<Room>) {
        let texts = room.token_texts();
        let mut rooms = self.lock();
        for token in texts {
            let hash = blake3::hash(token.as_bytes());
            rooms.by_token.insert(hash, Arc::clone(room));
        }
        rooms.all.push(Arc::clone(room));
    }

    /// Makes room for one more game: drops a finished game without connections, else one abandoned
    /// long ago.
    fn make_place(&self) -> Result<(), Refusal> {
        // A copy of the list: a thread that holds a room's lock may be waiting for it.
        let all = self.lock().all.clone();
        if all.len() < self.services.config.games {
            return Ok(());
        }
        let over = |room: &&Arc<Room>| room.is_over() && room.is_idle(Duration::ZERO);
        let gone = all.iter().find(over);
        let Some(gone) = gone.or_else(|| all.iter().find(|room| room.is_idle(ABANDONED))) else {
            return refuse(Code::Busy, "there are as many games as fit; try later");
        };
        let mut rooms = self.lock();
        rooms.all.retain(|known| !Arc::ptr_eq(known, gone));
        rooms.by_token.retain(|_, known| !Arc::ptr_eq(known, gone));
        Ok(())
    }

    fn name(&self) -> Result<String, Refusal> {
        Ok(hexadecimal(&self.services.random::<16>()?))
    }

    fn names<const N: usize>(&self) -> Result<[String; N], Refusal> {
        let mut names = [const { String::new() }; N];
        for name in &mut names {
            *name = self.name()?;
        }
        Ok(names)
    }
}
