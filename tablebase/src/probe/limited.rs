//! Values under a limit of quiet plies, and the limit itself.

use std::num::NonZeroU32;

use anqi_rules::{Position, Precedence, Rules};

use super::TableValue;
use super::in_memory::{Hit, MemoryUnits, value_of_end};
use crate::solve::{Goal, Wdl};

/// The plies after which rules draw.
pub(super) fn limit(rules: &Rules) -> Option<u32> {
    rules.quiet_limit.map(NonZeroU32::get)
}

/// Whether the ply that reaches the limit draws although it wins on the board.
pub(super) fn draws_first(rules: &Rules) -> bool {
    rules.precedence == Precedence::Draws && rules.quiet_limit.is_some()
}

/// The goal of the units for a limit one ply less, if draws come first.
pub(super) fn sooner(rules: &Rules) -> Option<Goal> {
    let limit = limit(rules).filter(|_| draws_first(rules))?;
    (limit > 1).then_some(Goal::Limited(limit - 1))
}

/// Finds a position in memory; a side without pieces has lost, however many the other has.
#[inline]
pub(super) fn find<'a>(memory: &'a MemoryUnits, position: &Position) -> Option<Hit<'a>> {
    let found = memory.find(position);
    found.or_else(|| position.annihilated().map(Hit::Over))
}

/// The value of a position from units that are solved for a limit.
pub(super) fn value_in(
    memory: &MemoryUnits,
    position: &Position,
    limit: Option<u32>,
) -> Option<TableValue> {
    let entry = match find(memory, position)? {
        Hit::Over(loser) => {
            return Some(TableValue {
                wdl: value_of_end(position, loser),
                dtc: Some(0),
            });
        }
        Hit::Entry(entry) => entry,
    };
    let distance = entry.dtc();
    let wdl = match entry.wdl() {
        Wdl::Draw => Wdl::Draw,
        decided => within(limit, position, decided, distance.into()),
    };
    let dtc = (wdl != Wdl::Draw).then_some(distance);
    Some(TableValue { wdl, dtc })
}

/// The value under a limit of a position that is decided in this many plies.
pub(super) fn within(limit: Option<u32>, position: &Position, wdl: Wdl, distance: u32) -> Wdl {
    match limit {
        // A game that is over does not become a draw.
        Some(limit) if distance > 0 && position.quiet_counter() + distance > limit => Wdl::Draw,
        _ => wdl,
    }
}
