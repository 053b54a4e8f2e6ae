//! Games between built-in players, for calibration and puzzles.

use crate::terminal::deal::{Deal, DealError, KnownDeal};
use crate::terminal::dealt::DealtGame;
use anqi_rules::{Game, Position, Rules};
use anqi_search::spec::SpecError;
use anqi_search::{Limits, Player, Request, Stop, players};

/// Nodes for each ply of level 10, which has no limit of its own; twice level 9's. Nodes instead of
/// time, so that a busy machine plays the same games.
const TOP_NODES: u64 = 500_000;

/// Why no game was played.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// There is no such player.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The pieces cannot be laid.
    #[error(transparent)]
    Deal(#[from] DealError),
}

/// Plays one game between two levels, in order of play.
///
/// # Errors
///
/// Returns an error if there is no such level.
pub fn play(levels: [u32; 2], rules: Rules, seed: u64) -> Result<Game, SelfPlayError> {
    let spec = |level: u32| format!("champion:level={level},hash=8");
    let mut players: [Box<dyn Player>; 2] = [
        players::by_spec(&spec(levels[0]))?,
        players::by_spec(&spec(levels[1]))?,
    ];
    let start = Position::start();
    let deal = Deal::new(&start, &KnownDeal::default(), seed)?;
    let mut dealt = DealtGame::new(Game::new(start, rules), deal, None);
    let stop = Stop::new();
    while dealt.game().outcome().is_none() {
        let request = Request {
            game: dealt.game(),
            among: None,
            limits: limits(),
            seed,
            stop: &stop,
        };
        let player = &mut players[dealt.turn().index()];
        let choice = player.choose(&request, &mut |_| {});
        crate::print_warning(&mut **player);
        if dealt.act(choice.action).is_err() {
            break;
        }
    }
    Ok(dealt.game().clone())
}

fn limits() -> Limits {
    Limits {
        nodes: Some(TOP_NODES),
        ..Limits::NONE
    }
}
