//! What messages in both directions speak of: rules, colours, results.

use anqi_play::EndReason;
use anqi_rules::{Color, Game, Rules};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// A preset of the rules.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum RulesName {
    /// The Computer Olympiad's.
    #[default]
    Olympiad,
    /// Those of the course's platform.
    Platform,
    /// The endgame paper's.
    Paper,
    /// OpenSpiel's.
    Openspiel,
    /// Those with the ban on chasing.
    Mistboard,
    /// The course's.
    Course,
}

impl RulesName {
    /// All presets, the default first.
    pub const ALL: [RulesName; 6] = [
        RulesName::Olympiad,
        RulesName::Platform,
        RulesName::Paper,
        RulesName::Openspiel,
        RulesName::Mistboard,
        RulesName::Course,
    ];

    /// Returns the preset with this name, `None` if there is none.
    pub fn named(name: &str) -> Option<RulesName> {
        RulesName::ALL
            .into_iter()
            .find(|rules| rules.name() == name)
    }

    /// Returns the preset of a game, the default for rules of another kind.
    pub fn of(game: &Game) -> RulesName {
        let named = game.rules().name().and_then(RulesName::named);
        named.unwrap_or_default()
    }

    /// Returns the name as anqi-rules knows it.
    pub fn name(self) -> &'static str {
        match self {
            RulesName::Olympiad => "olympiad",
            RulesName::Platform => "platform",
            RulesName::Paper => "paper",
            RulesName::Openspiel => "openspiel",
            RulesName::Mistboard => "mistboard",
            RulesName::Course => "course",
        }
    }

    /// Returns the rules.
    pub fn rules(self) -> Rules {
        Rules::preset(self.name()).unwrap_or_default()
    }
}

/// A colour.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(rename = "Color"))]
pub enum ColorName {
    /// Red.
    Red,
    /// Black.
    Black,
}

impl From<Color> for ColorName {
    fn from(color: Color) -> ColorName {
        match color {
            Color::Red => ColorName::Red,
            Color::Black => ColorName::Black,
        }
    }
}

/// How a game ended.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(rename = "Outcome"))]
pub struct OutcomeView {
    /// The winner's colour, null for a draw.
    pub winner: Option<ColorName>,
    /// The winner's seat.
    #[cfg_attr(test, ts(type = "Seat | null"))]
    pub winner_seat: Option<usize>,
    /// Why.
    pub reason: EndReason,
}
