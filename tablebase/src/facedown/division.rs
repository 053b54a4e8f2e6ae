//! Classes of endings with face-down pieces: a unit, and how many of each group lie face down.
//!
//! Which piece a flip reveals matters only up to its group: twins capture, and are captured by, the
//! same enemies of the whole set, face up or face down. So a phase belongs to the unit of *all* its
//! pieces, and to a *division* of it: the number of pieces of each group that stand face up. Two
//! divisions that a symmetry of the unit's graph maps to each other, an exchange of colours
//! included, play alike and are one.

use std::collections::HashMap;
use std::sync::OnceLock;

use anqi_rules::{Color, HiddenBag, PIECES, Piece};

use super::key::{MOST_PIECES, PhaseKey};
use crate::classes::{Fit, MAX_GROUPS, Material, Unit, Units};
use crate::numbering::{Orbits, bits_of, rank};

/// For each group of a unit, how many of its pieces stand face up.
pub(crate) type FaceUpCounts = [u8; MAX_GROUPS];

/// A symmetry of a unit's graph.
#[derive(Clone, Copy, Debug)]
struct Automorphism {
    /// Whether it exchanges the colours.
    swapped: bool,
    /// The image of each group.
    image: [u8; MAX_GROUPS],
}

/// All divisions of one unit.
#[derive(Debug)]
pub(crate) struct Divisions {
    symmetries: Vec<Automorphism>,
    /// By the number of face-down pieces.
    by_hidden: Vec<Vec<FaceUpCounts>>,
    /// For each choice of counts its division, and the symmetry that leads there.
    found: HashMap<FaceUpCounts, (u32, u8)>,
}

/// How a phase maps to a division of a unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PhaseFit {
    /// The unit of all pieces, face up and face down.
    pub unit: &'static Unit,
    /// How many lie face down.
    pub hidden: usize,
    /// The division's number among those with as many face down.
    pub division: usize,
    /// Whether red is black there.
    pub swapped: bool,
    /// The group of each piece, by piece index.
    pub groups: [u8; PIECES],
    /// The orbit of the face-down squares under the mirrors.
    pub orbit: usize,
    /// The mirror that leads to the orbit's first set.
    pub mirror: usize,
}

impl Divisions {
    /// Returns the divisions of a unit of at most [`MOST_PIECES`] pieces; those of all units of that
    /// size are computed on first use.
    pub(crate) fn of(unit: &Unit) -> &'static Divisions {
        static LISTS: [OnceLock<Vec<Divisions>>; MOST_PIECES as usize + 1] =
            [const { OnceLock::new() }; MOST_PIECES as usize + 1];
        let pieces = unit.pieces();
        let all = LISTS[pieces].get_or_init(|| {
            Units::of(pieces)
                .list()
                .iter()
                .map(Divisions::new)
                .collect()
        });
        &all[unit.number]
    }

    /// Returns the divisions with this many pieces face down.
    pub(crate) fn list(&self, hidden: usize) -> &[FaceUpCounts] {
        &self.by_hidden[hidden]
    }

    fn new(unit: &Unit) -> Divisions {
        let mut divisions = Divisions {
            symmetries: symmetries(unit),
            by_hidden: vec![Vec::new(); unit.pieces() + 1],
            found: HashMap::new(),
        };
        for counts in all_counts(unit) {
            let hidden = unit.pieces() - counts.iter().map(|&n| usize::from(n)).sum::<usize>();
            divisions.add(counts, hidden);
        }
        divisions
    }

    /// Adds a choice of counts; the first of each class names it.
    fn add(&mut self, counts: FaceUpCounts, hidden: usize) {
        let list = &mut self.by_hidden[hidden];
        let mut symmetries = self.symmetries.iter().enumerate();
        let known = symmetries.find_map(|(index, symmetry)| {
            let image = symmetry.counts(&counts);
            let division = list.iter().position(|first| *first == image)?;
            Some((division as u32, index as u8))
        });
        let fit = known.unwrap_or_else(|| {
            list.push(counts);
            (list.len() as u32 - 1, identity(&self.symmetries))
        });
        self.found.insert(counts, fit);
    }
}

