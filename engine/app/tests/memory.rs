//! Too little memory: the program reports it and continues.
#![cfg(target_os = "linux")]

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs the protocol with this many kibibytes of address space.
fn answers(kibibytes: u32, input: &str) -> String {
    let script = format!("ulimit -v {kibibytes} && exec \"$0\" protocol");
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
