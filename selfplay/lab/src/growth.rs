//! How strength grows with nodes or time: matches of a player with itself, one side of which may spend more.

use std::fmt;
use std::path::PathBuf;

use anqi_match::Summary;
use anqi_match::export::schema::What;
use anqi_match::export::source::{MatchSourceError, SavedMatch};
use anqi_match::limits::{Limits, TimeControl};
use anqi_match::report::plot::standalone;
use anqi_match::sequential::Analysis;
use anqi_match::statistics::elo::EloEstimate;

use crate::tuning::plot::{Axes, Point, Series, scores};

/// What a side may spend on a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Spent {
    /// So many nodes.
    Nodes(u64),
    /// So many milliseconds.
    Time(u64),
}

/// What the side that may spend more gains.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gain {
    /// What the other side may spend.
    pub less: Spent,
    /// What it may spend itself.
    pub more: Spent,
    /// Games played.
    pub games: u64,
    /// Its Elo over the other, with the luck taken out where that was measured.
    pub elo: Option<EloEstimate>,
}

/// Why a match does not say how strength grows.
#[derive(Debug, thiserror::Error)]
pub enum GrowthError {
    /// It cannot be read.
    #[error(transparent)]
    Source(#[from] MatchSourceError),
    /// Its players differ.
    #[error("{}: {a} plays {b}, not itself", folder.display())]
    Players {
        /// Its folder.
        folder: PathBuf,
        /// Player A.
        a: String,
        /// Player B.
        b: String,
    },
    /// Its limits cannot be compared.
    #[error("{}: one side must have more nodes or more time a move than the other, and nothing else (A has {a}, B {b})", folder.display())]
    Limits {
        /// Its folder.
        folder: PathBuf,
        /// The limits of A.
        a: String,
        /// The limits of B.
        b: String,
    },
    /// Nodes and time.
    #[error("some of these matches are by nodes and some by time: name them apart")]
    Mixed,
}

impl Spent {
    fn of(limits: &Limits) -> Option<Spent> {
        match *limits {
            Limits {
                nodes: Some(nodes),
                depth: None,
                time: None,
            } => Some(Spent::Nodes(nodes)),
            Limits {
                nodes: None,
                depth: None,
                time: Some(TimeControl::PerMove { move_ms }),
            } => Some(Spent::Time(move_ms)),
            _ => None,
        }
    }

    fn amount(self) -> u64 {
        let (Spent::Nodes(amount) | Spent::Time(amount)) = self;
        amount
    }

    /// Returns how many times another it is; `None` if the two are of different kinds or either is nothing.
    fn over(self, other: Spent) -> Option<f64> {
        let same = matches!(self, Spent::Nodes(_)) == matches!(other, Spent::Nodes(_));
        let (own, other) = (self.amount() as f64, other.amount() as f64);
        (same && own > 0.0 && other > 0.0).then_some(own / other)
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spent::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Spent::Time(milliseconds) => write!(f, "{milliseconds} ms"),
        }
    }
}

impl Gain {
    fn of(saved: &SavedMatch) -> Result<Gain, GrowthError> {
        let identity = &saved.meta.identity;
        let names = &identity.names;
        if names.a != names.b {
            return Err(GrowthError::Players {
                folder: saved.folder.clone(),
                a: names.a.clone(),
                b: names.b.clone(),
            });
        }
        let limits = &identity.limits;
        let spent = Spent::of(&limits.a).zip(Spent::of(&limits.b));
        let compared = spent.filter(|(a, b)| a != b && a.over(*b).is_some());
        let Some((a, b)) = compared else {
            return Err(GrowthError::Limits {
                folder: saved.folder.clone(),
                a: limits.a.to_string(),
                b: limits.b.to_string(),
            });
        };
        let summary = Summary::new(&saved.records, &Analysis::default());
        let of_a = match &summary.without_luck {
            Some(without) => without.elo,
            None => summary.elo,
        };
        let games = 2 * summary.pentanomial.pairs();
        Ok(Gain::between([a, b], games, of_a))
    }

