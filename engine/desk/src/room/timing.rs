//! Tests: who pays for which time. A table of causes for the clocks alone, and the room's part:
//! when they start, stand still and stop.

use super::shared::Room;
use super::table::Table;
use crate::outbox::Outbox;
use crate::services::Config;
use crate::testing::{Bench, outbox};
use crate::wire::{ClockSetting, Create, Refusal, RulesName, SeatOrder, Sitter};
use anqi_play::{EndReason, Seat, Verdict};
use std::sync::Arc;
use std::time::Duration;

const BASE: u64 = 60_000;
const INCREMENT: u64 = 500;
const SETTING: ClockSetting = ClockSetting {
    base_ms: BASE,
    increment_ms: INCREMENT,
};

/// A room whose engines show their plies after an hour, so that no test sees one by itself.
fn room(seats: [Sitter; 2]) -> (Arc<Bench>, Arc<Room>, Vec<String>) {
    let config = Config {
        pace: Duration::from_secs(3_600),
        ..Config::default()
    };
    let create = Create {
        seats,
        order: SeatOrder::default(),
        rules: RulesName::Olympiad,
        clock: Some(SETTING),
        start: None,
        engine_ms: None,
        show_thinking: false,
    };
    let names = ["creator", "first", "second", "watch"].map(str::to_owned);
    let (bench, services) = Bench::new(config);
    let room = Room::new(&services, &create, "room".to_owned(), names).unwrap();
    let tokens = room.token_texts();
    (bench, Arc::new(room), tokens)
}

fn me() -> Sitter {
    Sitter::Me { name: None }
}

fn greedy() -> Sitter {
    Sitter::Player {
        spec: "greedy".to_owned(),
    }
}

/// What happens to a game whose first clock starts at the first of these times.
type Event = fn(&mut Table, &dyn Fn(u64) -> Duration);

fn play(table: &mut Table, action: &str, now: Duration) -> Result<(), Refusal> {
    table.act(action.parse().unwrap(), now)
}

/// The first flip after a second; then the other clock runs.
fn opened(table: &mut Table, at: &dyn Fn(u64) -> Duration) {
    play(table, "b2-b2", at(1_000)).unwrap();
    table.clock.start(at(1_000));
}

/// The cause, what happens, and what it costs both seats before increments, in milliseconds; then
/// the number of increments.
const CAUSES: [(&str, Event, [u64; 2], [u64; 2]); 13] = [
    ("nothing yet", |_, _| {}, [20_000, 0], [0, 0]),
    (
        "an action: the side to move pays",
        |table, at| play(table, "b2-b2", at(3_000)).unwrap(),
        [3_000, 0],
        [1, 0],
    ),
    (
        "two actions: each side pays for its own",
        |table, at| {
            opened(table, at);
            play(table, "c3-c3", at(5_000)).unwrap();
        },
        [1_000, 4_000],
        [1, 1],
    ),
    (
        "an action that is refused: the time goes on",
        |table, at| {
            play(table, "b2-b3", at(2_000)).unwrap_err();
            play(table, "b2-b2", at(3_000)).unwrap();
        },
        [3_000, 0],
        [1, 0],
    ),
    (
        "the page's pace: nobody pays after the answer",
        |table, at| {
            table.clock.hold(at(2_000));
            play(table, "b2-b2", at(7_000)).unwrap();
            assert_eq!(table.ply_ms, [2_000]);
        },
        [2_000, 0],
        [1, 0],
    ),
    (
        "the page's pace while it lasts: nobody pays, and no time is up",
        |table, at| {
            table.clock.hold(at(2_000));
            assert!(!table.is_time_up(at(100_000)));
            table.clock.hold(at(5_000));
        },
        [2_000, 0],
        [0, 0],
    ),
    (
        "the time after an answer is held no longer than its ply",
        |table, at| {
            table.clock.hold(at(2_000));
            play(table, "b2-b2", at(7_000)).unwrap();
            table.clock.start(at(7_000));
            play(table, "c3-c3", at(9_000)).unwrap();
        },
        [2_000, 2_000],
        [1, 1],
    ),
    (
        "plies taken back: the side to move pays, no time comes back",
        |table, at| {
            opened(table, at);
            table.take_back(&[Seat::First], at(4_000));
            assert!(table.ply_ms.is_empty());
        },
        [1_000, 3_000],
        [1, 0],
    ),
    (
        "plies taken back during the pace: the engine pays up to its answer",
        |table, at| {
            opened(table, at);
            table.clock.hold(at(1_500));
            table.take_back(&[Seat::First], at(9_000));
        },
        [1_000, 500],
        [1, 0],
    ),
    (
        "the end of the game: the side to move pays",
        |table, at| {
            opened(table, at);
            table.end(Verdict::draw(EndReason::Agreement), at(3_000));
        },
        [1_000, 2_000],
        [1, 0],
    ),
    (
        "a pause or nobody there: neither the search that is dropped nor the time until the next",
        |table, at| {
            opened(table, at);
            table.drop_search();
            table.clock.start(at(50_000));
            play(table, "c3-c3", at(50_700)).unwrap();
        },
        [1_000, 700],
        [1, 1],
    ),
    (
        "a pause during the pace",
        |table, at| {
            table.clock.hold(at(500));
            table.drop_search();
            table.clock.start(at(5_000));
            play(table, "b2-b2", at(5_300)).unwrap();
        },
        [300, 0],
        [1, 0],
    ),
    (
        "the time is up: the action comes too late",
        |table, at| {
            assert!(!table.is_time_up(at(BASE - 1)) && table.is_time_up(at(BASE)));
            play(table, "b2-b2", at(BASE)).unwrap_err();
            table.end(Verdict::out_of_time(Seat::First), at(BASE + 5));
        },
        [BASE, 0],
        [0, 0],
    ),
];

