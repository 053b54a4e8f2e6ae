//! `selfplay export`: every cell, in both formats.

use super::own::{self, Board, color_name, flip_of, plies, points_a, side_at};
use super::{pairs_of, play};
use crate::common::{run, text};
use anqi_lab::training::example::BestAction;
use anqi_lab::training::file::DataFile;
use anqi_match::luck::{Appraiser, AppraiserSpec};
use anqi_rules::{Position, Rules};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::Value;
use std::fs::{self, File};
use std::path::Path;

/// A row: names and cells as text, `None` where a cell is missing.
type Row = Vec<(&'static str, Option<String>)>;

/// A cell of a record: a missing field is null.
fn cell(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "callers hand over numbers")]
fn shown(value: impl ToString) -> Option<String> {
    Some(value.to_string())
}

/// Exports a table in both formats and returns its rows, which must be the same.
fn exported(input: &Path, what: &str, more: &[&str]) -> (Vec<String>, Vec<Vec<Option<String>>>) {
    let folder = tempfile::tempdir().expect("a folder");
    let [csv, parquet] = ["csv", "parquet"].map(|ending| {
        let path = folder.path().join(format!("table.{ending}"));
        let export = ["export", text(input), "--what", what, "--out", text(&path)];
        let output = run(&[&export[..], more].concat());
        assert!(output.status.success(), "{output:?}");
        path
    });
    let mut rows = own::csv(&fs::read_to_string(csv).expect("text"));
    let names = rows.remove(0).into_iter().flatten().collect();
    let reader = SerializedFileReader::new(File::open(parquet).expect("a file")).expect("Parquet");
    let twins = reader.get_row_iter(None).expect("rows").map(|row| {
        let row = row.expect("a row");
        let cells = row.get_column_iter().map(|(_, field)| match field {
            Field::Null => None,
            Field::Long(number) => shown(number),
            Field::Double(number) => shown(number),
            Field::Str(text) => Some(text.clone()),
            other => panic!("{other:?}"),
        });
        cells.collect::<Vec<_>>()
    });
    let twins: Vec<_> = twins.collect();
    assert_eq!(rows, twins, "{what}");
    (names, rows)
}

/// Compares exported rows with expected ones, cell by cell.
fn compare(input: &Path, what: &str, more: &[&str], expected: &[Row]) {
    let (names, rows) = exported(input, what, more);
    assert_eq!(rows.len(), expected.len(), "{what}");
    for (row, expected) in rows.iter().zip(expected) {
        assert_eq!(names.len(), expected.len(), "{what}");
        for ((name, found), (own_name, wanted)) in names.iter().zip(row).zip(expected) {
            assert_eq!(name, own_name, "{what}");
            let numbers = [found, wanted].map(|cell| cell.as_deref()?.parse::<f64>().ok());
            match numbers {
                [Some(found), Some(wanted)] => {
                    assert!(
                        (found - wanted).abs() < 1e-12,
                        "{what} {name}: {found} {wanted}"
                    );
                }
                _ => assert_eq!(found, wanted, "{what} {name}"),
            }
        }
    }
}

fn sum_of_luck(pair: &Value, game: usize) -> i64 {
    let luck = pair["luck"]["flips"][game].as_array().expect("luck");
    luck.iter().map(|luck| luck.as_i64().expect("luck")).sum()
}

fn row_of_game(meta: &Value, pair: &Value, game: usize, times: bool) -> Row {
    let record = &pair["games"][game];
    let mut board = Board::new();
    let captures = plies(record).iter().filter(|ply| board.play(ply)).count();
    let timing = |field: &Value| cell(field).filter(|_| times);
    let spent = &pair["timing"][game];
    vec![
        ("match", shown(1)),
        ("pair", cell(&pair["pair"])),
        ("game", shown(game + 1)),
        ("player_a", cell(&meta["identity"]["players"]["a"])),
        ("player_b", cell(&meta["identity"]["players"]["b"])),
        ("starter", shown(["a", "b"][game])),
        ("starter_color", cell(&record["starter_color"])),
        ("winner", cell(&record["verdict"]["winner"])),
        ("reason", cell(&record["verdict"]["reason"])),
        ("detail", cell(&record["verdict"]["detail"])),
        ("points_a", shown(points_a(record))),
        ("luck_a", shown(sum_of_luck(pair, game) as f64 / 20_000.0)),
        ("length", shown(plies(record).len())),
        ("flips", shown(32 - board.face_down())),
        ("captures", shown(captures)),
        ("nodes_a", cell(&record["nodes"]["a"])),
        ("nodes_b", cell(&record["nodes"]["b"])),
        ("last_value_a", cell(&record["last_values"]["a"])),
        ("last_value_b", cell(&record["last_values"]["b"])),
        ("thinking_us_a", timing(&spent["thinking_us"]["a"])),
        ("thinking_us_b", timing(&spent["thinking_us"]["b"])),
        ("total_us", timing(&spent["total_us"])),
        // No plies are empty text, not a missing cell.
        ("plies", shown(record["plies"].as_str().expect("plies"))),
    ]
}

