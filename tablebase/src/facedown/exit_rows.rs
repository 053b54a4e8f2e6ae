//! The best exits of a phase, a row of 32 placements at a time.
//!
//! A row are the placements that differ only in the square of lane A. Its best exits are bytes,
//! raised by [`EVEN`] so that the greatest of two is an unsigned one; the solver wants bits: for
//! each level, the placements with an exit worth at least that.

use anqi_rules::{Color, Piece};

use super::face_up::FaceUp;
use super::phase::Units;
use super::slots::{Ground, MOST_SLOTS, SlotSquares, code, shift};
use super::unpacked::LaterPhase;
use crate::classes::MAX_GROUPS;
use crate::numbering::{ADJACENT, BETWEEN, Block, Groups, jumps, squares};

/// What stands for a value of nothing.
const EVEN: u8 = 64;

/// The best exits of 32 placements.
type Row = [u8; 32];

/// The flip of one square.
#[derive(Debug)]
pub(super) enum FlipRows<'a> {
    /// All pieces stand face up then.
    FaceUp {
        /// The solved unit.
        open: &'a FaceUp,
        /// The piece that appears, and its square.
        revealed: (Piece, u32),
    },
    /// Some pieces are still face down: how many there are of each kind, and what follows.
    Hidden(Vec<(Units, LaterPhase<'a>)>),
}

/// The values after the capture of one slot's piece, for the side that captured.
#[derive(Debug)]
struct View {
    values: Vec<u8>,
    /// How far each slot's digit is shifted; zero for the captured piece.
    shifts: [u32; MOST_SLOTS],
}

/// Who can take whom.
#[derive(Clone, Copy, Debug)]
struct Capture {
    hunter: usize,
    prey: usize,
    jumps: bool,
}

/// The exits of a phase.
#[derive(Debug)]
pub(super) struct ExitRows<'a> {
    ground: &'a Ground<'a>,
    flips: Vec<FlipRows<'a>>,
    /// By the side to move.
    captures: [Vec<Capture>; 2],
    /// By the captured piece.
    views: Vec<Option<View>>,
}

/// For each side to move and each level, the placements with an exit worth at least that.
#[derive(Debug)]
pub(super) struct ExitPlanes {
    whole: Units,
    planes: [Vec<Vec<Block>>; 2],
}

impl View {
    /// Gathers the values after the loss of `prey`; without a later phase the capture wins.
    fn new(ground: &Ground<'_>, prey: usize, later: Option<&LaterPhase<'_>>, whole: Units) -> View {
        let left: Vec<usize> = (0..ground.pieces.len()).filter(|&s| s != prey).collect();
        let mut shifts = [0; MOST_SLOTS];
        for (place, &slot) in left.iter().enumerate() {
            shifts[slot] = shift(left.len(), place);
        }
        let Some((later, (&lane, outer))) = later.zip(left.split_last()) else {
            let values = vec![EVEN.wrapping_add_signed(whole); 1 << (5 * left.len())];
            return View { values, shifts };
        };
        let turn = ground.color(prey);
        let mut values = Vec::with_capacity(1 << (5 * left.len()));
        for code in 0..1 << (5 * outer.len()) {
            let mut standing = [0; MOST_SLOTS];
            for (place, &slot) in outer.iter().enumerate() {
                standing[slot] = code >> shift(outer.len(), place) & 31;
            }
            let row = later.row(turn, &standing, lane);
            values.extend(row.map(|value| EVEN.wrapping_sub(value as u8)));
        }
        View { values, shifts }
    }

    /// Returns where the value of a placement is; the square of the captured piece must be zero.
    #[inline]
    fn place(&self, standing: &SlotSquares) -> usize {
        code(standing, &self.shifts)
    }
}

