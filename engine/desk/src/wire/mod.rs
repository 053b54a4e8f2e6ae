//! The messages between the page and the desk: JSON objects, one a text.
//!
//! - Squares are `a1` … `d8`. Pieces are letters: KGMRNCP red, kgmrncp black.
//! - Actions are `b2-b2` (flip b2) or `b2-b3` (move or capture). Plies, which are actions that have
//!   happened, are `b2(G)` (a flip and what it revealed) or `b2-b3`.
//! - Seats are numbered by who begins: seat 0 makes the first ply. Colours follow from the first flip.
//! - Values are expected results from -1 (lost) to +1 (won), for the side to move unless a comment says
//!   otherwise. Points are on the same scale.
//! - Times are whole milliseconds.
//!
//! The page's types are made from these: a test (`typescript.rs`) writes them, and fails where the page
//! has others.

mod about;
#[cfg(test)]
mod pretty;
mod request;
mod response;
#[cfg(test)]
mod typescript;
mod values;

pub use about::{About, LimitsView, Reach};
pub use request::*;
pub use response::*;
pub use values::*;

use serde::Serialize;

/// Reads a message and its number, which its answers carry.
///
/// # Errors
///
/// Returns an error if the message is malformed, with its number if that could be read.
pub fn read(text: &str) -> Result<(Option<u64>, ClientMessage), (Option<u64>, Refusal)> {
    let malformed = |message: String| Refusal::new(Code::Malformed, message);
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|e| (None, malformed(format!("not JSON: {e}"))))?;
    let serde_json::Value::Object(mut object) = value else {
        return Err((None, malformed("not a JSON object".to_owned())));
    };
    let id = match object.remove("id") {
        None => None,
        Some(id) => match id.as_u64() {
            Some(id) => Some(id),
            None => {
                let message = "'id' is not a whole number of 0 or more".to_owned();
                return Err((None, malformed(message)));
            }
        },
    };
    serde_json::from_value(object.into())
        .map(|message| (id, message))
        .map_err(|error| (id, malformed(shorten(&error.to_string()))))
}

/// Shortens an error message, which may quote its input.
fn shorten(message: &str) -> String {
    const MOST: usize = 300;
    match message.char_indices().nth(MOST) {
        None => message.to_owned(),
        Some((end, _)) => format!("{}…", &message[..end]),
    }
}

/// Writes a message, with the number of the message that it answers.
pub fn write(re: Option<u64>, message: &ServerMessage) -> String {
    #[derive(Serialize)]
    struct Numbered<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        re: Option<u64>,
        #[serde(flatten)]
        message: &'a ServerMessage,
    }
    let numbered = Numbered { re, message };
    serde_json::to_string(&numbered).unwrap_or_else(|error| {
        // Serialization fails only for keys that are not strings; no message has any.
        let message = error.to_string().replace(['"', '\\'], "'");
        format!("{{\"type\":\"error\",\"code\":\"internal\",\"message\":\"{message}\"}}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_with_their_number() {
        let (id, message) = read(r#"{"id":7,"type":"play","action":"b2-b3"}"#).unwrap();
        assert_eq!(id, Some(7));
        assert!(
            matches!(message, ClientMessage::Play { ref action, ply: None } if action == "b2-b3")
        );
        let text = r#"{"type":"create","seats":[{"kind":"me"},{"kind":"level","level":3}],
            "clock":{"base_ms":60000,"increment_ms":0},"rules":"platform"}"#;
        let (_, ClientMessage::Create(create)) = read(text).unwrap() else {
            panic!("not a create");
        };
        assert_eq!(create.rules, RulesName::Platform);
        assert_eq!(create.seats[1], Sitter::Level { level: 3 });
    }

    #[test]
    fn whatever_else_is_sent_is_refused_in_words() {
        for (text, part) in [
            ("", "not JSON"),
            ("[1]", "not a JSON object"),
            ("{}", "type"),
            (r#"{"type":"fly"}"#, "fly"),
            (r#"{"type":"leave","extra":1}"#, "extra"),
            (r#"{"type":"play"}"#, "action"),
            (r#"{"type":"play","action":7}"#, "string"),
            (r#"{"type":"leave","id":-1}"#, "id"),
            (r#"{"type":"create","seats":[{"kind":"me"}]}"#, "array"),
            (
                r#"{"type":"create","seats":[{"kind":"me","x":1},{"kind":"me"}]}"#,
                "x",
            ),
        ] {
            let (_, refusal) = read(text).expect_err(text);
            assert_eq!(refusal.code, Code::Malformed);
            assert!(refusal.message.contains(part), "{text}: {refusal}");
        }
        let deep = "[".repeat(100_000);
        assert!(read(&deep).is_err());
    }

    #[test]
    fn answers_carry_the_number() {
        let refusal = Refusal {
            code: Code::NotYourTurn,
            message: "wait".to_owned(),
        };
        assert_eq!(
            write(Some(3), &refusal.into()),
            r#"{"re":3,"type":"error","code":"not_your_turn","message":"wait"}"#
        );
        assert_eq!(write(None, &ServerMessage::Ok), r#"{"type":"ok"}"#);
    }
}
