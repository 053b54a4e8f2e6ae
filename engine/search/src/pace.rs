//! When a search reads the clock, and when it stops to keep a limit.
//!
//! A [`Pace`] sees only pairs of a time and a number of nodes, so it can be tested without a
//! clock. It keeps back what an answer needs on its way ([`WIRE_MARGIN`]). On a machine with
//! more busy threads than cores a thread may wait milliseconds for its turn while the clock
//! runs; such a scheduling delay shows as a gap between two readings, and the longest recent
//! one is kept back too, as far as it is longer than an answer may be late.
//!
//! Near the limit the clock is read more often, so that slow machines are not late by the
//! nodes between two readings.

use std::time::Duration;

/// The most nodes between two readings of the clock and the flag.
pub(crate) const POLL_NODES: u64 = 512;
/// Nodes before the first reading, which tells the speed.
pub(crate) const FIRST_POLL_NODES: u64 = 64;
/// Nodes between two readings close to the limit, or on a very slow machine.
const LEAST_POLL_NODES: u64 = 16;
/// The time between two readings, as far as the speed of the last nodes tells.
const POLL_TIME: Duration = Duration::from_micros(500);
/// Kept back from every time limit for sending the answer: waking two threads and a pipe.
const WIRE_MARGIN: Duration = Duration::from_millis(2);
/// A scheduling delay up to this makes no answer later than servers allow for.
const HARMLESS_DELAY: Duration = Duration::from_millis(3);
/// A limit of less than this many margins is halved instead: there is little to search.
const LEAST_MARGINS: u32 = 4;

/// The readings of the clock during one decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    last_time: Duration,
    last_nodes: u64,
    longest_delay: Duration,
}

/// What follows from a reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reading {
    /// The limit would be exceeded.
    pub is_late: bool,
    /// The nodes until the next reading.
    pub next_in: u64,
    /// A longer delay than any before it.
    pub delay: Option<Duration>,
}

impl Pace {
    /// Begins at time zero; `delay` is the longest recent scheduling delay.
    pub(crate) fn new(delay: Duration) -> Pace {
        Pace {
            last_time: Duration::ZERO,
            last_nodes: 0,
            longest_delay: delay,
        }
    }

    /// Goes on from a time and a number of nodes: what came before them is no delay.
    pub(crate) fn go_on(&mut self, now: Duration, nodes: u64) {
        (self.last_time, self.last_nodes) = (now, nodes);
    }

    /// Takes in a reading under a time limit.
    pub(crate) fn read(&mut self, now: Duration, nodes: u64, limit: Duration) -> Reading {
        let gap = now.saturating_sub(self.last_time);
        let passed = nodes - self.last_nodes;
        (self.last_time, self.last_nodes) = (now, nodes);
        let delay = (gap > self.longest_delay).then_some(gap);
        self.longest_delay = self.longest_delay.max(gap);
        let left = deadline(limit, self.longest_delay).saturating_sub(now);
        Reading {
            is_late: left.is_zero(),
            next_in: affordable(left, gap, passed),
            delay,
        }
    }
}

/// Returns the nodes until the next reading: as many as fit, at the speed of the last ones, into
/// the usual time or a quarter of the time left, within bounds.
fn affordable(left: Duration, gap: Duration, passed: u64) -> u64 {
    let time = POLL_TIME.min(left / 4);
    let nodes = time.as_nanos() * u128::from(passed) / gap.as_nanos().max(1);
    // In bounds, so it fits.
    nodes.clamp(LEAST_POLL_NODES.into(), POLL_NODES.into()) as u64
}

