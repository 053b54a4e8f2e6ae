//! Atomic replacement of a file.
//!
//! The content goes into a temporary file in the same folder, is synced to the
//! disk, and then renamed over the place. A reader sees the old file or the new
//! one. A process that is killed leaves its temporary file behind; the next one
//! that replaces the same file removes it. A temporary file stays locked as long
//! as its process lives, so no process removes one that is still being written.
//!
//! A symbolic link keeps its place and its target is replaced. Devices and
//! pipes such as `/dev/stdout` cannot be replaced and are written directly.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// The end of every temporary file's name.
const SUFFIX: &str = ".part";

/// A file being written; dropped without [publishing](NewFile::publish), it is removed.
///
/// # Examples
///
/// ```
/// use std::io::Write;
/// let folder = tempfile::tempdir()?;
/// let place = folder.path().join("report.txt");
/// let mut file = anqi_files::NewFile::create(&place)?;
/// file.write_all(b"two wins")?;
/// assert!(!place.exists());
/// file.publish()?;
/// assert_eq!(std::fs::read(&place)?, b"two wins");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct NewFile {
    out: Out,
}

#[derive(Debug)]
enum Out {
    Beside {
        file: BufWriter<NamedTempFile>,
        place: PathBuf,
    },
    /// The place is a device or a pipe.
    Direct(BufWriter<File>),
}

impl NewFile {
    /// Creates a temporary file beside `place` and removes those of killed processes.
    ///
    /// # Errors
    ///
    /// Fails if `place` is a folder, or its folder does not exist or cannot be written.
    pub fn create(place: &Path) -> io::Result<NewFile> {
        let place = resolved(place);
        match fs::metadata(&place) {
            Ok(found) if found.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
            }
            Ok(found) if !found.is_file() => {
                let file = File::options().write(true).open(&place)?;
                return Ok(NewFile {
                    out: Out::Direct(BufWriter::new(file)),
                });
            }
            _ => {}
        }
        let (folder, prefix) = (folder_of(&place), prefix_of(&place)?);
        remove_abandoned(&folder, &prefix);
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX);
        if let Some(permissions) = permissions(&place) {
            builder.permissions(permissions);
        }
        let file = builder.tempfile_in(&folder).map_err(without_path)?;
        // Without file locks only the protection from premature removal is lost.
        let _ = file.as_file().lock_shared();
        Ok(NewFile {
            out: Out::Beside {
                file: BufWriter::new(file),
                place,
            },
        })
    }

    /// Returns the temporary file's path; `None` if the place is written directly.
    pub fn temporary_path(&self) -> Option<&Path> {
        match &self.out {
            Out::Beside { file, .. } => Some(file.get_ref().path()),
            Out::Direct(_) => None,
        }
    }

    /// Syncs everything to the disk and puts the file in its place.
    ///
    /// # Errors
    ///
    /// Fails if the disk is full or the place cannot be replaced; the old file then stays.
    pub fn publish(self) -> io::Result<()> {
        match self.out {
            Out::Direct(mut file) => file.flush(),
            Out::Beside { file, place } => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                file.persist(place).map_err(|error| error.error)?;
                Ok(())
            }
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Out::Beside { file, .. } => file.write(bytes),
            Out::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::Beside { file, .. } => file.flush(),
            Out::Direct(file) => file.flush(),
        }
    }
}

impl Seek for NewFile {
    /// Moves to another offset; fails on a pipe.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.out {
            Out::Beside { file, .. } => file.seek(to),
            Out::Direct(file) => file.seek(to),
        }
    }
}

/// Replaces a file by this content atomically.
///
/// # Errors
///
/// Fails as [`NewFile::create`] and [`NewFile::publish`] do; the old file then stays.
pub fn replace(place: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = NewFile::create(place)?;
    file.write_all(content.as_ref())?;
    file.publish()
}

/// Takes the path of the temporary file, which `tempfile` puts behind the reason, out of an error:
/// callers name the place.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path \"") {
        Some((reason, _)) => io::Error::new(error.kind(), reason),
        None => error,
    }
}

/// The place behind symbolic links.
fn resolved(place: &Path) -> PathBuf {
    fs::canonicalize(place).unwrap_or_else(|_| place.to_owned())
}

fn folder_of(place: &Path) -> PathBuf {
    match place.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The prefix of the names of a place's temporary files.
fn prefix_of(place: &Path) -> io::Result<OsString> {
    let name = place
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "is no file name"))?;
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".");
    Ok(prefix)
}

/// The permissions of the file that is replaced, or those of any new file.
#[cfg(unix)]
fn permissions(place: &Path) -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    // The process's umask applies, as to every new file.
    let ordinary = || fs::Permissions::from_mode(0o666);
    Some(fs::metadata(place).map_or_else(|_| ordinary(), |found| found.permissions()))
}

