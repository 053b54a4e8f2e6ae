//! A game as the text that a host keeps, to go on with after the desk has ended.
//!
//! It is complete: deal, tokens, clocks. A search is begun again and an offer is forgotten; the time since the
//! last change is nobody's.

use super::seats::{Occupant, Token};
use super::shared::{Room, time_control};
use super::table::Table;
use crate::services::Services;
use crate::wire::{Create, Refusal, Sitter};
use anqi_play::{Clock, Commitment, Deal, DealtGame, EndReason, Offers, Seat, Verdict};
use anqi_rules::Game;
use serde::{Deserialize, Serialize};
use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What is kept.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    id: String,
    create: Create,
    sitters: [Sitter; 2],
    tokens: Vec<KeptToken>,
    game: Game,
    layout: String,
    nonce: String,
    verdict: Option<KeptVerdict>,
    /// The time left to both seats, in milliseconds.
    left: Option<[u64; 2]>,
    ply_ms: Vec<u64>,
    engine_ms: u64,
    engine_seed: u64,
    version: u64,
    show_thinking: bool,
    paused: bool,
    hints_agreed: bool,
}

#[derive(Serialize, Deserialize)]
struct KeptToken {
    text: String,
    seats: Vec<usize>,
    used: bool,
}

#[derive(Serialize, Deserialize)]
struct KeptVerdict {
    winner: Option<usize>,
    reason: Option<EndReason>,
}

fn seat(index: usize) -> Seat {
    Seat::after(index)
}

impl Room {
    /// Returns the game as the text to keep.
    pub(super) fn kept(&self, table: &Table) -> String {
        let now = self.now();
        let to_move = (!table.is_over()).then(|| table.to_move());
        let left = |seat| table.clock.left(seat, to_move, now);
        let left = left(Seat::First).zip(left(Seat::Second));
        let verdict = table.dealt.verdict().map(|verdict| KeptVerdict {
            winner: verdict.winner.map(Seat::index),
            reason: verdict.reason,
        });
        let token = |token: &Token| KeptToken {
            text: token.text.clone(),
            seats: token.seats.iter().map(|seat| seat.index()).collect(),
            used: token.used,
        };
        let kept = Kept {
            id: self.id.clone(),
            create: self.create.clone(),
            sitters: table.occupants.each_ref().map(Occupant::sitter),
            tokens: table.tokens.iter().map(token).collect(),
            game: table.dealt.game().clone(),
            layout: table.commitment.layout().to_owned(),
            nonce: table.commitment.nonce().to_owned(),
            verdict,
            left: left.map(|(first, second)| [first, second].map(|left| left.as_millis() as u64)),
            ply_ms: table.ply_ms.clone(),
            engine_ms: table.engine_ms,
            engine_seed: table.engine_seed,
            version: table.version,
            show_thinking: table.show_thinking,
            paused: table.paused,
            hints_agreed: table.hints_agreed,
        };
        // Every key is a string, so it can be written.
        serde_json::to_string(&kept).unwrap_or_default()
    }

    /// Returns the game of a text that was kept.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not one.
    pub fn restored(services: &Services, text: &str) -> Result<Room, Refusal> {
        let kept: Kept = serde_json::from_str(text).map_err(Refusal::unreadable)?;
        let [first, second] = &kept.sitters;
        let occupants = [
            Occupant::of(services, first)?,
            Occupant::of(services, second)?,
        ];
        let token = |token: KeptToken| Token {
            text: token.text,
            seats: token.seats.into_iter().map(seat).collect(),
            used: token.used,
        };
        let deal = Deal::of_layout(kept.game.start(), &kept.layout).map_err(Refusal::unreadable)?;
        let by_rules = Verdict::of(&kept.game).is_some();
        let mut dealt = DealtGame::new(kept.game, deal, None);
        if let Some(KeptVerdict { winner, reason }) = kept.verdict.filter(|_| !by_rules) {
            let winner = winner.map(seat);
            dealt.decide(Verdict { winner, reason });
        }
        let control = kept.create.clock.map(time_control);
        let clock = match kept.left {
            Some(left) => Clock::with_left(control, left.map(Duration::from_millis)),
            None => Clock::new(control),
        };
        let table = Table {
            dealt,
            commitment: Commitment::again(kept.nonce, kept.layout),
            rules: kept.create.rules,
            occupants,
            tokens: kept.tokens.into_iter().map(token).collect(),
            members: Vec::new(),
            version: kept.version,
            turn: 0,
            clock,
            ply_ms: kept.ply_ms,
            engine_ms: kept.engine_ms,
            engine_seed: kept.engine_seed,
            search: None,
            last_values: [None; 2],
            show_thinking: kept.show_thinking,
            paused: kept.paused,
            offers: Offers::default(),
            hints_agreed: kept.hints_agreed,
            touched: services.host.now(),
        };
        Ok(Room {
            id: kept.id,
            create: kept.create,
            services: services.clone(),
            table: Mutex::new(table),
            next: Mutex::default(),
        })
    }

