//! Making a distilled file from solved units.
//!
//! Three steps: solve each unit and choose which positions to store, learn the prior from a part of
//! the regions of all units, and code every region from it.

use anqi_rules::Color;

use super::coder::{Encoder, ONE, Port};
use super::format::{assemble, push_length, scheme_byte};
use super::lattice::{Lattice, Scheme};
use super::model::{DRAW, LOSS, Model, WIN};
use super::{prior, region};
use crate::classes::{Unit, Units};
use crate::numbering::{Block, PieceRow, bit};
use crate::parallel;
use crate::solve::{DistanceOverflow, Goal, Solved, Store, solve};

/// A stored position whose value may be anything: a capture wins, and the prober finds it.
pub(super) const ANY: u8 = 4;

/// What is stored of a unit.
#[derive(Debug)]
pub(super) struct Draft {
    /// The numbering.
    pub lattice: Lattice,
    /// Which positions are stored.
    pub scheme: Scheme,
    /// Positions, both sides to move.
    positions: u64,
    /// Those in which a capture wins.
    captures: u64,
    /// The stored values of each region in order, [`ANY`] included.
    values: Vec<Vec<u8>>,
}

/// A unit's part of a file, in figures.
#[derive(Clone, Debug)]
pub struct UnitReport {
    /// The unit.
    pub unit: &'static Unit,
    /// Which positions are stored.
    pub scheme: Scheme,
    /// Positions, both sides to move, mirrors folded.
    pub positions: u64,
    /// Positions in which a capture wins.
    pub captures: u64,
    /// Stored positions.
    pub stored: u64,
    /// Stored positions in which a capture wins, so that the stored value may be anything.
    pub any: u64,
    /// Stored values that the model got wrong, and all others that it did not find likeliest.
    pub surprises: u64,
    /// Regions, and those that need no byte.
    pub regions: [usize; 2],
    /// Bytes of the regions.
    pub bytes: usize,
}

/// A file and its figures.
#[derive(Debug)]
pub struct Distilled {
    /// The file.
    pub bytes: Vec<u8>,
    /// The units in order.
    pub units: Vec<UnitReport>,
    /// Bytes of the prior.
    pub prior: usize,
    /// Bytes of the directory.
    pub directory: usize,
}

/// Distils all units of up to `pieces` pieces.
///
/// # Errors
///
/// Fails if a distance does not fit, which none does up to five pieces.
pub fn distil(
    pieces: usize,
    progress: &(dyn Fn(&str, usize, usize) + Sync),
) -> Result<Distilled, DistanceOverflow> {
    let small = Store::solve(pieces.min(4), Goal::Values)?;
    let mut drafts = Vec::new();
    for count in 2..=pieces {
        let units = Units::of(count).list();
        for (done, batch) in units.chunks(8).enumerate() {
            progress("solving", done * 8, units.len());
            let made = parallel::map(batch, |unit| match small.get(unit) {
                Some(solved) => Ok(draft(solved)),
                None => Ok(draft(&solve(unit, &small.children(unit), Goal::Values)?)),
            });
            drafts.extend(made.into_iter().collect::<Result<Vec<_>, _>>()?);
        }
    }
    progress("learning", 0, 1);
    let prior = prior::to_bytes(&learn(&drafts));
    let model = prior::from_bytes(&prior).expect("a prior that was just written");
    let mut coded = Vec::new();
    for (done, batch) in drafts.chunks(8).enumerate() {
        progress("coding", done * 8, drafts.len());
        coded.extend(parallel::map(batch, |draft| code(draft, &model)));
    }
    Ok(put_together(pieces, &prior, &drafts, coded))
}

/// The report of a unit, and the bytes of each region.
type Coded = (UnitReport, Vec<Vec<u8>>);

fn put_together(pieces: usize, prior: &[u8], drafts: &[Draft], coded: Vec<Coded>) -> Distilled {
    let (mut directory, mut regions) = (Vec::new(), Vec::new());
    let mut units = Vec::new();
    for (draft, (report, parts)) in drafts.iter().zip(coded) {
        directory.push(scheme_byte(&draft.scheme));
        directory.extend(&draft.lattice.order);
        for part in parts {
            push_length(&mut directory, part.len());
            regions.extend(part);
        }
        units.push(report);
    }
    Distilled {
        bytes: assemble(pieces, prior, &directory, &regions),
        units,
        prior: prior.len(),
        directory: directory.len(),
    }
}

