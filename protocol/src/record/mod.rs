//! Game records of the tournament platform.
