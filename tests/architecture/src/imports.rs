//! Which file of a crate uses which.
//!
//! A path is followed from module to module, through re-exports (`pub use`), to the file that holds the item. A
//! re-export is not a use: doors (`mod.rs` with re-exports) make no circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{SourceFile, by_module, children};

/// An arrow from the file that uses to the file that is used.
pub type Arrow = (String, String);

/// Returns all arrows between different files of one crate.
pub fn arrows(sources: &[SourceFile]) -> BTreeSet<Arrow> {
    let targets: BTreeSet<&str> = sources
        .iter()
        .map(|source| source.target.as_str())
        .collect();
    targets
        .into_iter()
        .flat_map(|target| {
            let modules = Modules::of(sources, target);
            let of_target = sources.iter().filter(move |source| source.target == target);
            of_target
                .flat_map(move |source| modules.used_by(source))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// The modules of one target, each with its re-exports.
struct Modules<'a> {
    files: BTreeMap<&'a [String], &'a SourceFile>,
    passed_on: BTreeMap<&'a [String], Vec<Vec<String>>>,
}

impl<'a> Modules<'a> {
    fn of(sources: &'a [SourceFile], target: &str) -> Self {
        let files = by_module(sources, target);
        let passed_on = files
            .iter()
            .map(|(module, source)| {
                let statements = statements(&source.code);
                let public = statements.into_iter().filter(|(public, _)| *public);
                (
                    *module,
                    public.flat_map(|(_, tree)| leaves(&tree)).collect(),
                )
            })
            .collect();
        Modules { files, passed_on }
    }

    fn used_by(&self, source: &SourceFile) -> Vec<Arrow> {
        let uses = statements(&source.code)
            .into_iter()
            .filter(|(public, _)| !public);
        let mut paths: Vec<Vec<String>> = uses.flat_map(|(_, tree)| leaves(&tree)).collect();
        paths.extend(paths_in_bodies(&source.code, &children(&source.code)));
        let used = paths.iter().filter_map(|path| {
            let absolute = absolute(path, source)?;
            self.file_of(&absolute, 0)
        });
        used.filter(|file| *file != source.path)
            .map(|file| (source.path.clone(), file))
            .collect()
    }

    /// Follows a path from the root of the target to the file that holds the item.
    fn file_of(&self, path: &[String], hops: usize) -> Option<String> {
        let depth = (0..=path.len())
            .rev()
            .find(|&n| self.files.contains_key(&path[..n]))?;
        let (module, rest) = path.split_at(depth);
        let here = self.files.get(module)?;
        let Some(name) = rest.first().filter(|_| hops < 8) else {
            return Some(here.path.clone());
        };
        for passed in &self.passed_on[module] {
            let last = passed.last().map(String::as_str);
            if last == Some(name) || (last == Some("*") && passed.len() > 1) {
                let mut onward = absolute(passed, here)?;
                if last == Some("*") {
                    onward.pop();
                    onward.push(name.clone());
                }
                let found = self.file_of(&onward, hops + 1)?;
                if last != Some("*") || found != here.path {
                    return Some(found);
                }
            }
        }
        Some(here.path.clone())
    }
}

/// Turns a path as written in a file into one from the root, or none if it leads out of the crate.
fn absolute(path: &[String], source: &SourceFile) -> Option<Vec<String>> {
    let first = path.first()?.as_str();
    let module = &source.module;
    let (start, skip): (&[String], usize) = match first {
        "crate" => (&[], 1),
        "self" => (module, 1),
        "super" => {
            let up = path.iter().take_while(|name| *name == "super").count();
            (&module[..module.len().checked_sub(up)?], up)
        }
        child if children(&source.code).iter().any(|name| name == child) => (module, 0),
        _ => return None,
    };
    Some(start.iter().chain(&path[skip..]).cloned().collect())
}

/// Returns each `use` of masked code: whether it re-exports, and its tree of paths.
fn statements(code: &str) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let line = code[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let before = code[line..at].trim();
        if before.is_empty() || before.starts_with("pub") {
            let tree = code[at + 4..].split(';').next().unwrap_or_default();
            found.push((
                !before.is_empty(),
                tree.split_whitespace().collect::<Vec<_>>().join(" "),
            ));
        }
    }
    found
}

/// Returns the single paths of a tree such as `a::{b, c::{d, e as f}}`.
fn leaves(tree: &str) -> Vec<Vec<String>> {
    let tree = tree.trim();
    let Some((before, inside)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or(tree);
        let names = path.split("::").map(|name| name.trim().to_owned());
        return vec![names.filter(|name| !name.is_empty()).collect()];
    };
    let inside = inside.trim_end().strip_suffix('}').unwrap_or(inside);
    let prefix: Vec<String> = leaves(before.trim_end_matches("::")).concat();
    split_outside_braces(inside)
        .into_iter()
        .flat_map(leaves)
        .filter(|rest| !rest.is_empty())
        .map(|rest| {
            let rest = rest.into_iter().filter(|name| name != "self");
            prefix.iter().cloned().chain(rest).collect()
        })
        .collect()
}

fn split_outside_braces(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0, 0, Vec::new());
    for (at, sign) in text.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

/// Returns paths written out in code: `crate::a::b()`, `super::c`, and `child::d` for the file's own modules.
fn paths_in_bodies(code: &str, children: &[String]) -> Vec<Vec<String>> {
    let no_word = |sign: char| !(sign.is_alphanumeric() || sign == '_' || sign == ':');
    let outside_uses: String = code
        .split_inclusive(';')
        .map(|part| {
            if statements(part).is_empty() {
                part
            } else {
                ";"
            }
        })
        .collect();
    let words = outside_uses
        .split(no_word)
        .filter(|word| word.contains("::"));
    words
        .map(|word| word.split("::").map(str::to_owned).collect::<Vec<String>>())
        .filter(|path| {
            let first = path[0].as_str();
            matches!(first, "crate" | "super") || children.iter().any(|child| child == first)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, module: &str, code: &str) -> SourceFile {
        SourceFile {
            path: path.to_owned(),
            module: module.split_terminator("::").map(str::to_owned).collect(),
            target: "lib.rs".to_owned(),
            lines: code.lines().count(),
            code: code.to_owned(),
        }
    }

    fn arrows_of(files: &[(&str, &str, &str)]) -> Vec<String> {
        let sources: Vec<SourceFile> = files.iter().map(|(p, m, c)| source(p, m, c)).collect();
        arrows(&sources)
            .iter()
            .map(|(from, to)| format!("{from}>{to}"))
            .collect()
    }

    #[test]
    fn paths_are_followed_through_doors_to_the_file_of_the_item() {
        let found = arrows_of(&[
            ("lib.rs", "", "mod a;\nmod b;\npub use a::{Thing, deep::*};"),
            (
                "a.rs",
                "a",
                "pub mod deep;\npub struct Thing;\nuse deep::Inner;",
            ),
            ("deep.rs", "a::deep", "pub struct Inner;\nuse super::Thing;"),
            (
                "b.rs",
                "b",
                "use crate::{Thing, a::deep::Inner as I};\nuse std::io;",
            ),
        ]);
        assert_eq!(
            found,
            ["a.rs>deep.rs", "b.rs>a.rs", "b.rs>deep.rs", "deep.rs>a.rs"]
        );
    }

    #[test]
    fn paths_in_bodies_count_and_doors_do_not() {
        let found = arrows_of(&[
            ("lib.rs", "", "pub mod a;\npub mod b;\nfn f() { a::go(); }"),
            (
                "a.rs",
                "a",
                "pub fn go() { let x = crate::b::far(1); y.super_b() }",
            ),
            ("b.rs", "b", "pub use crate::a::go;\npub fn far() {}"),
        ]);
        assert_eq!(found, ["a.rs>b.rs", "lib.rs>a.rs"]);
    }
}
