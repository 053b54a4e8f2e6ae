//! Too little memory: the program reports it and continues.
#![cfg(target_os = "linux")]

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs the protocol with this many kibibytes of address space.
fn answers(kibibytes: u32, input: &str) -> String {
    run(kibibytes, "protocol", input)
}

/// Runs the program with this many kibibytes of address space.
fn run(kibibytes: u32, arguments: &str, input: &str) -> String {
    let script = format!("ulimit -v {kibibytes} && exec \"$0\" {arguments}");
    let mut child = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_anqi")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("sh");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{:?}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_hash_table_that_does_not_fit_is_refused_and_nothing_changes() {
    let input = "set hash 16\nset hash 4096\nset threads 2\noptions\ngo depth 1\nquit\n";
    let told = answers(1_500_000, input);
    let refused = told.contains("? not enough memory for a hash table of 4096 MB");
    assert!(refused, "{told}");
    assert!(told.contains("\n hash 16\n"), "{told}");
    assert!(told.contains("bestmove"), "{told}");
}

/// A course's server gives its programs one gibibyte and no arguments.
#[test]
fn a_game_of_one_line_a_position_fits_into_a_gibibyte() {
    let input = "????????/????????/????????/???????? r 9000 9000\n\
                 a???????/????????/????????/???????? b -9999 -9999\n\
                 a???????/K???????/????????/???????? r 5647.418022155762 6000\n\
                 k1A1c1p1/1n1E1r2/P1C3R1/1a1e4 r 900.5 900\n\
                 kP6/8/2c5/4A3 b 300 300\n";
    let told = run(1 << 20, "", input);
    assert_eq!(told.lines().count(), 4, "{told}");
    let mut lines = told.lines();
    assert!(
        lines.by_ref().take(1).all(|line| line.starts_with("FLIP ")),
        "{told}"
    );
    assert!(
        lines.nth(1).is_some_and(|line| line.starts_with("MOVE ")),
        "{told}"
    );
}
