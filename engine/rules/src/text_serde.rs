//! The feature `serde`: values as their texts.
//!
//! A [`Position`] is its line, without the [`Convention`](crate::Convention), which a game's [`Rules`] have.
//! A [`Game`] is its rules, its first position and its plies, which are played again.

use crate::Rules;
use crate::game::Game;
use crate::moves::{Action, Ply};
use crate::piece::Piece;
use crate::position::Position;
use crate::square::Square;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// Reads a text and parses it.
struct Text<T> {
    expected: &'static str,
    value: PhantomData<T>,
}

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($type:ty: $expected:literal;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                deserializer.deserialize_str(Text { expected: $expected, value: PhantomData })
            }
        }
    )*};
}

as_text! {
    Square: "a square such as b2";
    Piece: "a piece, one of KGMRNCPkgmrncp";
    Action: "an action such as b2 or b4-b3";
    Ply: "a ply such as b2(G) or b4-b3";
    Position: "a position as one line";
    Rules: "a rule set such as olympiad";
}

/// A game as it is written.
#[derive(serde::Serialize, serde::Deserialize)]
struct GameText {
    rules: Rules,
    start: Position,
    plies: Vec<Ply>,
}

impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = GameText {
            rules: self.rules(),
            start: *self.start(),
            plies: self.plies().to_vec(),
        };
        text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
        let text = GameText::deserialize(deserializer)?;
        let mut game = Game::new(text.start, text.rules);
        for ply in text.plies {
            game.play(ply).map_err(D::Error::custom)?;
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::DeserializeOwned;

    fn round_trip<T: Serialize + DeserializeOwned + PartialEq + fmt::Debug>(value: &T, json: &str) {
        assert_eq!(serde_json::to_string(value).unwrap(), json);
        assert_eq!(&serde_json::from_str::<T>(json).unwrap(), value);
    }

    #[test]
    fn values_are_their_texts() {
        round_trip(&"b2".parse::<Square>().unwrap(), "\"b2\"");
        round_trip(&"k".parse::<Piece>().unwrap(), "\"k\"");
        round_trip(&"b4-b3".parse::<Action>().unwrap(), "\"b4-b3\"");
        round_trip(&"b2(G)".parse::<Ply>().unwrap(), "\"b2(G)\"");
        round_trip(&Rules::MISTBOARD, "\"mistboard\"");
        let text = "4/4/4/4/4/4/1k2/K1g1 r - 0 0";
        round_trip(&text.parse::<Position>().unwrap(), &format!("\"{text}\""));
        let start = Position::start();
        round_trip(&start, &format!("\"{start}\""));
    }

    #[test]
    fn a_game_is_played_again_and_an_impossible_one_is_refused() {
        let game = Game::from_text("start moves b2(G) b3(k) b2-b1", Rules::MISTBOARD);
        assert!(game.is_err(), "b1 is face down");
        let game = Game::from_text("start moves b2(G) b3(k)", Rules::MISTBOARD).unwrap();
        let text = serde_json::to_string(&game).unwrap();
        let again: Game = serde_json::from_str(&text).unwrap();
        assert_eq!(again.plies(), game.plies());
        assert_eq!(again.position(), game.position());
        assert_eq!(again.rules(), game.rules());
        let wrong = text.replace("b3(k)", "b2(k)");
        assert!(serde_json::from_str::<Game>(&wrong).is_err());
    }

    #[test]
    fn faults_are_told_in_words_of_the_game() {
        let told = |error: serde_json::Error| error.to_string();
        let square = told(serde_json::from_str::<Square>("\"e9\"").unwrap_err());
        assert!(square.contains("e9"), "{square}");
        let number = told(serde_json::from_str::<Rules>("3").unwrap_err());
        assert!(
            number.contains("expected a rule set such as olympiad"),
            "{number}"
        );
        let position = told(serde_json::from_str::<Position>("\"4/4\"").unwrap_err());
        assert!(position.contains("1 fields instead of five"), "{position}");
    }
}
