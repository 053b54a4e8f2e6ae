//! The page of a tournament.

use std::fmt::Write;

use super::html::{beginning, section};
use super::plot::{self, escape};
use super::run::Run;
use super::standings::{Standings, by_rating, meaning, points, ratio};
use super::text::fixed;
use super::viewer::{self, MatchGames};

/// Writes ratings, matrix and games.
pub fn write(standings: &Standings, run: &Run) -> String {
    let title = escape(&format!("Tournament of {} players", standings.names.len()));
    let mut page = beginning(&title, Some(run));
    section(
        &mut page,
        "Ratings: Elo with 95 % interval, the mean of all players is 0",
        &(rating_plot(standings) + &rating_table(standings)),
    );
    section(
        &mut page,
        &format!(
            "Advantage ratios, row against column, {}",
            meaning(&standings.all)
        ),
        &matrix(standings),
    );
    let games: Vec<MatchGames<'_>> = standings
        .all
        .iter()
        .map(|met| MatchGames {
            players: &met.identity.players,
            pairs: met.records.len(),
            first: &met.records,
        })
        .collect();
    section(&mut page, "Games", &viewer::write(&games));
    page + "</main>\n</html>\n"
}

fn rating_plot(standings: &Standings) -> String {
    let rows: Vec<plot::ErrorBar> = by_rating(&standings.ratings)
        .into_iter()
        .map(|player| plot::ErrorBar {
            label: standings.names[player].clone(),
            value: standings.ratings[player].elo,
            error: standings.ratings[player].error,
        })
        .collect();
    plot::error_bars(&rows)
}

fn rating_table(standings: &Standings) -> String {
    let encounters = standings.encounters();
    let mut table = "<table class=\"matrix\">\n<tr><th>player</th><th>Elo</th><th>score</th><th>games</th></tr>\n".to_owned();
    for player in by_rating(&standings.ratings) {
        let rating = standings.ratings[player];
        let (scored, games) = points(player, &encounters);
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "<tr><th>{}</th><td>{} ± {}</td><td>{:.1} %</td><td>{games}</td></tr>",
            escape(&standings.names[player]),
            fixed(rating.elo, 1),
            fixed(rating.error, 1),
            100.0 * scored / games.max(1) as f64
        );
    }
    table + "</table>\n"
}

fn matrix(standings: &Standings) -> String {
    let players = 0..standings.names.len();
    let mut table = "<table class=\"matrix\">\n<tr><th></th>".to_owned();
    for number in players.clone() {
        let _ = write!(table, "<th>{}</th>", number + 1);
    }
    table += "</tr>\n";
    for row in players.clone() {
        let _ = write!(
            table,
            "<tr><th>{} {}</th>",
            row + 1,
            escape(&standings.names[row])
        );
        for column in players.clone() {
            let cell = ratio(&standings.all, row, column);
            let _ = write!(table, "<td>{cell}</td>");
        }
        table += "</tr>\n";
    }
    table + "</table>\n"
}
