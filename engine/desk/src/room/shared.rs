//! A room: a game that connections and engines share.

use super::seats::{Occupant, Token, seats_of};
use super::table::Table;
use crate::export::RecordDetails;
use crate::line::{MOST_PLIES, position_of};
use crate::outbox::Outbox;
use crate::services::Services;
use crate::wire::{ClockSetting, Code, Create, Refusal, SeatOrder, refuse};
use anqi_play::{
    Clock, Commitment, Deal, DealtGame, KnownDeal, Offer, OfferKind, Seat, TimeControl, Verdict,
};
use anqi_rules::{Action, Game};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The longest time that a clock can be set to, a day.
const MOST_MS: u64 = 86_400_000;

/// A game with its seats and connections.
#[derive(Debug)]
pub struct Room {
    /// Its name.
    pub id: String,
    /// The request.
    pub(super) create: Create,
    pub(super) services: Services,
    pub(super) table: Mutex<Table>,
    /// The game that followed.
    pub(super) next: Mutex<Option<Arc<Room>>>,
}

impl Room {
    /// Deals a game; `names` are the random texts of its tokens.
    ///
    /// # Errors
    ///
    /// Returns an error if part of the request cannot be met.
    pub fn new(
        services: &Services,
        create: &Create,
        id: String,
        names: [String; 4],
    ) -> Result<Room, Refusal> {
        let mut sitters = create.seats.clone();
        if create.order == SeatOrder::Random && services.random::<1>()?[0] & 1 == 1 {
            sitters.swap(0, 1);
        }
        let (occupants, tokens) = seats_of(services, &sitters, names)?;
        let game = game_of(create)?;
        Room::with_seats(services, create, id, (occupants, tokens), game)
    }

    /// Deals the game after this one, with the same settings.
    ///
    /// # Errors
    ///
    /// Returns an error if the game cannot be dealt.
    pub fn followed_by(
        &self,
        occupants: [Occupant; 2],
        tokens: Vec<Token>,
        id: String,
    ) -> Result<Room, Refusal> {
        let game = game_of(&self.create)?;
        Room::with_seats(&self.services, &self.create, id, (occupants, tokens), game)
    }

