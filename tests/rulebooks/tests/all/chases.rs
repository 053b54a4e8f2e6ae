//! The ban on perpetual chasing in both rule books, through games of walkers that chase and run in circles.

use anqi_naive::{Manner as NaiveManner, Naive, preset};
use anqi_rulebooks::book::{Book, FastBook, NaiveBook, Verdict};
use anqi_rulebooks::wander::random_position;
use anqi_rules::chase::Manner;
use anqi_rules::{Action, Game, Rules};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const GAMES: u64 = 350;
const MOST_PLIES: usize = 60;

/// Counts of what the games met; what none of them met has not been compared.
#[derive(Default, Debug)]
struct Met {
    chases: u32,
    flights: u32,
    bans: u32,
    draws: u32,
    third_times_without_a_draw: u32,
}

/// Prefers to repeat the action of four plies ago, then to chase or to flee, then anything but a flip.
fn wander(game: &Game, source: &mut Pcg64) -> Option<Action> {
    let position = game.position();
    let actions = position.actions();
    let back = game.plies().len().checked_sub(4);
    let again = back.map(|at| game.plies()[at].action);
    let quiet = |action: &Action| !action.is_flip() && position.piece_at(action.to()).is_none();
    if let Some(again) = again.filter(|again| quiet(again) && actions.contains(again))
        && source.random_bool(0.85)
    {
        return Some(again);
    }
    let takes = |action: &&Action| position.piece_at(action.to()).is_some();
    let captures: Vec<Action> = actions.iter().filter(takes).copied().collect();
    if source.random_bool(0.1) && !captures.is_empty() {
        return captures.choose(source).copied();
    }
    let quiet: Vec<Action> = actions.into_iter().filter(quiet).collect();
    let in_chase = |action: &Action| game.pursuit().manner(position, *action) != Manner::Ordinary;
    let chasing: Vec<Action> = quiet.iter().copied().filter(in_chase).collect();
    let chosen = chasing.choose(source).filter(|_| source.random_bool(0.9));
    chosen.or_else(|| quiet.choose(source)).copied()
}

fn same_manner(fast: Manner, naive: NaiveManner) -> bool {
    matches!(
        (fast, naive),
        (Manner::Chase, NaiveManner::Chase)
            | (Manner::Flight, NaiveManner::Flight)
            | (Manner::Ordinary, NaiveManner::Ordinary)
    )
}

/// Compares both books on a game and on every ply that could follow.
fn compare(fast: &FastBook, naive: &NaiveBook, met: &mut Met) {
    let past = || {
        format!(
            "{} after {}",
            naive.position(),
            naive.game.record().join(" ")
        )
    };
    assert_eq!(fast.legal(), naive.legal(), "{}", past());
    assert_eq!(fast.verdict(), naive.verdict(), "{}", past());
    let (ours, theirs) = (fast.0.last_manner(), naive.game.manner());
    assert!(
        same_manner(ours, theirs),
        "{ours:?}, {theirs:?}: {}",
        past()
    );
    let by_repetition = fast.verdict() == Verdict::PositionRepetitionDraw;
    met.chases += u32::from(ours == Manner::Chase);
    met.flights += u32::from(ours == Manner::Flight);
    met.bans += u32::from(fast.0.actions() != fast.0.position().actions());
    met.draws += u32::from(by_repetition);
    met.third_times_without_a_draw += u32::from(naive.game.occurrences() >= 3 && !by_repetition);
    for action in fast.0.position().actions() {
        let legal = fast.0.is_legal(action);
        assert_eq!(legal, fast.0.actions().contains(&action), "{action}");
        assert_eq!(legal, fast.0.check_action(action).is_ok(), "{action}");
    }
}

#[test]
fn both_books_agree_through_games_of_chases() {
    let mut met = Met::default();
    for seed in 0..GAMES {
        let mut source = Pcg64::seed_from_u64(seed);
        let start = random_position(seed);
        let mut fast = FastBook(Game::new(start, Rules::MISTBOARD));
        let mut naive = NaiveBook {
            game: Naive::parse(&start.to_string()).expect("a printed position"),
            rules: preset("mistboard"),
        };
        // Half of the walkers ignore the ban, so that banned actions come up again.
        let minds = seed % 2 == 0;
        for _ in 0..MOST_PLIES {
            compare(&fast, &naive, &mut met);
            let Some(action) = wander(&fast.0, &mut source) else {
                break;
            };
            if minds && !fast.0.is_legal(action) {
                assert!(fast.0.play(action.into()).is_err(), "{action}");
                break;
            }
            naive.play(&action.to_string()).unwrap();
            fast.0.set_rules(Rules::OLYMPIAD);
            fast.0.play(action.into()).unwrap();
            fast.0.set_rules(Rules::MISTBOARD);
        }
    }
    let Met { bans, draws, .. } = met;
    let enough = met.chases > 500 && met.flights > 500 && bans > 50 && draws > 50;
    assert!(enough && met.third_times_without_a_draw > 50, "{met:?}");
}

/// Both books after these plies.
fn both_after(position: &str, plies: &[&str]) -> (FastBook, NaiveBook) {
    let mut fast = FastBook(Game::from_text(position, Rules::MISTBOARD).expect("a position"));
    let mut naive = NaiveBook {
        game: Naive::parse(position).expect("a position"),
        rules: preset("mistboard"),
    };
    for ply in plies {
        fast.play(ply).expect("a legal ply");
        naive.play(ply).expect("a legal ply");
    }
    (fast, naive)
}

#[test]
fn two_cannons_that_chase_each_other_draw() {
    // Each flees along the column and attacks the other over the same pawn again.
    let cycle = ["a5-a6", "a1-a2", "a6-a5", "a2-a1"];
    let (fast, naive) = both_after("4/4/4/c3/4/p3/4/C3 b - 0 0", &cycle.repeat(2));
    assert_eq!(fast.verdict(), Verdict::PositionRepetitionDraw);
    assert_eq!(naive.verdict(), Verdict::PositionRepetitionDraw);
}

#[test]
fn a_chase_is_legal_if_there_is_nothing_else() {
    // A pawn and a king in a box of four squares; the pawn is all that red has left.
    let up = ["a1-a2", "b2-b1", "a2-a1", "b1-b2"];
    let right = ["a1-b1", "b2-a2", "b1-a1", "a2-b2"];
    let plies = [vec!["b1-b2"], up.repeat(2), right.repeat(2)].concat();
    let (fast, naive) = both_after("4/4/4/4/4/gm2/1Rm1/Pkr1 b - 0 0", &plies);
    assert_eq!(fast.legal(), ["a1-a2", "a1-b1"]);
    assert_eq!(naive.legal(), fast.legal());
}

#[test]
fn the_third_chase_to_a_square_is_illegal() {
    let cycle = ["c3-b3", "b4-c4", "b3-c3", "c4-b4"];
    let plies = [vec!["b5-b4"], cycle.repeat(2)].concat();
    let (fast, naive) = both_after("P3/4/4/1r2/4/2G1/4/3p b - 0 0", &plies);
    for book in [&fast as &dyn Book, &naive] {
        assert_eq!(book.verdict(), Verdict::Playing);
        let legal = book.legal();
        let has = |action: &str| legal.iter().any(|legal| legal == action);
        assert!(!has("c3-b3") && has("c3-c4"), "{legal:?}");
    }
}
