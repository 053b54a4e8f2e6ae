//! The errors of commands, and the exit codes that they lead to.

/// A wrong command line that clap cannot detect.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// Work that Ctrl-C ended; the result so far has been printed.
#[derive(Debug, thiserror::Error)]
#[error("interrupted; this is what was known by then")]
pub struct Interrupted;

impl Interrupted {
    /// What shells report for a program ended by Ctrl-C.
    pub const EXIT_CODE: u8 = 130;
}

/// Returns the exit code for an error.
pub fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<Interrupted>() {
        return Interrupted::EXIT_CODE;
    }
    let is_usage = error.chain().any(<dyn std::error::Error>::is::<UsageError>);
    if is_usage { 2 } else { 1 }
}
