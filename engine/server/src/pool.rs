//! The worker threads, shared by all games.
//!
//! Moves come before hints, hints before analyses, analyses before reviews; the
//! last two always leave one thread free, so that no game waits for an analysis.

use anqi_desk::{Found, Job, Kind, Work};
use anqi_search::{Report, Stop};
use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};

/// Does the work of a job.
pub type Think =
    Box<dyn Fn(Work, &Stop, &mut dyn FnMut(&Report)) -> Result<Found, String> + Send + Sync>;

/// The threads and their queue.
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
    think: Think,
    threads: usize,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {} threads", self.queue, self.threads)
    }
}

#[derive(Default)]
struct Queue {
    waiting: [VecDeque<Job>; 4],
    /// Running analyses and reviews.
    patient: usize,
    stops: Vec<Weak<Stop>>,
    closed: bool,
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lengths = self.waiting.each_ref().map(VecDeque::len);
        write!(f, "Queue({lengths:?})")
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Jobs run outside this lock, so a panic leaves nothing half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// Starts the threads, at least two; they do the work of jobs by `think`.
    pub fn new(threads: usize, think: Think) -> Pool {
        let threads = threads.max(2);
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            wake: Condvar::new(),
            think,
            threads,
        });
        let spawn = |_| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.work())
        };
        let handles = (0..threads).map(spawn).collect();
        Pool {
            shared,
            threads: Mutex::new(handles),
        }
    }

    /// Queues a job; its flag is raised when the pool closes.
    pub fn submit(&self, job: Job) {
        let mut queue = lock(&self.shared.queue);
        if queue.closed {
            return;
        }
        queue.stops.retain(|stop| stop.strong_count() > 0);
        queue.stops.push(Arc::downgrade(&job.stop));
        queue.waiting[job.kind as usize].push_back(job);
        drop(queue);
        self.shared.wake.notify_all();
    }

    /// Stops all jobs, and waits until every thread has ended.
    pub fn close(&self) {
        let mut queue = lock(&self.shared.queue);
        queue.closed = true;
        queue.waiting.iter_mut().for_each(VecDeque::clear);
        for stop in queue.stops.drain(..).filter_map(|stop| stop.upgrade()) {
            stop.request();
        }
        drop(queue);
        self.shared.wake.notify_all();
        let handles = std::mem::take(&mut *lock(&self.threads));
        for handle in handles {
            // Panics of jobs are caught; the threads themselves do not panic.
            let _ = handle.join();
        }
    }
}

impl Shared {
    fn work(&self) {
        while let Some(job) = self.next() {
            let kind = job.kind;
            // A job whose owner panics must not end its thread.
            let _ = catch_unwind(AssertUnwindSafe(|| job.run(&self.think)));
            if kind >= Kind::Analysis {
                lock(&self.queue).patient -= 1;
                self.wake.notify_all();
            }
        }
    }

    /// Waits for a job; `None` when the pool is closed.
    fn next(&self) -> Option<Job> {
        let mut queue = lock(&self.queue);
        loop {
            if queue.closed {
                return None;
            }
            if let Some(found) = queue.take(self.threads - 1) {
                return Some(found);
            }
            queue = self
                .wake
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Queue {
    /// Takes the most urgent job; an analysis or review only while fewer than `most` run.
    fn take(&mut self, most: usize) -> Option<Job> {
        for kind in [Kind::Move, Kind::Hint, Kind::Analysis, Kind::Review] {
            let patient = kind >= Kind::Analysis;
            if patient && self.patient >= most {
                continue;
            }
            if let Some(job) = self.waiting[kind as usize].pop_front() {
                self.patient += usize::from(patient);
                return Some(job);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_desk::Owner;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    const SOON: Duration = Duration::from_secs(10);

    /// The owner of a job that does something else than search.
    struct Doing<F>(Option<F>);

    impl<F: FnOnce() + Send> Owner for Doing<F> {
        fn begin(&mut self) -> Option<Work> {
            if let Some(what) = self.0.take() {
                what();
            }
            None
        }

        fn finish(self: Box<Self>, _: Result<Found, String>) {}
    }

    fn pool() -> Pool {
        Pool::new(2, Box::new(|_, _, _| Err("no thinker".to_owned())))
    }

    fn submit(pool: &Pool, kind: Kind, stop: &Arc<Stop>, what: impl FnOnce() + Send + 'static) {
        pool.submit(Job::new(kind, stop, Doing(Some(what))));
    }

    #[test]
    fn an_analysis_never_takes_the_last_thread() {
        let pool = pool();
        let (release, wait) = channel::<()>();
        let wait = Arc::new(Mutex::new(wait));
        let stop = Arc::new(Stop::new());
        for _ in 0..4 {
            let wait = Arc::clone(&wait);
            submit(&pool, Kind::Analysis, &stop, move || {
                let _ = lock(&wait).recv();
            });
        }
        let (done, finished) = channel();
        submit(&pool, Kind::Move, &stop, move || done.send(()).unwrap());
        assert_eq!(finished.recv_timeout(SOON), Ok(()));
        drop(release);
        pool.close();
    }

    #[test]
    fn a_panic_costs_nothing_but_its_job_and_closing_stops_the_rest() {
        let pool = pool();
        let stop = Arc::new(Stop::new());
        for _ in 0..5 {
            submit(&pool, Kind::Review, &stop, || panic!("as planned"));
        }
        let (done, finished) = channel();
        let seen = Arc::clone(&stop);
        submit(&pool, Kind::Review, &stop, move || {
            done.send(()).unwrap();
            while !seen.requested() {
                thread::yield_now();
            }
        });
        assert_eq!(finished.recv_timeout(SOON), Ok(()));
        pool.close();
        assert!(stop.requested());
    }
}
