//! What distances count.

/// A kind of distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Distance {
    /// Plies to the next capture or to the end.
    ToCapture,
    /// Plies to the end.
    ToEnd,
}
