//! Checks of the whole workspace that no single crate can make alone.
//!
//! The crate owns a second, slow rule book (`naive`), the reader of the games that an outside program has played
//! (`playthrough`) and the replay of games that a platform has kept (`archive`, `dialogue`, `replay`); its tests hold
//! them against the other crates. It sees everything, and nothing sees it: no other crate may depend on this one.
//! The rule book must not know the fast rules, or it would prove nothing.

pub mod archive;
pub mod book;
pub mod dialogue;
pub mod endings;
pub mod fuzz;
pub mod naive;
pub mod playthrough;
pub mod replay;
pub mod savings;
pub mod wander;

/// Returns how a check ends: with status 0 if all is well, 1 if not, and 2,
/// after a message, if it could not be made.
pub fn exit_code(checked: anyhow::Result<bool>) -> std::process::ExitCode {
    match checked {
        Ok(true) => std::process::ExitCode::SUCCESS,
        Ok(false) => std::process::ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            std::process::ExitCode::from(2)
        }
    }
}
