//! The phases against the slow solver, and against invariants of any position.

use anqi_rules::{
    Color, Content, HiddenBag, Piece, Position, SQUARES, Setup, Square, SquareSet, Symmetry,
};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;

use super::phase::whole;
use super::placement::pieces_of;
use super::plain::{Standing, UnlimitedPlay};
use super::{Endings, PhaseKey, rated_by_expectation};
use crate::classes::Material;
use crate::fraction::Fraction;
use crate::slow;

/// Cache limit of endings in the tests.
const CACHE_BYTES: usize = 64 << 20;

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

fn setup(
    face_up: &[(Piece, Square)],
    bag: HiddenBag,
    face_down: SquareSet,
    turn: Color,
) -> Position {
    let mut board = [Content::Empty; SQUARES];
    for &(piece, square) in face_up {
        board[square.index()] = Content::FaceUp(piece);
    }
    for square in face_down {
        board[square.index()] = Content::FaceDown;
    }
    let mut setup = Setup {
        board,
        turn: Some(turn),
        ..Setup::default()
    };
    for (piece, count) in bag {
        setup.hidden[piece.index()] = count;
    }
    setup.position().unwrap()
}

/// All ways of turning `count` pieces of a set face down, at least one staying face up.
fn divisions(set: &Material, count: usize) -> Vec<(Material, HiddenBag)> {
    if count == 0 {
        return vec![(*set, HiddenBag::EMPTY)];
    }
    let mut found = Vec::new();
    for (face_up, bag) in divisions(set, count - 1) {
        for (piece, _) in face_up.kinds() {
            let mut bag = bag;
            bag.insert(piece);
            let division = (face_up.without(piece), bag);
            if !found.contains(&division) {
                found.push(division);
            }
        }
    }
    found
}

/// All sets of this many squares, one of each four mirror images.
fn square_sets(count: usize) -> Vec<SquareSet> {
    let mut sets = vec![SquareSet::EMPTY];
    for _ in 0..count {
        let larger = sets.iter().flat_map(|set| {
            let above = 32 - set.0.leading_zeros();
            (above..32).map(move |square| SquareSet(set.0 | 1 << square))
        });
        sets = larger.collect();
    }
    let is_least = |set: &SquareSet| Symmetry::ALL.iter().all(|mirror| *set <= mirror.set(*set));
    sets.retain(is_least);
    sets
}

/// All placements of some pieces on the squares that are left, either side to move.
fn placements(face_up: &Material, bag: HiddenBag, face_down: SquareSet) -> Vec<Position> {
    let mut standing = vec![Vec::new()];
    for piece in pieces_of(face_up) {
        let with_one_more = standing.iter().flat_map(|before: &Vec<(Piece, Square)>| {
            let free = |square: &Square| {
                !face_down.contains(*square) && before.iter().all(|(_, taken)| taken != square)
            };
            let squares = Square::all().filter(free);
            squares.map(move |square| {
                let mut after = before.clone();
                after.push((piece, square));
                after
            })
        });
        standing = with_one_more.collect();
    }
    let boards = standing.iter();
    boards
        .flat_map(|board| Color::ALL.map(|turn| setup(board, bag, face_down, turn)))
        .collect()
}

/// Compares all positions that can be reached from some roots with the slow solver; returns their
/// number.
fn agree(endings: &Endings, roots: Vec<Position>) -> usize {
    let solution = slow::solve(&UnlimitedPlay, roots.into_iter().map(Standing));
    for (Standing(position), value) in solution.iter() {
        let known = endings.known(position).unwrap();
        assert_eq!(known.expected, value, "{position}");
    }
    solution.len()
}

/// Compares all positions of a set, any number of its pieces face down.
fn agree_on_set(endings: &Endings, set: &Material) -> usize {
    let mut roots = Vec::new();
    for count in 0..set.len() {
        for face_down in square_sets(count) {
            for (face_up, bag) in divisions(set, count) {
                roots.extend(placements(&face_up, bag, face_down));
            }
        }
    }
    agree(endings, roots)
}

/// Sets, one of each pair that differs by an exchange of colours.
fn sets_of_one_color_order(pieces: usize) -> Vec<Material> {
    let mut sets = Material::all(pieces);
    sets.retain(|set| set.to_string() <= set.swapped().to_string());
    sets
}

#[test]
fn all_positions_of_two_pieces_are_those_of_the_slow_solver() {
    let endings = Endings::new(2, CACHE_BYTES);
    let sets = sets_of_one_color_order(2);
    let positions: usize = sets.iter().map(|set| agree_on_set(&endings, set)).sum();
    assert_eq!(sets.len(), 28);
    println!("{positions} positions");
}

#[test]
#[ignore = "minutes: every position of three pieces, any number of them face down"]
fn all_positions_of_three_pieces_are_those_of_the_slow_solver() {
    let sets = sets_of_one_color_order(3);
    let mut positions = 0;
    for set in &sets {
        positions += agree_on_set(&Endings::new(3, CACHE_BYTES), set);
        println!("{set}: {positions} positions so far");
    }
    assert_eq!(sets.len(), 189);
}

#[test]
fn one_set_of_three_pieces_is_that_of_the_slow_solver() {
    // A cannon needs a screen, and a face-down piece is one.
    agree_on_set(&Endings::new(3, CACHE_BYTES), &"CGk".parse().unwrap());
}

