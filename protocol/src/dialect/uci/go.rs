//! The limits of `go`.
//!
//! Lenient, as UCI requires: unknown words are ignored, and of two values for
//! one limit the last one counts. A limit whose value cannot be read is left out, because a
//! `go` must be answered; the caller is told.

use super::action::read_action;
use crate::command::parse::{multipv, positive, search_depth};
use crate::command::{CommandError, GoClock, GoLimits};
use crate::time::{milliseconds, time_left};
use anqi_rules::Color;
use std::iter::Peekable;
use std::num::NonZeroU32;

/// Reads the words after `go`; the errors name the values that are left out.
pub(super) fn read_go(words: &[&str]) -> (GoLimits, Vec<CommandError>) {
    let mut limits = GoLimits::default();
    let mut clock = GoClock::default();
    let mut faults = Vec::new();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        let read = read_limit(word, &mut words, &mut limits, &mut clock);
        faults.extend(read.err());
    }
    let known = clock.left.0.iter().any(Option::is_some);
    limits.clock = known.then_some(clock);
    (limits, faults)
}

/// Reads one limit and its value.
fn read_limit<'a>(
    word: &str,
    words: &mut Peekable<impl Iterator<Item = &'a str>>,
    limits: &mut GoLimits,
    clock: &mut GoClock,
) -> Result<(), CommandError> {
    let mut value = || words.next().unwrap_or_default();
    match word {
        "infinite" => limits.infinite = true,
        "ponder" => limits.ponder = true,
        "movetime" => limits.movetime = Some(milliseconds(value())?),
        "nodes" => limits.nodes = Some(positive(value())?),
        "depth" => limits.depth = Some(search_depth(value())?),
        "multipv" => limits.multipv = Some(multipv(value())?),
        "wtime" => clock.left[Color::Red] = Some(time_left(value())?),
        "btime" => clock.left[Color::Black] = Some(time_left(value())?),
        "winc" => clock.increment[Color::Red] = time_left(value())?,
        "binc" => clock.increment[Color::Black] = time_left(value())?,
        "movestogo" => clock.moves_to_go = moves_to_go(value())?,
        "searchmoves" => limits.actions = search_moves(words)?,
        _ => {}
    }
    Ok(())
}

/// Reads the number of moves that the time must last for; 0 means all.
fn moves_to_go(word: &str) -> Result<Option<NonZeroU32>, CommandError> {
    let expected = "a number of moves (expected a whole number)";
    let wrong = |_| CommandError::argument(word, expected);
    word.parse().map(NonZeroU32::new).map_err(wrong)
}

/// Reads the moves that follow, at least one.
fn search_moves<'a>(
    words: &mut Peekable<impl Iterator<Item = &'a str>>,
) -> Result<Vec<anqi_rules::Action>, CommandError> {
    let mut actions = Vec::new();
    while let Some(action) = words.peek().and_then(|word| read_action(word)) {
        actions.push(action);
        words.next();
    }
    if actions.is_empty() {
        let word = words.peek().copied().unwrap_or_default();
        Err(CommandError::argument(
            word,
            "a move (expected such as b1c1)",
        ))
    } else {
        Ok(actions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::ByColor;
    use std::time::Duration;

    fn read(text: &str) -> Result<GoLimits, String> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let (limits, faults) = read_go(&words);
        match &faults[..] {
            [] => Ok(limits),
            [fault, ..] => Err(fault.to_string()),
        }
    }

    #[test]
    fn clocks_are_read_for_both_sides() {
        let ms = Duration::from_millis;
        let limits = read("wtime 300 btime -20 winc 10 binc 0 movestogo 40").expect("limits");
        let clock = GoClock {
            left: ByColor([Some(ms(300)), Some(ms(0))]),
            increment: ByColor([ms(10), ms(0)]),
            moves_to_go: NonZeroU32::new(40),
        };
        assert_eq!(limits.clock, Some(clock));
        let one = read("btime 9 movestogo 0").expect("limits").clock;
        let one = one.expect("a clock");
        assert_eq!(one.left, ByColor([None, Some(ms(9))]));
        assert_eq!(one.moves_to_go, None);
        assert_eq!(read("winc 10"), Ok(GoLimits::default()));
    }

    #[test]
    fn search_moves_end_with_the_first_word_that_is_none() {
        let limits = read("searchmoves a3b3 h0h0 depth 4").expect("limits");
        let actions: Vec<String> = limits.actions.iter().map(ToString::to_string).collect();
        assert_eq!(actions, ["d1-d2", "a8-a8"]);
        assert_eq!(limits.depth, Some(4));
        for bad in ["searchmoves", "searchmoves depth 4"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn unknown_words_are_passed_over_and_wrong_numbers_named() {
        let limits = read("fast mate 3 depth 2 depth 5 ponder").expect("limits");
        assert_eq!((limits.depth, limits.infinite), (Some(5), false));
        assert!(limits.ponder);
        for bad in [
            "depth x",
            "wtime soon",
            "movestogo -1",
            "movetime",
            "nodes 0",
        ] {
            let word = bad.split(' ').nth(1).unwrap_or_default();
            let told = read(bad).expect_err(bad);
            assert!(told.contains(&format!("'{word}'")), "{told}");
        }
    }
    #[test]
    fn times_have_decimals_and_what_cannot_be_read_is_left_out() {
        let ms = Duration::from_millis;
        let limits = read("wtime 4900.5 btime -3.5 winc 1e2 binc +7.9 movetime 12.75");
        let limits = limits.expect("limits");
        let clock = limits.clock.expect("a clock");
        assert_eq!(clock.left, ByColor([Some(ms(4_900)), Some(ms(0))]));
        assert_eq!(clock.increment, ByColor([ms(100), ms(7)]));
        assert_eq!(limits.movetime, Some(ms(12)));
        let words = [
            "wtime", "nan", "btime", "300", "movetime", "1e300", "depth", "9",
        ];
        let (limits, faults) = read_go(&words);
        assert_eq!((limits.movetime, limits.depth), (None, Some(9)));
        let clock = limits.clock.expect("a clock");
        assert_eq!(clock.left, ByColor([None, Some(ms(300))]));
        assert_eq!(faults.len(), 2, "{faults:?}");
    }
}