impl<'a> ExitRows<'a> {
    /// Gathers the exits; `after_capture` returns what follows the loss of a slot's piece, `None` if
    /// it was its owner's last.
    pub(super) fn new(
        ground: &'a Ground<'a>,
        flips: Vec<FlipRows<'a>>,
        whole: Units,
        after_capture: impl Fn(usize) -> Option<LaterPhase<'a>>,
    ) -> ExitRows<'a> {
        let captures = Color::ALL.map(|turn| captures(ground, turn));
        let taken = |prey: usize| captures.iter().flatten().any(|take| take.prey == prey);
        let slots = 0..ground.pieces.len();
        let views = slots.map(|prey| {
            let view = || View::new(ground, prey, after_capture(prey).as_ref(), whole);
            taken(prey).then(view)
        });
        ExitRows {
            views: views.collect(),
            ground,
            flips,
            captures,
        }
    }

    /// Works all rows out.
    pub(super) fn planes(&self, whole: Units) -> ExitPlanes {
        let ground = self.ground;
        let mut planes = ExitPlanes::blank(ground, whole);
        for block in 0..ground.blocks() {
            let Some((mut standing, taken)) = ground.standing(block) else {
                continue;
            };
            let Some(lane_b) = ground.lane_b() else {
                planes.note(block, 0, &self.rows(&standing, taken));
                continue;
            };
            for square in squares(!taken) {
                standing[lane_b] = square;
                let rows = self.rows(&standing, taken | 1 << square);
                planes.note(block, square as usize, &rows);
            }
        }
        planes
    }

    /// Returns the best exits of a row for each side to move.
    fn rows(&self, standing: &SlotSquares, taken: u32) -> [Row; 2] {
        let mut rows = [[0; 32]; 2];
        for flip in &self.flips {
            flip.raise(self.ground, standing, &mut rows);
        }
        for (row, captures) in rows.iter_mut().zip(&self.captures) {
            for capture in captures {
                self.raise(capture, standing, taken, row);
            }
        }
        rows
    }

    /// Raises the exits of a row to what one piece gains by taking another.
    #[inline]
    fn raise(&self, capture: &Capture, standing: &SlotSquares, taken: u32, row: &mut Row) {
        let &Capture {
            hunter,
            prey,
            jumps: far,
        } = capture;
        let Some(view) = &self.views[prey] else {
            return;
        };
        let lane = self.ground.lane_a();
        let (from, to) = (standing[hunter], standing[prey]);
        let mut after = *standing;
        after[prey] = 0;
        // From which squares a piece can be taken, or which ones a piece can take.
        let reach = |square: u32| {
            if far {
                jumps(square, taken)
            } else {
                ADJACENT[square as usize]
            }
        };
        if hunter == lane {
            after[lane] = to;
            let value = view.values[view.place(&after)];
            for square in squares(reach(to)) {
                let best = &mut row[square as usize];
                *best = value.max(*best);
            }
        } else if prey == lane {
            after[hunter] = 0;
            let (start, shift) = (view.place(&after), view.shifts[hunter]);
            for square in squares(reach(from)) {
                let best = &mut row[square as usize];
                *best = view.values[start + ((square as usize) << shift)].max(*best);
            }
        } else {
            let lanes = by_outer(far, from, to, taken);
            if lanes == 0 {
                return;
            }
            after[hunter] = to;
            let start = view.place(&after);
            let values = &view.values[start..start + 32];
            if lanes == !0 {
                for (best, &value) in row.iter_mut().zip(values) {
                    *best = value.max(*best);
                }
                return;
            }
            for square in squares(lanes) {
                let best = &mut row[square as usize];
                *best = values[square as usize].max(*best);
            }
        }
    }
}

/// Returns on which squares lane A may stand so that an outer piece can take another.
#[inline]
fn by_outer(far: bool, from: u32, to: u32, taken: u32) -> u32 {
    let (from, to) = (from as usize, to as usize);
    if !far {
        return if ADJACENT[from] >> to & 1 != 0 { !0 } else { 0 };
    }
    let between = BETWEEN[from][to];
    match (between & taken).count_ones() {
        0 => between,
        1 => !between,
        _ => 0,
    }
}

/// Lists who can take whom on one side's turn.
fn captures(ground: &Ground<'_>, turn: Color) -> Vec<Capture> {
    let slots = 0..ground.pieces.len();
    let own = slots.clone().filter(|&slot| ground.color(slot) == turn);
    let pairs = own.flat_map(|hunter| slots.clone().map(move |prey| (hunter, prey)));
    let graph = &ground.unit.graph;
    let groups = &ground.slots.groups;
    pairs
        .filter(|&(hunter, prey)| graph.takes(groups[hunter], groups[prey]))
        .map(|(hunter, prey)| Capture {
            hunter,
            prey,
            jumps: graph.nodes[groups[hunter]].jumps,
        })
        .collect()
}

impl FlipRows<'_> {
    /// Returns the longest wait after the flip.
    pub(super) fn longest(&self) -> u32 {
        match self {
            FlipRows::FaceUp { open, .. } => open.longest(),
            FlipRows::Hidden(outcomes) => {
                let waits = outcomes.iter().map(|(_, later)| later.longest);
                waits.max().unwrap_or(0)
            }
        }
    }

    /// Raises the exits of a row to the value of the flip.
    #[inline]
    fn raise(&self, ground: &Ground<'_>, standing: &SlotSquares, rows: &mut [Row; 2]) {
        for (turn, row) in Color::ALL.into_iter().zip(self.values(ground, standing)) {
            for (best, value) in rows[turn.index()].iter_mut().zip(row) {
                *best = value.max(*best);
            }
        }
    }

    /// Returns the value of the flip for each side to move: in the units of the phase a plain sum.
    #[inline]
    fn values(&self, ground: &Ground<'_>, standing: &SlotSquares) -> [Row; 2] {
        let lane = ground.lane_a();
        match self {
            FlipRows::FaceUp { open, revealed } => {
                let (piece, square) = *revealed;
                let mut others: Groups = [0; MAX_GROUPS];
                others[open.group(piece)] |= 1 << square;
                for (&piece, square) in ground.pieces[..lane].iter().zip(standing) {
                    others[open.group(piece)] |= 1 << square;
                }
                let bits = open.rows(&others, open.group(ground.pieces[lane]));
                // The other side moves next.
                let [red, black] = bits.map(|(win, loss)| difference(loss, win));
                [black, red]
            }
            FlipRows::Hidden(outcomes) => Color::ALL.map(|turn| {
                let mut sums = [EVEN; 32];
                for (count, later) in outcomes {
                    let row = later.row(!turn, standing, lane);
                    for (sum, value) in sums.iter_mut().zip(row) {
                        *sum = sum.wrapping_sub((count * value) as u8);
                    }
                }
                sums
            }),
        }
    }
}

