//! Everybody against everybody, and the ratings that follow.
//!
//! Every encounter is an ordinary match with the seed of the tournament: the
//! same as `selfplay --a … --b … --seed …` plays alone, so that any of them can
//! be looked at by itself. With `--out` each has a folder of its own.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anqi_selfplay::interrupt::Interrupt;
use anqi_selfplay::pairing::Shard;
use anqi_selfplay::progress::Caption;
use anqi_selfplay::report::text::{UNKNOWN, fixed, with_error};
use anqi_selfplay::seats::contestant::Contestant;
use anqi_selfplay::session::Plan;
use anqi_selfplay::side::{BySide, Side};
use anqi_selfplay::statistics::rating::{self, Encounter, Rating};
use anqi_selfplay::store::Meta;
use anqi_selfplay::summary::Summary;
use anyhow::{Context, bail};
use serde::Serialize;

use super::arguments::TournamentArguments;
use super::output::JsonOutput;
use super::{play, signals};

/// What one encounter has given.
struct Played {
    encounter: Encounter,
    meta: Meta,
    summary: Summary,
}

/// Plays all encounters and prints the matrix and the ratings.
pub fn run(arguments: &TournamentArguments) -> anyhow::Result<ExitCode> {
    let output = JsonOutput::open(arguments.json.as_deref())?;
    let interrupt = Interrupt::new();
    let names = split_players(&arguments.players);
    if names.len() < 2 {
        bail!("a tournament needs two players or more (--players basic,enhance)");
    }
    let find = |name: &String| Contestant::new(name, &interrupt).context(name.clone());
    let players: Vec<Contestant> = names.iter().map(find).collect::<anyhow::Result<_>>()?;
    signals::install(&interrupt)?;
    let mut all_played = Vec::new();
    let total = encounters(players.len()).count();
    for (index, (first, second)) in encounters(players.len()).enumerate() {
        let (a, b) = (&players[first], &players[second]);
        let mut plan = plan(arguments, a, b);
        plan.caption.prefix = format!("encounter {}/{total}: ", index + 1);
        plan.caption.later_pairs = plan.pairs * (total - index - 1) as u64;
        play::warn_about_limits(&plan.the_match);
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
        let summary = Summary::new(&standing.records, None);
        eprintln!("{}", encounter_line(&meta, &summary));
        all_played.push(Played {
            encounter: Encounter {
                player: first,
                opponent: second,
                pairs: summary.pentanomial,
            },
            meta,
            summary,
        });
    }
    conclude(output, &names, &all_played)
}

/// Lists who meets whom.
fn encounters(players: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..players).flat_map(move |first| (first + 1..players).map(move |second| (first, second)))
}

