//! Reads platform records named on the command line, or one name per line on
//! standard input, and counts how many read, replay, write and end as recorded.

use anqi_files::read_limited;
use anqi_protocol::record::{PlatformVerdict, PlayerName, Record};
use anqi_rules::Rules;
use std::io::BufRead;
use std::path::Path;

/// The most bytes of a record; the platform's additions to a long game fit easily.
const MOST_BYTES: u64 = 16 << 20;

#[derive(Default)]
struct Tally {
    read: usize,
    written_alike: usize,
    replayed: usize,
    ended_alike: usize,
    unfinished: usize,
    faults: usize,
}

fn main() {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let names = if named.is_empty() {
        std::io::stdin()
            .lock()
            .lines()
            .map_while(Result::ok)
            .collect()
    } else {
        named
    };
    let mut tally = Tally::default();
    for name in names {
        if let Err(fault) = check(&name, &mut tally) {
            tally.faults += 1;
            println!("{name}: {fault}");
        }
    }
    println!(
        "{} read, {} written back byte for byte, {} replayed, {} ended as our platform rules end them, {} unfinished, {} with a fault",
        tally.read,
        tally.written_alike,
        tally.replayed,
        tally.ended_alike,
        tally.unfinished,
        tally.faults
    );
}

fn check(name: &str, tally: &mut Tally) -> Result<(), String> {
    let text = read_limited(Path::new(name), MOST_BYTES).map_err(|error| error.to_string())?;
    let record = Record::read(&text).map_err(|error| error.to_string())?;
    tally.read += 1;
    let written = record.to_string();
    if Record::read(written.as_bytes()).as_ref() != Ok(&record) {
        return Err("does not read as it was written".to_owned());
    }
    tally.written_alike += usize::from(text.starts_with(written.as_bytes()));
    let game = record
        .game(Rules::PLATFORM)
        .map_err(|error| error.to_string())?;
    tally.replayed += 1;
    let Some(verdict) = &record.verdict else {
        tally.unfinished += 1;
        return Ok(());
    };
    let players: [PlayerName; 2] = record.players.clone();
    let ours = Record::of_game(&game, players).verdict;
    if ours.as_ref() != Some(verdict) {
        let ours = ours.as_ref().map(PlatformVerdict::to_string);
        return Err(format!(
            "{verdict}; ours: {}",
            ours.as_deref().unwrap_or("not over")
        ));
    }
    tally.ended_alike += 1;
    Ok(())
}
