//! Position texts are refused, or mean what they say: printed and read again they are the same.
#![no_main]

use anqi_rules::{Game, Ply, Position, Rules};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<Position>() {
        Ok(position) => assert_eq!(position.to_string().parse(), Ok(position)),
        Err(error) => assert!(!error.reasons().is_empty()),
    }
    if let Ok(ply) = text.parse::<Ply>() {
        assert_eq!(ply.to_string(), text);
    }
    if let Ok(game) = Game::from_text(text, Rules::PLATFORM) {
        let _ = game.outcome();
    }
});
