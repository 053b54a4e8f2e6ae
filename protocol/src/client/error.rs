//! What can go wrong with an engine in a child process.

use crate::command::CommandName;
use std::process::ExitStatus;
use std::time::Duration;

/// Why a request to an engine failed.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The program could not be started.
    #[error("cannot start {program}: {error}")]
    Start {
        /// The program.
        program: String,
        /// The reason.
        error: std::io::Error,
    },
    /// The engine has ended, or closed its output.
    #[error("the engine ended during {during} ({}){}", ending(*.status), said(.error_output))]
    Ended {
        /// The request.
        during: CommandName,
        /// How it ended, if it has.
        status: Option<ExitStatus>,
        /// The end of its standard error.
        error_output: String,
    },
    /// The engine did not answer in time.
    #[error("no answer to {during} within {} ms", .limit.as_millis())]
    Timeout {
        /// The request.
        during: CommandName,
        /// The time limit.
        limit: Duration,
    },
    /// The engine wrote far more than an answer.
    #[error("more than {limit} bytes of output that answer nothing during {during}")]
    Flood {
        /// The request.
        during: CommandName,
        /// The most bytes allowed.
        limit: u64,
    },
    /// The engine refused the request.
    #[error("{during} was refused: {reason}")]
    Refused {
        /// The request.
        during: CommandName,
        /// The reason it gave.
        reason: String,
    },
    /// The engine's answer does not fit the request.
    #[error("'{answer}' does not answer {during} (expected {expected})")]
    Malformed {
        /// The request.
        during: CommandName,
        /// The beginning of the answer.
        answer: String,
        /// What was expected.
        expected: &'static str,
    },
    /// An earlier request failed in a way that left the conversation out of step.
    #[error("not asked: the engine failed before")]
    Broken,
}

impl ClientError {
    /// Returns whether the conversation can continue after this error.
    pub fn is_recoverable(&self) -> bool {
        matches!(
            self,
            ClientError::Refused { .. } | ClientError::Malformed { .. }
        )
    }
}

fn ending(status: Option<ExitStatus>) -> String {
    match status {
        Some(status) => status.to_string(),
        None => "its output is closed, but it still runs".to_owned(),
    }
}

fn said(error_output: &str) -> String {
    match error_output.trim() {
        "" => String::new(),
        words => format!("; its last words: {words}"),
    }
}
