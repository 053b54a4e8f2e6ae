//! Answers that are given at once and change nothing: positions, records, tables, deals.

use crate::board::{Board, plies};
use crate::editor;
use crate::export::{self, RecordDetails};
use crate::illegal::explained;
use crate::line::{self, game_of};
use crate::room::Room;
use crate::services::Services;
use crate::wire::{
    CheckDeal, Checked, Code, Export, Exported, Imported, Line, Refusal, RulesName, ServerMessage,
    TableView, refuse,
};
use anqi_play::mismatch;
use anqi_rules::{Game, Position};

/// Recomputes a commitment.
///
/// # Errors
///
/// Returns an error if the plies cannot be played.
pub fn check_deal(request: CheckDeal) -> Result<ServerMessage, Refusal> {
    let CheckDeal {
        hash,
        nonce,
        layout,
        start,
        plies,
        rules,
    } = request;
    let game = match plies {
        None => None,
        Some(plies) => Some(game_of(&Line {
            start: start.unwrap_or_else(|| "start".to_owned()),
            plies,
            rules: rules.unwrap_or_default(),
        })?),
    };
    let reason = mismatch(&hash, &nonce, &layout, game.as_ref());
    let matches = reason.is_none();
    Ok(ServerMessage::DealChecked { matches, reason })
}

fn board(services: &Services, game: &Game) -> Box<Board> {
    Box::new(Board::of(game, &services.tables))
}

/// Returns the board at the end of a line.
///
/// # Errors
///
/// Returns an error if the line cannot be played.
pub fn view(services: &Services, line: &Line) -> Result<ServerMessage, Refusal> {
    let board = board(services, &game_of(line)?);
    Ok(ServerMessage::View { board })
}

/// Returns every board of a line.
///
/// # Errors
///
/// Returns an error if the line cannot be played.
pub fn walk(services: &Services, line: &Line) -> Result<ServerMessage, Refusal> {
    let game = game_of(line)?;
    let mut replay = Game::new(*game.start(), game.rules());
    let mut boards = vec![Board::of(&replay, &services.tables)];
    for &ply in game.plies() {
        if replay.play(ply).is_err() {
            break;
        }
        boards.push(Board::of(&replay, &services.tables));
    }
    let plies = plies(&game, &[]);
    Ok(ServerMessage::Walk { boards, plies })
}

/// Returns why an action is not legal at the end of a line.
///
/// # Errors
///
/// Returns an error if the line cannot be played, or the action is legal.
pub fn explain(line: &Line, action: &str) -> Result<ServerMessage, Refusal> {
    let explained = explained(&game_of(line)?, action)?;
    Ok(ServerMessage::Explained(explained))
}

/// Checks a position from the editor.
pub fn check_position(services: &Services, text: &str, rules: Option<RulesName>) -> ServerMessage {
    let rules = rules.unwrap_or_default().rules();
    let (position, faults) = match editor::check(text) {
        Ok(position) => (Some(position), Vec::new()),
        Err(faults) => (None, faults),
    };
    ServerMessage::Checked(Checked {
        board: position.map(|position| board(services, &Game::new(position, rules))),
        faults,
    })
}

/// Reads a record.
///
/// # Errors
///
/// Returns an error if the text is no record, or has no game of this number.
pub fn import(
    text: &str,
    rules: Option<RulesName>,
    game: Option<usize>,
) -> Result<ServerMessage, Refusal> {
    let imported = line::import_game(text, rules.unwrap_or_default(), game.unwrap_or(1))?;
    Ok(ServerMessage::Imported(Box::new(Imported {
        format: imported.format,
        line: line::line_of(&imported.game),
        players: imported.players,
        date: imported.date,
        outcome: imported.outcome,
        notes: imported.notes,
        games: imported.games,
    })))
}

/// Writes the line that is told, or the game that the connection is in.
///
/// # Errors
///
/// Returns an error if there is no game, or the notes are of another one.
pub fn export(
    services: &Services,
    room: Option<&Room>,
    request: Export,
) -> Result<ServerMessage, Refusal> {
    let seat = request
        .outcome
        .as_ref()
        .and_then(|outcome| outcome.winner_seat);
    if let Some(seat) = seat.filter(|seat| *seat > 1) {
        let message = format!("winner_seat is {seat} (expected 0 or 1)");
        return refuse(Code::Malformed, message);
    }
    let (game, known) = match (&request.line, room) {
        (Some(line), _) => {
            let details = RecordDetails {
                outcome: request.outcome,
                deal: request.deal,
                ..RecordDetails::default()
            };
            (game_of(line)?, details)
        }
        (None, Some(room)) => room.recorded(),
        (None, None) => return refuse(Code::NoSeat, "you are in no game"),
    };
    let details = RecordDetails {
        players: request.players.or(known.players.clone()),
        original: request.original,
        notes: request.notes,
        date: services.date(),
        ..known
    };
    details.check(&game)?;
    Ok(ServerMessage::Exported(Exported {
        text: export::export(&game, request.format, &details),
        name: export::file_name(request.format).to_owned(),
    }))
}

/// Returns what the tables know of a position.
///
/// # Errors
///
/// Returns an error if the position cannot be read.
pub fn probe(
    services: &Services,
    text: &str,
    rules: Option<RulesName>,
) -> Result<ServerMessage, Refusal> {
    let position: Position = line::position_of(text)?;
    let game = Game::new(position, rules.unwrap_or_default().rules());
    let tables = &services.tables;
    Ok(ServerMessage::Table(TableView {
        board: board(services, &game),
        verdict: tables.verdict(game.rules(), &position),
        expected: tables.expected(game.rules(), &position),
        actions: tables.actions(&game).unwrap_or_default(),
    }))
}
