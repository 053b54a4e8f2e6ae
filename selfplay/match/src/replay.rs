//! Replays records: what a record says must follow from its own plies.
//!
//! A file of pairs may have been edited, damaged or put together by hand. A
//! record is believed only if its plies are legal, its flips reveal what the
//! deal of its pair holds, and its result is the one the rules give.

use std::sync::OnceLock;

use anqi_rules::{Color, Game, Outcome, Piece, PlayError, Ply, Position, Rules};

use crate::adjudication::Adjudication;
use crate::deal::{Deal, DealKind};
use crate::luck::WIN;
use crate::openings::{Opening, Openings};
use crate::pairing::STARTERS;
use crate::record::{GameRecord, PairRecord, Reason, Verdict};
use crate::side::Side;
use crate::table_adjudicator::TableAdjudicator;

/// What the records of a match are checked against.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The rules of the match.
    pub rules: Rules,
    /// Where its games begin.
    pub openings: Openings,
    /// How the deal is bound to flips.
    pub deal: DealKind,
    /// The seed of all deals.
    pub seed: u64,
    /// How many pairs the match has.
    pub pairs: u64,
    /// When decided games end early.
    pub adjudication: Adjudication,
    /// Tables that results by tables are checked against, solved on first use.
    pub adjudicator: OnceLock<TableAdjudicator>,
}

impl Expected {
    fn adjudicator(&self) -> Option<&TableAdjudicator> {
        let rule = self.adjudication.tables?;
        let solve = || TableAdjudicator::in_memory(rule.pieces, self.rules);
        Some(self.adjudicator.get_or_init(solve))
    }
}

/// How a record contradicts itself or its match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    /// The match has fewer pairs.
    #[error("there is no pair {pair} in a match of {pairs} pairs")]
    NoSuchPair {
        /// The number of the pair.
        pair: u64,
        /// How many the match has.
        pairs: u64,
    },
    /// One of the games is wrong.
    #[error("game {number} of pair {pair}: {fault}")]
    Game {
        /// The number of the pair.
        pair: u64,
        /// Which of its two games, from 1.
        number: usize,
        /// What is wrong.
        fault: GameFault,
    },
}

/// How the record of a game contradicts itself or its match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameFault {
    /// It begins at another position.
    #[error("it begins at {found} (expected {expected})")]
    Opening {
        /// Where it should begin.
        expected: String,
        /// Where it does.
        found: String,
    },
    /// The wrong side starts.
    #[error("{found} starts (expected {expected})")]
    Starter {
        /// The expected starter.
        expected: Side,
        /// The starter in the record.
        found: Side,
    },
    /// A word is no ply.
    #[error("'{0}' is no ply (expected a ply such as a1-a2 or b3(K))")]
    NotAPly(String),
    /// A ply is not legal.
    #[error("ply {number}, {ply}: {error}")]
    Illegal {
        /// Its number, from 1.
        number: usize,
        /// The ply.
        ply: Ply,
        /// Why it cannot be played.
        error: PlayError,
    },
    /// A flip reveals another piece than the deal has.
    #[error("ply {number} is {ply}, but the deal of this pair has {dealt} there")]
    OtherDeal {
        /// Its number, from 1.
        number: usize,
        /// The ply.
        ply: Ply,
        /// The letter of the piece in the deal.
        dealt: char,
    },
    /// The record continues after the end of the game.
    #[error("ply {number}, {ply}, comes after the end of the game ({outcome})")]
    AfterTheEnd {
        /// Its number, from 1.
        number: usize,
        /// The ply.
        ply: Ply,
        /// How the game has ended.
        outcome: Outcome,
    },
    /// The luck is not that of these flips.
    #[error("it has {flips} flips, but luck for {found}, or more luck than a win is worth")]
    Luck {
        /// How many flips the game has.
        flips: usize,
        /// For how many there is luck.
        found: usize,
    },
    /// The starter's colour is not that of the first piece revealed, nor of the opening.
    #[error("the colour of the starter is not that of the first piece revealed, or of the opening")]
    StarterColor,
    /// The result is not what tables say.
    #[error("tables end it with {}, but by tables it is {}", value(.found), value(.certain))]
    Tables {
        /// The winner in the record.
        found: Option<Color>,
        /// The winner by tables.
        certain: Option<Color>,
    },
    /// The result is not what the plies lead to.
    #[error("the result is '{}', but the plies lead to '{}'", said(.found), said_of(.replayed))]
    Result {
        /// What the plies lead to, `None` where the game is not over.
        replayed: Option<Verdict>,
        /// What the record says.
        found: Verdict,
    },
}

fn start_of(opening: Option<Opening>) -> String {
    opening.map_or("the usual start".to_owned(), |opening| {
        opening.0.to_string()
    })
}

fn value(winner: &Option<Color>) -> String {
    winner.map_or("a draw".to_owned(), |winner| format!("a win of {winner}"))
}

fn said(verdict: &Verdict) -> String {
    let winner = match verdict.winner {
        Some(winner) => format!("{winner} wins"),
        None => "draw".to_owned(),
    };
    format!("{winner}, {}", verdict.reason.words())
}

fn said_of(verdict: &Option<Verdict>) -> String {
    verdict
        .as_ref()
        .map_or("a game that is not over".to_owned(), said)
}