impl Automorphism {
    fn counts(&self, counts: &FaceUpCounts) -> FaceUpCounts {
        let mut image = [0; MAX_GROUPS];
        for (group, count) in counts.iter().enumerate() {
            if *count > 0 {
                image[usize::from(self.image[group])] = *count;
            }
        }
        image
    }
}

impl PhaseFit {
    /// Returns the fit of a phase with at least one piece face down, one face up, and both colours.
    ///
    /// # Panics
    ///
    /// Panics if a colour has no piece, if no piece stands face up, or if there are more than
    /// [`MOST_PIECES`] pieces.
    pub(crate) fn of(key: &PhaseKey) -> PhaseFit {
        let set = key.bag.into_iter().fold(key.face_up, |set, (piece, n)| {
            (0..n).fold(set, |set, _| set.with(piece))
        });
        let fit = Fit::of(&set);
        let mut counts = [0; MAX_GROUPS];
        for (piece, count) in key.face_up.kinds() {
            counts[usize::from(fit.groups[piece.index()])] += count as u8;
        }
        let divisions = Divisions::of(fit.unit);
        let (division, symmetry) = divisions.found[&counts];
        let symmetry = &divisions.symmetries[usize::from(symmetry)];
        let hidden = key.face_down.len();
        let code = rank(bits_of(key.face_down)) as usize;
        let (orbit, mirror) = Orbits::of(hidden).of_code[code];
        PhaseFit {
            unit: fit.unit,
            hidden,
            division: division as usize,
            swapped: fit.swapped != symmetry.swapped,
            groups: fit.groups.map(|group| symmetry.image[usize::from(group)]),
            orbit: orbit as usize,
            mirror: mirror.into(),
        }
    }

    /// Returns a colour as it is called in the unit.
    pub(crate) fn turn(&self, turn: Color) -> Color {
        if self.swapped { !turn } else { turn }
    }
}

/// Returns the face-up pieces and the bag of a division, for the unit's key.
pub fn example(unit: &Unit, up: &FaceUpCounts) -> (Material, HiddenBag) {
    let (mut face_up, mut bag) = (Material::empty(), HiddenBag::EMPTY);
    let mut left = *up;
    for (piece, count) in unit.key.kinds() {
        let group = unit.graph.node_of(piece).expect("a kind of the key");
        for _ in 0..count {
            if left[group] > 0 {
                left[group] -= 1;
                face_up = face_up.with(piece);
            } else {
                bag.insert(piece);
            }
        }
    }
    (face_up, bag)
}

/// Returns the group of each piece of a unit's key.
pub(crate) fn groups_of_key(unit: &Unit) -> [u8; PIECES] {
    let mut groups = [0; PIECES];
    for piece in Piece::all() {
        groups[piece.index()] = unit.graph.node_of(piece).unwrap_or(0) as u8;
    }
    groups
}

/// All choices of counts with at least one piece face down and one face up, most face up first.
fn all_counts(unit: &Unit) -> Vec<FaceUpCounts> {
    let mut all = vec![[0; MAX_GROUPS]];
    for group in 0..unit.groups() {
        let more = all.iter().flat_map(|counts: &FaceUpCounts| {
            (0..=unit.count(group) as u8).rev().map(move |count| {
                let mut counts = *counts;
                counts[group] = count;
                counts
            })
        });
        all = more.collect();
    }
    // The first is the unit without face-down pieces, and none stands face up in the last.
    all.pop();
    all.split_off(1)
}

/// The place of the symmetry that changes nothing.
fn identity(symmetries: &[Automorphism]) -> u8 {
    let is_identity =
        |a: &Automorphism| !a.swapped && a.image.iter().zip(0..).all(|(g, i)| *g == i);
    let place = symmetries.iter().position(is_identity);
    place.expect("every graph has it") as u8
}

