//! A folder of tables: where a unit's files are, and locking the folder for a build.

use std::path::{Path, PathBuf};

use anqi_files::FolderLock;

use super::error::BuildError;
use super::metric::Metric;
use crate::classes::{Fit, Unit};

/// Returns where a unit's file is.
pub fn place(dir: &Path, unit: &Unit, metric: Metric) -> PathBuf {
    dir.join(format!("{unit}.{}", metric.name()))
}

/// How much of a folder a build writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildScope {
    /// Everything: no other build may run there.
    Whole,
    /// One unit: others may build other units beside it.
    Unit,
}

/// Locks a folder for a build and creates it if missing; a build of the whole folder also removes
/// what killed builds left.
///
/// # Errors
///
/// Fails if another process builds there, or the folder cannot be written.
pub fn lock(dir: &Path, scope: BuildScope) -> Result<FolderLock, BuildError> {
    match scope {
        BuildScope::Unit => FolderLock::share(dir).map_err(BuildError::Locked),
        BuildScope::Whole => {
            let lock = FolderLock::acquire(dir).map_err(BuildError::Locked)?;
            anqi_files::remove_leftovers(dir, |place| table_name(place).is_some());
            remove_old_leftovers(dir);
            Ok(lock)
        }
    }
}

/// Removes temporary files and folders with the names that versions up to 0.1.0 gave them.
fn remove_old_leftovers(dir: &Path) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(place) = name.to_str().and_then(|name| name.strip_suffix(".tmp")) else {
            continue;
        };
        // A leftover that cannot be removed does no harm.
        if table_name(place).is_some() {
            let _ = std::fs::remove_file(entry.path());
        } else if place.strip_suffix(".planes").and_then(unit_of).is_some() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// The unit and the metric in the name of a table file.
pub fn table_name(name: &str) -> Option<(&'static Unit, Metric)> {
    let (key, extension) = name.split_once('.')?;
    let metric = Metric::from_name(extension)?;
    Some((unit_of(key)?, metric))
}

/// The unit with this key.
fn unit_of(key: &str) -> Option<&'static Unit> {
    let unit = Fit::of(&key.parse().ok()?).unit;
    (unit.to_string() == key).then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tables_are_keys_and_metrics() {
        let (unit, metric) = table_name("KGgp.dtc").unwrap();
        assert_eq!((unit.to_string().as_str(), metric), ("KGgp", Metric::Dtc));
        for name in [
            "GKgp.dtc",
            "KGgp",
            "KGgp.dt",
            "KGgp.wdl.bak",
            ".wdl",
            "Pkg.wdl",
            "KG.wdl",
        ] {
            assert!(table_name(name).is_none(), "{name}");
        }
    }
}
