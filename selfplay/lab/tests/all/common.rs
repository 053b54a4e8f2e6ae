//! Running the program.

use std::process::{Command, Output};

/// Runs the program to its end.
pub fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(arguments)
        .output()
        .unwrap()
}

/// Runs the program, which must succeed, and returns what it prints.
pub fn printed(arguments: &[&str]) -> String {
    let output = lab(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Asserts that the program refuses the arguments with exit code 2, and names all of these words.
pub fn refused(arguments: &[&str], words: &[&str]) {
    let output = lab(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert!(!error.contains("panicked"), "{arguments:?}: {error}");
    for word in words {
        assert!(
            error.contains(word),
            "{arguments:?}: '{word}' is missing in: {error}"
        );
    }
}
