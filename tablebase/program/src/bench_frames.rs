//! The part of `tablebase bench` that asks what frames of other sizes and levels would cost.

use std::path::Path;
use std::time::Instant;

use anqi_tablebase::file::{Decoded, LEVEL, Metric, TableFile};

/// One frame of a file in this many is cut up.
const STEP: usize = 61;
/// Bytes that the directory takes for a frame.
const ENTRY: usize = 8;
/// zstd levels to try.
const LEVELS: [i32; 6] = [3, 6, 9, 12, 16, 19];

/// What frames of one size take.
#[derive(Default)]
struct Cost {
    bytes: usize,
    /// Seconds to compress all.
    compressing: f64,
    /// Seconds to decompress each.
    times: Vec<f64>,
}

/// Cuts sampled frames of a folder's files into smaller ones and measures both sizes and times.
pub fn run(dir: &Path) -> anyhow::Result<()> {
    for metric in [Metric::Wdl, Metric::Dtc] {
        let mut samples = Vec::new();
        let (mut values, mut frame) = (0, 0);
        for entry in std::fs::read_dir(dir)? {
            let path = entry?.path();
            if path.extension().is_some_and(|ext| ext == metric.name()) {
                let table = TableFile::open(&path)?;
                values += sample(&table, &mut samples)?;
                frame = frame.max(table.header.frame);
            }
        }
        for parts in [1, 2, 4, 8, 16, 32] {
            let mut cost = Cost::default();
            for raw in &samples {
                cost.add(raw, raw.len().div_ceil(parts), LEVEL)?;
            }
            println!(
                "{} in frames of {}: {:.3} bits a position, {:.2} µs to decompress one",
                metric.name(),
                frame / parts,
                cost.bytes as f64 * 8.0 / values as f64,
                cost.median_seconds() * 1e6,
            );
        }
        for level in LEVELS {
            let mut cost = Cost::default();
            for raw in &samples {
                cost.add(raw, raw.len(), level)?;
            }
            println!(
                "{} at level {level}: {:.3} bits and {:.1} ns a position to compress, {:.2} µs to decompress a frame",
                metric.name(),
                cost.bytes as f64 * 8.0 / values as f64,
                cost.compressing * 1e9 / values as f64,
                cost.median_seconds() * 1e6,
            );
        }
    }
    Ok(())
}

/// Adds frames of one byte or less a value; returns how many values were looked at, those of
/// frames without bytes included.
fn sample(table: &TableFile, samples: &mut Vec<Box<[u8]>>) -> anyhow::Result<usize> {
    let mut values = 0;
    if table.header.width > 1 {
        return Ok(0);
    }
    for frame in (0..table.header.frames()).step_by(STEP) {
        values += table.header.frame_len(frame);
        if let Decoded::Raw(raw) = table.frame(frame)? {
            samples.push(raw);
        }
    }
    Ok(values)
}

impl Cost {
    /// The middle of the times, which other programs on the machine disturb least.
    fn median_seconds(&mut self) -> f64 {
        self.times.sort_unstable_by(f64::total_cmp);
        self.times.get(self.times.len() / 2).copied().unwrap_or(0.0)
    }

    fn add(&mut self, raw: &[u8], len: usize, level: i32) -> anyhow::Result<()> {
        let mut decompressor = zstd::bulk::Decompressor::new()?;
        for part in raw.chunks(len) {
            self.bytes += ENTRY;
            // Frames of one value take no bytes.
            if part.iter().all(|&byte| byte == part[0]) {
                continue;
            }
            let start = Instant::now();
            let packed = zstd::bulk::compress(part, level)?;
            self.compressing += start.elapsed().as_secs_f64();
            self.bytes += packed.len();
            let mut out = vec![0; part.len()];
            decompressor.decompress_to_buffer(&packed, &mut out[..])?;
            let start = Instant::now();
            decompressor.decompress_to_buffer(&packed, &mut out[..])?;
            self.times.push(start.elapsed().as_secs_f64());
        }
        Ok(())
    }
}
