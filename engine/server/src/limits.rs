//! Limits for each address: connections, WebSockets, requests, wrong tokens, costly messages and
//! new games.
//!
//! A home has one network of the sixth version with more addresses than can be counted, so its
//! addresses count together, by their first 64 bits. The list of addresses is bounded too.

use crate::bucket::{Bucket, Rate};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most addresses that are remembered.
const MOST_ADDRESSES: usize = 4096;
/// An address silent for this long has earned everything again.
const FORGOTTEN: Duration = Duration::from_secs(600);

/// What one address may do.
#[derive(Clone, Copy, Debug)]
pub struct PerAddress {
    /// Connections at once.
    pub connections: usize,
    /// WebSockets at once.
    pub sockets: usize,
    /// Requests.
    pub requests: Rate,
    /// Requests without a valid token.
    pub guesses: Rate,
    /// Costly messages over WebSockets.
    pub messages: Rate,
    /// New games.
    pub games: Rate,
    /// How long a connection may take to show a valid token.
    pub patience: Duration,
    /// How long a connection may last after a request with a valid token.
    pub idle: Duration,
}

impl Default for PerAddress {
    fn default() -> PerAddress {
        let rate = |burst, a_second| Rate { burst, a_second };
        PerAddress {
            connections: 32,
            sockets: 16,
            requests: rate(120.0, 20.0),
            guesses: rate(20.0, 1.0 / 3.0),
            messages: rate(80.0, 40.0),
            games: rate(30.0, 0.1),
            patience: Duration::from_secs(10),
            idle: Duration::from_secs(60),
        }
    }
}

/// What is spent by one act.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spending {
    /// A request.
    Request,
    /// A request without a valid token.
    Guess,
    /// A costly message.
    Message,
    /// A new game.
    Game,
}

/// What is held open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holding {
    /// A connection.
    Connection,
    /// A WebSocket.
    Socket,
}

/// All addresses and what they have spent.
#[derive(Debug)]
pub struct Limits {
    per: PerAddress,
    visitors: Mutex<HashMap<IpAddr, Visitor>>,
}

#[derive(Debug)]
struct Visitor {
    /// Connections and WebSockets.
    held: [usize; 2],
    requests: Bucket,
    guesses: Bucket,
    messages: Bucket,
    games: Bucket,
    seen: Instant,
}

/// A connection or a WebSocket of an address; dropping it gives its place back.
#[derive(Debug)]
pub struct Held {
    limits: Arc<Limits>,
    address: IpAddr,
    what: Holding,
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(visitor) = self.limits.lock().get_mut(&self.address) {
            visitor.held[self.what as usize] -= 1;
        }
    }
}

impl Limits {
    /// Returns limits under which nothing has been spent.
    pub fn new(per: PerAddress) -> Limits {
        Limits {
            per,
            visitors: Mutex::default(),
        }
    }

    /// Returns what each address may do.
    pub fn per_address(&self) -> &PerAddress {
        &self.per
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, Visitor>> {
        // Each change is a single step, so a panic leaves nothing half done.
        self.visitors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for a connection or a WebSocket; `None` if the address has all of its own.
    pub fn hold(self: &Arc<Limits>, address: IpAddr, what: Holding) -> Option<Held> {
        let most = match what {
            Holding::Connection => self.per.connections,
            Holding::Socket => self.per.sockets,
        };
        let address = network_of(address);
        let mut visitors = self.lock();
        let held = &mut self.visitor(&mut visitors, address, Instant::now()).held[what as usize];
        if *held >= most {
            return None;
        }
        *held += 1;
        drop(visitors);
        Some(Held {
            limits: Arc::clone(self),
            address,
            what,
        })
    }

    /// Spends one of a kind; false if the address must wait.
    pub fn spend(&self, address: IpAddr, what: Spending) -> bool {
        self.pay(address, what, 1).is_ok()
    }

    /// Spends many of a kind at once.
    ///
    /// # Errors
    ///
    /// Fails with how long the address must wait, and spends nothing.
    pub fn pay(&self, address: IpAddr, what: Spending, number: u32) -> Result<(), Duration> {
        self.pay_at(address, what, number, Instant::now())
    }

    fn pay_at(
        &self,
        address: IpAddr,
        what: Spending,
        number: u32,
        now: Instant,
    ) -> Result<(), Duration> {
        let mut visitors = self.lock();
        let visitor = self.visitor(&mut visitors, network_of(address), now);
        let bucket = match what {
            Spending::Request => &mut visitor.requests,
            Spending::Guess => &mut visitor.guesses,
            Spending::Message => &mut visitor.messages,
            Spending::Game => &mut visitor.games,
        };
        bucket.pay(number.into(), now)
    }

    fn visitor<'a>(
        &self,
        visitors: &'a mut HashMap<IpAddr, Visitor>,
        address: IpAddr,
        now: Instant,
    ) -> &'a mut Visitor {
        if visitors.len() >= MOST_ADDRESSES && !visitors.contains_key(&address) {
            forget(visitors, now);
        }
        let visitor = visitors.entry(address).or_insert_with(|| Visitor {
            held: [0; 2],
            requests: Bucket::new(self.per.requests, now),
            guesses: Bucket::new(self.per.guesses, now),
            messages: Bucket::new(self.per.messages, now),
            games: Bucket::new(self.per.games, now),
            seen: now,
        });
        visitor.seen = now;
        visitor
    }
}

