//! A whole game between two players.

use crate::{DealtGame, Verdict};
use anqi_rules::Action;
use anqi_search::{Limits, Player, Request, Stop};

/// A player chose an action that is not legal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the player chose {action}: {reason}")]
pub struct IllegalChoice {
    /// The action.
    pub action: Action,
    /// Why it is not legal.
    pub reason: String,
}

/// Lets two players, in order of play, play a game to its end, and returns how it ended.
///
/// Players whose limits are nodes or depth play the same game every time.
///
/// # Errors
///
/// Returns an error if a player chooses an action that is not legal; the game stands as it was then.
pub fn play_out(
    game: &mut DealtGame,
    players: &mut [Box<dyn Player>; 2],
    limits: Limits,
    seed: u64,
) -> Result<Verdict, IllegalChoice> {
    let stop = Stop::new();
    loop {
        if let Some(verdict) = game.verdict() {
            return Ok(verdict);
        }
        let request = Request {
            game: game.game(),
            among: None,
            limits,
            seed,
            stop: &stop,
        };
        let player = &mut players[game.turn().index()];
        let action = player.choose(&request, &mut |_| {}).action;
        let illegal = |reason| IllegalChoice { action, reason };
        game.act(action).map_err(illegal)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Deal, KnownDeal};
    use anqi_rules::{Game, Position, Rules};
    use anqi_search::players;

    #[test]
    fn the_same_players_on_the_same_deal_play_the_same_game() {
        let plies = || {
            let start = Position::start();
            let deal = Deal::new(&start, &KnownDeal::default(), 7).unwrap();
            let mut game = DealtGame::new(Game::new(start, Rules::OLYMPIAD), deal, None);
            let mut players = ["greedy", "random"].map(|spec| players::by_spec(spec).unwrap());
            let verdict = play_out(&mut game, &mut players, Limits::NONE, 1).unwrap();
            assert_eq!(Some(verdict), game.verdict());
            game.game().plies().to_vec()
        };
        assert_eq!(plies(), plies());
    }
}
