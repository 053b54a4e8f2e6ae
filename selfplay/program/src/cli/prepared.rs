//! Openings and tables of a match, read before the first game.

use anqi_match::engine::NewGame;
use anqi_match::engines::participant::Participant;
use anqi_match::interrupt::Interrupt;
use anqi_match::limits::Limits;
use anqi_match::openings::Openings;
use anqi_match::table_adjudicator::TableAdjudicator;
use anqi_rules::{Position, Rules};
use anyhow::Context;

use super::arguments::Conditions;

/// Openings and tables.
#[derive(Clone)]
pub struct Prepared {
    /// Where games begin.
    pub openings: Openings,
    /// Ends games early by tables, if any.
    pub adjudicator: Option<TableAdjudicator>,
}

impl Prepared {
    /// Reads the openings and tables.
    pub fn read(conditions: &Conditions) -> anyhow::Result<Prepared> {
        let rules = conditions.rules.rules;
        let openings = conditions.openings.as_deref();
        let openings = openings.map(|path| Openings::read(path, rules));
        let adjudicator = conditions.adjudicate_tables.as_ref();
        let adjudicator = adjudicator.map(|choice| TableAdjudicator::new(choice, rules));
        Ok(Prepared {
            openings: openings
                .transpose()
                .context("--openings")?
                .unwrap_or_default(),
            adjudicator: adjudicator.transpose().context("--adjudicate-tables")?,
        })
    }

    /// Checks that a player can begin at an opening, if there are any.
    pub fn try_player(
        &self,
        player: &Participant,
        rules: Rules,
        interrupt: &Interrupt,
    ) -> anyhow::Result<()> {
        match self.openings.first() {
            None => Ok(()),
            Some(start) => begin(player, start, rules, interrupt),
        }
    }
}

fn begin(
    player: &Participant,
    start: &Position,
    rules: Rules,
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    let game = NewGame {
        start: *start,
        rules,
        limits: Limits::DEFAULT,
    };
    let begun = player
        .engine(interrupt)
        .and_then(|mut engine| engine.new_game(&game));
    begun.with_context(|| format!("{} cannot begin at an opening", player.given()))
}
