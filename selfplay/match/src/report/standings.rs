//! The results of a tournament: ratings and the matrix of all encounters.

use std::fmt::Write;

use serde::Serialize;

use super::text::{UNKNOWN, advantage_ratio, fixed, ratio_sign};
use crate::record::PairRecord;
use crate::sequential::Analysis;
use crate::side::Side;
use crate::statistics::rating::{self, Encounter, Rating};
use crate::store::Identity;
use crate::summary::Summary;

/// Says what the figures in a matrix of advantage ratios mean.
pub(super) fn meaning(all: &[EncounterResult]) -> &'static str {
    let is_bound = |met: &EncounterResult| met.summary.ratio_bounds().is_some();
    if all.iter().any(is_bound) {
        "± one standard error; 2 is equal; where all pairs ended alike, the 95 % bound"
    } else {
        "± one standard error; 2 is equal"
    }
}

/// The result of one encounter of two players.
#[derive(Clone, Debug)]
pub struct EncounterResult {
    pub(super) encounter: Encounter,
    pub(super) identity: Identity,
    pub(super) records: Vec<PairRecord>,
    pub(super) summary: Summary,
}

impl EncounterResult {
    /// Computes the figures of an encounter between players with these numbers.
    pub fn new(
        player: usize,
        opponent: usize,
        identity: Identity,
        records: Vec<PairRecord>,
    ) -> EncounterResult {
        let summary = Summary::new(&records, &Analysis::default());
        EncounterResult {
            encounter: Encounter {
                player,
                opponent,
                pairs: summary.pentanomial,
            },
            identity,
            records,
            summary,
        }
    }

    /// Returns a summary of one line.
    pub fn line(&self) -> String {
        let players = &self.identity.players;
        let ratio = advantage_ratio(&self.summary, Side::A);
        let sign = ratio_sign(&self.summary.pentanomial);
        let faults = match self.summary.faults() {
            0 => String::new(),
            faults => format!(", {faults} games ended by a fault"),
        };
        format!("AR({}, {}) {sign}{ratio}{faults}", players.a, players.b)
    }
}

/// A whole tournament.
#[derive(Clone, Debug)]
pub struct Standings {
    pub(super) names: Vec<String>,
    pub(super) all: Vec<EncounterResult>,
    pub(super) ratings: Vec<Rating>,
}

impl Standings {
    /// Rates the players from all their encounters.
    pub fn new(names: Vec<String>, all: Vec<EncounterResult>) -> Standings {
        let encounters: Vec<Encounter> = all.iter().map(|met| met.encounter).collect();
        let ratings = rating::rate(names.len(), &encounters);
        Standings {
            names,
            all,
            ratings,
        }
    }

    /// Writes the matrix and the ratings as text.
    pub fn text(&self) -> String {
        let encounters = self.encounters();
        matrix(&self.names, &self.all)
            + "\n"
            + &rating_list(&self.names, &self.ratings, &encounters)
    }

    /// Writes ratings and encounters as JSON.
    pub fn json(&self) -> String {
        json(&self.names, &self.ratings, &self.all)
    }

    pub(super) fn encounters(&self) -> Vec<Encounter> {
        self.all.iter().map(|met| met.encounter).collect()
    }
}

/// Returns the advantage ratio of one player over another with its standard error, or a bound.
pub(super) fn ratio(all: &[EncounterResult], player: usize, opponent: usize) -> String {
    let found = all.iter().find_map(|met| {
        let encounter = met.encounter;
        if (encounter.player, encounter.opponent) == (player, opponent) {
            Some((met, Side::A))
        } else if (encounter.player, encounter.opponent) == (opponent, player) {
            Some((met, Side::B))
        } else {
            None
        }
    });
    found.map_or_else(
        || UNKNOWN.to_owned(),
        |(met, side)| advantage_ratio(&met.summary, side),
    )
}

/// Writes the matrix of advantage ratios, row against column.
fn matrix(names: &[String], all: &[EncounterResult]) -> String {
    const CELL: usize = 15;
    let width = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
        + 4;
    let mut text = format!("advantage ratios AR(row, column) {}\n\n", meaning(all));
    // Writing to a string cannot fail.
    let _ = write!(text, "{:width$}", "");
    for number in 1..=names.len() {
        let _ = write!(text, "{number:>CELL$}");
    }
    text.push('\n');
    for (row, name) in names.iter().enumerate() {
        let _ = write!(text, "{:width$}", format!("{:>2} {name}", row + 1));
        for column in 0..names.len() {
            let cell = ratio(all, row, column);
            let _ = write!(text, "{cell:>CELL$}");
        }
        text.push('\n');
    }
    text
}

/// Writes the ratings from the strongest down.
fn rating_list(names: &[String], ratings: &[Rating], encounters: &[Encounter]) -> String {
    let order = by_rating(ratings);
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

/// Lists the players from the strongest down.
pub(super) fn by_rating(ratings: &[Rating]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|&i, &j| ratings[j].elo.total_cmp(&ratings[i].elo));
    order
}

/// Returns the points a player has scored and the games it has played.
pub(super) fn points(player: usize, encounters: &[Encounter]) -> (f64, u64) {
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
    ratings: Vec<RatingJson<'a>>,
    encounters: Vec<EncounterJson<'a>>,
}

#[derive(Serialize)]
struct RatingJson<'a> {
    player: &'a str,
    elo: f64,
    elo_error: f64,
    games: u64,
    points: f64,
}

#[derive(Serialize)]
struct EncounterJson<'a> {
    a: &'a str,
    b: &'a str,
    games: u64,
    advantage_ratio_a: Option<f64>,
    advantage_ratio_b: Option<f64>,
    standard_error: Option<f64>,
    /// The 95 % bounds of A's ratio, in place of an error where all pairs ended alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    advantage_ratio_a_bounds: Option<[f64; 2]>,
    pentanomial: [u64; 5],
    faults: u64,
}

fn json(names: &[String], ratings: &[Rating], all: &[EncounterResult]) -> String {
    let encounters: Vec<Encounter> = all.iter().map(|met| met.encounter).collect();
    let rating_row = |(player, name): (usize, &'_ String)| {
        let (points, games) = points(player, &encounters);
        (name.clone(), ratings[player], points, games)
    };
    let rows: Vec<_> = names.iter().enumerate().map(rating_row).collect();
    let document = Document {
        ratings: rows
            .iter()
            .map(|(name, rating, points, games)| RatingJson {
                player: name,
                elo: rating.elo,
                elo_error: rating.error,
                games: *games,
                points: *points,
            })
            .collect(),
        encounters: all.iter().map(encounter_row).collect(),
    };
    let text = serde_json::to_string_pretty(&document);
    text.expect("ratings hold nothing that JSON cannot say") + "\n"
}

fn encounter_row(met: &EncounterResult) -> EncounterJson<'_> {
    let summary = &met.summary;
    EncounterJson {
        a: &met.identity.players.a,
        b: &met.identity.players.b,
        games: 2 * summary.pentanomial.pairs(),
        advantage_ratio_a: summary.table.advantage_ratio(Side::A),
        advantage_ratio_b: summary.table.advantage_ratio(Side::B),
        standard_error: summary.standard_error(),
        advantage_ratio_a_bounds: summary.ratio_bounds(),
        pentanomial: summary.pentanomial.0,
        faults: summary.faults(),
    }
}
