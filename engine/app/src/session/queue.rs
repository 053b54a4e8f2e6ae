//! What a conversation has to do: the running job, and the requests that wait their turn.

use super::Done;
use super::dialect::{Hold, Incoming};
use anqi_protocol::command::GoLimits;
use anqi_protocol::{Command, Reply, Request};
use anqi_search::Stop;
use std::sync::Arc;
use std::time::Instant;

/// A request that waits its turn.
pub(super) struct Waiting {
    pub(super) incoming: Incoming,
    /// When it arrived; `None` if it had to wait for others before it.
    pub(super) arrival: Option<Instant>,
    /// A later `stop` ends it too.
    pub(super) cut: bool,
    /// It is the last of its line.
    pub(super) ends_line: bool,
}

/// The result of a job.
pub(super) enum Ended {
    /// Of one that ran.
    Done(Done),
    /// Of one that was answered without running.
    Reply(Reply),
}

/// The running job.
pub(super) struct Running {
    pub(super) stop: Arc<Stop>,
    pub(super) bounded: bool,
    pub(super) hold: Hold,
    /// Its result, if it has ended.
    pub(super) result: Option<Ended>,
    /// When `ponderhit` arrived; the search then begins again with a clock.
    pub(super) hit: Option<Instant>,
}

impl Running {
    /// Returns a job that ended before it began, with this answer.
    pub(super) fn ended(reply: Reply, hold: Hold) -> Running {
        Running {
            stop: Arc::default(),
            bounded: true,
            hold,
            result: Some(Ended::Reply(reply)),
            hit: None,
        }
    }

    /// Ends the job; its answer is held back no longer.
    pub(super) fn end(&mut self) {
        self.stop.request();
        self.hold = Hold::Free;
        self.hit = None;
    }
}

impl Waiting {
    /// Returns the limits of a search on the opponent's time.
    pub(super) fn pondering(&mut self) -> Option<&mut GoLimits> {
        match &mut self.incoming.parsed {
            Ok(Some(Request {
                command: Command::Go(limits),
                ..
            })) if limits.ponder => Some(limits),
            _ => None,
        }
    }
}
