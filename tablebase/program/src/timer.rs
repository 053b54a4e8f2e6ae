//! Wall time and processor time of a measurement.

use std::time::Instant;

/// Processor seconds that this process has used in user mode, if the system reports them.
fn user_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let after_name = stat.rsplit_once(')')?.1;
    let ticks: f64 = after_name.split_whitespace().nth(11)?.parse().ok()?;
    Some(ticks / 100.0)
}

/// Wall time and processor time since it was started.
pub struct Timer {
    wall: Instant,
    user: Option<f64>,
}

impl Timer {
    /// Starts now.
    pub fn start() -> Timer {
        Timer {
            wall: Instant::now(),
            user: user_seconds(),
        }
    }

    /// Prints the times and the rate of this many units.
    pub fn report(&self, what: &str, count: f64, unit: &str) {
        let wall = self.wall.elapsed().as_secs_f64();
        let user = user_seconds()
            .zip(self.user)
            .map_or(wall, |(now, then)| now - then);
        println!(
            "{what}: {wall:.3} s wall, {user:.2} s user, {} M {unit}/s wall, {} user",
            rate(count, wall, 3),
            rate(count, user, 2)
        );
    }
}

/// Returns millions a second, or a dash if the time, shown with this many decimals, is zero.
fn rate(count: f64, seconds: f64, decimals: i32) -> String {
    if seconds < 0.5 * 10_f64.powi(-decimals) {
        "-".to_owned()
    } else {
        format!("{:.2}", count / seconds / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_is_shown_as_zero_gives_no_rate() {
        assert_eq!(rate(5e6, 0.0004, 3), "-");
        assert_eq!(rate(5e6, 0.004, 2), "-");
        assert_eq!(rate(5e6, 2.5, 2), "2.00");
    }
}
