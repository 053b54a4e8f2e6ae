//! Numbers as people read them.

use crate::side::Side;
use crate::statistics::elo::{self, EloEstimate};
use crate::statistics::moments::Estimate;
use crate::statistics::pentanomial::Pentanomial;
use crate::summary::Summary;

/// An advantage ratio goes from 0 to 4 where a mean score goes from 0 to 1.
const RATIO_PER_SCORE: f64 = 4.0;

/// Stands for an unknown figure.
pub const UNKNOWN: &str = "–";

/// Writes a number with this many decimals, with a true minus sign.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let is_zero = !text.contains(|c: char| c.is_ascii_digit() && c != '0');
    match text.strip_prefix('-') {
        Some(digits) if is_zero => digits.to_owned(),
        Some(digits) => format!("−{digits}"),
        None => text,
    }
}

/// Writes a number that may be unknown.
pub fn optional(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), |value| fixed(value, decimals))
}

/// Writes a value and its error; an error of zero comes from values that are all alike and is
/// left out.
pub fn with_error(value: Option<f64>, error: Option<f64>, decimals: usize) -> String {
    match (value, error) {
        (None, _) => UNKNOWN.to_owned(),
        (Some(value), None | Some(0.0)) => fixed(value, decimals),
        (Some(value), Some(error)) => {
            format!("{} ± {}", fixed(value, decimals), fixed(error, decimals))
        }
    }
}

/// Writes a difference in Elo and half its interval, without decimals.
pub fn elo_estimate(estimate: Option<EloEstimate>) -> String {
    with_error(estimate.map(|e| e.elo), estimate.and_then(|e| e.error), 0)
}

/// Writes a mean and its standard error.
pub(crate) fn estimate(estimate: Option<Estimate>, decimals: usize) -> String {
    let error = estimate.and_then(|e| e.standard_error);
    with_error(estimate.map(|e| e.mean), error, decimals)
}

/// Writes the advantage ratio of a side of a match, as [`ratio`] does.
pub(crate) fn advantage_ratio(summary: &Summary, side: Side) -> String {
    let pairs = match side {
        Side::A => summary.pentanomial,
        Side::B => summary.pentanomial.of_opponent(),
    };
    ratio(summary.table.advantage_ratio(side), &pairs, 3)
}

/// Writes an advantage ratio over these pairs with its standard error: `2.65 ± 0.10`. Pairs that
/// all ended alike give 95 % bounds instead: `above 2.197`, `below 1.803` or `1.098 to 2.902`.
pub fn ratio(ratio: Option<f64>, pairs: &Pentanomial, decimals: usize) -> String {
    let scaled = |score: f64| fixed(RATIO_PER_SCORE * score, decimals);
    match pairs.interval_without_spread() {
        Some([low, 1.0]) => format!("above {}", scaled(low)),
        Some([0.0, high]) => format!("below {}", scaled(high)),
        Some([low, high]) => format!("{} to {}", scaled(low), scaled(high)),
        None => {
            let error = pairs.standard_error().map(|error| RATIO_PER_SCORE * error);
            with_error(ratio, error, decimals)
        }
    }
}

/// Returns what stands between the name of an advantage ratio and the figure: a bound is not
/// equal to it.
pub(crate) fn ratio_sign(pairs: &Pentanomial) -> &'static str {
    match pairs.interval_without_spread() {
        Some(_) => "",
        None => "= ",
    }
}

/// Says what a line of advantage ratios means.
pub(crate) fn ratio_note(pairs: &Pentanomial) -> &'static str {
    match pairs.interval_without_spread() {
        Some(_) => "2 is equal; all pairs ended alike: the 95 % bound that their number allows",
        None => "2 is equal, both views sum to 4; ± one standard error",
    }
}

/// Writes a difference in Elo with its 95 % interval: `12 ± 30`, or its one bound if the other
/// end of the interval is infinite.
pub fn elo(pairs: &Pentanomial, decimals: usize) -> String {
    let bound = elo::interval(pairs).and_then(|ends| match (ends.low, ends.high) {
        (Some(low), None) => Some(format!("above {}", fixed(low, decimals))),
        (None, Some(high)) => Some(format!("below {}", fixed(high, decimals))),
        _ => None,
    });
    let estimate = elo::logistic(pairs);
    let value = with_error(
        estimate.map(|e| e.elo),
        estimate.and_then(|e| e.error),
        decimals,
    );
    match (estimate, bound) {
        (None, Some(bound)) => bound,
        (Some(_), Some(bound)) => format!("{value}, {bound}"),
        (_, None) => value,
    }
}

/// Writes a count, from five digits on with commas between groups of three.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Truncates a name that is longer than a width.
pub fn shortened(name: &str, width: usize) -> String {
    if name.chars().count() <= width {
        return name.to_owned();
    }
    name.chars().take(width - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_without_spread_is_a_bound() {
        let all = |counts, value| ratio(Some(value), &Pentanomial(counts), 3);
        assert_eq!(all([0, 0, 0, 0, 5], 4.0), "above 2.197");
        assert_eq!(all([5, 0, 0, 0, 0], 0.0), "below 1.803");
        assert_eq!(all([0, 0, 5, 0, 0], 2.0), "1.099 to 2.901");
        assert_eq!(all([0, 0, 0, 0, 1], 4.0), "above 0.200");
        assert_eq!(all([0, 0, 0, 1, 4], 3.8), "3.800 ± 0.200");
        assert_eq!(ratio(None, &Pentanomial::default(), 3), UNKNOWN);
        assert_eq!(with_error(Some(0.5), Some(0.0), 3), "0.500");
    }

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(fixed(-1.256, 2), "−1.26");
        assert_eq!(fixed(-0.001, 2), "0.00");
        assert_eq!(with_error(Some(2.65), Some(0.1), 2), "2.65 ± 0.10");
        assert_eq!(optional(None, 1), UNKNOWN);
        assert_eq!(elo(&Pentanomial([5, 6, 8, 4, 2]), 0), "−56 ± 87");
        assert_eq!(elo(&Pentanomial([0, 0, 0, 0, 10]), 0), "above 183");
        assert_eq!(elo(&Pentanomial([10, 0, 0, 0, 0]), 0), "below −183");
        assert_eq!(elo(&Pentanomial([0, 0, 0, 1, 9]), 0), "636, above 439");
        assert_eq!(elo(&Pentanomial::default(), 0), UNKNOWN);
        assert_eq!(elo(&Pentanomial([0, 0, 5, 0, 0]), 0), "0 ± 169");
        assert_eq!(count(1234), "1234");
        assert_eq!(count(1_234_567), "1,234,567");
    }
}
