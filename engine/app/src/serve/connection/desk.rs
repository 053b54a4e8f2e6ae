//! Requests that are answered at once and change nothing: positions, records, tables, deals.

use crate::serve::board::{Board, plies};
use crate::serve::config::Services;
use crate::serve::editor;
use crate::serve::export::{self, RecordDetails};
use crate::serve::illegal;
use crate::serve::line;
use crate::serve::room::Room;
use crate::serve::wire::{
    ClientMessage, Code, Export, Line, Refusal, RulesName, ServerMessage, refuse,
};
use anqi_play::mismatch;
use anqi_rules::{Game, Position};

/// Answers a request; `room` is the game that the connection is in.
pub(super) fn answer(
    services: &Services,
    room: Option<&Room>,
    message: ClientMessage,
) -> Result<ServerMessage, Refusal> {
    use ClientMessage as M;
    let board = |game: &Game| Box::new(Board::of(game, &services.tables));
    Ok(match message {
        M::CheckDeal {
            hash,
            nonce,
            layout,
            start,
            plies,
        } => {
            let game = game_to_check(start, plies)?;
            let reason = mismatch(&hash, &nonce, &layout, game.as_ref());
            let matches = reason.is_none();
            ServerMessage::DealChecked { matches, reason }
        }
        M::View { line } => ServerMessage::View {
            board: board(&line::game_of(&line)?),
        },
        M::Walk { line } => walk(services, &line::game_of(&line)?),
        M::Explain { line, action } => illegal::explained(&line::game_of(&line)?, &action)?,
        M::CheckPosition { position, rules } => {
            let rules = rules.unwrap_or_default().rules();
            let (position, faults) = match editor::check(&position) {
                Ok(position) => (Some(position), Vec::new()),
                Err(faults) => (None, faults),
            };
            ServerMessage::Checked {
                board: position.map(|position| board(&Game::new(position, rules))),
                faults,
            }
        }
        M::Import { text, rules, game } => import(&text, rules.unwrap_or_default(), game)?,
        M::Export(asked) => export(room, *asked)?,
        M::Probe { position, rules } => probe(services, &position, rules.unwrap_or_default())?,
        _ => return refuse(Code::Internal, "nobody answers this message"),
    })
}

fn walk(services: &Services, game: &Game) -> ServerMessage {
    let mut replay = Game::new(*game.start(), game.rules());
    let mut boards = vec![Board::of(&replay, &services.tables)];
    for &ply in game.plies() {
        if replay.play(ply).is_err() {
            break;
        }
        boards.push(Board::of(&replay, &services.tables));
    }
    let plies = plies(game, &[]);
    ServerMessage::Walk { boards, plies }
}

fn import(text: &str, rules: RulesName, game: Option<usize>) -> Result<ServerMessage, Refusal> {
    let imported = line::import_game(text, rules, game.unwrap_or(1))?;
    Ok(ServerMessage::Imported {
        format: imported.format,
        line: line::line_of(&imported.game),
        players: imported.players,
        date: imported.date,
        outcome: imported.outcome,
        notes: imported.notes,
        games: imported.games,
    })
}

/// Writes the line that is told, or the game that the connection is in.
fn export(room: Option<&Room>, asked: Export) -> Result<ServerMessage, Refusal> {
    let seat = asked.outcome.as_ref().and_then(|told| told.winner_seat);
    if let Some(seat) = seat.filter(|seat| *seat > 1) {
        let message = format!("winner_seat is {seat} (expected 0 or 1)");
        return refuse(Code::Malformed, message);
    }
    let (game, known) = match (&asked.line, room) {
        (Some(line), _) => {
            let told = RecordDetails {
                outcome: asked.outcome,
                deal: asked.deal,
                ..RecordDetails::default()
            };
            (line::game_of(line)?, told)
        }
        (None, Some(room)) => room.recorded(),
        (None, None) => return refuse(Code::NoSeat, "you are in no game"),
    };
    let details = RecordDetails {
        players: asked.players.or(known.players.clone()),
        original: asked.original,
        notes: asked.notes,
        ..known
    };
    details.check(&game)?;
    Ok(ServerMessage::Exported {
        text: export::export(&game, asked.format, &details),
        name: export::file_name(asked.format).to_owned(),
    })
}

fn probe(services: &Services, text: &str, rules: RulesName) -> Result<ServerMessage, Refusal> {
    let position: Position = line::position_of(text)?;
    let game = Game::new(position, rules.rules());
    let tables = &services.tables;
    Ok(ServerMessage::Table {
        board: Box::new(Board::of(&game, tables)),
        verdict: tables.verdict(game.rules(), &position),
        expected: tables.expected(game.rules(), &position),
        actions: tables.actions(&game).unwrap_or_default(),
    })
}

fn game_to_check(
    start: Option<String>,
    plies: Option<Vec<String>>,
) -> Result<Option<Game>, Refusal> {
    let Some(plies) = plies else {
        return Ok(None);
    };
    let line = Line {
        start: start.unwrap_or_else(|| "start".to_owned()),
        plies,
        rules: RulesName::default(),
    };
    line::game_of(&line).map(Some)
}
