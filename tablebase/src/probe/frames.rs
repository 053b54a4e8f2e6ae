//! Decoded frames of table files, kept within a number of bytes and shared by all threads.
//!
//! The cache is cut into shelves, each under a lock of its own, and a frame has its place on one
//! of them. A shelf drops the frames that were asked for longest ago. Memory is taken only as
//! frames come in.

use std::sync::{Mutex, PoisonError};

/// Bytes of frames on one shelf: sixteen frames of values or four of distances in one byte.
pub(super) const SHELF_BYTES: usize = 64 << 10;

/// The values of a frame, packed as in the file.
pub(super) type Frame = Box<[u8]>;

/// The cache.
#[derive(Debug)]
pub(super) struct FrameCache {
    shelves: Vec<Mutex<Shelf>>,
}

/// The frames whose places are on one shelf.
#[derive(Debug, Default)]
struct Shelf {
    frames: Vec<Kept>,
    bytes: usize,
    /// Counts what is asked for; compared with wrap-around.
    clock: u32,
}

#[derive(Debug)]
struct Kept {
    id: u64,
    asked: u32,
    frame: Frame,
}

impl FrameCache {
    /// Returns an empty cache for this many bytes of frames, rounded up to a whole shelf.
    pub(super) fn new(bytes: usize) -> FrameCache {
        let shelves = bytes.div_ceil(SHELF_BYTES).max(1);
        FrameCache {
            shelves: (0..shelves).map(|_| Mutex::default()).collect(),
        }
    }

    fn shelf(&self, id: u64) -> &Mutex<Shelf> {
        // Fibonacci hashing; the product's upper half scales to any number of shelves.
        let spread = id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        &self.shelves[((spread * self.shelves.len() as u64) >> 32) as usize]
    }

    /// Reads from a frame if it is here.
    #[inline]
    pub(super) fn read<T>(&self, id: u64, read: impl FnOnce(&[u8]) -> T) -> Option<T> {
        let mut shelf = self
            .shelf(id)
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let clock = shelf.clock.wrapping_add(1);
        let kept = shelf.frames.iter_mut().find(|kept| kept.id == id)?;
        kept.asked = clock;
        let value = read(&kept.frame);
        shelf.clock = clock;
        Some(value)
    }

    /// Puts a frame on its shelf in place of those asked for longest ago. One that exceeds a
    /// whole shelf is not kept.
    pub(super) fn keep(&self, id: u64, frame: Frame) {
        if frame.len() > SHELF_BYTES {
            return;
        }
        let mut shelf = self
            .shelf(id)
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // Another thread may have read the same frame meanwhile.
        if shelf.frames.iter().any(|kept| kept.id == id) {
            return;
        }
        while shelf.bytes + frame.len() > SHELF_BYTES {
            shelf.drop_oldest();
        }
        shelf.clock = shelf.clock.wrapping_add(1);
        shelf.bytes += frame.len();
        let asked = shelf.clock;
        shelf.frames.push(Kept { id, asked, frame });
    }

    /// Returns the bytes of all frames kept.
    #[cfg(test)]
    fn bytes(&self) -> usize {
        let bytes = |shelf: &Mutex<Shelf>| shelf.lock().map_or(0, |shelf| shelf.bytes);
        self.shelves.iter().map(bytes).sum()
    }
}

impl Shelf {
    fn drop_oldest(&mut self) {
        let clock = self.clock;
        let ages = self.frames.iter().enumerate();
        let oldest = ages.max_by_key(|(_, kept)| clock.wrapping_sub(kept.asked));
        if let Some((place, _)) = oldest {
            self.bytes -= self.frames.swap_remove(place).frame.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame that says whose it is.
    fn frame(id: u64, len: usize) -> Frame {
        id.to_le_bytes().into_iter().cycle().take(len).collect()
    }

    fn holds(cache: &FrameCache, id: u64) -> bool {
        cache.read(id, |_| ()).is_some()
    }

    #[test]
    fn a_frame_answers_only_for_itself_whatever_shares_its_shelf() {
        for shelves in [1, 3, 64] {
            let cache = FrameCache::new(shelves * SHELF_BYTES);
            // As in files: a frame's number below, its unit above.
            let ids = (0..5000).map(|i: u64| ((i % 7) << 34) | (i / 7));
            for (i, id) in ids.clone().enumerate() {
                cache.keep(id, frame(id, 4096));
                for before in ids.clone().take(i + 1).skip(i.saturating_sub(40)) {
                    if let Some(found) = cache.read(before, |raw| raw[..8] == before.to_le_bytes())
                    {
                        assert!(found, "{before} after {id}");
                    }
                }
                assert!(holds(&cache, id));
            }
        }
    }

    #[test]
    fn the_cache_never_exceeds_its_bytes_and_uses_nearly_all() {
        let limit = 32 * SHELF_BYTES;
        let cache = FrameCache::new(limit);
        for id in 0..4000 {
            let len = [4096, 16_384, 32_768, 1][id as usize % 4];
            cache.keep(id, frame(id, len));
            assert!(cache.bytes() <= limit);
        }
        assert!(cache.bytes() > limit * 2 / 3, "{}", cache.bytes());
        cache.keep(9999, frame(0, SHELF_BYTES + 1));
        assert!(!holds(&cache, 9999), "it would take more than a shelf");
    }

    #[test]
    fn what_was_asked_for_longest_ago_is_dropped_first() {
        let cache = FrameCache::new(1);
        for id in 0..4 {
            cache.keep(id, frame(id, SHELF_BYTES / 4));
        }
        assert!(holds(&cache, 0) && holds(&cache, 2));
        cache.keep(4, frame(4, SHELF_BYTES / 4));
        cache.keep(5, frame(5, SHELF_BYTES / 4));
        assert_eq!(
            [0, 1, 2, 3, 4, 5].map(|id| holds(&cache, id)),
            [true, false, true, false, true, true]
        );
    }

    #[test]
    fn a_frame_that_comes_twice_is_kept_once() {
        let cache = FrameCache::new(1);
        cache.keep(3, frame(3, 4096));
        cache.keep(3, frame(3, 4096));
        assert_eq!(cache.bytes(), 4096);
    }
}
