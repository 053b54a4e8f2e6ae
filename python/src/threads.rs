//! Long work: on threads of its own, ended by Ctrl-C, and safe after a fork.

use crate::errors::{InternalError, panicked};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How often a wait looks for Ctrl-C.
const GLANCE: Duration = Duration::from_millis(50);
/// The stack of a thread that searches, whatever that of the calling one is.
const STACK_BYTES: usize = 16 << 20;

/// The threads that solve tables, and the process that they belong to.
static SOLVERS: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Does work that solves tables on all threads. A fork has none of the threads of its parent, so it
/// gets new ones.
pub fn solving<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let process = std::process::id();
    let pool = {
        let mut solvers = SOLVERS.lock().unwrap_or_else(PoisonError::into_inner);
        match &*solvers {
            Some((owner, pool)) if *owner == process => Some(Arc::clone(pool)),
            _ => {
                let built = ThreadPoolBuilder::new().stack_size(STACK_BYTES).build();
                let built = built.ok().map(Arc::new);
                // The old threads belong to another process.
                std::mem::forget(solvers.take());
                *solvers = built.clone().map(|pool| (process, pool));
                built
            }
        }
    };
    match pool {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Starts some work on a thread of its own; the result comes through the receiver.
pub fn start<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<Receiver<thread::Result<T>>> {
    let (sender, receiver) = sync_channel(1);
    let run = move || {
        // The caller may have gone.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
    };
    let started = thread::Builder::new().stack_size(STACK_BYTES).spawn(run);
    started
        .map_err(|error| InternalError::new_err(format!("no thread can be started: {error}")))?;
    Ok(receiver)
}

/// Waits for an item without the interpreter's lock; Ctrl-C calls `stop` and raises its exception.
///
/// `None` if there will be no more items.
pub fn wait<T: Send>(
    py: Python<'_>,
    items: &Mutex<Receiver<T>>,
    stop: impl Fn(),
) -> PyResult<Option<T>> {
    loop {
        let found = py.detach(|| {
            let items = items.lock().unwrap_or_else(PoisonError::into_inner);
            items.recv_timeout(GLANCE)
        });
        match found {
            Ok(item) => return Ok(Some(item)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(interrupted) = py.check_signals() {
                    stop();
                    return Err(interrupted);
                }
            }
        }
    }
}

/// Does some work on a thread of its own and waits for it; Ctrl-C calls `stop`, which must end it.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    stop: impl Fn(),
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let receiver = Mutex::new(start(work)?);
    let found = wait(py, &receiver, stop);
    if found.is_err() {
        // What the thread holds is free again once it has ended.
        let _ = py.detach(|| {
            receiver
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .recv()
        });
    }
    match found? {
        Some(Ok(done)) => Ok(done),
        Some(Err(payload)) => Err(panicked(&*payload)),
        None => Err(InternalError::new_err("a thread ended without an answer")),
    }
}
