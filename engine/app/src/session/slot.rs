//! The player of a session, and the tables it may probe.
//!
//! The session knows neither how a player is made nor how tables are opened. A
//! new player is made whenever an option changes; the old one stays if that
//! fails. A thinking player is lent to its job and comes back with the answer;
//! if it fails, a new one is made.

use super::option_error::OptionError;
use super::parts::Parts;
use super::player::{Made, MakePlayer, PlayerOptions};
use super::tables::{OpenTables, Probe};
use anqi_rules::notation::excerpt;
use anqi_rules::{Position, Rules};
use anqi_search::Player;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The player in use, and how to make another.
pub(super) struct PlayerSlot {
    make_player: MakePlayer,
    open_tables: Option<OpenTables>,
    options: PlayerOptions,
    /// `None` while it is lent to a job.
    player: Option<Box<dyn Player>>,
    unused: Vec<&'static str>,
    /// Open tables, and the rules they are for.
    tables: Option<(Rules, Arc<dyn Probe>)>,
}

impl PlayerSlot {
    pub(super) fn new(parts: Parts) -> Result<PlayerSlot, OptionError> {
        let options = PlayerOptions {
            player: parts.player,
            ..PlayerOptions::default()
        };
        let made = (parts.make_player)(&options).map_err(OptionError::Player)?;
        let mut slot = PlayerSlot {
            make_player: parts.make_player,
            open_tables: parts.open_tables,
            options,
            player: Some(made.player),
            unused: made.unused,
            tables: None,
        };
        if let Some(folder) = parts.tables {
            // Folder and player were named together, so the spec keeps a folder of its own.
            let options = slot.options.clone();
            slot.use_tables(options, Some(folder), Rules::default())?;
        }
        Ok(slot)
    }

    pub(super) fn options(&self) -> &PlayerOptions {
        &self.options
    }

    /// Looks a position up in the tables for these rules, which the first probe opens.
    pub(super) fn probe(&mut self, position: &Position, rules: Rules) -> Result<String, String> {
        let none = || "no table".to_owned();
        let open = self.open_tables.as_ref().ok_or_else(none)?;
        let tables = match self.tables.take() {
            Some((known, tables)) if known == rules => tables,
            _ => open(self.options.tables.as_deref(), rules)?,
        };
        let value = tables.probe(position);
        self.tables = Some((rules, tables));
        value?.ok_or_else(none)
    }

    /// Returns whether the player ignores an option.
    pub(super) fn leaves_unused(&self, option: &str) -> bool {
        self.unused.contains(&option)
    }

    /// Makes a player with new options; on an error the old one stays.
    pub(super) fn change(&mut self, options: PlayerOptions) -> Result<(), OptionError> {
        let made = (self.make_player)(&options).map_err(OptionError::Player)?;
        self.seat(options, made);
        Ok(())
    }

    /// Makes and prepares a player with new options; on an error the old one stays.
    pub(super) fn change_prepared(
        &mut self,
        options: PlayerOptions,
        rules: Rules,
    ) -> Result<(), OptionError> {
        let mut made = (self.make_player)(&options).map_err(OptionError::Player)?;
        let prepared = made.player.prepare(rules);
        prepared.map_err(|error| OptionError::Player(error.to_string()))?;
        self.seat(options, made);
        Ok(())
    }

    /// Makes a player of another level. Refuses if the player has no levels: a request for a
    /// strength must not be ignored silently.
    pub(super) fn change_level(&mut self, options: PlayerOptions) -> Result<(), OptionError> {
        let made = (self.make_player)(&options).map_err(OptionError::Player)?;
        if made.unused.contains(&"level") {
            let name = options.player.split(':').next().unwrap_or_default();
            let player = excerpt(name);
            return Err(OptionError::NoLevels { player });
        }
        self.seat(options, made);
        Ok(())
    }

    fn seat(&mut self, options: PlayerOptions, made: Made) {
        self.options = options;
        self.player = Some(made.player);
        self.unused = made.unused;
    }

    /// Opens the tables in a folder, `None` for those that need none.
    pub(super) fn set_tables(
        &mut self,
        folder: Option<PathBuf>,
        rules: Rules,
    ) -> Result<(), OptionError> {
        self.use_tables(self.options.without("tables"), folder, rules)
    }

    fn use_tables(
        &mut self,
        options: PlayerOptions,
        folder: Option<PathBuf>,
        rules: Rules,
    ) -> Result<(), OptionError> {
        let opened = match &folder {
            None => None,
            Some(path) => Some(
                self.open(path, rules)
                    .map_err(|reason| OptionError::Tables {
                        folder: path.display().to_string(),
                        reason,
                    })?,
            ),
        };
        self.change(PlayerOptions {
            tables: folder,
            ..options
        })?;
        self.tables = opened.map(|tables| (rules, tables));
        Ok(())
    }

    fn open(&self, folder: &Path, rules: Rules) -> Result<Arc<dyn Probe>, String> {
        let open = self.open_tables.as_ref();
        open.ok_or("this program reads no tables")?(Some(folder), rules)
    }

    /// Returns the player, or a new one if the last has not come back.
    pub(super) fn get_mut(&mut self) -> &mut dyn Player {
        let player = match self.player.take() {
            Some(player) => player,
            None => self.make_again(),
        };
        self.player.insert(player).as_mut()
    }

    /// Lends the player to a job.
    pub(super) fn lend(&mut self) -> Option<Box<dyn Player>> {
        Some(match self.player.take() {
            Some(player) => player,
            None => self.make_again(),
        })
    }

    /// Takes the player back; `None` if it has failed.
    pub(super) fn give_back(&mut self, player: Option<Box<dyn Player>>) {
        self.player = player;
    }

    fn make_again(&self) -> Box<dyn Player> {
        let made = (self.make_player)(&self.options);
        made.expect("these options have made a player before")
            .player
    }
}
