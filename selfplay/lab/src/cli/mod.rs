//! The commands of `lab`.

pub mod ablation;
pub mod branching;
pub mod budget;
pub mod chart;
pub mod conflicts;
pub mod counting;
pub mod duel;
pub mod endings;
pub mod errors;
pub mod findings;
pub mod growth;
pub mod induction;
pub mod lattice;
pub mod regret;
pub mod replay;
pub mod sampling;
pub mod savings;
pub mod sums;
pub mod ways;

use std::path::Path;

use anqi_rules::Rules;
use anyhow::Context;

/// Writes the picture of `--picture`, if it is asked for.
fn draw(place: Option<&Path>, svg: impl FnOnce() -> String) -> anyhow::Result<()> {
    place.map_or(Ok(()), |place| {
        anqi_files::replace(place, svg().as_bytes())
            .with_context(|| format!("--picture {}", place.display()))
    })
}

/// Reads the name of a rule set.
fn rules(name: &str) -> Result<Rules, String> {
    let known = || Rules::PRESETS.map(|(name, _)| name).join(", ");
    Rules::preset(name).ok_or_else(|| format!("expected {}", known()))
}
