//! The report for programs.
//!
//! Everything in it follows from the records, so that the same pairs give the
//! same bytes; times are left out unless requested.

use std::collections::BTreeMap;

use serde::Serialize;

use super::run::Run;
use super::{Detail, Report};
use crate::adjudication::Adjudication;
use crate::deal::DealKind;
use crate::limits::Limits;
use crate::side::{BySide, Side};
use crate::statistics::adjusted::Coefficient;
use crate::statistics::moments::Estimate;
use crate::statistics::sprt::SprtState;
use crate::summary::{Lengths, ReasonCount, Times, WithoutLuck};

#[derive(Serialize)]
struct Document<'a> {
    program: &'a str,
    players: &'a BySide<String>,
    names: &'a BySide<String>,
    limits: BySide<Limits>,
    rules: &'a str,
    /// How many openings there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    openings: Option<usize>,
    deal: DealKind,
    seed: u64,
    #[serde(skip_serializing_if = "Adjudication::is_none")]
    adjudication: Adjudication,
    /// Whether there was a clock; the games are then not reproducible.
    clock: bool,
    games: u64,
    pairs: u64,
    advantage_ratio_a: Option<f64>,
    advantage_ratio_b: Option<f64>,
    standard_error: Option<f64>,
    /// The 95 % bounds of A's ratio, in place of an error where all pairs ended alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    advantage_ratio_a_bounds: Option<[f64; 2]>,
    elo: Option<f64>,
    elo_error: Option<f64>,
    /// The ends of the 95 % interval, null where it has none.
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    normalized_elo: Option<f64>,
    normalized_elo_error: Option<f64>,
    likelihood_of_superiority: Option<f64>,
    by_starter: BySide<StarterJson>,
    pentanomial: PentanomialJson,
    pair_correlation: Option<f64>,
    variance_ratio: Option<f64>,
    starter_score: Option<Estimate>,
    red_score: Option<Estimate>,
    plies: Option<&'a Lengths>,
    reasons: BTreeMap<&'static str, ReasonCount>,
    faults: u64,
    drawn_ahead: BySide<u64>,
    nodes_per_move: BySide<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    without_luck: Option<WithoutLuckJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<&'a SprtState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<&'a Times>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<&'a Run>,
}

/// The results with the luck taken out.
#[derive(Serialize)]
struct WithoutLuckJson<'a> {
    appraiser: &'a str,
    coefficient: f64,
    coefficient_is_fixed: bool,
    /// A's mean luck in points a game.
    luck: Estimate,
    advantage_ratio_a: f64,
    advantage_ratio_b: f64,
    standard_error: Option<f64>,
    elo: Option<f64>,
    elo_error: Option<f64>,
    variance_ratio: Option<f64>,
    /// The same over the variance of independent games.
    variance_of_games: Option<f64>,
    worth_games: Option<f64>,
}

fn without_luck(found: &WithoutLuck, games: u64) -> WithoutLuckJson<'_> {
    WithoutLuckJson {
        appraiser: &found.appraiser,
        coefficient: found.scores.coefficient,
        coefficient_is_fixed: matches!(found.coefficient, Coefficient::Fixed(_)),
        luck: found.scores.luck,
        advantage_ratio_a: found.advantage_ratio(Side::A),
        advantage_ratio_b: found.advantage_ratio(Side::B),
        standard_error: found.standard_error(),
        elo: found.elo.map(|e| e.elo),
        elo_error: found.elo.and_then(|e| e.error),
        variance_ratio: found.scores.variance_ratio,
        variance_of_games: found.variance_of_games,
        worth_games: found.worth(games),
    }
}

/// One row of the paper's table, from the starter's view.
#[derive(Serialize)]
struct StarterJson {
    win: u64,
    draw: u64,
    loss: u64,
    score_a: Option<f64>,
    score_b: Option<f64>,
}

#[derive(Serialize)]
#[serde(rename_all = "UPPERCASE")]
struct PentanomialJson {
    ll: u64,
    ld: u64,
    dd_wl: u64,
    wd: u64,
    ww: u64,
}

/// Writes the report as one JSON object, ending with a newline.
pub fn write(report: &Report<'_>, detail: Detail) -> String {
    let summary = &report.summary;
    let identity = report.identity;
    let with_times = detail == Detail::WithTimes;
    let pairs = summary.pentanomial.pairs();
    let document = Document {
        program: &identity.program,
        players: &identity.players,
        names: &identity.names,
        limits: identity.limits,
        rules: &identity.rules,
        openings: (!identity.openings.is_empty()).then_some(identity.openings.len()),
        deal: identity.deal,
        seed: identity.seed,
        adjudication: identity.adjudication,
        clock: report.has_clock(),
        games: 2 * pairs,
        pairs,
        advantage_ratio_a: summary.table.advantage_ratio(Side::A),
        advantage_ratio_b: summary.table.advantage_ratio(Side::B),
        standard_error: summary.standard_error(),
        advantage_ratio_a_bounds: summary.ratio_bounds(),
        elo: summary.elo.map(|e| e.elo),
        elo_error: summary.elo.and_then(|e| e.error),
        elo_low: summary.elo_interval.and_then(|interval| interval.low),
        elo_high: summary.elo_interval.and_then(|interval| interval.high),
        normalized_elo: summary.normalized_elo.map(|e| e.elo),
        normalized_elo_error: summary.normalized_elo.and_then(|e| e.error),
        likelihood_of_superiority: summary.superiority,
        by_starter: BySide::from_fn(|starter| starter_row(report, starter)),
        pentanomial: pentanomial(summary.pentanomial.0),
        pair_correlation: summary.pairing.correlation,
        variance_ratio: summary.pairing.variance_ratio,
        starter_score: summary.starter_score,
        red_score: summary.red_score,
        plies: summary.lengths.as_ref(),
        reasons: summary
            .reasons
            .iter()
            .map(|(reason, &count)| (reason.name(), count))
            .collect(),
        faults: summary.faults(),
        drawn_ahead: summary.drawn_ahead,
        nodes_per_move: summary.nodes_per_move,
        without_luck: summary
            .without_luck
            .as_ref()
            .map(|found| without_luck(found, 2 * pairs)),
        sprt: summary.sprt.as_ref(),
        times: with_times.then_some(&report.times),
        run: report.run.as_ref().filter(|_| with_times),
    };
    let text = serde_json::to_string_pretty(&document);
    text.expect("a report holds nothing that JSON cannot say") + "\n"
}

fn pentanomial([ll, ld, dd_wl, wd, ww]: [u64; 5]) -> PentanomialJson {
    PentanomialJson {
        ll,
        ld,
        dd_wl,
        wd,
        ww,
    }
}

fn starter_row(report: &Report<'_>, starter: Side) -> StarterJson {
    let table = &report.summary.table;
    let row = table.rows[starter];
    StarterJson {
        win: row.win,
        draw: row.draw,
        loss: row.loss,
        score_a: table.score(starter, Side::A),
        score_b: table.score(starter, Side::B),
    }
}
