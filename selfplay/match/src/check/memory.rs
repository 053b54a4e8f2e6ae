//! The memory that an engine has taken at most, by the system's own account.

use std::fs;

/// The peaks of a process and its children, added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Memory in use, in bytes.
    pub resident_bytes: u64,
    /// Addresses in use, in bytes.
    pub address_space_bytes: u64,
}

impl Usage {
    /// Adds up the processes of a group, which is named after its first process.
    ///
    /// A wrapper that starts the engine belongs to the group, and so does the engine. `None`
    /// where the system does not tell.
    pub fn of_group(leader: u32) -> Option<Usage> {
        let mut sum = None;
        for entry in fs::read_dir("/proc").ok()? {
            let Ok(entry) = entry else { continue };
            let read = |name: &str| fs::read_to_string(entry.path().join(name)).ok();
            if read("stat").and_then(|stat| group(&stat)) != Some(leader) {
                continue;
            }
            if let Some(status) = read("status") {
                let sum: &mut Usage = sum.get_or_insert_default();
                sum.resident_bytes += kilobytes(&status, "VmHWM:") << 10;
                sum.address_space_bytes += kilobytes(&status, "VmPeak:") << 10;
            }
        }
        sum
    }
}

/// Reads the group of `pid (name) state parent group …`; the name may have anything in it.
fn group(stat: &str) -> Option<u32> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(2)?.parse().ok()
}

fn kilobytes(status: &str, name: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_read_whatever_a_program_is_called() {
        assert_eq!(group("12 (a (b) c) S 3 45 12 0"), Some(45));
        assert_eq!(group("12"), None);
        let status = "Name:\tx\nVmPeak:\t   2048 kB\nVmHWM:\t 7 kB\n";
        assert_eq!(kilobytes(status, "VmPeak:"), 2048);
        assert_eq!(kilobytes(status, "VmSwap:"), 0);
    }
}
