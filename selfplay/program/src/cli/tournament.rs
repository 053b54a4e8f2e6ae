//! `selfplay tournament`: a round robin or a gauntlet, and the ratings that follow.
//!
//! Every encounter is an ordinary match with the seed of the tournament, so that
//! `selfplay --a … --b … --seed …` reproduces any of them. With `--out` each has
//! a folder of its own.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anqi_match::engines::participant::Participant;
use anqi_match::interrupt::Interrupt;
use anqi_match::match_play::MatchPlan;
use anqi_match::pairing::Shard;
use anqi_match::progress::Caption;
use anqi_match::report::run::Run;
use anqi_match::report::standings::{EncounterResult, Standings};
use anqi_match::report::standings_html;
use anqi_match::sequential::Analysis;
use anqi_match::side::BySide;
use anqi_match::store::{self, Meta};
use anyhow::Context;
use clap::Args;

use super::arguments::{CommonLimits, Conditions};
use super::event::{Entrant, Event, Schedule};
use super::output::{JsonOutput, OpenFile, both};
use super::prepared::Prepared;
use super::{play, seed, signals};

/// A round robin or a gauntlet.
#[derive(Args, Debug)]
pub struct TournamentArguments {
    /// The players, separated by commas.
    #[arg(long, value_name = "PLAYER,…", required_unless_present = "event")]
    pub players: Vec<String>,
    /// The first player meets each of the others, and these do not meet one another.
    #[arg(long)]
    pub gauntlet: bool,
    /// A TOML file with the engines, a limit for each, and the conditions.
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "players", "gauntlet", "nodes", "depth", "movetime", "tc", "games", "seed", "rules", "deal",
        "openings", "resign", "draw", "adjudicate_tables", "restart"
    ])]
    pub event: Option<PathBuf>,
    /// The limits of every player.
    #[command(flatten)]
    pub limits: CommonLimits,
    /// How each encounter is played.
    #[command(flatten)]
    pub conditions: Conditions,
    /// Writes a page with ratings, the matrix and all games, move by move.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Writes ratings and encounters as JSON; without a file, to standard output instead of the table.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
}

impl TournamentArguments {
    /// Returns the event described by the arguments or by a file.
    fn event(&self) -> anyhow::Result<Event> {
        let conditions = self.conditions.clone();
        let event = match &self.event {
            Some(path) => Event::read(path, conditions)?,
            None => Event {
                schedule: if self.gauntlet {
                    Schedule::Gauntlet
                } else {
                    Schedule::RoundRobin
                },
                entrants: self.entrants(),
                conditions,
            },
        };
        event.check()?;
        Ok(event)
    }

    /// Returns the participants named on the command line.
    fn entrants(&self) -> Vec<Entrant> {
        let limits = self.limits.or_default();
        let entrant = |player: String| Entrant {
            name: player.clone(),
            player,
            limits,
        };
        split_players(&self.players)
            .into_iter()
            .map(entrant)
            .collect()
    }
}

/// Plays all encounters and prints the matrix and the ratings.
pub fn run(arguments: &TournamentArguments) -> anyhow::Result<ExitCode> {
    let json = JsonOutput::open(arguments.json.as_deref())?;
    let html = arguments.html.as_deref();
    let html = html
        .map(|path| OpenFile::create("--html", path))
        .transpose()?;
    let interrupt = Interrupt::new();
    let event = arguments.event()?;
    let encounters = prepare(&event, &interrupt)?;
    signals::install(&interrupt)?;
    let mut results = Vec::new();
    for encounter in encounters {
        let folder = encounter.folder.as_deref();
        let standing = play::play_into(folder, &encounter.meta, &encounter.plan, &interrupt)?;
        if !standing.complete {
            return Ok(play::conclude(&standing, folder));
        }
        let (first, second) = encounter.players;
        let met = EncounterResult::new(first, second, encounter.meta.identity, standing.records);
        eprintln!("{}", met.line());
        results.push(met);
    }
    let run = Run::now(signals::command_line());
    let names = event.entrants.into_iter().map(|entrant| entrant.name);
    let standings = Standings::new(names.collect(), results);
    let text = standings.text();
    let mut result = json.publish(&text, || standings.json());
    if let Some(html) = html {
        result = both(
            result,
            html.publish(&standings_html::write(&standings, &run)),
        );
    }
    result?;
    Ok(ExitCode::SUCCESS)
}

