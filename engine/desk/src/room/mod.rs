//! A game with its seats and watchers.
//!
//! **Invariant:** the layout stays inside `DealtGame` and `Commitment`, and in the text that a host keeps
//! for itself (`kept`). A player
//! gets a clone of the `Game`, which contains only revealed pieces; a connection gets a
//! `State`, which is made from that game alone, and the commitment's layout only when the
//! game is over.
//!
//! Every change takes the same steps: lock, check, change, increment the version,
//! let the engine to move think, send the state. The lock is held for
//! microseconds; nothing waits under it.
//!
//! A `Table` is what the lock protects; a [`Room`] shares it. `seats` says who sits where, `visits` who
//! comes and goes, `offers` what people agree on, `engine` when engines think, `state` what everybody
//! is told.

mod engine;
mod kept;
mod offers;
mod seats;
mod shared;
mod state;
mod table;
#[cfg(test)]
mod timing;
mod visits;

pub use seats::{Occupant, Token};
pub use shared::Room;