/// Forgets the addresses that have been silent for long; if there are none, the most silent one.
fn forget(visitors: &mut HashMap<IpAddr, Visitor>, now: Instant) {
    let quiet = |visitor: &Visitor| visitor.held == [0; 2];
    let before = visitors.len();
    visitors.retain(|_, visitor| {
        !quiet(visitor) || now.saturating_duration_since(visitor.seen) < FORGOTTEN
    });
    if visitors.len() < before {
        return;
    }
    let idle = visitors.iter().filter(|(_, visitor)| quiet(visitor));
    let oldest = idle.min_by_key(|(_, visitor)| visitor.seen);
    if let Some(address) = oldest.map(|(address, _)| *address) {
        visitors.remove(&address);
    }
}

/// Returns the address that an address counts as.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = u128::from(address) >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from(network))
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn address(last: u8) -> IpAddr {
        IpAddr::V4(Ipv4Addr::new(192, 168, 1, last))
    }

    #[test]
    fn an_address_that_takes_too_much_leaves_the_others_theirs() {
        let limits = Arc::new(Limits::new(PerAddress {
            connections: 2,
            ..PerAddress::default()
        }));
        let hold = |last| limits.hold(address(last), Holding::Connection);
        let first = hold(1);
        let _second = hold(1).expect("the second");
        assert!(hold(1).is_none());
        assert!(hold(2).is_some());
        assert!(limits.hold(address(1), Holding::Socket).is_some());
        drop(first);
        assert!(hold(1).is_some());
        let now = Instant::now();
        let pay = |last, what, now| limits.pay_at(address(last), what, 1, now).is_ok();
        let guess = |last| pay(last, Spending::Guess, now);
        assert_eq!((0..100).filter(|_| guess(1)).count(), 20);
        assert!(guess(2));
        assert!(pay(1, Spending::Request, now));
        let later = now + Duration::from_secs(4);
        assert!(pay(1, Spending::Guess, later));
    }

    #[test]
    fn a_network_of_the_sixth_version_counts_as_one_address() {
        let parse = |text: &str| -> IpAddr { text.parse().unwrap() };
        assert_eq!(
            network_of(parse("2001:db8:1:2:3:4:5:6")),
            network_of(parse("2001:db8:1:2::1"))
        );
        assert_ne!(
            network_of(parse("2001:db8:1:2::1")),
            network_of(parse("2001:db8:1:3::1"))
        );
        assert_eq!(network_of(parse("::ffff:192.168.1.7")), address(7));
    }

    #[test]
    fn the_list_of_addresses_is_bounded_and_keeps_whoever_is_connected() {
        let limits = Arc::new(Limits::new(PerAddress::default()));
        let held = limits.hold(address(1), Holding::Connection);
        for number in 0..MOST_ADDRESSES as u32 + 100 {
            limits.spend(IpAddr::V4(Ipv4Addr::from(number)), Spending::Guess);
        }
        let visitors = limits.lock();
        assert_eq!(visitors.len(), MOST_ADDRESSES);
        assert!(visitors.contains_key(&address(1)));
        drop(visitors);
        drop(held);
    }
}
