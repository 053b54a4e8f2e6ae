//! The slow solver on another game: Chinese chess, one attacker against two assistants and two
//! elephants, both kings besides, after Wu and Beal.
//!
//! It uses none of our board, only [`Game`] and value iteration. Smaller material is solved
//! first, so that the last value settles with the longest distance to a capture.
//!
//! ```console
//! $ cargo run --release -p anqi-tablebase --features unstable --example chess_defences -- c
//! ```
//!
//! These conventions give their figures: the kings of a position do not face each other; like
//! pieces are distinguished, 4 × 840,762 = 3,363,048; a side to move that could take the king has
//! won; a side without a legal move has lost; distances are moves, that is pairs of plies.

use std::collections::HashMap;

use anqi_tablebase::Fraction;
use anqi_tablebase::slow::{Game, solve};

/// Points are `9 * rank + file`, the defender's at the bottom.
type Point = u8;

/// A piece that is not on the board.
const GONE: Point = 127;

/// The attacker's piece besides the king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Attacker {
    Horse,
    Chariot,
    Gunner,
}

/// A position; like pieces in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct State {
    king: Point,
    attacker: Point,
    /// The defender's king, assistants and elephants.
    defender: Point,
    assistants: [Point; 2],
    elephants: [Point; 2],
    attacks: bool,
}

const fn point(file: i8, rank: i8) -> Option<Point> {
    if 0 <= file && file < 9 && 0 <= rank && rank < 10 {
        Some((9 * rank + file) as Point)
    } else {
        None
    }
}

fn step(from: Point, (file, rank): (i8, i8)) -> Option<Point> {
    point((from % 9) as i8 + file, (from / 9) as i8 + rank)
}

const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

fn in_palace(at: Point) -> bool {
    (3..=5).contains(&(at % 9)) && !(3..7).contains(&(at / 9))
}

impl State {
    /// Everything that stands on the board.
    fn pieces(&self) -> [Point; 7] {
        let ([a, b], [c, d]) = (self.assistants, self.elephants);
        [self.king, self.attacker, self.defender, a, b, c, d]
    }

    fn is_taken(&self, at: Point) -> bool {
        self.pieces().contains(&at)
    }

    fn is_defenders(&self, at: Point) -> bool {
        self.pieces()[2..].contains(&at)
    }

    /// Whether nothing stands between the kings on their file.
    fn faces(&self) -> bool {
        let (low, high) = (self.defender, self.king);
        low % 9 == high % 9 && !(low + 9..high).step_by(9).any(|at| self.is_taken(at))
    }

    fn count(pieces: [Point; 2]) -> usize {
        pieces.iter().filter(|&&at| at != GONE).count()
    }

    /// The number of pieces of each kind.
    fn material(&self) -> (usize, usize, usize) {
        let attackers = usize::from(self.attacker != GONE);
        (
            attackers,
            State::count(self.assistants),
            State::count(self.elephants),
        )
    }

    /// The position after a piece of the defender has been captured or has moved.
    fn with_defender(mut self, from: Point, to: Point) -> State {
        for pieces in [&mut self.assistants, &mut self.elephants] {
            for piece in pieces.iter_mut().filter(|piece| **piece == from) {
                *piece = to;
            }
            pieces.sort_unstable();
        }
        if self.defender == from {
            self.defender = to;
        }
        self
    }
}

/// Chinese chess with one attacker, and the values of smaller material.
struct Defence {
    attacker: Attacker,
    material: (usize, usize, usize),
    known: HashMap<State, Fraction>,
}

