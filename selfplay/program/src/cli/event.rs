//! A tournament's event: participants, limits and conditions.
//!
//! It comes from the command line, or from a file in TOML (`--event`) that can
//! name a limit for each engine. Everything in it is checked before any game.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anqi_files::read_text_limited;
use anqi_match::adjudication::{DrawRule, ResignRule};
use anqi_match::deal::DealKind;
use anqi_match::limits::{Limits, TimeControl};
use anqi_match::table_adjudicator::TableChoice;
use anyhow::{Context, bail};
use serde::{Deserialize, Deserializer, de};

use super::arguments::{Conditions, NamedRules, parse_games, parse_rules};

/// Size limit of an event file in bytes.
const FILE_BYTES: u64 = 1 << 20;

/// Which participants play each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first meets each of the others.
    Gauntlet,
}

impl Schedule {
    /// Lists the encounters.
    pub fn encounters(self, players: usize) -> Vec<(usize, usize)> {
        let firsts = match self {
            Schedule::RoundRobin => players,
            Schedule::Gauntlet => players.min(1),
        };
        (0..firsts)
            .flat_map(|first| (first + 1..players).map(move |second| (first, second)))
            .collect()
    }
}

/// A participant.
#[derive(Clone, PartialEq, Debug)]
pub struct Entrant {
    /// Its name in the table.
    pub name: String,
    /// The text that names the player.
    pub player: String,
    /// Its limits.
    pub limits: Limits,
}

/// The description of a tournament.
#[derive(Clone, Debug)]
pub struct Event {
    /// Which participants play each other.
    pub schedule: Schedule,
    /// The participants.
    pub entrants: Vec<Entrant>,
    /// How games are played.
    pub conditions: Conditions,
}

impl Event {
    /// Reads an event; what the file omits comes from `conditions`.
    pub fn read(path: &Path, conditions: Conditions) -> anyhow::Result<Event> {
        let name = || format!("--event {}", path.display());
        let text = read_text_limited(path, FILE_BYTES).with_context(name)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        parse(&text, folder, conditions).with_context(name)
    }

    /// Checks the participants.
    pub fn check(&self) -> anyhow::Result<()> {
        if self.entrants.len() < 2 {
            bail!("a tournament needs two players or more (--players basic,enhance)");
        }
        let mut names = HashSet::new();
        for Entrant { name, .. } in &self.entrants {
            if !names.insert(name) {
                bail!("two engines are called '{name}' (give each a name of its own)");
            }
        }
        Ok(())
    }
}

/// The format of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    #[serde(default)]
    schedule: Schedule,
    #[serde(default, deserialize_with = "games")]
    games: Option<u64>,
    seed: Option<u64>,
    #[serde(default, deserialize_with = "rules")]
    rules: Option<NamedRules>,
    #[serde(default, deserialize_with = "text")]
    deal: Option<DealKind>,
    openings: Option<PathBuf>,
    #[serde(default, deserialize_with = "text")]
    resign: Option<ResignRule>,
    #[serde(default, deserialize_with = "text")]
    draw: Option<DrawRule>,
    #[serde(default, deserialize_with = "text")]
    adjudicate_tables: Option<TableChoice>,
    restart: Option<bool>,
    #[serde(default)]
    limits: LimitsTable,
    engine: Vec<Engine>,
}

/// The limits of one engine, or of all that have none of their own.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct LimitsTable {
    #[serde(default, deserialize_with = "positive")]
    nodes: Option<u64>,
    #[serde(default, deserialize_with = "positive")]
    depth: Option<u64>,
    #[serde(default, deserialize_with = "positive")]
    movetime: Option<u64>,
    #[serde(default, deserialize_with = "text")]
    tc: Option<TimeControl>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Engine {
    name: Option<String>,
    player: String,
    #[serde(default)]
    limits: LimitsTable,
}

/// Reads the text of a file; paths in it start from its folder.
fn parse(text: &str, folder: &Path, mut conditions: Conditions) -> anyhow::Result<Event> {
    let file: File = toml::from_str(text)?;
    let common = file.limits.limits().context("limits")?;
    let common = if common.is_empty() {
        Limits::DEFAULT
    } else {
        common
    };
    let entrant = |(index, engine): (usize, Engine)| {
        let name = engine.name.unwrap_or_else(|| engine.player.clone());
        let place = || format!("engine {} ({name})", index + 1);
        let own = engine.limits.limits().with_context(place)?;
        Ok(Entrant {
            limits: if own.is_empty() { common } else { own },
            player: engine.player,
            name,
        })
    };
    let entrants = file.engine.into_iter().enumerate().map(entrant);
    let entrants: Vec<Entrant> = entrants.collect::<anyhow::Result<_>>()?;
    let set = &mut conditions;
    set.games = file.games.unwrap_or(set.games);
    set.seed = file.seed.or(set.seed);
    set.rules = file.rules.unwrap_or_else(|| set.rules.clone());
    set.deal = file.deal.unwrap_or(set.deal);
    set.openings = file.openings.map(|path| folder.join(path));
    set.resign = file.resign;
    set.draw = file.draw;
    set.adjudicate_tables = file.adjudicate_tables.map(|choice| match choice {
        TableChoice::Folder(path) => TableChoice::Folder(folder.join(path)),
        in_memory => in_memory,
    });
    set.restart = file.restart.unwrap_or(set.restart);
    Ok(Event {
        schedule: file.schedule,
        entrants,
        conditions,
    })
}

