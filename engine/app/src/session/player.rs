//! Where players and tables come from.
//!
//! The session knows neither. It holds a wish list (which player, how many
//! threads, …) and asks its maker for a player whenever the list changes. A
//! wish that the player has no use for is kept for the next one and reported
//! as unused, so that a client may set options in any order.

use super::{OptionError, Parts};
use crate::level::Level;
use anqi_rules::{Position, Rules};
use anqi_search::Player;
use anqi_search::endgames::MOST_SOLVED_PIECES;
use anqi_search::players::by_spec;
use anqi_search::spec::SpecError;
use anqi_tablebase::{Tables, Wdl};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Makes the player that a wish list asks for, or says why it cannot.
pub type MakePlayer = Box<dyn Fn(&Wishes) -> Result<Made, String> + Send>;
/// Opens the endgame tables for a set of rules: those in a folder, or those that need none.
pub type OpenTables = Box<dyn Fn(Option<&Path>, Rules) -> Result<Arc<dyn Probe>, String> + Send>;

/// Endgame tables, as far as a session looks into them.
pub trait Probe: Send + Sync {
    /// Returns the value of a position in words, `None` if no table has it.
    ///
    /// # Errors
    ///
    /// Says what is wrong with a file that is needed.
    fn probe(&self, position: &Position) -> Result<Option<String>, String>;
}

impl Probe for Tables {
    /// Writes `win 5`, `loss 4` or `draw`; the number counts plies to the next capture or the end.
    fn probe(&self, position: &Position) -> Result<Option<String>, String> {
        let Some(known) = self.look_up(position).map_err(|e| e.to_string())? else {
            return Ok(None);
        };
        let word = match known.wdl {
            Wdl::Win => "win",
            Wdl::Draw => "draw",
            Wdl::Loss => "loss",
        };
        Ok(Some(match known.dtc {
            Some(plies) => format!("{word} {plies}"),
            None => word.to_owned(),
        }))
    }
}

/// Opens the tables that need no file, solved on the spot, and those in a folder if one is named.
///
/// # Errors
///
/// Says why the folder cannot be read.
pub fn builtin_tables(folder: Option<&Path>, rules: Rules) -> Result<Arc<dyn Probe>, String> {
    match folder {
        None => match Tables::solved(MOST_SOLVED_PIECES as usize, rules) {
            Ok(tables) => Ok(Arc::new(tables)),
            Err(error) => Err(error.to_string()),
        },
        Some(folder) => match Tables::open(folder, MOST_SOLVED_PIECES as usize, rules) {
            Ok(tables) => Ok(Arc::new(tables)),
            Err(error) => Err(error.to_string()),
        },
    }
}

/// What is wished of a player.
///
/// A setting can be wished for by an option or stand in the player's own spec.
/// What was said last holds: an option takes its setting out of the spec
/// ([`Wishes::without`]), so what still stands there came after the option.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Wishes {
    /// Its name and settings.
    pub player: String,
    /// How strong it plays, if anybody has said.
    pub level: Option<Level>,
    /// What a draw is worth less than nothing to it, in ten-thousandths of a win, if anybody has said.
    pub contempt: Option<i32>,
    /// Number of threads, if anybody has said.
    pub threads: Option<u32>,
    /// Megabytes of hash table, if anybody has said.
    pub hash: Option<u32>,
    /// Folder of endgame tables.
    pub tables: Option<PathBuf>,
}