/// The luck of the side that flips: the value after what appeared, less the mean over the bag.
fn luck_of(board: &Board, ply: &str, appraiser: &mut Appraiser) -> f64 {
    let (square, appeared) = flip_of(ply).expect("a flip");
    let (mut sum, mut seen) = (0.0, None);
    for (&piece, &count) in board.bag.iter().filter(|(_, count)| **count > 0) {
        let mut game = anqi_rules::Game::new(
            board.text().parse::<Position>().expect("a position"),
            Rules::PAPER,
        );
        let other = format!("{square}({piece})").parse().expect("a ply");
        game.play(other).expect("it may appear");
        // The value is for the side to move, which is not the one that flipped.
        let value = -f64::from(appraiser.value(game.position(), Rules::PAPER));
        sum += value * count as f64;
        if piece == appeared {
            seen = Some(value);
        }
    }
    seen.expect("it was in the bag") - sum / board.face_down() as f64
}

fn rows_of_flips(pair: &Value, game: usize, appraiser: &mut Appraiser) -> Vec<Row> {
    let record = &pair["games"][game];
    let mut board = Board::new();
    let mut rows = Vec::new();
    for (index, ply) in plies(record).into_iter().enumerate() {
        if let Some((square, piece)) = flip_of(ply) {
            let side = side_at(record, index);
            let luck = luck_of(&board, ply, appraiser).round();
            let luck_a = if side == "a" { luck } else { -luck };
            let told = &pair["luck"]["flips"][game][rows.len()];
            assert_eq!(
                told.as_f64(),
                Some(luck_a + 0.0),
                "the record's luck of {ply}"
            );
            let before = board.text();
            let (face_down, chances) = (board.face_down(), board.bag[&piece]);
            let turn = match board.turn() {
                '-' => own::color_of(piece),
                known => known,
            };
            rows.push(vec![
                ("match", shown(1)),
                ("pair", cell(&pair["pair"])),
                ("game", shown(game + 1)),
                ("ply", shown(index + 1)),
                ("flip", shown(rows.len() + 1)),
                ("side", shown(side)),
                ("color", shown(color_name(turn))),
                ("square", shown(square)),
                ("piece", shown(piece)),
                ("face_down", shown(face_down)),
                ("chance", shown(chances as f64 / face_down as f64)),
                ("luck_a", shown(luck_a)),
                ("luck", shown(luck)),
                ("position", shown(before)),
            ]);
        }
        board.play(ply);
    }
    rows
}

fn row_of_match(folder: &Path, meta: &Value, games: &[&Value]) -> Row {
    let identity = &meta["identity"];
    let won_by = |winner: Option<&str>| {
        let of = |game: &&&Value| game["verdict"]["winner"].as_str() == winner;
        games.iter().filter(of).count()
    };
    let faults = games
        .iter()
        .filter(|game| !game["verdict"]["detail"].is_null())
        .count();
    let points: f64 = games.iter().map(|game| points_a(game)).sum();
    let seed = identity["seed"].as_u64().expect("a seed");
    vec![
        ("match", shown(1)),
        ("folder", shown(text(folder))),
        ("program", cell(&identity["program"])),
        ("player_a", shown("champion:hash=1,tables=0")),
        ("player_b", shown("basic:depth=1")),
        ("name_a", cell(&identity["names"]["a"])),
        ("name_b", cell(&identity["names"]["b"])),
        ("limits_a", shown("60 nodes a move")),
        ("limits_b", shown("90 nodes a move, depth 2")),
        ("rules", shown("paper")),
        ("deal", cell(&identity["deal"])),
        // More than 63 bits come out negative.
        ("seed", shown(i128::from(seed) - (1i128 << 64))),
        ("adjudication", shown("none")),
        ("appraiser", shown("moves 2")),
        ("games", shown(games.len())),
        ("wins_a", shown(won_by(Some("a")))),
        ("draws", shown(won_by(None))),
        ("wins_b", shown(won_by(Some("b")))),
        ("faults", shown(faults)),
        ("score_a", shown(points / games.len() as f64)),
    ]
}

