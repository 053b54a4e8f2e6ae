//! Options that several subcommands share, and how they are read.

use std::path::{Path, PathBuf};

use anqi_rules::Rules;
use anqi_tablebase::classes::Units;
use anqi_tablebase::file::{Metric, place};
use anqi_tablebase::probe::Tables;
use anyhow::Context;
use clap::Args;

/// The most pieces whose units are solved in memory.
const MOST_SOLVED: usize = 4;

/// Where tables are, and which rules values are for.
#[derive(Args)]
pub struct TableOptions {
    /// Directory of table files; positions of up to four pieces need none
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// When a game without captures is drawn: olympiad (180 plies), platform (60), paper (40),
    /// openspiel (50), mistboard (40), course (30), or none
    #[arg(long, default_value = "none", value_parser = rules)]
    pub rules: Rules,
}

impl TableOptions {
    /// Opens the tables.
    pub fn open(&self) -> anyhow::Result<Tables> {
        match &self.dir {
            Some(dir) => Tables::open(dir, self.solved_pieces(dir), self.rules)
                .with_context(|| format!("--dir {}", dir.display())),
            None => Ok(Tables::solved(MOST_SOLVED, self.rules)?),
        }
    }

    /// Returns the number of pieces up to which units are solved in memory beside a folder.
    ///
    /// Four pieces take longer than all else that one probe does, so a folder that has them serves
    /// unlimited play. Under a quiet limit units in memory know more than files.
    fn solved_pieces(&self, dir: &Path) -> usize {
        let has_all = |metric| {
            let units = Units::of(MOST_SOLVED).list();
            units.iter().all(|unit| place(dir, unit, metric).exists())
        };
        let unlimited = self.rules.quiet_limit.is_none();
        if unlimited && [Metric::Wdl, Metric::Dtc].into_iter().all(has_all) {
            MOST_SOLVED - 1
        } else {
            MOST_SOLVED
        }
    }
}

/// Reads the name of a rule set.
pub fn rules(name: &str) -> Result<Rules, String> {
    if name == "none" {
        return Ok(Rules::UNLIMITED);
    }
    let known = || Rules::PRESETS.map(|(name, _)| name).join(", ");
    Rules::preset(name).ok_or_else(|| format!("expected {} or none", known()))
}

/// Reads the name of a metric.
pub fn metric(name: &str) -> Result<Metric, String> {
    Metric::from_name(name).ok_or_else(|| "expected wdl, dtc or dtw".into())
}

/// Half of this machine's memory, or 2 GiB if that is unknown.
pub fn usual_memory() -> u64 {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = info.lines().find_map(|line| {
        line.strip_prefix("MemTotal:")?
            .trim()
            .strip_suffix("kB")?
            .trim()
            .parse::<u64>()
            .ok()
    });
    total.map_or(2 << 30, |kib| kib * 1024 / 2)
}