    /// From what A and B may spend, and A's Elo.
    fn between([a, b]: [Spent; 2], games: u64, of_a: Option<EloEstimate>) -> Gain {
        let is_more = a > b;
        let (more, less) = if is_more { (a, b) } else { (b, a) };
        let sign = if is_more { 1.0 } else { -1.0 };
        let elo = of_a.map(|found| EloEstimate {
            elo: sign * found.elo,
            ..found
        });
        Gain {
            less,
            more,
            games,
            elo,
        }
    }

    /// Returns the Elo for twice as much: the gain by the doublings.
    pub fn for_a_doubling(&self) -> Option<EloEstimate> {
        let doublings = self.more.over(self.less)?.log2();
        self.elo.map(|found| EloEstimate {
            elo: found.elo / doublings,
            error: found.error.map(|error| error / doublings),
        })
    }
}

/// Reads matches; returns what more nodes or time gain in each, the least spent first.
///
/// # Errors
///
/// Fails if a folder holds no match of a player with itself, one side of which may spend more, or if
/// some are by nodes and some by time.
pub fn read(folders: &[PathBuf]) -> Result<Vec<Gain>, GrowthError> {
    let matches = SavedMatch::read_all(What::Games, folders)?;
    let mut gains = matches
        .iter()
        .map(Gain::of)
        .collect::<Result<Vec<Gain>, GrowthError>>()?;
    gains.sort_by_key(|gain| (gain.less, gain.more));
    let by_nodes = |gain: &Gain| matches!(gain.less, Spent::Nodes(_));
    if gains.iter().any(by_nodes) && !gains.iter().all(by_nodes) {
        return Err(GrowthError::Mixed);
    }
    Ok(gains)
}

/// Draws the Elo for twice as much over what the weaker side spends.
pub fn picture(gains: &[Gain]) -> String {
    let x = |gain: &Gain| (gain.less.amount() as f64).log2();
    let point = |gain: &Gain| {
        let EloEstimate { elo, error } = gain.for_a_doubling()?;
        Some(Point {
            x: x(gain),
            y: elo,
            error: error?,
        })
    };
    let labels: Vec<(f64, String)> = gains
        .iter()
        .map(|gain| (x(gain), gain.less.amount().to_string()))
        .collect();
    let by_nodes = matches!(gains.first().map(|gain| gain.less), Some(Spent::Nodes(_)));
    standalone(&scores(
        &[Series {
            name: String::new(),
            points: gains.iter().filter_map(point).collect(),
        }],
        &Axes {
            labels: &labels,
            x: if by_nodes {
                "nodes a move"
            } else {
                "milliseconds a move"
            },
            y: "Elo for twice as much, 95 %",
            equal: 0.0,
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gain(less: u64, more: u64, elo: f64) -> Gain {
        Gain {
            less: Spent::Nodes(less),
            more: Spent::Nodes(more),
            games: 100,
            elo: Some(EloEstimate {
                elo,
                error: Some(20.0),
            }),
        }
    }

    #[test]
    fn four_times_as_much_are_two_doublings() {
        let found = gain(1000, 4000, 90.0).for_a_doubling().unwrap();
        assert_eq!((found.elo, found.error), (45.0, Some(10.0)));
        assert_eq!(Spent::Nodes(1).over(Spent::Time(1)), None);
        assert_eq!(Spent::Time(30).over(Spent::Time(0)), None);
    }

    #[test]
    fn the_elo_is_that_of_the_side_with_more() {
        let [few, many] = [1000, 2000].map(Spent::Nodes);
        let of_a = gain(1, 2, -30.0).elo;
        let found = Gain::between([few, many], 100, of_a);
        assert_eq!(found, gain(1000, 2000, 30.0));
        let found = Gain::between([many, few], 100, of_a);
        assert_eq!(found, gain(1000, 2000, -30.0));
    }

    #[test]
    fn a_picture_has_a_point_for_each_match_that_has_an_error() {
        let mut endless = gain(8000, 16_000, 0.0);
        endless.elo = None;
        let svg = picture(&[gain(500, 1000, 80.0), gain(2000, 4000, 60.0), endless]);
        assert_eq!(svg.matches("<circle").count(), 2, "{svg}");
        assert!(
            svg.contains("60.000 ± 20.000") && svg.contains(">8000<"),
            "{svg}"
        );
    }
}