/// Lists the symmetries of a unit's graph, exchanges of the colours included.
fn symmetries(unit: &Unit) -> Vec<Automorphism> {
    let mut found = Vec::new();
    for swapped in [false, true] {
        let mut image = std::array::from_fn(|group| group as u8);
        extend(unit, swapped, 0, &mut image, &mut found);
    }
    found
}

/// Tries every image of a group and the later ones that agrees with the earlier ones.
fn extend(
    unit: &Unit,
    swapped: bool,
    group: usize,
    image: &mut [u8; MAX_GROUPS],
    found: &mut Vec<Automorphism>,
) {
    if group == unit.groups() {
        let image = *image;
        found.push(Automorphism { swapped, image });
        return;
    }
    for to in 0..unit.groups() {
        let taken = image[..group].contains(&(to as u8));
        if taken || !agrees(unit, swapped, (group, to), &image[..group]) {
            continue;
        }
        image[group] = to as u8;
        extend(unit, swapped, group + 1, image, found);
    }
    image[group] = group as u8;
}

/// Whether a group may be mapped to another, the earlier groups being mapped to `image`.
fn agrees(unit: &Unit, swapped: bool, (from, to): (usize, usize), image: &[u8]) -> bool {
    let (node, other) = (&unit.graph.nodes[from], &unit.graph.nodes[to]);
    let graph = &unit.graph;
    node.count == other.count
        && node.jumps == other.jumps
        && (node.color != other.color) == swapped
        && image.iter().enumerate().all(|(earlier, &mapped)| {
            let mapped = usize::from(mapped);
            graph.takes(from, earlier) == graph.takes(to, mapped)
                && graph.takes(earlier, from) == graph.takes(mapped, to)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbering::set_of;

    fn unit(set: &str) -> &'static Unit {
        Fit::of(&set.parse().unwrap()).unit
    }

    #[test]
    fn divisions_that_an_exchange_of_colours_joins_are_one() {
        // One king or the other face down.
        assert_eq!(Divisions::of(unit("Kk")).list(1).len(), 1);
        // The strong piece or the weak one.
        assert_eq!(Divisions::of(unit("Kg")).list(1).len(), 2);
    }

    #[test]
    fn twins_face_down_are_the_same_whichever_they_are() {
        let fit = |face_up: &str, bag: char| {
            let mut hidden = HiddenBag::EMPTY;
            hidden.insert(Piece::from_letter(bag).unwrap());
            let face_up: Material = face_up.parse().unwrap();
            PhaseFit::of(&PhaseKey {
                face_up,
                bag: hidden,
                face_down: set_of(1 << 30),
            })
        };
        let (a, b) = (fit("Kp", 'G'), fit("Gp", 'K'));
        assert_eq!(a.unit.number, b.unit.number);
        assert_ne!(a.division, b.division, "a pawn takes the king only");
        let (a, b) = (fit("Km", 'G'), fit("Gm", 'K'));
        assert_eq!((a.unit.number, a.division), (b.unit.number, b.division));
        assert_eq!((a.orbit, a.mirror), (1, 3));
    }

    #[test]
    fn every_division_is_that_of_its_example() {
        for pieces in 2..=4 {
            for unit in Units::of(pieces).list() {
                for hidden in 1..pieces {
                    for (number, up) in Divisions::of(unit).list(hidden).iter().enumerate() {
                        let (face_up, bag) = example(unit, up);
                        let key = PhaseKey {
                            face_up,
                            bag,
                            face_down: set_of((1 << hidden) - 1),
                        };
                        let fit = PhaseFit::of(&key);
                        assert_eq!((fit.unit.number, fit.division), (unit.number, number));
                        assert!(!fit.swapped, "{unit} {up:?}");
                        assert_eq!(fit.groups, Fit::of(&unit.key).groups, "{unit} {up:?}");
                    }
                }
            }
        }
    }
}