/// An encounter, ready to be played.
struct Encounter {
    /// The numbers of the players.
    players: (usize, usize),
    plan: MatchPlan,
    meta: Meta,
    folder: Option<PathBuf>,
}

/// Checks players, openings, tables and folders before the first game.
fn prepare(event: &Event, interrupt: &Interrupt) -> anyhow::Result<Vec<Encounter>> {
    let prepared = Prepared::read(&event.conditions)?;
    let find = |entrant: &Entrant| {
        let player = Participant::new(&entrant.player, interrupt);
        let player = player.with_context(|| entrant.name.clone())?;
        let rules = event.conditions.rules.rules;
        play::warn_about_rules(&player, rules);
        prepared.try_player(&player, rules, interrupt)?;
        Ok(player)
    };
    let players: Vec<Participant> = event
        .entrants
        .iter()
        .map(find)
        .collect::<anyhow::Result<_>>()?;
    let seed = seed::choose(
        event.conditions.seed,
        &players.iter().collect::<Vec<_>>(),
        event.conditions.out.as_deref(),
        Shard::WHOLE,
    )?;
    let pairs = event.schedule.encounters(players.len());
    let total = pairs.len();
    let mut encounters = Vec::new();
    for (index, (first, second)) in pairs.into_iter().enumerate() {
        let limits = BySide {
            a: event.entrants[first].limits,
            b: event.entrants[second].limits,
        };
        let (a, b) = (players[first].clone(), players[second].clone());
        let mut plan = plan(&event.conditions, &prepared, seed, BySide { a, b }, limits);
        plan.caption.prefix = format!("encounter {}/{total}: ", index + 1);
        plan.caption.later_pairs = plan.pairs * (total - index - 1) as u64;
        play::warn_about_limits(&plan.setup);
        let meta = play::meta(&event.conditions, &plan);
        let out = event.conditions.out.as_deref();
        let folder = out.map(|out| folder(out, first, second));
        if let Some(folder) = &folder {
            store::require_same(folder, &meta)?;
        }
        encounters.push(Encounter {
            players: (first, second),
            plan,
            meta,
            folder,
        });
    }
    Ok(encounters)
}

fn plan(
    conditions: &Conditions,
    prepared: &Prepared,
    seed: u64,
    players: BySide<Participant>,
    limits: BySide<anqi_match::limits::Limits>,
) -> MatchPlan {
    MatchPlan {
        caption: Caption {
            label: play::label(players.a.given(), players.b.given()),
            ..Caption::default()
        },
        setup: play::setup(conditions, prepared, seed, players, limits),
        pairs: conditions.games / 2,
        shard: Shard::WHOLE,
        jobs: conditions.jobs(),
        analysis: Analysis::default(),
    }
}

fn folder(out: &Path, first: usize, second: usize) -> PathBuf {
    out.join(format!("{:02}-{:02}", first + 1, second + 1))
}

/// Splits the list of players at commas, except those inside a player's settings.
///
/// `basic:policy=compare,eval=static,enhance` are two players: a part that is
/// `name=value` belongs to the player before it.
fn split_players(given: &[String]) -> Vec<String> {
    let mut players: Vec<String> = Vec::new();
    for text in given {
        let mut belongs_to_last = false;
        for part in text.split(',') {
            let name = part.split('=').next().unwrap_or("");
            let is_setting = part.contains('=') && !name.contains(':');
            match players.last_mut() {
                Some(player) if is_setting && belongs_to_last => {
                    player.push(',');
                    player.push_str(part);
                }
                _ => players.push(part.trim().to_owned()),
            }
            belongs_to_last = true;
        }
    }
    players
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stay_with_their_player() {
        let split = |text: &str| split_players(&[text.to_owned()]);
        assert_eq!(split("basic,enhance,var1"), ["basic", "enhance", "var1"]);
        assert_eq!(
            split("basic:policy=compare,eval=static,enhance:depth=3,var2:k=1"),
            [
                "basic:policy=compare,eval=static",
                "enhance:depth=3",
                "var2:k=1"
            ]
        );
        assert_eq!(split("cmd:./x --y"), ["cmd:./x --y"]);
    }
}
