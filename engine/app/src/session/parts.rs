//! What a session is made of.

use super::player::MakePlayer;
use super::tables::OpenTables;
use anqi_rules::Rules;
use std::num::NonZeroU32;
use std::path::PathBuf;

/// The parts of a new session.
pub struct Parts {
    /// Makes players by name.
    pub make_player: MakePlayer,
    /// Opens endgame tables, if this program can.
    pub open_tables: Option<OpenTables>,
    /// The initial player, as for `set player`.
    pub player: String,
    /// The initial folder of endgame tables, as for `set tables`.
    pub tables: Option<PathBuf>,
    /// The rules that are asked for.
    pub rules: ChosenRules,
}

/// The rules that a user asks for; the dialect decides what is left open.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChosenRules {
    /// A rule set.
    pub preset: Option<Rules>,
    /// The limit of plies without progress instead of the rule set's own; the inner `None` for
    /// no limit.
    pub no_progress: Option<Option<NonZeroU32>>,
}

impl ChosenRules {
    /// Returns the rules in force where these would be without a choice.
    pub(super) fn over(self, default: Rules) -> Rules {
        let mut rules = self.preset.unwrap_or(default);
        if let Some(limit) = self.no_progress {
            rules.quiet_limit = limit;
        }
        rules
    }
}
