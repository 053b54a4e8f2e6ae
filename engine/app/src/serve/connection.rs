//! What one connection asks, message by message.

use super::analysis::Study;
use super::board::{Board, plies};
use super::config::Services;
use super::deal::mismatch;
use super::editor;
use super::hint;
use super::hub::Hub;
use super::line::{self, Sidelights};
use super::outbox::Outbox;
use super::review::ReviewRun;
use super::room::Room;
use super::tables;
use super::wire::{
    self, ClientMessage, Code, Format, Line, Refusal, RulesName, ServerMessage, refuse,
};
use anqi_rules::{Game, Position};
use anqi_search::Stop;
use anqi_tablebase::classes::Material;
use std::sync::Arc;
use std::time::Instant;

/// Costly messages that may come at once, and as many again each second.
const COSTLY_A_SECOND: f64 = 40.0;

/// One connection's place in the server.
#[derive(Debug)]
pub struct Connection {
    hub: Arc<Hub>,
    outbox: Outbox,
    room: Option<Arc<Room>>,
    hint: Arc<Stop>,
    analysis: Arc<Stop>,
    review: Arc<Stop>,
    allowance: Allowance,
}

/// How many costly messages may still come.
#[derive(Debug)]
struct Allowance {
    left: f64,
    since: Instant,
}

impl Allowance {
    fn spend(&mut self) -> Result<(), Refusal> {
        let now = Instant::now();
        let earned = now.duration_since(self.since).as_secs_f64() * COSTLY_A_SECOND;
        self.left = (self.left + earned).min(COSTLY_A_SECOND);
        self.since = now;
        if self.left < 1.0 {
            return refuse(Code::TooFast, "too many costly messages; wait a little");
        }
        self.left -= 1.0;
        Ok(())
    }
}

impl Connection {
    /// Returns a connection that is in no game.
    pub fn new(hub: Arc<Hub>, outbox: Outbox) -> Connection {
        let stopped = || {
            let stop = Stop::new();
            stop.request();
            Arc::new(stop)
        };
        Connection {
            hub,
            outbox,
            room: None,
            hint: stopped(),
            analysis: stopped(),
            review: stopped(),
            allowance: Allowance {
                left: COSTLY_A_SECOND,
                since: Instant::now(),
            },
        }
    }

    /// Answers a text message.
    pub fn text(&mut self, text: &str) {
        let most = self.hub.services.config.message_bytes;
        if text.len() > most {
            self.too_large(text.len());
            return;
        }
        match wire::read(text) {
            Err((id, refusal)) => self.outbox.send(id, &refusal.into()),
            Ok((id, message)) => {
                if let Err(refusal) = self.answer(id, message) {
                    self.outbox.send(id, &refusal.into());
                }
            }
        }
    }

    /// Answers a message that is no text.
    pub fn binary(&mut self) {
        let refusal = Refusal {
            code: Code::Malformed,
            message: "a binary message (expected text)".to_owned(),
        };
        self.outbox.send(None, &refusal.into());
    }

    fn too_large(&self, bytes: usize) {
        let most = self.hub.services.config.message_bytes;
        let refusal = Refusal {
            code: Code::TooLarge,
            message: format!("{bytes} bytes (expected at most {most})"),
        };
        self.outbox.send(None, &refusal.into());
    }

    fn send(&self, re: Option<u64>, message: &ServerMessage) -> Result<(), Refusal> {
        self.outbox.send(re, message);
        Ok(())
    }

    fn room(&self) -> Result<&Arc<Room>, Refusal> {
        match &self.room {
            Some(room) => Ok(room),
            None => refuse(Code::NoSeat, "you are in no game"),
        }
    }

    fn services(&self) -> &Services {
        &self.hub.services
    }

    fn answer(&mut self, re: Option<u64>, message: ClientMessage) -> Result<(), Refusal> {
        use ClientMessage as M;
        let outbox = self.outbox.clone();
        match message {
            M::Ping {} => self.send(re, &ServerMessage::Pong),
            M::Create(create) => {
                self.allowance.spend()?;
                let room = self.hub.create(&outbox, re, &create)?;
                self.move_to(Some(room));
                Ok(())
            }
            M::Enter { token } => {
                let room = self.hub.find(&token)?;
                room.enter(&outbox, re, &token)?;
                self.move_to(Some(room));
                Ok(())
            }
            M::Leave {} => {
                self.room()?;
                self.move_to(None);
                self.send(re, &ServerMessage::Ok)
            }
            M::Play { action, ply } => self.room()?.play(&outbox, re, &action, ply),
            M::Undo {} => self.room()?.undo(&outbox, re),
            M::Resign {} => self.room()?.resign(&outbox, re),
            M::OfferDraw {} => self.room()?.offer_draw(&outbox, re),
            M::Answer { accept } => self.room()?.answer(&outbox, re, accept),
            M::Rematch {} => {
                self.allowance.spend()?;
                let next = self.hub.rematch(self.room()?, &outbox, re)?;
                self.move_to(Some(next));
                Ok(())
            }
            M::Pause { paused } => self.room()?.pause(&outbox, re, paused),
            M::ShowThinking { show } => {
                self.room()?.show_thinking(&outbox, show)?;
                self.send(re, &ServerMessage::Ok)
            }
            other => self.answer_study(re, other),
        }
    }

