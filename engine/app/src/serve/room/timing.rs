//! Tests: who pays for which time. A table of causes for the clocks alone, and the room's part:
//! when they start, stand still and stop.

use super::*;
use crate::serve::config::Config;
use crate::serve::wire::{ClockSetting, Sitter};

const BASE: u64 = 60_000;
const INCREMENT: u64 = 500;
const SETTING: ClockSetting = ClockSetting {
    base_ms: BASE,
    increment_ms: INCREMENT,
};

/// A room whose engines show their plies after an hour, so that no test sees one by itself.
fn room(seats: [Sitter; 2]) -> (Arc<Room>, Vec<String>) {
    let config = Config {
        threads: 1,
        pace: Duration::from_secs(3_600),
        ..Config::default()
    };
    let create = Create {
        seats,
        order: Order::default(),
        rules: RulesName::Olympiad,
        clock: Some(SETTING),
        start: None,
        engine_ms: None,
        show_thinking: false,
    };
    let names = ["creator", "first", "second", "watch"].map(str::to_owned);
    let services = Arc::new(Services::new(config));
    let room = Room::new(&services, &create, "room".to_owned(), names).unwrap();
    let tokens = room.token_texts();
    (Arc::new(room), tokens)
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
type Event = fn(&mut Inner, &dyn Fn(u64) -> Instant);

fn play(inner: &mut Inner, action: &str, now: Instant) -> Result<(), Refusal> {
    inner.act(action.parse().unwrap(), now)
}

/// The first flip after a second; then the other clock runs.
fn opened(inner: &mut Inner, at: &dyn Fn(u64) -> Instant) {
    play(inner, "b2-b2", at(1_000)).unwrap();
    inner.clock.start(at(1_000));
}

/// The cause, what happens, and what it costs both seats before increments, in milliseconds; then
/// the number of increments.
const CAUSES: [(&str, Event, [u64; 2], [u64; 2]); 13] = [
    ("nothing yet", |_, _| {}, [20_000, 0], [0, 0]),
    (
        "an action: the side to move pays",
        |inner, at| play(inner, "b2-b2", at(3_000)).unwrap(),
        [3_000, 0],
        [1, 0],
    ),
    (
        "two actions: each side pays for its own",
        |inner, at| {
            opened(inner, at);
            play(inner, "c3-c3", at(5_000)).unwrap();
        },
        [1_000, 4_000],
        [1, 1],
    ),
    (
        "an action that is refused: the time goes on",
        |inner, at| {
            play(inner, "b2-b3", at(2_000)).unwrap_err();
            play(inner, "b2-b2", at(3_000)).unwrap();
        },
        [3_000, 0],
        [1, 0],
    ),
    (
        "the page's pace: nobody pays after the answer",
        |inner, at| {
            inner.clock.hold(at(2_000));
            play(inner, "b2-b2", at(7_000)).unwrap();
            assert_eq!(inner.ply_ms, [2_000]);
        },
        [2_000, 0],
        [1, 0],
    ),
    (
        "the page's pace while it lasts: nobody pays, and no time is up",
        |inner, at| {
            inner.clock.hold(at(2_000));
            assert!(!inner.is_time_up(at(100_000)));
            inner.clock.hold(at(5_000));
        },
        [2_000, 0],
        [0, 0],
    ),
    (
        "the time after an answer is held no longer than its ply",
        |inner, at| {
            inner.clock.hold(at(2_000));
            play(inner, "b2-b2", at(7_000)).unwrap();
            inner.clock.start(at(7_000));
            play(inner, "c3-c3", at(9_000)).unwrap();
        },
        [2_000, 2_000],
        [1, 1],
    ),
    (
        "plies taken back: the side to move pays, no time comes back",
        |inner, at| {
            opened(inner, at);
            inner.take_back(&[0], at(4_000));
            assert!(inner.ply_ms.is_empty());
        },
        [1_000, 3_000],
        [1, 0],
    ),
    (
        "plies taken back during the pace: the engine pays up to its answer",
        |inner, at| {
            opened(inner, at);
            inner.clock.hold(at(1_500));
            inner.take_back(&[0], at(9_000));
        },
        [1_000, 500],
        [1, 0],
    ),
    (
        "the end of the game: the side to move pays",
        |inner, at| {
            opened(inner, at);
            inner.end(Outcome::draw(EndReason::Agreement), at(3_000));
        },
        [1_000, 2_000],
        [1, 0],
    ),
    (
        "a pause or nobody there: neither the search that is dropped nor the time until the next",
        |inner, at| {
            opened(inner, at);
            inner.drop_search();
            inner.clock.start(at(50_000));
            play(inner, "c3-c3", at(50_700)).unwrap();
        },
        [1_000, 700],
        [1, 1],
    ),
    (
        "a pause during the pace",
        |inner, at| {
            inner.clock.hold(at(500));
            inner.drop_search();
            inner.clock.start(at(5_000));
            play(inner, "b2-b2", at(5_300)).unwrap();
        },
        [300, 0],
        [1, 0],
    ),
    (
        "the time is up: the action comes too late",
        |inner, at| {
            assert!(!inner.is_time_up(at(BASE - 1)) && inner.is_time_up(at(BASE)));
            play(inner, "b2-b2", at(BASE)).unwrap_err();
            let outcome = Outcome::won_by(inner.dealt.game(), 1, EndReason::Time);
            inner.end(outcome, at(BASE + 5));
        },
        [BASE, 0],
        [0, 0],
    ),
];

#[test]
fn every_cause_takes_its_time_from_the_right_clock() {
    for (cause, happens, spent, increments) in CAUSES {
        let (room, _) = room([me(), me()]);
        let mut inner = room.lock();
        let begin = Instant::now();
        let at = |ms: u64| begin + Duration::from_millis(ms);
        inner.clock.start(begin);
        happens(&mut inner, &at);
        let to_move = inner.outcome().is_none().then(|| inner.to_move());
        for seat in 0..2 {
            let (left, _) = inner.clock.left(seat, to_move, at(20_000)).unwrap();
            let expected = BASE - spent[seat] + increments[seat] * INCREMENT;
            assert_eq!(left.as_millis() as u64, expected, "{cause}: seat {seat}");
        }
    }
}

fn enter(room: &Arc<Room>, connection: u64, token: &str) -> Outbox {
    let (outbox, _, _) = Outbox::new(connection);
    room.enter(&outbox, None, token).unwrap();
    outbox
}

/// Both clocks, which must have lost nothing, and whether one runs.
fn untouched(room: &Room) -> bool {
    let inner = room.lock();
    for seat in 0..2 {
        let later = Instant::now() + Duration::from_secs(9);
        let (left, _) = inner.clock.left(seat, None, later).unwrap();
        assert_eq!(left, Duration::from_millis(BASE));
    }
    inner.clock.runs()
}

#[tokio::test]
async fn clocks_wait_for_a_guest_and_run_on_when_a_person_leaves() {
    let (room, tokens) = room([me(), Sitter::Link { name: None }]);
    enter(&room, 1, &tokens[0]);
    assert!(!untouched(&room));
    enter(&room, 2, &tokens[1]);
    assert!(untouched(&room));
    let started = room.lock().clock.running(Instant::now());
    room.leave(1);
    room.leave(2);
    assert!(untouched(&room));
    assert!(room.lock().clock.running(Instant::now()) >= started);
}

#[tokio::test]
async fn a_pause_and_an_empty_room_cost_an_engine_no_time() {
    let (room, tokens) = room([greedy(), greedy()]);
    assert!(!untouched(&room), "nobody is there");
    let outbox = enter(&room, 1, &tokens[0]);
    // Its clock starts when it begins to think, which another thread does soon.
    while !room.lock().clock.runs() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    room.pause(&outbox, None, true).unwrap();
    assert!(!untouched(&room));
    room.pause(&outbox, None, false).unwrap();
    while !room.lock().clock.runs() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    room.leave(1);
    assert!(!untouched(&room));
}

#[tokio::test]
async fn the_clock_of_an_engine_stands_still_from_its_answer_on() {
    let (room, tokens) = room([greedy(), me()]);
    enter(&room, 1, &tokens[0]);
    // Its ply is shown after an hour; the clock must not wait so long.
    let has_answered = || {
        let clock = &room.lock().clock;
        clock.runs() && !clock.ticks()
    };
    let begun = Instant::now();
    while !has_answered() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no answer");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let mut inner = room.lock();
    let [soon, later] = [0, 3_600].map(|s| Instant::now() + Duration::from_secs(s));
    let left = inner.clock.left(0, Some(0), later);
    assert_eq!(left, inner.clock.left(0, Some(0), soon));
    assert!(!inner.is_time_up(later));
    let action = inner.dealt.game().actions()[0];
    inner.act(action, later).unwrap();
    let increment = Duration::from_millis(INCREMENT);
    let after = inner.clock.left(0, None, later);
    assert_eq!(after, left.map(|(left, each)| (left + increment, each)));
}

#[tokio::test]
async fn agreements_and_resignations_stop_the_clock_of_the_side_to_move() {
    for by in ["draw", "answer", "resign", "undo"] {
        let (room, tokens) = room([me(), Sitter::Link { name: None }]);
        let first = enter(&room, 1, &tokens[0]);
        let second = enter(&room, 2, &tokens[1]);
        room.play(&first, None, "b2-b2", None).unwrap();
        // Half a minute ago: what is counted shows.
        let since = Instant::now().checked_sub(Duration::from_secs(30));
        {
            let mut inner = room.lock();
            inner.clock.forget();
            inner
                .clock
                .start(since.expect("the machine runs for longer"));
        }
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
        let inner = room.lock();
        let left = |seat| inner.clock.left(seat, None, Instant::now()).unwrap().0;
        let (least, base) = (Duration::from_secs(30), Duration::from_millis(BASE));
        assert!(left(1) <= base - least, "{by}: {:?}", left(1));
        assert!(left(0) > base - least, "{by}: {:?}", left(0));
        assert_eq!(inner.clock.runs(), by == "undo", "{by}");
    }
}
