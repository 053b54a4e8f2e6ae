//! What captures lead to, in the shape of the table being solved.
//!
//! After a capture play continues in a smaller unit whose groups, lanes and colours may be
//! quite different. A [`View`] holds a copy of that unit's answers, one bit for each
//! placement, in the larger table's own numbering with the captured piece left out, so that
//! the capture pass works on whole words.

use anqi_rules::Color;

use super::children::Children;
use super::solved::{NEVER, Solved, wide};
use super::wdl::Wdl;
use crate::classes::{MAX_GROUPS, SubFit};
use crate::numbering::{Codes, Layout, MIRROR_MASKS, Orbits, PieceRow, mirror};
use crate::parallel;

/// The outcome after the loss of one piece of one part.
///
/// Bits are set where the winner of the chain in question still wins.
#[derive(Debug)]
pub(super) struct View {
    words: Vec<u32>,
    /// How far apart two codes of each part are, in words; zero for the parts that do not count.
    pub strides: [usize; 8],
}

impl View {
    /// Returns the word at an index, a sum of codes times strides.
    #[inline]
    pub(super) fn word(&self, index: usize) -> u32 {
        self.words[index]
    }

    /// Returns the 32 words of lane B at an index.
    #[inline]
    pub(super) fn words(&self, index: usize) -> &[u32; 32] {
        self.words[index..index + 32]
            .try_into()
            .expect("a slice of 32 words")
    }

    /// Builds the view for the loss of a piece of `part`, for the chain that `winner` wins.
    pub(super) fn new(layout: &Layout, part: usize, winner: Color, children: &Children) -> View {
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

impl View {
    /// Returns a view without words, for its strides.
    pub(super) fn shape(layout: &Layout, part: usize) -> View {
        let over = layout
            .unit
            .after_loss_of(layout.parts[part].group)
            .is_none();
        let strides = if over {
            [0; 8]
        } else {
            Shape::new(layout, part).strides
        };
        View {
            words: Vec::new(),
            strides,
        }
    }
}

/// The distances to the end after the loss of one piece of one part, in the numbering of a
/// [`View`]: [`NEVER`] unless the winner of the chain still wins.
#[derive(Debug)]
pub(super) struct WideView {
    values: Vec<u16>,
}

impl WideView {
    /// Returns the distance for a bit of a word.
    #[inline]
    pub(super) fn value(&self, word: usize, bit: u32) -> u16 {
        self.values[word * 32 + bit as usize]
    }

    /// Builds the view for the loss of a piece of `part`, for the chain that `winner` wins.
    ///
    /// # Panics
    ///
    /// Panics if a child has no distances to the end.
    pub(super) fn new(
        layout: &Layout,
        part: usize,
        winner: Color,
        children: &Children,
    ) -> WideView {
        let prey = layout.parts[part];
        let Some(fit) = layout.unit.after_loss_of(prey.group) else {
            let over = if prey.color == winner { NEVER } else { 0 };
            return WideView {
                values: vec![over; 1024],
            };
        };
        let child = children.get(fit.unit);
        let turn = if fit.swapped { !prey.color } else { prey.color };
        let wanted = if prey.color == winner {
            Wdl::Win
        } else {
            Wdl::Loss
        };
        let shape = Shape::new(layout, part);
        let ends = &child.dtw.as_ref().expect("children were solved to the end")[turn.index()];
        let mut values = Vec::with_capacity(shape.len * 32);
        for index in 0..shape.len {
            let row = shape.row(index, &fit, child);
            values.extend((0..32).map(|square| match row.address(square) {
                Some(at) if child.wdl(turn, at) == wanted => wide(ends, at),
                _ => NEVER,
            }));
        }
        WideView { values }
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
        Shape {
            layout,
            bit_part: usize::from(lost == 0),
            has_words,
            sizes,
            strides,
            len,
        }
    }

    /// Reads one of every four placements from the child and mirrors the rest.
    fn fill(&self, fit: &SubFit, child: &Solved, turn: Color, winner: Color) -> View {
        let turn_there = if fit.swapped { !turn } else { turn };
        let plane = if turn == winner {
            &child.win[turn_there.index()]
        } else {
            &child.loss[turn_there.index()]
        };
        let first = (2..self.layout.parts.len()).find(|&part| self.sizes[part] > 0);
        let slab = first.map_or(self.len, |part| self.strides[part]);
        let orbits = first.map(|part| Orbits::of(self.sizes[part]));
        let seen: Vec<u32> = orbits.map_or_else(|| vec![0], |orbits| orbits.first.clone());
        let mut asked = vec![0; slab * seen.len()];
        let tasks: Vec<_> = asked.chunks_mut(slab).zip(&seen).collect();
        parallel::for_each(tasks, |(words, &code)| {
            for (i, word) in words.iter_mut().enumerate() {
                *word = self.row(code as usize * slab + i, fit, child).bits(plane);
            }
        });
        let words =
            orbits.map_or_else(|| asked.clone(), |orbits| self.unfold(&asked, slab, orbits));
        View {
            words,
            strides: self.strides,
        }
    }

    /// Spreads the placements with the first part in an orbit's first set over all its sets.
    fn unfold(&self, asked: &[u32], slab: usize, orbits: &Orbits) -> Vec<u32> {
        let mut words = vec![0; self.len];
        let places: [Vec<u32>; 4] = [0, 1, 2, 3].map(|symmetry| self.places(slab, symmetry));
        let tasks: Vec<_> = words.chunks_mut(slab).zip(&orbits.of_code).collect();
        parallel::for_each(tasks, |(words, &(orbit, symmetry))| {
            let symmetry = usize::from(symmetry);
            let source = &asked[orbit as usize * slab..][..slab];
            for (word, &place) in words.iter_mut().zip(&places[symmetry]) {
                *word = mirror(source[place as usize], symmetry);
            }
        });
        words
    }

    /// For each word of a slab (one code of the first part) the place of its mirror image.
    fn places(&self, slab: usize, symmetry: usize) -> Vec<u32> {
        let mut places = vec![0u32];
        for part in 2..self.layout.parts.len() {
            if self.strides[part] < slab {
                let stride = self.strides[part] as u32;
                let images = &Codes::of(self.sizes[part]).images[symmetry];
                places = places
                    .iter()
                    .flat_map(|&p| images.iter().map(move |i| p + i * stride))
                    .collect();
            }
        }
        if self.has_words {
            let mask = MIRROR_MASKS[symmetry];
            places = places
                .iter()
                .flat_map(|&p| (0..32).map(move |j| p + (j ^ mask)))
                .collect();
        }
        places
    }

    fn row(&self, index: usize, fit: &SubFit, child: &Solved) -> PieceRow {
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
                return PieceRow::Impossible;
            }
        }
        if self.has_words && place(1, 1 << left) {
            return PieceRow::Impossible;
        }
        let group = usize::from(fit.groups[self.layout.parts[self.bit_part].group]);
        PieceRow::find(&child.layout, &groups, group)
    }
}
