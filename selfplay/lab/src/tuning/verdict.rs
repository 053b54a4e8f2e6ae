//! The verdict on a tuning run: a sequential test on deals that were not tuned on.
//!
//! The tuned player meets the player as the plan gives it, and, if the run started
//! somewhere else, the player that it started from. Each match has a folder of its own
//! inside that of the run and resumes from it.

use std::path::Path;

use serde::Serialize;

use super::plan::Plan;
use super::run::{TuneError, TuningProgress};
use anqi_match::engines::participant::Participant;
use anqi_match::interrupt::Interrupt;
use anqi_match::match_play::{self, MatchPlan};
use anqi_match::pairing::Shard;
use anqi_match::progress::Caption;
use anqi_match::report::Report;
use anqi_match::report::text;
use anqi_match::runner::MatchSetup;
use anqi_match::seed;
use anqi_match::sequential::Analysis;
use anqi_match::side::BySide;
use anqi_match::statistics::sprt::{Decision, SprtState};
use anqi_match::store::{Identity, Meta, Store, StoreError};

/// The opponent of the tuned player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reference {
    /// The player as the plan gives it.
    Default,
    /// The player with which the run started.
    Start,
}

impl Reference {
    /// Both, in the order in which they are met.
    pub const ALL: [Reference; 2] = [Reference::Default, Reference::Start];

    /// Returns the word for reports.
    pub const fn words(self) -> &'static str {
        match self {
            Reference::Default => "the default",
            Reference::Start => "the start",
        }
    }

    const fn folder(self) -> &'static str {
        match self {
            Reference::Default => "test-default",
            Reference::Start => "test-start",
        }
    }
}

/// The result of a test.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TestResult {
    /// The opponent of the tuned player.
    pub reference: Reference,
    /// The tuned player and its opponent.
    pub players: BySide<String>,
    /// The finding.
    pub finding: TestFinding,
    /// Games that count.
    pub games: u64,
    /// The difference in Elo with its 95 % interval, as people read it.
    pub elo: String,
    /// The same with the luck taken out, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjusted_elo: Option<String>,
    /// The final state of the test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtState>,
}

/// What follows from a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestFinding {
    /// Both have the same settings: nothing to test.
    Same,
    /// The test accepted that the tuned player is better.
    Better,
    /// The test accepted that it is not.
    NotBetter,
    /// The games ended before the test did.
    Undecided,
}

impl TestResult {
    /// Returns it as a sentence.
    pub fn sentence(&self) -> String {
        let TestResult {
            reference,
            games,
            elo,
            ..
        } = self;
        let reference = reference.words();
        let games = text::count(*games);
        let elo = match &self.adjusted_elo {
            Some(adjusted) => format!("{elo} Elo, {adjusted} with the luck taken out"),
            None => format!("{elo} Elo"),
        };
        match self.finding {
            TestFinding::Same => {
                format!("The tuned settings are those of {reference}: nothing was gained.")
            }
            TestFinding::Better => {
                format!("The tuned player is better than {reference}: {elo} after {games} games.")
            }
            TestFinding::NotBetter => format!(
                "Nothing was gained over {reference}: the test rejects a gain after {games} games, {elo}."
            ),
            TestFinding::Undecided => format!(
                "It is not decided whether the tuned player is better than {reference}: {elo} after {games} games."
            ),
        }
    }
}

/// A finished or interrupted test.
pub type Tested = (TuningProgress, Option<TestResult>);

