//! The referee against scripted engines: what it tells, what it asks, how it judges.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use anqi_match::adjudication::Adjudication;
use anqi_match::clock::{TimeLeft, TimeTolerance};
use anqi_match::deal::{Deal, DealKind};
use anqi_match::engine::{Engine, EngineFault, MoveReply, MoveRequest, NewGame, PlyNotice};
use anqi_match::limits::{Limits, TimeControl};
use anqi_match::openings::Opening;
use anqi_match::record::{GameRecord, Reason};
use anqi_match::referee::{GameSetup, Interrupted, play};
use anqi_match::side::{BySide, Side};
use anqi_rules::{Action, Color, Game, Ply, Position, Rules, Square};

/// A ply that an engine was told, its colour, and the time left to that side.
type Heard = (Ply, Color, TimeLeft);
/// What a scripted engine does at one of its moves.
type Script = Box<dyn FnMut(&MoveRequest<'_>) -> Result<Action, EngineFault> + Send>;

/// An engine that follows a script and reports what it was told to the test.
struct Scripted {
    script: Script,
    heard: Sender<Heard>,
}

impl Engine for Scripted {
    fn new_game(&mut self, _game: &NewGame) -> Result<(), EngineFault> {
        Ok(())
    }

    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, EngineFault> {
        let action = (self.script)(request)?;
        Ok(MoveReply {
            action,
            nodes: 10,
            value: None,
        })
    }

    fn notify(&mut self, played: &PlyNotice<'_>) -> Result<(), EngineFault> {
        let _ = self.heard.send((played.ply, played.color, played.time));
        Ok(())
    }
}

fn scripted(
    script: impl FnMut(&MoveRequest<'_>) -> Result<Action, EngineFault> + Send + 'static,
) -> (Box<dyn Engine>, Receiver<Heard>) {
    let (heard, hears) = channel();
    let script = Box::new(script);
    (Box::new(Scripted { script, heard }), hears)
}

/// Plays any legal action, chosen by the seed of the request.
fn any_legal(request: &MoveRequest<'_>) -> Result<Action, EngineFault> {
    let actions = request.game.position().actions();
    Ok(actions[(request.seed >> 33) as usize % actions.len()])
}

/// Flips the next face-down square, or plays the first action when there is none.
fn flip_next(request: &MoveRequest<'_>) -> Result<Action, EngineFault> {
    let position = request.game.position();
    let flip = position.face_down().first().map(Action::flip);
    Ok(flip.unwrap_or_else(|| position.actions()[0]))
}

fn setup(deal: &Deal, starter: Side) -> GameSetup<'_> {
    GameSetup {
        opening: None,
        deal,
        starter,
        rules: Rules::OLYMPIAD,
        limits: BySide::default(),
        tolerance: TimeTolerance::default(),
        adjudication: Adjudication::default(),
        adjudicator: None,
        pair_seed: 99,
    }
}

fn referee(
    setup: &GameSetup<'_>,
    mut a: Box<dyn Engine>,
    mut b: Box<dyn Engine>,
) -> Result<GameRecord, Interrupted> {
    let engines = BySide {
        a: &mut *a,
        b: &mut *b,
    };
    play(setup, engines).map(|(record, _)| record)
}

fn deal(kind: DealKind) -> Deal {
    Deal::new(kind, 5, 0)
}

#[test]
fn the_kth_flip_reveals_the_kth_piece_wherever_it_is() {
    let deal = deal(DealKind::Sequence);
    let backwards = |request: &MoveRequest<'_>| {
        let hidden = request.game.position().face_down();
        let last = hidden.into_iter().last().map(Action::flip);
        Ok(last.unwrap_or_else(|| request.game.position().actions()[0]))
    };
    let forwards = referee(
        &setup(&deal, Side::A),
        scripted(flip_next).0,
        scripted(flip_next).0,
    );
    let backwards = referee(
        &setup(&deal, Side::A),
        scripted(backwards).0,
        scripted(backwards).0,
    );
    for record in [forwards, backwards] {
        let plies = record.expect("a result").parse_plies().expect("plies");
        for (k, ply) in plies.iter().take(32).enumerate() {
            let expected = deal.reveal(Square::new(0), k);
            assert_eq!(ply.reveal, Some(expected), "flip {k}");
        }
    }
}

#[test]
fn with_squares_a_square_hides_the_same_piece_whenever_it_is_flipped() {
    let deal = deal(DealKind::Squares);
    let record = referee(
        &setup(&deal, Side::B),
        scripted(any_legal).0,
        scripted(any_legal).0,
    );
    for ply in record.expect("a result").parse_plies().expect("plies") {
        if let Some(piece) = ply.reveal {
            assert_eq!(piece, deal.reveal(ply.action.from(), 0), "{ply}");
        }
    }
}

