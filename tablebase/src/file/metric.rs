//! The metric: what a file stores.

use crate::solve::Distance;

/// The content of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Win, draw or loss.
    Wdl,
    /// Plies to the next capture or the end.
    Dtc,
    /// Plies to the end.
    Dtw,
}

impl Metric {
    /// All metrics, values first.
    pub const ALL: [Metric; 3] = [Metric::Wdl, Metric::Dtc, Metric::Dtw];

    /// Returns the code in the header.
    pub const fn code(self) -> u8 {
        match self {
            Metric::Wdl => 0,
            Metric::Dtc => 1,
            Metric::Dtw => 2,
        }
    }

    /// Returns the metric with this code.
    pub(crate) fn from_code(code: u8) -> Option<Metric> {
        Metric::ALL.into_iter().find(|metric| metric.code() == code)
    }

    /// Returns the metric with this name.
    pub fn from_name(name: &str) -> Option<Metric> {
        Metric::ALL.into_iter().find(|metric| metric.name() == name)
    }

    /// Returns the name, which is also the extension of the files.
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Wdl => "wdl",
            Metric::Dtc => "dtc",
            Metric::Dtw => "dtw",
        }
    }

    /// Returns the kind of distance, `None` for values.
    pub const fn distance(self) -> Option<Distance> {
        match self {
            Metric::Wdl => None,
            Metric::Dtc => Some(Distance::ToCapture),
            Metric::Dtw => Some(Distance::ToEnd),
        }
    }
}
