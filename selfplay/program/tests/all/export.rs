//! Results as tables: what is written is read back and compared with the records.

use std::fs::{self, File};
use std::path::Path;

use crate::common::{printed, run};
use anqi_lab::training::export::POSITIONS;
use anqi_match::export::schema::{ColumnKind, Table, What};
use anqi_match::record::PairRecord;
use parquet::basic::Type as Physical;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row, RowAccessor};

/// Plays a small match with luck into a folder.
fn play(folder: &Path, more: &[&str]) {
    let out = folder.to_str().expect("a plain name");
    let game = "--a champion:hash=1,tables=0 --b greedy --nodes 100 --games 6 --adjust --out";
    let mut arguments: Vec<&str> = game.split(' ').collect();
    arguments.push(out);
    printed(&[&arguments[..], more].concat());
}

fn export(input: &Path, what: &str, out: &Path, more: &[&str]) -> std::process::Output {
    let [input, out] = [input, out].map(|path| path.to_str().expect("a plain name"));
    run(&[&["export", input, "--what", what, "--out", out], more].concat())
}

/// Exports a table and reads the rows of the Parquet file.
fn rows(input: &Path, table: Table) -> Vec<Row> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table.parquet");
    let output = export(input, table.name, &path, &[]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let reader = SerializedFileReader::new(File::open(path).expect("a file")).expect("Parquet");
    let schema = reader.metadata().file_metadata().schema_descr();
    for (field, column) in schema.columns().iter().zip(table.columns) {
        assert_eq!(field.name(), column.name);
        let physical = match column.kind {
            ColumnKind::Integer => Physical::INT64,
            ColumnKind::Number => Physical::DOUBLE,
            ColumnKind::Text => Physical::BYTE_ARRAY,
        };
        assert_eq!(field.physical_type(), physical, "{}", column.name);
    }
    assert_eq!(schema.num_columns(), table.columns.len());
    let all = reader.get_row_iter(None).expect("rows");
    all.collect::<Result<_, _>>().expect("rows")
}

fn column(table: Table, name: &str) -> usize {
    let found = table.columns.iter().position(|column| column.name == name);
    found.expect("a column")
}

fn records(folder: &Path) -> Vec<PairRecord> {
    let text = fs::read_to_string(folder.join("pairs.jsonl")).expect("pairs");
    let read = |line| serde_json::from_str(line).expect("a record");
    let mut all: Vec<PairRecord> = text.lines().map(read).collect();
    all.sort_by_key(|record| record.pair);
    all
}

#[test]
fn games_and_flips_come_back_as_they_were_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    play(folder.path(), &[]);
    let records = records(folder.path());
    let games: Vec<_> = records.iter().flat_map(|pair| &pair.games).collect();
    let rows_of_games = rows(folder.path(), What::Games.table());
    assert_eq!(rows_of_games.len(), games.len());
    let at = |name| column(What::Games.table(), name);
    for (row, game) in rows_of_games.iter().zip(&games) {
        let plies = row.get_string(at("plies")).expect("plies");
        assert_eq!(plies, &game.plies);
        let length = row.get_long(at("length")).expect("a length");
        assert_eq!(length, game.length() as i64);
        let nodes = row.get_long(at("nodes_a")).expect("nodes");
        assert_eq!(nodes, game.nodes.a as i64);
        let total = row.get_column_iter().nth(at("total_us")).expect("a cell").1;
        assert_eq!(total, &Field::Null, "times differ from run to run");
    }
    let luck: Vec<i32> = records
        .iter()
        .flat_map(|pair| pair.luck.as_ref().expect("measured").flips.concat())
        .collect();
    let flips = rows(folder.path(), What::Flips.table());
    let at = |name| column(What::Flips.table(), name);
    let found: Vec<i64> = flips
        .iter()
        .map(|row| row.get_long(at("luck_a")).expect("luck"))
        .collect();
    assert_eq!(
        found,
        luck.iter().copied().map(i64::from).collect::<Vec<_>>()
    );
    for row in &flips {
        let chance = row.get_double(at("chance")).expect("a chance");
        assert!(chance > 0.0 && chance <= 1.0);
        let first = row.get_long(at("flip")).expect("a number") == 1;
        let face_down = row.get_long(at("face_down")).expect("a number");
        assert_eq!(first, face_down == 32);
    }
}

#[test]
fn matches_and_tournaments_are_summed_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("a plain name");
    let event = "tournament --players greedy,random,basic:depth=1 --games 4 --out";
    printed(&[&event.split(' ').collect::<Vec<_>>()[..], &[out]].concat());
    let matches = rows(folder.path(), What::Matches.table());
    assert_eq!(matches.len(), 3);
    for (index, row) in matches.iter().enumerate() {
        let at = |name| column(What::Matches.table(), name);
        let long = |name| row.get_long(at(name)).expect("a number");
        assert_eq!(long("match"), index as i64 + 1);
        assert_eq!(long("games"), 4);
        assert_eq!(long("wins_a") + long("draws") + long("wins_b"), 4);
    }
    // Two shards of a match are one match.
    let shards = tempfile::tempdir().expect("a folder");
    for shard in ["1/2", "2/2"] {
        play(
            &shards.path().join(shard.replace('/', "-")),
            &["--shard", shard],
        );
    }
    let matches = rows(shards.path(), What::Matches.table());
    assert_eq!(matches.len(), 1);
    assert_eq!(
        matches[0]
            .get_long(column(What::Matches.table(), "games"))
            .expect("a number"),
        6
    );
}

