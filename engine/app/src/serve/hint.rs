//! A hint: the analyst's best action for the side to move.

use super::config::Services;
use super::outbox::Outbox;
use super::owed::Owed;
use super::pool::{IdlePlayers, Kind};
use super::room::Room;
use super::wire::{Code, Refusal, ServerMessage, refuse};
use anqi_analysis::hint;
use anqi_search::Stop;
use std::sync::Arc;

/// Starts the search for a hint; the answer goes to the outbox. Raising the flag ends it.
///
/// # Errors
///
/// Returns an error if the game is over.
pub fn start(
    services: &Arc<Services>,
    room: &Arc<Room>,
    outbox: &Outbox,
    re: Option<u64>,
) -> Result<Arc<Stop>, Refusal> {
    let game = room.game();
    if room.is_over() {
        return refuse(Code::WrongPhase, "the game is over");
    }
    let stop = Arc::new(Stop::new());
    let (flag, outbox, name) = (Arc::clone(&stop), outbox.clone(), room.id.clone());
    let shared = Arc::clone(services);
    let task = move |idle: &IdlePlayers| {
        let owed = Owed::new(&outbox, re, &flag, "hint");
        let mut analyst = match shared.analyst(idle, "hint", game.rules()) {
            Ok(analyst) => analyst,
            Err(error) => return owed.fail(&error.to_string()),
        };
        let message = ServerMessage::Hint {
            ply: game.plies().len(),
            best: hint(&mut analyst, &game, &flag),
            game: name,
        };
        idle.keep("hint".to_owned(), analyst.into_player());
        flag.request();
        outbox.send(re, &message);
    };
    services.pool.submit(Kind::Hint, &stop, Box::new(task));
    Ok(stop)
}
