//! The report for browsers: one self-contained file with plots.

use std::fmt::Write;

use super::plot::{self, Bar, Bin, Segment, escape};
use super::run::Run;
use super::viewer::{self, MatchGames};
use super::{Detail, Report, table, text};
use crate::side::Side;
use crate::statistics::elo;

/// The most columns of the histogram of game lengths.
const LENGTH_COLUMNS: usize = 45;
const STYLE: &str = include_str!("report.css");

/// Writes the report as one HTML page.
pub fn write(report: &Report<'_>) -> String {
    let players = &report.identity.players;
    let title = escape(&format!("{} – {}", players.a, players.b));
    let mut page = beginning(&title, report.run.as_ref());
    page += &headline(report);
    section(
        &mut page,
        "Results by who starts",
        &(legend(report) + &result_bars(report)),
    );
    if let Some(table) = without_luck(report) {
        section(&mut page, "With the luck of flips taken out", &table);
    }
    section(
        &mut page,
        "Running advantage ratio with its 95 % band",
        &running(report),
    );
    section(
        &mut page,
        "Results of pairs, as A scores",
        &pair_bars(report),
    );
    section(&mut page, "Lengths of games", &lengths(report));
    section(
        &mut page,
        "All figures",
        &format!(
            "<pre>{}</pre>\n",
            escape(&table::write(report, Detail::WithTimes))
        ),
    );
    let games = MatchGames {
        players,
        pairs: report.pairs(),
        first: &report.digest.first,
    };
    section(&mut page, "Games", &viewer::write(&[games]));
    page + "</main>\n</html>\n"
}

/// Writes the beginning of a page; the title must be escaped.
pub fn beginning(title: &str, run: Option<&Run>) -> String {
    let origin = viewer::origin(run);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n<main>\n<h1>{title}</h1>\n{origin}"
    )
}

/// Adds a section with a heading to a page.
pub fn section(page: &mut String, heading: &str, body: &str) {
    // Writing to a string cannot fail.
    let _ = write!(page, "<section>\n<h2>{heading}</h2>\n{body}</section>\n");
}

fn headline(report: &Report<'_>) -> String {
    let summary = &report.summary;
    let ratio = |side| text::advantage_ratio(summary, side);
    let meaning = match summary.pentanomial.interval_without_spread() {
        Some(_) => "95 % bound, all pairs ended alike; 2 is equal",
        None => "± one standard error; 2 is equal",
    };
    let elo = text::elo(&summary.pentanomial, 1);
    let games = text::count(2 * summary.pentanomial.pairs());
    let facts = [
        ("advantage ratio of A", ratio(Side::A), meaning),
        (
            "advantage ratio of B",
            ratio(Side::B),
            "both views sum to 4",
        ),
        ("Elo, A − B", elo, "95 % interval from pairs"),
        ("games", games, "in pairs: one deal, the sides swapped"),
    ];
    let tiles = facts.map(|(name, value, note)| {
        format!(
            "<div class=\"tile\"><span>{name}</span><b>{value}</b><small>{note}</small></div>\n"
        )
    });
    format!("<div class=\"tiles\">\n{}</div>\n", tiles.concat())
}

/// Writes the results with the luck taken out beside the raw ones, if it was measured.
fn without_luck(report: &Report<'_>) -> Option<String> {
    let found = report.summary.without_luck.as_ref()?;
    let raw = text::advantage_ratio(&report.summary, Side::A);
    let adjusted = text::with_error(
        Some(found.advantage_ratio(Side::A)),
        found.standard_error(),
        3,
    );
    let raw_elo = text::elo(&report.summary.pentanomial, 1);
    let elo = text::with_error(found.elo.map(|e| e.elo), found.elo.and_then(|e| e.error), 1);
    let games = 2 * report.summary.pentanomial.pairs();
    let worth = found
        .worth(games)
        .map(|games| text::count(games.round() as u64));
    let ratio = text::optional(found.scores.variance_ratio, 3);
    Some(format!(
        "<table class=\"matrix\">\n<tr><th></th><th>raw</th><th>luck taken out</th></tr>\n\
         <tr><th>advantage ratio of A</th><td>{raw}</td><td>{adjusted}</td></tr>\n\
         <tr><th>Elo, A − B</th><td>{raw_elo}</td><td>{elo}</td></tr>\n\
         <tr><th>raw games of the same worth</th><td>{}</td><td>{}</td></tr>\n</table>\n\
         <p class=\"note\">Luck of A: {} points a game by {}, coefficient {}; variance {ratio} of the raw pairs.</p>\n",
        text::count(games),
        worth.unwrap_or(text::UNKNOWN.to_owned()),
        text::estimate(Some(found.scores.luck), 3),
        escape(&found.appraiser),
        text::fixed(found.scores.coefficient, 2),
    ))
}

