//! The page's server: HTTP and WebSockets around a desk; and what any server of ours needs.
//!
//! **Owns** who may enter, limits, connections, and the threads that search. **Must not know** what a
//! message means (the desk does), how a player finds its action, nor how the page looks.
//!
//! Without the feature `page` there is what servers share: a [`listener`] that counts connections, [`limits`] for each
//! address, and [`serving`] until an [`interrupt`].
//!
//! With it, every request passes the `guard`, whose rules are in `access`: on this machine a host of
//! ours, from a network a token too. A message arrives at a `socket` and is answered by a connection of
//! the desk; work of more than a millisecond is a job of the `pool`.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

#[cfg(feature = "page")]
pub mod access;
#[cfg(feature = "page")]
pub mod addresses;
#[cfg(feature = "page")]
pub mod allowance;
#[cfg(feature = "page")]
pub mod assets;
#[cfg(feature = "page")]
pub mod backend;
pub mod bucket;
#[cfg(feature = "page")]
pub mod caller;
#[cfg(feature = "page")]
pub mod config;
pub mod etag;
#[cfg(feature = "page")]
pub mod folder;
pub mod forwarded;
#[cfg(feature = "page")]
pub mod guard;
#[cfg(feature = "page")]
pub mod http;
pub mod interrupt;
pub mod limits;
pub mod listener;
#[cfg(feature = "page")]
pub mod names;
#[cfg(feature = "page")]
pub mod outbox;
#[cfg(feature = "page")]
mod page;
#[cfg(all(test, feature = "page"))]
mod panics;
#[cfg(feature = "page")]
pub mod pool;
#[cfg(feature = "page")]
pub mod secret;
pub mod serving;
#[cfg(feature = "page")]
pub mod socket;

#[cfg(feature = "page")]
pub use config::Config;
#[cfg(feature = "page")]
pub use page::Server;
pub use serving::ServeError;