#[test]
fn both_seats_hear_every_ply_and_who_played_it() {
    let deal = deal(DealKind::Sequence);
    let ((a, heard_by_a), (b, heard_by_b)) = (scripted(any_legal), scripted(any_legal));
    let record = referee(&setup(&deal, Side::B), a, b).expect("a result");
    let heard: Vec<_> = heard_by_a.iter().collect();
    assert_eq!(heard, heard_by_b.iter().collect::<Vec<_>>());
    let plies: Vec<Ply> = heard.iter().map(|(ply, _, _)| *ply).collect();
    assert_eq!(plies, record.parse_plies().expect("plies"));
    let first = record.starter_color.expect("it was flipped");
    for (k, (_, color, _)) in heard.iter().enumerate() {
        assert_eq!(*color == first, k % 2 == 0, "ply {k}");
    }
    assert_eq!(record.nodes[Side::A], 10 * record.moves(Side::A) as u64);
}

#[test]
fn results_are_those_of_the_rules() {
    let mut reasons = Vec::new();
    for pair in 0..60 {
        let deal = Deal::new(DealKind::Sequence, 1, pair);
        let mut setup = setup(&deal, Side::A);
        setup.pair_seed = pair;
        let record =
            referee(&setup, scripted(any_legal).0, scripted(any_legal).0).expect("a result");
        let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
        for ply in record.parse_plies().expect("plies") {
            assert_eq!(game.outcome(), None, "the referee stops at once");
            game.play(ply).expect("legal");
        }
        let outcome = game.outcome().expect("the game is over");
        let winner = record.verdict.winner.and_then(|side| record.color(side));
        assert_eq!(winner, outcome.winner());
        reasons.push(record.verdict.reason);
    }
    reasons.sort();
    reasons.dedup();
    assert!(reasons.len() >= 2, "{reasons:?}");
    assert!(!reasons.iter().any(|reason| reason.is_fault()));
}

/// Plays a game in which B does the deed at its third move.
fn b_at_its_third(
    rules: &GameSetup<'_>,
    mut deed: impl FnMut(&MoveRequest<'_>) -> Result<Action, EngineFault> + Send + 'static,
) -> GameRecord {
    let mut moves = 0;
    let b = scripted(move |request| {
        moves += 1;
        if moves == 3 {
            deed(request)
        } else {
            any_legal(request)
        }
    });
    referee(rules, scripted(any_legal).0, b.0).expect("a result")
}

#[test]
fn an_illegal_action_ends_the_game_and_says_why() {
    let deal = deal(DealKind::Sequence);
    let far = Action::step(Square::new(0), Square::new(31));
    let record = b_at_its_third(&setup(&deal, Side::A), move |_| Ok(far));
    assert_eq!(record.verdict.winner, Some(Side::A));
    assert_eq!(record.verdict.reason, Reason::IllegalAction);
    let detail = record.verdict.detail.clone().expect("a reason");
    assert!(
        detail.contains("a1-d8") && detail.contains("ply 6"),
        "{detail}"
    );
    assert_eq!(record.length(), 5, "the illegal action is not played");
}

#[test]
fn flipping_what_lies_open_is_illegal() {
    let deal = deal(DealKind::Sequence);
    let record = b_at_its_third(&setup(&deal, Side::A), |request| {
        let first = request.game.plies()[0].action;
        assert!(!request.game.position().face_down().contains(first.from()));
        Ok(first)
    });
    assert_eq!(record.verdict.reason, Reason::IllegalAction);
}

/// A rook flees from a guard in circles.
fn round_and_round(request: &MoveRequest<'_>) -> Result<Action, EngineFault> {
    const ROUND: [&str; 4] = ["c4-b4", "c3-b3", "b4-c4", "b3-c3"];
    let action = match request.game.plies().len() {
        0 => "b5-b4",
        played => ROUND[played % ROUND.len()],
    };
    Ok(action.parse().expect("an action"))
}

#[test]
fn a_perpetual_chase_is_illegal_where_the_rules_ban_it() {
    let deal = deal(DealKind::Sequence);
    let mut setup = setup(&deal, Side::A);
    let start = "P3/4/4/1r2/4/2G1/4/3p b - 0 0".parse();
    setup.opening = Some(Opening(start.expect("a position")));
    let chase = |setup: &GameSetup<'_>| {
        let [fugitive, chaser] = [(); 2].map(|()| scripted(round_and_round).0);
        let record = referee(setup, fugitive, chaser).expect("a result");
        record.verdict
    };
    let free = chase(&setup);
    assert_eq!((free.reason, free.winner), (Reason::Repetition, None));
    setup.rules = Rules::MISTBOARD;
    let banned = chase(&setup);
    assert_eq!(banned.reason, Reason::IllegalAction);
    assert_eq!(banned.winner, Some(Side::A), "the chaser goes too far");
    let detail = banned.detail.expect("a reason");
    assert!(detail.contains("by chasing"), "{detail}");
}

