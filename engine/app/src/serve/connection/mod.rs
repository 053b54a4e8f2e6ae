//! The requests of one connection, message by message.
//!
//! Messages about its game go to the room; those that need a search become
//! `tasks`; all others are answered at the `desk`.

mod allowance;
mod desk;
mod tasks;

use super::caller::Caller;
use super::hub::Hub;
use super::outbox::Outbox;
use super::room::Room;
use super::wire::{self, ClientMessage, Code, Refusal, ServerMessage, refuse};
use allowance::Allowance;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tasks::Tasks;

/// One connection's state in the server.
#[derive(Debug)]
pub struct Connection {
    hub: Arc<Hub>,
    caller: Caller,
    outbox: Outbox,
    room: Option<Arc<Room>>,
    tasks: Tasks,
    allowance: Allowance,
}

impl Connection {
    /// Returns a connection that is in no game.
    pub fn new(hub: Arc<Hub>, caller: Caller, outbox: Outbox) -> Connection {
        Connection {
            hub,
            caller,
            outbox,
            room: None,
            tasks: Tasks::default(),
            allowance: Allowance::default(),
        }
    }

    /// Answers a text message.
    pub fn text(&mut self, text: &str) {
        let most = self.hub.services.config.message_bytes;
        if text.len() > most {
            self.too_large(text.len());
            return;
        }
        match wire::read(text) {
            Err((id, refusal)) => self.outbox.send(id, &refusal.into()),
            Ok((id, message)) => {
                if let Err(refusal) = self.answer_or_fail(id, message) {
                    self.outbox.send(id, &refusal.into());
                }
            }
        }
    }

    /// Answers a message; a panic costs no more than its answer.
    fn answer_or_fail(&mut self, re: Option<u64>, message: ClientMessage) -> Result<(), Refusal> {
        let answer = AssertUnwindSafe(|| self.answer(re, message));
        catch_unwind(answer).unwrap_or_else(|_| {
            refuse(
                Code::Internal,
                "the answer failed by a fault of the program",
            )
        })
    }

    /// Refuses a binary message.
    pub fn binary(&mut self) {
        let refusal = Refusal {
            code: Code::Malformed,
            message: "a binary message (expected text)".to_owned(),
        };
        self.outbox.send(None, &refusal.into());
    }

    fn too_large(&self, bytes: usize) {
        let most = self.hub.services.config.message_bytes;
        let refusal = Refusal {
            code: Code::TooLarge,
            message: format!("{bytes} bytes (expected at most {most})"),
        };
        self.outbox.send(None, &refusal.into());
    }

    fn send(&self, re: Option<u64>, message: &ServerMessage) -> Result<(), Refusal> {
        self.outbox.send(re, message);
        Ok(())
    }

    /// Spends one costly message of the connection and of its address.
    fn spend(&mut self) -> Result<(), Refusal> {
        self.allowance.spend()?;
        self.caller.check_message()
    }

    fn room(&self) -> Result<&Arc<Room>, Refusal> {
        match &self.room {
            Some(room) => Ok(room),
            None => refuse(Code::NoSeat, "you are in no game"),
        }
    }

    fn answer(&mut self, re: Option<u64>, message: ClientMessage) -> Result<(), Refusal> {
        use ClientMessage as M;
        let outbox = self.outbox.clone();
        match message {
            M::Ping {} => self.send(re, &ServerMessage::Pong),
            M::Create(create) => {
                self.spend()?;
                self.caller.check_create()?;
                let room = self.hub.create(&outbox, re, &create)?;
                self.move_to(Some(room));
                Ok(())
            }
            M::Enter { token } => {
                let room = self.hub.find(&token)?;
                room.enter(&outbox, re, &token)?;
                self.move_to(Some(room));
                Ok(())
            }
            M::Leave {} => {
                self.room()?;
                self.move_to(None);
                self.send(re, &ServerMessage::Ok)
            }
            M::Play { action, ply } => self.room()?.play(&outbox, re, &action, ply),
            M::Undo {} => self.room()?.undo(&outbox, re),
            M::Hint {} => {
                self.allowance.spend()?;
                match self.room()?.allows_hint(&outbox, re)? {
                    true => self.answer_elsewhere(re, M::Hint {}),
                    false => Ok(()),
                }
            }
            M::Resign {} => self.room()?.resign(&outbox, re),
            M::OfferDraw {} => self.room()?.offer_draw(&outbox, re),
            M::Answer { accept } => self.room()?.answer(&outbox, re, accept),
            M::Rematch {} => {
                self.spend()?;
                self.caller.check_game()?;
                let next = self.hub.rematch(self.room()?, &outbox, re)?;
                self.move_to(Some(next));
                Ok(())
            }
            M::Pause { paused } => self.room()?.pause(&outbox, re, paused),
            M::ShowThinking { show } => {
                self.room()?.show_thinking(&outbox, show)?;
                self.send(re, &ServerMessage::Ok)
            }
            other => {
                self.spend()?;
                self.answer_elsewhere(re, other)
            }
        }
    }

    /// Answers a message that does not change the game that the connection is in.
    fn answer_elsewhere(&mut self, re: Option<u64>, message: ClientMessage) -> Result<(), Refusal> {
        let services = Arc::clone(&self.hub.services);
        #[cfg(test)]
        services.meet(super::config::Fault::Desk);
        let room = self.room.as_ref();
        match self
            .tasks
            .answer(&services, room, &self.outbox, re, message)?
        {
            None => Ok(()),
            Some(message) => {
                let answer = desk::answer(&services, self.room.as_deref(), message)?;
                self.send(re, &answer)
            }
        }
    }

    fn move_to(&mut self, room: Option<Arc<Room>>) {
        let same = |old: &Arc<Room>| room.as_ref().is_some_and(|new| Arc::ptr_eq(old, new));
        if let Some(old) = self.room.take().filter(|old| !same(old)) {
            old.leave(self.outbox.connection);
        }
        self.room = room;
    }
}

impl Drop for Connection {
    /// Stops everything that runs for this connection.
    fn drop(&mut self) {
        self.tasks.stop();
        self.move_to(None);
    }
}
