//! When and how a report was made: what differs from run to run.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

/// The command that made a report, and the date.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Run {
    /// The command as one would type it.
    pub command: String,
    /// Date and time of the report, in UTC.
    pub date: String,
    /// Name and version of the program that wrote the report.
    pub program: String,
}

impl Run {
    /// Returns the run of this process by this command, now.
    pub fn now(command: String) -> Run {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Run {
            command,
            date: date(since.map_or(0, |since| since.as_secs())),
            program: concat!("selfplay ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}

/// Writes seconds since 1970 as `2026-11-21 23:20 UTC`.
fn date(seconds: u64) -> String {
    let (days, seconds) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute) = (seconds / 3600, seconds / 60 % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}

/// Returns year, month and day of a number of days since 1970.
///
/// Years are counted from March, so that the leap day is the last of its year;
/// 400 such years have 146,097 days.
fn civil(days: u64) -> (u64, u64, u64) {
    // From the first of March of the year 0.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let leaps = day_of_era / 1_460 - day_of_era / 36_524 + day_of_era / 146_096;
    let year_of_era = (day_of_era - leaps) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // From March on, every five months have 153 days.
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(date(1_795_303_200), "2026-11-21 23:20 UTC");
        let mut days = 0;
        for year in 1970..2110 {
            let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
            let february = if leap { 29 } else { 28 };
            let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, length) in (1..).zip(months) {
                for day in 1..=length {
                    assert_eq!(civil(days), (year, month, day));
                    days += 1;
                }
            }
        }
    }
}
