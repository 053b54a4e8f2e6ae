//! How likely each value is, given the values decoded before it.
//!
//! A value takes one or two questions: "a draw?", and if not, "a win?". For each question nine
//! contexts, made from the values of neighbouring placements, each remember how often the answer was
//! yes; a mixer weighs their opinions in the logistic domain and learns which to trust (Mahoney's
//! PAQ). Everything starts from a [prior](super::prior) learnt from all units, and learns on
//! within one region.

use std::sync::OnceLock;

use super::coder::Port;

/// Values in the order in which they are stored.
pub(crate) const DRAW: u8 = 0;
/// The side to move wins.
pub(crate) const WIN: u8 = 1;
/// The side to move loses.
pub(crate) const LOSS: u8 = 2;
/// No value: a neighbour that does not exist, is not stored, or comes later.
pub(crate) const NONE: u8 = 3;

/// Contexts of one question.
pub(crate) const CONTEXTS: usize = 9;
/// Entries of a context: six neighbours of four values each.
pub(crate) const ENTRIES: usize = 4096;
/// Sets of weights: one for each triple of nearest neighbours.
pub(crate) const WEIGHT_SETS: usize = 64;

/// The neighbours of a placement, six in each of three directions of the numbering: a step down a
/// row and down a column, two steps, and both diagonals.
pub(crate) type Neighbours = [[u8; 6]; 3];

/// What a context remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The probability of "yes", in parts of 65,536.
    pub chance: u16,
    /// How many answers that rests on, up to a limit.
    pub count: u16,
}

/// Entries that nothing is known of.
pub(crate) const BLANK: Entry = Entry {
    chance: 1 << 15,
    count: 0,
};

/// The model of one question.
#[derive(Clone, Debug)]
pub struct Question {
    /// The entries of all contexts.
    pub entries: Vec<Entry>,
    /// The weights of the contexts, 65,536 for one.
    pub weights: Vec<[i32; CONTEXTS]>,
}

impl Default for Question {
    fn default() -> Question {
        Question {
            entries: vec![BLANK; CONTEXTS * ENTRIES],
            weights: vec![[19_661; CONTEXTS]; WEIGHT_SETS],
        }
    }
}

/// The model of a value.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// "A draw?" and "a win?".
    pub questions: [Question; 2],
    /// Entries stop settling after this many answers.
    pub most: u16,
}

/// The logistic function, as `lpaq` has it: from 256 times the log-odds to a probability in parts
/// of 4,096.
pub(super) fn squash(odds: i32) -> i32 {
    const KNOTS: [i32; 33] = [
        1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549, 2994,
        3348, 3607, 3785, 3901, 3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094,
    ];
    let odds = odds.clamp(-2047, 2047);
    let (part, knot) = (odds & 127, ((odds >> 7) + 16) as usize);
    (KNOTS[knot] * (128 - part) + KNOTS[knot + 1] * part + 64) >> 7
}

/// Tables that every model shares.
struct Shared {
    /// The inverse of [`squash`].
    stretch: Vec<i16>,
    squash: Vec<i32>,
    /// For each count, by how much of the difference an entry moves, in parts of 65,536.
    rates: Vec<i32>,
}

fn shared() -> &'static Shared {
    static SHARED: OnceLock<Shared> = OnceLock::new();
    SHARED.get_or_init(|| {
        let squashed: Vec<i32> = (-2047..=2047).map(squash).collect();
        let mut stretch = vec![2047; 4096];
        let mut next = 0;
        for (odds, &chance) in (-2047..).zip(&squashed) {
            while next <= chance {
                stretch[next as usize] = odds;
                next += 1;
            }
        }
        Shared {
            stretch,
            squash: squashed,
            rates: (0..=1023)
                .map(|count| 655_360 / (10 * count + 16))
                .collect(),
        }
    })
}

/// Returns 256 times the log-odds of a probability in parts of 65,536.
pub(super) fn stretch(chance: u16) -> i32 {
    shared().stretch[usize::from(chance >> 4)].into()
}

impl Question {
    /// Asks, and learns from the answer.
    #[inline]
    fn ask(
        &mut self,
        shared: &Shared,
        at: &[usize; CONTEXTS],
        set: usize,
        most: u16,
        answer: impl FnOnce(u32) -> bool,
    ) -> bool {
        let weights = &mut self.weights[set];
        let mut opinions = [0i32; CONTEXTS];
        let mut sum = 0i64;
        for i in 0..CONTEXTS {
            let entry = self.entries[at[i]];
            opinions[i] = shared.stretch[usize::from(entry.chance >> 4)].into();
            sum += i64::from(opinions[i]) * i64::from(weights[i]);
        }
        let odds = (sum >> 16).clamp(-2047, 2047);
        let chance = shared.squash[(odds + 2047) as usize];
        let bit = answer((chance as u32) << 4);
        let error = if bit { 4096 - chance } else { -chance };
        for i in 0..CONTEXTS {
            weights[i] = weights[i].wrapping_add((opinions[i] * error * RATE + 0x2000) >> 14);
            let entry = &mut self.entries[at[i]];
            let target = if bit { 65_535 } else { 0 };
            let rate = shared.rates[usize::from(entry.count.min(1023))];
            let step = ((target - i32::from(entry.chance)) as i64 * i64::from(rate)) >> 16;
            entry.chance = (i32::from(entry.chance) + step as i32).clamp(32, 65_503) as u16;
            if entry.count < most {
                entry.count += 1;
            }
        }
        bit
    }
}

/// How fast weights learn; chosen among 1, 2, 6 and 12 by the size of the file.
const RATE: i32 = 2;

impl Model {
    /// Passes one value through a port.
    #[inline]
    pub fn value(&mut self, near: &Neighbours, place: usize, port: &mut impl Port) -> u8 {
        let shared = shared();
        let (at, set) = contexts(near, place);
        port.begin();
        let most = self.most;
        let [draw, win] = &mut self.questions;
        if draw.ask(shared, &at, set, most, |chance| port.bit(chance, false)) {
            DRAW
        } else if win.ask(shared, &at, set, most, |chance| port.bit(chance, true)) {
            WIN
        } else {
            LOSS
        }
    }
}

/// The entries of the nine contexts, and the set of weights.
#[inline]
fn contexts(near: &Neighbours, place: usize) -> ([usize; CONTEXTS], usize) {
    let of = |list: [u8; 6]| {
        list.iter()
            .fold(0, |all, &value| all * 4 + usize::from(value & 3))
    };
    let [a, b, c] = near;
    let nearest = of([a[0], a[1], b[0], b[1], c[0], c[1]]);
    let mut at = [
        nearest,
        of([a[2], a[3], b[2], b[3], c[2], c[3]]),
        of([a[4], a[5], b[4], b[5], c[4], c[5]]),
        of(*a),
        of(*b),
        of(*c),
        place % ENTRIES,
        of([b[0], b[1], b[2], b[3], a[2], a[3]]),
        of([c[0], c[1], c[2], c[3], a[2], a[3]]),
    ];
    for (i, at) in at.iter_mut().enumerate() {
        *at += i * ENTRIES;
    }
    (at, nearest >> 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squash_grows_and_stretch_inverts_it() {
        let shared = shared();
        assert!(shared.squash.windows(2).all(|pair| pair[0] <= pair[1]));
        assert!(shared.squash[0] > 0 && shared.squash[4094] < 4096);
        for odds in -1500..1500i32 {
            let back = shared.stretch[squash(odds) as usize];
            assert!((i32::from(back) - odds).abs() <= 130, "{odds} {back}");
        }
    }
}
