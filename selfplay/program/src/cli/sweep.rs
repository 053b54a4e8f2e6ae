//! `selfplay sweep`: a match for every value of one or two parameters.

use std::path::PathBuf;
use std::process::ExitCode;

use anqi_lab::tuning::sweep::{self, Setting};
use anqi_lab::tuning::sweep_report::{SettingResult, SweepReport};
use anqi_match::engines::participant::Participant;
use anqi_match::interrupt::Interrupt;
use anqi_match::match_play::MatchPlan;
use anqi_match::pairing::Shard;
use anqi_match::progress::Caption;
use anqi_match::report::run::Run;
use anqi_match::sequential::Analysis;
use anqi_match::side::{BySide, Side};
use anqi_match::summary::Summary;

use super::arguments::Conditions;
use super::output::{JsonOutput, OpenFile, both};
use super::prepared::Prepared;
use super::tuning_arguments::SweepArguments;
use super::{play, seed, signals};

/// Plays a match for every setting and prints the scores.
pub fn run(arguments: &SweepArguments) -> anyhow::Result<ExitCode> {
    let settings = sweep::settings(&arguments.player, &arguments.parameter)?;
    let prepared = Prepared::read(&arguments.conditions)?;
    let json = JsonOutput::open(arguments.json.as_deref())?;
    let open = |option: &str, path: &Option<PathBuf>| {
        let path = path.as_deref();
        path.map(|path| OpenFile::create(option, path)).transpose()
    };
    let (html, svg) = (
        open("--html", &arguments.html)?,
        open("--svg", &arguments.svg)?,
    );
    let interrupt = Interrupt::new();
    let against = arguments.against.as_deref().unwrap_or(&arguments.player);
    let opponent = play::participant(Side::B, against, &interrupt)?;
    let seed = seed::choose(
        arguments.conditions.seed,
        &[&opponent],
        arguments.conditions.out.as_deref(),
        Shard::WHOLE,
    )?;
    signals::install(&interrupt)?;
    let mut report = SweepReport::new(
        &arguments.player,
        &arguments.parameter,
        against,
        conditions(arguments, seed),
    );
    for (index, setting) in settings.iter().enumerate() {
        let mut plan = plan(arguments, &prepared, seed, setting, &opponent, &interrupt)?;
        plan.caption.prefix = format!("setting {}/{}: ", index + 1, settings.len());
        plan.caption.later_pairs = plan.pairs * (settings.len() - index - 1) as u64;
        if index == 0 {
            play::warn_about_limits(&plan.setup);
            play::warn_about_rules(&opponent, plan.setup.rules);
        }
        let meta = play::meta(&arguments.conditions, &plan);
        let folder = arguments.conditions.out.as_deref();
        let folder = folder.map(|out| out.join(setting.folder(&arguments.parameter)));
        let played = play::play_into(folder.as_deref(), &meta, &plan, &interrupt)?;
        if !played.complete {
            return Ok(play::conclude(&played, folder.as_deref()));
        }
        let summary = Summary::new(&played.records, &plan.analysis);
        report.rows.push(SettingResult::new(setting, &summary));
    }
    let mut result = json.publish(&report.text(), || report.json());
    if let Some(html) = html {
        let run = Run::now(signals::command_line());
        result = both(result, html.publish(&report.html(&run)));
    }
    if let Some(svg) = svg {
        result = both(result, svg.publish(&report.svg()));
    }
    result?;
    Ok(ExitCode::SUCCESS)
}

fn plan(
    arguments: &SweepArguments,
    prepared: &Prepared,
    seed: u64,
    setting: &Setting,
    opponent: &Participant,
    interrupt: &Interrupt,
) -> anyhow::Result<MatchPlan> {
    let limits = arguments.limits.or_default();
    let players = BySide {
        a: play::participant(Side::A, &setting.spec, interrupt)?,
        b: opponent.clone(),
    };
    let limits = BySide::from_fn(|_| limits);
    let mut setup = play::setup(&arguments.conditions, prepared, seed, players, limits);
    setup.appraiser = arguments.luck.appraiser(None);
    Ok(MatchPlan {
        caption: Caption {
            label: play::label(&setting.values.join(" "), opponent.given()),
            ..Caption::default()
        },
        setup,
        pairs: arguments.conditions.games / 2,
        shard: Shard::WHOLE,
        jobs: arguments.conditions.jobs(),
        analysis: Analysis {
            sprt: None,
            coefficient: arguments.luck.coefficient(),
        },
    })
}

/// Says how each match is played.
fn conditions(arguments: &SweepArguments, seed: u64) -> String {
    let Conditions {
        games, rules, deal, ..
    } = &arguments.conditions;
    format!(
        "{games} games each, {}, rules {}, {deal} deals, seed {seed}",
        arguments.limits.or_default(),
        rules.name
    )
}