/// Each byte's bits as bytes.
const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Returns [`EVEN`], one more where `more` has a bit, one less where `less` has one.
#[inline]
fn difference(more: u32, less: u32) -> Row {
    let mut row = [0; 32];
    let bytes = more.to_le_bytes().into_iter().zip(less.to_le_bytes());
    for (eight, (more, less)) in row.chunks_exact_mut(8).zip(bytes) {
        let sum = u64::from_le_bytes([EVEN; 8]) + SPREAD[usize::from(more)];
        eight.copy_from_slice(&(sum - SPREAD[usize::from(less)]).to_le_bytes());
    }
    row
}

/// Returns the places of a row that are worth at least `level`.
#[inline]
fn at_least(row: &Row, level: Units) -> u32 {
    // A byte's highest bit says so after this is added; no byte overflows.
    let add = u64::from_le_bytes([(128 - EVEN).wrapping_sub(level as u8); 8]);
    let mut word = 0;
    for (place, eight) in row.chunks_exact(8).enumerate() {
        let eight: [u8; 8] = eight.try_into().expect("eight bytes");
        let high = (u64::from_le_bytes(eight) + add) >> 7 & 0x0101_0101_0101_0101;
        word |= ((high.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32) << (8 * place);
    }
    word
}

impl ExitPlanes {
    fn blank(ground: &Ground<'_>, whole: Units) -> ExitPlanes {
        let levels = 2 * usize::from(whole.unsigned_abs());
        let blank = || vec![vec![Block::EMPTY; ground.blocks()]; levels];
        ExitPlanes {
            whole,
            planes: [blank(), blank()],
        }
    }

    /// Gathers given best exits, by side to move and code.
    #[cfg(test)]
    pub(super) fn of_values(ground: &Ground<'_>, whole: Units, best: [&[Units]; 2]) -> ExitPlanes {
        let mut planes = ExitPlanes::blank(ground, whole);
        for row in 0..best[0].len() / 32 {
            let rows = best.map(|side| {
                std::array::from_fn(|square| EVEN.wrapping_add_signed(side[32 * row + square]))
            });
            planes.note(row / 32, row % 32, &rows);
        }
        planes
    }

    /// Returns the placements with an exit worth at least `level` for the side to move.
    pub(super) fn at_least(&self, turn: Color, level: Units) -> &[Block] {
        &self.planes[turn.index()][(level + self.whole - 1) as usize]
    }

    fn note(&mut self, block: usize, word: usize, rows: &[Row; 2]) {
        for (planes, row) in self.planes.iter_mut().zip(rows) {
            for (level, plane) in (1 - self.whole..).zip(planes) {
                plane[block].0[word] = at_least(row, level);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_turn_into_bits_level_by_level() {
        let values: [Units; 32] =
            std::array::from_fn(|square| (square as i32 * 11 % 49 - 24) as Units);
        let row = values.map(|value| EVEN.wrapping_add_signed(value));
        for level in -23..=24 {
            let expected = (0..32).filter(|&i| values[i] >= level).map(|i| 1 << i);
            assert_eq!(at_least(&row, level), expected.sum::<u32>(), "{level}");
        }
        let (more, less) = (0xf0a5_0f31, 0x1234_5678);
        for (i, value) in difference(more, less).into_iter().enumerate() {
            let expected = (more >> i & 1) as u8 + EVEN - (less >> i & 1) as u8;
            assert_eq!(value, expected);
        }
    }

    #[test]
    fn a_cannon_jumps_over_exactly_one_piece() {
        // In a column, two squares between.
        assert_eq!(by_outer(true, 0, 3, 0b1001), 0b0110);
        assert_eq!(by_outer(true, 0, 3, 0b1011), !0b0110);
        assert_eq!(by_outer(true, 0, 3, 0b1111), 0);
        assert_eq!(by_outer(true, 0, 1, 0b0011), 0);
        assert_eq!(by_outer(false, 0, 1, 0b0011), !0);
    }
}
