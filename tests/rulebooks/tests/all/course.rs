//! The rules of a course in both books, and games that a course's referee has judged.

use crate::twins::all_plies;
use anqi_naive::Naive;
use anqi_rulebooks::book::{Book, FastBook, NaiveBook, Verdict};
use anqi_rulebooks::wander::{Wanderer, random_position};
use anqi_rules::{Color, Convention, Game, Outcome, Position, Rules, WinReason, perft};
use flate2::read::GzDecoder;
use std::collections::BTreeMap;
use std::io::Read;

const GAMES: u64 = 120;
const MOST_PLIES: usize = 300;

/// What random games of a course have met.
type Met = BTreeMap<&'static str, usize>;

/// Compares both books on the present position, and notes what is special about it.
fn compare(fast: &FastBook, naive: &NaiveBook, met: &mut Met) {
    let here = naive.position();
    assert_eq!(fast.position(), here);
    assert_eq!(fast.legal(), naive.legal(), "{here}");
    let verdict = fast.verdict();
    assert_eq!(verdict, naive.verdict(), "{here}");
    let position = fast.0.position();
    let mut note = |what, holds| *met.entry(what).or_default() += usize::from(holds);
    note("open", verdict == Verdict::Playing);
    note("limit", verdict == Verdict::NoEatFlipDraw);
    note("won", matches!(verdict, Verdict::NoMove(_)));
    let goes_on = position.loser().is_none();
    note("plays on", goes_on && position.annihilated().is_some());
    let lost = position.loser().map(|(loser, _)| loser);
    note(
        "lost by its own ply",
        lost.is_some() && lost != position.turn(),
    );
    note(
        "counts on",
        position.quiet_counter() > 0 && fast.0.plies().last().is_some_and(|p| p.action.is_flip()),
    );
}

/// Follows a walker through both books to the end on the board; draws are played on.
fn wander(mut fast: FastBook, mut naive: NaiveBook, seed: u64, met: &mut Met) {
    let mut wanderer = Wanderer::new(seed);
    compare(&fast, &naive, met);
    for _ in 0..MOST_PLIES {
        let Some(next) = wanderer.ply(&fast.0) else {
            return;
        };
        naive
            .play(&next.to_string())
            .expect("legal in the naive book");
        fast.play(&next.to_string())
            .expect("legal in the fast book");
        compare(&fast, &naive, met);
    }
}

#[test]
fn both_books_agree_through_random_games_of_a_course() {
    let mut met = Met::new();
    for seed in 0..GAMES {
        let (fast, naive) = (FastBook::start("course"), NaiveBook::start("course"));
        wander(fast, naive, seed, &mut met);
    }
    for (text, _) in judged_games() {
        let position = text.split(" moves ").next().expect("a position");
        if position != "start" {
            let seed = text.len() as u64;
            let books = (
                FastBook::of_course(position),
                NaiveBook::of_course(position),
            );
            wander(books.0, books.1, seed, &mut met);
        }
    }
    for what in [
        "open",
        "limit",
        "won",
        "plays on",
        "lost by its own ply",
        "counts on",
    ] {
        let times = met.get(what).copied().unwrap_or_default();
        assert!(times >= 10, "met '{what}' {times} times: {met:?}");
    }
}

#[test]
fn both_books_refuse_the_same_plies_of_a_course_and_count_the_same_leaves() {
    let mut wiped_out = 0;
    for (text, _) in judged_games().into_iter().step_by(12) {
        let game = Game::from_text(&text, Rules::COURSE).expect("a judged game");
        let mut before = game.clone();
        before.undo();
        for game in [before, game] {
            let position = game.position();
            let naive = Naive::parse(&position.to_string())
                .expect("a printed position")
                .of_course();
            for ply in all_plies() {
                let taken = game.clone().play(ply).is_ok();
                let expected = naive.clone().play(&ply.to_string()).is_ok();
                assert_eq!(taken, expected, "{ply} at {position}");
            }
            for depth in 1..=3 {
                let leaves = perft(position, depth);
                assert_eq!(naive.perft(depth as usize), leaves, "{position}");
            }
            wiped_out += usize::from(position.annihilated().is_some());
        }
    }
    assert!(wiped_out > 5, "{wiped_out} positions with a side wiped out");
}

