//! A game with its seats and watchers.
//!
//! **Invariant:** the layout stays inside [`DealtGame`] and [`Commitment`]. A player
//! gets a clone of the [`Game`], which contains only revealed pieces; a connection gets a
//! `State`, which is made from that game alone, and the commitment's layout only when the
//! game is over.
//!
//! Every change takes the same steps: lock, check, change, increment the version,
//! let the engine to move think, send the state. The lock is held for
//! microseconds; nothing waits under it.

mod clock;
mod engine;
mod offers;
mod seats;
mod state;
#[cfg(test)]
mod timing;

pub use seats::{Seat, Token};

use super::board::{EndReason, Outcome};
use super::config::Services;
use super::export::RecordDetails;
use super::line::position_of;
use super::outbox::Outbox;
use super::wire::{Code, Create, DealView, Offer, Order, Refusal, RulesName, refuse};
use anqi_play::{Commitment, Deal, DealtGame, KnownDeal};
use anqi_rules::{Action, Game};
use anqi_search::Stop;
use clock::Clock;
use seats::{Member, seats_of};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A game with its seats and connections.
#[derive(Debug)]
pub struct Room {
    /// Its name.
    pub id: String,
    /// The request.
    create: Create,
    services: Arc<Services>,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    dealt: DealtGame,
    commitment: Commitment,
    rules: RulesName,
    seats: [Seat; 2],
    tokens: Vec<Token>,
    members: Vec<Member>,
    /// Counts every change.
    version: u64,
    /// Changes when a running search or a waiting alarm becomes stale.
    turn: u64,
    clock: Clock,
    ply_ms: Vec<u64>,
    engine_ms: u64,
    engine_seed: u64,
    /// The running search.
    search: Option<Arc<Stop>>,
    /// The last value that each engine reported.
    last_values: [Option<f64>; 2],
    show_thinking: bool,
    paused: bool,
    offer: Option<Offer>,
    declined: Option<Offer>,
    /// Whether two people have agreed on hints.
    hints_agreed: bool,
    /// An end by resignation, agreement or time.
    ended: Option<Outcome>,
    /// The game that followed.
    next: Option<Arc<Room>>,
    touched: Instant,
}

impl Room {
    /// Deals a game; `names` are the random texts of its tokens.
    ///
    /// # Errors
    ///
    /// Returns an error if part of the request cannot be met.
    pub fn new(
        services: &Arc<Services>,
        create: &Create,
        id: String,
        names: [String; 4],
    ) -> Result<Room, Refusal> {
        let mut sitters = create.seats.clone();
        if create.order == Order::Random && services.random::<1>()?[0] & 1 == 1 {
            sitters.swap(0, 1);
        }
        let (seats, tokens) = seats_of(services, &sitters, names)?;
        let game = game_of(create)?;
        Room::with_seats(services, create, id, (seats, tokens), game)
    }

    /// Deals the game after this one, with the same settings.
    ///
    /// # Errors
    ///
    /// Returns an error if the game cannot be dealt.
    pub fn followed_by(
        &self,
        seats: [Seat; 2],
        tokens: Vec<Token>,
        id: String,
    ) -> Result<Room, Refusal> {
        let game = game_of(&self.create)?;
        Room::with_seats(&self.services, &self.create, id, (seats, tokens), game)
    }

