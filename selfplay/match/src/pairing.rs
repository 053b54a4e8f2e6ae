//! Which games a match consists of, and which of them a shard plays.
//!
//! The unit of work is the *pair*: one deal, played twice, each side starting
//! once. Pairs are numbered from zero; a shard `i/n` owns every n-th of them,
//! so that shards of equal size share a match whatever its length.

use std::fmt;
use std::str::FromStr;

use crate::side::Side;

/// The starter of each game of a pair.
pub const STARTERS: [Side; 2] = [Side::A, Side::B];

/// One of several parts of a match that are played separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which part, from 1.
    pub index: u64,
    /// How many parts there are.
    pub count: u64,
}

/// Why a text is not a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a shard (expected i/n with 1 <= i <= n, such as 2/3)")]
pub struct ParseShardError(String);

impl Shard {
    /// The shard that is the whole match.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    /// Returns whether this shard plays the pair.
    pub fn owns(self, pair: u64) -> bool {
        pair % self.count == self.index - 1
    }

    /// Lists the pairs this shard plays, of a match of `pairs` pairs.
    pub fn pairs(self, pairs: u64) -> impl Iterator<Item = u64> {
        (0..pairs).filter(move |&pair| self.owns(pair))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Shard, ParseShardError> {
        let parse = || {
            let (index, count) = text.split_once('/')?;
            let shard = Shard {
                index: index.parse().ok()?,
                count: count.parse().ok()?,
            };
            (1 <= shard.index && shard.index <= shard.count).then_some(shard)
        };
        parse().ok_or_else(|| ParseShardError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_all_pairs_and_overlap_nowhere() {
        for count in 1..6 {
            let mut all: Vec<u64> = (1..=count)
                .flat_map(|index| Shard { index, count }.pairs(17))
                .collect();
            all.sort_unstable();
            assert_eq!(all, (0..17).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn shards_parse_what_they_print_and_refuse_the_impossible() {
        let shard = Shard { index: 2, count: 3 };
        assert_eq!(shard.to_string().parse(), Ok(shard));
        for bad in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/3/5", "-1/3"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
