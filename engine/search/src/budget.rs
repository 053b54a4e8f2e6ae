//! Budgets: when to stop thinking.
//!
//! A [`Budget`] turns limits into one cheap check at every node: nodes are
//! compared each time, clock and flag only every few hundred nodes (`pace.rs` has
//! when). Threads with one limit of nodes draw them in small lots from one
//! [`NodePool`], so that together they visit no more than one thread would.

use crate::clock::{Clock, Delays, share};
use crate::pace::{FIRST_POLL_NODES, POLL_NODES, Pace};
use crate::player::{Limits, Stop, TimeLimit};
use anqi_rules::Position;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Nodes that several threads may still visit together.
#[derive(Debug)]
pub struct NodePool {
    left: AtomicU64,
    /// The number drawn at once.
    lot: u64,
}

impl NodePool {
    /// Returns a pool of this many nodes for this many threads.
    pub fn new(nodes: u64, threads: usize) -> NodePool {
        // Small enough that no thread starves the others, large enough that draws are rare.
        let lot = (nodes / (8 * threads.max(1) as u64)).clamp(1, POLL_NODES);
        NodePool {
            left: AtomicU64::new(nodes),
            lot,
        }
    }

    /// Takes a lot, less at the end and nothing after it.
    fn draw(&self) -> u64 {
        let take = |left: u64| Some(left.saturating_sub(self.lot));
        let before = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        before.unwrap_or(0).min(self.lot)
    }
}

/// What is left to spend on one decision.
#[derive(Debug)]
pub struct Budget<'a> {
    stop: &'a Stop,
    /// The source of more nodes when those granted are used up.
    pool: Option<&'a NodePool>,
    clock: Clock,
    limit: Option<Duration>,
    pace: Pace,
    /// The number of nodes at which clock and flag are read next.
    next_poll: u64,
    delays: Option<&'a Delays>,
    /// After this no deeper iteration begins.
    soft_deadline: Option<Duration>,
    most_nodes: u64,
    nodes: u64,
    spent: bool,
    /// Whether work was allowed since the clock was read: that time is no scheduling delay.
    worked: AtomicBool,
}

