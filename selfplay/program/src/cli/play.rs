//! `selfplay`: plays one match and reports on it.

use std::process::ExitCode;

use anqi_match::engines::participant::Participant;
use anqi_match::interrupt::Interrupt;
use anqi_match::limits::Limits;
use anqi_match::match_play::{self, MatchPlan, PlayedMatch};
use anqi_match::pairing::Shard;
use anqi_match::progress::Caption;
use anqi_match::report::Report;
use anqi_match::report::run::Run;
use anqi_match::report::text::shortened;
use anqi_match::runner::MatchSetup;
use anqi_match::sequential::Analysis;
use anqi_match::side::{BySide, Side};
use anqi_match::store::{Identity, Meta, Store, StoreError};
use anqi_rules::Rules;
use anyhow::{Context, bail};
use std::path::Path;

use super::arguments::{Conditions, OutputArguments, PlayArguments};
use super::output::{self, Outputs};
use super::prepared::Prepared;
use super::{seed, signals};

/// Plays the missing pairs of a match and reports on all.
pub fn run(arguments: &PlayArguments) -> anyhow::Result<ExitCode> {
    let outputs = Outputs::open(&arguments.output)?;
    if arguments.conditions.openings.is_some() {
        refuse_records_of_openings(&arguments.output)?;
    }
    let rules = arguments.conditions.rules.rules;
    let interrupt = Interrupt::new();
    let given = arguments.players();
    let players = BySide {
        a: participant(Side::A, given.a, &interrupt)?,
        b: participant(Side::B, given.b, &interrupt)?,
    };
    let prepared = Prepared::read(&arguments.conditions)?;
    for side in Side::ALL {
        warn_about_rules(&players[side], rules);
        let tried = prepared.try_player(&players[side], rules, &interrupt);
        tried.with_context(|| format!("player {side}"))?;
    }
    let shard = arguments.shard.unwrap_or(Shard::WHOLE);
    let seed = seed::choose(
        arguments.conditions.seed,
        &[&players.a, &players.b],
        arguments.conditions.out.as_deref(),
        shard,
    )?;
    let limits = arguments.limits();
    let mut setup = setup(&arguments.conditions, &prepared, seed, players, limits);
    setup.appraiser = arguments.luck.appraiser(arguments.sprt.as_ref());
    let plan = MatchPlan {
        caption: Caption {
            label: label(given.a, given.b),
            ..Caption::default()
        },
        setup,
        pairs: arguments.conditions.games / 2,
        shard,
        jobs: arguments.conditions.jobs(),
        analysis: Analysis {
            sprt: arguments.sprt,
            coefficient: arguments.luck.coefficient(),
        },
    };
    warn_about_limits(&plan.setup);
    signals::install(&interrupt)?;
    let meta = meta(&arguments.conditions, &plan);
    let folder = arguments.conditions.out.as_deref();
    let standing = play_into(folder, &meta, &plan, &interrupt)?;
    let report = Report::new(&meta.identity, &standing.records, &plan.analysis)
        .by(Run::now(signals::command_line()));
    let counted = &standing.records[..report.pairs()];
    outputs.publish(&report, counted.iter().map(Ok))?;
    Ok(conclude(&standing, folder))
}

/// Returns the name of a match in the live line: short enough to leave room for the rest.
pub fn label(a: &str, b: &str) -> String {
    format!("{} – {}", shortened(a, 18), shortened(b, 18))
}

/// Says how to resume an incomplete match.
pub fn conclude(standing: &PlayedMatch, folder: Option<&Path>) -> ExitCode {
    if standing.complete {
        return ExitCode::SUCCESS;
    }
    match folder {
        Some(_) => eprintln!("interrupted; to resume:\n  {}", signals::command_line()),
        None => eprintln!("interrupted; with --out DIR a match can be resumed"),
    }
    ExitCode::from(signals::INTERRUPTED)
}

/// Resolves the text of a side.
pub fn participant(side: Side, text: &str, interrupt: &Interrupt) -> anyhow::Result<Participant> {
    Participant::new(text, interrupt).with_context(|| format!("player {side}"))
}

/// The platform's records always begin at the usual start.
fn refuse_records_of_openings(output: &OutputArguments) -> anyhow::Result<()> {
    if output.record.is_some() {
        bail!("--record: the platform's records cannot say that a game begins at an opening");
    }
    Ok(())
}

/// Assembles everything that decides how the games go.
pub fn setup(
    conditions: &Conditions,
    prepared: &Prepared,
    seed: u64,
    players: BySide<Participant>,
    limits: BySide<Limits>,
) -> MatchSetup {
    MatchSetup {
        players,
        limits,
        rules: conditions.rules.rules,
        openings: prepared.openings.clone(),
        deal: conditions.deal,
        seed,
        tolerance: conditions.tolerance(),
        adjudication: conditions.adjudication(prepared.adjudicator.as_ref()),
        adjudicator: prepared.adjudicator.clone(),
        lifetime: conditions.lifetime(),
        appraiser: None,
    }
}

/// Warns if a player cannot be held to its limits.
pub fn warn_about_limits(setup: &MatchSetup) {
    for side in Side::ALL {
        if let Some(warning) = setup.players[side].limit_warning(&setup.limits[side]) {
            eprintln!("warning: {side} {}: {warning}", setup.players[side].given());
        }
    }
}

/// Warns if a player cannot be told the rules.
pub fn warn_about_rules(player: &Participant, rules: Rules) {
    if let Some(warning) = player.rules_warning(rules) {
        eprintln!("warning: {}: {warning}", player.given());
    }
}

/// Returns the description of a match for its folder.
pub fn meta(conditions: &Conditions, plan: &MatchPlan) -> Meta {
    let players = &plan.setup.players;
    Meta {
        identity: Identity {
            program: concat!("selfplay ", env!("CARGO_PKG_VERSION")).to_owned(),
            players: BySide::from_fn(|side| players[side].given().to_owned()),
            names: BySide::from_fn(|side| players[side].name().to_owned()),
            limits: plan.setup.limits,
            rules: conditions.rules.name.clone(),
            openings: plan.setup.openings.clone(),
            deal: conditions.deal,
            seed: plan.setup.seed,
            adjudication: plan.setup.adjudication,
        },
        games: conditions.games,
        sprt: plan.analysis.sprt,
    }
}

/// Plays a match, into a folder if there is one.
pub fn play_into(
    folder: Option<&Path>,
    meta: &Meta,
    plan: &MatchPlan,
    interrupt: &Interrupt,
) -> Result<PlayedMatch, StoreError> {
    let Some(folder) = folder else {
        return match_play::play(plan, Vec::new(), None, interrupt);
    };
    let (mut store, loaded) = Store::open(folder, meta, plan.shard)?;
    output::warn_about_torn_lines(&loaded);
    let played = match_play::play(plan, loaded.records, Some(&mut store), interrupt);
    if played.is_err() {
        eprintln!(
            "finished pairs are kept; to resume:\n  {}",
            signals::command_line()
        );
    }
    played
}
