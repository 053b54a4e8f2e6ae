//! The manifests: members, packages and their dependencies.

use std::fs;
use std::path::Path;

/// One crate of the workspace.
#[derive(Debug, Clone)]
pub struct Package {
    /// Its folder below the workspace.
    pub folder: String,
    /// Its name.
    pub name: String,
    /// The crates of the workspace that its code sees; those of its tests are not among them.
    pub sees: Vec<String>,
}

/// Reads all members of the workspace.
pub fn packages(root: &Path) -> Vec<Package> {
    let text = read(&root.join("Cargo.toml"));
    let (_, members) = text
        .split_once("members = [")
        .expect("the workspace lists members");
    let (members, _) = members.split_once(']').expect("the list of members ends");
    quoted(members)
        .map(|folder| package(root, folder))
        .collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

fn package(root: &Path, folder: &str) -> Package {
    let text = read(&root.join(folder).join("Cargo.toml"));
    let name = text.lines().find_map(|line| line.strip_prefix("name = "));
    let name = name
        .and_then(|name| quoted(name).next())
        .expect("a package has a name");
    Package {
        folder: folder.to_owned(),
        name: name.to_owned(),
        sees: dependencies(&text),
    }
}

/// The `anqi-…` names in the tables of dependencies, those of tests left out.
fn dependencies(text: &str) -> Vec<String> {
    let mut counts = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with('[') {
            counts = line.ends_with("dependencies]") && !line.contains("dev-dependencies");
        } else if counts && line.starts_with("anqi-") {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            found.push(name.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_of_tests_are_left_out() {
        let text = "[dependencies]\nanqi-rules.workspace = true\nclap = \"4\"\n[dev-dependencies]\nanqi-naive.workspace = true\n\
                    [target.'cfg(unix)'.dependencies]\nanqi-files = { workspace = true }\n";
        assert_eq!(dependencies(text), ["anqi-rules", "anqi-files"]);
    }
}
