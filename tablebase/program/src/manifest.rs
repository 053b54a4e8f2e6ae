//! `tablebase manifest`: the hashes of all files of a directory, to compare builds by.
//!
//! A line holds the BLAKE3 hash of a file and its name, in the form that
//! `b3sum` writes and checks. `tablebase verify --manifest` compares.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use anqi_tablebase::file::table_name;
use anqi_tablebase::probe::units_in;
use anyhow::{Context, bail};
use rayon::prelude::*;

/// Options of `tablebase manifest`.
#[derive(clap::Args)]
pub struct Args {
    /// Directory of the tables
    dir: PathBuf,
}

/// Prints the manifest: smaller units first, in the order of the files' names.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let units = units_in(&args.dir)?;
    if units.is_empty() {
        bail!("{}: no table files here", args.dir.display());
    }
    let mut files: Vec<(usize, &PathBuf)> = units
        .iter()
        .flat_map(|(unit, files)| files.iter().map(|file| (unit.pieces(), file)))
        .collect();
    files.sort();
    let lines: Vec<anyhow::Result<String>> = files
        .par_iter()
        .map(|(_, file)| Ok(format!("{}  {}", hash(file)?, name_of(file))))
        .collect();
    for line in lines {
        println!("{}", line?);
    }
    Ok(())
}

fn name_of(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn hash(file: &Path) -> anyhow::Result<String> {
    let mut reader = anqi_files::open_regular(file).with_context(|| file.display().to_string())?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let len = reader
            .read(&mut buffer)
            .with_context(|| file.display().to_string())?;
        if len == 0 {
            return Ok(hasher.finalize().to_hex().to_string());
        }
        hasher.update(&buffer[..len]);
    }
}

/// Most bytes of a manifest that are read: some 800,000 lines.
const MOST_BYTES: u64 = 64 << 20;

/// The hashes that files should have.
pub struct Manifest {
    path: PathBuf,
    hashes: BTreeMap<String, String>,
}

impl Manifest {
    /// Reads a manifest.
    pub fn read(path: &Path) -> anyhow::Result<Manifest> {
        let text = anqi_files::read_text_limited(path, MOST_BYTES)
            .with_context(|| path.display().to_string())?;
        let mut hashes = BTreeMap::new();
        for (number, line) in text.lines().enumerate() {
            let at = || format!("{}, line {}", path.display(), number + 1);
            let Some((hash, name)) = line.split_once("  ") else {
                bail!("{}: expected a hash, two spaces and a file's name", at());
            };
            if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                bail!("{}: {hash:?} is no BLAKE3 hash", at());
            }
            if table_name(name).is_none() {
                bail!("{}: {name:?} is not the name of a table file", at());
            }
            if hashes
                .insert(name.to_owned(), hash.to_ascii_lowercase())
                .is_some()
            {
                bail!("{}: {name} stands there twice", at());
            }
        }
        let path = path.to_owned();
        Ok(Manifest { path, hashes })
    }

    /// Compares the files of a directory, and returns how many agree with the manifest.
    ///
    /// Files that the manifest does not name are ignored, and so are names without a file: a
    /// directory may hold more or fewer pieces.
    pub fn compare(&self, files: &[PathBuf]) -> anyhow::Result<usize> {
        let results: Vec<anyhow::Result<Option<String>>> =
            files.par_iter().map(|file| self.complaint(file)).collect();
        let (mut named, mut different) = (0, 0);
        for (file, result) in files.iter().zip(results) {
            named += usize::from(self.hashes.contains_key(&name_of(file)));
            if let Some(complaint) = result? {
                eprintln!("{complaint}");
                different += 1;
            }
        }
        if different > 0 {
            bail!("{different} files are not as {} says", self.path.display());
        }
        Ok(named)
    }

    fn complaint(&self, file: &Path) -> anyhow::Result<Option<String>> {
        let Some(expected) = self.hashes.get(&name_of(file)) else {
            return Ok(None);
        };
        let found = hash(file)?;
        Ok((found != *expected).then(|| {
            format!(
                "{}: its hash is {found}, {expected} was expected",
                file.display()
            )
        }))
    }
}
