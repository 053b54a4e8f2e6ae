//! Quiet moves of one side, a block at a time.
//!
//! The pull form: the positions of a block from which a quiet move leads into
//! a set. Steps of the lanes stay inside the block; a step of any other piece
//! leads to another block with the same lanes, mirrored if the pivot has left
//! its orbit's first set. Quiet moves are reversible, so the same neighbours are
//! the blocks that a change may affect, with one exception: if a mirror leaves
//! the pivot's set as it is, two blocks hold the same placements mirrored, a step
//! back leads to one of them, and both may be affected.

use anqi_rules::Color;

use crate::numbering::{Block, Layout};

/// The quiet moves of one side in a unit.
#[derive(Debug)]
pub(super) struct Mover<'a> {
    layout: &'a Layout,
    lanes: [bool; 2],
    outer: Vec<usize>,
}

impl<'a> Mover<'a> {
    /// Prepares the moves of `color`.
    pub(super) fn new(layout: &'a Layout, color: Color) -> Mover<'a> {
        let own = |part: usize| layout.parts[part].color == color;
        Mover {
            layout,
            lanes: [own(0), own(1)],
            outer: (2..layout.parts.len()).filter(|&part| own(part)).collect(),
        }
    }

    /// Returns whether lane A and lane B are pieces of this side.
    pub(super) fn lanes(&self) -> [bool; 2] {
        self.lanes
    }

    /// Calls `visit` with each neighbouring block and the mirror that leads back from it, until
    /// it returns false.
    #[inline]
    pub(super) fn neighbours(
        &self,
        block: usize,
        codes: &[u32],
        mut visit: impl FnMut(usize, usize) -> bool,
    ) {
        for &part in &self.outer {
            let stride = self.layout.block_stride(part);
            let code = codes[part - 2];
            for &next in self.layout.codes(part).steps(code) {
                let goes_on = if part == 2 {
                    let (there, symmetry) = self.pivot_step(block, codes, next);
                    visit(there, symmetry)
                } else {
                    visit(block - code as usize * stride + next as usize * stride, 0)
                };
                if !goes_on {
                    return;
                }
            }
        }
    }

    /// Calls `visit` with each block from which a quiet move may lead into this one.
    #[inline]
    pub(super) fn sources(&self, block: usize, codes: &[u32], mut visit: impl FnMut(usize)) {
        self.neighbours(block, codes, |there, _| {
            visit(there);
            true
        });
        let even = self
            .layout
            .parts
            .get(2)
            .is_some_and(|pivot| pivot.size % 2 == 0);
        if even && codes.len() > 1 && self.outer.contains(&2) {
            self.mirrored_sources(codes, visit);
        }
    }

    /// The blocks in which a step of the pivot ends on a set that is its own mirror image, for each
    /// mirror that leads there.
    #[cold]
    fn mirrored_sources(&self, codes: &[u32], mut visit: impl FnMut(usize)) {
        let table = self.layout.codes(2);
        let Some(orbits) = self.layout.orbits() else {
            return;
        };
        for &next in table.steps(codes[0]) {
            let (orbit, _) = orbits.of_code[next as usize];
            if orbits.length[orbit as usize] == 4 {
                continue;
            }
            for symmetry in 0..4 {
                if table.images[symmetry][next as usize] == orbits.first[orbit as usize] {
                    let home = orbit as usize * self.layout.block_stride(2);
                    visit(home + self.mirrored_rest(codes, symmetry));
                }
            }
        }
    }

    /// What the outer parts behind the pivot, mirrored, add to a block's number.
    #[inline]
    fn mirrored_rest(&self, codes: &[u32], symmetry: usize) -> usize {
        (3..self.layout.parts.len())
            .map(|part| {
                let image = self.layout.codes(part).images[symmetry][codes[part - 2] as usize];
                image as usize * self.layout.block_stride(part)
            })
            .sum()
    }

    /// The block in which the pivot's code is `next`, and the mirror that leads there.
    #[inline]
    fn pivot_step(&self, block: usize, codes: &[u32], next: u32) -> (usize, usize) {
        let orbits = self
            .layout
            .orbits()
            .expect("a block with a pivot has orbits");
        let (orbit, symmetry) = orbits.of_code[next as usize];
        let symmetry = usize::from(symmetry);
        let stride = self.layout.block_stride(2);
        let home = orbit as usize * stride;
        if symmetry == 0 {
            return (home + block % stride, 0);
        }
        let rest = self.mirrored_rest(codes, symmetry);
        (home + rest, symmetry)
    }

    /// Returns the positions of a block from which a quiet move leads into `target`.
    ///
    /// Stops early once all of `wanted` has been found.
    #[inline]
    pub(super) fn reach(
        &self,
        target: &[Block],
        block: usize,
        codes: &[u32],
        wanted: &Block,
    ) -> Block {
        let mut found = Block::EMPTY;
        if self.lanes[0] {
            found.add_steps_of_a(&target[block]);
        }
        if self.lanes[1] {
            found.add_steps_of_b(&target[block]);
        }
        if self.outer.is_empty() || wanted.and_not(&found).is_empty() {
            return found;
        }
        let mut looked_at = 0;
        self.neighbours(block, codes, |next, symmetry| {
            if symmetry == 0 {
                found.add(&target[next]);
            } else {
                found.add_mirrored(&target[next], symmetry);
            }
            // This test costs about as much as another block.
            looked_at += 1;
            looked_at % 4 != 0 || !wanted.and_not(&found).is_empty()
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Units;

    #[test]
    fn a_step_leads_one_outer_piece_to_a_neighbour() {
        // Five pieces of five groups: the middle one has a stride of more than one block.
        let units = Units::of(5).list().iter();
        let layout = units
            .map(Layout::new)
            .find(|layout| layout.parts.len() == 5)
            .unwrap();
        let mut steps = 0;
        for color in Color::ALL {
            let mover = Mover::new(&layout, color);
            for block in (0..layout.blocks).step_by(31) {
                let codes = layout.outer_codes(block);
                mover.neighbours(block, &codes, |next, symmetry| {
                    // A mirrored step may change the codes of all.
                    if symmetry == 0 {
                        let there = layout.outer_codes(next);
                        let pairs = codes.iter().zip(&there).enumerate();
                        let changed: Vec<_> = pairs.filter(|(_, (from, to))| from != to).collect();
                        let [(index, (&from, to))] = changed[..] else {
                            panic!("{block} {next}: {changed:?}");
                        };
                        let targets = layout.codes(2 + index).steps(from);
                        assert!(targets.contains(to), "{block} {next}");
                        steps += 1;
                    }
                    true
                });
            }
        }
        assert!(steps > 1_000, "{steps}");
    }

    #[test]
    fn every_block_is_a_source_of_the_blocks_that_its_moves_lead_to() {
        // Six pieces have the first units with an even pivot and another outer part: two pairs and
        // two single pieces, or three pairs.
        let six = Units::of(6).list().iter();
        let even = six
            .map(Layout::new)
            .filter(|layout| layout.parts.len() > 3 && layout.parts[2].size % 2 == 0);
        let even: Vec<Layout> = even.collect();
        assert!(even.len() > 20, "{}", even.len());
        let odd = Units::of(5).list().iter().step_by(41).map(Layout::new);
        for layout in even.into_iter().step_by(9).chain(odd) {
            for color in Color::ALL {
                let mover = Mover::new(&layout, color);
                for block in (0..layout.blocks).step_by(layout.blocks / 500 + 1) {
                    let codes = layout.outer_codes(block);
                    mover.neighbours(block, &codes, |there, _| {
                        let mut back = false;
                        let codes = layout.outer_codes(there);
                        mover.sources(there, &codes, |source| back |= source == block);
                        assert!(back, "{}: {block} moves into {there}", layout.unit);
                        true
                    });
                }
            }
        }
    }
}