#[test]
fn a_course_ends_games_for_either_side_and_lets_one_without_pieces_flip() {
    let played = |start: &str, first: &'static str, rules| {
        let start = start.parse().expect("a position");
        let deal = Deal::at(&start, DealKind::Sequence, 5, 0);
        let mut setup = setup(&deal, Side::A);
        setup.opening = Some(Opening(start));
        setup.rules = rules;
        let action = move |_: &MoveRequest<'_>| Ok(first.parse().expect("an action"));
        let record = referee(&setup, scripted(action).0, scripted(flip_next).0);
        let record = record.expect("a result");
        let plies = record.plies.split_whitespace().count();
        (record.verdict.reason, record.verdict.winner, plies)
    };
    // The cannon jumps to where it is stuck between two pawns.
    let jump = played("4/4/4/4/C3/4/p3/mp2 r - 0 40", "a4-a1", Rules::COURSE);
    assert_eq!(jump, (Reason::NoLegalAction, Some(Side::B), 1));
    // Black has no piece left but a flip, which brings none.
    let capture = "?3/4/4/4/4/4/4/Kg2 r G 0 40";
    let course = played(capture, "a1-b1", Rules::COURSE);
    assert_eq!(course, (Reason::Annihilation, Some(Side::A), 2));
    let olympiad = played(capture, "a1-b1", Rules::OLYMPIAD);
    assert_eq!(olympiad, (Reason::Annihilation, Some(Side::A), 1));
}

#[test]
fn faults_keep_their_kind() {
    let deal = deal(DealKind::Sequence);
    let faults = [
        (EngineFault::Crash("x".to_owned()), Reason::Crash),
        (EngineFault::Stall("x".to_owned()), Reason::Stall),
        (EngineFault::Flood("x".to_owned()), Reason::Flood),
        (EngineFault::BadAnswer("x".to_owned()), Reason::BadAnswer),
    ];
    for (fault, reason) in faults {
        let record = b_at_its_third(&setup(&deal, Side::A), move |_| Err(fault.clone()));
        assert_eq!(record.verdict.reason, reason);
        assert_eq!(record.verdict.winner, Some(Side::A));
    }
    let interrupted = referee(
        &setup(&deal, Side::A),
        scripted(|_| Err(EngineFault::Interrupted)).0,
        scripted(any_legal).0,
    );
    assert_eq!(interrupted, Err(Interrupted));
}

#[test]
fn thinking_too_long_forfeits_on_time() {
    let deal = deal(DealKind::Sequence);
    let mut rules = setup(&deal, Side::A);
    rules.tolerance.margin = Duration::from_millis(5);
    rules.limits.b = Limits {
        time: "0.2+0.1".parse().ok(),
        ..Limits::default()
    };
    let record = b_at_its_third(&rules, |request| {
        assert!(matches!(request.time, TimeLeft::Total { left, .. } if left > Duration::ZERO));
        thread::sleep(Duration::from_millis(450));
        any_legal(request)
    });
    assert_eq!(record.verdict.reason, Reason::TimeForfeit);
    assert_eq!(record.verdict.winner, Some(Side::A));
}

#[test]
fn thinking_is_timed_for_each_side() {
    const PAUSE: Duration = Duration::from_millis(2);
    let deal = deal(DealKind::Sequence);
    let slow = |request: &MoveRequest<'_>| {
        thread::sleep(PAUSE);
        any_legal(request)
    };
    let (mut a, mut b) = (scripted(slow).0, scripted(any_legal).0);
    let engines = BySide {
        a: &mut *a,
        b: &mut *b,
    };
    let (record, timing) = play(&setup(&deal, Side::A), engines).expect("a whole game");
    let moves = record.plies.split(' ').count().div_ceil(2) as u64;
    let slept = moves * PAUSE.as_micros() as u64;
    assert!(timing.thinking_us.a >= slept, "{timing:?} of {slept}");
    assert!(timing.thinking_us.b < timing.thinking_us.a, "{timing:?}");
    let both = timing.thinking_us.a + timing.thinking_us.b;
    assert!(timing.total_us >= both, "{timing:?}");
}

