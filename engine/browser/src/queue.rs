//! The jobs of the one mind: which is next, and which must make way.
//!
//! Moves come before hints, hints before analyses, analyses before reviews. A round of an analysis or a
//! ply of a review that runs while a move or a hint waits is stopped, forgotten and begun again later.

use crate::outside::{Post, Urgency};
use anqi_desk::{Found, Job, Kind, Work};
use anqi_search::Report;
use std::collections::VecDeque;

/// A job, and its work if it has begun before.
struct Waiting {
    job: Job,
    work: Option<Work>,
}

/// The job of the mind.
struct Running {
    number: u32,
    job: Job,
    work: Work,
    /// How the mind has been told to end it.
    told: Option<Urgency>,
    /// Whether it makes way for a more urgent one.
    makes_way: bool,
}

/// The jobs.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: [VecDeque<Waiting>; 4],
    running: Option<Running>,
    last_number: u32,
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lengths = self.waiting.each_ref().map(VecDeque::len);
        let running = self.running.as_ref().map(|running| running.number);
        write!(f, "Queue({lengths:?}, running {running:?})")
    }
}

/// What follows from a look at the queue.
pub(crate) enum Next {
    /// A job to begin; [`Queue::start`] takes it back with its work.
    Begin(Job),
    /// Something for the mind.
    Post(Post),
    /// Nothing.
    Idle,
}

impl Queue {
    /// Adds a job.
    pub(crate) fn add(&mut self, job: Job) {
        let work = None;
        self.waiting[job.kind as usize].push_back(Waiting { job, work });
    }

    /// Returns what is to be done now.
    pub(crate) fn next(&mut self) -> Next {
        if self.running.is_some() {
            return self.hurry();
        }
        let Some(Waiting { job, work }) = self.waiting.iter_mut().find_map(VecDeque::pop_front)
        else {
            return Next::Idle;
        };
        match work.filter(|_| !job.stop.requested()) {
            Some(work) => Next::Post(self.start(job, work)),
            None => Next::Begin(job),
        }
    }

    /// Lets the mind do the work of a job.
    pub(crate) fn start(&mut self, job: Job, work: Work) -> Post {
        self.last_number = self.last_number.wrapping_add(1);
        let number = self.last_number;
        // Work is made of keys and numbers, so it can be written.
        let text = serde_json::to_string(&work).unwrap_or_default();
        self.running = Some(Running {
            number,
            job,
            work,
            told: None,
            makes_way: false,
        });
        Post::Work(number, text)
    }

    /// Tells the mind to end its work, if nobody wants it or somebody wants something more urgent.
    fn hurry(&mut self) -> Next {
        let urgent = [Kind::Move, Kind::Hint];
        let is_awaited = urgent
            .iter()
            .any(|kind| !self.waiting[*kind as usize].is_empty());
        let Some(running) = &mut self.running else {
            return Next::Idle;
        };
        let is_patient = running.job.kind >= Kind::Analysis;
        let is_unwanted = running.job.stop.requested();
        running.makes_way |= is_patient && is_awaited && !is_unwanted;
        let urgency = if !is_unwanted && !running.makes_way {
            return Next::Idle;
        } else if is_awaited || !is_patient {
            Urgency::Now
        } else {
            Urgency::Soon
        };
        if running.told >= Some(urgency) {
            return Next::Idle;
        }
        running.told = Some(urgency);
        Next::Post(Post::Stop(running.number, urgency))
    }

    /// Passes on how far the mind is.
    pub(crate) fn progress(&mut self, report: &Report) {
        if let Some(running) = &mut self.running {
            running.job.progress(report);
        }
    }

    /// Takes the job whose work has ended, unless it has to be begun again.
    pub(crate) fn ended(&mut self) -> Option<Job> {
        let running = self.running.take()?;
        if running.makes_way && !running.job.stop.requested() {
            let waiting = Waiting {
                work: Some(running.work),
                job: running.job,
            };
            self.waiting[waiting.job.kind as usize].push_front(waiting);
            return None;
        }
        Some(running.job)
    }
}

/// Reads what the mind has found.
pub(crate) fn read_found(text: &str) -> Result<Found, String> {
    serde_json::from_str(text).map_err(|error| format!("an answer that cannot be read: {error}"))
}
