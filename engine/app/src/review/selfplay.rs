//! Games between built-in players, for calibration and puzzles.

use crate::terminal::deal::{Deal, DealError, KnownDeal};
use crate::terminal::dealt::DealtGame;
use anqi_rules::{Game, Position, Rules};
use anqi_search::spec::SpecError;
use anqi_search::{Limits, Player, Request, Stop, players};

/// A level without a limit of its own gets these nodes for each ply, twice those of the level below:
/// nodes, not time, so that a busy machine plays the same games.
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

/// Plays one game between two levels, the one who begins first.
///
/// # Errors
///
/// Says which level there is not.
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