impl LimitsTable {
    fn limits(&self) -> anyhow::Result<Limits> {
        if self.movetime.is_some() && self.tc.is_some() {
            bail!("movetime and tc exclude each other");
        }
        let depth = self.depth.map(u32::try_from).transpose().context("depth")?;
        let per_move = self
            .movetime
            .map(|move_ms| TimeControl::PerMove { move_ms });
        Ok(Limits {
            nodes: self.nodes,
            depth,
            time: self.tc.or(per_move),
        })
    }
}

/// Parses text as the command line does.
fn text<'de, D: Deserializer<'de>, T: FromStr>(from: D) -> Result<Option<T>, D::Error>
where
    T::Err: std::fmt::Display,
{
    let text = String::deserialize(from)?;
    text.parse().map(Some).map_err(de::Error::custom)
}

fn rules<'de, D: Deserializer<'de>>(from: D) -> Result<Option<NamedRules>, D::Error> {
    let name = String::deserialize(from)?;
    let unknown = |known| de::Error::custom(format!("no rules are called '{name}' ({known})"));
    parse_rules(&name).map(Some).map_err(unknown)
}

fn games<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    let games = u64::deserialize(from)?;
    let parsed = parse_games(&games.to_string());
    parsed.map(Some).map_err(de::Error::custom)
}

fn positive<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    match u64::deserialize(from)? {
        0 => Err(de::Error::custom("a limit is at least 1")),
        limit => Ok(Some(limit)),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::commands::{Arguments, Command};

    fn conditions() -> Conditions {
        let line = ["selfplay", "tournament", "--players", "basic,greedy"];
        match Arguments::parse_from(line).command {
            Some(Command::Tournament(tournament)) => tournament.conditions,
            other => panic!("{other:?}"),
        }
    }

    fn parsed(text: &str) -> anyhow::Result<Event> {
        let event = parse(text, Path::new("events"), conditions())?;
        event.check()?;
        Ok(event)
    }

    #[test]
    fn a_file_says_who_plays_under_which_limits() {
        let event = parsed(
            "schedule = 'gauntlet'\ngames = 40\nrules = 'paper'\nopenings = 'suite.txt'\nresign = '0.9:4'\n\
             [limits]\nnodes = 500\n\
             [[engine]]\nplayer = 'champion'\n\
             [[engine]]\nname = 'slow'\nplayer = 'champion'\nlimits = { nodes = 2000, depth = 9 }\n\
             [[engine]]\nplayer = 'uci:./other'\nlimits.tc = '60+0.5'\n",
        )
        .expect("an event");
        assert_eq!(event.schedule.encounters(3), [(0, 1), (0, 2)]);
        let names: Vec<&str> = event.entrants.iter().map(|one| &*one.name).collect();
        assert_eq!(names, ["champion", "slow", "uci:./other"]);
        let limits: Vec<String> = event
            .entrants
            .iter()
            .map(|one| one.limits.to_string())
            .collect();
        assert_eq!(
            limits,
            ["500 nodes a move", "2000 nodes a move, depth 9", "60+0.5 s"]
        );
        assert_eq!(event.conditions.games, 40);
        assert_eq!(event.conditions.rules.name, "paper");
        let openings = event.conditions.openings.expect("a file");
        assert_eq!(openings, Path::new("events/suite.txt"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        const TWO: &str = "[[engine]]\nplayer = 'basic'\n[[engine]]\nplayer = 'greedy'\n";
        assert!(parsed(TWO).is_ok());
        for (text, expected) in [
            ("gams = 3\n", "gams"),
            ("games = 3\n", "a pair is two games"),
            ("rules = 'tea'\n", "no rules are called 'tea'"),
            ("deal = 'rows'\n", "'rows' is not a kind of deal"),
            ("resign = '7'\n", "VALUE:MOVES"),
            ("schedule = 'swiss'\n", "swiss"),
            ("adjudicate-tables = '9'\n", "2 to 4 pieces"),
            ("limits.nodes = 0\n", "at least 1"),
            ("limits.tc = 'x'\n", "'x' is not a time control"),
            ("limits = { tc = '9+0', movetime = 3 }\n", "exclude"),
        ] {
            let error = parsed(&(text.to_owned() + TWO)).expect_err(text);
            assert!(format!("{error:#}").contains(expected), "{error:#}");
        }
        let twice = TWO.replace("greedy", "basic");
        let error = parsed(&twice).expect_err("one name twice");
        assert!(error.to_string().contains("'basic'"), "{error}");
        let alone = parsed("[[engine]]\nplayer = 'basic'\n").expect_err("one engine");
        assert!(alone.to_string().contains("two players"), "{alone}");
    }

    #[test]
    fn everybody_meets_everybody_once() {
        let met = Schedule::RoundRobin.encounters(4);
        assert_eq!(met.len(), 6);
        assert_eq!((met[0], met[5]), ((0, 1), (2, 3)));
        assert_eq!(Schedule::Gauntlet.encounters(4), [(0, 1), (0, 2), (0, 3)]);
    }
}
