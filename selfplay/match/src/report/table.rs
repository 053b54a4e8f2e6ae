//! The report for people: a screenful of text.

use std::fmt::Write;

use super::text::{
    UNKNOWN, advantage_ratio, count, estimate, fixed, optional, shortened, with_error,
};
use super::{Detail, Report};
use crate::record::Reason;
use crate::side::Side;
use crate::statistics::adjusted::Coefficient;
use crate::statistics::sprt::{Decision, SprtState};
use crate::summary::ReasonCount;

/// Writes the report as text.
pub fn write(report: &Report<'_>, detail: Detail) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail, so the results are ignored.
    let _ = heading(&mut text, report);
    let _ = starter_table(&mut text, report);
    let _ = strength(&mut text, report);
    let _ = without_luck(&mut text, report);
    let _ = pairs_and_seats(&mut text, report);
    let _ = games_and_thinking(&mut text, report);
    if detail == Detail::WithTimes {
        let _ = times(&mut text, report);
    }
    if let Some(sprt) = &report.summary.sprt {
        let _ = writeln!(text, "{:<18}{}", "SPRT", sprt_line(sprt));
    }
    text
}

fn heading(text: &mut String, report: &Report<'_>) -> std::fmt::Result {
    let identity = report.identity;
    let (a, b) = (&identity.players.a, &identity.players.b);
    writeln!(text, "A {a}  against  B {b}")?;
    for side in Side::ALL {
        if identity.names[side] != identity.players[side] {
            writeln!(text, "  {side} is {}", identity.names[side])?;
        }
    }
    let pairs = report.summary.pentanomial.pairs();
    let limits = if identity.limits.a == identity.limits.b {
        identity.limits.a.to_string()
    } else {
        format!("A {}; B {}", identity.limits.a, identity.limits.b)
    };
    write!(
        text,
        "  {} games in {} pairs, {limits}, ",
        count(2 * pairs),
        count(pairs)
    )?;
    writeln!(
        text,
        "rules {}, {} deals, seed {}, {}",
        identity.rules, identity.deal, identity.seed, identity.program
    )?;
    if !identity.openings.is_empty() {
        writeln!(text, "  openings: {}", identity.openings)?;
    }
    if !identity.adjudication.is_none() {
        writeln!(text, "  adjudication: {}", identity.adjudication)?;
    }
    if report.has_clock() {
        writeln!(
            text,
            "  a clock is in force: another run will give other games"
        )?;
    }
    writeln!(text)
}

fn starter_table(text: &mut String, report: &Report<'_>) -> std::fmt::Result {
    let table = &report.summary.table;
    let heads = ["win", "draw", "loss", "RS(A)", "RS(B)"];
    write!(text, "{:<18}", "first player")?;
    for head in heads {
        write!(text, "{head:>8}")?;
    }
    writeln!(text)?;
    for side in Side::ALL {
        let row = table.rows[side];
        let name = format!("{side} {}", report.identity.players[side]);
        write!(text, "{:<18}", shortened(&name, 17))?;
        for number in [row.win, row.draw, row.loss] {
            write!(text, "{number:>8}")?;
        }
        let (of_a, of_b) = (table.score(side, Side::A), table.score(side, Side::B));
        writeln!(text, "{:>8}{:>8}", optional(of_a, 2), optional(of_b, 2))?;
    }
    writeln!(text)
}

fn strength(text: &mut String, report: &Report<'_>) -> std::fmt::Result {
    let summary = &report.summary;
    for (side, other) in [(Side::A, Side::B), (Side::B, Side::A)] {
        let ratio = advantage_ratio(summary, side);
        let sign = super::text::ratio_sign(&summary.pentanomial);
        let head = if side == Side::A {
            "advantage ratio"
        } else {
            ""
        };
        let note = if side == Side::A {
            super::text::ratio_note(&summary.pentanomial)
        } else {
            ""
        };
        writeln!(
            text,
            "{}",
            format!("{head:<18}AR({side},{other}) {sign}{ratio:<16} {note}").trim_end()
        )?;
    }
    let elo = super::text::elo(&summary.pentanomial, 1);
    let equals = if summary.elo.is_some() { "= " } else { "" };
    write!(text, "{:<18}A − B {equals}{elo} (95 %), ", "Elo")?;
    if let Some(normalized) = summary.normalized_elo {
        let normalized = with_error(Some(normalized.elo), normalized.error, 1);
        write!(text, "normalised {normalized}, ")?;
    }
    match summary.superiority {
        Some(chance) => writeln!(text, "superiority of A {} %", fixed(100.0 * chance, 1)),
        None => writeln!(text, "superiority of A unknown"),
    }
}