impl Defence {
    /// Calls `visit` with each point that the attacker's piece can go to.
    fn attacker_targets(&self, state: &State, mut visit: impl FnMut(Point)) {
        if state.attacker == GONE {
            return;
        }
        match self.attacker {
            Attacker::Horse => horse_targets(state, visit),
            Attacker::Chariot | Attacker::Gunner => {
                for way in STRAIGHT {
                    let mut screens = 0;
                    let mut at = state.attacker;
                    while let Some(next) = step(at, way) {
                        at = next;
                        let is_gunner = self.attacker == Attacker::Gunner;
                        match state.is_taken(at) {
                            true if screens == u8::from(is_gunner) => visit(at),
                            false if screens == 0 => visit(at),
                            _ => {}
                        }
                        screens += u8::from(state.is_taken(at));
                    }
                }
            }
        }
    }

    /// Whether the side to move can take the king.
    fn takes_king(&self, state: &State) -> bool {
        let mut takes = state.faces();
        if state.attacks {
            self.attacker_targets(state, |to| takes |= to == state.defender);
        }
        takes
    }

    fn attacks(&self, state: &State, mut visit: impl FnMut(State)) {
        let after = |to: Point| State {
            attacks: false,
            ..state.with_defender(to, GONE)
        };
        let kings = STRAIGHT.iter().filter_map(|&way| step(state.king, way));
        for to in kings.filter(|&to| in_palace(to) && !state.is_taken(to)) {
            visit(State {
                king: to,
                ..after(to)
            });
        }
        self.attacker_targets(state, |to| {
            if to != state.king {
                visit(State {
                    attacker: to,
                    ..after(to)
                });
            }
        });
    }

    fn defends(state: &State, mut visit: impl FnMut(State)) {
        let mut go = |from: Point, to: Point| {
            if state.is_defenders(to) || to == state.king {
                return;
            }
            let mut next = state.with_defender(from, to);
            next.attacks = true;
            if next.attacker == to {
                next.attacker = GONE;
            }
            visit(next);
        };
        let king = STRAIGHT.iter().filter_map(|&way| step(state.defender, way));
        king.filter(|&to| in_palace(to))
            .for_each(|to| go(state.defender, to));
        for &from in state.assistants.iter().filter(|&&at| at != GONE) {
            let steps = DIAGONAL.iter().filter_map(|&way| step(from, way));
            steps
                .filter(|&to| in_palace(to))
                .for_each(|to| go(from, to));
        }
        for &from in state.elephants.iter().filter(|&&at| at != GONE) {
            for (file, rank) in DIAGONAL {
                let eye = step(from, (file, rank)).filter(|&eye| !state.is_taken(eye));
                let to = eye.and_then(|eye| step(eye, (file, rank)));
                if let Some(to) = to.filter(|to| to / 9 < 5) {
                    go(from, to);
                }
            }
        }
    }
}

fn horse_targets(state: &State, mut visit: impl FnMut(Point)) {
    for way in STRAIGHT {
        let Some(leg) = step(state.attacker, way).filter(|&leg| !state.is_taken(leg)) else {
            continue;
        };
        for (file, rank) in DIAGONAL {
            // On in the same direction, and one to the side.
            let is_onwards = file * way.0 + rank * way.1 == 1;
            step(leg, (file, rank))
                .filter(|_| is_onwards)
                .into_iter()
                .for_each(&mut visit);
        }
    }
}

impl Game for Defence {
    type State = State;

    fn result(&self, state: &State) -> Option<Fraction> {
        if self.takes_king(state) {
            return Some(Fraction::ONE);
        }
        if state.material() != self.material {
            return Some(self.known[state]);
        }
        let mut can_move = false;
        self.for_each_action(state, |_| can_move = true);
        (!can_move).then_some(-Fraction::ONE)
    }

    fn for_each_action(&self, state: &State, mut visit: impl FnMut(&[(u32, State)])) {
        let visit = |next| visit(&[(1, next)]);
        if state.attacks {
            self.attacks(state, visit);
        } else {
            Defence::defends(state, visit);
        }
    }
}

