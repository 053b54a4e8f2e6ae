//! Exact fractions, for expectations that must not be rounded.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg};

/// A fraction in lowest terms, the sign in the numerator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fraction {
    numerator: i64,
    denominator: i64,
}

impl Fraction {
    /// Zero: a draw.
    pub const ZERO: Fraction = Fraction {
        numerator: 0,
        denominator: 1,
    };
    /// One: a win.
    pub const ONE: Fraction = Fraction {
        numerator: 1,
        denominator: 1,
    };

    /// Returns `numerator / denominator`.
    ///
    /// # Panics
    ///
    /// Panics if the denominator is not positive.
    pub fn new(numerator: i64, denominator: i64) -> Fraction {
        assert!(denominator > 0, "a denominator of {denominator}");
        let common = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()) as i64;
        Fraction {
            numerator: numerator / common,
            denominator: denominator / common,
        }
    }

    /// Returns the numerator in lowest terms.
    pub const fn numerator(self) -> i64 {
        self.numerator
    }

    /// Returns the denominator in lowest terms.
    pub const fn denominator(self) -> i64 {
        self.denominator
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

impl Neg for Fraction {
    type Output = Fraction;

    fn neg(self) -> Fraction {
        Fraction {
            numerator: -self.numerator,
            ..self
        }
    }
}

impl Add for Fraction {
    type Output = Fraction;

    fn add(self, other: Fraction) -> Fraction {
        let sum = self.numerator * other.denominator + other.numerator * self.denominator;
        Fraction::new(sum, self.denominator * other.denominator)
    }
}

impl Mul for Fraction {
    type Output = Fraction;

    fn mul(self, other: Fraction) -> Fraction {
        let product = self.numerator * other.numerator;
        Fraction::new(product, self.denominator * other.denominator)
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<Fraction> for f64 {
    fn from(fraction: Fraction) -> f64 {
        fraction.numerator as f64 / fraction.denominator as f64
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.denominator {
            1 => self.numerator.to_string(),
            _ => format!("{}/{}", self.numerator, self.denominator),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_reduced_ordered_and_printed() {
        assert_eq!(Fraction::new(4, 6).to_string(), "2/3");
        assert_eq!(Fraction::new(-3, 6).to_string(), "-1/2");
        assert_eq!(Fraction::new(0, 24), Fraction::ZERO);
        assert_eq!(Fraction::new(6, 6), Fraction::ONE);
        assert!(Fraction::new(-1, 2) < Fraction::new(-1, 3));
        let sum = Fraction::new(1, 6) + Fraction::new(1, 2);
        assert_eq!((sum, -sum), (Fraction::new(2, 3), Fraction::new(-2, 3)));
        assert_eq!(sum * Fraction::new(1, 2), Fraction::new(1, 3));
        assert_eq!(f64::from(Fraction::new(-3, 4)), -0.75);
    }
}
