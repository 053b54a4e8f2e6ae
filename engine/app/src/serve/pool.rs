//! The worker threads, shared by all games.
//!
//! Moves come before hints, hints before analyses, analyses before reviews; the
//! last two always leave one thread free, so that no game waits for an analysis.
//! Between turns players are idle; their number is limited, which bounds the
//! memory of all games together.

use anqi_rules::Rules;
use anqi_search::spec::SpecError;
use anqi_search::{Player, Stop, players};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};

/// The most idle players.
const IDLE_PLAYERS: usize = 12;

/// The purpose of a task; the first is the most urgent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A move in a game.
    Move,
    /// A hint for a person.
    Hint,
    /// A step of an analysis.
    Analysis,
    /// A ply of a review.
    Review,
}

/// Work for one thread.
pub type Task = Box<dyn FnOnce(&IdlePlayers) + Send>;

/// The threads and their queue.
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
    idle: IdlePlayers,
    threads: usize,
}

#[derive(Default)]
struct Queue {
    waiting: [VecDeque<Task>; 4],
    /// Running analyses and reviews.
    patient: usize,
    stops: Vec<Weak<Stop>>,
    closed: bool,
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lengths = self.waiting.each_ref().map(VecDeque::len);
        write!(f, "Queue({lengths:?})")
    }
}

/// Idle players, by key.
#[derive(Default)]
pub struct IdlePlayers {
    players: Mutex<VecDeque<(String, Box<dyn Player>)>>,
}

impl std::fmt::Debug for IdlePlayers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("IdlePlayers")
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Tasks run outside all these locks, so a panic leaves nothing half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// Starts the threads, at least two.
    pub fn new(threads: usize) -> Pool {
        let threads = threads.max(2);
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            wake: Condvar::new(),
            idle: IdlePlayers::default(),
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

    /// Queues a task; `stop` is raised when the pool closes.
    pub fn submit(&self, kind: Kind, stop: &Arc<Stop>, task: Task) {
        let mut queue = lock(&self.shared.queue);
        if queue.closed {
            return;
        }
        queue.stops.retain(|stop| stop.strong_count() > 0);
        queue.stops.push(Arc::downgrade(stop));
        queue.waiting[kind as usize].push_back(task);
        drop(queue);
        self.shared.wake.notify_all();
    }

    /// Stops all tasks, and waits until every thread has ended.
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
            // Panics of tasks are caught; the threads themselves do not panic.
            let _ = handle.join();
        }
    }
}

impl Shared {
    fn work(&self) {
        while let Some((kind, task)) = self.next() {
            // A task that panics must not end its thread.
            let _ = catch_unwind(AssertUnwindSafe(|| task(&self.idle)));
            if kind >= Kind::Analysis {
                lock(&self.queue).patient -= 1;
                self.wake.notify_all();
            }
        }
    }

    /// Waits for a task; `None` when the pool is closed.
    fn next(&self) -> Option<(Kind, Task)> {
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
    /// Takes the most urgent task; an analysis or review only while fewer than `most` run.
    fn take(&mut self, most: usize) -> Option<(Kind, Task)> {
        for kind in [Kind::Move, Kind::Hint, Kind::Analysis, Kind::Review] {
            let patient = kind >= Kind::Analysis;
            if patient && self.patient >= most {
                continue;
            }
            if let Some(task) = self.waiting[kind as usize].pop_front() {
                self.patient += usize::from(patient);
                return Some((kind, task));
            }
        }
        None
    }
}

impl IdlePlayers {
    /// Takes the player with this key, or makes one.
    ///
    /// # Errors
    ///
    /// Returns an error if the spec is invalid.
    pub fn take(&self, key: &str, spec: &str, rules: Rules) -> Result<Box<dyn Player>, SpecError> {
        let kept = {
            let mut players = lock(&self.players);
            let place = players.iter().position(|(known, _)| known == key);
            place.and_then(|place| players.remove(place))
        };
        if let Some((_, player)) = kept {
            return Ok(player);
        }
        let mut player = players::by_spec(spec)?;
        // A player without all of its resources still plays.
        let _ = player.prepare(rules);
        Ok(player)
    }

    /// Keeps a player for its next turn, and prints its warnings; beyond the limit the oldest one is dropped.
    pub fn keep(&self, key: String, mut player: Box<dyn Player>) {
        crate::print_warning(&mut *player);
        let mut players = lock(&self.players);
        players.push_back((key, player));
        let gone = (players.len() > IDLE_PLAYERS).then(|| players.pop_front());
        drop(players);
        drop(gone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    const SOON: Duration = Duration::from_secs(10);

    #[test]
    fn an_analysis_never_takes_the_last_thread() {
        let pool = Pool::new(2);
        let (release, wait) = channel::<()>();
        let wait = Arc::new(Mutex::new(wait));
        let stop = Arc::new(Stop::new());
        for _ in 0..4 {
            let wait = Arc::clone(&wait);
            let task = move |_: &IdlePlayers| {
                let _ = lock(&wait).recv();
            };
            pool.submit(Kind::Analysis, &stop, Box::new(task));
        }
        let (done, finished) = channel();
        let task = move |_: &IdlePlayers| done.send(()).unwrap();
        pool.submit(Kind::Move, &stop, Box::new(task));
        assert_eq!(finished.recv_timeout(SOON), Ok(()));
        drop(release);
        pool.close();
    }

    #[test]
    fn a_panic_costs_nothing_but_its_task_and_closing_stops_the_rest() {
        let pool = Pool::new(2);
        let stop = Arc::new(Stop::new());
        for _ in 0..5 {
            pool.submit(Kind::Review, &stop, Box::new(|_| panic!("as planned")));
        }
        let (done, finished) = channel();
        let seen = Arc::clone(&stop);
        let task = move |_: &IdlePlayers| {
            done.send(()).unwrap();
            while !seen.requested() {
                thread::yield_now();
            }
        };
        pool.submit(Kind::Review, &stop, Box::new(task));
        assert_eq!(finished.recv_timeout(SOON), Ok(()));
        pool.close();
        assert!(stop.requested());
    }

    #[test]
    fn the_bench_keeps_only_so_many() {
        let idle = IdlePlayers::default();
        let rules = Rules::OLYMPIAD;
        for game in 0..IDLE_PLAYERS + 3 {
            let player = idle.take(&game.to_string(), "random", rules).unwrap();
            idle.keep(game.to_string(), player);
        }
        assert_eq!(lock(&idle.players).len(), IDLE_PLAYERS);
        assert!(idle.take("new", "nobody", rules).is_err());
    }
}
