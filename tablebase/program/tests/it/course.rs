//! Tables under the rules of a course: each value that they give is that of a slow solver.
//!
//! Of all positions of some materials, and of sampled ones of four pieces, a memory of positions and
//! counters gives the value by the rules alone: a draw at the limit, then the side that has lost on
//! the board, then the best action.

use std::collections::HashMap;
use std::num::NonZeroU32;

use anqi_rules::{
    Color, Content, Convention, Piece, Position, Precedence, Rules, Setup, Square, SquareSet,
};
use anqi_tablebase::{Endgames, Tables, Wdl};

/// A course's rules with a limit so short that wins often come on the ply that reaches it.
fn course(limit: u32) -> Rules {
    Rules {
        quiet_limit: NonZeroU32::new(limit),
        ..Rules::COURSE
    }
}

/// The slow solver.
struct Slow {
    limit: u32,
    known: HashMap<(u64, u32), Wdl>,
}

impl Slow {
    fn new(limit: u32) -> Slow {
        let known = HashMap::new();
        Slow { limit, known }
    }

    fn value(&mut self, position: &Position) -> Wdl {
        if position.quiet_counter() >= self.limit {
            return Wdl::Draw;
        }
        if let Some((loser, _)) = position.loser() {
            return if position.turn() == Some(loser) {
                Wdl::Loss
            } else {
                Wdl::Win
            };
        }
        let place = (position.key(), position.quiet_counter());
        if let Some(known) = self.known.get(&place) {
            return *known;
        }
        let mut best = Wdl::Loss;
        for action in position.actions() {
            let mut next = *position;
            let _ = next.step_unchecked(action);
            best = best.max(self.value(&next).reversed());
            if best == Wdl::Win {
                break;
            }
        }
        self.known.insert(place, best);
        best
    }
}

/// Calls a check with every position of these pieces on these squares, the first in a quarter of the
/// board.
fn in_all_positions(
    letters: &str,
    quiet: u32,
    squares: SquareSet,
    check: &mut impl FnMut(&Position),
) {
    let pieces: Vec<Piece> = letters.chars().map(piece).collect();
    let mut setup = Setup {
        quiet,
        ply: quiet + 20,
        ..Setup::default()
    };
    place(&pieces, squares, &mut setup, check);
}

fn piece(letter: char) -> Piece {
    letter.to_string().parse().expect("a piece")
}

fn place(
    pieces: &[Piece],
    squares: SquareSet,
    setup: &mut Setup,
    check: &mut impl FnMut(&Position),
) {
    let Some((piece, others)) = pieces.split_first() else {
        for turn in Color::ALL {
            setup.turn = Some(turn);
            let position = setup.position().expect("few pieces");
            check(&position.under(Convention::Course));
        }
        return;
    };
    let is_first = setup.board.iter().all(|content| *content == Content::Empty);
    for square in squares {
        let is_quarter = square.column() < 2 && square.row() < 4;
        let at = square.index();
        if is_first && !is_quarter || setup.board[at] != Content::Empty {
            continue;
        }
        setup.board[at] = Content::FaceUp(*piece);
        place(others, squares, setup, check);
        setup.board[at] = Content::Empty;
    }
}

/// What answers: tables in memory, and the values inside the program where it has them.
struct Sources {
    tables: Tables,
    embedded: anqi_tablebase::distil::EmbeddedValues,
}

impl Sources {
    fn new(pieces: usize, rules: Rules) -> Sources {
        Sources {
            tables: Tables::solved(pieces, rules).expect("few pieces"),
            embedded: anqi_tablebase::distil::EmbeddedValues::new(rules).expect("a sound file"),
        }
    }

    fn all(&self) -> Vec<&dyn Endgames> {
        vec![&self.tables, &self.embedded]
    }
}

/// What a comparison has met.
#[derive(Default, Debug)]
struct Met {
    certain: u32,
    decided: u32,
    unknown: u32,
}

