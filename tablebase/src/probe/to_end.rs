//! Plies to the end of a game, and whether the quiet limit leaves time for them.
//!
//! They are those of unlimited play, which minds no limit. A game that ends within the plies that
//! the limit leaves ends as in unlimited play: the winner who follows them comes nearer to the end
//! by one with every ply of either side, while the counter grows by one at most. So what is in time
//! stays in time. Where they are not in time, only the plies to the next capture say what is safe.

use anqi_rules::{Convention, Position, Precedence, Rules};

/// The plies to the end of a decided game if both sides aim at that, in unlimited play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ToEnd {
    /// The plies.
    pub plies: u16,
    /// Whether the game ends within them before any limit of the rules can draw it.
    pub in_time: bool,
}

impl ToEnd {
    /// Judges plies to the end under rules; `None` where the rules may end a game earlier.
    pub(super) fn under(rules: &Rules, position: &Position, plies: u16) -> Option<ToEnd> {
        if rules.convention == Convention::Course {
            return None;
        }
        let last = position.quiet_counter() + u32::from(plies);
        let in_time = rules
            .quiet_limit
            .is_none_or(|limit| match rules.precedence {
                Precedence::Draws => last < limit.get(),
                Precedence::Wins => last <= limit.get(),
            });
        Some(ToEnd { plies, in_time })
    }

    /// Returns the plies one ply earlier.
    #[must_use]
    pub fn before(self) -> ToEnd {
        ToEnd {
            plies: self.plies + 1,
            ..self
        }
    }

    /// Returns the plies if the game ends in time.
    pub fn certain(self) -> Option<u16> {
        self.in_time.then_some(self.plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_in_time_if_its_last_ply_reaches_the_limit_but_not_if_draws_come_first() {
        let judged = |rules: &Rules, quiet: u32, plies| {
            let text = format!("K3/4/4/4/4/4/4/3g r - {quiet} 999");
            let known = ToEnd::under(rules, &text.parse().unwrap(), plies);
            known.map(|known| known.in_time)
        };
        assert_eq!(judged(&Rules::PLATFORM, 40, 20), Some(true));
        assert_eq!(judged(&Rules::PLATFORM, 41, 20), Some(false));
        let draws_first = Rules {
            precedence: Precedence::Draws,
            ..Rules::PLATFORM
        };
        assert_eq!(judged(&draws_first, 40, 19), Some(true));
        assert_eq!(judged(&draws_first, 40, 20), Some(false));
        let unlimited = Rules {
            quiet_limit: None,
            ..Rules::PLATFORM
        };
        assert_eq!(judged(&unlimited, 900, 900), Some(true));
        assert_eq!(judged(&Rules::COURSE, 0, 1), None);
    }
}
