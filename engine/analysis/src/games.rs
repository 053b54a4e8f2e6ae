//! Games between levels of the built-in player, for calibration and puzzles.

use anqi_play::{Deal, DealError, DealtGame, IllegalChoice, KnownDeal, Level, play_out};
use anqi_rules::{Game, Position, Rules};
use anqi_search::spec::SpecError;
use anqi_search::{Limits, Player, players};

/// Nodes for each ply of level 10, which has no limit of its own. Nodes instead of time, so that a
/// busy machine plays the same games.
const TOP_NODES: u64 = 500_000;

/// Why no game was played.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// There is no such player.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The pieces cannot be dealt.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// A player broke the rules.
    #[error(transparent)]
    Illegal(#[from] IllegalChoice),
}

/// Plays one game between two levels, in order of play.
///
/// # Errors
///
/// Returns an error if a player cannot be made.
pub fn between_levels(levels: [Level; 2], rules: Rules, seed: u64) -> Result<Game, GameError> {
    let [first, second] = levels.map(|level| players::by_spec(&format!("{},hash=8", level.spec())));
    let mut players: [Box<dyn Player>; 2] = [first?, second?];
    let start = Position::start();
    let deal = Deal::new(&start, &KnownDeal::default(), seed)?;
    let mut dealt = DealtGame::new(Game::new(start, rules), deal, None);
    let limits = Limits {
        nodes: Some(TOP_NODES),
        ..Limits::NONE
    };
    play_out(&mut dealt, &mut players, limits, seed)?;
    Ok(dealt.game().clone())
}