fn plan(arguments: &TournamentArguments, a: &Contestant, b: &Contestant) -> Plan {
    let limits = arguments.limits.or_default();
    let players = BySide {
        a: a.clone(),
        b: b.clone(),
    };
    Plan {
        caption: Caption {
            label: play::label(a.given(), b.given()),
            ..Caption::default()
        },
        the_match: play::the_match(
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
        sprt: None,
    }
}

fn folder(out: &Path, first: usize, second: usize) -> PathBuf {
    out.join(format!("{:02}-{:02}", first + 1, second + 1))
}

fn encounter_line(meta: &Meta, summary: &Summary) -> String {
    let players = &meta.identity.players;
    let ratio = summary.table.advantage_ratio(Side::A);
    let ratio = with_error(ratio, summary.standard_error(), 3);
    let faults = match summary.faults() {
        0 => String::new(),
        faults => format!(", {faults} games ended by a fault"),
    };
    format!("AR({}, {}) = {ratio}{faults}", players.a, players.b)
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

fn conclude(output: JsonOutput, names: &[String], played: &[Played]) -> anyhow::Result<ExitCode> {
    let encounters: Vec<Encounter> = played.iter().map(|played| played.encounter).collect();
    let ratings = rating::rate(names.len(), &encounters);
    let text = matrix(names, played) + "\n" + &rating_list(names, &ratings, &encounters);
    output.publish(&text, || json(names, &ratings, played))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the advantage ratio of one player over another and its standard error.
fn ratio(played: &[Played], player: usize, opponent: usize) -> Option<(f64, Option<f64>)> {
    let found = played.iter().find_map(|played| {
        let encounter = played.encounter;
        if (encounter.player, encounter.opponent) == (player, opponent) {
            Some((played, Side::A))
        } else if (encounter.player, encounter.opponent) == (opponent, player) {
            Some((played, Side::B))
        } else {
            None
        }
    });
    let (played, side) = found?;
    let ratio = played.summary.table.advantage_ratio(side)?;
    Some((ratio, played.summary.standard_error()))
}

/// Writes the matrix of advantage ratios, row against column.
fn matrix(names: &[String], played: &[Played]) -> String {
    const CELL: usize = 15;
    let width = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
        + 4;
    let mut text =
        "advantage ratios AR(row, column) ± one standard error; 2 is equal\n\n".to_owned();
    // Writing to a string cannot fail.
    let _ = write!(text, "{:width$}", "");
    for number in 1..=names.len() {
        let _ = write!(text, "{number:>CELL$}");
    }
    text.push('\n');
    for (row, name) in names.iter().enumerate() {
        let _ = write!(text, "{:width$}", format!("{:>2} {name}", row + 1));
        for column in 0..names.len() {
            let cell = match ratio(played, row, column) {
                None => UNKNOWN.to_owned(),
                Some((ratio, error)) => with_error(Some(ratio), error, 3),
            };
            let _ = write!(text, "{cell:>CELL$}");
        }
        text.push('\n');
    }
    text
}

/// Writes the ratings from the strongest down.
fn rating_list(names: &[String], ratings: &[Rating], encounters: &[Encounter]) -> String {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&i, &j| ratings[j].elo.total_cmp(&ratings[i].elo));
    let mut text = "ratings: Elo with 95 % interval, the mean of all players is 0\n\n".to_owned();
    for (place, player) in order.into_iter().enumerate() {
        let Rating { elo, error } = ratings[player];
        let (points, games) = points(player, encounters);
        let _ = writeln!(
            text,
            "{:>2}  {:>7} ± {:<6} {:>5.1} % of {games} games  {}",
            place + 1,
            fixed(elo, 1),
            fixed(error, 1),
            100.0 * points / games.max(1) as f64,
            names[player],
        );
    }
    text
}

/// Returns the points a player has scored and the games it has played.
fn points(player: usize, encounters: &[Encounter]) -> (f64, u64) {
    let mut points = 0.0;
    let mut games = 0;
    for encounter in encounters {
        let played = 2 * encounter.pairs.pairs();
        let scored = encounter.pairs.half_points() as f64 / 2.0;
        if encounter.player == player {
            points += scored;
        } else if encounter.opponent == player {
            points += played as f64 - scored;
        } else {
            continue;
        }
        games += played;
    }
    (points, games)
}

#[derive(Serialize)]
struct Document<'a> {
    ratings: Vec<RatingRow<'a>>,
    encounters: Vec<EncounterRow<'a>>,
}

#[derive(Serialize)]
struct RatingRow<'a> {
    player: &'a str,
    elo: f64,
    elo_error: f64,
    games: u64,
    points: f64,
}

#[derive(Serialize)]
struct EncounterRow<'a> {
    a: &'a str,
    b: &'a str,
    games: u64,
    advantage_ratio_a: Option<f64>,
    advantage_ratio_b: Option<f64>,
    standard_error: Option<f64>,
    pentanomial: [u64; 5],
    faults: u64,
}

fn json(names: &[String], ratings: &[Rating], played: &[Played]) -> String {
    let encounters: Vec<Encounter> = played.iter().map(|played| played.encounter).collect();
    let rating_row = |(player, name): (usize, &'_ String)| {
        let (points, games) = points(player, &encounters);
        (name.clone(), ratings[player], points, games)
    };
    let rows: Vec<_> = names.iter().enumerate().map(rating_row).collect();
    let document = Document {
        ratings: rows
            .iter()
            .map(|(name, rating, points, games)| RatingRow {
                player: name,
                elo: rating.elo,
                elo_error: rating.error,
                games: *games,
                points: *points,
            })
            .collect(),
        encounters: played.iter().map(encounter_row).collect(),
    };
    let text = serde_json::to_string_pretty(&document);
    text.expect("ratings hold nothing that JSON cannot say") + "\n"
}

fn encounter_row(played: &Played) -> EncounterRow<'_> {
    let summary = &played.summary;
    EncounterRow {
        a: &played.meta.identity.players.a,
        b: &played.meta.identity.players.b,
        games: 2 * summary.pentanomial.pairs(),
        advantage_ratio_a: summary.table.advantage_ratio(Side::A),
        advantage_ratio_b: summary.table.advantage_ratio(Side::B),
        standard_error: summary.standard_error(),
        pentanomial: summary.pentanomial.0,
        faults: summary.faults(),
    }
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
