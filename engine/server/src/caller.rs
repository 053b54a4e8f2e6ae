//! The caller of a request or a WebSocket, and what it may do.

use crate::limits::{Held, Holding, Limits, Spending};
use anqi_desk::wire::{Code, Refusal, refuse};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

/// How far a token reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Everything that the page offers.
    Host,
    /// The games whose tokens the caller has, and analysis; no games of its own.
    Guest,
}

/// The caller of a request, after its token has been checked.
#[derive(Clone, Debug)]
pub struct Caller {
    /// How far its token reaches.
    pub scope: Scope,
    address: IpAddr,
    limits: Option<Arc<Limits>>,
}

impl Caller {
    /// Returns the caller of a server that only this machine reaches.
    pub fn this_machine() -> Caller {
        Caller {
            scope: Scope::Host,
            address: Ipv4Addr::LOCALHOST.into(),
            limits: None,
        }
    }

    /// Returns a caller from a network.
    pub fn from_network(scope: Scope, address: IpAddr, limits: &Arc<Limits>) -> Caller {
        Caller {
            scope,
            address,
            limits: Some(Arc::clone(limits)),
        }
    }

    /// Takes a place for a WebSocket: `None` if its address has all of its own, and nothing to
    /// hold if no address has limits.
    pub fn socket(&self) -> Option<Option<Held>> {
        match &self.limits {
            None => Some(None),
            Some(limits) => limits.hold(self.address, Holding::Socket).map(Some),
        }
    }

    /// Checks that the caller may make a game of its own.
    ///
    /// # Errors
    ///
    /// Returns an error if it is a guest, or its address has made too many.
    pub fn check_create(&self) -> Result<(), Refusal> {
        if self.scope == Scope::Guest {
            return refuse(
                Code::Forbidden,
                "an invitation is to one game (expected the link of the host for a game of your own)",
            );
        }
        self.check_game()
    }

    /// Checks that the caller's address may begin another game.
    ///
    /// # Errors
    ///
    /// Returns an error if it has begun too many.
    pub fn check_game(&self) -> Result<(), Refusal> {
        self.spend(
            Spending::Game,
            "too many new games from this address; wait a little",
        )
    }

    /// Checks that the caller's address may send another costly message.
    ///
    /// # Errors
    ///
    /// Returns an error if it has sent too many.
    pub fn check_message(&self) -> Result<(), Refusal> {
        self.spend(
            Spending::Message,
            "too many costly messages from this address; wait a little",
        )
    }

    fn spend(&self, what: Spending, otherwise: &str) -> Result<(), Refusal> {
        let limits = self.limits.as_ref();
        if limits.is_none_or(|limits| limits.spend(self.address, what)) {
            Ok(())
        } else {
            refuse(Code::TooFast, otherwise)
        }
    }
}
