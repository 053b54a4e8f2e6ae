//! The champion's levels: how much each of them sees.
//!
//! A weak level errs by seeing less, not by giving pieces away: it looks few plies ahead and
//! overlooks most quiet actions, but neither captures nor moves of attacked pieces (the first level
//! often does: attacks, and what its cannons could capture), and it does not
//! know the endgame tables. Stronger ones see all actions and differ in the number of positions.

use crate::player::Limits;
use crate::tree::Settings;
use std::num::NonZeroU32;

/// The level without limits of its own.
pub(super) const TOP_LEVEL: u32 = LEVELS.len() as u32 + 1;

/// What a level sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LevelLimits {
    /// The depth of its search.
    depth: Option<u32>,
    /// As the settings of the same names.
    sight: Option<NonZeroU32>,
    glance: u32,
    oversight: u32,
    /// The positions it visits.
    nodes: Option<u64>,
    /// Whether it uses endgame tables.
    pub tables: bool,
}

/// Levels 1 to 9; each scores about as well against the one before as the next against it.
const LEVELS: [LevelLimits; 9] = [
    LevelLimits {
        oversight: 78,
        ..seeing(1, 1)
    },
    seeing(1, 1),
    LevelLimits {
        glance: 57,
        ..seeing(1, 1)
    },
    seeing(1, 2),
    seeing(1, 3),
    seeing(2, 5),
    seeing(3, 7),
    visiting(800),
    visiting(3_300),
];

const UNLIMITED: LevelLimits = LevelLimits {
    depth: None,
    sight: None,
    glance: 0,
    oversight: 0,
    nodes: None,
    tables: true,
};

const fn seeing(depth: u32, sight: u32) -> LevelLimits {
    LevelLimits {
        depth: Some(depth),
        sight: NonZeroU32::new(sight),
        tables: false,
        ..UNLIMITED
    }
}

const fn visiting(nodes: u64) -> LevelLimits {
    LevelLimits {
        nodes: Some(nodes),
        ..UNLIMITED
    }
}

impl LevelLimits {
    /// Returns what a level sees, counted from 1.
    pub(super) fn of(level: u32) -> LevelLimits {
        let found = LEVELS.get(level as usize - 1);
        found.copied().unwrap_or(UNLIMITED)
    }

    /// Restricts what was asked for.
    pub(super) fn limits(self, asked: Limits) -> Limits {
        Limits {
            depth: [self.depth, asked.depth].into_iter().flatten().min(),
            nodes: [self.nodes, asked.nodes].into_iter().flatten().min(),
            ..asked
        }
    }

    /// Restricts the settings of a search, unless they are exact: the shorter sight counts.
    pub(super) fn settings(self, own: Settings) -> Settings {
        let has_shorter = own.sight.is_some_and(|own| Some(own) <= self.sight);
        if self.sight.is_none() || has_shorter || own.is_exact() {
            return own;
        }
        Settings {
            sight: self.sight,
            glance: self.glance,
            oversight: self.oversight,
            ..own
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: Limits = Limits {
        depth: None,
        nodes: Some(2_000),
        ..Limits::NONE
    };

    #[test]
    fn each_level_sees_at_least_as_much_as_the_one_below() {
        let order = |level: u32| {
            let LevelLimits {
                depth,
                sight,
                glance,
                oversight,
                nodes,
                tables,
            } = LevelLimits::of(level);
            let all = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
            let actions = sight.map(|sight| u64::from(sight.get()));
            (
                all(depth.map(u64::from)),
                all(nodes).min(all(actions)),
                glance,
                100 - oversight,
                tables,
            )
        };
        for level in 1..TOP_LEVEL {
            assert!(order(level) < order(level + 1), "{level}");
        }
    }

    #[test]
    fn the_narrower_limit_counts() {
        let nodes = |level| LevelLimits::of(level).limits(ASKED).nodes;
        assert_eq!(
            [nodes(7), nodes(8), nodes(9), nodes(10)],
            [Some(2_000), Some(800), Some(2_000), Some(2_000)]
        );
        let sight = |level, own| {
            let own = NonZeroU32::new(own);
            let settings = Settings {
                sight: own,
                ..Settings::FULL
            };
            LevelLimits::of(level)
                .settings(settings)
                .sight
                .map(NonZeroU32::get)
        };
        assert_eq!(sight(4, 0), Some(2));
        assert_eq!(sight(4, 1), Some(1));
        assert_eq!(sight(4, 7), Some(2));
        assert_eq!(sight(9, 7), Some(7));
        assert_eq!(sight(9, 0), None);
        let exact = LevelLimits::of(1).settings(Settings::EXACT);
        assert_eq!(exact.sight, None);
    }
}
