//! Tuning and sweeping by the whole program: the same result however often a run is killed,
//! on one thread or two, and bad input refused by name.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::common::{printed, run, said_once, selfplay, text};

/// A plan for a player that gains by searching deeper: small enough for a test.
const PLAN: &str = "\
player = 'basic:policy=move-first'
[games]
nodes = 300
seed = 7
[schedule]
iterations = 12
pairs = 3
a = 4.0
c = 2.0
A = 2.0
[objective]
results = 'adjusted'
coefficient = 0.5
[test]
games = 20
elo1 = 50.0
[[parameter]]
name = 'depth'
start = 3
min = 1
max = 9
step = 1
[[parameter]]
name = 'pawn'
start = 300
min = 0
max = 600
step = 40
";

/// Writes a plan and returns its name.
fn plan(folder: &Path, content: &str) -> String {
    let path = folder.join("plan.toml");
    fs::write(&path, content).expect("a file");
    text(&path).to_owned()
}

fn tuned(plan: &str, out: &Path, jobs: &str) -> String {
    printed(&["tune", plan, "--out", text(out), "--jobs", jobs, "--json"])
}

fn iterations(out: &Path) -> String {
    fs::read_to_string(out.join("iterations.jsonl")).unwrap_or_default()
}

#[test]
fn killed_and_gone_on_with_a_run_gives_the_same_parameters_to_the_last_digit() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(folder.path(), PLAN);
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    let expected = tuned(&plan, &whole, "1");
    for round in 0..4 {
        let before = iterations(&killed).len();
        let arguments = ["tune", &plan, "--out", text(&killed), "--jobs", "2"];
        let mut command = selfplay(&arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        // Every other time it is killed before it has finished an iteration.
        while round % 2 == 0 && iterations(&killed).len() <= before {
            if child.try_wait().expect("a child").is_some() {
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        let _ = child.kill();
        child.wait().expect("it ends");
    }
    // The incomplete line of a process killed while writing.
    let mut torn = iterations(&killed);
    torn.push_str("{\"iteration\":99,\"plu");
    fs::write(killed.join("iterations.jsonl"), torn).expect("a file");
    assert_eq!(tuned(&plan, &killed, "2"), expected);
    assert_eq!(iterations(&killed), iterations(&whole));
    assert_eq!(
        tuned(&plan, &killed, "2"),
        expected,
        "nothing is left to do"
    );
}

#[test]
fn a_longer_plan_goes_on_from_a_shorter_one_and_another_plan_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let no_test = PLAN.replace("games = 20", "games = 0");
    let short = no_test.replace("iterations = 12", "iterations = 3");
    let told = printed(&["tune", &plan(folder.path(), &short), "--out", text(&out)]);
    assert!(told.contains("No test was asked for"), "{told}");
    printed(&["tune", &plan(folder.path(), &no_test), "--out", text(&out)]);
    let direct = folder.path().join("direct");
    printed(&[
        "tune",
        &plan(folder.path(), &no_test),
        "--out",
        text(&direct),
    ]);
    assert_eq!(iterations(&out), iterations(&direct));
    let other = plan(folder.path(), &no_test.replace("seed = 7", "seed = 8"));
    refused(
        &["tune", &other, "--out", text(&out)],
        &["another tuning run", "[games]"],
    );
    let changed = iterations(&out).replacen("\"plus\":[", "\"plus\":[9,", 1);
    fs::write(out.join("iterations.jsonl"), changed).expect("a file");
    let plan = plan(folder.path(), &no_test);
    refused(
        &["tune", &plan, "--out", text(&out)],
        &["iterations.jsonl, line 1", "do not follow"],
    );
}

#[test]
fn a_run_says_what_became_of_every_parameter() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(
        folder.path(),
        &PLAN.replace("iterations = 12", "iterations = 4"),
    );
    let out = folder.path().join("out");
    let told = printed(&["tune", &plan, "--out", text(&out)]);
    assert!(
        told.contains("parameter") && told.contains("pawn"),
        "{told}"
    );
    assert!(
        told.contains("the default") && told.contains("the start"),
        "{told}"
    );
    let page = fs::read_to_string(out.join("report.html")).expect("a page");
    assert_eq!(
        page.matches("<polyline").count(),
        2,
        "a path for each parameter"
    );
    // The player reads the file of settings.
    let options = out.join("tuned.options");
    let player = format!("basic:options={}", text(&options));
    printed(&[
        "--a", &player, "--b", "greedy", "--games", "2", "--nodes", "50",
    ]);
}

#[test]
fn with_an_opponent_both_meet_that_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let against = PLAN
        .replace("[games]", "opponent = 'greedy'\n[games]")
        .replace("iterations = 12", "iterations = 2");
    let plan = plan(folder.path(), &against);
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    assert_eq!(tuned(&plan, &one, "1"), tuned(&plan, &two, "2"));
    assert!(iterations(&one).contains("\"minus\":[{\"half_points\""));
}

fn refused(arguments: &[&str], reasons: &[&str]) {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    for reason in reasons {
        assert!(errors.contains(reason), "{arguments:?}: {errors}");
    }
    said_once(&errors);
}

