//! Exact values of endings with face-down pieces.
//!
//! A face-down piece can neither move nor be captured, so between two captures or
//! flips its square and the bag stay as they are: a *phase* ([`PhaseKey`]). Inside
//! a phase there is no chance and no end without an exit, and endless play is a
//! draw. A capture leads to a phase with one piece fewer; a flip leads to one of
//! several phases with one piece fewer face down, each as likely as its kind is
//! frequent in the bag.
//!
//! **Every value is a multiple of 1/h!** for h pieces face down. With none, it is
//! -1, 0 or 1. A value is that of some exit, or 0 ([`levels`] says why). A capture
//! leaves h as it is. A flip is worth the sum over the kinds of count × value,
//! divided by h; the values are multiples of 1/(h - 1)! by induction, so the flip
//! is worth a multiple of 1/(h · (h - 1)!) = 1/h!. Counted in units of 1/h! it is
//! the plain sum, without a division. With h = 1 the bag names the piece, and
//! 1/1! = 1 says the same. Up to h = 5 there are 241 levels: one byte.
//!
//! [`Endings`] solves phases on the spot, position by position, and caches them. [`UnitSolver`] solves
//! all phases of a unit, 1,024 positions at a time; the two share neither numbering, exits nor rounds,
//! and the tests compare them. `crate::slow` holds a third solver that knows nothing of phases.

mod block_levels;
mod division;
mod endings;
mod exit_rows;
mod exits;
mod face_up;
mod key;
mod levels;
mod numbering;
mod phase;
mod placement;
#[cfg(test)]
mod plain;
mod rated;
#[cfg(feature = "os")]
mod report;
mod slots;
mod stored;
mod unit;
mod unpacked;

pub(crate) use division::{PhaseFit, groups_of_key};
pub use endings::{Endings, Expectation, Refused};
pub use key::MOST_PIECES;
pub(crate) use numbering::{DivisionIndex, PhaseReader};
pub(crate) use phase::whole;
pub use rated::{FlipOutcome, RatedAction, rated_by_expectation};
#[cfg(feature = "os")]
pub use report::{Report, unlimited};
pub(crate) use stored::UnitValues;
pub(crate) use unit::{AfterFlips, UnitSolver, after_captures};

unstable!(pub use division::{example});
unstable!(pub use endings::{KeptExpectations});
unstable!(pub use key::{PhaseKey});
unstable!(pub use numbering::{HiddenIndex});

#[cfg(test)]
mod tests;
