//! The desk's host: one mind, and alarms that the surroundings ring.

use crate::outside::{Outside, Post};
use crate::queue::{Next, Queue, read_found};
use anqi_desk::{Alarm, Found, Host, Job};
use anqi_search::Report;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The host.
pub(crate) struct BrowserHost {
    outside: Arc<dyn Outside>,
    queue: Mutex<Queue>,
    alarms: Mutex<Vec<(Duration, Alarm)>>,
}

impl fmt::Debug for BrowserHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BrowserHost({:?})", self.queue)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Whoever is called under these locks takes none of them.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl BrowserHost {
    /// Returns a host without jobs.
    pub(crate) fn new(outside: Arc<dyn Outside>) -> BrowserHost {
        BrowserHost {
            outside,
            queue: Mutex::default(),
            alarms: Mutex::default(),
        }
    }

    /// Gives the mind what it should do now.
    pub(crate) fn pump(&self) {
        loop {
            let next = lock(&self.queue).next();
            match next {
                Next::Idle => return,
                Next::Post(post) => self.outside.post(post),
                Next::Begin(mut job) => {
                    if let Some(work) = job.begin() {
                        let post = lock(&self.queue).start(job, work);
                        self.outside.post(post);
                    }
                }
            }
        }
    }

    /// Takes in how far the mind is.
    pub(crate) fn progress(&self, report: &Report) {
        lock(&self.queue).progress(report);
    }

    /// Takes in what the mind has found, or why it found nothing.
    pub(crate) fn ended(&self, found: Result<&str, String>) {
        let ended = lock(&self.queue).ended();
        if let Some(job) = ended {
            let found: Result<Found, String> = found.and_then(read_found);
            job.finish(found);
        }
    }

    /// Rings the alarms that are due, and returns the time until the next one.
    pub(crate) fn ring(&self) -> Option<Duration> {
        let now = self.now();
        let due: Vec<(Duration, Alarm)> = lock(&self.alarms)
            .extract_if(.., |(at, _)| *at <= now)
            .collect();
        for (_, alarm) in due {
            alarm();
        }
        let alarms = lock(&self.alarms);
        let next = alarms.iter().map(|(at, _)| *at).min();
        next.map(|at| at.saturating_sub(now))
    }
}

impl Host for BrowserHost {
    fn now(&self) -> Duration {
        self.outside.now()
    }

    fn unix_seconds(&self) -> Option<u64> {
        Some(self.outside.unix_seconds())
    }

    fn random(&self, bytes: &mut [u8]) -> Result<(), String> {
        self.outside.random(bytes)
    }

    fn submit(&self, job: Job) {
        lock(&self.queue).add(job);
    }

    fn after(&self, delay: Duration, alarm: Alarm) {
        let at = self.now().saturating_add(delay);
        lock(&self.alarms).push((at, alarm));
    }

    fn keep(&self, text: &dyn Fn() -> String) {
        self.outside.post(Post::Keep(text()));
    }

    fn warn(&self, warning: &str) {
        self.outside.post(Post::Warning(warning.to_owned()));
    }
}
