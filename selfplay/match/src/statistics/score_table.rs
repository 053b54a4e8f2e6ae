//! The paper's table: wins, draws and losses by who starts, and the advantage ratio.
//!
//! RS_{p,q}(p) = (2 win + draw) / n over the games that p starts against q, and
//! AR(p,q) = RS_{p,q}(p) + RS_{q,p}(p): from 0 to 4, 2 between equals, and
//! AR(p,q) + AR(q,p) = 4 ("Chinese Dark Chess", ICGA Journal 33(2), 2010).

use serde::Serialize;

use crate::side::{BySide, Side};

/// Results of the games one side started, as that side sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct StarterRow {
    /// Games the starter won.
    pub win: u64,
    /// Drawn games.
    pub draw: u64,
    /// Games the starter lost.
    pub loss: u64,
}

impl StarterRow {
    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.win + self.draw + self.loss
    }

    /// Returns the starter's score RS, from 0 to 2.
    pub fn starter_score(&self) -> Option<f64> {
        self.ratio(2 * self.win + self.draw)
    }

    /// Returns the other side's score RS, from 0 to 2.
    pub fn other_score(&self) -> Option<f64> {
        self.ratio(2 * self.loss + self.draw)
    }

    fn ratio(&self, half_points: u64) -> Option<f64> {
        (self.games() > 0).then(|| half_points as f64 / self.games() as f64)
    }
}

/// Results by the starting player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct ScoreTable {
    /// The games each side started.
    pub rows: BySide<StarterRow>,
}

impl ScoreTable {
    /// Counts a game.
    pub fn add(&mut self, starter: Side, winner: Option<Side>) {
        let row = &mut self.rows[starter];
        match winner {
            None => row.draw += 1,
            Some(winner) if winner == starter => row.win += 1,
            Some(_) => row.loss += 1,
        }
    }

    /// Returns what `side` scored in the games that `starter` started, from 0 to 2.
    pub fn score(&self, starter: Side, side: Side) -> Option<f64> {
        let row = &self.rows[starter];
        if side == starter {
            row.starter_score()
        } else {
            row.other_score()
        }
    }

    /// Returns the advantage ratio of `side` over the other.
    pub fn advantage_ratio(&self, side: Side) -> Option<f64> {
        let (own, theirs) = (&self.rows[side], &self.rows[!side]);
        if own.games() != theirs.games() {
            return Some(own.starter_score()? + theirs.other_score()?);
        }
        // One division for both rows: the sum of both views is then 4 to the last bit.
        let half_points = 2 * own.win + own.draw + 2 * theirs.loss + theirs.draw;
        own.ratio(half_points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(a: (u64, u64, u64), b: (u64, u64, u64)) -> ScoreTable {
        let row = |(win, draw, loss)| StarterRow { win, draw, loss };
        ScoreTable {
            rows: BySide {
                a: row(a),
                b: row(b),
            },
        }
    }

    #[test]
    fn the_papers_table_gives_the_papers_ratio() {
        // BASIC starts: 9 wins, 57 draws, 34 losses; ENHANCE starts: 47, 46, 7.
        let table = table((9, 57, 34), (47, 46, 7));
        assert_eq!(table.score(Side::B, Side::B), Some(1.40));
        assert_eq!(table.score(Side::A, Side::B), Some(1.25));
        assert_eq!(table.advantage_ratio(Side::B), Some(2.65));
        assert_eq!(table.advantage_ratio(Side::A), Some(1.35));
    }

    #[test]
    fn both_views_sum_to_four_exactly() {
        for games in 1..120 {
            for win in 0..=games {
                let table = table((win, 0, games - win), (0, games - win, win));
                let a = table.advantage_ratio(Side::A).expect("games");
                let b = table.advantage_ratio(Side::B).expect("games");
                assert_eq!(a + b, 4.0, "{games} {win}");
            }
        }
    }

    #[test]
    fn games_are_counted_from_the_starters_side() {
        let mut counted = ScoreTable::default();
        counted.add(Side::A, Some(Side::A));
        counted.add(Side::A, None);
        counted.add(Side::B, Some(Side::A));
        counted.add(Side::B, None);
        assert_eq!(counted, table((1, 1, 0), (0, 1, 1)));
        assert_eq!(ScoreTable::default().advantage_ratio(Side::A), None);
    }
}