/// Checks a pair against its own plies and against its match.
///
/// # Errors
///
/// Returns the first contradiction.
pub fn check_pair(record: &PairRecord, expected: &Expected) -> Result<(), RecordFault> {
    let (pair, pairs) = (record.pair, expected.pairs);
    if pair >= pairs {
        return Err(RecordFault::NoSuchPair { pair, pairs });
    }
    let opening = expected.openings.of_pair(pair);
    let start = opening.map_or_else(Position::start, |opening| opening.0);
    let deal = Deal::at(&start, expected.deal, expected.seed, pair);
    for (index, game) in record.games.iter().enumerate() {
        let checked = check_opening(game, opening);
        let checked = checked.and_then(|()| check_game(game, STARTERS[index], expected, &deal));
        let checked = checked.and_then(|()| match &record.luck {
            Some(luck) => check_luck(game, &luck.flips[index]),
            None => Ok(()),
        });
        checked.map_err(|fault| RecordFault::Game {
            pair,
            number: index + 1,
            fault,
        })?;
    }
    Ok(())
}

/// Checks a single game, with A's luck in its flips, against where it begins, its deal and its rules.
///
/// # Errors
///
/// Returns the first contradiction.
pub fn check_single(
    record: &GameRecord,
    luck: &[i32],
    starter: Side,
    deal: &Deal,
    expected: &Expected,
) -> Result<(), GameFault> {
    check_opening(record, expected.openings.of_pair(0))?;
    check_game(record, starter, expected, deal)?;
    check_luck(record, luck)
}

fn check_opening(record: &GameRecord, expected: Option<Opening>) -> Result<(), GameFault> {
    if record.opening == expected {
        return Ok(());
    }
    let [expected, found] = [expected, record.opening].map(start_of);
    Err(GameFault::Opening { expected, found })
}

fn check_game(
    record: &GameRecord,
    starter: Side,
    expected: &Expected,
    deal: &Deal,
) -> Result<(), GameFault> {
    if record.starter != starter {
        return Err(GameFault::Starter {
            expected: starter,
            found: record.starter,
        });
    }
    let game = replayed(record, expected.rules, Some(deal))?;
    if record.starter_color != first_color(&game) {
        return Err(GameFault::StarterColor);
    }
    check_result(record, &game, &expected.adjudication)?;
    if record.verdict.reason != Reason::Tables {
        return Ok(());
    }
    let adjudicator = expected.adjudicator();
    adjudicator.map_or(Ok(()), |adjudicator| {
        check_value(record, &game, adjudicator)
    })
}

/// Checks a result by tables against the tables in memory; those of larger tables are trusted.
fn check_value(
    record: &GameRecord,
    game: &Game,
    adjudicator: &TableAdjudicator,
) -> Result<(), GameFault> {
    let Some(certain) = adjudicator.certain(game) else {
        return Ok(());
    };
    let found = record.verdict.winner.and_then(|side| record.color(side));
    if certain == found {
        Ok(())
    } else {
        Err(GameFault::Tables { found, certain })
    }
}

/// Replays the plies of a record, on their deal if it is known.
///
/// # Errors
///
/// Returns an error if a ply cannot be read or played, or shows another piece than the deal.
pub fn replayed(record: &GameRecord, rules: Rules, deal: Option<&Deal>) -> Result<Game, GameFault> {
    let plies = record.parse_plies().map_err(GameFault::NotAPly)?;
    let mut game = Game::new(record.start(), rules);
    let mut flips = 0;
    for (index, ply) in plies.into_iter().enumerate() {
        let number = index + 1;
        if let Some(outcome) = game.outcome() {
            return Err(GameFault::AfterTheEnd {
                number,
                ply,
                outcome,
            });
        }
        game.play(ply)
            .map_err(|error| GameFault::Illegal { number, ply, error })?;
        let Some(piece) = ply.reveal else { continue };
        let dealt = deal.map(|deal| deal.reveal(ply.action.from(), flips));
        if let Some(dealt) = dealt.filter(|dealt| *dealt != piece) {
            let dealt = dealt.letter();
            return Err(GameFault::OtherDeal { number, ply, dealt });
        }
        flips += 1;
    }
    Ok(game)
}

/// Checks that each flip has one luck, within the possible range.
fn check_luck(record: &GameRecord, luck: &[i32]) -> Result<(), GameFault> {
    let flips = record.plies.matches('(').count();
    // From a sure loss to a sure win.
    let possible = |luck: &i32| luck.unsigned_abs() <= 2 * WIN.unsigned_abs();
    if flips == luck.len() && luck.iter().all(possible) {
        return Ok(());
    }
    let found = luck.len();
    Err(GameFault::Luck { flips, found })
}

fn first_color(game: &Game) -> Option<Color> {
    game.start().turn().or_else(|| {
        let first = game.plies().first()?;
        first.reveal.map(Piece::color)
    })
}

/// Checks that the result is the one the rules give, or a fault or an adjudication of a game that
/// is not over.
fn check_result(
    record: &GameRecord,
    game: &Game,
    adjudication: &Adjudication,
) -> Result<(), GameFault> {
    let replayed = game
        .outcome()
        .map(|outcome| Verdict::of_outcome(outcome, |side| record.color(side)));
    let found = &record.verdict;
    let agrees = match &replayed {
        Some(verdict) => (verdict.winner, verdict.reason) == (found.winner, found.reason),
        None => {
            let fault = found.reason.is_fault() && found.winner.is_some();
            fault || adjudication.allows(found, game)
        }
    };
    if agrees {
        return Ok(());
    }
    let found = found.clone();
    Err(GameFault::Result { replayed, found })
}
