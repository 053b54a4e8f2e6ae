//! The arrays of a batch, and the addresses in them that a lane writes to.

use super::actions::ACTIONS;
use super::encoding::BYTES;
use super::lane::{Lane, Played};
use crate::array::Buffer;
use anqi_rules::Rules;
use pyo3::prelude::*;
use std::sync::Arc;

/// The arrays of all lanes.
pub struct Arrays {
    pub observation: Arc<Buffer>,
    pub mask: Arc<Buffer>,
    pub reward: Arc<Buffer>,
    pub terminated: Arc<Buffer>,
    pub length: Arc<Buffer>,
    pub reason: Arc<Buffer>,
    pub revealed: Arc<Buffer>,
    pub actions: Arc<Buffer>,
    pub reveals: Arc<Buffer>,
}

/// The addresses that one lane writes to.
#[derive(Clone, Copy)]
pub struct Slots {
    observation: *mut u8,
    mask: *mut u8,
    reward: *mut f32,
    terminated: *mut u8,
    length: *mut u32,
    reason: *mut u8,
    revealed: *mut i8,
}

// SAFETY: the addresses of different lanes are apart, and each lane is stepped by one thread.
unsafe impl Send for Slots {}
// SAFETY: as above.
unsafe impl Sync for Slots {}

impl Slots {
    /// Returns the addresses of a lane, given those of the first.
    pub fn of_lane(self, lane: usize) -> Slots {
        // SAFETY: every array has an entry for every lane.
        unsafe {
            Slots {
                observation: self.observation.add(lane * BYTES),
                mask: self.mask.add(lane * ACTIONS),
                reward: self.reward.add(lane),
                terminated: self.terminated.add(lane),
                length: self.length.add(lane),
                reason: self.reason.add(lane),
                revealed: self.revealed.add(lane),
            }
        }
    }

    /// Writes observation and mask of a lane.
    pub fn show(self, lane: &Lane, rules: &Rules) {
        // SAFETY: the arrays have so many bytes for each lane, and only this thread writes them.
        let (observation, mask) = unsafe {
            (
                &mut *self.observation.cast::<[u8; BYTES]>(),
                &mut *self.mask.cast::<[u8; ACTIONS]>(),
            )
        };
        lane.write(rules, observation, mask);
    }

    /// Writes what a ply has led to; `plies` is the length of a game that has ended.
    pub fn tell(self, played: Option<&Played>, plies: u32) {
        let revealed = played.and_then(|played| played.revealed);
        // SAFETY: as in `show`.
        unsafe {
            *self.reward = played.map_or(0.0, Played::reward);
            *self.terminated = u8::from(played.is_some_and(|played| played.outcome.is_some()));
            *self.length = plies;
            *self.reason = played.map_or(0, Played::reason);
            *self.revealed = revealed.map_or(-1, |piece| piece.index() as i8);
        }
    }
}

impl Arrays {
    /// Returns zeroed arrays for so many lanes.
    pub fn new(lanes: usize) -> PyResult<Arrays> {
        Ok(Arrays {
            observation: Buffer::new(lanes * BYTES)?,
            mask: Buffer::new(lanes * ACTIONS)?,
            reward: Buffer::new(lanes * 4)?,
            terminated: Buffer::new(lanes)?,
            length: Buffer::new(lanes * 4)?,
            reason: Buffer::new(lanes)?,
            revealed: Buffer::new(lanes)?,
            actions: Buffer::new(lanes * 8)?,
            reveals: Buffer::new(lanes)?,
        })
    }

    /// Returns the addresses of the first lane.
    pub fn slots(&self) -> Slots {
        Slots {
            observation: self.observation.pointer(),
            mask: self.mask.pointer(),
            reward: self.reward.pointer().cast(),
            terminated: self.terminated.pointer(),
            length: self.length.pointer().cast(),
            reason: self.reason.pointer(),
            revealed: self.revealed.pointer().cast(),
        }
    }

    /// The mask of a lane, as it was written.
    pub fn mask_of(&self, lane: usize) -> &[u8; ACTIONS] {
        // SAFETY: the array has so many bytes for each lane.
        unsafe { &*self.mask.pointer().add(lane * ACTIONS).cast() }
    }

    /// The number in a lane's action, read once so that it cannot change under the checks.
    pub fn action_of(&self, lane: usize) -> i64 {
        // SAFETY: the array has a number for every lane.
        unsafe { self.actions.pointer().cast::<i64>().add(lane).read() }
    }

    /// Writes a lane's action.
    pub fn set_action(&self, lane: usize, action: i64) {
        // SAFETY: the array has a number for every lane.
        unsafe { self.actions.pointer().cast::<i64>().add(lane).write(action) }
    }

    /// The piece that a lane's flip shall reveal, by its index; negative for any.
    pub fn reveal_of(&self, lane: usize) -> i8 {
        // SAFETY: the array has a number for every lane.
        unsafe { self.reveals.pointer().cast::<i8>().add(lane).read() }
    }
}