#[test]
fn every_cause_takes_its_time_from_the_right_clock() {
    for (cause, happens, spent, increments) in CAUSES {
        let (_, room, _) = room([me(), me()]);
        let mut table = room.lock();
        let begin = Duration::from_secs(1_000);
        let at = |ms: u64| begin + Duration::from_millis(ms);
        table.clock.start(begin);
        happens(&mut table, &at);
        let to_move = (!table.is_over()).then(|| table.to_move());
        for seat in Seat::ALL {
            let left = table.clock.left(seat, to_move, at(20_000)).unwrap();
            let index = seat.index();
            let expected = BASE - spent[index] + increments[index] * INCREMENT;
            assert_eq!(left.as_millis() as u64, expected, "{cause}: {seat:?}");
        }
    }
}

fn enter(room: &Arc<Room>, connection: u64, token: &str) -> Outbox {
    let (outbox, _) = outbox(connection);
    room.enter(&outbox, None, token).unwrap();
    outbox
}

/// Both clocks, which must have lost nothing, and whether one runs.
fn untouched(room: &Room) -> bool {
    let table = room.lock();
    for seat in Seat::ALL {
        let later = room.now() + Duration::from_secs(9);
        let left = table.clock.left(seat, None, later);
        assert_eq!(left, Some(Duration::from_millis(BASE)));
    }
    table.clock.runs()
}

#[test]
fn clocks_wait_for_a_guest_and_run_on_when_a_person_leaves() {
    let (bench, room, tokens) = room([me(), Sitter::Link { name: None }]);
    enter(&room, 1, &tokens[0]);
    assert!(!untouched(&room));
    enter(&room, 2, &tokens[1]);
    assert!(untouched(&room));
    room.leave(1);
    room.leave(2);
    assert!(untouched(&room));
    bench.pass(Duration::from_secs(5));
    let running = room.lock().clock.running(room.now());
    assert_eq!(running, Duration::from_secs(5));
}

#[test]
fn a_pause_and_an_empty_room_cost_an_engine_no_time() {
    let (bench, room, tokens) = room([greedy(), greedy()]);
    assert!(!untouched(&room), "nobody is there");
    let outbox = enter(&room, 1, &tokens[0]);
    assert!(!untouched(&room), "the search is in the queue");
    // Its clock starts when it begins to think.
    assert_eq!(bench.work(), 1);
    assert!(untouched(&room));
    bench.pass(Duration::from_secs(7));
    room.pause(&outbox, None, true).unwrap();
    assert!(!untouched(&room));
    room.pause(&outbox, None, false).unwrap();
    bench.work();
    assert!(room.lock().clock.runs());
    bench.pass(Duration::from_secs(7));
    room.leave(1);
    assert!(!untouched(&room));
}

#[test]
fn the_clock_of_an_engine_stands_still_from_its_answer_on() {
    let (bench, room, tokens) = room([greedy(), me()]);
    enter(&room, 1, &tokens[0]);
    // Its ply is shown after an hour; the clock must not wait so long.
    bench.work();
    assert!(room.lock().clock.runs() && !room.lock().clock.ticks());
    let soon = room.now();
    let later = soon + Duration::from_secs(3_599);
    let left = room
        .lock()
        .clock
        .left(Seat::First, Some(Seat::First), later);
    let at_once = room.lock().clock.left(Seat::First, Some(Seat::First), soon);
    assert_eq!(left, at_once);
    assert!(!room.lock().is_time_up(later));
    bench.pass(Duration::from_secs(3_600));
    let table = room.lock();
    assert_eq!(table.dealt.game().plies().len(), 1);
    let increment = Duration::from_millis(INCREMENT);
    let after = table.clock.left(Seat::First, None, later);
    assert_eq!(after, left.map(|left| left + increment));
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let (bench, room, tokens) = room([me(), me()]);
    enter(&room, 1, &tokens[0]);
    bench.pass(Duration::from_millis(BASE - 1));
    assert!(!room.is_over());
    bench.pass(Duration::from_millis(2));
    let verdict = room.lock().dealt.verdict();
    assert_eq!(verdict, Some(Verdict::out_of_time(Seat::First)));
}

#[test]
fn agreements_and_resignations_stop_the_clock_of_the_side_to_move() {
    for by in ["draw", "answer", "resign", "undo"] {
        let (bench, room, tokens) = room([me(), Sitter::Link { name: None }]);
        let first = enter(&room, 1, &tokens[0]);
        let second = enter(&room, 2, &tokens[1]);
        room.play(&first, None, "b2-b2", None).unwrap();
        let half_a_minute = Duration::from_secs(30);
        bench.pass(half_a_minute);
        match by {
            "draw" => {
                room.offer_draw(&first, None).unwrap();
                room.offer_draw(&second, None).unwrap();
            }
            "answer" => {
                room.offer_draw(&first, None).unwrap();
                room.answer(&second, None, true).unwrap();
            }
            "resign" => room.resign(&first, None).unwrap(),
            _ => {
                room.undo(&first, None).unwrap();
                room.answer(&second, None, true).unwrap();
            }
        }
        let table = room.lock();
        let left = |seat| table.clock.left(seat, None, room.now()).unwrap();
        let base = Duration::from_millis(BASE);
        assert_eq!(left(Seat::Second), base - half_a_minute, "{by}");
        assert!(left(Seat::First) >= base, "{by}");
        assert_eq!(table.clock.runs(), by == "undo", "{by}");
    }
}
