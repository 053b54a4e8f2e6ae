//! The sums over all materials that several commands start from.

use std::path::PathBuf;

use anqi_lab::materials::sums::{self, Sums};
use anqi_tablebase::counts::KeptCounts;
use anqi_tablebase::solve::parse_bytes;
use anyhow::Context;
use clap::Args;

/// The memory of the cache of solved units unless the command line says otherwise, in bytes.
const MEMORY: u64 = 4 << 30;

/// Which materials, and where their counts are kept.
///
/// All units are solved in memory, unless a record already has their counts.
#[derive(Args, Debug)]
pub struct Counting {
    /// Up to this many pieces; five take half a minute of processor time, six an hour
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=6))]
    pieces: u8,
    /// Keep the counts of each unit in this file, and count only what it lacks: a run that was
    /// stopped resumes
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Most memory for the cache of solved units, such as 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
}

impl Counting {
    /// Sums up the materials of each number of pieces.
    pub fn sums(&self) -> anyhow::Result<Vec<Sums>> {
        let counts = KeptCounts::open(self.record.as_deref()).context("--record")?;
        let memory = self.memory.unwrap_or(MEMORY);
        Ok(sums::up_to(self.pieces.into(), &counts, memory)?)
    }
}
