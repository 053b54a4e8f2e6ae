//! Our own program keeps to every clause of docs/protocol.md, in each dialect.
//!
//! `selfplay check cmd:anqi` and the like make the same checks with the margin of a referee.

#![cfg(unix)]

use std::thread;
use std::time::Duration;

use anqi_match::check::dialect::{Dialect, Target};
use anqi_match::check::exam::Settings;
use anqi_match::check::finding::CheckStatus;
use anqi_match::check::list::CHECKS;
use anqi_match::check::report::{Finding, run};

/// Makes all checks of a dialect; the machine may be busy with other tests.
fn findings(dialect: Dialect) -> Vec<Finding> {
    let text = format!("{}:'{}'", dialect.prefix(), env!("CARGO_BIN_EXE_session"));
    let target: Target = text.parse().expect("a target");
    let patient = Settings {
        margin: Duration::from_secs(10),
        longest_check: Duration::from_secs(120),
        ..Settings::default()
    };
    let findings = CHECKS.iter().map(|check| run(check, &target, &patient));
    findings.collect()
}

#[test]
fn our_own_program_passes_in_every_dialect() {
    let failed: Vec<String> = thread::scope(|scope| {
        let begun = Dialect::ALL.map(|dialect| (dialect, scope.spawn(move || findings(dialect))));
        let told = begun.map(|(dialect, thread)| {
            let findings = thread.join().expect("checks do not panic");
            let passed = findings
                .iter()
                .filter(|f| f.outcome == CheckStatus::Pass)
                .count();
            assert!(passed > 10, "{dialect}: {findings:#?}");
            let failed = findings
                .into_iter()
                .filter(|f| f.outcome == CheckStatus::Fail);
            failed
                .map(move |finding| format!("{dialect}: {}", finding.line()))
                .collect::<Vec<_>>()
        });
        told.concat()
    });
    assert_eq!(failed, [""; 0]);
}