/// All placements of this many like pieces, two at most, on some points.
fn pairs(points: &[Point], count: usize) -> Vec<[Point; 2]> {
    let ones = points.iter().map(|&at| [at, GONE]);
    let twos = points.iter().enumerate();
    let twos = twos.flat_map(|(i, &a)| points[i + 1..].iter().map(move |&b| [a, b]));
    match count {
        0 => vec![[GONE; 2]],
        1 => ones.collect(),
        _ => twos.collect(),
    }
}

/// All positions of a material in which the kings do not face each other, one side to move.
fn positions((attackers, assistants, elephants): (usize, usize, usize)) -> Vec<State> {
    let palace =
        |ranks: std::ops::Range<u8>| ranks.flat_map(|rank| (3..6).map(move |f| 9 * rank + f));
    let of = |points: &[(i8, i8)]| -> Vec<Point> {
        points
            .iter()
            .filter_map(|&(file, rank)| point(file, rank))
            .collect()
    };
    let assistant_points = of(&[(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]);
    let elephant_points = of(&[(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]);
    let places: Vec<Point> = match attackers {
        0 => vec![GONE],
        _ => (0..90).collect(),
    };
    let mut found = Vec::new();
    for defender in palace(0..3) {
        for &assistants in &pairs(&assistant_points, assistants) {
            for &elephants in &pairs(&elephant_points, elephants) {
                if assistants.contains(&defender) || elephants.contains(&defender) {
                    continue;
                }
                for king in palace(7..10) {
                    let bare = State {
                        king,
                        attacker: GONE,
                        defender,
                        assistants,
                        elephants,
                        attacks: true,
                    };
                    let free = places
                        .iter()
                        .filter(|&&at| at == GONE || !bare.is_taken(at));
                    let all = free.map(|&attacker| State { attacker, ..bare });
                    found.extend(all.filter(|state| !state.faces()));
                }
            }
        }
    }
    found
}

/// Figures of the largest material: positions, plies, and shares won and lost.
struct Figures {
    positions: usize,
    plies: u32,
    /// With the attacker to move.
    won: f64,
    /// With the defender to move.
    lost: f64,
}

fn figures(attacker: Attacker) -> Figures {
    let mut game = Defence {
        attacker,
        material: (0, 0, 0),
        known: HashMap::new(),
    };
    let mut plies = 0;
    let materials = (0..2).flat_map(|x| (0..9).map(move |rest| (x, rest / 3, rest % 3)));
    for material in materials {
        game.material = material;
        let roots = positions(material).into_iter();
        let solution = solve(
            &game,
            roots.flat_map(|state| [true, false].map(|attacks| State { attacks, ..state })),
        );
        plies = solution.passes();
        let solved: Vec<_> = solution
            .iter()
            .map(|(state, value)| (*state, value))
            .collect();
        game.known.extend(solved);
    }
    let roots = positions(game.material);
    let share = |attacks: bool, wanted: Fraction| {
        let is_wanted = |state: &&State| game.known[&State { attacks, ..**state }] == wanted;
        roots.iter().filter(is_wanted).count() as f64 * 100.0 / roots.len() as f64
    };
    Figures {
        // Like pieces distinguished: two assistants, two elephants.
        positions: 4 * roots.len(),
        plies,
        won: share(true, Fraction::ONE),
        lost: share(false, -Fraction::ONE),
    }
}

fn main() {
    let named = [
        ('h', Attacker::Horse),
        ('c', Attacker::Chariot),
        ('g', Attacker::Gunner),
    ];
    let wanted = std::env::args().nth(1).unwrap_or_else(|| "hcg".to_owned());
    for (letter, attacker) in named
        .into_iter()
        .filter(|(letter, _)| wanted.contains(*letter))
    {
        let Figures {
            positions,
            plies,
            won,
            lost,
        } = figures(attacker);
        println!(
            "{letter}-aaee: {positions} positions, {} moves, {won:.2}/{:.2}, {:.2}/{lost:.2}",
            plies / 2,
            100.0 - won,
            100.0 - lost
        );
    }
}