    fn with_seats(
        services: &Services,
        create: &Create,
        id: String,
        (occupants, tokens): ([Occupant; 2], Vec<Token>),
        game: Game,
    ) -> Result<Room, Refusal> {
        let deal = deal(services, &game)?;
        let commitment = Commitment::new(&deal, services.random()?);
        let most = services.config.engine_ms;
        let table = Table {
            dealt: DealtGame::new(game, deal, None),
            commitment,
            rules: create.rules,
            occupants,
            tokens,
            members: Vec::new(),
            version: 0,
            turn: 0,
            clock: Clock::new(create.clock.map(time_control)),
            ply_ms: Vec::new(),
            engine_ms: create.engine_ms.unwrap_or(1_000).clamp(1, most),
            engine_seed: u64::from_le_bytes(services.random()?),
            search: None,
            last_values: [None; 2],
            show_thinking: create.show_thinking,
            paused: false,
            offers: anqi_play::Offers::default(),
            hints_agreed: false,
            touched: services.host.now(),
        };
        Ok(Room {
            id,
            create: create.clone(),
            services: services.clone(),
            table: Mutex::new(table),
            next: Mutex::default(),
        })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Table> {
        // Changes are checked before they are made, so a panic leaves the game as it was.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn now(&self) -> Duration {
        self.services.host.now()
    }

    /// Plays an action for the seat to move.
    ///
    /// # Errors
    ///
    /// Returns an error if the action cannot be played; nothing has changed then.
    pub fn play(
        self: &Arc<Self>,
        outbox: &Outbox,
        re: Option<u64>,
        action: &str,
        ply: Option<usize>,
    ) -> Result<(), Refusal> {
        let mut table = self.lock();
        let seats = table.seats_of(outbox)?;
        table.check_playing()?;
        let played = table.dealt.game().plies().len();
        if ply.is_some_and(|ply| ply != played) {
            let message = format!("{played} plies are played, not as many as you saw");
            return refuse(Code::NotYourTurn, message);
        }
        if !seats.contains(&table.to_move()) {
            return refuse(Code::NotYourTurn, "the other side is to move");
        }
        let illegal = |error| Refusal::new(Code::Illegal, format!("{error}"));
        let action: Action = action.parse().map_err(illegal)?;
        table.act(action, self.now())?;
        self.changed(table, Some((outbox, re)));
        Ok(())
    }

    /// Takes plies back, or offers to.
    ///
    /// # Errors
    ///
    /// Returns an error if nothing can be taken back.
    pub fn undo(self: &Arc<Self>, outbox: &Outbox, re: Option<u64>) -> Result<(), Refusal> {
        let mut table = self.lock();
        let seats = table.seats_of(outbox)?;
        table.check_playing()?;
        if table.dealt.plies_to_undo(&seats).is_none() {
            return refuse(Code::NothingToDo, "there is no ply of yours to take back");
        }
        if table.needs_consent(&seats) {
            let (kind, by) = (OfferKind::Undo, seats[0]);
            self.propose(&mut table, Offer { kind, by })?;
        } else {
            table.take_back(&seats, self.now());
        }
        self.changed(table, Some((outbox, re)));
        Ok(())
    }

    /// Resigns.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over or the connection has no seat.
    pub fn resign(self: &Arc<Self>, outbox: &Outbox, re: Option<u64>) -> Result<(), Refusal> {
        let mut table = self.lock();
        let seats = table.seats_of(outbox)?;
        table.check_playing()?;
        let loser = match seats[..] {
            [seat] => seat,
            _ => table.to_move(),
        };
        table.end(Verdict::resigned(loser), self.now());
        self.changed(table, Some((outbox, re)));
        Ok(())
    }

    /// Pauses a game between engines, or resumes it.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over, not between engines, or not this connection's.
    pub fn pause(
        self: &Arc<Self>,
        outbox: &Outbox,
        re: Option<u64>,
        paused: bool,
    ) -> Result<(), Refusal> {
        let mut table = self.lock();
        table.member(outbox)?;
        table.check_playing()?;
        if !table.occupants.iter().all(Occupant::is_engine) {
            return refuse(
                Code::NoSeat,
                "only a game between two engines can be paused",
            );
        }
        table.paused = paused;
        table.drop_search();
        self.changed(table, Some((outbox, re)));
        Ok(())
    }

    /// Returns whether the game has no connections and may be dropped.
    pub fn is_idle(&self, longer_than: Duration) -> bool {
        let now = self.now();
        let table = self.lock();
        table.members.is_empty() && now.saturating_sub(table.touched) >= longer_than
    }

    /// Returns whether the game is over.
    pub fn is_over(&self) -> bool {
        self.lock().is_over()
    }

    /// Returns the public game.
    pub fn game(&self) -> Game {
        self.lock().dealt.game().clone()
    }

    /// Returns the public game, and what a record of it says besides the plies; the deal is open
    /// only if the game is over. People without a name are named by their place, which is the same
    /// for every reader of a record.
    pub fn recorded(&self) -> (Game, RecordDetails) {
        let table = self.lock();
        let named = |seat: Seat| match table.occupant(seat).name() {
            "" => ["first player", "second player"][seat.index()].to_owned(),
            name => name.to_owned(),
        };
        let details = RecordDetails {
            players: Some(Seat::ALL.map(named)),
            outcome: table.outcome(),
            deal: Some(table.deal_view()),
            ply_ms: table.ply_ms.clone(),
            clock: self.create.clock,
            ..RecordDetails::default()
        };
        (table.dealt.game().clone(), details)
    }

    /// Lets the engine to move think, and sends the new state to everybody; `asker` is the connection
    /// that the state answers, with the number of its message.
    pub(super) fn changed(
        self: &Arc<Self>,
        mut table: MutexGuard<'_, Table>,
        asker: Option<(&Outbox, Option<u64>)>,
    ) {
        table.version += 1;
        table.touched = self.now();
        self.schedule(&mut table);
        self.services.host.keep(&|| self.kept(&table));
        self.tell(&table, asker);
    }
}

/// Returns the requested game, with its plies played.
fn game_of(create: &Create) -> Result<Game, Refusal> {
    let rules = create.rules.rules();
    let Some(text) = &create.start else {
        return Ok(Game::new(position_of("start")?, rules));
    };
    let game = Game::from_text(text, rules).map_err(Refusal::unreadable)?;
    if game.outcome().is_some() {
        return refuse(Code::Unreadable, "the game is over in this position");
    }
    if game.plies().len() > MOST_PLIES {
        return refuse(Code::Unreadable, "too many plies have been played");
    }
    Ok(game)
}

/// Deals the face-down pieces.
fn deal(services: &Services, game: &Game) -> Result<Deal, Refusal> {
    let seed = u64::from_le_bytes(services.random()?);
    let known = services.config.layout;
    let known = known.unwrap_or_else(|| KnownDeal::of(game));
    Deal::new(game.start(), &known, seed).map_err(Refusal::unreadable)
}

pub(super) fn time_control(setting: ClockSetting) -> TimeControl {
    let ms = |ms: u64| Duration::from_millis(ms.min(MOST_MS));
    TimeControl::Total {
        base: ms(setting.base_ms.max(1)),
        increment: ms(setting.increment_ms),
    }
}
