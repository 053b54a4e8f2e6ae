//! The transposition table: results of positions searched before.
//!
//! An entry holds a lower and an upper bound on a value, the depth that both
//! were searched to, and the best action. Decision nodes and chance nodes (a
//! position with a square about to be flipped) are stored alike, under
//! different keys.
//!
//! Threads share the table without locks. An entry is two relaxed atomics, the
//! key XORed with the data and the data: a torn pair fails the comparison and
//! reads as an unknown position. Four entries share a cache line.
//!
//! Proven values are stored as distances from the entry's own node: `store` and
//! `probe` shift them by the distance from the root.

use crate::score::{UNPROVEN_BOUND, WIN};
use anqi_rules::Action;
use std::collections::TryReserveError;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};

const SLOTS: usize = 4;
const BUCKET_BYTES: usize = 64;

/// The bounds on a node's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredBounds {
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
    /// The depth both bounds were searched to.
    pub depth: i32,
    /// The best action found, if any.
    pub best: Option<Action>,
}

#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

const _: () = assert!(size_of::<Bucket>() == BUCKET_BYTES);

/// A shared table of bounds.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
    /// Counts decisions: older entries are replaced first.
    generation: u8,
    /// Counts games: entries of another epoch are as good as empty slots.
    epoch: u8,
}

const EPOCHS: u8 = 32;

impl Table {
    /// Returns an empty table of this many mebibytes.
    ///
    /// # Errors
    ///
    /// Fails if there is not enough memory.
    pub fn new(mebibytes: NonZeroU32) -> Result<Table, TryReserveError> {
        const BUCKETS_PER_MEBIBYTE: usize = (1 << 20) / BUCKET_BYTES;
        let buckets_wanted = (mebibytes.get() as usize).saturating_mul(BUCKETS_PER_MEBIBYTE);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(buckets_wanted)?;
        #[cfg(target_os = "linux")]
        ask_for_large_pages(&mut buckets);
        buckets.resize_with(buckets_wanted, Bucket::default);
        Ok(Table {
            buckets,
            generation: 0,
            epoch: 0,
        })
    }

    /// Clears the table, usually just by beginning another epoch.
    pub fn clear(&mut self) {
        self.generation = 0;
        self.epoch = (self.epoch + 1) % EPOCHS;
        if self.epoch == 0 {
            for slot in self.buckets.iter_mut().flat_map(|bucket| &mut bucket.0) {
                *slot = Slot::default();
            }
        }
    }

    /// Begins another generation, which ages all entries so far.
    pub(crate) fn age(&mut self) {
        self.generation = self.generation.wrapping_add(1) & 63;
    }

    /// Returns the share of entries of this generation, in thousandths, from a sample.
    pub(crate) fn permille(&self) -> u32 {
        let sample = self.buckets.iter().take(250).flat_map(|bucket| &bucket.0);
        let current = |slot: &&Slot| {
            let data = slot.data.load(Ordering::Relaxed);
            self.is_of_now(data) && generation_of(data) == self.generation
        };
        let slots = self.buckets.len().min(250) * SLOTS;
        (sample.filter(current).count() * 1000 / slots) as u32
    }

    /// Whether a slot holds an entry of this epoch.
    #[inline]
    fn is_of_now(&self, data: u64) -> bool {
        data != 0 && (data >> 43) as u8 % EPOCHS == self.epoch
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[index(key, self.buckets.len())]
    }

    /// Prefetches the bucket of a key.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        let bucket = self.bucket(key);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: prefetching needs SSE, which every x86-64 processor has, and reads nothing.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(bucket).cast());
        }
        // A plain early read: portable, but a processor that waits for memory goes on only so far.
        #[cfg(not(target_arch = "x86_64"))]
        std::hint::black_box(bucket.0[0].check.load(Ordering::Relaxed));
    }

    /// Returns the bounds on a node `ply` plies below the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: u32) -> Option<StoredBounds> {
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key && self.is_of_now(data) {
                return Some(unpack(data, ply as i32));
            }
        }
        None
    }

    /// Stores the bounds on a node `ply` plies below the root.
    ///
    /// Bounds of the same node and depth tighten each other; bounds of another depth are
    /// replaced. A new node replaces the shallowest entry; each generation of age counts as four
    /// plies less.
    pub fn store(&self, key: u64, ply: u32, mut known: StoredBounds) {
        let bucket = &self.bucket(key).0;
        let mut victim = &bucket[0];
        let mut least = i32::MAX;
        for slot in bucket {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key && self.is_of_now(data) {
                let old = unpack(data, ply as i32);
                if old.depth == known.depth {
                    known.lower = known.lower.max(old.lower);
                    known.upper = known.upper.min(old.upper).max(known.lower);
                }
                known.best = known.best.or(old.best);
                victim = slot;
                break;
            }
            let age = self.generation.wrapping_sub(generation_of(data)) & 63;
            let worth = if self.is_of_now(data) {
                depth_of(data) - 4 * i32::from(age)
            } else {
                i32::MIN
            };
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        let data = pack(&known, ply as i32, self.generation) | u64::from(self.epoch) << 43;
        victim.check.store(key ^ data, Ordering::Relaxed);
        victim.data.store(data, Ordering::Relaxed);
    }
}