#[test]
fn every_column_of_matches_games_and_flips_is_what_the_records_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    play(folder);
    let meta = fs::read_to_string(folder.join("meta.json")).expect("meta.json");
    let meta: Value = serde_json::from_str(&meta).expect("JSON");
    let pairs = pairs_of(folder);
    let each = || pairs.iter().flat_map(|pair| [(pair, 0), (pair, 1)]);
    for times in [false, true] {
        let games: Vec<Row> = each()
            .map(|(pair, game)| row_of_game(&meta, pair, game, times))
            .collect();
        compare(
            folder,
            "games",
            if times { &["--times"] } else { &[] },
            &games,
        );
    }
    let mut appraiser = Appraiser::new(AppraiserSpec::default());
    let flips: Vec<Row> = each()
        .flat_map(|(pair, game)| rows_of_flips(pair, game, &mut appraiser))
        .collect();
    // Both sides flip, in both colours, with luck and without.
    for (side, color, sign) in [
        ("a", "red", 1.0),
        ("a", "black", -1.0),
        ("b", "red", -1.0),
        ("b", "black", 1.0),
    ] {
        let is_so = |row: &&Row| {
            let luck: f64 = row[12]
                .1
                .as_deref()
                .expect("luck")
                .parse()
                .expect("a number");
            row[5].1.as_deref() == Some(side)
                && row[6].1.as_deref() == Some(color)
                && luck * sign > 0.0
        };
        assert!(flips.iter().any(|row| is_so(&row)), "{side} {color} {sign}");
    }
    compare(folder, "flips", &[], &flips);
    let games: Vec<&Value> = each().map(|(pair, game)| &pair["games"][game]).collect();
    compare(
        folder,
        "matches",
        &[],
        &[row_of_match(folder, &meta, &games)],
    );
}

#[test]
fn every_column_of_positions_is_what_the_position_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data.anqi");
    let play = "data --games 6 --nodes 60 --seed 5 --out";
    let arguments: Vec<&str> = play.split(' ').chain([text(&data)]).collect();
    super::printed(&arguments);
    let file = DataFile::read(&data).expect("positions");
    let mut expected: Vec<Row> = Vec::new();
    for index in 0..file.records().len() {
        let example = file.example(index).expect("a position");
        let position = example.position.to_string();
        let fields: Vec<&str> = position.split(' ').collect();
        let letters = format!("{}{}", fields[0], fields[2]);
        let of = |is: fn(&char) -> bool| shown(letters.chars().filter(is).count());
        let turn = fields[1].chars().next().filter(|turn| *turn != '-');
        expected.push(vec![
            ("file", shown(text(&data))),
            ("seed", shown(5)),
            ("game", shown(example.game)),
            ("ply", shown(fields[4])),
            ("quiet", shown(fields[3])),
            ("position", shown(&position)),
            ("turn", turn.map(color_name).map(str::to_owned)),
            ("pieces_red", of(char::is_ascii_uppercase)),
            ("pieces_black", of(char::is_ascii_lowercase)),
            ("face_down", of(|letter| *letter == '?')),
            ("value", shown(example.value)),
            ("result", shown(example.result.sign())),
            (
                "best",
                shown(match example.best {
                    BestAction::Step => "step",
                    BestAction::Capture => "capture",
                    BestAction::Flip => "flip",
                }),
            ),
            ("depth", shown(example.depth)),
        ]);
    }
    assert!(
        expected
            .iter()
            .any(|row| row[11].1.as_deref() == Some("-1"))
    );
    assert!(expected.iter().any(|row| row[11].1.as_deref() == Some("1")));
    compare(&data, "positions", &[], &expected);
}
