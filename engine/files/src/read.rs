//! Reading foreign files: only regular files, only up to a size.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file.
///
/// # Errors
///
/// Fails if it is a folder, a pipe or a device: opening a pipe might wait
/// indefinitely for a writer.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let found = fs::metadata(path)?;
    if found.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
    }
    if !found.is_file() {
        let message = "is no regular file (a pipe or a device)";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    File::open(path)
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
///
/// Fails as [`open_regular`] does, or if the file is larger.
pub fn read_limited(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("is larger than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Reads a regular file of at most `most` bytes as text.
///
/// # Errors
///
/// Fails as [`read_limited`] does, or if the bytes are not UTF-8.
pub fn read_text_limited(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read_limited(path, most)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "is not UTF-8 text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_hold_to_the_byte() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_limited(&path, 5).unwrap(), b"12345");
        assert!(read_limited(&path, 4).is_err());
        fs::write(&path, [0xff]).unwrap();
        assert!(read_text_limited(&path, 4).is_err());
        assert!(read_limited(folder.path(), 9).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_refused() {
        assert!(read_limited(Path::new("/dev/null"), 9).is_err());
    }
}