    /// Goes on from the same game as another host keeps it, if that is the later one: the same game in two tabs
    /// of a browser. The later of two is the one with more changes, else that of the greater text, so that both
    /// hosts choose the same; whoever has it keeps it again.
    pub fn follow(self: &Arc<Self>, kept: Room) {
        let theirs = kept.table.into_inner();
        let theirs = theirs.unwrap_or_else(PoisonError::into_inner);
        let mut table = self.lock();
        let stands = |table: &Table| {
            let game = table.dealt.game().plies().to_vec();
            (game, table.dealt.verdict(), table.paused)
        };
        if stands(&theirs) == stands(&table) {
            table.version = table.version.max(theirs.version);
            return;
        }
        let rank = |table: &Table| {
            let plies = table.dealt.game().plies().iter();
            let texts: Vec<String> = plies.map(ToString::to_string).collect();
            (table.version, texts)
        };
        if rank(&theirs) < rank(&table) {
            self.services.host.keep(&|| self.kept(&table));
            return;
        }
        table.interrupt();
        *table = Table {
            members: take(&mut table.members),
            turn: table.turn,
            touched: self.now(),
            ..theirs
        };
        self.schedule(&mut table);
        self.tell(&table, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::Config;
    use crate::testing::{Bench, outbox};
    use crate::wire::{ClockSetting, RulesName, SeatOrder};

    fn room(services: &Services) -> Arc<Room> {
        let create = Create {
            seats: [
                Sitter::Me { name: None },
                Sitter::Player {
                    spec: "greedy".to_owned(),
                },
            ],
            order: SeatOrder::default(),
            rules: RulesName::Platform,
            clock: Some(ClockSetting {
                base_ms: 60_000,
                increment_ms: 500,
            }),
            start: None,
            engine_ms: None,
            show_thinking: false,
        };
        let names = ["creator", "first", "second", "watch"].map(str::to_owned);
        Arc::new(Room::new(services, &create, "room".to_owned(), names).unwrap())
    }

    fn text(room: &Room) -> String {
        room.kept(&room.lock())
    }

    #[test]
    fn a_kept_game_goes_on_at_the_same_ply_of_the_same_deal() {
        let (bench, services) = Bench::new(Config::default());
        let game = room(&services);
        let (outbox, _) = outbox(1);
        game.enter(&outbox, None, "creator").unwrap();
        bench.pass(Duration::from_secs(3));
        game.play(&outbox, None, "b2-b2", None).unwrap();
        let again = Arc::new(Room::restored(&services, &text(&game)).unwrap());
        assert_eq!(text(&again), text(&game));
        let left = |room: &Room| room.lock().clock.left(Seat::First, None, room.now());
        assert_eq!(left(&again), Some(Duration::from_millis(57_500)));
        // Whatever was under the squares is there still.
        let pieces = |room: &Arc<Room>| {
            let mut table = room.lock();
            let flips: Vec<_> = table
                .dealt
                .game()
                .position()
                .face_down()
                .into_iter()
                .collect();
            for square in flips {
                let _ = table.dealt.act(anqi_rules::Action::flip(square));
            }
            table.dealt.game().plies().to_vec()
        };
        assert_eq!(pieces(&again), pieces(&game));
        again.enter(&outbox, None, "creator").unwrap();
        assert!(again.enter(&outbox, None, "nobody").is_err());
    }

    #[test]
    fn an_end_that_the_board_does_not_show_is_kept_and_another_text_is_refused() {
        let (_, services) = Bench::new(Config::default());
        let game = room(&services);
        let (outbox, _) = outbox(1);
        game.enter(&outbox, None, "creator").unwrap();
        game.resign(&outbox, None).unwrap();
        let again = Room::restored(&services, &text(&game)).unwrap();
        let verdict = again.lock().dealt.verdict();
        assert_eq!(verdict, Some(Verdict::resigned(Seat::First)));
        let damaged = text(&game)
            .replacen("KGMRNCP", "x", 1)
            .replace("\"layout\":\"", "\"layout\":\"??");
        assert!(Room::restored(&services, &damaged).is_err());
        assert!(Room::restored(&services, "{}").is_err());
    }

    #[test]
    fn two_hosts_of_a_game_end_with_the_same_one() {
        let (_bench, services) = Bench::new(Config::default());
        let here = room(&services);
        let (outbox, _) = outbox(1);
        here.enter(&outbox, None, "creator").unwrap();
        let there = Arc::new(Room::restored(&services, &text(&here)).unwrap());
        there.enter(&outbox, None, "creator").unwrap();
        let plies = |room: &Room| room.lock().dealt.game().plies().to_vec();
        let follow = |room: &Arc<Room>, text: &str| {
            room.follow(Room::restored(&services, text).unwrap());
        };
        here.play(&outbox, None, "b2-b2", None).unwrap();
        follow(&there, &text(&here));
        assert_eq!(plies(&there), plies(&here));
        assert_eq!(there.lock().members.len(), 1);
        // An older text changes nothing.
        let before = text(&here);
        let ply = plies(&here);
        here.undo(&outbox, None).unwrap();
        follow(&here, &before);
        assert_eq!(plies(&here), []);
        follow(&there, &text(&here));
        assert_eq!(plies(&there), []);
        // Both play at once: each hears of the other's ply.
        let version = here.lock().version.max(there.lock().version);
        for (room, action) in [(&here, "b2-b2"), (&there, "c3-c3")] {
            room.lock().version = version;
            room.play(&outbox, None, action, None).unwrap();
        }
        let texts = [text(&here), text(&there)];
        follow(&here, &texts[1]);
        follow(&there, &texts[0]);
        assert_eq!(plies(&here), plies(&there));
        assert_eq!(plies(&here).len(), 1);
        assert_ne!(plies(&here), ply);
    }
}
