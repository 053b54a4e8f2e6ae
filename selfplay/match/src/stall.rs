//! How long the machine had no core for a player: late answers that are not the player's fault.
//!
//! Linux counts for each thread how long it was ready to run and waited for a core, and for each core of a
//! virtual machine how long the host took it away. Elsewhere nothing is known, and nothing is said.

use std::fs;
use std::thread;
use std::time::Duration;

/// The kernel counts a core's lost time at the core's next tick.
const COUNTED: Duration = Duration::from_millis(25);

/// What the details of a late answer say if the machine explains it.
pub const REMARK: &str = "the machine had no core for it during";

/// Returns how long this thread has waited for a core so far.
pub fn of_this_thread() -> Option<Duration> {
    waited(&fs::read_to_string("/proc/thread-self/schedstat").ok()?)
}

/// Returns how long the thread of a process that waited longest has waited so far, and this thread, which
/// reads what the process says.
pub fn of_process(id: u32) -> Option<Duration> {
    let threads = fs::read_dir(format!("/proc/{id}/task")).ok()?;
    let waits = threads.flatten().filter_map(|thread| {
        // A thread may have ended meanwhile.
        waited(&fs::read_to_string(thread.path().join("schedstat")).ok()?)
    });
    Some(waits.max()? + of_this_thread()?)
}

/// How long the host of a virtual machine has taken away each core so far.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Stolen(Vec<Duration>);

impl Stolen {
    /// Returns the times so far, nothing if they are not known.
    pub fn now() -> Stolen {
        Stolen::read(&fs::read_to_string("/proc/stat").unwrap_or_default())
    }

    /// Returns how long the core that was taken away longest has been taken away since then; waits first
    /// until the kernel has counted it.
    pub fn passed(&self) -> Duration {
        thread::sleep(COUNTED);
        Stolen::now().since(self)
    }

    /// Reads the eighth number of each core's line: hundredths of a second.
    fn read(statistics: &str) -> Stolen {
        let cores = statistics.lines().filter_map(|line| {
            let (core, numbers) = line.split_once(' ')?;
            let number = core.strip_prefix("cpu")?;
            number.parse::<u32>().ok()?;
            let hundredths = numbers.split_whitespace().nth(7)?.parse::<u64>().ok()?;
            Some(Duration::from_millis(hundredths.saturating_mul(10)))
        });
        Stolen(cores.collect())
    }

    fn since(&self, before: &Stolen) -> Duration {
        let pairs = self.0.iter().zip(&before.0);
        let each = pairs.map(|(now, before)| now.saturating_sub(*before));
        each.max().unwrap_or_default()
    }
}

/// Returns the details of an answer that was late by `late`, while the machine had no core for
/// the player during `stalled`; servers allow for `margin`.
pub fn details(late: Duration, stalled: Duration, margin: Duration) -> String {
    let late_ms = late.as_millis();
    if late <= stalled + margin && stalled > Duration::ZERO {
        let stalled_ms = stalled.as_micros().div_ceil(1_000);
        format!("answered {late_ms} ms too late; {REMARK} {stalled_ms} ms")
    } else {
        format!("answered {late_ms} ms too late")
    }
}

/// Reads the second number of a thread's statistics: nanoseconds of waiting.
fn waited(statistics: &str) -> Option<Duration> {
    let nanoseconds = statistics.split_whitespace().nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_os = "linux")]
    use std::thread::ScopedJoinHandle;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_late_answer_is_excused_only_by_a_stall_as_long() {
        let said = details(ms(13), ms(8), ms(6));
        assert_eq!(said, format!("answered 13 ms too late; {REMARK} 8 ms"));
        assert_eq!(details(ms(13), ms(6), ms(6)), "answered 13 ms too late");
        assert_eq!(details(ms(4), ms(0), ms(6)), "answered 4 ms too late");
    }

    #[test]
    fn statistics_are_read_and_damaged_ones_say_nothing() {
        assert_eq!(waited("5230987 2000000 17\n"), Some(ms(2)));
        assert_eq!(waited("5230987"), None);
        assert_eq!(waited("5230987 x 17"), None);
        assert_eq!(of_process(0), None);
    }

    #[test]
    fn the_core_that_was_taken_away_longest_counts() {
        let read = |first: u64, second: u64| {
            Stolen::read(&format!(
                "cpu  9 9 9 9 9 9 9 99 0 0\ncpu0 5 0 7 1 0 0 2 {first} 0 0\n\
                 cpu1 5 0 7 1 0 0 2 {second} 0 0\nintr 5 0 7 1 0 0 2 4 0\n"
            ))
        };
        let before = read(3, 50);
        assert_eq!(read(13, 52).since(&before), ms(100));
        assert_eq!(read(3, 50).since(&before), ms(0));
        assert_eq!(before.since(&read(13, 52)), ms(0));
        assert_eq!(
            Stolen::read("cpu0 1 2 3\ncpuX 1 2 3 4 5 6 7 8\n"),
            Stolen::default()
        );
        assert_eq!(read(13, 52).since(&Stolen::default()), ms(0));
    }

    /// Two threads that compete for one core wait for each other.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_that_waits_for_a_core_is_seen_to_wait() {
        let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let until = std::time::Instant::now() + ms(400);
        let busy = || {
            while std::time::Instant::now() < until {
                std::hint::spin_loop();
            }
            of_this_thread()
        };
        let waits: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..2 * cores).map(|_| scope.spawn(busy)).collect();
            threads.into_iter().map(ScopedJoinHandle::join).collect()
        });
        let waits: Vec<Duration> = waits.into_iter().flatten().flatten().collect();
        // Without these statistics in the kernel nothing is said.
        if waits.iter().any(|wait| *wait > Duration::ZERO) {
            let all: Duration = waits.iter().sum();
            assert!(all > ms(100), "{waits:?}");
            assert!(of_process(std::process::id()).is_some());
        }
    }
}