/// Asks the system to keep a vector's memory in pages of 2 MiB, if it has them: nearly every
/// probe is of another page, and looking up where small ones are takes longer than reading them.
#[cfg(target_os = "linux")]
fn ask_for_large_pages<T>(buckets: &mut Vec<T>) {
    use rustix::mm::{Advice, madvise};
    const LARGE: usize = 2 << 20;
    let memory = buckets.spare_capacity_mut();
    let (start, bytes) = (memory.as_mut_ptr().cast::<u8>(), size_of_val(memory));
    let before = start.align_offset(LARGE).min(bytes);
    let whole = (bytes - before) / LARGE * LARGE;
    // SAFETY: the range lies within the memory of the vector, whose content this does not change.
    // A system that cannot do it answers with an error, and nothing else differs.
    let _ = unsafe {
        madvise(
            start.wrapping_add(before).cast(),
            whole,
            Advice::LinuxHugepage,
        )
    };
}

/// Maps a key onto any number of buckets: the upper half of their product.
#[cfg(not(target_pointer_width = "32"))]
#[inline]
fn index(key: u64, buckets: usize) -> usize {
    ((u128::from(key) * buckets as u128) >> 64) as usize
}

/// The same with products that fit into 64 bits.
#[cfg(any(target_pointer_width = "32", test))]
#[inline]
fn index_by_halves(key: u64, buckets: u32) -> usize {
    let buckets = u64::from(buckets);
    let (upper, lower) = (key >> 32, key & u64::from(u32::MAX));
    ((upper * buckets + ((lower * buckets) >> 32)) >> 32) as usize
}

#[cfg(target_pointer_width = "32")]
#[inline]
fn index(key: u64, buckets: usize) -> usize {
    index_by_halves(key, buckets as u32)
}

/// Converts a proven value's mate distance from the root to one from the node.
fn from_root(value: i32, ply: i32) -> i32 {
    if value > UNPROVEN_BOUND {
        (value + ply).min(WIN)
    } else if value < -UNPROVEN_BOUND {
        (value - ply).max(-WIN)
    } else {
        value
    }
}

fn to_root(value: i32, ply: i32) -> i32 {
    if value > UNPROVEN_BOUND {
        value - ply
    } else if value < -UNPROVEN_BOUND {
        value + ply
    } else {
        value
    }
}

/// Bits: lower 0–15, upper 16–31, best 32–41 and its presence 42,
/// epoch 43–47 (entered by the table), depth 48–55, generation 56–61, mark 63.
fn pack(known: &StoredBounds, ply: i32, generation: u8) -> u64 {
    let lower = u64::from(from_root(known.lower, ply) as i16 as u16);
    let upper = u64::from(from_root(known.upper, ply) as i16 as u16);
    let best = known
        .best
        .map_or(0, |action| u64::from(action.bits()) | 1 << 10);
    let depth = known.depth.clamp(0, 255) as u64;
    lower | upper << 16 | best << 32 | depth << 48 | u64::from(generation) << 56 | 1 << 63
}

fn unpack(data: u64, ply: i32) -> StoredBounds {
    let best = (data >> 32) as u16;
    StoredBounds {
        lower: to_root(i32::from(data as u16 as i16), ply),
        upper: to_root(i32::from((data >> 16) as u16 as i16), ply),
        depth: depth_of(data),
        best: (best >> 10 & 1 != 0).then(|| Action::from_bits(best)),
    }
}

fn depth_of(data: u64) -> i32 {
    (data >> 48 & 255) as i32
}

fn generation_of(data: u64) -> u8 {
    (data >> 56 & 63) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_and_proofs_shift_with_the_node() {
        let table = Table::new(NonZeroU32::MIN).unwrap();
        let known = StoredBounds {
            lower: -77,
            upper: WIN - 9,
            depth: 5,
            best: Some("b2-b3".parse().unwrap()),
        };
        table.store(42, 4, known);
        assert_eq!(table.probe(42, 4), Some(known));
        assert_eq!(table.probe(42, 6).unwrap().upper, WIN - 11);
        assert_eq!(table.probe(43, 4), None);
    }

    #[test]
    fn a_key_has_one_bucket_however_it_is_multiplied() {
        let mut key = 1u64;
        for buckets in [1, 3, 16_384, 65_536, 1_000_003, u32::MAX] {
            for _ in 0..1_000 {
                key = key.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let whole = index(key, buckets as usize);
                assert_eq!(index_by_halves(key, buckets), whole);
            }
            let last = index(u64::MAX, buckets as usize);
            assert_eq!(index_by_halves(u64::MAX, buckets), last);
        }
    }

    #[test]
    fn more_memory_than_there_is_is_refused() {
        assert!(Table::new(NonZeroU32::MAX).is_err());
    }

    #[test]
    fn a_cleared_table_knows_nothing_however_often_it_is_cleared() {
        let mut table = Table::new(NonZeroU32::MIN).unwrap();
        let known = StoredBounds {
            lower: 1,
            upper: 2,
            depth: 9,
            best: None,
        };
        for game in 0..100 {
            assert_eq!(table.probe(7, 0), None, "game {game}");
            table.store(7, 0, known);
            assert_eq!(table.probe(7, 0), Some(known));
            table.clear();
        }
    }

    #[test]
    fn bounds_of_one_depth_tighten() {
        let table = Table::new(NonZeroU32::MIN).unwrap();
        let bound = |lower, upper| StoredBounds {
            lower,
            upper,
            depth: 3,
            best: None,
        };
        table.store(1, 0, bound(-WIN, 50));
        table.store(1, 0, bound(20, WIN));
        assert_eq!(table.probe(1, 0), Some(bound(20, 50)));
        table.store(
            1,
            0,
            StoredBounds {
                depth: 4,
                ..bound(0, WIN)
            },
        );
        assert_eq!(table.probe(1, 0).unwrap().upper, WIN);
    }
}