/// Regions of a unit that are looked at to choose what to store.
const SAMPLE: usize = 24;

/// Chooses what to store of a unit, and collects it.
fn draft(solved: &Solved) -> Draft {
    let unit = solved.layout.unit;
    let lattice = Lattice::new(unit, Lattice::usual_order(unit));
    let step = lattice.regions().div_ceil(SAMPLE);
    let cost = |scheme: &Scheme| {
        let mut model = Model {
            most: prior::MOST,
            ..Model::default()
        };
        let regions = (step / 2..lattice.regions()).step_by(step);
        regions
            .map(|region| {
                let values = collect(solved, &lattice, scheme, region);
                trace(&lattice, scheme, region, &values, &mut model)
            })
            .sum::<f64>()
    };
    let schemes = Scheme::all(unit).into_iter();
    let (_, scheme) = schemes
        .map(|scheme| (cost(&scheme), scheme))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .expect("every unit has a scheme");
    let values = (0..lattice.regions())
        .map(|region| collect(solved, &lattice, &scheme, region))
        .collect();
    let [positions, captures] = census(solved, &lattice);
    Draft {
        lattice,
        scheme,
        positions,
        captures,
        values,
    }
}

/// Counts the positions of a unit, both sides to move, and those in which a capture wins.
fn census(solved: &Solved, lattice: &Lattice) -> [u64; 2] {
    let turns = Color::ALL.map(|turn| Scheme { turn, parity: None });
    let mut counts = [0, 0];
    for scheme in turns {
        let plane = &solved.captures.as_ref().expect("captures are kept")[scheme.turn.index()];
        for region in 0..lattice.regions() {
            for_stored(solved, lattice, &scheme, region, [plane], |[wins]| {
                counts[0] += 1;
                counts[1] += u64::from(wins);
            });
        }
    }
    counts
}

/// Calls `visit` with the bits of some planes for each stored position of a region in order.
fn for_stored<const N: usize>(
    solved: &Solved,
    lattice: &Lattice,
    scheme: &Scheme,
    region: usize,
    planes: [&Vec<Block>; N],
    mut visit: impl FnMut([bool; N]),
) {
    let last = lattice.last();
    let single = lattice.unit.count(last) == 1;
    lattice.rows(region, |row| {
        let mut groups = row.groups;
        let words = single.then(|| {
            let found = PieceRow::find(&solved.layout, &groups, last);
            planes.map(|plane| found.bits(plane))
        });
        lattice.stored(row, scheme, |code, set| {
            groups[last] = set;
            let bits = match words {
                Some(words) => words.map(|word| word >> code & 1 != 0),
                None => {
                    let address = solved.layout.address(&groups);
                    planes.map(|plane| bit(plane, address))
                }
            };
            visit(bits);
        });
    });
}

/// Returns the stored values of a region in order.
pub(super) fn collect(
    solved: &Solved,
    lattice: &Lattice,
    scheme: &Scheme,
    region: usize,
) -> Vec<u8> {
    let turn = scheme.turn.index();
    let captures = solved.captures.as_ref().expect("captures are kept");
    let planes = [&solved.win[turn], &solved.loss[turn], &captures[turn]];
    let mut values = Vec::new();
    for_stored(
        solved,
        lattice,
        scheme,
        region,
        planes,
        |[win, loss, any]| {
            values.push(match (any, win, loss) {
                (true, ..) => ANY,
                (_, true, _) => WIN,
                (_, _, true) => LOSS,
                _ => DRAW,
            });
        },
    );
    values
}

