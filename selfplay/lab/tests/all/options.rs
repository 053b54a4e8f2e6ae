//! Options and exit codes of the experiments.

use crate::common::{lab, printed, refused};

#[test]
fn the_exit_code_says_what_came_of_it() {
    let few = [
        "endings",
        "--pieces",
        "2",
        "--positions",
        "2",
        "--nodes",
        "2000",
    ];
    assert!(printed(&few).contains("won 2 of 2"));
    // A saving that no search reaches.
    let savings = [
        "savings",
        "--positions",
        "1",
        "--nodes",
        "2000",
        "--least",
        "1e9",
    ];
    assert_eq!(lab(&savings).status.code(), Some(1));
    refused(&["regret", "nobody"], &["lab: ", "nobody"]);
    refused(&["replay", "/no/such/place"], &["lab: /no/such/place"]);
    refused(&["replay"], &["DIR"]);
    refused(&["endings", "--pieces", "9"], &["--pieces", "2 to 8"]);
    refused(
        &["savings", "--nodes", "7", "--movetime", "1"],
        &["--movetime"],
    );
}