/// Plays the missing pairs of a test of one setting against another, if the plan has a test.
///
/// # Errors
///
/// Fails if a player cannot be made or the folder cannot be used.
pub fn test_against(
    plan: &Plan,
    reference: Reference,
    tuned: &[i64],
    other: &[i64],
    setup: &TestSetup<'_>,
) -> Result<Tested, VerdictError> {
    let texts = BySide {
        a: plan.spec(tuned),
        b: plan.spec(other),
    };
    if tuned == other {
        return Ok((TuningProgress::Complete, Some(same(reference, texts))));
    }
    if plan.test.games == 0 {
        return Ok((TuningProgress::Complete, None));
    }
    let find = |text: &str| Participant::new(text, setup.interrupt).map_err(TuneError::from);
    let players = BySide {
        a: find(&texts.a)?,
        b: find(&texts.b)?,
    };
    let match_plan = match_plan(plan, reference, players, setup.jobs);
    let meta = meta(plan, &match_plan);
    let folder = setup.folder.join(reference.folder());
    let (mut store, loaded) = Store::open(&folder, &meta, Shard::WHOLE)?;
    let played = match_play::play(
        &match_plan,
        loaded.records,
        Some(&mut store),
        setup.interrupt,
    )?;
    if !played.complete {
        return Ok((TuningProgress::Interrupted, None));
    }
    let report = Report::new(&meta.identity, &played.records, &match_plan.analysis);
    Ok((
        TuningProgress::Complete,
        Some(verdict(reference, texts, &report)),
    ))
}

/// Where and how a test is played.
#[derive(Clone, Copy, Debug)]
pub struct TestSetup<'a> {
    /// The folder of the run.
    pub folder: &'a Path,
    /// How many threads play.
    pub jobs: usize,
    /// What interrupts it.
    pub interrupt: &'a Interrupt,
}

/// Why a test cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum VerdictError {
    /// A player.
    #[error(transparent)]
    Tune(#[from] TuneError),
    /// The folder of the match.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn match_plan(
    plan: &Plan,
    reference: Reference,
    players: BySide<Participant>,
    jobs: usize,
) -> MatchPlan {
    let limits = plan.games.limits();
    let setup = MatchSetup {
        limits: BySide::from_fn(|_| limits),
        rules: plan.games.rules().unwrap_or_default(),
        deal: plan.games.deal,
        seed: seed::verdict_seed(plan.games.seed, reference as u64),
        appraiser: plan.objective.appraiser(),
        ..MatchSetup::new(players)
    };
    MatchPlan {
        jobs,
        analysis: Analysis {
            sprt: Some(plan.test.sprt(plan.objective.results)),
            coefficient: plan.objective.coefficient(),
        },
        caption: Caption {
            label: format!("tuned – {}", reference.words()),
            ..Caption::default()
        },
        ..MatchPlan::new(setup, plan.test.games / 2)
    }
}

fn meta(plan: &Plan, match_plan: &MatchPlan) -> Meta {
    let setup = &match_plan.setup;
    Meta {
        identity: Identity {
            program: concat!("selfplay ", env!("CARGO_PKG_VERSION")).to_owned(),
            players: BySide::from_fn(|side| setup.players[side].given().to_owned()),
            names: BySide::from_fn(|side| setup.players[side].name().to_owned()),
            limits: setup.limits,
            rules: plan.games.rules.clone(),
            deal: setup.deal,
            seed: setup.seed,
            openings: setup.openings.clone(),
            adjudication: setup.adjudication,
        },
        games: plan.test.games,
        sprt: match_plan.analysis.sprt,
    }
}

fn same(reference: Reference, players: BySide<String>) -> TestResult {
    TestResult {
        reference,
        players,
        finding: TestFinding::Same,
        games: 0,
        elo: text::UNKNOWN.to_owned(),
        adjusted_elo: None,
        sprt: None,
    }
}

fn verdict(reference: Reference, players: BySide<String>, report: &Report<'_>) -> TestResult {
    let summary = &report.summary;
    let adjusted = summary.without_luck.as_ref().and_then(|found| found.elo);
    TestResult {
        reference,
        players,
        finding: match summary.sprt.map(|state| state.decision) {
            Some(Decision::Elo1) => TestFinding::Better,
            Some(Decision::Elo0) => TestFinding::NotBetter,
            Some(Decision::Continue) | None => TestFinding::Undecided,
        },
        games: 2 * summary.pentanomial.pairs(),
        elo: text::elo(&summary.pentanomial, 1),
        adjusted_elo: adjusted.map(|found| text::with_error(Some(found.elo), found.error, 1)),
        sprt: summary.sprt,
    }
}