impl Wishes {
    /// Returns the options that are settings of a player, with the values wished for.
    fn settings(&self) -> [(&'static str, Option<String>); 5] {
        let folder = self.tables.as_ref();
        [
            ("level", self.level.map(|level| level.to_string())),
            ("contempt", self.contempt.map(|n| n.to_string())),
            ("threads", self.threads.map(|n| n.to_string())),
            ("hash", self.hash.map(|n| n.to_string())),
            ("tables", folder.map(|path| path.display().to_string())),
        ]
    }

    /// Returns the value of a setting that the player's own spec has.
    fn given(&self, key: &str) -> Option<&str> {
        let (_, given) = self.player.split_once(':')?;
        let pairs = given.rsplit(',').filter_map(|part| part.split_once('='));
        let mut named = pairs.filter(|(known, _)| known.trim() == key);
        named.next().map(|(_, value)| value.trim())
    }

    /// Returns the value in force of an option that is a setting of a player.
    pub(super) fn value(&self, key: &str) -> Option<String> {
        let mut settings = self.settings().into_iter();
        let wished = settings.find(|(known, _)| *known == key);
        let given = self.given(key).map(str::to_owned);
        given.or_else(|| wished.and_then(|(_, value)| value))
    }

    /// Returns the wishes without what the player's own spec says of a setting.
    pub(super) fn without(&self, key: &str) -> Wishes {
        let mut wishes = self.clone();
        if let Some((name, given)) = self.player.split_once(':') {
            let other = |part: &&str| part.split('=').next().map(str::trim) != Some(key);
            let kept: Vec<&str> = given.split(',').filter(other).collect();
            wishes.player = match kept.is_empty() {
                true => name.to_owned(),
                false => format!("{name}:{}", kept.join(",")),
            };
        }
        wishes
    }
}

/// A player, and the wishes it has no use for.
pub struct Made {
    /// The player.
    pub player: Box<dyn Player>,
    /// Names of the options that it does not use.
    pub unused: Vec<&'static str>,
}

/// Makes one of the players that come with the program.
///
/// A wish becomes a setting of the spec unless the spec has it already.
///
/// # Errors
///
/// Says what is wrong with the spec.
pub fn builtin_player(wishes: &Wishes) -> Result<Made, String> {
    let wished = wishes.settings().into_iter();
    let mut settings: Vec<(&'static str, String)> = wished
        .filter(|(key, _)| wishes.given(key).is_none())
        .filter_map(|(key, value)| Some((key, value?)))
        .collect();
    let mut unused = Vec::new();
    loop {
        let mut spec = wishes.player.clone();
        for (key, value) in &settings {
            let sign = if spec.contains(':') { ',' } else { ':' };
            spec.push_str(&format!("{sign}{key}={value}"));
        }
        let error = match by_spec(&spec) {
            Ok(player) => return Ok(Made { player, unused }),
            Err(error) => error,
        };
        let unknown = match &error {
            SpecError::UnknownSetting { key, .. } => settings.iter().position(|(k, _)| k == key),
            _ => None,
        };
        match unknown {
            Some(index) => unused.push(settings.remove(index).0),
            None => return Err(error.to_string()),
        }
    }
}

/// The player in use, and how to get another.
pub(super) struct Bench {
    make_player: MakePlayer,
    open_tables: Option<OpenTables>,
    wishes: Wishes,
    /// `None` while it thinks elsewhere.
    player: Option<Box<dyn Player>>,
    unused: Vec<&'static str>,
    /// Open tables, and the rules they are for.
    tables: Option<(Rules, Arc<dyn Probe>)>,
}

impl Bench {
    pub(super) fn new(parts: Parts) -> Result<Bench, OptionError> {
        let wishes = Wishes {
            player: parts.player,
            ..Wishes::default()
        };
        let made = (parts.make_player)(&wishes).map_err(OptionError::Player)?;
        let mut bench = Bench {
            make_player: parts.make_player,
            open_tables: parts.open_tables,
            wishes,
            player: Some(made.player),
            unused: made.unused,
            tables: None,
        };
        if let Some(folder) = parts.tables {
            // The folder and the player were named together: the player's own setting is meant too.
            let wishes = bench.wishes.clone();
            bench.use_tables(wishes, Some(folder), Rules::default())?;
        }
        Ok(bench)
    }

    pub(super) fn wishes(&self) -> &Wishes {
        &self.wishes
    }

    /// Looks a position up in the tables for these rules, which are opened at the first question.
    pub(super) fn probe(&mut self, position: &Position, rules: Rules) -> Result<String, String> {
        let none = || "no table".to_owned();
        let open = self.open_tables.as_ref().ok_or_else(none)?;
        let tables = match self.tables.take() {
            Some((known, tables)) if known == rules => tables,
            _ => open(self.wishes.tables.as_deref(), rules)?,
        };
        let value = tables.probe(position);
        self.tables = Some((rules, tables));
        value?.ok_or_else(none)
    }

    /// Returns whether the player makes nothing of an option.
    pub(super) fn leaves_unused(&self, option: &str) -> bool {
        self.unused.contains(&option)
    }

    /// Makes a player by other wishes; the old one stays if that fails.
    pub(super) fn wish(&mut self, wishes: Wishes) -> Result<(), OptionError> {
        let made = (self.make_player)(&wishes).map_err(OptionError::Player)?;
        self.seat(wishes, made);
        Ok(())
    }

    /// Makes a player by other wishes and makes it ready; the old one stays if either fails.
    pub(super) fn wish_ready(&mut self, wishes: Wishes, rules: Rules) -> Result<(), OptionError> {
        let mut made = (self.make_player)(&wishes).map_err(OptionError::Player)?;
        let prepared = made.player.prepare(rules);
        prepared.map_err(|error| OptionError::Player(error.to_string()))?;
        self.seat(wishes, made);
        Ok(())
    }

    /// Makes a player of another level, if the player has levels: to play at another
    /// strength than was asked for must not pass unnoticed.
    pub(super) fn wish_level(&mut self, wishes: Wishes) -> Result<(), OptionError> {
        let made = (self.make_player)(&wishes).map_err(OptionError::Player)?;
        if made.unused.contains(&"level") {
            let name = wishes.player.split(':').next().unwrap_or_default();
            let player = anqi_rules::notation::excerpt(name);
            return Err(OptionError::NoLevels { player });
        }
        self.seat(wishes, made);
        Ok(())
    }

    fn seat(&mut self, wishes: Wishes, made: Made) {
        self.wishes = wishes;
        self.player = Some(made.player);
        self.unused = made.unused;
    }

    /// Opens the tables in a folder, `None` for those that need none.
    pub(super) fn set_tables(
        &mut self,
        folder: Option<PathBuf>,
        rules: Rules,
    ) -> Result<(), OptionError> {
        self.use_tables(self.wishes.without("tables"), folder, rules)
    }

    fn use_tables(
        &mut self,
        wishes: Wishes,
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
        self.wish(Wishes {
            tables: folder,
            ..wishes
        })?;
        self.tables = opened.map(|tables| (rules, tables));
        Ok(())
    }

    fn open(&self, folder: &Path, rules: Rules) -> Result<Arc<dyn Probe>, String> {
        let open = self.open_tables.as_ref();
        open.ok_or("this program reads no tables")?(Some(folder), rules)
    }

    /// Returns the player, a new one if the last has not come back.
    pub(super) fn player_mut(&mut self) -> &mut dyn Player {
        let player = match self.player.take() {
            Some(player) => player,
            None => self.make_again(),
        };
        self.player.insert(player).as_mut()
    }

    /// Gives the player away to think.
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
        let made = (self.make_player)(&self.wishes);
        made.expect("these wishes have made a player before").player
    }
}
