//! `tablebase plan`: the layered graph of units for schedulers.

use std::io::Write;

use anqi_tablebase::classes::{Unit, Units};
use anqi_tablebase::numbering::{DenseIndex, usual_order};
use anqi_tablebase::solve::{Goal, need};
use clap::ValueEnum;
use serde_json::json;

/// Options of `tablebase plan`.
#[derive(clap::Args)]
pub struct Args {
    /// Up to this many pieces
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=8))]
    pieces: u8,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A JSON list with an object, on a line of its own, for each unit
    Json,
    /// A makefile; the variable DIR names the directory
    Make,
    /// Snakemake rules; the variable DIR names the directory
    Snakemake,
}

/// Prints the plan.
#[expect(clippy::too_many_lines, reason = "one table, printed column by column")]
pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let units: Vec<&'static Unit> = (2..=usize::from(args.pieces))
        .flat_map(|n| Units::of(n).list())
        .collect();
    match args.format {
        Format::Json => {
            for (index, unit) in units.into_iter().enumerate() {
                let sign = if index == 0 { '[' } else { ',' };
                writeln!(out, "{sign}{}", as_json(unit))?;
            }
            writeln!(out, "]")?;
        }
        Format::Make => {
            writeln!(out, "DIR ?= tables\nTABLEBASE ?= tablebase\n")?;
            let all: Vec<String> = units
                .iter()
                .map(|unit| format!("$(DIR)/{unit}.dtc"))
                .collect();
            writeln!(out, ".PHONY: all\nall: {}\n", all.join(" "))?;
            for unit in units {
                let needs: Vec<String> = unit
                    .children()
                    .iter()
                    .map(|child| format!("$(DIR)/{child}.dtc"))
                    .collect();
                writeln!(out, "$(DIR)/{unit}.dtc: {}", needs.join(" "))?;
                writeln!(out, "\t$(TABLEBASE) build --unit {unit} --dir $(DIR)\n")?;
            }
        }
        Format::Snakemake => {
            writeln!(out, "DIR = config.get(\"dir\", \"tables\")\n")?;
            let all: Vec<String> = units
                .iter()
                .map(|unit| format!("{{DIR}}/{unit}.dtc"))
                .collect();
            let list: Vec<String> = all.iter().map(|path| format!("f\"{path}\"")).collect();
            writeln!(out, "rule all:\n    input: {}\n", list.join(", "))?;
            for unit in units {
                let needs: Vec<String> = unit
                    .children()
                    .iter()
                    .map(|child| format!("f\"{{DIR}}/{child}.dtc\""))
                    .collect();
                writeln!(out, "rule {unit}:")?;
                if !needs.is_empty() {
                    writeln!(out, "    input: {}", needs.join(", "))?;
                }
                writeln!(
                    out,
                    "    output: f\"{{DIR}}/{unit}.wdl\", f\"{{DIR}}/{unit}.dtc\""
                )?;
                let memory = need(unit, Goal::Distances).in_memory >> 20;
                writeln!(out, "    resources: mem_mb={}", memory + 1)?;
                writeln!(
                    out,
                    "    shell: f\"tablebase build --unit {unit} --dir {{DIR}}\"\n"
                )?;
            }
        }
    }
    Ok(())
}

fn as_json(unit: &'static Unit) -> serde_json::Value {
    let positions = 2 * DenseIndex::new(unit, usual_order(unit)).len();
    let children: Vec<String> = unit.children().iter().map(ToString::to_string).collect();
    let need = need(unit, Goal::Distances);
    json!({
        "unit": unit.to_string(),
        "pieces": unit.pieces(),
        "positions": positions,
        "needs": children,
        "memory_bytes": need.in_memory,
        "streaming_memory_bytes": need.streaming,
        // From the five-piece tables as a whole, rounded up.
        "expected_wdl_bytes": positions / 40 + 4096,
        "expected_dtc_bytes": positions / 7 + 4096,
    })
}
