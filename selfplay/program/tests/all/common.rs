//! Running the program and its mock engine.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns a command that runs the program.
pub fn selfplay(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selfplay"));
    command.args(arguments);
    command
}

/// Runs the program to its end.
pub fn run(arguments: &[&str]) -> Output {
    let output = selfplay(arguments).output();
    output.expect("the program is built with its tests")
}

/// Runs the program, which must succeed, and returns what it prints.
#[allow(dead_code)]
pub fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("the program prints text")
}

/// Returns a path as an argument.
#[allow(dead_code)]
pub fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

/// Asserts that the program refused something, and named all of these words.
#[allow(dead_code)]
pub fn refused(output: &Output, words: &[&str]) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    for word in words {
        assert!(errors.contains(word), "'{word}' is missing in: {errors}");
    }
    said_once(&errors);
}

/// Asserts that no message is printed twice, as an error is that is its own source.
#[allow(dead_code)]
pub fn said_once(errors: &str) {
    let parts = errors.trim_end().split(": ");
    for part in parts.filter(|part| part.len() > 30) {
        let times = errors.matches(part).count();
        assert_eq!(times, 1, "'{part}' is said {times} times in: {errors}");
    }
}

/// Returns the player for the mock engine with this deed.
#[allow(dead_code)]
pub fn mock(deed: &str) -> String {
    format!("cmd:{} {deed}", example("mock_engine"))
}

/// Returns the player for the mock UCI engine with this deed.
#[allow(dead_code)]
pub fn mock_uci(deed: &str) -> String {
    format!("uci:{} {deed}", example("mock_uci"))
}

/// Returns the quoted path of an example program.
fn example(name: &str) -> String {
    format!("'{}'", example_path(name))
}

/// Returns the path of an example program.
pub fn example_path(name: &str) -> String {
    // Examples are built beside the folder of the test programs.
    let this = std::env::current_exe().expect("a test has a path");
    let folder = this
        .ancestors()
        .nth(2)
        .expect("tests are in target/PROFILE/deps");
    let path: PathBuf = folder.join("examples").join(name);
    assert!(
        path.exists(),
        "{} is missing (cargo test builds it)",
        path.display()
    );
    path.display().to_string()
}
