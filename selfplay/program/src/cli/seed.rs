//! The seed of a match if none is given.
//!
//! Built-in players do not exploit a known seed, so their matches share a default, and a command
//! always gives the same games. An outside program could compute the deals from it: its matches
//! draw a random seed, print it, and save it with the match.

use std::fs;
use std::path::Path;

use anqi_match::engines::participant::Participant;
use anqi_match::pairing::Shard;
use anqi_match::store;
use anyhow::{anyhow, bail};

/// The seed of built-in players' matches.
const DEFAULT: u64 = 1;

/// Returns the seed of a match of these players: the given one; else the default if all players
/// are built in; else that of the match in the folder; else a random one.
pub fn choose(
    given: Option<u64>,
    players: &[&Participant],
    folder: Option<&Path>,
    shard: Shard,
) -> anyhow::Result<u64> {
    if let Some(seed) = given {
        return Ok(seed);
    }
    if !players.iter().any(|player| player.is_outside()) {
        return Ok(DEFAULT);
    }
    if let Some(kept) = folder.and_then(kept) {
        return Ok(kept);
    }
    if shard != Shard::WHOLE {
        bail!(
            "--shard needs --seed where an outside program plays: all shards have the same deals"
        );
    }
    let drawn = getrandom::u64().map_err(|error| anyhow!("cannot draw a random seed: {error}"))?;
    // Some readers take only signed 64-bit numbers.
    let seed = drawn >> 1;
    eprintln!("seed {seed}, drawn at random; --seed {seed} deals the same again");
    Ok(seed)
}

/// Returns the seed of the match in a folder, or of the first match in its subfolders.
fn kept(folder: &Path) -> Option<u64> {
    let seed = |folder: &Path| Some(store::meta(folder).ok()??.identity.seed);
    let inner = || {
        let entries = fs::read_dir(folder).ok()?;
        let mut folders: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        folders.sort();
        folders.iter().find_map(|folder| seed(folder))
    };
    seed(folder).or_else(inner)
}