impl<'a> Budget<'a> {
    /// Returns the budget for a decision in this position, counted from now.
    pub fn in_position(limits: &Limits, position: &Position, stop: &'a Stop) -> Budget<'a> {
        Budget::with_face_down(limits, position.face_down().len(), stop)
    }

    /// Returns the budget for these limits, counted from now; a total time is divided as on the open board.
    pub fn new(limits: &Limits, stop: &'a Stop) -> Budget<'a> {
        Budget::with_face_down(limits, 0, stop)
    }

    fn with_face_down(limits: &Limits, face_down: usize, stop: &'a Stop) -> Budget<'a> {
        let (share, limit) = match limits.time {
            TimeLimit::None => (None, None),
            // Unspent time is lost, and half an iteration is better than none.
            TimeLimit::PerMove(time) => (None, Some(time)),
            TimeLimit::Total { left, increment } => {
                let share = share(left, increment, face_down);
                (Some(share), Some(share))
            }
        };
        Budget {
            stop,
            pool: None,
            clock: Clock::start(),
            limit,
            pace: Pace::new(Duration::ZERO),
            next_poll: FIRST_POLL_NODES,
            delays: None,
            soft_deadline: share.map(|share| share / 2),
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            spent: false,
            worked: AtomicBool::new(false),
        }
    }

    /// Returns the budget with a pool to draw from when its own nodes are used up.
    #[must_use]
    pub(crate) fn with_pool(mut self, pool: Option<&'a NodePool>) -> Budget<'a> {
        self.pool = pool;
        self
    }

    /// Returns the budget with shared delays, which it allows for and updates.
    #[must_use]
    pub(crate) fn with_delays(mut self, delays: Option<&'a Delays>) -> Budget<'a> {
        self.pace = Pace::new(delays.map_or(Duration::ZERO, Delays::fade));
        self.delays = delays;
        self
    }

    /// Counts one node and returns whether the budget is spent.
    #[inline]
    pub fn visit(&mut self) -> bool {
        if self.spent {
            // Nodes visited while the search unwinds do not count.
            return true;
        }
        self.nodes += 1;
        if self.nodes >= self.most_nodes && !self.draw() {
            self.spent = true;
        } else if self.nodes >= self.next_poll {
            self.poll();
        }
        self.spent
    }

    /// Draws more nodes from the pool, and returns whether there were any.
    #[cold]
    fn draw(&mut self) -> bool {
        let drawn = self.pool.map_or(0, NodePool::draw);
        self.most_nodes = self.most_nodes.saturating_add(drawn);
        drawn > 0
    }

    /// Reads the clock and the flag.
    pub(crate) fn poll(&mut self) {
        let late = self.limit.is_some_and(|limit| self.is_late(limit));
        if self.limit.is_none() {
            self.next_poll = self.nodes + POLL_NODES;
        }
        self.spent |= late || self.stop.requested();
    }

    /// Returns whether to stop now to keep this limit, and records the scheduling delay.
    fn is_late(&mut self, limit: Duration) -> bool {
        if std::mem::take(self.worked.get_mut()) {
            self.pace.go_on(self.elapsed(), self.nodes);
        }
        let reading = self.pace.read(self.elapsed(), self.nodes, limit);
        self.next_poll = self.nodes + reading.next_in;
        if let (Some(delay), Some(delays)) = (reading.delay, self.delays) {
            delays.note(delay);
        }
        reading.is_late
    }

    /// Returns whether another, deeper iteration would hardly finish in time.
    pub(crate) fn is_nearly_spent(&mut self) -> bool {
        self.poll();
        let late = self.soft_deadline.is_some_and(|end| self.elapsed() >= end);
        self.spent || late
    }

    /// Returns whether some milliseconds of work may begin that nothing interrupts: in the first half of a time limit,
    /// and until the flag is seen.
    pub(crate) fn allows_work(&self) -> bool {
        let is_early = self.limit.is_none_or(|limit| self.elapsed() < limit / 2);
        let allowed = is_early && !self.stop.requested();
        self.worked.fetch_or(allowed, Ordering::Relaxed);
        allowed
    }

    /// Returns whether the budget is spent.
    #[inline]
    pub(crate) fn is_spent(&self) -> bool {
        self.spent
    }

    /// Returns the nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the time spent so far.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_exact_and_the_flag_is_seen() {
        let stop = Stop::new();
        let limits = Limits {
            nodes: Some(700),
            ..Limits::NONE
        };
        let mut budget = Budget::new(&limits, &stop);
        assert_eq!((0..).take_while(|_| !budget.visit()).count(), 699);
        let mut endless = Budget::new(&Limits::NONE, &stop);
        stop.request();
        assert!((0..).take_while(|_| !endless.visit()).count() < 1_000);
    }

    #[test]
    fn a_total_time_is_divided_by_the_pieces_face_down() {
        let stop = Stop::new();
        let (left, increment) = (Duration::from_secs(60), Duration::from_secs(1));
        let limits = Limits {
            time: TimeLimit::Total { left, increment },
            ..Limits::NONE
        };
        let start = Budget::in_position(&limits, &Position::start(), &stop);
        assert_eq!(start.limit, Some(share(left, increment, 32)));
        assert!(start.limit < Budget::new(&limits, &stop).limit);
    }

    #[test]
    fn work_that_nothing_interrupts_begins_early_or_not_at_all() {
        let stop = Stop::new();
        let allows = |time| {
            Budget::new(
                &Limits {
                    time,
                    ..Limits::NONE
                },
                &stop,
            )
            .allows_work()
        };
        let hour = Duration::from_secs(3_600);
        assert!(allows(TimeLimit::None) && allows(TimeLimit::PerMove(hour)));
        assert!(!allows(TimeLimit::PerMove(Duration::ZERO)));
        stop.request();
        assert!(!allows(TimeLimit::None) && !allows(TimeLimit::PerMove(hour)));
    }

    #[test]
    fn threads_that_share_a_pool_visit_what_is_in_it() {
        let stop = Stop::new();
        let pool = NodePool::new(10_000, 3);
        let own = Limits {
            nodes: Some(0),
            ..Limits::NONE
        };
        let visited = |limits: &Limits| {
            let mut budget = Budget::new(limits, &stop).with_pool(Some(&pool));
            while !budget.visit() {}
            budget.nodes()
        };
        let counts: Vec<u64> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..3).map(|_| scope.spawn(|| visited(&own))).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        let total: u64 = counts.iter().sum();
        assert!((10_000..=10_003).contains(&total), "{counts:?}");
        assert_eq!(pool.draw(), 0);
    }
}
