//! Work on all threads, or one task after another on targets without threads.

/// Does `work` for each task; tasks own what they write to, so the order does not matter.
#[cfg(feature = "os")]
pub(crate) fn for_each<T: Send>(tasks: Vec<T>, work: impl Fn(T) + Sync + Send) {
    use rayon::prelude::*;
    if tasks.len() < 2 {
        tasks.into_iter().for_each(work);
    } else {
        tasks.into_par_iter().for_each(work);
    }
}

/// Does `work` for each task.
#[cfg(not(feature = "os"))]
pub fn for_each<T: Send>(tasks: Vec<T>, work: impl Fn(T) + Sync + Send) {
    tasks.into_iter().for_each(work);
}

/// Maps items on all threads; results come in the order of the items.
#[cfg(feature = "os")]
pub(crate) fn map<'a, T: Sync, R: Send>(
    items: &'a [T],
    work: impl Fn(&'a T) -> R + Sync + Send,
) -> Vec<R> {
    use rayon::prelude::*;
    items.par_iter().map(work).collect()
}

/// Maps items; results come in the order of the items.
#[cfg(not(feature = "os"))]
pub fn map<'a, T: Sync, R: Send>(
    items: &'a [T],
    work: impl Fn(&'a T) -> R + Sync + Send,
) -> Vec<R> {
    items.iter().map(work).collect()
}
