//! The values of one unit with some pieces face down, as its file has them.

use super::numbering::HiddenIndex;
use super::phase::Units;

/// The values of one unit with some pieces face down.
#[derive(Debug)]
pub struct UnitValues {
    /// The numbering.
    pub index: HiddenIndex,
    /// The value of each position, in units of 1/h!.
    pub values: Vec<Units>,
    /// The longest wait from each phase on.
    pub waits: Vec<u16>,
}