#[test]
fn bad_plans_are_refused_by_name_before_anything_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let cases = [
        ("'pawn'", "'prawn'", "'prawn'"),
        (
            "max = 9",
            "max = 65",
            "'depth': max = 65 is out of range (expected 0 to 64)",
        ),
        ("start = 300", "start = 700", "'pawn': start = 700"),
        ("a = 4.0", "a = 0.0", "schedule.a"),
        ("iterations = 12", "iterations = 'many'", "line 6"),
        (
            "[games]",
            "opponent = 'nobody'\n[games]",
            "opponent: no player is called 'nobody'",
        ),
    ];
    for (good, bad, reason) in cases {
        let plan = plan(folder.path(), &PLAN.replace(good, bad));
        refused(&["tune", &plan, "--out", text(&out)], &[reason]);
    }
    assert!(!out.exists(), "a refused plan leaves nothing behind");
    refused(
        &["tune", "/nowhere/plan.toml", "--out", text(&out)],
        &["/nowhere/plan.toml"],
    );
    refused(&["tune", "/dev/zero", "--out", text(&out)], &["/dev/zero"]);
    refused(
        &["tune", "--init", "basic", "--parameter", "margin"],
        &["'margin'", "null-margin"],
    );
    refused(&["tune"], &["--out"]);
}

#[test]
fn a_plan_that_was_written_can_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("basic.toml");
    let init = [
        "tune",
        text(&path),
        "--init",
        "basic",
        "--parameter",
        "null-margin",
    ];
    printed(&init);
    refused(&init, &["exists already"]);
    let written = fs::read_to_string(&path).expect("a plan");
    let to_print = ["tune", "--init", "basic", "--parameter", "null-margin"];
    assert_eq!(printed(&to_print), written);
    let small = written
        .replace("iterations = 200", "iterations = 2")
        .replace("pairs = 10", "pairs = 1")
        .replace("nodes = 5000", "nodes = 50")
        .replace("games = 2000", "games = 2");
    fs::write(&path, small).expect("a file");
    let told = printed(&[
        "tune",
        text(&path),
        "--out",
        text(&folder.path().join("out")),
    ]);
    assert!(told.contains("null-margin"), "{told}");
}

const SWEEP: [&str; 11] = [
    "sweep",
    "--player",
    "basic:policy=advantage",
    "--parameter",
    "null-margin=-100..100/100",
    "--against",
    "greedy",
    "--games",
    "6",
    "--nodes",
    "100",
];

fn swept(more: &[&str]) -> String {
    let arguments: Vec<&str> = SWEEP.iter().chain(more).copied().collect();
    printed(&arguments)
}

#[test]
fn a_sweep_gives_the_same_table_on_one_thread_two_and_from_its_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = text(folder.path());
    let one = swept(&["--jobs", "1"]);
    assert_eq!(swept(&["--jobs", "2", "--out", out]), one);
    assert!(folder.path().join("null-margin=-100/pairs.jsonl").exists());
    assert_eq!(swept(&["--out", out]), one);
    let is_setting = |line: &&str| line.trim_start().starts_with(['-', '0', '1']);
    assert_eq!(one.lines().filter(is_setting).count(), 3, "{one}");
}

#[test]
fn a_sweep_writes_json_page_and_picture_with_the_luck_taken_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let [page, picture] = ["page.html", "plot.svg"].map(|name| folder.path().join(name));
    let more = [
        "--json",
        "--adjust",
        "--html",
        text(&page),
        "--svg",
        text(&picture),
    ];
    let json: serde_json::Value = serde_json::from_str(&swept(&more)).expect("JSON");
    let rows = json["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[2]["values"][0], "100");
    assert_eq!(rows[0]["games"], 6);
    assert!(rows[0]["adjusted"]["standard_error"].is_number());
    for file in [page, picture] {
        let content = fs::read_to_string(&file).expect("a file");
        assert_eq!(
            content.matches("<polyline").count(),
            1,
            "{}",
            file.display()
        );
    }
}

#[test]
fn bad_sweeps_are_refused_by_name_before_any_game() {
    let cases = [
        (
            ["--player", "var2", "--parameter", "k=0..3"],
            "'0' is not a value for 'k'",
        ),
        (["--player", "var2", "--parameter", "j=1"], "'j'"),
        (
            ["--player", "basic", "--parameter", "policy=compare,none"],
            "'none'",
        ),
        (
            ["--player", "cmd:./x", "--parameter", "k=1"],
            "outside program",
        ),
        (
            ["--player", "var2", "--parameter", "k=3..1"],
            "'3..1' is no range",
        ),
    ];
    for (arguments, reason) in cases {
        let all: Vec<&str> = ["sweep"].into_iter().chain(arguments).collect();
        refused(&all, &[reason]);
    }
    refused(&["sweep", "--player", "var2"], &["--parameter"]);
}

#[test]
fn parameters_are_listed_with_their_ranges() {
    let json: serde_json::Value =
        serde_json::from_str(&printed(&["options", "--json", "--player", "var2"])).expect("JSON");
    let first = &json[0];
    assert_eq!(
        (&first["player"], &first["name"]),
        (&"var2".into(), &"k".into())
    );
    assert_eq!((&first["min"], &first["max"]), (&1.into(), &14.into()));
    assert_eq!(
        (&first["default"], &first["kind"]),
        (&3.into(), &"integer".into())
    );
    assert!(printed(&["options"]).contains("null-margin"));
    refused(
        &["--a", "var2:j=1", "--b", "var2"],
        &["player A", "has no setting 'j'"],
    );
    refused(
        &["options", "--player", "nobody"],
        &["'nobody'", "champion"],
    );
}
