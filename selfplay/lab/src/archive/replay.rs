//! Replays archived games and reports where a rule book and the platform disagree.
//!
//! A game agrees with a rule book if the book refuses none of its plies, calls the game open before each of them, and
//! after the last one gives the platform's verdict: none for a game that a clock ended or that is unfinished.

use super::ArchivedReason;
use anqi_protocol::record::{self, Record};
use anqi_rulebooks::book::{Book, Verdict};
use anqi_rules::Rules;

/// The result of replaying the plies of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The book gives the platform's verdict.
    Agrees,
    /// The book refuses a ply.
    Refused {
        /// The number of plies before it.
        at: usize,
        /// Why the book refuses it.
        why: String,
    },
    /// The book ends the game before the platform did.
    Early {
        /// The number of plies before.
        at: usize,
        /// The book's verdict.
        verdict: Verdict,
    },
    /// The book gives another verdict after the last ply.
    Other(Verdict),
}

/// Replays the plies of a game.
pub fn replay(book: &mut dyn Book, plies: &[String], reason: ArchivedReason) -> Agreement {
    for (at, ply) in plies.iter().enumerate() {
        let verdict = book.verdict();
        if verdict != Verdict::Playing {
            return Agreement::Early { at, verdict };
        }
        if let Err(why) = book.play(ply) {
            return Agreement::Refused { at, why };
        }
    }
    let verdict = book.verdict();
    let expected = match reason {
        ArchivedReason::NoMove => matches!(verdict, Verdict::NoMove(_)),
        ArchivedReason::NoEatFlipDraw => verdict == Verdict::NoEatFlipDraw,
        ArchivedReason::PositionRepetitionDraw => verdict == Verdict::PositionRepetitionDraw,
        ArchivedReason::TimeOut | ArchivedReason::Unfinished => verdict == Verdict::Playing,
    };
    if expected {
        Agreement::Agrees
    } else {
        Agreement::Other(verdict)
    }
}

/// Returns whether a record's last line is what our rules would have written: reason, length of the repeated sequence,
/// named player and points. It also fails if the first flip is not of the colour that the record gives to the first
/// player. A game that a clock ended, or without a verdict, must be open.
pub fn result_fits(record: &Record) -> bool {
    let Ok(game) = record.game(Rules::PLATFORM) else {
        return false;
    };
    match (game.outcome(), &record.verdict) {
        (Some(outcome), Some(said)) => {
            let ours = record::PlatformVerdict::of(
                outcome,
                record.first,
                &Rules::PLATFORM,
                &record.players,
            );
            ours == *said
        }
        (None, Some(said)) => said.reason == record::PlatformReason::TimeOut,
        (None, None) => true,
        (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rulebooks::book::NaiveBook;

    fn platform() -> NaiveBook {
        NaiveBook::start("platform")
    }

    fn plies(text: &str) -> Vec<String> {
        text.split_whitespace().map(ToString::to_string).collect()
    }

    /// Two pawns take a king each and then move to and fro, four plies a round.
    const OPENING: &str = "a1(P) a2(k) a1-a2 d8(p) d7(K) d8-d7";
    const ROUND: &str = " a2-a1 d7-d8 a1-a2 d8-d7";

    #[test]
    fn a_refused_ply_is_found() {
        let finding = replay(
            &mut platform(),
            &plies("a1(P) a2-a1"),
            ArchivedReason::Unfinished,
        );
        assert!(matches!(finding, Agreement::Refused { at: 1, .. }));
    }

    #[test]
    fn the_platform_draws_at_the_last_ply_of_the_third_sequence() {
        let drawn = plies(&(OPENING.to_string() + &ROUND.repeat(3)));
        let reason = ArchivedReason::PositionRepetitionDraw;
        assert_eq!(replay(&mut platform(), &drawn, reason), Agreement::Agrees);
        let short = Agreement::Other(Verdict::Playing);
        assert_eq!(replay(&mut platform(), &drawn[..17], reason), short);
        let verdict = Verdict::PositionRepetitionDraw;
        let long = plies(&(OPENING.to_string() + &ROUND.repeat(4)));
        assert_eq!(
            replay(&mut platform(), &long, reason),
            Agreement::Early { at: 18, verdict }
        );
    }

    #[test]
    fn the_olympiad_draws_at_the_third_position() {
        let drawn = plies(&(OPENING.to_string() + &ROUND.repeat(2)));
        let reason = ArchivedReason::PositionRepetitionDraw;
        let olympiad = || NaiveBook::start("olympiad");
        assert_eq!(replay(&mut olympiad(), &drawn, reason), Agreement::Agrees);
        assert_eq!(
            replay(&mut olympiad(), &drawn[..13], reason),
            Agreement::Other(Verdict::Playing)
        );
    }

    #[test]
    fn a_broken_off_game_agrees_only_while_it_is_open() {
        assert_eq!(
            replay(&mut platform(), &plies(OPENING), ArchivedReason::Unfinished),
            Agreement::Agrees
        );
        let open = Agreement::Other(Verdict::Playing);
        assert_eq!(
            replay(&mut platform(), &plies(OPENING), ArchivedReason::NoMove),
            open
        );
    }
}
