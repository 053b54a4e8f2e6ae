//! Reading a question: the query of an address, and the body of a batch.

use anqi_rules::notation::excerpt;
use anqi_rules::{Position, Rules};

use super::refusal::Refusal;
use crate::options::rules;

/// The most positions of a batch.
pub const MOST_POSITIONS: u32 = 1000;

/// The most bytes of a position: more than any has.
const POSITION_BYTES: usize = 256;

/// The parameters of an address.
#[derive(Debug)]
pub struct Question {
    /// The position, not yet read.
    pub position: Option<String>,
    /// The rules that values are for.
    pub rules: Rules,
}

impl Question {
    /// Reads the query of an address.
    pub fn read(query: &str) -> Result<Question, Refusal> {
        let (mut position, mut name) = (None, None);
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let slot = match &*key {
                "position" => &mut position,
                "rules" => &mut name,
                _ => {
                    return wrong(format!(
                        "'{}' is not a parameter (expected position or rules)",
                        excerpt(&key)
                    ));
                }
            };
            if slot.replace(value.into_owned()).is_some() {
                return wrong(format!("{key} is given twice"));
            }
        }
        let name = name.as_deref().unwrap_or("none");
        let rules = rules(name).map_err(|expected| {
            Refusal::Wrong(format!("'{}' are not rules ({expected})", excerpt(name)))
        })?;
        Ok(Question { position, rules })
    }

    /// Returns the position, which must be there.
    pub fn position(&self) -> Result<Position, Refusal> {
        match &self.position {
            Some(text) => read_position(text),
            None => wrong("the parameter position is missing".to_owned()),
        }
    }
}

/// Reads a position.
pub fn read_position(text: &str) -> Result<Position, Refusal> {
    let text = text.trim();
    if text.len() > POSITION_BYTES {
        let length = text.len();
        return wrong(format!(
            "a position of {length} bytes (expected {POSITION_BYTES} at most)"
        ));
    }
    text.parse()
        .map_err(|error| Refusal::Wrong(format!("'{}' is {error}", excerpt(text))))
}

/// Reads a batch: a list of texts in JSON.
pub fn read_batch(body: &[u8]) -> Result<Vec<String>, Refusal> {
    let texts: Vec<String> = serde_json::from_slice(body).map_err(|error| {
        Refusal::Wrong(format!(
            "the body is not a list of positions in JSON: {error}"
        ))
    })?;
    if texts.len() > MOST_POSITIONS as usize {
        let length = texts.len();
        return wrong(format!(
            "{length} positions (expected {MOST_POSITIONS} at most)"
        ));
    }
    Ok(texts)
}

fn wrong<T>(text: String) -> Result<T, Refusal> {
    Err(Refusal::Wrong(text))
}
