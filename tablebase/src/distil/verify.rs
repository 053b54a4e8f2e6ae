//! Comparing a distilled file with units that are solved again.
//!
//! Three layers. The solution must follow from itself: each value from those of its moves, one ply at
//! a time ([`first_fault`]). Every stored value must be the solved one, unless a capture wins. From
//! these two it follows that every probe is right, because a probe only plays moves until it meets
//! captures that win or stored values. The third layer does not rely on that: it probes.

use anqi_rules::Color;

use super::encode::{ANY, collect};
use super::model::NONE;
use super::pocket::{Answer, Pocket};
use crate::numbering::{Placement, UnitPlace};
use crate::parallel;
use crate::solve::{Children, Solved, Wdl, first_fault};

/// How much was compared, and what probes cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checked {
    /// Stored values compared.
    pub stored: u64,
    /// Positions probed, both sides to move.
    pub probed: u64,
    /// Positions visited by these probes.
    pub nodes: u64,
    /// Positions visited by the longest probe.
    pub most: u32,
}

impl Checked {
    /// Counts a probe.
    pub fn count(&mut self, answer: &Answer) {
        self.probed += 1;
        self.nodes += u64::from(answer.nodes);
        self.most = self.most.max(answer.nodes);
    }

    /// Adds the figures of another unit.
    pub fn add(&mut self, other: &Checked) {
        self.stored += other.stored;
        self.probed += other.probed;
        self.nodes += other.nodes;
        self.most = self.most.max(other.most);
    }
}

/// Compares one unit with its solution; one position in `step` is probed.
///
/// # Errors
///
/// Fails with the first thing that is wrong, in words.
pub fn check_unit(
    pocket: &Pocket,
    solved: &Solved,
    children: &Children,
    step: u64,
) -> Result<Checked, String> {
    let unit = solved.layout.unit;
    if let Some(block) = first_fault(solved, children) {
        return Err(format!(
            "{unit}: block {block} does not follow from its moves"
        ));
    }
    let mut checked = check_stored(pocket, solved)?;
    // Chunks of the addresses, so that threads share a unit.
    let all = solved.layout.addresses();
    let chunk = all.div_ceil(16).max(1);
    let starts: Vec<u64> = (0..all).step_by(chunk as usize).collect();
    let parts = parallel::map(&starts, |&start| {
        probe(pocket, solved, (start, (start + chunk).min(all)), step)
    });
    for part in parts {
        checked.add(&part?);
    }
    Ok(checked)
}

/// Compares every stored value.
fn check_stored(pocket: &Pocket, solved: &Solved) -> Result<Checked, String> {
    let unit = solved.layout.unit;
    let entry = pocket.entry(unit.pieces(), unit.number);
    let regions: Vec<usize> = (0..entry.lattice.regions()).collect();
    let counts = parallel::map(&regions, |&region| {
        let wanted = collect(solved, &entry.lattice, &entry.scheme, region);
        let values = pocket.decode(unit.pieces(), unit.number, region);
        let mut stored = values.into_iter().filter(|&value| value != NONE);
        let all = wanted.iter().all(|&wanted| {
            let value = stored.next();
            wanted == ANY && value.is_some() || value == Some(wanted)
        });
        if all && stored.next().is_none() {
            Ok(wanted.len() as u64)
        } else {
            Err(format!(
                "{unit}: a stored value of region {region} is wrong"
            ))
        }
    });
    let stored = counts.into_iter().sum::<Result<u64, String>>()?;
    Ok(Checked {
        stored,
        ..Checked::default()
    })
}

/// Probes one position in `step` of a range of addresses.
fn probe(
    pocket: &Pocket,
    solved: &Solved,
    (start, end): (u64, u64),
    step: u64,
) -> Result<Checked, String> {
    let unit = solved.layout.unit;
    let mut checked = Checked::default();
    for address in (start.next_multiple_of(step)..end).step_by(step as usize) {
        let Some(groups) = solved.layout.groups_at(address) else {
            continue;
        };
        for turn in Color::ALL {
            let place = Placement {
                unit: UnitPlace::of(unit, turn),
                groups,
            };
            let answer = pocket.answer_placement(&place);
            let wanted: Wdl = solved.wdl(turn, address);
            if answer.wdl != wanted {
                return Err(format!(
                    "{unit}: address {address}, {turn} to move, is a {wanted:?}, not a {:?}",
                    answer.wdl
                ));
            }
            checked.count(&answer);
        }
    }
    Ok(checked)
}
