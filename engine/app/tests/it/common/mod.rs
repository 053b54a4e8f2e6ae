//! Starting the program as users do, for the tests of its commands.

#![allow(dead_code, reason = "each test program uses some of it")]

#[cfg(target_os = "linux")]
pub mod terminal;

use std::io::Write;
use std::process::{Command, Output, Stdio};

pub fn anqi(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_anqi"))
        .args(arguments)
        // A game that is broken off is saved where the program runs.
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .env_remove("NO_COLOR")
        .envs(["LC_ALL", "LC_MESSAGES", "LANG"].map(|name| (name, "C")))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built for this test");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A program that does not read its input may be gone already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends by itself")
}

pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

pub fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

#[track_caller]
pub fn assert_refused(arguments: &[&str], code: i32, parts: &[&str]) {
    let output = anqi(arguments, "");
    let message = err(&output);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert_eq!(out(&output), "");
    for part in parts {
        assert!(message.contains(part), "'{part}' is not in: {message}");
    }
}

/// The program's output, parsed as JSON.
pub fn json(arguments: &[&str]) -> serde_json::Value {
    let output = anqi(arguments, "");
    serde_json::from_str(&out(&output)).unwrap_or_else(|_| panic!("{}", err(&output)))
}
