//! Times on the wire, in milliseconds.
//!
//! Servers send whole numbers, decimals (`5647.418022155762`) or exponents (`9e5`), as
//! their language prints a number. Fractions of a millisecond are dropped. A number that
//! 64 bits cannot hold, an infinity or a word is not a time.

use crate::command::CommandError;
use std::time::Duration;

/// Reads a time, which is not negative.
pub(crate) fn milliseconds(token: &str) -> Result<Duration, CommandError> {
    let wrong = || CommandError::argument(token, "a time in milliseconds (expected 0 or more)");
    let unsigned = token.strip_prefix('+').unwrap_or(token);
    magnitude(unsigned)
        .map(Duration::from_millis)
        .ok_or_else(wrong)
}

/// Reads a time left; a negative one, of an overdrawn clock, counts as zero.
pub(crate) fn time_left(token: &str) -> Result<Duration, CommandError> {
    let wrong = || CommandError::argument(token, "a time in milliseconds (expected a number)");
    match token.strip_prefix('-') {
        Some(overdrawn) => magnitude(overdrawn)
            .map(|_| Duration::ZERO)
            .ok_or_else(wrong),
        None => milliseconds(token).map_err(|_| wrong()),
    }
}

/// Returns whether a token is this negative whole number, written in any way.
pub(crate) fn is_minus(token: &str, number: u64) -> bool {
    token.strip_prefix('-').and_then(magnitude) == Some(number)
}

/// Reads a number without a sign and drops its fraction.
fn magnitude(text: &str) -> Option<u64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !are_digits(whole) || !are_digits(fraction) {
        return None;
    }
    let Some(exponent) = exponent else {
        // Exact, where a floating-point number would round.
        return if whole.is_empty() {
            Some(0)
        } else {
            whole.parse().ok()
        };
    };
    shifted(whole, fraction, exponent)
}

/// Reads digits before and after the point, moves the point by an exponent, and drops what is then the fraction.
fn shifted(whole: &str, fraction: &str, exponent: &str) -> Option<u64> {
    let size = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if size.is_empty() || !size.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut digits = whole.bytes().chain(fraction.bytes());
    if digits.clone().all(|digit| digit == b'0') {
        return Some(0);
    }
    // An exponent that no 64 bits hold moves the point beyond all digits.
    let size = size.parse().unwrap_or(i64::MAX);
    let sign = if exponent.starts_with('-') { -1 } else { 1 };
    let places = (whole.len() as i64).saturating_add(size.saturating_mul(sign));
    let mut number = 0_u64;
    for _ in 0..places {
        let digit = digits.next().map_or(0, |digit| u64::from(digit - b'0'));
        number = number.checked_mul(10)?.checked_add(digit)?;
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The first number of milliseconds that 64 bits cannot hold.
    const TOO_MANY: f64 = 18_446_744_073_709_551_616.0;

    #[test]
    fn times_have_decimals_exponents_and_signs() {
        let cases = [
            ("0", 0),
            ("6000", 6_000),
            ("+6000", 6_000),
            ("5647.418022155762", 5_647),
            ("4900.5", 4_900),
            (".9", 0),
            ("7.", 7),
            ("9e5", 900_000),
            ("9E+05", 900_000),
            ("5.6474e3", 5_647),
            ("1e-400", 0),
            ("18446744073709551615.9", u64::MAX),
        ];
        for (text, expected) in cases {
            let expected = Ok(Duration::from_millis(expected));
            assert_eq!(milliseconds(text), expected, "{text}");
            assert_eq!(time_left(text), expected, "{text}");
        }
        for overdrawn in ["-0", "-0.5", "-12", "-9999.0", "-1e3"] {
            assert_eq!(time_left(overdrawn), Ok(Duration::ZERO), "{overdrawn}");
            assert!(milliseconds(overdrawn).is_err(), "{overdrawn}");
        }
    }

    #[test]
    fn words_and_absurd_numbers_are_no_times() {
        let bad = [
            "",
            "+",
            "-",
            ".",
            "-.",
            "e5",
            ".e5",
            "1e",
            "1e+",
            "1e1.5",
            "1.2.3",
            "1,5",
            "0x10",
            "1_000",
            " 1",
            "--1",
            "+-1",
            "soon",
            "5647.4x",
            "inf",
            "-inf",
            "infinity",
            "nan",
            "-nan",
            "NaN",
            "1e300",
            "-1e300",
            "1e999999999999",
            "2e19",
            "18446744073709551616",
            "١٢",
        ];
        for text in bad {
            let told = time_left(text).expect_err(text).to_string();
            assert!(
                told.starts_with(&format!("'{text}' is not a time")),
                "{told}"
            );
            assert!(milliseconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_marker_is_known_however_its_number_is_written() {
        for text in ["-9999", "-9999.0", "-9.999e3", "-9999.000000"] {
            assert!(is_minus(text, 9_999), "{text}");
        }
        for text in ["9999", "-999", "-99990", "-", "-x"] {
            assert!(!is_minus(text, 9_999), "{text}");
        }
    }

    proptest! {
        #[test]
        fn printed_numbers_are_read_and_truncated(number in 0.0..1e15_f64) {
            let expected = Ok(Duration::from_millis(number as u64));
            prop_assert_eq!(milliseconds(&format!("{number}")), expected.clone());
            prop_assert_eq!(milliseconds(&format!("{number:?}")), expected.clone());
            prop_assert_eq!(milliseconds(&format!("{number:e}")), expected.clone());
            prop_assert_eq!(time_left(&format!("+{number}")), expected);
            prop_assert_eq!(time_left(&format!("-{number}")), Ok(Duration::ZERO));
        }

        #[test]
        fn whole_numbers_are_exact(number: u64) {
            let expected = Ok(Duration::from_millis(number));
            prop_assert_eq!(milliseconds(&number.to_string()), expected.clone());
            prop_assert_eq!(milliseconds(&format!("{number}.75")), expected);
        }

        #[test]
        fn any_text_is_a_time_or_is_refused(text in "[-+.0-9eEinfa ]{0,12}") {
            // What the standard library reads as a number of that size, and nothing else.
            let number = text.parse::<f64>().ok().filter(|number| number.abs() < TOO_MANY);
            let read = time_left(&text).ok();
            prop_assert_eq!(read.is_some(), number.is_some());
            if let (Some(read), Some(number)) = (read, number.filter(|n| n.abs() < 1e15)) {
                prop_assert_eq!(read.as_millis() as f64, number.max(0.0).trunc());
            }
        }
    }
}
