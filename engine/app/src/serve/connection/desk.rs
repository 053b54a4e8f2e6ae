//! Requests that are answered at once and change nothing: positions, records, tables, deals.

use crate::serve::board::{Board, plies};
use crate::serve::config::Services;
use crate::serve::deal::mismatch;
use crate::serve::editor;
use crate::serve::illegal;
use crate::serve::line::{self, Sidelights};
use crate::serve::room::Room;
use crate::serve::wire::{
    ClientMessage, Code, Format, Line, Refusal, RulesName, ServerMessage, refuse,
};
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
        M::Import { text, rules } => import(&text, rules.unwrap_or_default())?,
        M::Export {
            format,
            line,
            players,
            original,
            notes,
        } => {
            let sidelights = Sidelights {
                players,
                outcome: None,
                original,
                notes,
            };
            export(room, format, line, sidelights)?
        }
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

fn import(text: &str, rules: RulesName) -> Result<ServerMessage, Refusal> {
    let imported = line::import(text, rules)?;
    Ok(ServerMessage::Imported {
        format: imported.format,
        line: line::line_of(&imported.game),
        players: imported.players,
        date: imported.date,
        outcome: imported.outcome,
        notes: imported.notes,
    })
}

fn export(
    room: Option<&Room>,
    format: Format,
    line: Option<Line>,
    told: Sidelights,
) -> Result<ServerMessage, Refusal> {
    let (game, names, outcome) = match (line, room) {
        (Some(line), _) => (line::game_of(&line)?, None, None),
        (None, Some(room)) => {
            let (names, outcome) = room.record_parts();
            (room.game(), Some(names), outcome)
        }
        (None, None) => return refuse(Code::NoSeat, "you are in no game"),
    };
    let sidelights = Sidelights {
        players: told.players.clone().or(names),
        outcome,
        ..told
    };
    sidelights.check(&game)?;
    Ok(ServerMessage::Exported {
        text: line::export(&game, format, &sidelights),
        name: line::file_name(format).to_owned(),
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
