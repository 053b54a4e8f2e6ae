//! `lab sampling`: the speed of drawing subsets with unequal probabilities.

use std::io::{self, Write};

use anqi_lab::sampling_speed::{Cell, Shape, measure};

/// Runs of each cell of the table, of which the quickest counts.
const RUNS: u32 = 3;
/// Elements that the runs of a cell test at least, so that short times are measured too.
const TESTED: usize = 1_000_000;

/// Options of `lab sampling`.
#[derive(clap::Args)]
pub struct Options {
    /// Numbers of elements
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000, 1_000_000])]
    elements: Vec<usize>,
    /// Mean probabilities, at most 0.19
    #[arg(long, value_name = "P", value_delimiter = ',', default_values_t = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1])]
    means: Vec<f64>,
    /// Samples of each draw
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    samples: u32,
}

/// Prints a table for each shape of the probabilities.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    for (shape, name) in [
        (Shape::Even, "spread evenly from 0 to twice the mean"),
        (
            Shape::Skewed,
            "ten times as much for a tenth of the elements",
        ),
    ] {
        writeln!(
            out,
            "time of testing all over time of the sampler, {} samples, preparation included; probabilities {name}",
            options.samples
        )?;
        let mut cells = Vec::new();
        heading(options, &mut out)?;
        for &elements in &options.elements {
            let tested = elements * options.samples as usize;
            let runs = RUNS.max((TESTED / tested.max(1)) as u32);
            write!(out, "{elements:>9}")?;
            let mut row = Vec::new();
            for &mean in &options.means {
                let cell = measure(shape, elements, mean, (options.samples, runs))?;
                write!(out, " {:>14.2}", cell.ratio())?;
                row.push(cell);
            }
            writeln!(out)?;
            out.flush()?;
            cells.push(row);
        }
        writeln!(
            out,
            "\nrelative error of the mean size ± one standard error, in per cent"
        )?;
        heading(options, &mut out)?;
        for (elements, row) in options.elements.iter().zip(&cells) {
            write!(out, "{elements:>9}")?;
            for Cell { error, spread, .. } in row {
                let text = format!("{:+.2} ± {:.2}", 100.0 * error, 100.0 * spread);
                write!(out, " {text:>14}")?;
            }
            writeln!(out)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn heading(options: &Options, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{:>9}", "elements")?;
    for mean in &options.means {
        write!(out, " {mean:>14e}")?;
    }
    writeln!(out)
}
