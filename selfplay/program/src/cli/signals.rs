//! Ctrl-C, and the command that resumes.

use std::process;
use std::thread;
use std::time::Duration;

use anqi_match::interrupt::Interrupt;

/// The exit code of a program that was interrupted.
pub const INTERRUPTED: u8 = 130;
/// How long workers get to abandon their games after the second interrupt.
const LAST_WAIT: Duration = Duration::from_secs(3);

/// Makes Ctrl-C and a termination signal raise the interrupt.
pub fn install(interrupt: &Interrupt) -> anyhow::Result<()> {
    let interrupt = interrupt.clone();
    ctrlc::set_handler(move || {
        if interrupt.stop_now() {
            process::exit(INTERRUPTED.into());
        }
        if interrupt.request() {
            eprintln!("\nstopping at once");
            thread::spawn(|| {
                thread::sleep(LAST_WAIT);
                process::exit(INTERRUPTED.into());
            });
        } else {
            eprintln!("\nfinishing the games in progress; once more stops at once");
        }
    })?;
    Ok(())
}

/// Returns the command that started this process, as one would type it.
pub fn command_line() -> String {
    let words: Vec<String> = std::env::args().map(|word| quoted(&word)).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+,./:%@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("--a-nodes=5"), "--a-nodes=5");
        assert_eq!(quoted("cmd:./x --y"), "'cmd:./x --y'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
