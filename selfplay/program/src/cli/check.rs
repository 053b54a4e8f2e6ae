//! `selfplay check`: does an engine keep to its protocol?

use std::process::ExitCode;
use std::time::Duration;

use anqi_match::check::dialect::{Dialect, Target};
use anqi_match::check::exam::Settings;
use anqi_match::check::list::{CHECKS, Check, Demand, find};
use anqi_match::check::report::{self, CheckReport};
use anyhow::anyhow;
use clap::Args;

use super::output;

/// The engine to check, and how.
#[derive(Args, Debug)]
pub struct CheckArguments {
    /// The engine: cmd:PROGRAM ARGS, uci:PROGRAM ARGS or line:PROGRAM ARGS.
    #[arg(value_name = "ENGINE", required_unless_present = "list")]
    engine: Option<String>,
    /// Lists the checks instead of running them.
    #[arg(long)]
    list: bool,
    /// Runs only these checks.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Runs only the checks that engines must pass, not those they should.
    #[arg(long)]
    must: bool,
    /// Prints a JSON object instead of a line for each check.
    #[arg(long)]
    json: bool,
    /// The seed of the games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Milliseconds by which an answer may be late.
    #[arg(long, value_name = "MS", default_value_t = 250, value_parser = clap::value_parser!(u64).range(..=60_000))]
    margin: u64,
    /// MiB of memory that the engine may take.
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    memory: u64,
    /// Seconds after which a check gives up and the engine is killed.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    check_limit: u64,
}

impl CheckArguments {
    fn settings(&self) -> Settings {
        Settings {
            seed: self.seed,
            margin: Duration::from_millis(self.margin),
            memory_bytes: self.memory << 20,
            longest_check: Duration::from_secs(self.check_limit),
            ..Settings::default()
        }
    }

    /// Returns the checks that were asked for, in the order of the list.
    fn checks(&self) -> anyhow::Result<Vec<&'static Check>> {
        for name in &self.only {
            let unknown = || anyhow!("--only {name}: no such check (--list names them)");
            find(name).ok_or_else(unknown)?;
        }
        let chosen = |check: &&Check| {
            self.only.is_empty() || self.only.iter().any(|name| name == check.name)
        };
        Ok(CHECKS.iter().filter(chosen).collect())
    }

    fn wants(&self, check: &Check, dialect: Dialect) -> bool {
        !self.must || check.demand(dialect) != Demand::Should
    }
}

/// Makes the checks and prints a line for each; fails if one fails.
pub fn run(arguments: &CheckArguments) -> anyhow::Result<ExitCode> {
    let checks = arguments.checks()?;
    let engine = match &arguments.engine {
        Some(engine) if !arguments.list => engine,
        _ => return list(arguments.json),
    };
    let target: Target = engine.parse()?;
    let settings = arguments.settings();
    let mut findings = Vec::new();
    for check in checks {
        if !arguments.wants(check, target.dialect) {
            continue;
        }
        let finding = report::run(check, &target, &settings);
        if !arguments.json {
            output::print(&format!("{}\n", finding.line()))?;
        }
        findings.push(finding);
    }
    let report = CheckReport::new(engine, &target, settings.seed, findings);
    if arguments.json {
        output::print(&(serde_json::to_string_pretty(&report)? + "\n"))?;
    }
    Ok(match report.failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// Prints the names of the checks.
fn list(json: bool) -> anyhow::Result<ExitCode> {
    let listing = report::listing();
    let text = if json {
        serde_json::to_string_pretty(&listing)? + "\n"
    } else {
        let width = listing
            .iter()
            .map(|check| check.name.len())
            .max()
            .unwrap_or(0);
        let line = |check: &report::Listed| format!("{:width$}  {}\n", check.name, check.sentence);
        listing.iter().map(line).collect()
    };
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
