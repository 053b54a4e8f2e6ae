//! Probing a distilled file: a small search that ends at stored positions.
//!
//! The captures of a position lead to smaller units, where the same search goes on. If one of them
//! wins, nothing else matters. Otherwise a stored position has its value in the file; any other is at
//! most three quiet plies away from stored ones, and its value is the best of its moves.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anqi_rules::{Color, Position};

use super::coder::{Decoder, Likeliest};
use super::format::{self, Contents, PocketError, UnitEntry};
use super::model::{LOSS, WIN};
use super::region;
use crate::classes::SubFit;
use crate::numbering::{ADJACENT, Groups, Lookup, Placement, UnitPlace, jumps, locate, squares};
use crate::probe::Endgames;
use crate::solve::Wdl;

/// Bytes of decoded regions that are kept.
const CACHE: usize = 16 << 20;

/// A distilled file, opened for probing.
#[derive(Debug)]
pub struct Pocket {
    bytes: Cow<'static, [u8]>,
    contents: Contents,
    /// For each unit, what is left of it after each capture; found when first needed.
    after: Vec<Vec<OnceLock<Vec<Option<SubFit>>>>>,
    cache: Mutex<Cache>,
}

/// A value, and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The value for the side to move, in unlimited play.
    pub wdl: Wdl,
    /// Positions visited, this one included.
    pub nodes: u32,
}

/// Number of pieces, unit, region.
type Address = (usize, usize, usize);

/// Decoded regions, four values to a byte; the oldest goes first.
#[derive(Debug, Default)]
struct Cache {
    regions: HashMap<Address, Arc<[u8]>>,
    queue: VecDeque<Address>,
    bytes: usize,
}

impl Pocket {
    /// Opens a file that is in memory.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not a distilled file, or not a sound one.
    pub fn new(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Pocket, PocketError> {
        let bytes = bytes.into();
        let contents = format::read(&bytes)?;
        let blank = |units: &Vec<UnitEntry>| units.iter().map(|_| OnceLock::new()).collect();
        Ok(Pocket {
            after: contents.units.iter().map(blank).collect(),
            bytes,
            contents,
            cache: Mutex::default(),
        })
    }

    /// Returns the value of a position, if it has few enough pieces and none face down.
    pub fn answer(&self, position: &Position) -> Option<Answer> {
        self.answer_while(position, &|| true)
    }

    /// Returns the value of a position as [`Pocket::answer`] does, `None` too if a region must be decoded first and
    /// `may_decode` says no. Each takes some milliseconds; so a clock is kept.
    pub fn answer_while(
        &self,
        position: &Position,
        may_decode: &dyn Fn() -> bool,
    ) -> Option<Answer> {
        match locate(position, self.contents.pieces as u32)? {
            Lookup::Over(loser) => Some(Answer {
                wdl: if position.turn() == Some(loser) {
                    Wdl::Loss
                } else {
                    Wdl::Win
                },
                nodes: 1,
            }),
            Lookup::Placed(place) => self.search(&place, may_decode),
        }
    }

    /// Returns the value of a placement in a unit of at most [`Endgames::pieces`] pieces.
    pub fn answer_placement(&self, place: &Placement) -> Answer {
        self.search(place, &|| true).expect("all may be decoded")
    }

    fn search(&self, place: &Placement, may_decode: &dyn Fn() -> bool) -> Option<Answer> {
        let mut search = Search {
            pocket: self,
            may_decode,
            nodes: 0,
        };
        let wdl = match search.value(place, -1, 1)? {
            1 => Wdl::Win,
            0 => Wdl::Draw,
            _ => Wdl::Loss,
        };
        Some(Answer {
            wdl,
            nodes: search.nodes,
        })
    }

    /// Returns the entry of a unit.
    pub fn entry(&self, pieces: usize, unit: usize) -> &UnitEntry {
        &self.contents.units[pieces - 2][unit]
    }

    fn after(&self, pieces: usize, unit: usize) -> &[Option<SubFit>] {
        self.after[pieces - 2][unit].get_or_init(|| {
            let unit = self.entry(pieces, unit).lattice.unit;
            (0..unit.groups()).map(|g| unit.after_loss_of(g)).collect()
        })
    }

    /// Decodes a region: its values by number.
    pub fn decode(&self, pieces: usize, unit: usize, region: usize) -> Vec<u8> {
        let entry = self.entry(pieces, unit);
        let range = entry.starts[region] as usize..entry.starts[region + 1] as usize;
        let bytes = &self.bytes[range];
        let mut model = self.contents.prior.clone();
        let mut values = Vec::new();
        let (lattice, scheme) = (&entry.lattice, &entry.scheme);
        if bytes.is_empty() {
            region::pass(
                lattice,
                scheme,
                region,
                &mut model,
                &mut Likeliest,
                &mut values,
            );
        } else {
            let mut decoder = Decoder::new(bytes);
            region::pass(
                lattice,
                scheme,
                region,
                &mut model,
                &mut decoder,
                &mut values,
            );
        }
        values
    }

    /// Reads a stored value, `None` if its region is not decoded and may not be.
    fn stored(
        &self,
        place: &Placement,
        entry: &UnitEntry,
        may_decode: &dyn Fn() -> bool,
    ) -> Option<u8> {
        let (region, number) = entry.lattice.find(&place.groups);
        let address = (place.unit.pieces, place.unit.number, region);
        let values = match self.cached(&address) {
            Some(values) => values,
            None if may_decode() => self.decoded(address),
            None => return None,
        };
        Some(values[number / 4] >> (number % 4 * 2) & 3)
    }

    /// Decodes a region and keeps it, four values to a byte.
    fn decoded(&self, address: Address) -> Arc<[u8]> {
        let (pieces, unit, region) = address;
        let values = self.decode(pieces, unit, region);
        let packed = values.chunks(4).map(|four| {
            four.iter()
                .rev()
                .fold(0, |byte, value| byte << 2 | value & 3)
        });
        let packed: Arc<[u8]> = packed.collect();
        self.keep(address, &packed);
        packed
    }

    fn cached(&self, address: &Address) -> Option<Arc<[u8]>> {
        // The map is sound between any two statements.
        let cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.regions.get(address).cloned()
    }

    fn keep(&self, address: Address, values: &Arc<[u8]>) {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        while cache.bytes + values.len() > CACHE {
            let Some(oldest) = cache.queue.pop_front() else {
                break;
            };
            let gone = cache.regions.remove(&oldest).map_or(0, |old| old.len());
            cache.bytes -= gone;
        }
        if cache.regions.insert(address, values.clone()).is_none() {
            cache.bytes += values.len();
            cache.queue.push_back(address);
        }
    }
}

impl Endgames for Pocket {
    fn pieces(&self) -> u32 {
        self.contents.pieces as u32
    }

