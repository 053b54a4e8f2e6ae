//! Why a question has no answer.

use anqi_tablebase::facedown::Refused;

/// Why a question has no answer.
#[derive(Debug)]
pub enum Refusal {
    /// The question is wrong.
    Wrong(String),
    /// No table has the answer.
    Unknown(String),
    /// A table that has the answer is damaged; the text, which names a file, is for the operator.
    Damaged(String),
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Refusal {
        match refused {
            Refused::Damaged(what) => Refusal::Damaged(what),
            Refused::Pieces { found, most } => Refusal::Unknown(format!(
                "no table has this position of {found} pieces, face up and face down; without one at most \
                 {most} are solved on the spot"
            )),
            Refused::NotBegun | Refused::Distance(_) => Refusal::Unknown(refused.to_string()),
        }
    }
}
