//! Re-deriving a solution from its successors, a block at a time.
//!
//! Each bit of a solved unit must follow from the others by one ply of play: a
//! position is won exactly if some move leads into a lost one, and lost exactly
//! if all moves lead into won ones. Only distances exclude circular proofs;
//! [`crate::probe::verify`] checks those.

use anqi_rules::Color;

use super::capture::{CaptureOutcomes, Captures, Outer};
use super::children::Children;
use super::moves::Mover;
use super::solved::Solved;
use super::view::View;
use crate::numbering::Block;

/// Returns the first block in which some bit does not follow from the others.
pub fn first_fault(solved: &Solved, children: &Children) -> Option<usize> {
    Color::ALL
        .into_iter()
        .find_map(|winner| chain_fault(solved, winner, children))
}

fn chain_fault(solved: &Solved, winner: Color, children: &Children) -> Option<usize> {
    let layout = &solved.layout;
    let views: Vec<View> = (0..layout.parts.len())
        .map(|part| View::new(layout, part, winner, children))
        .collect();
    let attacks = Captures::new(layout, &views, winner);
    let defences = Captures::new(layout, &views, !winner);
    let (ours, theirs) = (Mover::new(layout, winner), Mover::new(layout, !winner));
    let open = open_positions(solved, winner);
    let lost = &solved.loss[(!winner).index()];
    (0..layout.blocks).find(|&block| {
        let outer = Outer::of(layout, block);
        if outer.clash {
            return !lost[block].is_empty();
        }
        let possible = Block::possible(outer.occupied);
        let mut attack = CaptureOutcomes::new(&views, false);
        attacks.of_block(&outer, &mut attack);
        let mut defence = CaptureOutcomes::new(&views, true);
        defences.of_block(&outer, &mut defence);
        let mut wins = ours.reach(lost, block, &outer.codes, &possible);
        wins.add(&attack.hit);
        let won = possible.and_not(&open[block]);
        let mut saves = theirs.reach(&open, block, &outer.codes, &possible);
        saves.add(&defence.hit);
        wins.and(&possible) != won || possible.and_not(&saves) != lost[block]
    })
}

/// The positions with `winner` to move that it does not win.
fn open_positions(solved: &Solved, winner: Color) -> Vec<Block> {
    let blocks = solved.win[winner.index()].iter().enumerate();
    blocks
        .map(|(block, won)| Outer::of(&solved.layout, block).possible().and_not(won))
        .collect()
}