    /// Answers what has nothing to do with the game that the connection is in.
    fn answer_study(&mut self, re: Option<u64>, message: ClientMessage) -> Result<(), Refusal> {
        use ClientMessage as M;
        self.allowance.spend()?;
        match message {
            M::Hint {} => {
                self.hint.request();
                self.hint = hint::start(&self.hub.services, self.room()?, &self.outbox, re)?;
                Ok(())
            }
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
                self.send(re, &ServerMessage::DealChecked { matches, reason })
            }
            M::View { line } => {
                let board = Box::new(self.board(&line::game_of(&line)?));
                self.send(re, &ServerMessage::View { board })
            }
            M::Walk { line } => self.walk(re, &line::game_of(&line)?),
            M::CheckPosition { position, rules } => self.check_position(re, &position, rules),
            M::Import { text, rules } => self.import(re, &text, rules.unwrap_or_default()),
            M::Export {
                format,
                line,
                players,
                original,
            } => self.export(re, format, line, players, original),
            M::Analyse(analyse) => {
                self.analysis.request();
                self.analysis = Study::start(&self.hub.services, &self.outbox, re, &analyse)?;
                Ok(())
            }
            M::StopAnalysis {} => stop(&self.analysis, "no analysis is under way")
                .and_then(|()| self.send(re, &ServerMessage::Ok)),
            M::Review(review) => {
                self.review.request();
                self.review = ReviewRun::start(&self.hub.services, &self.outbox, re, review)?;
                Ok(())
            }
            M::StopReview {} => stop(&self.review, "no review is under way")
                .and_then(|()| self.send(re, &ServerMessage::Ok)),
            M::Probe { position, rules } => self.probe(re, &position, rules.unwrap_or_default()),
            M::Material { material, .. } => self.material(re, &material),
            _ => refuse(Code::Internal, "nobody answers this message"),
        }
    }

    fn board(&self, game: &Game) -> Board {
        Board::of(game, &self.services().tables)
    }

    fn walk(&self, re: Option<u64>, game: &Game) -> Result<(), Refusal> {
        let mut replay = Game::new(*game.start(), game.rules());
        let mut boards = vec![self.board(&replay)];
        for &ply in game.plies() {
            if replay.play(ply).is_err() {
                break;
            }
            boards.push(self.board(&replay));
        }
        let plies = plies(game, &[]);
        self.send(re, &ServerMessage::Walk { boards, plies })
    }

    fn check_position(
        &self,
        re: Option<u64>,
        position: &str,
        rules: Option<RulesName>,
    ) -> Result<(), Refusal> {
        let rules = rules.unwrap_or_default().rules();
        let message = match editor::check(position) {
            Ok(position) => ServerMessage::Checked {
                board: Some(Box::new(self.board(&Game::new(position, rules)))),
                faults: Vec::new(),
            },
            Err(faults) => ServerMessage::Checked {
                board: None,
                faults,
            },
        };
        self.send(re, &message)
    }

    fn import(&self, re: Option<u64>, text: &str, rules: RulesName) -> Result<(), Refusal> {
        let imported = line::import(text, rules)?;
        let message = ServerMessage::Imported {
            format: imported.format,
            line: line::line_of(&imported.game),
            players: imported.players,
            date: imported.date,
            outcome: imported.outcome,
        };
        self.send(re, &message)
    }

    fn export(
        &self,
        re: Option<u64>,
        format: Format,
        line: Option<Line>,
        players: Option<[String; 2]>,
        original: Option<String>,
    ) -> Result<(), Refusal> {
        let (game, names, outcome) = match line {
            Some(line) => (line::game_of(&line)?, None, None),
            None => {
                let room = self.room()?;
                let (names, outcome) = room.record_parts();
                (room.game(), Some(names), outcome)
            }
        };
        let sidelights = Sidelights {
            players: players.or(names),
            outcome,
            original,
        };
        let text = line::export(&game, format, &sidelights);
        let name = line::file_name(format).to_owned();
        self.send(re, &ServerMessage::Exported { text, name })
    }

    fn probe(&self, re: Option<u64>, position: &str, rules: RulesName) -> Result<(), Refusal> {
        let position: Position = line::position_of(position)?;
        let game = Game::new(position, rules.rules());
        let tables = &self.services().tables;
        let message = ServerMessage::Table {
            board: Box::new(self.board(&game)),
            verdict: tables.verdict(game.rules(), &position),
            expected: tables.expected(game.rules(), &position),
            actions: tables.actions(&game).unwrap_or_default(),
        };
        self.send(re, &message)
    }

    fn material(&self, re: Option<u64>, text: &str) -> Result<(), Refusal> {
        let set: Material = text.parse().map_err(|error| Refusal {
            code: Code::Unreadable,
            message: format!("{error}"),
        })?;
        let outbox = self.outbox.clone();
        let stop = Arc::new(Stop::new());
        let task = move |_: &super::pool::Bench| {
            let message = match tables::material(&set) {
                Some(view) => ServerMessage::Material(view),
                None => ServerMessage::Error {
                    code: Code::Internal,
                    message: format!("{set} cannot be solved"),
                },
            };
            outbox.send(re, &message);
        };
        let pool = &self.services().pool;
        pool.submit(super::pool::Kind::Analysis, &stop, Box::new(task));
        Ok(())
    }

    fn move_to(&mut self, room: Option<Arc<Room>>) {
        let same = |old: &Arc<Room>| room.as_ref().is_some_and(|new| Arc::ptr_eq(old, new));
        if let Some(old) = self.room.take().filter(|old| !same(old)) {
            old.leave(self.outbox.connection);
        }
        self.room = room;
    }
}

impl Drop for Connection {
    /// Frees everything that thinks for this connection.
    fn drop(&mut self) {
        self.hint.request();
        self.analysis.request();
        self.review.request();
        self.move_to(None);
    }
}

fn stop(stop: &Stop, otherwise: &str) -> Result<(), Refusal> {
    if stop.requested() {
        return refuse(Code::NothingToDo, otherwise);
    }
    stop.request();
    Ok(())
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
