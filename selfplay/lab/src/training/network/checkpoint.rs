//! The state of training, saved after every epoch.
//!
//! | bytes | holds |
//! |---|---|
//! | 0–7 | `anqi-trn` |
//! | 8–11 | version, 1 |
//! | 12–15 | length of the text that describes the data and settings |
//! | 16–19 | epochs done |
//! | 20–23 | filters |
//! | 24–31 | steps of the optimiser |
//! | 32– | the text, then the model's numbers, their mean gradients and mean squared gradients, four bytes each |
//! | last 4 | CRC-32 of everything before |
//!
//! Numbers are little-endian. Training resumes from a checkpoint only if its text is the same.

use std::io;
use std::path::Path;

use super::adam::Adam;
use super::model::{Layout, Model};
use super::trainer::TrainingProgress;

const MAGIC: &[u8; 8] = b"anqi-trn";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 32;
/// Size limit of a checkpoint in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// Why training cannot resume from a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// It is something else, or damaged.
    #[error("is not a checkpoint of this program, or is damaged; remove it to start again")]
    Damaged,
    /// It was made by another command.
    #[error(
        "is the checkpoint of another training; remove it or name another.\n  It has:  {found}\n  Expected: {expected}"
    )]
    Other {
        /// What it was made by.
        found: String,
        /// The current training.
        expected: String,
    },
}

/// Reads a checkpoint of the training that this text describes, `None` if there is none.
///
/// # Errors
///
/// Fails if there is one that is damaged or of another training.
pub fn read(path: &Path, training: &str) -> Result<Option<TrainingProgress>, CheckpointError> {
    let bytes = match anqi_files::read_limited(path, MOST_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    let (found, progress) = parse(&bytes).ok_or(CheckpointError::Damaged)?;
    if found != training {
        return Err(CheckpointError::Other {
            found,
            expected: training.to_owned(),
        });
    }
    Ok(Some(progress))
}

/// Writes a checkpoint; a process killed meanwhile leaves the previous one.
///
/// # Errors
///
/// Fails if it cannot be written.
pub fn write(path: &Path, training: &str, progress: &TrainingProgress) -> io::Result<()> {
    let mut bytes = MAGIC.to_vec();
    for number in [
        VERSION,
        training.len() as u32,
        progress.epochs,
        progress.model.layout().filters as u32,
    ] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(progress.adam.steps.to_le_bytes());
    bytes.extend(training.as_bytes());
    let Adam { means, squares, .. } = &progress.adam;
    for numbers in [&progress.model.numbers, means, squares] {
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    anqi_files::replace(path, bytes)
}

fn parse(bytes: &[u8]) -> Option<(String, TrainingProgress)> {
    let (content, checksum) = bytes.split_last_chunk::<4>()?;
    let (header, rest) = content.split_first_chunk::<HEADER_BYTES>()?;
    let word = |place: usize| u32::from_le_bytes(std::array::from_fn(|i| header[place + i]));
    let is_whole = crc32fast::hash(content) == u32::from_le_bytes(*checksum);
    if !is_whole || !header.starts_with(MAGIC) || word(8) != VERSION {
        return None;
    }
    let (text, numbers) = rest.split_at_checked(word(12) as usize)?;
    let layout = Layout {
        filters: word(20) as usize,
    };
    let (numbers, _) = numbers.as_chunks::<4>();
    let numbers: Vec<f32> = numbers
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect();
    if numbers.len() != 3 * layout.numbers() {
        return None;
    }
    let mut parts = numbers.chunks_exact(layout.numbers()).map(<[f32]>::to_vec);
    let model = Model::with_numbers(layout.filters, parts.next()?)?;
    let adam = Adam {
        steps: u64::from(word(24)) | u64::from(word(28)) << 32,
        means: parts.next()?,
        squares: parts.next()?,
    };
    let progress = TrainingProgress {
        epochs: word(16),
        model,
        adam,
    };
    Some((String::from_utf8(text.to_vec()).ok()?, progress))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::network::trainer::TrainSettings;

    const SETTINGS: TrainSettings = TrainSettings {
        filters: 4,
        epochs: 2,
        curve: anqi_search::evaluation::Curve::Ratio,
        batch: 64,
        rate: 0.01,
        seed: 1,
    };

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("checkpoint");
        assert!(read(&path, "this").expect("there is none").is_none());
        let mut progress = TrainingProgress::start(&SETTINGS);
        progress.epochs = 1;
        progress.adam.steps = 1 << 40;
        write(&path, "this", &progress).expect("written");
        assert_eq!(read(&path, "this").expect("whole"), Some(progress));
        let other = read(&path, "that")
            .expect_err("another training")
            .to_string();
        assert!(other.contains("another training"), "{other}");
        let whole = std::fs::read(&path).expect("there");
        for length in [0, 20, 100, whole.len() - 1] {
            std::fs::write(&path, &whole[..length]).expect("writable");
            let error = read(&path, "this").expect_err("damaged");
            assert!(matches!(error, CheckpointError::Damaged), "{length}");
        }
    }
}
