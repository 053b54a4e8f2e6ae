//! Completions and manual pages.

use crate::common::{printed, run};

#[test]
fn every_shell_gets_completions_that_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("tournament"), "{shell}: {script}");
    }
    assert_eq!(run(&["completions", "dos"]).status.code(), Some(2));
}

#[test]
fn the_program_and_its_commands_have_manual_pages() {
    let page = printed(&["man"]);
    assert!(page.contains(".TH selfplay 1") && page.contains("completions"));
    assert!(printed(&["man", "tournament"]).contains("players"));
    let output = run(&["man", "tea"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        errors.contains("'tea'") && errors.contains("merge"),
        "{errors}"
    );
}

#[test]
fn the_help_shows_both() {
    let help = printed(&["--help"]);
    assert!(
        help.contains("completions") && help.contains("man "),
        "{help}"
    );
}
