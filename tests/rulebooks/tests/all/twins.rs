//! The naive and the fast rule book, side by side through random games.
//!
//! After every ply both must write the same position, list the same actions and give the same verdict under each of the
//! presets. The games are played on through draws, so that every later verdict of every preset is compared too.

use anqi_naive::{Naive, NaiveRules, PRESETS};
use anqi_rulebooks::book::{Book, FastBook, NaiveBook, Verdict};
use anqi_rulebooks::wander::{Wanderer, random_position};
use anqi_rules::{Game, Ply, Position, Rules, perft};
use std::collections::BTreeMap;

const GAMES: u64 = 600;
const MOST_PLIES: usize = 300;

/// How often each preset gave each verdict: a comparison that never met a verdict has not compared it.
type Met = BTreeMap<(&'static str, &'static str), usize>;

/// The presets that agree on the actions and the counter: all but that of a course, see `course`.
fn tournaments() -> impl Iterator<Item = NaiveRules> {
    PRESETS.into_iter().filter(|rules| !rules.course)
}

fn kind(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Playing => "open",
        Verdict::NoMove(_) => "won",
        Verdict::NoEatFlipDraw => "limit",
        Verdict::PositionRepetitionDraw => "repetition",
    }
}

/// Compares both books on the present position.
fn compare(fast: &mut FastBook, naive: &mut NaiveBook, met: &mut Met) {
    let here = naive.position();
    assert_eq!(fast.position(), here);
    assert_eq!(fast.legal(), naive.game.legal(), "{here}");
    for preset in tournaments() {
        fast.0
            .set_rules(Rules::preset(preset.name).expect("both books have the same presets"));
        naive.rules = preset;
        let (ours, theirs) = (fast.verdict(), naive.verdict());
        let past = naive.game.record().join(" ");
        assert_eq!(ours, theirs, "{} rules: {here} after {past}", preset.name);
        *met.entry((preset.name, kind(ours))).or_default() += 1;
    }
    // The game goes on with everything allowed.
    fast.0.set_rules(Rules::OLYMPIAD);
}

/// Both books from a position string, without its past.
fn both_from(position: &str) -> (FastBook, NaiveBook) {
    let fast = FastBook(Game::from_text(position, Rules::OLYMPIAD).expect("a printed position"));
    let rules = PRESETS[0];
    let game = Naive::parse(position).expect("a printed position");
    (fast, NaiveBook { game, rules })
}

#[test]
fn both_books_agree_through_random_games() {
    let mut met = Met::new();
    for seed in 0..GAMES {
        let mut wanderer = Wanderer::new(seed);
        let mut fast = FastBook::start("olympiad");
        let mut naive = NaiveBook::start("olympiad");
        compare(&mut fast, &mut naive, &mut met);
        for ply in 1..=MOST_PLIES {
            let Some(next) = wanderer.ply(&fast.0) else {
                break;
            };
            naive.play(&next.to_string()).unwrap();
            fast.0.play(next).unwrap();
            if ply % 90 == 0 {
                // From here on only the position is known, not how it came about.
                (fast, naive) = both_from(&naive.position());
            }
            compare(&mut fast, &mut naive, &mut met);
        }
    }
    for preset in tournaments() {
        let repeats = matches!(preset.name, "olympiad" | "platform" | "mistboard");
        for kind in ["open", "won", "limit", "repetition"] {
            let times = met.get(&(preset.name, kind)).copied().unwrap_or_default();
            let enough = if kind == "repetition" && !repeats {
                times == 0
            } else {
                times >= 20
            };
            assert!(enough, "{} rules met '{kind}' {times} times", preset.name);
        }
    }
}

#[test]
fn both_books_refuse_the_same_plies() {
    let mut refused = 0;
    for seed in 0..60 {
        let position = random_position(seed);
        let naive = Naive::parse(&position.to_string()).unwrap();
        let fast = Game::new(position, Rules::OLYMPIAD);
        for ply in all_plies() {
            let taken = fast.clone().play(ply).is_ok();
            let expected = naive.clone().play(&ply.to_string()).is_ok();
            assert_eq!(taken, expected, "{ply} at {position}");
            refused += usize::from(!taken);
        }
    }
    assert!(refused > 50_000, "only {refused} plies refused");
}

/// Every ply that can be written: 992 from square to square and 448 flips.
pub fn all_plies() -> Vec<Ply> {
    let squares: Vec<String> = (0..32)
        .map(|i| format!("{}{}", char::from(b'a' + i / 8), i % 8 + 1))
        .collect();
    let mut plies = Vec::new();
    for from in &squares {
        plies.extend(
            squares
                .iter()
                .filter(|to| *to != from)
                .map(|to| format!("{from}-{to}")),
        );
        plies.extend(
            "KGMRNCPkgmrncp"
                .chars()
                .map(|letter| format!("{from}({letter})")),
        );
    }
    plies
        .iter()
        .map(|text| text.parse().expect("a ply"))
        .collect()
}

#[test]
fn both_books_count_the_same_leaves() {
    let start = Position::start();
    assert_eq!(perft(&start, 1), 448);
    for depth in 1..=2 {
        assert_eq!(perft(&start, depth), Naive::start().perft(depth as usize));
    }
    let mut deep = 0;
    for seed in 0..160 {
        let position = random_position(seed);
        let naive = Naive::parse(&position.to_string()).unwrap();
        for depth in 1..=5 {
            let leaves = perft(&position, depth);
            if leaves > 20_000 {
                break;
            }
            assert_eq!(
                naive.perft(depth as usize),
                leaves,
                "depth {depth} of {position}"
            );
            deep += usize::from(depth >= 3 && leaves > 100);
        }
    }
    assert!(deep >= 80, "only {deep} counts at depth 3 or more");
}
