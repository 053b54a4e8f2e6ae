//! Records that a command reads from a file or from standard input.

use super::UsageError;
use anyhow::Context;
use std::io::{self, Read};
use std::path::Path;

/// Reads a file of at most this many bytes, `-` for standard input; returns its name too.
pub fn read(path: &Path, most_bytes: u64) -> anyhow::Result<(String, Vec<u8>)> {
    let name = path.display().to_string();
    let bytes = match name.as_str() {
        "-" => {
            let mut bytes = Vec::new();
            io::stdin().take(most_bytes + 1).read_to_end(&mut bytes)?;
            bytes
        }
        _ => anqi_files::read_limited(path, most_bytes).with_context(|| name.clone())?,
    };
    if bytes.len() as u64 > most_bytes {
        return Err(UsageError(format!("{name} is larger than {most_bytes} bytes")).into());
    }
    Ok((name, bytes))
}