#[test]
fn training_positions_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data.anqi");
    let path = data.to_str().expect("a plain name");
    printed(&["data", "--games", "4", "--nodes", "100", "--out", path]);
    let file = anqi_lab::training::file::DataFile::read(&data).expect("positions");
    let found = rows(&data, POSITIONS);
    assert_eq!(found.len(), file.records().len());
    let at = |name| column(POSITIONS, name);
    for (index, row) in found.iter().enumerate() {
        let example = file.example(index).expect("a position");
        let text = row.get_string(at("position")).expect("a position");
        assert_eq!(text, &example.position.to_string());
        let value = row.get_long(at("value")).expect("a value");
        assert_eq!(value, i64::from(example.value));
    }
}

#[test]
fn the_same_games_give_the_same_bytes_in_both_formats() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, second] = ["1", "2"].map(|jobs| {
        let out = folder.path().join(jobs);
        play(&out, &["--jobs", jobs]);
        out
    });
    for format in ["parquet", "csv"] {
        let bytes = [&first, &second].map(|input| {
            let out = folder.path().join("table");
            let output = export(input, "games", &out, &["--format", format]);
            assert!(output.status.success(), "{output:?}");
            fs::read(out).expect("a table")
        });
        assert!(bytes[0] == bytes[1], "{format}");
    }
    let text = fs::read_to_string(folder.path().join("table")).expect("text");
    let names = What::Games.table().columns.iter().map(|column| column.name);
    assert_eq!(
        text.lines().next(),
        Some(&*names.collect::<Vec<_>>().join(","))
    );
    assert_eq!(text.lines().count(), 7);
}

#[test]
fn records_have_every_game_with_players_result_and_plies() {
    use anqi_match::side::Side;
    use anqi_protocol::record::pgn;
    let folder = tempfile::tempdir().expect("a folder");
    let games = folder.path().join("games");
    play(&games, &[]);
    let out = folder.path().join("games.pgn");
    let output = export(&games, "pgn", &out, &[]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains("6 games are in"), "{errors}");
    let text = fs::read_to_string(&out).expect("text");
    let read = pgn::read(text.as_bytes(), anqi_rules::Rules::PAPER).expect("PGN");
    assert_eq!(pgn::write(&read), text);
    let records = records(&games);
    let expected = records.iter().flat_map(|pair| {
        let numbered = pair.games.iter().enumerate();
        numbered.map(|(index, game)| (format!("{}.{}", pair.pair + 1, index + 1), game))
    });
    for (game, (round, record)) in read.iter().zip(expected) {
        assert_eq!(game.tags.get("Round"), Some(&*round));
        let plies: Vec<String> = game.main_line().iter().map(|p| p.ply.to_string()).collect();
        assert_eq!(plies.join(" "), record.plies);
        let first = ["champion:hash=1,tables=0", "greedy"][usize::from(record.starter == Side::B)];
        assert_eq!(game.players()[0], first);
        let winner = record
            .verdict
            .winner
            .map(|side| usize::from(side != record.starter));
        assert_eq!(game.result.winner(), winner);
        assert_eq!(game.first_color(), record.starter_color);
        assert_eq!(game.rules.and_then(|rules| rules.name()), Some("olympiad"));
        assert!(game.plies.iter().any(|ply| ply.annotation.eval.is_some()));
    }
    assert_eq!(read.len(), 6);
    let again = folder.path().join("again.pgn");
    assert!(export(&games, "pgn", &again, &[]).status.success());
    assert_eq!(fs::read_to_string(again).expect("text"), text);
    let refused = export(&games, "pgn", &folder.path().join("x"), &["--times"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--times is for tables"));
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = folder.path().join("games");
    play(&games, &[]);
    let refused = |input: &Path, what: &str, out: &str| {
        let output = export(input, what, &folder.path().join(out), &[]);
        assert!(!output.status.success());
        assert!(!folder.path().join(out).exists());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for (input, what, out, expected) in [
        (&games, "games", "table.txt", "--format parquet"),
        (&games, "positions", "t.csv", "is a folder"),
        (&games, "teas", "t.csv", "'teas' is no table"),
        (&games.join("meta.json"), "games", "t.csv", "this is none"),
        (&games.join("meta.json"), "positions", "t.csv", "anqidata"),
        (&folder.path().join("none"), "flips", "t.csv", "none"),
    ] {
        let errors = refused(input, what, out);
        assert!(errors.contains(expected), "{errors}");
    }
}

#[test]
fn the_documents_describe_every_column() {
    let text = include_str!("../../../../docs/formats/results.md");
    let tables = What::ALL.map(What::table);
    for table in tables.into_iter().chain([POSITIONS]) {
        let title = format!("\n## Table `{}`\n", table.name);
        let (_, section) = text.split_once(&title).expect("a section for each table");
        let section = section.split("\n## ").next().unwrap_or(section);
        let described: Vec<&str> = section
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
            .collect();
        let names: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
        assert_eq!(described, names, "{}", table.name);
    }
}
