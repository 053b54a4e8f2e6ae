//! Records of random games: written, read, replayed, and damaged.

use anqi_protocol::record::{PlayerName, Record};
use anqi_rulebooks::wander::{Wanderer, random_game};
use anqi_rules::{Game, Position, Rules};
use rand::RngExt;

/// Returns a random game that ends where the platform would end it, and its record.
fn recorded(seed: u64) -> (Game, Record) {
    let wandered = random_game(seed, 400);
    let mut game = Game::new(Position::start(), Rules::PLATFORM);
    for &ply in wandered.plies() {
        if game.outcome().is_some() {
            break;
        }
        game.play(ply).expect("a walker plays legal plies");
    }
    let players = [PlayerName::new("first"), PlayerName::new("second one")];
    let record = Record::of_game(&game, players);
    (game, record)
}

#[test]
fn a_record_is_read_as_it_was_written_and_replays() {
    let mut decided = 0;
    for seed in 0..400 {
        let (game, record) = recorded(seed);
        let read = Record::read(record.to_string().as_bytes()).unwrap();
        assert_eq!(read, record);
        let replayed = read.game(Rules::PLATFORM).unwrap();
        assert_eq!(replayed.position(), game.position());
        assert_eq!(replayed.plies(), game.plies());
        assert_eq!(replayed.outcome(), game.outcome());
        assert_eq!(record.verdict.is_some(), game.outcome().is_some());
        decided += usize::from(game.outcome().is_some());
    }
    assert!(decided > 100, "only {decided} games came to an end");
}

#[test]
fn a_damaged_record_is_refused_or_read_but_never_a_panic() {
    let (mut read_anyway, mut refused, mut illegal) = (0, 0, 0);
    for seed in 0..3000 {
        let (_, record) = recorded(seed % 40);
        let mut bytes = record.to_string().into_bytes();
        let source = &mut Wanderer::new(seed).source;
        for _ in 0..source.random_range(1..4) {
            let at = source.random_range(0..bytes.len());
            match source.random_range(0..5) {
                0 => bytes[at] = source.random_range(0..=255),
                1 => bytes[at] ^= 1,
                2 => bytes.insert(at, b" \n*.-(a1K"[source.random_range(0..9)]),
                3 => drop(bytes.remove(at)),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let Ok(record) = Record::read(&bytes) else {
            refused += 1;
            continue;
        };
        let again = Record::read(record.to_string().as_bytes()).unwrap();
        assert_eq!(again, record, "{}", String::from_utf8_lossy(&bytes));
        match record.game(Rules::PLATFORM) {
            Ok(_) => read_anyway += 1,
            Err(_) => illegal += 1,
        }
    }
    let all = [read_anyway, refused, illegal];
    assert!(all.iter().all(|&count| count > 50), "{all:?}");
}