/// Compares all sources of values with the slow solver on one position.
fn compare(position: &Position, sources: &Sources, slow: &mut Slow, met: &mut Met) {
    let expected = slow.value(position);
    for (number, source) in sources.all().into_iter().enumerate() {
        let wdl = source.wdl(position);
        assert_eq!(
            source.known(position).map(|known| known.wdl),
            wdl,
            "{position}"
        );
        if number == 0 {
            met.certain += u32::from(wdl.is_some());
            met.decided += u32::from(wdl.is_some_and(|wdl| wdl != Wdl::Draw));
            met.unknown += u32::from(wdl.is_none());
        }
        if let Some(wdl) = wdl {
            assert_eq!(
                wdl, expected,
                "{position}, limit {}, source {number}",
                slow.limit
            );
        }
    }
}

fn compared(letters: &str, limit: u32) -> Met {
    let rules = course(limit);
    let sources = Sources::new(3, rules);
    let mut slow = Slow::new(limit);
    let mut met = Met::default();
    for quiet in [0, limit / 2, limit - 2, limit - 1, limit] {
        in_all_positions(letters, quiet, SquareSet::ALL, &mut |position| {
            compare(position, &sources, &mut slow, &mut met);
        });
    }
    met
}

#[test]
fn values_of_two_pieces_are_those_of_a_slow_solver() {
    for letters in ["Kg", "Cc", "Pp", "Rc", "pK"] {
        let met = compared(letters, 9);
        assert!(
            met.certain > 2_000 && met.unknown * 20 < met.certain,
            "{letters}: {met:?}"
        );
    }
}

#[test]
fn values_of_three_pieces_are_those_of_a_slow_solver() {
    let mut decided = 0;
    for letters in ["Cpp", "Rcp", "cCP"] {
        let met = compared(letters, 4);
        assert!(
            met.certain > 50_000 && met.unknown * 20 < met.certain,
            "{letters}: {met:?}"
        );
        decided += met.decided;
    }
    assert!(decided > 500, "{decided}");
}

/// Positions of four pieces in a corner of twelve squares, every seventh.
fn in_a_corner(letters: &str, quiet: u32, check: &mut impl FnMut(&Position)) {
    let near = |square: &Square| square.column() < 3 && square.row() < 4;
    let corner: SquareSet = Square::all().filter(near).collect();
    let mut number = 0usize;
    in_all_positions(letters, quiet, corner, &mut |position| {
        number += 1;
        if number.is_multiple_of(7) {
            check(position);
        }
    });
}

#[test]
fn values_of_four_pieces_count_without_cannons_and_differ_with_them() {
    let limit = 3;
    let rules = course(limit);
    let sources = Sources::new(4, rules);
    // The same limit by the rules of tournaments.
    let free = Tables::solved(
        4,
        Rules {
            convention: Convention::Tournament,
            precedence: Precedence::Wins,
            ..rules
        },
    )
    .expect("few pieces");
    let (mut met, mut differ) = (Met::default(), 0);
    for (letters, has_cannons) in [
        ("Rnpp", false),
        ("KPgp", false),
        ("Cppm", true),
        ("Cppc", true),
    ] {
        let mut slow = Slow::new(limit);
        for quiet in [0, 2] {
            in_a_corner(letters, quiet, &mut |position| {
                compare(position, &sources, &mut slow, &mut met);
                let is_over = position.decided().is_some();
                assert!(!has_cannons || is_over || sources.tables.wdl(position).is_none());
                let plain = free.wdl(position).expect("all of four pieces");
                differ += u32::from(has_cannons && plain != slow.value(position));
            });
        }
    }
    assert!(met.certain > 500 && met.decided > 100, "{met:?}");
    assert!(differ > 3, "a cannon's jump ended {differ} games");
}

#[test]
fn endings_with_face_down_pieces_are_not_answered_under_course_rules() {
    let text = "4/3?/2?G/4/4/?3/4/4 b Ckc 0 40";
    let position: Position = text.parse().expect("a position");
    let long = |rules| Rules {
        quiet_limit: NonZeroU32::new(180),
        ..rules
    };
    let expected = |rules| {
        Tables::solved(4, long(rules))
            .expect("few")
            .expected(&position)
    };
    assert!(expected(Rules::OLYMPIAD).is_some());
    assert_eq!(expected(Rules::COURSE), None);
}
