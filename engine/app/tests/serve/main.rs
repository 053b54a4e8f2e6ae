//! The server from outside: a client that speaks over real sockets.

mod client;
mod games;
mod hostile;
mod load;
mod secrecy;
mod study;