/// Elsewhere a temporary file has ordinary permissions already.
#[cfg(not(unix))]
fn permissions(_: &Path) -> Option<fs::Permissions> {
    None
}

/// Removes the temporary files that killed processes left in a folder, for the places whose
/// names `of` accepts.
///
/// [`NewFile::create`] does so for one place; this is for places that are not written again.
pub fn remove_leftovers(folder: &Path, of: impl Fn(&str) -> bool) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if name.to_str().and_then(place_of).is_some_and(&of) && is_abandoned(&entry.path()) {
            // Left-over files are only untidy.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The name of the place of a temporary file.
fn place_of(temporary: &str) -> Option<&str> {
    let (place, _) = temporary
        .strip_prefix('.')?
        .strip_suffix(SUFFIX)?
        .rsplit_once('.')?;
    let prefix = prefix_of(Path::new(place)).ok()?;
    is_temporary(OsStr::new(temporary), &prefix).then_some(place)
}

/// Removes the temporary files of a place whose processes are gone.
fn remove_abandoned(folder: &Path, prefix: &OsStr) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        if is_temporary(&entry.file_name(), prefix) && is_abandoned(&entry.path()) {
            // Left-over files are only untidy.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a name is this prefix, six letters or digits, and the suffix.
fn is_temporary(name: &OsStr, prefix: &OsStr) -> bool {
    let (name, prefix) = (name.as_encoded_bytes(), prefix.as_encoded_bytes());
    let middle = name
        .strip_prefix(prefix)
        .and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
    middle.is_some_and(|m| m.len() == 6 && m.iter().all(u8::is_ascii_alphanumeric))
}

fn is_abandoned(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a.txt");
        replace(&place, "old").unwrap();
        let mut half = NewFile::create(&place).unwrap();
        half.write_all(b"ne").unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"old");
        drop(half);
        assert_eq!(names(folder.path()), ["a.txt"]);
        replace(&place, "new").unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"new");
    }

    #[test]
    fn a_header_can_be_filled_in_last() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a.txt");
        let mut file = NewFile::create(&place).unwrap();
        file.write_all(b"??wins").unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.write_all(b"2 ").unwrap();
        file.publish().unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"2 wins");
    }

    #[test]
    fn leftovers_of_killed_processes_go_and_files_in_work_stay() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a.txt");
        let working = NewFile::create(&place).unwrap();
        fs::write(folder.path().join(".a.txt.Ab3xYz.part"), "left").unwrap();
        fs::write(folder.path().join(".b.txt.Ab3xYz.part"), "another's").unwrap();
        fs::write(folder.path().join(".a.txt.notes.part"), "a person's").unwrap();
        replace(&place, "new").unwrap();
        let left = names(folder.path());
        assert!(working.temporary_path().unwrap().exists());
        assert!(!left.contains(&".a.txt.Ab3xYz.part".to_owned()), "{left:?}");
        assert!(left.contains(&".b.txt.Ab3xYz.part".to_owned()), "{left:?}");
        assert!(left.contains(&".a.txt.notes.part".to_owned()), "{left:?}");
    }

    #[test]
    fn leftovers_of_chosen_places_go() {
        let folder = tempfile::tempdir().unwrap();
        let working = NewFile::create(&folder.path().join("a.txt")).unwrap();
        for name in [".a.txt.Ab3xYz.part", ".b.txt.Ab3xYz.part", ".a.txt.part"] {
            fs::write(folder.path().join(name), "left").unwrap();
        }
        remove_leftovers(folder.path(), |place| place == "a.txt");
        let left = names(folder.path());
        assert_eq!(left.len(), 3, "{left:?}");
        assert!(working.temporary_path().unwrap().exists());
        assert!(!left.contains(&".a.txt.Ab3xYz.part".to_owned()), "{left:?}");
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error_before_anything_is_written() {
        let folder = tempfile::tempdir().unwrap();
        assert!(NewFile::create(&folder.path().join("no/such/file")).is_err());
        assert!(NewFile::create(folder.path()).is_err());
    }

    #[test]
    fn an_error_keeps_its_reason_and_never_names_the_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = NewFile::create(&folder.path().join("no/such/file")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        let missing = fs::read(folder.path().join("no/such/file")).unwrap_err();
        assert_eq!(error.to_string(), missing.to_string());
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_permissions_stay_and_devices_are_written_directly() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (place, link) = (folder.path().join("a"), folder.path().join("link"));
        fs::write(&place, "old").unwrap();
        fs::set_permissions(&place, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&place, &link).unwrap();
        replace(&link, "new").unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let mode = fs::metadata(&place).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        replace(Path::new("/dev/null"), "gone").unwrap();
    }
}
