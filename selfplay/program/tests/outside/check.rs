//! `selfplay check` against an engine that keeps to its protocol, and against the same engine with one fault.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{example_path, printed, run};
use anqi_match::check::dialect::{Dialect, Target};
use anqi_match::check::exam::Settings;
use anqi_match::check::finding::CheckStatus;
use anqi_match::check::list::{CHECKS, Check, Demand, find};
use anqi_match::check::report::{Finding, run as check};

/// Checks that run beside each other: most of their time is spent waiting.
const BESIDE: usize = 6;

fn engine(dialect: Dialect, fault: &str) -> String {
    format!(
        "{}:'{}' {fault}",
        dialect.prefix(),
        example_path("faulty_engine")
    )
}

fn target(dialect: Dialect, fault: &str) -> Target {
    engine(dialect, fault).parse().expect("a target")
}

/// Returns the pairs of dialect and check that apply.
fn applicable() -> Vec<(Dialect, &'static Check)> {
    let all = Dialect::ALL.into_iter();
    let all = all.flat_map(|dialect| CHECKS.iter().map(move |check| (dialect, check)));
    all.filter(|(dialect, check)| !matches!(check.demand(*dialect), Demand::Not(_)))
        .collect()
}

/// Makes all checks that apply, each of an engine with the fault that `fault_of` names.
fn made(settings: &Settings, fault_of: impl Fn(&Check) -> &'static str + Sync) -> Vec<Finding> {
    let queue = Mutex::new(applicable());
    let findings = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..BESIDE {
            scope.spawn(|| {
                while let Some((dialect, one)) = { queue.lock().expect("not poisoned").pop() } {
                    let target = target(dialect, fault_of(one));
                    let mut finding = check(one, &target, settings);
                    finding.reason = format!("{}: {}", dialect.prefix(), finding.reason);
                    findings.lock().expect("not poisoned").push(finding);
                }
            });
        }
    });
    findings.into_inner().expect("not poisoned")
}

fn with(findings: &[Finding], outcome: impl Fn(CheckStatus) -> bool) -> Vec<String> {
    let chosen = findings.iter().filter(|f| outcome(f.outcome));
    chosen.map(Finding::line).collect()
}

#[test]
fn an_engine_that_keeps_to_its_protocol_passes_every_check() {
    let patient = Settings {
        margin: Duration::from_secs(20),
        longest_check: Duration::from_secs(120),
        ..Settings::default()
    };
    let findings = made(&patient, |_| "none");
    assert!(findings.len() > 60, "{}", findings.len());
    assert_eq!(with(&findings, |o| o != CheckStatus::Pass), [""; 0]);
}

#[test]
fn every_fault_fails_the_check_of_its_name() {
    let strict = Settings {
        memory_bytes: 64 << 20,
        // An answer that should not come must have the time to come on a busy machine.
        watch: Duration::from_secs(3),
        ..Settings::default()
    };
    let findings = made(&strict, |check| check.name);
    let failed = with(&findings, |o| o == CheckStatus::Fail);
    assert_eq!(with(&findings, |o| o != CheckStatus::Fail), [""; 0]);
    assert!(failed.len() > 60, "{failed:#?}");
}

#[test]
fn a_hung_engine_is_killed_at_the_limit() {
    let hasty = Settings {
        longest_check: Duration::from_millis(500),
        ..Settings::default()
    };
    let target: Target = "uci:sleep 3600".parse().expect("a target");
    let begun = Instant::now();
    let finding = check(find("handshake").expect("a check"), &target, &hasty);
    assert_eq!(finding.outcome, CheckStatus::Fail, "{finding:?}");
    assert!(finding.reason.contains("no uciok"), "{finding:?}");
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_line_is_printed_for_each_check_and_a_failure_is_the_exit_code() {
    let only = ["--only", "quit,first-flip,handshake", "--margin", "20000"];
    let check = |engine: &str| run(&[&["check", engine], &only[..]].concat());
    let sound = check(&engine(Dialect::Line, "none"));
    let text = String::from_utf8_lossy(&sound.stdout).into_owned();
    assert_eq!(sound.status.code(), Some(0), "{text}");
    let expected = "SKIP handshake the one-line dialect begins with the first board\n\
                    PASS first-flip 3 positions\n\
                    SKIP quit the one-line dialect has no quit\n";
    assert_eq!(text, expected);
    let faulty = check(&engine(Dialect::Tournament, "quit"));
    let text = String::from_utf8_lossy(&faulty.stdout).into_owned();
    assert_eq!(faulty.status.code(), Some(1), "{text}");
    let words: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(words, ["PASS", "PASS", "FAIL"], "{text}");
    assert!(
        text.contains("FAIL quit exit status: 3 after 5 quit"),
        "{text}"
    );
}

#[test]
fn the_json_says_the_same() {
    let faulty = engine(Dialect::Uci, "quit");
    let output = run(&["check", &faulty, "--only", "quit,settings", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["dialect"], "uci");
    assert_eq!(document["engine"], faulty.as_str());
    let counts = ["passed", "failed", "skipped"].map(|key| document[key].as_u64());
    assert_eq!(counts, [Some(0), Some(1), Some(1)], "{text}");
    let quit = &document["checks"][1];
    assert_eq!(
        (&quit["name"], &quit["outcome"]),
        (&"quit".into(), &"fail".into())
    );
    assert_eq!(quit["demand"], "must");
    assert_eq!(document["checks"][0]["demand"], serde_json::Value::Null);
}

#[test]
fn the_list_has_every_check_with_a_sentence() {
    let text = printed(&["check", "--list"]);
    let names: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    let expected: BTreeSet<&str> = CHECKS.iter().map(|check| check.name).collect();
    assert_eq!(names, expected);
    assert!(text.lines().all(|line| line.ends_with('.')), "{text}");
    let document = printed(&["check", "--list", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&document).expect("JSON");
    assert_eq!(document.as_array().map(Vec::len), Some(CHECKS.len()));
}

#[test]
fn must_leaves_out_what_engines_only_should_do() {
    let engine = engine(Dialect::Uci, "raw-bytes");
    let arguments = [
        "check",
        &engine,
        "--only",
        "raw-bytes,quit",
        "--margin",
        "20000",
    ];
    assert_eq!(run(&arguments).status.code(), Some(1));
    let must = printed(&[&arguments[..], &["--must"]].concat());
    assert_eq!(must, "PASS quit exit code 0 after quit\n");
}

#[test]
fn what_cannot_be_checked_is_named() {
    crate::common::refused(&run(&["check", "champion"]), &["'champion'", "cmd:PROGRAM"]);
    let only = run(&["check", "cmd:true", "--only", "manners"]);
    crate::common::refused(&only, &["manners", "--list"]);
    let missing = run(&["check", "cmd:/nowhere/engine", "--only", "quit"]);
    assert_eq!(missing.status.code(), Some(1));
    let text = String::from_utf8_lossy(&missing.stdout);
    assert!(
        text.starts_with("FAIL quit cannot start /nowhere/engine"),
        "{text}"
    );
}