/// The position, the verdict, and the reason of a win.
type Case = (&'static str, Verdict, Option<WinReason>);

#[rustfmt::skip]
const CASES: &[Case] = &[
    // A side without pieces flips, whoever is to move.
    ("?3/4/4/4/4/4/4/1K2 b G 0 9", Verdict::Playing, None),
    ("?3/4/4/4/4/4/4/1K2 r G 0 9", Verdict::Playing, None),
    // The last flip may bring it a piece, or not.
    ("?3/4/4/4/4/4/4/1K2 b g 0 9 moves a8(g)", Verdict::Playing, None),
    ("?3/4/4/4/4/4/4/1K2 b G 0 9 moves a8(G)", Verdict::NoMove('r'), Some(WinReason::Annihilation)),
    // A capture of the last piece wins if nothing is face down.
    ("4/4/4/4/4/4/4/Kg2 r - 29 40 moves a1-b1", Verdict::NoMove('r'), Some(WinReason::Annihilation)),
    ("3?/4/4/4/4/4/4/Kg2 r G 29 40 moves a1-b1", Verdict::Playing, None),
    // The side to move is stuck, and the same with the other side to move.
    ("4/4/4/4/4/4/p3/Cp2 r - 3 40", Verdict::NoMove('b'), Some(WinReason::NoLegalAction)),
    ("4/4/4/4/4/4/p3/Cp2 b - 3 40", Verdict::NoMove('b'), Some(WinReason::NoLegalAction)),
    // A cannon jumps to where it is stuck; with something to flip it is not.
    ("4/4/4/4/C3/4/p3/mp2 r - 0 40 moves a4-a1", Verdict::NoMove('b'), Some(WinReason::NoLegalAction)),
    ("3?/4/4/4/C3/4/p3/mp2 r p 0 40 moves a4-a1", Verdict::Playing, None),
    // The last flip leaves the flipping side stuck.
    ("4/4/4/4/4/4/p3/C?2 r p 0 40 moves b1(p)", Verdict::NoMove('b'), Some(WinReason::NoLegalAction)),
    ("4/4/4/4/4/4/p3/C?2 r P 0 40 moves b1(P)", Verdict::Playing, None),
    // The limit comes before the win.
    ("4/4/4/4/4/4/P3/c1P1 r - 28 40 moves c1-b1", Verdict::NoMove('r'), Some(WinReason::NoLegalAction)),
    ("4/4/4/4/4/4/P3/c1P1 r - 29 40 moves c1-b1", Verdict::NoEatFlipDraw, None),
    ("4/4/4/4/4/4/p3/Cp2 r - 30 40", Verdict::NoEatFlipDraw, None),
    // A flip neither raises nor clears the counter; a capture clears it.
    ("K3/4/4/4/4/4/4/??2 r gg 29 40 moves a1(g) b1(g)", Verdict::Playing, None),
    ("K3/4/4/4/4/4/4/??2 r gg 29 40 moves a1(g) b1(g) a8-a7", Verdict::NoEatFlipDraw, None),
    ("K3/4/4/4/4/4/4/??2 r Gg 29 40 moves a1(g) b1(G) a8-b8", Verdict::NoEatFlipDraw, None),
    ("Kg2/4/4/4/4/4/4/?2m r g 29 40 moves a8-b8 a1(g)", Verdict::Playing, None),
];

#[test]
fn hand_made_endings_end_as_a_course_says() {
    for (text, verdict, reason) in CASES {
        let fast = FastBook(Game::from_text(text, Rules::COURSE).expect(text));
        let (position, plies) = text.split_once(" moves ").unwrap_or((text, ""));
        let mut naive = NaiveBook::of_course(position);
        for ply in plies.split_whitespace() {
            naive.play(ply).expect(text);
        }
        assert_eq!(fast.verdict(), *verdict, "{text}");
        assert_eq!(naive.verdict(), *verdict, "{text}");
        assert_eq!(reason_of(&fast.0), *reason, "{text}");
        // A position has no legal action exactly if a side has lost on the board.
        let position = fast.0.position();
        assert_eq!(
            position.actions().is_empty(),
            position.loser().is_some(),
            "{text}"
        );
    }
}

fn reason_of(game: &Game) -> Option<WinReason> {
    match game.outcome() {
        Some(Outcome::Win { reason, .. }) => Some(reason),
        _ => None,
    }
}

/// The games that the referee of a course has judged, with its verdicts and reasons.
fn judged_games() -> Vec<(String, (Verdict, Option<WinReason>))> {
    let packed: &[u8] = include_bytes!("../../data/course-games.txt.gz");
    let mut text = String::new();
    let read = GzDecoder::new(packed).read_to_string(&mut text);
    read.expect("the file in the repository is whole");
    text.lines().map(judged).collect()
}

fn judged(line: &str) -> (String, (Verdict, Option<WinReason>)) {
    let (winner, rest) = line.split_once(' ').expect("a winner");
    let (reason, game) = rest.split_once(' ').expect("a reason");
    let verdict = match winner {
        "red" => Verdict::NoMove(Color::Red.letter()),
        "black" => Verdict::NoMove(Color::Black.letter()),
        "draw" => Verdict::NoEatFlipDraw,
        _ => panic!("'{winner}' is not a winner"),
    };
    let reason = match reason {
        "stuck" => Some(WinReason::NoLegalAction),
        "gone" => Some(WinReason::Annihilation),
        "limit" => None,
        _ => panic!("'{reason}' is not a reason"),
    };
    (game.to_owned(), (verdict, reason))
}

#[test]
fn both_books_judge_as_the_referee_of_a_course_did() {
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    for (text, (verdict, reason)) in judged_games() {
        let (position, plies) = text.split_once(" moves ").expect("plies");
        let start = match position {
            "start" => Position::start().to_string(),
            position => position.to_owned(),
        };
        let (mut fast, mut naive) = (FastBook::of_course(&start), NaiveBook::of_course(&start));
        for ply in plies.split_whitespace() {
            let before = (fast.verdict(), naive.verdict());
            assert_eq!(
                before,
                (Verdict::Playing, Verdict::Playing),
                "{text} at {ply}"
            );
            fast.play(ply).expect(&text);
            naive.play(ply).expect(&text);
        }
        assert_eq!(
            (fast.verdict(), naive.verdict()),
            (verdict, verdict),
            "{text}"
        );
        assert_eq!(reason_of(&fast.0), reason, "{text}");
        *met.entry(format!("{verdict:?} {reason:?}")).or_default() += 1;
    }
    assert_eq!(met.len(), 5, "{met:?}");
    assert!(met.values().all(|times| *times >= 100), "{met:?}");
}

#[test]
fn tournaments_and_courses_differ_only_where_a_side_is_wiped_out_or_stuck() {
    let mut same = 0;
    for seed in 0..600 {
        let position = random_position(seed);
        let course = position.under(Convention::Course);
        assert_eq!(course.key(), position.key());
        assert_eq!(course.to_string(), position.to_string());
        if position.decided().is_none() && course.decided().is_none() {
            assert_eq!(course.actions(), position.actions(), "{position}");
            assert_eq!(course.count_actions(), position.count_actions());
            same += 1;
        }
    }
    assert!(same > 500, "{same}");
}
