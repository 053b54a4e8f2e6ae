//! Locks on folders, between processes.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The file that is locked in place of the folder.
const LOCK_FILE: &str = ".lock";

/// A lock on a folder, exclusive or shared, held until it is dropped.
///
/// The operating system releases the lock when the process ends, however it
/// ends; the file stays and has no other meaning.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

/// Why a folder cannot be locked.
#[derive(Debug)]
pub enum LockError {
    /// Another process holds the lock.
    InUse(PathBuf),
    /// The lock file cannot be made.
    File(PathBuf, io::Error),
}

impl std::fmt::Display for LockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LockError::InUse(folder) => {
                write!(f, "{}: in use by another process", folder.display())
            }
            LockError::File(folder, error) => write!(f, "{}: {error}", folder.display()),
        }
    }
}

impl std::error::Error for LockError {}

impl FolderLock {
    /// Locks a folder exclusively; it is made if it does not exist.
    ///
    /// # Errors
    ///
    /// Fails if another process holds the lock, or the folder cannot be written.
    pub fn acquire(folder: &Path) -> Result<FolderLock, LockError> {
        FolderLock::lock(folder, File::try_lock)
    }

    /// Takes a shared lock on a folder; it is made if it does not exist.
    ///
    /// # Errors
    ///
    /// Fails if another process holds an exclusive lock, or the folder cannot be written.
    pub fn share(folder: &Path) -> Result<FolderLock, LockError> {
        FolderLock::lock(folder, File::try_lock_shared)
    }

    fn lock(
        folder: &Path,
        try_lock: impl FnOnce(&File) -> Result<(), TryLockError>,
    ) -> Result<FolderLock, LockError> {
        let fail = |error| LockError::File(folder.to_owned(), error);
        fs::create_dir_all(folder).map_err(fail)?;
        let place = folder.join(LOCK_FILE);
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(place)
            .map_err(fail)?;
        match try_lock(&file) {
            Ok(()) => Ok(FolderLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(LockError::InUse(folder.to_owned())),
            Err(TryLockError::Error(error)) => Err(fail(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_lock_waits_for_the_first_to_go() {
        let folder = tempfile::tempdir().unwrap();
        let first = FolderLock::acquire(folder.path()).unwrap();
        let second = FolderLock::acquire(folder.path());
        assert!(matches!(second, Err(LockError::InUse(_))));
        drop(first);
        FolderLock::acquire(folder.path()).unwrap();
    }

    #[test]
    fn shared_locks_keep_an_exclusive_one_out() {
        let folder = tempfile::tempdir().unwrap();
        let shared = [(); 2].map(|()| FolderLock::share(folder.path()).unwrap());
        assert!(FolderLock::acquire(folder.path()).is_err());
        drop(shared);
        let _alone = FolderLock::acquire(folder.path()).unwrap();
        assert!(FolderLock::share(folder.path()).is_err());
    }
}
