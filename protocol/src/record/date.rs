//! Dates in the platform's format: `0:53pm Jan 13, 2022`.
//!
//! The hour runs from 0 to 11, minutes are not padded.

use std::fmt;
use std::str::FromStr;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// A date and time, to the minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// The year.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
    /// The hour, 0 to 23.
    pub hour: u8,
    /// The minute.
    pub minute: u8,
}

impl Date {
    /// Returns the UTC date this many seconds after the beginning of 1970.
    ///
    /// Years after 65535 become 65535.
    pub fn from_unix_seconds(seconds: u64) -> Date {
        let (days, second_of_day) = (seconds / 86_400, seconds % 86_400);
        let (year, month, day) = civil_from_days(days);
        Date {
            year: u16::try_from(year).unwrap_or(u16::MAX),
            month,
            day,
            hour: (second_of_day / 3600) as u8,
            minute: (second_of_day / 60 % 60) as u8,
        }
    }
}

/// Counts in years from March, so that the leap day is the last, and in eras of 400 years,
/// which are equally long (Hinnant, "chrono-compatible low-level date algorithms").
fn civil_from_days(days: u64) -> (u64, u8, u8) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let months_from_march = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * months_from_march + 2) / 5 + 1) as u8;
    let month = (months_from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month as u8, day)
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = if self.hour < 12 { "am" } else { "pm" };
        let month = MONTHS[usize::from(self.month.clamp(1, 12) - 1)];
        let (hour, minute) = (self.hour % 12, self.minute);
        write!(
            f,
            "{hour}:{minute}{half} {month} {}, {}",
            self.day, self.year
        )
    }
}

impl FromStr for Date {
    type Err = ();

    fn from_str(text: &str) -> Result<Date, ()> {
        read(text).ok_or(())
    }
}

fn read(text: &str) -> Option<Date> {
    let [clock, month, day, year] = text.split(' ').collect::<Vec<_>>().try_into().ok()?;
    let (clock, afternoon) = match clock.strip_suffix("am") {
        Some(clock) => (clock, 0),
        None => (clock.strip_suffix("pm")?, 12),
    };
    let (hour, minute) = clock.split_once(':')?;
    let hour: u8 = within(hour, 0, 12)?;
    let month = MONTHS.iter().position(|&known| known == month)? as u8 + 1;
    Some(Date {
        year: year.parse().ok()?,
        month,
        day: within(day.strip_suffix(',')?, 1, 31)?,
        hour: hour % 12 + afternoon,
        minute: within(minute, 0, 59)?,
    })
}

fn within(text: &str, least: u8, most: u8) -> Option<u8> {
    text.parse().ok().filter(|n| (least..=most).contains(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_read_as_written() {
        for text in [
            "0:53pm Jan 13, 2022",
            "11:6pm Jan 19, 2022",
            "0:0am Dec 1, 1999",
            "3:7am Feb 29, 2024",
        ] {
            let date: Date = text.parse().expect("a date");
            assert_eq!(date.to_string(), text);
        }
        let twelve: Date = "12:30pm May 2, 2021".parse().expect("a date");
        assert_eq!(twelve.hour, 12);
        for bad in [
            "",
            "0:53 Jan 13, 2022",
            "25:53pm Jan 13, 2022",
            "0:60am Jan 13, 2022",
            "0:5am Foo 13, 2022",
            "0:5am Jan 32, 2022",
            "0:5am Jan 13 2022",
        ] {
            assert!(bad.parse::<Date>().is_err(), "{bad}");
        }
    }

    #[test]
    fn seconds_become_dates() {
        let date = |seconds| Date::from_unix_seconds(seconds).to_string();
        assert_eq!(date(0), "0:0am Jan 1, 1970");
        assert_eq!(date(951_827_696), "0:34pm Feb 29, 2000");
        assert_eq!(date(1_642_049_618), "4:53am Jan 13, 2022");
        assert_eq!(date(4_107_542_399), "11:59pm Feb 28, 2100");
    }
}