#[test]
fn the_same_position_has_the_same_seed_in_both_games_of_a_pair() {
    let deal = deal(DealKind::Sequence);
    let ask = |starter: Side| {
        let (sender, seeds) = channel();
        let listen = move |sender: Sender<u64>| {
            scripted(move |request: &MoveRequest<'_>| {
                let _ = sender.send(request.seed);
                any_legal(request)
            })
            .0
        };
        let (a, b) = (listen(sender.clone()), listen(sender));
        let record = referee(&setup(&deal, starter), a, b).expect("a result");
        (seeds.iter().collect::<Vec<u64>>(), record.plies)
    };
    let (seeds, plies) = ask(Side::A);
    assert_eq!((&seeds, &plies), (&ask(Side::B).0, &ask(Side::B).1));
    let mut distinct = seeds.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(
        distinct.len(),
        seeds.len(),
        "every ply has a seed of its own"
    );
}

/// What a side answered, and what it was asked with.
#[derive(Default)]
struct Answers {
    slept: Duration,
    asked: Vec<TimeLeft>,
}

#[test]
fn time_nodes_and_values_are_those_of_the_side_that_moves() {
    const TOTALS: [(u64, u64); 2] = [(400_000, 1_000), (700_000, 3_000)];
    let deal = deal(DealKind::Sequence);
    for starter in Side::ALL {
        let mut rules = setup(&deal, starter);
        for (side, (total_ms, increment_ms)) in Side::ALL.into_iter().zip(TOTALS) {
            rules.limits[side].time = Some(TimeControl::Total {
                total_ms,
                increment_ms,
            });
        }
        let (sender, answers) = channel();
        // A thinks for a while at its first two moves; B answers at once.
        let engine = |side: Side, pause: Duration, sender: Sender<(Side, Duration, TimeLeft)>| {
            let mut number = 0;
            scripted(move |request: &MoveRequest<'_>| {
                number += 1;
                let pause = if number <= 2 { pause } else { Duration::ZERO };
                thread::sleep(pause);
                let _ = sender.send((side, pause, request.time));
                any_legal(request)
            })
        };
        let (mut a, heard) = engine(Side::A, Duration::from_millis(300), sender.clone());
        let (mut b, _) = engine(Side::B, Duration::ZERO, sender);
        let engines = BySide {
            a: &mut *a,
            b: &mut *b,
        };
        let (record, _) = play(&rules, engines).expect("a whole game");
        drop((a, b));
        let mut sides: BySide<Answers> = BySide::default();
        for (side, slept, asked) in answers {
            sides[side].slept += slept;
            sides[side].asked.push(asked);
        }
        for (side, (total_ms, increment_ms)) in Side::ALL.into_iter().zip(TOTALS) {
            let Answers { slept, asked } = &sides[side];
            let left = |time: &TimeLeft| match time {
                TimeLeft::Total { left, increment } => {
                    assert_eq!(*increment, Duration::from_millis(increment_ms));
                    *left
                }
                other => panic!("{other:?}"),
            };
            let total = Duration::from_millis(total_ms);
            assert_eq!(left(&asked[0]), total);
            let moves = asked.len() as u64 - 1;
            let grown = total + Duration::from_millis(increment_ms * moves);
            let last = left(asked.last().expect("a move"));
            // Nobody has less than it used, and the machine may have used more.
            assert!(last <= grown - *slept, "{side}: {last:?} of {grown:?}");
            assert!(last + *slept > grown / 2, "{side}: {last:?} of {grown:?}");
            assert_eq!(record.nodes[side], 10 * asked.len() as u64, "{side}");
        }
        let told = |ply: &Heard| matches!(ply.2, TimeLeft::Total { increment, .. } if increment == Duration::from_millis(1_000));
        for (index, heard) in heard.iter().enumerate() {
            // What is told after a ply is the time of the side that played it.
            let by_a = (index % 2 == 0) == (starter == Side::A);
            assert_eq!(told(&heard), by_a, "ply {index}");
        }
    }
}

#[test]
fn the_value_of_a_last_move_is_its_own_sides() {
    struct Valued(i32);
    impl Engine for Valued {
        fn new_game(&mut self, _: &NewGame) -> Result<(), EngineFault> {
            Ok(())
        }

        fn choose(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, EngineFault> {
            Ok(MoveReply {
                action: any_legal(request)?,
                nodes: self.0.unsigned_abs().into(),
                value: Some(self.0),
            })
        }

        fn notify(&mut self, _: &PlyNotice<'_>) -> Result<(), EngineFault> {
            Ok(())
        }
    }
    let deal = deal(DealKind::Squares);
    for starter in Side::ALL {
        let setup = setup(&deal, starter);
        let record = referee(&setup, Box::new(Valued(-7)), Box::new(Valued(40)));
        let record = record.expect("a result");
        assert_eq!(
            (record.last_values.a, record.last_values.b),
            (Some(-7), Some(40))
        );
        for (side, nodes) in [(Side::A, 7), (Side::B, 40)] {
            assert_eq!(
                record.nodes[side],
                nodes * record.moves(side) as u64,
                "{side}"
            );
        }
    }
}