/// Returns when to stop to keep a limit despite such a delay.
fn deadline(limit: Duration, delay: Duration) -> Duration {
    let margin = WIRE_MARGIN.min(limit / LEAST_MARGINS);
    let harmful = delay.saturating_sub(HARMLESS_DELAY);
    // However long the delay, half the time is for thinking.
    limit - (margin + harmful).min(limit / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// Searches at a speed under a limit, with stalls at some nodes, and returns when it stops.
    fn stops_at(limit: Duration, nanos_a_node: u64, stalls: &[(u64, Duration)]) -> Duration {
        let mut pace = Pace::new(Duration::ZERO);
        let (mut now, mut nodes, mut next) = (Duration::ZERO, 0, FIRST_POLL_NODES);
        loop {
            nodes += 1;
            now += Duration::from_nanos(nanos_a_node);
            let stalled = stalls.iter().filter(|(at, _)| *at == nodes);
            now += stalled.map(|(_, stall)| *stall).sum::<Duration>();
            if nodes == next {
                let reading = pace.read(now, nodes, limit);
                if reading.is_late {
                    return now;
                }
                assert!((LEAST_POLL_NODES..=POLL_NODES).contains(&reading.next_in));
                next = nodes + reading.next_in;
            }
        }
    }

    #[test]
    fn a_limit_is_used_but_for_the_way_of_the_answer() {
        // From a fast machine to one that takes 15 microseconds a node.
        for nanos in [300, 1_000, 4_000, 15_000] {
            for limit in [20, 100, 300, 1_000] {
                let end = stops_at(ms(limit), nanos, &[]);
                let least = ms(limit) - WIRE_MARGIN - HARMLESS_DELAY;
                // Reading the clock of a slow machine is itself a gap.
                assert!(end >= least, "{nanos} ns, {limit} ms: {end:?}");
                assert!(end <= ms(limit), "{nanos} ns, {limit} ms: {end:?}");
            }
        }
        assert!(stops_at(ms(300), 1_000, &[]) >= ms(298));
    }

    #[test]
    fn a_stall_at_the_end_makes_no_answer_late_once_it_has_been_seen() {
        // A stall of 8 ms early in the search, and another a moment before the limit.
        for micros in [292_000, 297_500] {
            let stalls = [(9_000, ms(8)), (micros - 8_000, ms(8))];
            let end = stops_at(ms(300), 1_000, &stalls);
            assert!(end <= ms(300) + HARMLESS_DELAY, "{micros}: {end:?}");
        }
        // Without the first the second is a surprise: late by no more than itself.
        let end = stops_at(ms(300), 1_000, &[(297_900, ms(5))]);
        assert!(end > ms(300) && end < ms(303), "{end:?}");
    }

    #[test]
    fn time_before_going_on_is_no_delay() {
        let mut pace = Pace::new(Duration::ZERO);
        pace.go_on(ms(40), 100);
        let reading = pace.read(ms(41), 1_100, ms(100));
        assert_eq!((reading.is_late, reading.delay), (false, Some(ms(1))));
        assert_eq!(reading.next_in, 500);
    }

    #[test]
    fn delays_are_kept_back_as_far_as_they_harm_but_never_more_than_half() {
        assert_eq!(deadline(ms(300), ms(0)), ms(298));
        assert_eq!(deadline(ms(300), ms(3)), ms(298));
        assert_eq!(deadline(ms(300), ms(8)), ms(293));
        assert_eq!(deadline(ms(20), ms(0)), ms(18));
        assert_eq!(deadline(ms(20), ms(7)), ms(14));
        assert_eq!(deadline(ms(20), ms(900)), ms(10));
        assert_eq!(deadline(ms(4), ms(0)), ms(3));
        assert_eq!(deadline(ms(0), ms(5)), ms(0));
    }

    #[test]
    fn the_clock_is_read_more_often_as_the_limit_comes_near() {
        let mut pace = Pace::new(Duration::ZERO);
        // A microsecond a node.
        let mut next = |micros: u64| {
            let reading = pace.read(Duration::from_micros(micros), micros, ms(3));
            (reading.next_in, reading.is_late)
        };
        // The limit is 3 ms less a quarter.
        assert_eq!(next(250), (500, false));
        assert_eq!(next(750), (375, false));
        assert_eq!(next(1_250), (250, false));
        assert_eq!(next(2_050), (50, false));
        assert_eq!(next(2_249), (LEAST_POLL_NODES, false));
        assert_eq!(next(2_250), (LEAST_POLL_NODES, true));
    }

    #[test]
    fn only_longer_delays_are_told() {
        let mut pace = Pace::new(ms(4));
        assert_eq!(pace.read(ms(3), 512, ms(300)).delay, None);
        assert_eq!(pace.read(ms(9), 1_024, ms(300)).delay, Some(ms(6)));
        assert_eq!(pace.read(ms(14), 1_536, ms(300)).delay, None);
    }
}
