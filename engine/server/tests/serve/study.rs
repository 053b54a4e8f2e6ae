//! Analyses, reviews, tables and records.

use super::client::{config, start};
use serde_json::{Value, json};

fn line(plies: &[&str]) -> Value {
    json!({"start": "start", "plies": plies})
}

/// A flip among the lines has the value of its distribution, which is the average of what it shows.
fn flips_average_and_lines_are_sorted(analysis: &Value) {
    let number = |value: &Value| value.as_f64().expect("a number");
    let lines = analysis["lines"].as_array().expect("lines");
    let flips = analysis["flips"].as_array().expect("flips");
    for flip in flips {
        let all = flip["appearances"].as_array().expect("appearances");
        let kinds: f64 = all.iter().map(|a| number(&a["count"])).sum();
        let sum: f64 = all
            .iter()
            .map(|a| number(&a["count"]) * number(&a["value"]))
            .sum();
        let gap = (sum / kinds - number(&flip["value"])).abs();
        // One unit of the last digit that is sent.
        assert!(gap <= 0.000_1 + 1e-9, "{gap} for {flip}");
    }
    let mut ranked = 0;
    for line in lines {
        let action = line["action"].as_str().expect("an action");
        let (from, to) = action.split_once('-').expect("squares");
        let flip = flips.iter().find(|flip| flip["square"] == from);
        let Some(flip) = flip.filter(|_| from == to) else {
            assert!(from != to, "no distribution of {action}");
            continue;
        };
        assert_eq!(line["value"]["expected"], flip["value"], "{action}");
        assert_eq!(line["line"][0]["expected"], flip["value"], "{action}");
        ranked += 1;
    }
    assert!(ranked > 0, "{analysis}");
    let values: Vec<f64> = lines
        .iter()
        .map(|line| number(&line["value"]["expected"]))
        .collect();
    assert!(values.is_sorted_by(|one, next| one >= next), "{values:?}");
    assert_eq!(analysis["value"]["expected"], lines[0]["value"]["expected"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_analysis_deepens_shows_distributions_and_what_if() {
    let server = start(config()).await;
    let mut client = server.client().await;
    let ask = |plies: &[&str]| json!({"type": "analyse", "line": line(plies), "lines": 3, "nodes": 60000, "distributions": ["d8"]});
    let mut values = Vec::new();
    for shown in ["a1(K)", "a1(p)"] {
        let id = client.send(ask(&[shown])).await;
        let first = client.until(|m| m["re"] == id).await;
        assert_eq!(first["type"], "analysis", "{first}");
        let last = if first["done"] == true {
            first
        } else {
            client.until(|m| m["re"] == id && m["done"] == true).await
        };
        let flips = last["flips"].as_array().expect("flips");
        let flip = flips
            .iter()
            .find(|flip| flip["square"] == "d8")
            .expect("as wished");
        let all = flip["appearances"].as_array().expect("appearances");
        flips_average_and_lines_are_sorted(&last);
        let chances: f64 = all.iter().filter_map(|a| a["chance"].as_f64()).sum();
        assert!((chances - 1.0).abs() < 0.01, "{chances}");
        values.push(last["value"]["expected"].as_f64().expect("a value"));
    }
    assert!(values.iter().all(|value| value.abs() <= 1.0));
    let nothing = client.ask(json!({"type": "stop_analysis"})).await;
    assert_eq!(nothing["code"], "nothing_to_do");
    let endless = json!({"type": "analyse", "line": line(&[])});
    client.send(endless).await;
    assert_eq!(
        client.ask(json!({"type": "stop_analysis"})).await["type"],
        "ok"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_is_imported_walked_reviewed_and_exported_unchanged() {
    let server = start(config()).await;
    let mut client = server.client().await;
    let record = "INITIAL
* 0:53pm Jan 13, 2022
* left vs right
* 0 0 0 0 0 0 1 1 1 0 0 0 0 0
* - - - -
* - - - -
* - - - -
* - - - -
* - - - -
* - - - -
* - - - -
* P - g X
* first 1
* time 900
* 1. d1(k) a1-a2
* 2. c1-b1 a2-a1
* 3. b1-a1
* NoMove left Wins 1.000000,0.000000
* Comment 0 0
";
    let imported = client
        .ask(json!({"type": "import", "text": record, "rules": "platform"}))
        .await;
    assert_eq!(
        (&imported["format"], &imported["players"]),
        (&json!("platform"), &json!(["left", "right"]))
    );
    assert_eq!(imported["outcome"]["winner_seat"], 0);
    let line = imported["line"].clone();
    let walk = client.ask(json!({"type": "walk", "line": line})).await;
    assert_eq!(walk["boards"].as_array().map(Vec::len), Some(6));
    assert_eq!(walk["plies"][4]["captured"], "P");
    let wish = json!({"type": "export", "format": "platform", "line": line, "original": record});
    let exported = client.ask(wish).await;
    assert_eq!(exported["text"], record);
    let id = client
        .send(json!({"type": "review", "line": line, "nodes": 500}))
        .await;
    let answer = client
        .until(|m| m["re"] == id && m["type"] == "review")
        .await;
    let report = &answer["report"];
    assert_eq!(report["plies"].as_array().map(Vec::len), Some(5));
    assert_eq!(report["graph"].as_array().map(Vec::len), Some(6));
    assert_eq!(report["graph"][5], 1.0);
    let progress = client
        .heard
        .iter()
        .filter(|text| text.contains("review_progress"))
        .count();
    assert_eq!(progress, 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_and_the_editor_answer() {
    let server = start(config()).await;
    let mut client = server.client().await;
    let probe = json!({"type": "probe", "position": "4/4/4/4/4/4/4/Kg2 r - 0 0"});
    // The tables are solved in the background.
    let table = loop {
        let table = client.ask(probe.clone()).await;
        if !table["verdict"].is_null() {
            break table;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    };
    assert_eq!(table["verdict"]["wdl"], "win");
    assert_eq!(table["actions"][0]["action"], "a1-b1");
    let material = client
        .ask(json!({"type": "material", "material": "Kg"}))
        .await;
    assert_eq!(material["known"], true);
    assert!(material["longest"]["plies"].as_u64().expect("plies") > 1);
    let large = client
        .ask(json!({"type": "material", "material": "KGMRkgmr"}))
        .await;
    assert_eq!(large["known"], false);
    let check = json!({"type": "check_position", "position": "KK2/4/4/4/4/4/4/g3 r * 0 0"});
    let checked = client.ask(check).await;
    assert_eq!(checked["faults"][0]["code"], "too_many");
    assert!(checked["board"].is_null());
    let view = client
        .ask(json!({"type": "view", "line": line(&["a1(K)"])}))
        .await;
    assert_eq!(view["board"]["turn"], "black");
}
