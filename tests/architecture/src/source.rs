//! The files of one crate, without test code.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::mask::masked;

/// One file: its module path and its masked text without tests.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// The path below the workspace, with slashes.
    pub path: String,
    /// The names of the modules from the crate's root to this file.
    pub module: Vec<String>,
    /// Which target of the crate it belongs to: its root's path.
    pub target: String,
    /// How many lines it has without the tests at its end.
    pub lines: usize,
    /// Masked text with items behind `#[cfg(test)]` blanked.
    pub code: String,
}

/// Reads every file that a root module (`lib.rs`, `main.rs`, a program) declares, tests left out.
pub fn sources_of(root: &Path, folder: &str) -> Vec<SourceFile> {
    let mut sources = Vec::new();
    for target in targets(&root.join(folder)) {
        read_module(
            root,
            &target,
            &path_text(root, &target),
            Vec::new(),
            true,
            &mut sources,
        );
    }
    sources
}

/// Reads every TypeScript file below a folder: its path and its text.
pub fn scripts_of(root: &Path, folder: &str) -> Vec<(String, String)> {
    let mut scripts = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).expect("a folder of the repository");
        for entry in entries.flatten() {
            let path = entry.path();
            let is_script = path
                .extension()
                .is_some_and(|end| end == "ts" || end == "tsx");
            if path.is_dir() {
                folders.push(path);
            } else if is_script {
                let text = fs::read_to_string(&path).expect("a source file");
                scripts.push((path_text(root, &path), text));
            }
        }
    }
    scripts.sort();
    scripts
}

fn path_text(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    below.to_string_lossy().replace('\\', "/")
}

/// The root files of a crate's library and programs.
fn targets(folder: &Path) -> Vec<PathBuf> {
    let mut targets = vec![folder.join("src/lib.rs"), folder.join("src/main.rs")];
    for entry in fs::read_dir(folder.join("src/bin"))
        .into_iter()
        .flatten()
        .flatten()
    {
        let path = entry.path();
        targets.push(if path.is_dir() {
            path.join("main.rs")
        } else {
            path
        });
    }
    targets.retain(|path| path.is_file());
    targets.sort();
    targets
}

fn read_module(
    root: &Path,
    file: &Path,
    target: &str,
    module: Vec<String>,
    owns_folder: bool,
    sources: &mut Vec<SourceFile>,
) {
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let code = without_tests(&masked(&text));
    let folder = match owns_folder {
        true => file.with_file_name(""),
        false => file.with_extension(""),
    };
    for child in children(&code) {
        let mut path = module.clone();
        path.push(child.clone());
        let flat = folder.join(format!("{child}.rs"));
        let nested = folder.join(&child).join("mod.rs");
        match (flat.is_file(), nested.is_file()) {
            (true, _) => read_module(root, &flat, target, path, false, sources),
            (_, true) => read_module(root, &nested, target, path, true, sources),
            _ => panic!("{}: no file for `mod {child};`", file.display()),
        }
    }
    let lines = code.trim_end().lines().count();
    let (path, target) = (path_text(root, file), target.to_owned());
    sources.push(SourceFile {
        path,
        module,
        target,
        lines,
        code,
    });
}

/// The names in the file's `mod name;` lines.
pub fn children(code: &str) -> Vec<String> {
    let name = |line: &str| {
        let line = line.trim().strip_suffix(';')?;
        let declared = line.split_once("mod ").filter(|(before, _)| {
            before.is_empty() || (before.starts_with("pub") && before.ends_with(' '))
        })?;
        Some(declared.1.trim().to_owned())
    };
    code.lines().filter_map(name).collect()
}

/// Blanks every item behind `#[cfg(test)]`, alone or combined with other conditions.
pub fn without_tests(code: &str) -> String {
    let mut out = code.as_bytes().to_vec();
    let alone = code.match_indices("#[cfg(test)]");
    for (at, _) in alone.chain(code.match_indices("#[cfg(all(test,")) {
        let attribute = code[at..].find(")]").map_or(code.len(), |end| at + end + 2);
        let end = item_end(code, attribute);
        for byte in &mut out[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns where the item that begins at `from` ends: after its `;` or its closing brace.
pub fn item_end(code: &str, from: usize) -> usize {
    let (mut depth, mut brackets) = (0_i32, 0_i32);
    for (at, byte) in code.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' => brackets += 1,
            b')' | b']' => brackets -= 1,
            b'{' => depth += 1,
            b'}' if depth <= 1 => return at + 1,
            b'}' => depth -= 1,
            b';' if depth == 0 && brackets == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// Returns the sources of one target by module path.
pub fn by_module<'a>(
    sources: &'a [SourceFile],
    target: &str,
) -> BTreeMap<&'a [String], &'a SourceFile> {
    let of_target = sources.iter().filter(|source| source.target == target);
    of_target
        .map(|source| (source.module.as_slice(), source))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_left_out_wherever_they_stand() {
        let code = "mod a;\n#[cfg(all(test, unix))]\nmod tests;\nfn f() {}\n#[cfg(test)]\nmod tests { fn g() { [0; 2] } }\nfn h() {}";
        let left = without_tests(code);
        assert_eq!(
            left.split_whitespace().collect::<Vec<_>>().join(" "),
            "mod a; fn f() {} fn h() {}"
        );
        assert_eq!(left.lines().count(), code.lines().count());
        assert_eq!(children(&left), ["a"]);
    }

    #[test]
    fn modules_are_found_under_any_visibility() {
        assert_eq!(
            children("mod a;\npub mod b;\npub(crate) mod c;\nmod d {\n// mod\n}"),
            ["a", "b", "c"]
        );
    }
}
