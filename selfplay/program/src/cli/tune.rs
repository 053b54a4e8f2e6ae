//! `selfplay tune`: finds better parameters of a player.

use std::path::Path;
use std::process::ExitCode;

use anqi_lab::tuning::games::TuningGames;
use anqi_lab::tuning::journal;
use anqi_lab::tuning::plan::Plan;
use anqi_lab::tuning::report::TuningReport;
use anqi_lab::tuning::run::{self, TuningProgress};
use anqi_lab::tuning::template;
use anqi_lab::tuning::verdict::{self, Reference, TestResult, TestSetup};
use anqi_match::interrupt::Interrupt;
use anqi_match::report::run::Run;
use anyhow::{Context, bail};

use super::output::{self, JsonOutput};
use super::signals;
use super::tuning_arguments::TuneArguments;

/// Writes a plan, or carries one out.
pub fn run(arguments: &TuneArguments) -> anyhow::Result<ExitCode> {
    match (&arguments.init, &arguments.plan, &arguments.out) {
        (Some(player), plan, _) => init(player, &arguments.parameter, plan.as_deref()),
        (None, Some(plan), Some(out)) => tune(plan, out, arguments),
        // The command line requires both.
        (None, ..) => bail!("a plan and --out DIR are needed"),
    }
}

fn init(player: &str, parameters: &[String], path: Option<&Path>) -> anyhow::Result<ExitCode> {
    let text = template::write(player, parameters)?;
    match path {
        None => output::print(&text)?,
        Some(path) if path.exists() => {
            bail!("{}: exists already (choose another name)", path.display())
        }
        Some(path) => {
            let written = anqi_files::replace(path, text);
            written.with_context(|| path.display().to_string())?;
            let name = path.display();
            eprintln!("{name} is written; to tune:\n  selfplay tune {name} --out DIR");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn tune(plan: &Path, out: &Path, arguments: &TuneArguments) -> anyhow::Result<ExitCode> {
    let plan = Plan::read(plan)?;
    let json = JsonOutput::open(arguments.json.as_deref())?;
    let jobs = super::arguments::jobs_or_cores(arguments.jobs);
    let interrupt = Interrupt::new();
    let defaults = plan.defaults()?;
    let spsa = plan.spsa(&defaults);
    let games = TuningGames::new(&plan, jobs, &interrupt).context("opponent")?;
    let player = games.player_name()?;
    signals::install(&interrupt)?;
    let (mut journal, mut iterations) = journal::open(out, &plan, &player, &spsa)?;
    let progress = run::play_missing(&plan, &spsa, &games, &mut journal, &mut iterations)?;
    let mut report = TuningReport {
        plan: &plan,
        defaults: &defaults,
        spsa: &spsa,
        iterations: &iterations,
        verdicts: &[],
    };
    if progress == TuningProgress::Interrupted {
        publish(&report, out)?;
        return Ok(interrupted());
    }
    let setup = TestSetup {
        folder: out,
        jobs,
        interrupt: &interrupt,
    };
    let Some(verdicts) = verdicts(&report, &setup)? else {
        publish(&report, out)?;
        return Ok(interrupted());
    };
    report.verdicts = &verdicts;
    json.publish(&report.text(), || report.json())?;
    publish(&report, out)?;
    Ok(ExitCode::SUCCESS)
}

/// Tests the tuned player against the default, and against the start if that is another one.
fn verdicts(
    report: &TuningReport<'_>,
    setup: &TestSetup<'_>,
) -> anyhow::Result<Option<Vec<TestResult>>> {
    let start = report.spsa.settled(&report.spsa.start());
    let tuned = report.tuned();
    let mut verdicts = Vec::new();
    for reference in Reference::ALL {
        let other = match reference {
            Reference::Default => report.defaults,
            Reference::Start if start == report.defaults => continue,
            Reference::Start => &start,
        };
        let (progress, verdict) =
            verdict::test_against(report.plan, reference, &tuned, other, setup)?;
        if progress == TuningProgress::Interrupted {
            return Ok(None);
        }
        verdicts.extend(verdict);
    }
    Ok(Some(verdicts))
}

/// Writes the settings and the page into the folder of the run.
fn publish(report: &TuningReport<'_>, out: &Path) -> anyhow::Result<()> {
    let run = Run::now(signals::command_line());
    let files = [
        ("tuned.options", report.options()),
        ("report.html", report.html(&run)),
    ];
    for (name, content) in files {
        let path = out.join(name);
        let written = anqi_files::replace(&path, content);
        written.with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn interrupted() -> ExitCode {
    let command = signals::command_line();
    eprintln!("interrupted; finished iterations are kept; to resume:\n  {command}");
    ExitCode::from(signals::INTERRUPTED)
}
