//! Records in the shape of PGN are refused, or written and read again the same, byte for byte.
#![no_main]

use anqi_protocol::record::pgn;
use anqi_rules::Rules;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(games) = pgn::read(bytes, Rules::MISTBOARD) else {
        return;
    };
    let text = pgn::write(&games);
    let again = pgn::read(text.as_bytes(), Rules::MISTBOARD);
    assert_eq!(again.as_ref().map(|games| pgn::write(games)), Ok(text));
    for game in &games {
        let _ = game.check_deal();
        let (record, _) = game.to_record(Rules::PLATFORM);
        assert!(record.game(Rules::MISTBOARD).is_ok());
    }
});
