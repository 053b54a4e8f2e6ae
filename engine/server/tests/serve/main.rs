//! The server from outside: a client that speaks over real sockets.

mod bundle;
mod client;
mod floods;
mod games;
mod hostile;
mod load;
mod network;
mod secrecy;
mod study;
mod visitor;
