//! `selfplay tournament`: a round robin and the ratings that follow.
//!
//! Every encounter is an ordinary match with the seed of the tournament: the
//! same as `selfplay --a … --b … --seed …` plays alone, so that any of them can
//! be looked at by itself. With `--out` each has a folder of its own.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anqi_selfplay::engines::participant::Participant;
use anqi_selfplay::interrupt::Interrupt;
use anqi_selfplay::match_play::MatchPlan;
use anqi_selfplay::pairing::Shard;
use anqi_selfplay::progress::Caption;
use anqi_selfplay::report::run::Run;
use anqi_selfplay::report::standings::{EncounterResult, Standings};
use anqi_selfplay::sequential::Analysis;
use anqi_selfplay::side::BySide;
use anyhow::{Context, bail};

use super::arguments::TournamentArguments;
use super::output::{JsonOutput, OpenFile, both};
use super::{play, signals};

/// Plays all encounters and prints the matrix and the ratings.
pub fn run(arguments: &TournamentArguments) -> anyhow::Result<ExitCode> {
    let json = JsonOutput::open(arguments.json.as_deref())?;
    let html = arguments.html.as_deref();
    let html = html
        .map(|path| OpenFile::create("--html", path))
        .transpose()?;
    let interrupt = Interrupt::new();
    let names = split_players(&arguments.players);
    if names.len() < 2 {
        bail!("a tournament needs two players or more (--players basic,enhance)");
    }
    let find = |name: &String| Participant::new(name, &interrupt).context(name.clone());
    let players: Vec<Participant> = names.iter().map(find).collect::<anyhow::Result<_>>()?;
    signals::install(&interrupt)?;
    let mut encounter_results = Vec::new();
    let total = encounters(players.len()).count();
    for (index, (first, second)) in encounters(players.len()).enumerate() {
        let (a, b) = (&players[first], &players[second]);
        let mut plan = plan(arguments, a, b);
        plan.caption.prefix = format!("encounter {}/{total}: ", index + 1);
        plan.caption.later_pairs = plan.pairs * (total - index - 1) as u64;
        play::warn_about_limits(&plan.setup);
        let meta = play::meta(&arguments.conditions, &plan);
        let folder = arguments
            .conditions
            .out
            .as_deref()
            .map(|out| folder(out, first, second));
        let standing = play::play_into(folder.as_deref(), &meta, &plan, &interrupt)?;
        if !standing.complete {
            return Ok(play::conclude(&standing, folder.as_deref()));
        }
        let met = EncounterResult::new(first, second, meta.identity, standing.records);
        eprintln!("{}", met.line());
        encounter_results.push(met);
    }
    let run = Run::now(signals::command_line());
    let standings = Standings::new(names, encounter_results);
    let text = standings.text();
    let mut result = json.publish(&text, || standings.json());
    if let Some(html) = html {
        result = both(result, html.publish(&standings.html(&run)));
    }
    result?;
    Ok(ExitCode::SUCCESS)
}

/// Lists who meets whom.
fn encounters(players: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..players).flat_map(move |first| (first + 1..players).map(move |second| (first, second)))
}

fn plan(arguments: &TournamentArguments, a: &Participant, b: &Participant) -> MatchPlan {
    let limits = arguments.limits.or_default();
    let players = BySide {
        a: a.clone(),
        b: b.clone(),
    };
    MatchPlan {
        caption: Caption {
            label: play::label(a.given(), b.given()),
            ..Caption::default()
        },
        setup: play::setup(
            &arguments.conditions,
            players,
            BySide {
                a: limits,
                b: limits,
            },
        ),
        pairs: arguments.conditions.games / 2,
        shard: Shard::WHOLE,
        jobs: arguments.conditions.jobs(),
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

    #[test]
    fn everybody_meets_everybody_once() {
        let met: Vec<_> = encounters(4).collect();
        assert_eq!(met.len(), 6);
        assert_eq!((met[0], met[5]), ((0, 1), (2, 3)));
    }
}