fn legend(report: &Report<'_>) -> String {
    let players = &report.identity.players;
    format!(
        "<p class=\"legend\"><i class=\"a\"></i>A {} wins <i class=\"draw\"></i>draw \
         <i class=\"b\"></i>B {} wins</p>\n",
        escape(&players.a),
        escape(&players.b)
    )
}

/// The three kinds of results, in the order in which they are stacked.
fn segments(a: u64, draw: u64, b: u64) -> Vec<Segment> {
    let make = |class, count, name: &str| Segment {
        class,
        count,
        name: name.to_owned(),
    };
    vec![
        make("a", a, "A wins"),
        make("draw", draw, "draw"),
        make("b", b, "B wins"),
    ]
}

fn result_bars(report: &Report<'_>) -> String {
    let rows = &report.summary.table.rows;
    let bar = |label: &str, a, draw, b| Bar {
        label: label.to_owned(),
        segments: segments(a, draw, b),
    };
    plot::stacked_bars(&[
        bar("A starts", rows.a.win, rows.a.draw, rows.a.loss),
        bar("B starts", rows.b.loss, rows.b.draw, rows.b.win),
        bar(
            "all games",
            rows.a.win + rows.b.loss,
            rows.a.draw + rows.b.draw,
            rows.a.loss + rows.b.win,
        ),
    ])
}

fn pair_bars(report: &Report<'_>) -> String {
    const CLASSES: [(&str, &str); 5] = [
        ("b", "LL"),
        ("b-light", "LD"),
        ("draw", "DD or WL"),
        ("a-light", "WD"),
        ("a", "WW"),
    ];
    let segments = CLASSES.iter().zip(report.summary.pentanomial.0);
    let bar = Bar {
        label: "LL LD DD/WL WD WW".to_owned(),
        segments: segments
            .map(|(&(class, name), count)| Segment {
                class,
                count,
                name: name.to_owned(),
            })
            .collect(),
    };
    plot::stacked_bars(&[bar])
}

fn running(report: &Report<'_>) -> String {
    let points = &report.digest.running;
    if points.is_empty() {
        return "<p>Two pairs or more are needed.</p>\n".to_owned();
    }
    plot::running(points, |ratio| elo::from_score(ratio / 4.0))
}

/// Chooses a round number of plies for a column.
fn column_width(longest: usize) -> usize {
    let rounded = [1, 2, 5, 10, 20, 25, 50, 100];
    let fits = |width: &usize| longest / width < LENGTH_COLUMNS;
    rounded
        .into_iter()
        .find(fits)
        .unwrap_or(longest / LENGTH_COLUMNS + 1)
}

fn lengths(report: &Report<'_>) -> String {
    let longest = report
        .summary
        .lengths
        .as_ref()
        .map_or(0, |lengths| lengths.longest);
    let width = column_width(longest);
    let mut counts = vec![[0_u64; 3]; longest / width + 1];
    for (length, games) in &report.digest.lengths {
        let column = &mut counts[length / width];
        column
            .iter_mut()
            .zip(games)
            .for_each(|(sum, games)| *sum += games);
    }
    let columns: Vec<Bin> = counts
        .iter()
        .enumerate()
        .map(|(index, &[a, draw, b])| Bin {
            from: index * width,
            to: (index + 1) * width,
            segments: segments(a, draw, b),
        })
        .collect();
    plot::histogram(&columns, "plies")
}
