//! A host for tests: its clock stands still until it is told, and it runs jobs and alarms when asked.

use crate::material::TableFolder;
use crate::{Alarm, Config, Found, Host, Job, Outbox, Services, TableSet, Thinker};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The host.
#[derive(Debug)]
pub struct Bench {
    now: Mutex<Duration>,
    seed: Mutex<u64>,
    jobs: Mutex<Vec<Job>>,
    alarms: Mutex<Vec<(Duration, Waiting)>>,
    thinker: Thinker,
}

struct Waiting(Alarm);

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Waiting")
    }
}

impl Bench {
    /// Returns a host without tables, and services on it.
    pub fn new(config: Config) -> (Arc<Bench>, Services) {
        let tables = Arc::new(TableSet::none());
        let folder: Option<Box<dyn TableFolder>> = None;
        let bench = Arc::new(Bench {
            now: Mutex::new(Duration::from_secs(1_000_000)),
            seed: Mutex::new(1),
            jobs: Mutex::default(),
            alarms: Mutex::default(),
            thinker: Thinker::new(Arc::clone(&tables), None, folder),
        });
        let host: Arc<dyn Host> = bench.clone();
        let config = Arc::new(config);
        let services = Services {
            host,
            config,
            tables,
            folder: None,
        };
        (bench, services)
    }

    /// Lets time pass, and rings the alarms that are due.
    pub fn pass(&self, time: Duration) {
        let now = {
            let mut now = self.now.lock().unwrap();
            *now += time;
            *now
        };
        let mut alarms = self.alarms.lock().unwrap();
        let (due, later) = std::mem::take(&mut *alarms)
            .into_iter()
            .partition(|(at, _)| *at <= now);
        *alarms = later;
        drop(alarms);
        let due: Vec<(Duration, Waiting)> = due;
        for (_, alarm) in due {
            (alarm.0)();
        }
    }

    /// Runs the jobs that wait, and returns how many there were.
    pub fn work(&self) -> usize {
        let jobs = std::mem::take(&mut *self.jobs.lock().unwrap());
        let count = jobs.len();
        for job in jobs {
            job.run(|work, stop, report| self.thinker.think(work, stop, report));
        }
        count
    }

    /// Lets the jobs that wait panic.
    pub fn fail(&self) {
        let jobs = std::mem::take(&mut *self.jobs.lock().unwrap());
        for job in jobs {
            job.run(|_, _, _| -> Result<Found, String> { panic!("as planned") });
        }
    }
}

impl Host for Bench {
    fn now(&self) -> Duration {
        *self.now.lock().unwrap()
    }

    fn unix_seconds(&self) -> Option<u64> {
        None
    }

    fn random(&self, bytes: &mut [u8]) -> Result<(), String> {
        let mut seed = self.seed.lock().unwrap();
        bytes.fill_with(|| anqi_rules::random::split_mix(&mut seed) as u8);
        Ok(())
    }

    fn submit(&self, job: Job) {
        self.jobs.lock().unwrap().push(job);
    }

    fn after(&self, delay: Duration, alarm: Alarm) {
        let at = self.now() + delay;
        self.alarms.lock().unwrap().push((at, Waiting(alarm)));
    }

    fn warn(&self, warning: &str) {
        panic!("{warning}");
    }
}

/// Returns an outbox and what is sent to it.
pub fn outbox(connection: u64) -> (Outbox, Receiver<String>) {
    let (sender, receiver) = channel();
    let sink = move |text| {
        // A test that has heard enough is no failure.
        let _ = sender.send(text);
    };
    (Outbox::new(connection, Arc::new(sink)), receiver)
}
