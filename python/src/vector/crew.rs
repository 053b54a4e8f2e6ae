//! The threads that work on lanes, each on its share of them.

use super::lane::Lane;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// So many threads, started when they are first needed.
pub struct Crew {
    threads: usize,
    pool: Option<Pool>,
}

/// Threads, and the process that they belong to: a fork has none of them.
struct Pool {
    pool: ThreadPool,
    process: u32,
}

impl Crew {
    /// Returns a crew of so many threads; one is the caller's.
    pub fn new(threads: usize) -> Crew {
        Crew {
            threads,
            pool: None,
        }
    }

    /// Does some work for every lane, on all threads.
    pub fn each(&mut self, lanes: &mut [Lane], work: impl Fn(usize, &mut Lane) + Sync + Send) {
        let threads = self.threads.min(lanes.len());
        if threads <= 1 {
            let all = lanes.iter_mut().enumerate();
            all.for_each(|(index, lane)| work(index, lane));
            return;
        }
        let share = lanes.len().div_ceil(threads);
        let mut run = || {
            let shares = lanes.par_chunks_mut(share).enumerate();
            shares.for_each(|(chunk, lanes)| {
                for (place, lane) in lanes.iter_mut().enumerate() {
                    work(chunk * share + place, lane);
                }
            });
        };
        match self.pool(threads) {
            Some(pool) => pool.install(run),
            None => run(),
        }
    }

    fn pool(&mut self, threads: usize) -> Option<&ThreadPool> {
        let process = std::process::id();
        let is_ours = |pool: &Pool| pool.process == process;
        if !self.pool.as_ref().is_some_and(is_ours) {
            // Threads of another process cannot be ended, nor waited for.
            std::mem::forget(self.pool.take());
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            self.pool = pool.ok().map(|pool| Pool { pool, process });
        }
        self.pool.as_ref().map(|pool| &pool.pool)
    }
}
