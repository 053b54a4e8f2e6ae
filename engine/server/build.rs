//! Embeds the page: compresses every file below `engine/web/dist` and writes the list
//! that `src/assets.rs` includes.
//!
//! The bundle is committed, so building the program needs only cargo. Files are
//! compressed once, here, and never while serving.

#[cfg(feature = "page")]
mod page {
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::fmt::Write as _;
    use std::fs;
    use std::io::{self, Write};
    use std::path::{Path, PathBuf};

    pub fn embed() -> io::Result<()> {
        let root = Path::new("../web/dist");
        println!("cargo::rerun-if-changed=../web/dist");
        let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
        let mut files = Vec::new();
        list(root, &mut files)?;
        files.sort();
        let mut code = String::from("&[\n");
        for (index, file) in files.iter().enumerate() {
            let plain = fs::read(file)?;
            let zipped = out.join(format!("asset{index}.gz"));
            let mut encoder = GzEncoder::new(fs::File::create(&zipped)?, Compression::best());
            encoder.write_all(&plain)?;
            encoder.finish()?;
            fs::write(out.join(format!("asset{index}")), &plain)?;
            let path = file.strip_prefix(root).map_err(io::Error::other)?;
            // Paths relative to this list still work in a build folder that was moved.
            writeln!(
                code,
                "    Asset {{ path: {path:?}, plain: include_bytes!(\"asset{index}\"), zipped: include_bytes!(\"asset{index}.gz\"), tag: \"{}\" }},",
                &blake3::hash(&plain).to_hex()[..16],
            )
            .map_err(io::Error::other)?;
        }
        code.push(']');
        fs::write(out.join("assets.rs"), code)
    }

    fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                list(&path, files)?;
            } else {
                files.push(path);
            }
        }
        Ok(())
    }
}

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "page")]
    page::embed()?;
    Ok(())
}
