//! Thinking time: the time left, and how much of it one action may take.

use anqi_protocol::command::GoClock;
use anqi_rules::{ByColor, Color};
use anqi_search::TimeLimit;
use std::num::NonZeroU32;
use std::time::Duration;

/// Time for an action without any limit or clock.
const UNTIMED: Duration = Duration::from_secs(1);

/// The thinking time of both sides, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Clocks {
    pub(super) total: Option<Duration>,
    pub(super) left: ByColor<Option<Duration>>,
}

impl Clocks {
    /// Both sides have all their time.
    pub(super) fn both(total: Duration) -> Clocks {
        Clocks {
            total: Some(total),
            left: ByColor([Some(total); 2]),
        }
    }

    /// Returns the time limit that follows from the clock of a side, `None` before the first flip.
    pub(super) fn limit(&self, color: Option<Color>) -> TimeLimit {
        match color.map_or(self.total, |color| self.left[color]) {
            Some(left) => TimeLimit::Total {
                left,
                increment: Duration::ZERO,
            },
            None => TimeLimit::PerMove(UNTIMED),
        }
    }

    /// Subtracts thinking time; before the first flip, when no side is known, from both.
    ///
    /// A server that reports `time_left` corrects this at once; one that does
    /// not would otherwise see its engine run out of time.
    pub(super) fn spend(&mut self, color: Option<Color>, time: Duration) {
        for side in Color::ALL {
            if color.is_none_or(|color| color == side) {
                self.left[side] = self.left[side].map(|left| left.saturating_sub(time));
            }
        }
    }
}

/// Returns the time limit that the clocks of a `go` give the side to move.
///
/// Before the first flip neither side has a colour: the shorter clock then counts.
/// `None` if the clock of this side is unknown.
pub(super) fn limit_from(clock: &GoClock, color: Option<Color>) -> Option<TimeLimit> {
    let side = match color {
        Some(color) => color,
        None => Color::ALL
            .into_iter()
            .filter(|&side| clock.left[side].is_some())
            .min_by_key(|&side| clock.left[side])?,
    };
    let (left, increment) = (clock.left[side]?, clock.increment[side]);
    Some(match clock.moves_to_go {
        Some(moves) => TimeLimit::PerMove(share(left, increment, moves)),
        None => TimeLimit::Total { left, increment },
    })
}

/// Returns the time for one move if what is left must last for this many.
fn share(left: Duration, increment: Duration, moves: NonZeroU32) -> Duration {
    let share = left / moves.get() + increment * 3 / 4;
    // The last move before the time control leaves a tenth for sending the answer.
    share.min(left * 9 / 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn clock(red: Option<u64>, black: Option<u64>, moves: u32) -> GoClock {
        GoClock {
            left: ByColor([red.map(ms), black.map(ms)]),
            increment: ByColor([ms(40), ms(80)]),
            moves_to_go: NonZeroU32::new(moves),
        }
    }

    #[test]
    fn each_side_has_its_own_clock_and_the_shorter_one_counts_before_the_first_flip() {
        let both = clock(Some(3_000), Some(2_000), 0);
        let total = |left, increment| {
            Some(TimeLimit::Total {
                left: ms(left),
                increment: ms(increment),
            })
        };
        assert_eq!(limit_from(&both, Some(Color::Red)), total(3_000, 40));
        assert_eq!(limit_from(&both, Some(Color::Black)), total(2_000, 80));
        assert_eq!(limit_from(&both, None), total(2_000, 80));
        let one = clock(Some(3_000), None, 0);
        assert_eq!(limit_from(&one, None), total(3_000, 40));
        assert_eq!(limit_from(&one, Some(Color::Black)), None);
    }

    #[test]
    fn moves_to_go_share_the_time_and_never_bet_all_of_it() {
        let limit = |moves| limit_from(&clock(Some(1_000), None, moves), Some(Color::Red));
        assert_eq!(limit(10), Some(TimeLimit::PerMove(ms(130))));
        assert_eq!(limit(1), Some(TimeLimit::PerMove(ms(900))));
    }
}
