//! The module's two sides in one thread: what passes between them, and what does not.

mod client;
mod jobs;
mod secrecy;
mod uci;
