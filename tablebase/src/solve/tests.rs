//! The block solver against the oracles, and against published totals.

use std::collections::HashSet;

use anqi_rules::{Color, Piece};

use super::Goal;
use crate::graph::{Graph, Twins};
use crate::material::Material;
use crate::oracle::{Count, Method, Oracle, Oracles};
use crate::solved::{Solved, Wdl};
use crate::store::Store;
use crate::unit::{Fit, MAX_GROUPS};

/// One set of each of the paper's classes.
fn class_sets(pieces: usize) -> Vec<Material> {
    let mut seen = HashSet::new();
    let mut sets = Material::all(pieces);
    sets.retain(|set| seen.insert(Graph::new(set, Twins::Apart).code));
    sets
}

fn compare(oracle: &Oracle, solved: &Solved, fit: &Fit) {
    let pieces: Vec<Piece> = oracle.pieces().to_vec();
    for index in 0..oracle.len() {
        let mut groups = [0; MAX_GROUPS];
        for (square, piece) in oracle.squares(index).zip(&pieces) {
            groups[usize::from(fit.groups[piece.index()])] |= 1 << square;
        }
        for turn in Color::ALL {
            let Some((value, distance)) = oracle.get(turn, index) else { continue };
            let turn_there = if fit.swapped { !turn } else { turn };
            let address = solved.layout.address(&groups);
            let found = solved.wdl(turn_there, address);
            assert_eq!(found, value, "{} {index:x} {turn}", oracle.set);
            if value != Wdl::Draw {
                let found = solved.dtc(turn_there, address).map(u16::from);
                assert_eq!(found, Some(distance), "{} {index:x} {turn} {value:?}", oracle.set);
            }
        }
    }
}

fn agree(pieces: usize, method: Method) {
    let store = Store::solve(pieces, Goal::Distances).unwrap();
    let mut oracles = Oracles::new(method, Count::ToCapture);
    for set in class_sets(pieces) {
        let fit = Fit::of(&set);
        let solved = store.get(fit.unit).unwrap();
        compare(&oracles.solve(&set), solved, &fit);
    }
}

#[test]
fn both_oracles_agree_with_the_blocks_up_to_three_pieces() {
    for pieces in 2..=3 {
        agree(pieces, Method::Forward);
        agree(pieces, Method::Backward);
    }
}

#[test]
#[ignore = "several minutes: every position of every class of four pieces"]
fn the_backward_oracle_agrees_with_the_blocks_on_four_pieces() {
    agree(4, Method::Backward);
}
