//! [`Work`](crate::Work) and [`Found`](crate::Found) as JSON, for a thinker that shares no memory with the desk.
//!
//! Most of it is derived; here is what is not. A reviewed ply rounds its numbers when it is written, as the page
//! reads them, but a report sums them up, so they cross exactly beside it.

use anqi_analysis::ReviewedPly;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A set of pieces as its letters.
pub(crate) mod material {
    use super::{Deserialize, Deserializer, Serializer};
    use anqi_tablebase::classes::Material;
    use serde::de::Error;

    pub(crate) fn serialize<S: Serializer>(set: &Material, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(set)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Material, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(D::Error::custom)
    }
}

/// A reviewed ply with its exact numbers.
pub(crate) mod reviewed {
    use super::{Deserialize, Deserializer, ReviewedPly, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Exact {
        ply: Box<ReviewedPly>,
        numbers: Vec<f64>,
    }

    pub(crate) fn serialize<S: Serializer>(ply: &ReviewedPly, to: S) -> Result<S::Ok, S::Error> {
        let mut ply = Box::new(ply.clone());
        let numbers = ply.numbers().into_iter().map(|number| *number).collect();
        Exact { ply, numbers }.serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Box<ReviewedPly>, D::Error> {
        let Exact { mut ply, numbers } = Exact::deserialize(from)?;
        for (rounded, exact) in ply.numbers().into_iter().zip(numbers) {
            *rounded = exact;
        }
        Ok(ply)
    }
}

#[cfg(test)]
mod tests {
    use crate::material::TableFolder;
    use crate::practice::Drill;
    use crate::{Found, TableSet, Thinker, Work};
    use anqi_analysis::Rounds;
    use anqi_rules::{Game, Rules};
    use anqi_search::{Limits, Stop};
    use std::sync::Arc;
    use std::time::Duration;

    fn works() -> Vec<Work> {
        let text = "start moves b2(G) b3(k) a1(p)";
        let game = Game::from_text(text, Rules::PLATFORM).unwrap();
        let rounds = Rounds::new(game.clone(), 2, vec!["c3".parse().unwrap()], Some(3_000));
        let limits = Limits {
            nodes: Some(2_000),
            ..Limits::NONE
        };
        vec![
            Work::Move {
                game: game.clone(),
                spec: "champion:hash=1,tables=0".to_owned(),
                key: "k".to_owned(),
                begins: true,
                limits,
                seed: u64::MAX - 1,
            },
            Work::Round {
                rounds: Box::new(rounds),
                key: "a".to_owned(),
                time: Duration::from_secs(9),
            },
            Work::Review {
                game,
                index: 2,
                nodes: 300,
            },
            Work::Material {
                set: "Kgp".parse().unwrap(),
            },
            Work::Drill(Drill::choose("Kgp".parse().unwrap(), 3).unwrap()),
        ]
    }

    fn thinker() -> Thinker {
        let folder: Option<Box<dyn TableFolder>> = None;
        Thinker::new(Arc::new(TableSet::none()), None, folder)
    }

    /// What a thinker finds, as text that does not depend on the time.
    fn found(work: Work) -> String {
        let found = thinker().think(work, &Stop::new(), &mut |_| {}).unwrap();
        format!("{found:?}")
    }

    #[test]
    fn numbers_come_back_to_the_last_bit() {
        let sent: f64 = -0.187_460_000_000_000_02;
        let back: f64 = serde_json::from_str(&serde_json::to_string(&sent).unwrap()).unwrap();
        assert_eq!(back.to_bits(), sent.to_bits());
    }

    #[test]
    fn work_that_crosses_is_done_alike_and_its_result_comes_back_whole() {
        for work in works() {
            let there: Work = serde_json::from_str(&serde_json::to_string(&work).unwrap()).unwrap();
            let expected = found(work);
            let done = thinker().think(there, &Stop::new(), &mut |_| {}).unwrap();
            assert_eq!(format!("{done:?}"), expected);
            let text = serde_json::to_string(&done).unwrap();
            let back: Found = serde_json::from_str(&text).unwrap();
            match back {
                // What is only shown crosses with four decimals.
                Found::Round(..) => assert!(format!("{back:?}").starts_with(&expected[..200])),
                back => assert_eq!(format!("{back:?}"), expected),
            }
        }
    }
}