    fn with_seats(
        services: &Arc<Services>,
        create: &Create,
        id: String,
        (seats, tokens): ([Seat; 2], Vec<Token>),
        game: Game,
    ) -> Result<Room, Refusal> {
        let deal = deal(services, &game)?;
        let commitment = Commitment::new(&deal, services.random()?);
        let most = services.config.engine_ms;
        let inner = Inner {
            dealt: DealtGame::new(game, deal, None),
            commitment,
            rules: create.rules,
            seats,
            tokens,
            members: Vec::new(),
            version: 0,
            turn: 0,
            clock: Clock::new(create.clock),
            ply_ms: Vec::new(),
            engine_ms: create.engine_ms.unwrap_or(1_000).clamp(1, most),
            engine_seed: u64::from_le_bytes(services.random()?),
            search: None,
            last_values: [None; 2],
            show_thinking: create.show_thinking,
            paused: false,
            offer: None,
            declined: None,
            hints_agreed: false,
            ended: None,
            next: None,
            touched: Instant::now(),
        };
        Ok(Room {
            id,
            create: create.clone(),
            services: Arc::clone(services),
            inner: Mutex::new(inner),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Changes are checked before they are made, so a panic leaves the game as it was.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut inner = self.lock();
        let seats = inner.seats_of(outbox)?;
        inner.check_playing()?;
        let played = inner.dealt.game().plies().len();
        if ply.is_some_and(|ply| ply != played) {
            let message = format!("{played} plies are played, not as many as you saw");
            return refuse(Code::NotYourTurn, message);
        }
        let seat = inner.to_move();
        if !seats.contains(&seat) {
            return refuse(Code::NotYourTurn, "the other side is to move");
        }
        let action: Action = action.parse().map_err(|error| Refusal {
            code: Code::Illegal,
            message: format!("{error}"),
        })?;
        inner.act(action, Instant::now())?;
        self.changed(inner, Some((outbox, re)));
        Ok(())
    }

    /// Takes plies back, or offers to.
    ///
    /// # Errors
    ///
    /// Returns an error if nothing can be taken back.
    pub fn undo(self: &Arc<Self>, outbox: &Outbox, re: Option<u64>) -> Result<(), Refusal> {
        let mut inner = self.lock();
        let seats = inner.seats_of(outbox)?;
        inner.check_playing()?;
        if inner.plies_to_undo(&seats).is_none() {
            return refuse(Code::NothingToDo, "there is no ply of yours to take back");
        }
        if inner.needs_consent(&seats) {
            inner.offer_undo(seats[0])?;
        } else {
            inner.take_back(&seats, Instant::now());
        }
        self.changed(inner, Some((outbox, re)));
        Ok(())
    }

    /// Resigns.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over or the connection has no seat.
    pub fn resign(self: &Arc<Self>, outbox: &Outbox, re: Option<u64>) -> Result<(), Refusal> {
        let mut inner = self.lock();
        let seats = inner.seats_of(outbox)?;
        inner.check_playing()?;
        let loser = match seats[..] {
            [seat] => seat,
            _ => inner.to_move(),
        };
        let outcome = Outcome::won_by(inner.dealt.game(), 1 - loser, EndReason::Resignation);
        inner.end(outcome, Instant::now());
        self.changed(inner, Some((outbox, re)));
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
        let mut inner = self.lock();
        inner.member(outbox)?;
        inner.check_playing()?;
        if !inner.seats.iter().all(Seat::is_engine) {
            return refuse(
                Code::NoSeat,
                "only a game between two engines can be paused",
            );
        }
        inner.paused = paused;
        inner.drop_search();
        self.changed(inner, Some((outbox, re)));
        Ok(())
    }

    /// Returns whether the game has no connections and may be dropped.
    pub fn is_idle(&self, longer_than: Duration) -> bool {
        let inner = self.lock();
        inner.members.is_empty() && inner.touched.elapsed() >= longer_than
    }

    /// Returns whether the game is over.
    pub fn is_over(&self) -> bool {
        self.lock().outcome().is_some()
    }

    /// Returns the public game.
    pub fn game(&self) -> Game {
        self.lock().dealt.game().clone()
    }

    /// Returns the public game, and what a record of it says besides the plies; the deal is open
    /// only if the game is over. People without a name are named by their place, which is the same
    /// for every reader of a record.
    pub fn recorded(&self) -> (Game, RecordDetails) {
        let inner = self.lock();
        let named = |seat: usize| match inner.seats[seat].name() {
            "" => ["first player", "second player"][seat].to_owned(),
            name => name.to_owned(),
        };
        let details = RecordDetails {
            players: Some([0, 1].map(named)),
            outcome: inner.outcome(),
            deal: Some(inner.deal_view()),
            ply_ms: inner.ply_ms.clone(),
            clock: self.create.clock,
            ..RecordDetails::default()
        };
        (inner.dealt.game().clone(), details)
    }

    /// Lets the engine to move think, and sends the new state to everybody.
    fn changed(
        self: &Arc<Self>,
        mut inner: MutexGuard<'_, Inner>,
        asked: Option<(&Outbox, Option<u64>)>,
    ) {
        inner.version += 1;
        inner.touched = Instant::now();
        self.schedule(&mut inner);
        self.tell(&inner, asked);
    }
}

impl Inner {
    /// Returns the seat to move, even after the end.
    fn to_move(&self) -> usize {
        self.dealt.turn().index()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ended
            .clone()
            .or_else(|| Outcome::of(self.dealt.game()))
    }

    /// Returns the commitment to the deal, open if the game is over.
    fn deal_view(&self) -> DealView {
        match self.outcome() {
            None => DealView::sealed(&self.commitment),
            Some(_) => DealView::opened(&self.commitment),
        }
    }

    fn check_playing(&self) -> Result<(), Refusal> {
        match self.outcome() {
            None => Ok(()),
            Some(_) => refuse(Code::WrongPhase, "the game is over"),
        }
    }

    /// Plays an action for the seat to move.
    fn act(&mut self, action: Action, now: Instant) -> Result<(), Refusal> {
        let seat = self.to_move();
        if self
            .clock
            .left(seat, Some(seat), now)
            .is_some_and(|(left, _)| left.is_zero())
        {
            return refuse(Code::WrongPhase, "the time is up");
        }
        self.dealt.act(action).map_err(|message| Refusal {
            code: Code::Illegal,
            message,
        })?;
        let spent = self.clock.stop(seat, now);
        self.clock.add_increment(seat);
        self.ply_ms.push(spent.as_millis() as u64);
        self.offer = None;
        self.declined = None;
        self.interrupt();
        Ok(())
    }

    /// Makes the running search and the waiting alarm stale.
    fn interrupt(&mut self) {
        self.turn += 1;
        if let Some(search) = self.search.take() {
            search.request();
        }
    }

    /// Drops the engine's search, which begins anew later: nobody pays for its time, nor for the
    /// time until then.
    fn drop_search(&mut self) {
        self.interrupt();
        self.clock.forget();
    }

    /// Ends the game by resignation, agreement or time.
    fn end(&mut self, outcome: Outcome, now: Instant) {
        let seat = self.to_move();
        self.clock.stop(seat, now);
        self.ended = Some(outcome);
        self.offer = None;
        self.interrupt();
    }

    /// Returns how many plies lead back to the last decision of these seats.
    fn plies_to_undo(&self, seats: &[usize]) -> Option<usize> {
        let played = self.dealt.game().plies().len();
        (0..played)
            .rev()
            .find(|ply| seats.contains(&(ply % 2)))
            .map(|ply| played - ply)
    }

    /// Takes plies back to the last decision of these seats; the deal stays.
    fn take_back(&mut self, seats: &[usize], now: Instant) {
        let seat = self.to_move();
        self.clock.stop(seat, now);
        for _ in 0..self.plies_to_undo(seats).unwrap_or(0) {
            self.dealt.undo();
            self.ply_ms.pop();
        }
        self.offer = None;
        self.declined = None;
        self.interrupt();
    }
}

/// Returns the requested game, with its plies played.
fn game_of(create: &Create) -> Result<Game, Refusal> {
    let rules = create.rules.rules();
    let Some(text) = &create.start else {
        return Ok(Game::new(position_of("start")?, rules));
    };
    let game = Game::from_text(text, rules).map_err(|error| Refusal {
        code: Code::Unreadable,
        message: error.to_string(),
    })?;
    if game.outcome().is_some() {
        return refuse(Code::Unreadable, "the game is over in this position");
    }
    if game.plies().len() > super::line::MOST_PLIES {
        return refuse(Code::Unreadable, "too many plies have been played");
    }
    Ok(game)
}

/// Deals the face-down pieces.
fn deal(services: &Services, game: &Game) -> Result<Deal, Refusal> {
    let seed = u64::from_le_bytes(services.random()?);
    let known = services
        .config
        .layout
        .unwrap_or_else(|| KnownDeal::of(game));
    Deal::new(game.start(), &known, seed).map_err(|error| Refusal {
        code: Code::Unreadable,
        message: error.to_string(),
    })
}
