//! `fuzz ENGINE [--seconds N] [--lines N] [--seed N]`: talks to an engine as no server would.
//!
//! Exits with 0 if the engine passes, 1 with the last lines if it fails, 2 if the arguments are wrong. The same seed
//! gives the same lines.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

use anqi_tests::fuzz::{Fuzzer, Process};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: fuzz ENGINE [--seconds N] [--lines N] [--seed N]";

/// Lines between two checks of the clock.
const BATCH: usize = 500;

/// The options of the command line.
struct Options {
    engine: PathBuf,
    seconds: u64,
    lines: usize,
    seed: u64,
}

fn main() -> ExitCode {
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(why) => {
            eprintln!("{why}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match fuzz(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("seed {}: {why}", options.seed);
            ExitCode::FAILURE
        }
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        engine: PathBuf::new(),
        seconds: u64::MAX,
        lines: usize::MAX,
        seed: 1,
    };
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let text = arguments.next().unwrap_or_default();
            text.parse::<u64>()
                .map_err(|_| format!("{argument} {text}: a whole number was expected"))
        };
        match argument.as_str() {
            "--seconds" => options.seconds = number()?,
            "--lines" => options.lines = number()? as usize,
            "--seed" => options.seed = number()?,
            _ if argument.starts_with('-') => return Err(format!("unknown option {argument}")),
            _ => options.engine = PathBuf::from(argument),
        }
    }
    if options.engine.as_os_str().is_empty() {
        return Err("no engine named".to_string());
    }
    if options.seconds == u64::MAX && options.lines == usize::MAX {
        options.lines = 100_000;
    }
    Ok(options)
}

fn fuzz(options: &Options) -> Result<(), String> {
    let begun = Instant::now();
    let end = begun.checked_add(Duration::from_secs(options.seconds.min(1 << 30)));
    let mut engine = Process::start(&options.engine)?;
    let mut fuzzer = Fuzzer::new(&mut engine, options.seed);
    fuzzer.prepare()?;
    let mut tally = fuzzer.run(0)?;
    while tally.lines < options.lines && end.is_none_or(|end| Instant::now() < end) {
        tally = fuzzer.run(BATCH.min(options.lines - tally.lines))?;
    }
    println!("seed {}: {tally}; {:.0?}", options.seed, begun.elapsed());
    Ok(())
}
