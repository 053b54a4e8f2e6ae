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

    /// Prints the times and the rate of so many units.
    pub fn report(&self, what: &str, count: f64, unit: &str) {
        let wall = self.wall.elapsed().as_secs_f64();
        let user = user_seconds()
            .zip(self.user)
            .map_or(wall, |(now, then)| now - then);
        let rate = |seconds: f64| count / seconds.max(1e-9) / 1e6;
        println!(
            "{what}: {wall:.3} s wall, {user:.2} s user, {:.2} M {unit}/s wall, {:.2} user",
            rate(wall),
            rate(user)
        );
    }
}