/// Writes the results with the luck taken out, if it was measured.
fn without_luck(text: &mut String, report: &Report<'_>) -> std::fmt::Result {
    let Some(found) = &report.summary.without_luck else {
        return Ok(());
    };
    let scores = &found.scores;
    let fixed_or_estimated = match found.coefficient {
        Coefficient::Fixed(_) => "fixed",
        Coefficient::Estimated => "from the other pairs",
    };
    writeln!(
        text,
        "{:<18}A had {} points a game by {}; coefficient {} ({fixed_or_estimated})",
        "luck",
        estimate(Some(scores.luck), 3),
        found.appraiser,
        fixed(scores.coefficient, 2)
    )?;
    let ratio = |side| with_error(Some(found.advantage_ratio(side)), found.standard_error(), 3);
    let elo = with_error(found.elo.map(|e| e.elo), found.elo.and_then(|e| e.error), 1);
    writeln!(text, "{:<18}AR(A,B) = {}", "luck taken out", ratio(Side::A))?;
    writeln!(text, "{:<18}AR(B,A) = {}", "", ratio(Side::B))?;
    writeln!(text, "{:<18}Elo A − B = {elo} (95 %)", "")?;
    let games = 2 * report.summary.pentanomial.pairs();
    let worth = found.worth(games).map(|games| count(games.round() as u64));
    writeln!(
        text,
        "{:<18}variance {} of the raw pairs, {} of independent games: worth {} raw games",
        "",
        optional(scores.variance_ratio, 3),
        optional(found.variance_of_games, 3),
        worth.unwrap_or(UNKNOWN.to_owned())
    )
}

fn pairs_and_seats(text: &mut String, report: &Report<'_>) -> std::fmt::Result {
    let summary = &report.summary;
    let [ll, ld, dd, wd, ww] = summary.pentanomial.0;
    write!(
        text,
        "{:<18}LL {ll}, LD {ld}, DD or WL {dd}, WD {wd}, WW {ww}; ",
        "pairs"
    )?;
    writeln!(
        text,
        "correlation {}, variance {} of independent games",
        optional(summary.pairing.correlation, 3),
        optional(summary.pairing.variance_ratio, 3),
    )?;
    writeln!(
        text,
        "{:<18}the first player scores {}, red scores {} a game",
        "seats",
        estimate(summary.starter_score, 3),
        estimate(summary.red_score, 3),
    )
}

fn games_and_thinking(text: &mut String, report: &Report<'_>) -> std::fmt::Result {
    let summary = &report.summary;
    if let Some(lengths) = &summary.lengths {
        writeln!(
            text,
            "{:<18}{} plies on average, from {} to {}",
            "games",
            fixed(lengths.mean, 1),
            lengths.shortest,
            lengths.longest
        )?;
    }
    let mut head = "results";
    for (&reason, reasons) in &summary.reasons {
        writeln!(text, "{head:<18}{}", reason_line(reason, reasons))?;
        head = "";
    }
    for side in Side::ALL {
        let drawn = summary.drawn_ahead[side];
        if drawn > 0 {
            writeln!(
                text,
                "{:<18}{drawn} drawn though {side}'s last value was above +0.5",
                ""
            )?;
        }
    }
    faults(text, report)?;
    let mut head = "thinking";
    for side in Side::ALL {
        let nodes = match summary.nodes_per_move[side] {
            Some(nodes) => count(nodes.round() as u64),
            None => UNKNOWN.to_owned(),
        };
        writeln!(text, "{head:<18}{side} {nodes} nodes a move")?;
        head = "";
    }
    Ok(())
}

/// Writes what differs from run to run.
fn times(text: &mut String, report: &Report<'_>) -> std::fmt::Result {
    let [a, b] = Side::ALL.map(|side| optional(report.times.ms_per_move[side], 2));
    writeln!(text, "{:<18}A {a} ms a move, B {b} ms a move", "times")?;
    let overhead = optional(report.times.overhead.map(|share| 100.0 * share), 2);
    let seconds = fixed(report.times.game_seconds, 1);
    writeln!(
        text,
        "{:<18}the referee took {overhead} % of {seconds} s",
        ""
    )?;
    if let Some(run) = &report.run {
        writeln!(text, "{:<18}{}, {}", "report", run.program, run.date)?;
        writeln!(text, "{:<18}{}", "", run.command)?;
    }
    Ok(())
}

/// Warns of games that ended by a fault, with details of the first few.
fn faults(text: &mut String, report: &Report<'_>) -> std::fmt::Result {
    let faults = report.summary.faults();
    if faults == 0 {
        return Ok(());
    }
    writeln!(
        text,
        "{:<18}{faults} games ended by a fault of a player",
        "WARNING"
    )?;
    for (culprit, detail) in &report.digest.faults {
        writeln!(text, "{:<18}{culprit}: {detail}", "")?;
    }
    Ok(())
}

fn reason_line(reason: Reason, count: &ReasonCount) -> String {
    let parts = [
        ("A wins", count.a_wins),
        ("B wins", count.b_wins),
        ("draws", count.draws),
    ];
    let said = parts.into_iter().filter(|&(_, number)| number > 0);
    let split: Vec<String> = said
        .map(|(what, number)| format!("{what} {number}"))
        .collect();
    format!(
        "{:<16} {:>6}  ({})",
        reason.words(),
        count.games(),
        split.join(", ")
    )
}

/// Writes the state of a sequential test.
pub fn sprt_line(state: &SprtState) -> String {
    let decision = match state.decision {
        Decision::Continue => "undecided",
        Decision::Elo0 => "elo0 accepted: A is not better by elo1",
        Decision::Elo1 => "elo1 accepted: A is better by more than elo0",
    };
    format!(
        "LLR {} in [{}, {}] for {}: {decision}",
        fixed(state.llr, 2),
        fixed(state.lower, 2),
        fixed(state.upper, 2),
        state.test,
    )
}
