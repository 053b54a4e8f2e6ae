//! The names of table files with face-down pieces.

use std::path::{Path, PathBuf};

use crate::classes::{Fit, Material, Unit};
use crate::facedown::MOST_PIECES;

/// Returns the name of a table's file.
pub fn name_of(unit: &Unit, hidden: usize) -> String {
    format!("{unit}.fd{hidden}")
}

/// Returns where a table is.
pub fn path_of(dir: &Path, unit: &Unit, hidden: usize) -> PathBuf {
    dir.join(name_of(unit, hidden))
}

/// Returns the unit and the number of face-down pieces in the name of a table's file.
pub(crate) fn hidden_name(name: &str) -> Option<(&'static Unit, usize)> {
    let (key, extension) = name.split_once('.')?;
    let hidden: usize = extension.strip_prefix("fd")?.parse().ok()?;
    let set: Material = key.parse().ok()?;
    if set.len() > MOST_PIECES as usize {
        return None;
    }
    let unit = Fit::of(&set).unit;
    let is_table = (1..unit.pieces()).contains(&hidden);
    (is_table && name_of(unit, hidden) == name).then_some((unit, hidden))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_keys_and_numbers_of_face_down_pieces() {
        let (unit, hidden) = hidden_name("KGgp.fd2").unwrap();
        assert_eq!((unit.to_string().as_str(), hidden), ("KGgp", 2));
        for name in [
            "GKgp.fd2",
            "KGgp",
            "KGgp.fd",
            "KGgp.fd0",
            "KGgp.fd4",
            "KGgp.fd02",
            "KG.fd1",
            "KGGMgg.fd1",
        ] {
            assert!(hidden_name(name).is_none(), "{name}");
        }
    }
}
