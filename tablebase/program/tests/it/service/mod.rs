//! `tablebase serve` over real sockets: its answers beside those of `tablebase probe`, caches, limits, hostile
//! requests, and its end.

mod client;
mod schema;

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::common::tablebase;
use crate::text;
use client::{Running, encoded};

const FACE_UP: &str = "gK2/4/4/3g/4/4/4/4 r - 0 0";
const FACE_DOWN: &str = "?k?1/4/4/4/4/4/4/4 b Pc 0 40";
const SMALL_FACE_DOWN: &str = "4/4/4/K1?1/4/?3/4/4 r gp 0 40";
const FIVE: &str = "4/4/m3/K1g1/4/1M2/4/3p b - 0 0";

/// What the command prints.
fn command(arguments: &[&str]) -> Value {
    let output = tablebase(arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Checks that an answer says the same as the command, and is as described.
fn agrees(answer: &Value, command: &Value) {
    schema::check(answer, "Answer");
    let is_face_down = command.get("wdl").is_none();
    let renamed = |one: &Value, key: &str| match (key, is_face_down) {
        ("value", false) => one["wdl"].clone(),
        ("dtc", true) => one["plies"].clone(),
        (key, _) => one.get(key).cloned().unwrap_or(Value::Null),
    };
    let same = |answer: &Value, command: &Value, keys: &[&str]| {
        for key in keys {
            assert_eq!(answer[key], renamed(command, key), "{key} of {answer}");
        }
    };
    let keys: &[&str] = if is_face_down {
        &["dtc", "expected"]
    } else {
        &["value", "dtc", "expected"]
    };
    same(answer, command, keys);
    same(answer, command, &["position"]);
    let actions = [answer, command].map(|one| one["actions"].as_array().unwrap());
    assert_eq!(actions[0].len(), actions[1].len());
    for (answer, command) in actions[0].iter().zip(actions[1]) {
        same(answer, command, keys);
        same(answer, command, &["action"]);
        if is_face_down {
            assert_eq!(answer["outcomes"], command["outcomes"]);
        }
    }
}

#[test]
fn answers_are_those_of_the_command_and_as_described() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().to_str().unwrap();
    let built = [
        "build",
        "--face-down",
        "--quiet",
        "--pieces",
        "3",
        "--hidden",
        "2",
        "--dir",
        folder,
    ];
    assert!(tablebase(&built).status.success());
    let service = Running::start(dir.path(), &[]);
    for position in [
        FACE_UP,
        "4/4/4/4/4/4/1k2/K1g1 r - 0 0",
        "4/4/4/4/4/4/1k2/K1g1 b - 7 9",
        "4/4/4/4/4/4/PP2/PPP1 b - 0 9",
        FACE_DOWN,
        SMALL_FACE_DOWN,
    ] {
        let answer = service.probe(position);
        assert_eq!(answer.status, 200, "{}", answer.body);
        let answer = answer.json();
        agrees(&answer, &command(&["probe", position, "--json"]));
        let path = format!("/probe?rules=olympiad&position={}", encoded(position));
        let answer = service.get(&path).json();
        let command = command(&["probe", position, "--json", "--rules", "olympiad"]);
        agrees(&answer, &command);
        if let Some(exact) = command.get("exact") {
            assert_eq!(&answer["exact"], exact);
        }
    }
    let known = service.probe(FACE_UP).json();
    assert_eq!(
        (&known["dtc"], &known["plies_to_end"]),
        (&json!(1), &json!(19))
    );
    assert_eq!(known["actions"][0]["plies_to_end"], 19);
    let known = service.probe(FACE_DOWN).json();
    assert_eq!(
        (&known["expected"], &known["value"]),
        (&json!("1/2"), &Value::Null)
    );
    // Beyond the tables: the reason, as JSON.
    for (position, word) in [
        (FIVE, "KMgmp"),
        ("4/3?/2?G/4/4/?3/?3/4 b Ckcp 0 40", "5 pieces"),
        (
            "????/????/????/????/????/????/????/???? - KGGMMRRNNCCPPPPPkggmmrrnnccppppp 0 0",
            "flip",
        ),
    ] {
        let answer = service.probe(position);
        assert_eq!(answer.status, 404, "{position}");
        schema::check(&answer.json(), "Error");
        assert!(answer.body.contains(word), "{}", answer.body);
    }
    a_line_is_that_of_the_command(&service);
    a_batch_answers_in_order(&service);
    caches_and_pages_are_served(&service);
    every_endpoint_is_described(&service);
}

fn a_line_is_that_of_the_command(service: &Running) {
    let line = service
        .get(&format!("/line?position={}", encoded(FACE_UP)))
        .json();
    schema::check(&line, "Line");
    let plies = line["plies"].as_array().unwrap();
    let actions: Vec<&str> = plies
        .iter()
        .map(|ply| ply["action"].as_str().unwrap())
        .collect();
    let command = text(&tablebase(&["line", FACE_UP, "--moves"]).stdout);
    assert_eq!(
        command.trim(),
        format!("{FACE_UP} moves {}", actions.join(" "))
    );
    assert_eq!(
        (&line["end"], &line["winner"]),
        (&json!("over"), &json!("red"))
    );
    assert_eq!(
        service
            .get(&format!("/line?position={}", encoded(FACE_DOWN)))
            .status,
        404
    );
}

fn a_batch_answers_in_order(service: &Running) {
    let body = json!([FACE_UP, "nonsense", FACE_DOWN, FIVE]).to_string();
    let answer = service.ask("POST", "/probe", "", &body).json();
    let answers = answer.as_array().unwrap();
    assert_eq!(answers[0], service.probe(FACE_UP).json());
    assert_eq!(answers[2], service.probe(FACE_DOWN).json());
    for (place, word) in [(1, "nonsense"), (3, "KMgmp")] {
        schema::check(&answers[place], "Unanswered");
        assert!(answers[place]["error"].as_str().unwrap().contains(word));
    }
    let many = |number: usize| json!(vec!["x"; number]).to_string();
    assert_eq!(service.ask("POST", "/probe", "", &many(1001)).status, 400);
    assert_eq!(
        service
            .ask("POST", "/probe", "", &"[".repeat(300_000))
            .status,
        413
    );
    assert_eq!(
        service.ask("POST", "/probe", "", &"[".repeat(3_000)).status,
        400
    );
    assert_eq!(
        service.ask("POST", "/probe?position=x", "", "[]").status,
        400
    );
    assert_eq!(service.ask("POST", "/probe", "", "[]").body, "[]");
}

fn caches_and_pages_are_served(service: &Running) {
    let path = format!("/probe?position={}", encoded(FACE_UP));
    let answer = service.get(&path);
    assert!(answer.header("cache-control").unwrap().contains("max-age"));
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    let tag = answer.header("etag").unwrap();
    let again = service.ask("GET", &path, &format!("if-none-match: {tag}\r\n"), "");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    assert_eq!(again.header("etag"), Some(tag));
    let other = service.ask("GET", &path, "if-none-match: \"0\"\r\n", "");
    assert_eq!(other.status, 200);
    let ply = service.get(&path.replace("+0+0", "+0+1"));
    assert_ne!(ply.header("etag"), Some(tag));
    let unknown = service.probe(FIVE);
    assert_eq!(unknown.header("cache-control"), Some("no-store"));
    assert_eq!(unknown.header("access-control-allow-origin"), Some("*"));
    let asked = service.ask("OPTIONS", "/probe", "origin: http://page.example\r\n", "");
    assert_eq!(asked.status, 204);
    assert!(
        asked
            .header("access-control-allow-methods")
            .unwrap()
            .contains("POST")
    );
}

fn every_endpoint_is_described(service: &Running) {
    let described = schema::described();
    assert_eq!(service.get("/openapi.json").json(), described);
    for (path, methods) in described["paths"].as_object().unwrap() {
        for method in ["get", "post", "put", "delete"] {
            let status = service.ask(&method.to_uppercase(), path, "", "").status;
            let known = methods.get(method).map(|one| &one["responses"]);
            match known {
                Some(known) => assert!(known.get(status.to_string()).is_some(), "{path} {status}"),
                None => assert_eq!(status, 405, "{method} {path}"),
            }
        }
    }
    assert_eq!(service.get("/nothing").status, 404);
    assert_eq!(service.get("/health").json(), json!({"status": "ok"}));
    let metrics = service.get("/metrics").body;
    for line in [
        "tablebase_requests_total{endpoint=\"probe\",status=\"304\"} 1\n",
        "tablebase_requests_total{endpoint=\"batch\",status=\"413\"} 1\n",
        "tablebase_request_duration_seconds_count{endpoint=\"line\"} ",
        "tablebase_positions_total{answered=\"yes\"} ",
    ] {
        assert!(metrics.contains(line), "{line} is not in {metrics}");
    }
}

#[test]
fn hostile_requests_are_refused_clients_limited_and_the_end_is_orderly() {
    let dir = tempfile::tempdir().unwrap();
    let mut service = Running::start(dir.path(), &["--per-second", "5"]);
    for path in [
        "/probe".to_owned(),
        "/probe?position=".to_owned(),
        "/probe?position=%00%ff%0d%0a".to_owned(),
        format!("/probe?position={}", "9".repeat(60_000)),
        "/probe?position=4/4/4/4/4/4/4/Kg2+r+-+4294967295+4294967295".to_owned(),
        "/probe?position=4/4/4/4/4/4/4/Kg2+r+-+0+99999999999999999999".to_owned(),
        format!("/probe?position={}&rules=nothing", encoded(FACE_UP)),
        format!("/probe?position={0}&position={0}", encoded(FACE_UP)),
        format!("/probe?position={}&other=1", encoded(FACE_UP)),
        "/line?position=x".to_owned(),
        "/line".to_owned(),
    ] {
        let answer = service.get(&path);
        assert_eq!(answer.status, 400, "{path}: {}", answer.body);
        schema::check(&answer.json(), "Error");
    }
    for request in [
        "GET /probe?position=4/4 b HTTP/1.1\r\nhost: x\r\n\r\n",
        "GET\r\n\r\n",
        "POST /probe HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999999999999\r\n\r\n",
        "POST /probe HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        "GET /../../etc/passwd HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    ] {
        let answer = service.send(request.as_bytes());
        assert!(
            (400..500).contains(&answer.status),
            "{request}: {}",
            answer.head
        );
    }
    // A whole batch is always allowed at first; then there is nothing for a while.
    let full = json!(vec!["x"; 1000]).to_string();
    let statuses = [0, 1].map(|_| service.ask("POST", "/probe", "", &full).status);
    assert!(statuses.contains(&429), "{statuses:?}");
    let refused = service.ask("POST", "/probe", "", &full);
    assert_eq!(refused.status, 429);
    assert!(
        refused
            .header("retry-after")
            .unwrap()
            .parse::<u32>()
            .unwrap()
            > 1
    );
    schema::check(&refused.json(), "Error");
    the_end_is_orderly(&mut service);
}

fn the_end_is_orderly(service: &mut Running) {
    let taken = tablebase(&["serve", "--dir", ".", "--listen", &service.address]);
    assert_eq!(taken.status.code(), Some(1));
    assert!(
        text(&taken.stderr).contains(&service.address),
        "{}",
        text(&taken.stderr)
    );
    let missing = tablebase(&[
        "serve",
        "--dir",
        "/no/such/place",
        "--listen",
        "127.0.0.1:0",
    ]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("/no/such/place"));
    let wrong = tablebase(&["serve", "--dir", ".", "--listen", "nowhere"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("IP:PORT"));
    // A connection that says nothing does not delay the end.
    let _silent = service.connect();
    let pid = service.child.id().to_string();
    let kill = Command::new("kill")
        .args(["-TERM", &pid])
        .stdout(Stdio::null())
        .status();
    assert!(kill.unwrap().success());
    assert_eq!(service.child.wait().unwrap().code(), Some(0));
}