/// Learns the prior from some regions of each unit, a region of each in turn.
fn learn(drafts: &[Draft]) -> Model {
    let mut model = Model {
        most: 1023,
        ..Model::default()
    };
    let most = drafts.iter().map(|draft| draft.values.len()).max();
    for region in (0..most.unwrap_or(0)).step_by(LEARN) {
        for draft in drafts {
            // Each unit begins elsewhere, so that no squares of the pivot are left out.
            let region = region + draft.lattice.unit.number % LEARN;
            if let Some(values) = draft.values.get(region) {
                trace(&draft.lattice, &draft.scheme, region, values, &mut model);
            }
        }
    }
    model
}

/// One region in this many is learnt from.
const LEARN: usize = 3;

/// Passes known values through a model that learns, and returns their cost in bits.
fn trace(
    lattice: &Lattice,
    scheme: &Scheme,
    region: usize,
    values: &[u8],
    model: &mut Model,
) -> f64 {
    let mut writer = Writer::new(values, None);
    region::pass(lattice, scheme, region, model, &mut writer, &mut Vec::new());
    writer.cost
}

/// Codes the regions of a unit.
fn code(draft: &Draft, prior: &Model) -> Coded {
    let Draft {
        lattice, scheme, ..
    } = draft;
    let mut surprises = 0;
    let mut buffer = Vec::new();
    let regions: Vec<Vec<u8>> = draft
        .values
        .iter()
        .enumerate()
        .map(|(region, values)| {
            let mut model = prior.clone();
            let mut writer = Writer::new(values, Some(Encoder::default()));
            region::pass(
                lattice,
                scheme,
                region,
                &mut model,
                &mut writer,
                &mut buffer,
            );
            surprises += writer.surprises;
            match writer.encoder {
                Some(encoder) if writer.surprises > 0 => never_empty(encoder.finish()),
                _ => Vec::new(),
            }
        })
        .collect();
    let stored: usize = draft.values.iter().map(Vec::len).sum();
    let all = draft.values.iter().flatten();
    let report = UnitReport {
        unit: lattice.unit,
        scheme: *scheme,
        positions: draft.positions,
        captures: draft.captures,
        stored: stored as u64,
        any: all.filter(|&&value| value == ANY).count() as u64,
        surprises,
        regions: [
            regions.len(),
            regions.iter().filter(|bytes| bytes.is_empty()).count(),
        ],
        bytes: regions.iter().map(Vec::len).sum(),
    };
    (report, regions)
}

/// A region without bytes means something else, so zeros that were left out return.
fn never_empty(bytes: Vec<u8>) -> Vec<u8> {
    if bytes.is_empty() { vec![0] } else { bytes }
}

/// A port that knows the values.
struct Writer<'a> {
    values: std::slice::Iter<'a, u8>,
    value: u8,
    encoder: Option<Encoder>,
    /// The cost in bits, if nothing is written.
    cost: f64,
    /// Answers that were not the likelier ones.
    surprises: u64,
}

impl Writer<'_> {
    fn new(values: &[u8], encoder: Option<Encoder>) -> Writer<'_> {
        Writer {
            values: values.iter(),
            value: ANY,
            encoder,
            cost: 0.0,
            surprises: 0,
        }
    }
}

impl Port for Writer<'_> {
    fn begin(&mut self) {
        self.value = *self
            .values
            .next()
            .expect("a value for each stored position");
    }

    fn bit(&mut self, chance: u32, decisive: bool) -> bool {
        let likelier = chance >= ONE / 2;
        let bit = match (self.value, decisive) {
            (ANY, _) => likelier,
            (value, false) => value == DRAW,
            (value, true) => value == WIN,
        };
        self.surprises += u64::from(bit != likelier);
        match &mut self.encoder {
            Some(encoder) => encoder.write(bit, chance),
            None => {
                let of = if bit { chance } else { ONE - chance };
                self.cost -= (f64::from(of) / f64::from(ONE)).log2();
            }
        }
        bit
    }
}

/// Returns the side to move and the squares that make a position stored, in words.
pub fn describe(scheme: &Scheme) -> String {
    let name = |color: Color| if color == Color::Red { "red" } else { "black" };
    let turn = name(scheme.turn);
    match scheme.parity {
        None => format!("{turn} to move"),
        Some((side, parity)) => {
            let parity = if parity == 0 { "even" } else { "odd" };
            format!("{turn} to move, squares of {} {parity}", name(side))
        }
    }
}
