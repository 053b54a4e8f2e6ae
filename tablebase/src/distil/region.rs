//! Passing the stored values of one region through a port: the same walk writes and reads.

use super::coder::Port;
use super::lattice::{Lattice, Scheme};
use super::model::{Model, NONE};

/// Passes the values of a region through a port and leaves them in `values` by number, [`NONE`]
/// where nothing is stored.
pub(crate) fn pass(
    lattice: &Lattice,
    scheme: &Scheme,
    region: usize,
    model: &mut Model,
    port: &mut impl Port,
    values: &mut Vec<u8>,
) {
    values.clear();
    values.resize(lattice.region_len(), NONE);
    lattice.rows(region, |row| {
        let sight = lattice.sight(row);
        lattice.stored(row, scheme, |code, _| {
            let (near, place) = sight.see(code, values);
            values[row.base + code] = model.value(&near, place, port);
        });
    });
}