    fn wdl(&self, position: &Position) -> Option<Wdl> {
        self.answer(position).map(|answer| answer.wdl)
    }
}

/// One probe. Its values are `None` from where a region may not be decoded.
struct Search<'a> {
    pocket: &'a Pocket,
    may_decode: &'a dyn Fn() -> bool,
    nodes: u32,
}

impl Search<'_> {
    /// The value: 1, 0 or −1 for the side to move; outside of the window perhaps only a bound.
    fn value(&mut self, place: &Placement, alpha: i8, beta: i8) -> Option<i8> {
        self.nodes += 1;
        let entry = self.pocket.entry(place.unit.pieces, place.unit.number);
        if entry
            .scheme
            .stores(entry.lattice.unit, place.unit.turn, &place.groups)
        {
            // Only a winning capture matters: the rest is in the stored value.
            if self.captures(place, 0, 1)? == 1 {
                return Some(1);
            }
            let stored = self.pocket.stored(place, entry, self.may_decode)?;
            return Some(match stored {
                WIN => 1,
                LOSS => -1,
                _ => 0,
            });
        }
        let best = self.captures(place, alpha, beta)?;
        if best >= beta {
            return Some(best);
        }
        self.quiet_moves(place, best, alpha, beta)
    }

    /// The best capture, −1 if there is none.
    fn captures(&mut self, place: &Placement, alpha: i8, beta: i8) -> Option<i8> {
        let pocket = self.pocket;
        let UnitPlace {
            pieces,
            number,
            turn,
        } = place.unit;
        let unit = pocket.entry(pieces, number).lattice.unit;
        let occupied = occupied(&place.groups);
        let mut best = -1;
        for hunter in own(unit, turn) {
            for from in squares(place.groups[hunter]) {
                let reach = if unit.graph.nodes[hunter].jumps {
                    jumps(from, occupied)
                } else {
                    ADJACENT[from as usize]
                };
                for prey in own(unit, !turn) {
                    let targets = reach & place.groups[prey];
                    if targets == 0 || !unit.graph.takes(hunter, prey) {
                        continue;
                    }
                    let Some(fit) = &pocket.after(pieces, number)[prey] else {
                        return Some(1);
                    };
                    for to in squares(targets) {
                        let mut groups = place.groups;
                        groups[hunter] ^= 1 << from | 1 << to;
                        groups[prey] ^= 1 << to;
                        let child = smaller(place, fit, &groups);
                        best = best.max(-self.value(&child, -beta, -best.max(alpha))?);
                        if best >= beta {
                            return Some(best);
                        }
                    }
                }
            }
        }
        Some(best)
    }

    /// The best of some value and all quiet moves.
    fn quiet_moves(&mut self, place: &Placement, mut best: i8, alpha: i8, beta: i8) -> Option<i8> {
        let UnitPlace {
            pieces,
            number,
            turn,
        } = place.unit;
        let unit = self.pocket.entry(pieces, number).lattice.unit;
        let occupied = occupied(&place.groups);
        for group in own(unit, turn) {
            for from in squares(place.groups[group]) {
                for to in squares(ADJACENT[from as usize] & !occupied) {
                    let mut child = *place;
                    child.groups[group] ^= 1 << from | 1 << to;
                    child.unit.turn = !turn;
                    best = best.max(-self.value(&child, -beta, -best.max(alpha))?);
                    if best >= beta {
                        return Some(best);
                    }
                }
            }
        }
        Some(best)
    }
}

fn occupied(groups: &Groups) -> u32 {
    groups.iter().fold(0, |all, set| all | set)
}

/// The groups of one side.
fn own(unit: &'static crate::classes::Unit, color: Color) -> impl Iterator<Item = usize> {
    (0..unit.groups()).filter(move |&group| unit.color(group) == color)
}

/// The placement after a capture in its own unit.
fn smaller(place: &Placement, fit: &SubFit, groups: &Groups) -> Placement {
    let mut there: Groups = [0; _];
    for (&set, &group) in groups.iter().zip(&fit.groups) {
        if set != 0 {
            there[usize::from(group) & 7] |= set;
        }
    }
    let turn = place.unit.turn;
    Placement {
        unit: UnitPlace::of(fit.unit, if fit.swapped { turn } else { !turn }),
        groups: there,
    }
}
