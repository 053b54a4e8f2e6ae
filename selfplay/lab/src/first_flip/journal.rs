//! The folder of finished games, from which a killed run resumes: see [`anqi_match::journal`].
//!
//! `first-flip.json` says what run it is, `games.jsonl` has a line for every finished game. No game is
//! believed before it has been replayed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::games::{DEAL, FLIPPER, FirstFlipRecipe, PlayedGame, deal};
use super::plan::FirstFlip;
use anqi_match::adjudication::Adjudication;
use anqi_match::journal::{Journal, JournalError, JournalRun, first_difference};
use anqi_match::limits::Limits;
use anqi_match::openings::Openings;
use anqi_match::replay::{Expected, check_single};

/// What run a folder belongs to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FirstFlipMeta {
    /// Name and version of the program.
    program: String,
    /// The player with all settings spelled out.
    player: String,
    limits: Limits,
    rules: String,
    seed: u64,
    #[serde(default, skip_serializing_if = "Adjudication::is_none")]
    adjudication: Adjudication,
    appraiser: String,
}

impl FirstFlipMeta {
    fn of(recipe: &FirstFlipRecipe) -> FirstFlipMeta {
        FirstFlipMeta {
            program: concat!("selfplay ", env!("CARGO_PKG_VERSION")).to_owned(),
            player: recipe.player.name().to_owned(),
            limits: recipe.limits,
            rules: recipe.rules_name.clone(),
            seed: recipe.seed,
            adjudication: recipe.adjudication,
            appraiser: recipe.appraiser.to_string(),
        }
    }
}

impl JournalRun for FirstFlipMeta {
    const KIND: &str = "first-flip run";
    const DESCRIPTION: &str = "first-flip.json";
    const PARTS: &str = "games.jsonl";
    type Part = PlayedGame;

    fn difference(&self, found: &FirstFlipMeta) -> Option<&'static str> {
        let same = [
            ("the program", self.program == found.program),
            ("the player", self.player == found.player),
            ("the limit of a move", self.limits == found.limits),
            ("the set of rules", self.rules == found.rules),
            ("the seed", self.seed == found.seed),
            ("the adjudication", self.adjudication == found.adjudication),
            ("the appraiser", self.appraiser == found.appraiser),
        ];
        first_difference(same)
    }
}

/// Opens a folder and returns the games that are there, sorted by number, each checked.
///
/// # Errors
///
/// Fails as [`Journal::open`] does.
pub fn open(
    folder: &Path,
    recipe: &FirstFlipRecipe,
) -> Result<(Journal<FirstFlipMeta>, Vec<PlayedGame>), JournalError> {
    let mut games = BTreeMap::new();
    let journal = Journal::open(folder, &FirstFlipMeta::of(recipe), |line| {
        let game = checked(line, recipe)?;
        match games.insert(game.game, game) {
            None => Ok(()),
            Some(other) => Err(format!("game {} is there twice", other.game)),
        }
    })?;
    Ok((journal, games.into_values().collect()))
}

/// Reads a game and checks it against the recipe; the error says what is wrong.
fn checked(text: &[u8], recipe: &FirstFlipRecipe) -> Result<PlayedGame, String> {
    let played: PlayedGame = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let number = played.game;
    let expected = Expected {
        rules: recipe.rules,
        openings: Openings::new([FirstFlip::of_game(number).position()]),
        deal: DEAL,
        seed: recipe.seed,
        pairs: 1,
        adjudication: recipe.adjudication,
        adjudicator: OnceLock::new(),
    };
    let deal = deal(recipe.seed, number);
    let PlayedGame { record, luck, .. } = &played;
    match check_single(record, luck, !FLIPPER, &deal, &expected) {
        Ok(()) => Ok(played),
        Err(fault) => Err(format!("game {number}: {fault}")),
    }
}
