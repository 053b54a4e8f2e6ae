//! Between the page's values and records in the shape of PGN.

use crate::wire::OutcomeView;
use crate::wire::{ClockSetting, NotedPly, Notes, Refusal};
use anqi_play::{EndReason, Seat, Verdict};
use anqi_protocol::record::pgn::{Annotation, GameResult, PgnGame, PgnPly, Termination};
use anqi_rules::{Game, Ply};

/// Returns comments and variations; clocks and values stay in the comments as commands.
pub fn notes_of(record: &PgnGame) -> Notes {
    let plies = record.plies.iter();
    Notes {
        comment: record.annotation.to_string(),
        plies: plies
            .map(|ply| NotedPly {
                ply: ply.ply.to_string(),
                after: ply.after,
                comment: ply.annotation.to_string(),
            })
            .collect(),
    }
}

/// Puts comments and variations into a record.
///
/// # Errors
///
/// Returns an error if a ply cannot be read.
pub fn set_notes(record: &mut PgnGame, notes: &Notes) -> Result<(), Refusal> {
    record.annotation = Annotation::read(&notes.comment);
    let plies = notes.plies.iter().map(|noted| {
        let unreadable = |error| Refusal::unreadable(format!("{}: {error}", noted.ply));
        let ply: Ply = noted.ply.parse().map_err(unreadable)?;
        let mut written = PgnPly::new(ply, noted.after);
        written.annotation = Annotation::read(&noted.comment);
        Ok(written)
    });
    record.plies = plies.collect::<Result<_, _>>()?;
    Ok(())
}

/// Returns the outcome in a record, `None` if the game goes on; a reason that the page does not know
/// counts as agreement.
pub fn outcome_of(record: &PgnGame, game: &Game) -> Option<OutcomeView> {
    if record.result == GameResult::Unfinished {
        return None;
    }
    let verdict = Verdict {
        winner: record.result.winner().map(|seat| Seat::ALL[seat]),
        reason: reason_of(record.termination.as_ref()),
    };
    Some(OutcomeView::from_verdict(game, verdict))
}

/// Returns the page's reason, if it has one.
pub fn reason_of(termination: Option<&Termination>) -> Option<EndReason> {
    Some(match termination? {
        Termination::NoLegalAction => EndReason::NoLegalAction,
        Termination::Annihilation => EndReason::Annihilation,
        Termination::QuietLimit => EndReason::QuietLimit,
        Termination::Repetition => EndReason::Repetition,
        Termination::Resignation => EndReason::Resignation,
        Termination::Agreement => EndReason::Agreement,
        Termination::TimeForfeit => EndReason::Time,
        _ => return None,
    })
}

/// Sets the outcome of a record whose board shows none.
pub fn set_outcome(record: &mut PgnGame, outcome: &OutcomeView) {
    if record.result != GameResult::Unfinished {
        return;
    }
    record.result = outcome
        .winner_seat
        .map_or(GameResult::Draw, GameResult::won_by);
    record.termination = Some(match outcome.reason {
        EndReason::NoLegalAction => Termination::NoLegalAction,
        EndReason::Annihilation => Termination::Annihilation,
        EndReason::QuietLimit => Termination::QuietLimit,
        EndReason::Repetition => Termination::Repetition,
        EndReason::Resignation => Termination::Resignation,
        EndReason::Agreement => Termination::Agreement,
        EndReason::Time => Termination::TimeForfeit,
    });
}

/// Returns a clock as the tag `TimeControl` has it: `900+5`.
pub fn time_control(clock: ClockSetting) -> String {
    let seconds = |ms: u64| match ms % 1_000 {
        0 => (ms / 1_000).to_string(),
        _ => format!("{:.3}", ms as f64 / 1_000.0),
    };
    match clock.increment_ms {
        0 => seconds(clock.base_ms),
        increment => format!("{}+{}", seconds(clock.base_ms), seconds(increment)),
    }
}
