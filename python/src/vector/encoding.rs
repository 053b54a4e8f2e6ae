//! A position as bytes: the observation and the mask of legal actions.
//!
//! The observation is seen by the side to move, whose pieces come first. Every plane has 8 rows of 4
//! columns, row 1 and column a first:
//!
//! | planes | hold |
//! |---|---|
//! | 0–6 | 1 where the mover's K, G, M, R, N, C, P stands face up |
//! | 7–13 | 1 where the other side's does |
//! | 14 | 1 where a piece lies face down |
//! | 15–21 | how many of the mover's K, G, M, R, N, C, P are face down, everywhere |
//! | 22–28 | how many of the other side's, everywhere |
//! | 29 | 1 everywhere once colours are known |
//! | 30 | the number of quiet plies, 255 at most, everywhere |
//! | 31 | how often the position has occurred before, under rules with repetition, everywhere |

use super::actions::{ACTIONS, DOWN, JUMPS, LEFT, RIGHT, UP, jump};
use anqi_rules::moves::jump_targets;
use anqi_rules::{Color, Piece, Position, ROLES, Role, SQUARES, SquareSet};

/// The number of planes.
pub const PLANES: usize = 32;
/// The bytes of an observation.
pub const BYTES: usize = PLANES * SQUARES;

// The planes that do not show a piece face up.
const FACE_DOWN: usize = 2 * ROLES;
const POOL: usize = FACE_DOWN + 1;
const KNOWN: usize = POOL + 2 * ROLES;
const QUIET: usize = KNOWN + 1;
const REPEATED: usize = QUIET + 1;
const _: () = assert!(REPEATED + 1 == PLANES);

/// By byte: its bits as eight bytes.
static SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// A plane, or the same number on all of its squares.
type Plane = [u8; SQUARES];

/// Returns the plane of a set: 1 on its squares, row by row.
///
/// A column is a byte of the set, so shifting it down by the row leaves that row's four squares at the
/// lowest bits of the four bytes; a word holds two rows.
#[inline(always)]
fn plane_of(set: SquareSet) -> Plane {
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    let both = u64::from(set.0) | u64::from(set.0 >> 1) << 32;
    let mut plane = [0; SQUARES];
    for (pair, rows) in plane.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        *rows = (both >> (2 * pair) & LOWEST).to_le_bytes();
    }
    plane
}

/// Writes an observation; `repeated` is how often the position has occurred before.
pub fn observe(position: &Position, repeated: u8, out: &mut [u8; BYTES]) {
    let mover = position.turn().unwrap_or(Color::Red);
    let hidden = position.hidden();
    let (planes, _) = out.as_chunks_mut::<SQUARES>();
    for (side, color) in [mover, !mover].into_iter().enumerate() {
        for role in Role::ALL {
            let piece = Piece::new(color, role);
            planes[ROLES * side + role.index()] = plane_of(position.pieces(piece));
            planes[POOL + ROLES * side + role.index()] = [hidden.count(piece) as u8; SQUARES];
        }
    }
    planes[FACE_DOWN] = plane_of(position.face_down());
    planes[KNOWN] = [u8::from(position.turn().is_some()); SQUARES];
    planes[QUIET] = [position.quiet_counter().min(255) as u8; SQUARES];
    planes[REPEATED] = [repeated; SQUARES];
}

/// Writes the mask of a position's legal actions, 1 for each; chases that rules forbid are not known here.
///
/// Flips and steps of one direction are whole columns of a set of squares: eight bytes at once, of
/// which the eighth is overwritten by the next column where a column has only seven steps.
pub fn mask(position: &Position, out: &mut [u8; ACTIONS]) {
    if position.decided().is_some() {
        out.fill(0);
        return;
    }
    out[JUMPS..].fill(0);
    columns(position.face_down(), 0, 8, 0..4, out);
    let Some(turn) = position.turn() else {
        out[UP..JUMPS].fill(0);
        return;
    };
    let empty = position.empty();
    let movers = position.color(turn);
    let prey = position.prey(turn);
    let mut steps = [
        movers & empty.down(),
        movers & empty.up(),
        movers & empty.right(),
        movers & empty.left(),
    ];
    for role in Role::ALL {
        let (pieces, prey) = (position.pieces(Piece::new(turn, role)), prey[role.index()]);
        steps[0] |= pieces & prey.down();
        steps[1] |= pieces & prey.up();
        steps[2] |= pieces & prey.right();
        steps[3] |= pieces & prey.left();
    }
    let [up, down, left, right] = steps;
    columns(up, UP, 7, 0..4, out);
    // The lowest step down starts on row 2.
    columns(SquareSet(down.0 >> 1), DOWN, 7, 0..4, out);
    columns(SquareSet(left.0 >> 8), LEFT, 8, 0..3, out);
    columns(right, RIGHT, 8, 0..3, out);
    for cannon in position.pieces(Piece::new(turn, Role::Cannon)) {
        let targets = jump_targets(cannon, !empty) & position.color(!turn);
        for target in targets {
            out[jump(cannon, target)] = 1;
        }
    }
}

/// Writes the squares of a set column by column, `stride` bytes from one to the next.
#[inline(always)]
fn columns(
    set: SquareSet,
    first: usize,
    stride: usize,
    columns: std::ops::Range<usize>,
    out: &mut [u8; ACTIONS],
) {
    let bytes = set.0.to_le_bytes();
    for column in columns {
        let spread = SPREAD[usize::from(bytes[column])].to_le_bytes();
        out[first + column * stride..][..8].copy_from_slice(&spread);
    }
}