fn random_position(random: &mut Pcg64, pieces: usize, face_down: usize) -> Position {
    let sets = Material::all(pieces);
    let set = sets[random.random_range(0..sets.len())];
    let mut standing = pieces_of(&set);
    standing.shuffle(random);
    let mut squares: Vec<Square> = Square::all().collect();
    squares.shuffle(random);
    let bag = standing[..face_down].iter().copied().collect();
    let hidden = squares[..face_down].iter().copied().collect();
    let face_up = standing[face_down..].iter().copied();
    let face_up: Vec<_> = face_up.zip(squares[face_down..].iter().copied()).collect();
    setup(&face_up, bag, hidden, Color::ALL[random.random_range(0..2)])
}

#[test]
#[ignore = "minutes and a gigabyte: everything that follows from some positions of four pieces"]
fn samples_of_four_pieces_are_those_of_the_slow_solver() {
    let mut random = Pcg64::seed_from_u64(4);
    for face_down in [3, 2, 1, 3, 2, 1] {
        let root = random_position(&mut random, 4, face_down);
        let positions = agree(&Endings::new(4, CACHE_BYTES), vec![root]);
        println!("{root}: {positions} positions");
    }
}

#[test]
fn four_pieces_follow_from_what_comes_next() {
    let endings = Endings::new(4, CACHE_BYTES);
    let mut random = Pcg64::seed_from_u64(13);
    for index in 0..9 {
        let key = PhaseKey::of(&random_position(&mut random, 4, 1 + index % 3));
        for at in placements(&key.face_up, key.bag, key.face_down)
            .iter()
            .step_by(97)
        {
            let known = endings.known(at).unwrap();
            let best = rated_by_expectation(&endings, at).unwrap().swap_remove(0);
            assert_eq!(
                (best.expected, best.plies),
                (known.expected, known.plies),
                "{at}"
            );
            let scaled = known.expected * Fraction::new(whole(key.face_down.len()).into(), 1);
            assert_eq!(scaled.denominator(), 1, "{at}");
        }
    }
}

#[test]
fn mirrors_and_exchanged_colours_change_nothing() {
    let endings = Endings::new(4, CACHE_BYTES);
    let mut random = Pcg64::seed_from_u64(5);
    for index in 0..12 {
        let root = random_position(&mut random, 3 + index % 2, 1 + index % 2);
        let known = endings.known(&root).unwrap();
        for mirror in Symmetry::ALL {
            let image = mirror.position(&root);
            assert_eq!(endings.known(&image).unwrap(), known, "{root} {mirror:?}");
        }
        let mut other = Setup::from(&root);
        for content in &mut other.board {
            if let Content::FaceUp(piece) = content {
                *piece = piece.recolored();
            }
        }
        for piece in Piece::all() {
            other.hidden[piece.index()] = root.hidden().count(piece.recolored());
        }
        other.turn = root.turn().map(|turn| !turn);
        let other = other.position().unwrap();
        assert_eq!(endings.known(&other).unwrap(), known, "{root}");
    }
}

#[test]
fn what_is_kept_is_bounded_and_changes_no_value() {
    let (small, large) = (Endings::new(4, 1 << 20), Endings::new(4, CACHE_BYTES));
    let mut random = Pcg64::seed_from_u64(6);
    for _ in 0..4 {
        let root = random_position(&mut random, 4, 2);
        assert_eq!(small.known(&root), large.known(&root), "{root}");
    }
    // The largest single solution may be kept beyond the bound.
    assert!(small.bytes() < 4 << 20, "{} bytes", small.bytes());
    assert!(large.bytes() <= CACHE_BYTES);
}

/// The positions of docs/face-down.md.
const BY_HAND: [(&str, i64, i64); 11] = [
    ("k?2/K3/4/4/4/4/4/4 b p 0 40", 1, 1),
    ("?P2/4/4/4/4/4/4/4 b k 0 40", -1, 1),
    ("3?/4/4/4/4/4/4/K3 r k 0 40", 1, 1),
    ("?K2/4/4/4/4/4/4/4 r k 0 40", -1, 1),
    ("?P2/4/4/4/4/4/4/4 r k 0 40", 0, 1),
    ("P?2/?3/4/4/4/4/4/4 b Kk 0 40", -1, 1),
    ("K?2/?3/4/4/4/4/4/4 b Gg 0 40", -1, 1),
    ("K?2/?3/4/4/4/4/4/4 r Gg 0 40", 1, 1),
    ("P?2/?3/4/4/4/4/4/4 b kp 0 40", 1, 2),
    ("?C?k/4/4/4/4/4/4/4 r pp 0 40", 0, 1),
    ("4/3?/2?G/4/4/?3/4/4 b Ckc 0 40", 2, 3),
];

#[test]
fn positions_worked_out_by_hand_are_worth_what_the_page_says() {
    let endings = Endings::new(4, CACHE_BYTES);
    for (text, numerator, denominator) in BY_HAND {
        let known = endings.known(&position(text)).unwrap();
        assert_eq!(
            known.expected,
            Fraction::new(numerator, denominator),
            "{text}"
        );
    }
}

#[test]
fn positions_out_of_reach_are_refused_by_name() {
    let endings = Endings::new(4, CACHE_BYTES);
    let said = |text: &str| endings.known(&position(text)).unwrap_err().to_string();
    assert!(said("4/4/4/4/4/4/rr2/KGg? r p 0 0").starts_with("6 pieces"));
    let start = endings.known(&Position::start()).unwrap_err();
    assert!(start.to_string().contains("first flip"), "{start}");
    // However many there are, the side without any has lost.
    let alone = endings.known(&position("4/4/4/4/4/4/PP2/PPP1 b - 0 9"));
    assert_eq!(alone.unwrap().expected, -Fraction::ONE);
}
