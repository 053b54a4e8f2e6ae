//! What captures lead to, in the shape of the table being solved.
//!
//! When a piece is taken, play goes on in a smaller unit whose groups, lanes
//! and colours may be quite different. A [`View`] holds that unit's answers
//! once more, one bit for each placement, in the larger table's own numbering
//! with the taken piece left out, so that the capture pass can take whole words.

use anqi_rules::Color;

use crate::combination::Codes;
use crate::layout::Layout;
use crate::parallel;
use crate::solved::{Row, Solved};
use crate::store::Children;
use crate::unit::{MAX_GROUPS, SubFit};

/// The outcome after the loss of one piece of one part.
///
/// Bits are set where the winner of the chain in question still wins.
#[derive(Debug)]
pub struct View {
    words: Vec<u32>,
    /// How far apart two codes of each part are, in words; zero for the parts that do not count.
    pub strides: [usize; 8],
}

impl View {
    /// Returns the word at an index, a sum of codes times strides.
    #[inline]
    pub fn word(&self, index: usize) -> u32 {
        self.words[index]
    }

    /// Returns the 32 words of lane B at an index.
    #[inline]
    pub fn words(&self, index: usize) -> &[u32; 32] {
        self.words[index..index + 32].try_into().expect("a slice of 32 words")
    }

    /// Builds the view for the loss of a piece of `part`, for the chain that `winner` wins.
    pub fn new(layout: &Layout, part: usize, winner: Color, children: &Children) -> View {
        let prey = layout.parts[part];
        match layout.unit.after_loss_of(prey.group) {
            // The last piece of a side has gone: the side has lost.
            None => View {
                words: vec![if prey.color == winner { 0 } else { !0 }; 32],
                strides: [0; 8],
            },
            Some(fit) => {
                let child = children.get(fit.unit);
                Shape::new(layout, part).fill(&fit, child, prey.color, winner)
            }
        }
    }
}

/// The parts of a view: those of the table less one piece.
struct Shape<'a> {
    layout: &'a Layout,
    /// The part whose square is the bit in a word.
    bit_part: usize,
    /// Whether the words of lane B are the innermost digit.
    has_words: bool,
    sizes: [usize; 8],
    strides: [usize; 8],
    len: usize,
}

impl<'a> Shape<'a> {
    fn new(layout: &'a Layout, lost: usize) -> Shape<'a> {
        let mut sizes = [0; 8];
        for (size, part) in sizes.iter_mut().zip(&layout.parts) {
            *size = part.size;
        }
        sizes[lost] -= 1;
        let has_words = lost >= 2;
        let mut strides = [0; 8];
        let mut len = 1;
        if has_words {
            strides[1] = 1;
            len = 32;
        }
        for part in (2..layout.parts.len()).rev() {
            strides[part] = len;
            len *= Codes::of(sizes[part]).len();
        }
        Shape { layout, bit_part: usize::from(lost == 0), has_words, sizes, strides, len }
    }

    fn fill(&self, fit: &SubFit, child: &Solved, turn: Color, winner: Color) -> View {
        let turn_there = if fit.swapped { !turn } else { turn };
        let plane = if turn == winner {
            &child.win[turn_there.index()]
        } else {
            &child.loss[turn_there.index()]
        };
        let mut words = vec![0; self.len];
        let chunk = 2048.min(self.len);
        let tasks: Vec<_> = words.chunks_mut(chunk).enumerate().collect();
        parallel::for_each(tasks, |(number, words)| {
            for (i, word) in words.iter_mut().enumerate() {
                *word = self.row(number * chunk + i, fit, child).bits(plane);
            }
        });
        View { words, strides: self.strides }
    }

    fn row(&self, index: usize, fit: &SubFit, child: &Solved) -> Row {
        let mut groups = [0; MAX_GROUPS];
        let mut taken = 0u32;
        let mut left = index;
        let mut place = |part: usize, set: u32| {
            groups[usize::from(fit.groups[self.layout.parts[part].group])] |= set;
            let clash = taken & set != 0;
            taken |= set;
            clash
        };
        for part in 2..self.layout.parts.len() {
            let code = left / self.strides[part];
            left %= self.strides[part];
            if place(part, Codes::of(self.sizes[part]).sets[code]) {
                return Row::Impossible;
            }
        }
        if self.has_words && place(1, 1 << left) {
            return Row::Impossible;
        }
        let group = usize::from(fit.groups[self.layout.parts[self.bit_part].group]);
        Row::find(&child.layout, &groups, group)
    }
}
