//! What the mind does first, what makes way, and what is lost when a mind is.

use super::client::Page;
use anqi_browser::Post;
use serde_json::{Value, json};

fn line() -> Value {
    json!({"start": "start", "plies": ["b2(G)", "b3(k)", "a1(p)"]})
}

fn stops(page: &Page) -> usize {
    let is_stop = |post: &&Post| matches!(post, Post::Stop(..));
    page.left.iter().filter(is_stop).count()
}

#[test]
fn a_game_is_played_to_its_end() {
    let mut page = Page::new(None);
    let greedy = json!({"kind": "player", "spec": "greedy"});
    let random = json!({"kind": "player", "spec": "random"});
    page.ask(json!({"type": "create", "seats": [greedy, random], "rules": "paper"}));
    let state = page.state();
    assert!(!state["outcome"].is_null(), "{state}");
    assert_eq!(state["deal"]["layout"].as_str().map(str::len), Some(32));
}

#[test]
fn a_hint_takes_the_place_of_a_review_which_then_goes_on() {
    let mut page = Page::new(None);
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    page.ask(json!({"type": "create", "seats": seats}));
    let review = page.send(json!({"type": "review", "line": line(), "nodes": 300}));
    let first = page.work.clone();
    assert_eq!(first.len(), 1);
    let hint = page.send(json!({"type": "hint"}));
    assert_eq!(stops(&page), 1, "the mind is told to end the ply");
    page.think();
    // The hint's turn; the ply that made way comes again, with the same work.
    assert!(page.work[0].1.starts_with("{\"hint\""), "{:?}", page.work);
    page.think();
    assert_eq!(page.work[0].1, first[0].1);
    page.settle();
    let heard = page.heard();
    let answer = |id: u64, kind: &str| {
        let mut answers = heard.iter();
        answers.any(|one| one["re"] == id && one["type"] == kind)
    };
    assert!(
        answer(hint, "hint") && answer(review, "review"),
        "{heard:?}"
    );
}

#[test]
fn what_nobody_wants_any_more_is_stopped_and_a_click_is_answered_meanwhile() {
    let mut page = Page::new(None);
    let seats = json!([{"kind": "me"}, {"kind": "level", "level": 10}]);
    page.ask(json!({"type": "create", "seats": seats}));
    page.send(json!({"type": "play", "action": "b2-b2"}));
    assert_eq!(page.work.len(), 1, "the computer thinks");
    page.send(json!({"type": "undo"}));
    assert_eq!(page.state()["plies"], json!([]));
    assert_eq!(stops(&page), 1);
    // The surroundings may end the worker instead: the game goes on with the next one.
    page.work.clear();
    page.referee.failed("stopped");
    page.send(json!({"type": "play", "action": "c3-c3"}));
    assert_eq!(page.state()["plies"].as_array().unwrap().len(), 1);
    assert_eq!(page.work.len(), 1, "the computer thinks again");
}

#[test]
fn a_mind_that_fails_costs_an_analysis_an_error_and_a_game_nothing() {
    let mut page = Page::new(None);
    let analyse = page.send(json!({"type": "analyse", "line": line()}));
    page.work.clear();
    page.referee.failed("a fault of the program");
    page.settle();
    let heard = page.heard();
    let error = heard.iter().find(|one| one["re"] == analyse).unwrap();
    assert_eq!(error["code"], "internal");
    let seats = json!([{"kind": "me"}, {"kind": "level", "level": 3}]);
    page.ask(json!({"type": "create", "seats": seats}));
    page.send(json!({"type": "play", "action": "b2-b2"}));
    page.work.clear();
    page.referee.failed("a fault of the program");
    page.settle();
    assert_eq!(page.state()["plies"].as_array().unwrap().len(), 2);
}

#[test]
fn a_referee_that_fails_loses_nothing_of_a_game_that_was_kept() {
    let mut page = Page::new(None);
    let seats = json!([{"kind": "me"}, {"kind": "player", "spec": "greedy"}]);
    let created = page.send(json!({"type": "create", "seats": seats}));
    let heard = page.heard();
    let token = heard.iter().find(|one| one["re"] == created).unwrap()["token"].clone();
    page.ask(json!({"type": "play", "action": "b2-b2"}));
    let before = page.state();
    let mut next = Page::new(None);
    next.referee.restore(page.kept.as_ref().unwrap());
    next.referee.restore("{}");
    next.ask(json!({"type": "enter", "token": token}));
    let after = next.state();
    assert_eq!(after["plies"], before["plies"]);
    assert_eq!(after["deal"], before["deal"]);
    assert!(matches!(next.left[0], Post::Warning(_)), "{:?}", next.left);
}

#[test]
fn direct_work_is_answered_by_what_was_found_or_by_the_last_progress() {
    let mut page = Page::new(None);
    let work = json!({"move": {
        "game": {"rules": "olympiad", "start": "4/4/4/4/4/4/4/Kg2 r - 0 0", "plies": []},
        "spec": "champion:hash=1,tables=0", "key": "k", "begins": false, "seed": 0,
        "limits": {"depth": 3, "nodes": null, "time": "None", "multipv": 1, "outcomes": false},
    }});
    page.referee.ask(7, &work.to_string());
    page.settle();
    let answers: Vec<Value> = page
        .left
        .iter()
        .filter_map(|post| match post {
            Post::Answer(7, text) => Some(serde_json::from_str(text).unwrap()),
            _ => None,
        })
        .collect();
    assert_eq!(answers.last().unwrap()["found"]["move"]["action"], "a1-b1");
    page.referee.ask(8, &work.to_string());
    let report = json!({
        "depth": 2, "selective_depth": 2, "score": {"Estimate": 500}, "nodes": 9,
        "elapsed": {"secs": 0, "nanos": 0}, "table_hits": 0, "hash_permille": 0, "rank": 1,
        "line": [{"action": "a1-a2", "expectation": null}],
    });
    page.referee.progress(&report.to_string());
    page.referee.halt(8);
    page.referee.failed("stopped");
    page.listen();
    let last = page.left.iter().rev().find_map(|post| match post {
        Post::Answer(8, text) => Some(serde_json::from_str::<Value>(text).unwrap()),
        _ => None,
    });
    assert_eq!(last.unwrap()["found"]["move"]["action"], "a1-a2");
    page.referee.ask(9, "{}");
    page.listen();
    assert!(matches!(page.left.last(), Some(Post::Answer(9, text)) if text.contains("failed")));
}

#[test]
fn lessons_that_the_referee_is_given_are_asked_by_the_mind_and_as_puzzles() {
    let mut page = Page::new(None);
    let list = include_str!("../../../desk/lessons/GGk.json");
    let lessons: Value = serde_json::from_str(list).expect("a list of lessons");
    page.referee.provide_lessons("[]");
    page.listen();
    let damaged = page.texts();
    assert!(damaged[0].contains("lessons are damaged"), "{damaged:?}");
    page.referee
        .provide_lessons(&json!({ "GGk": lessons }).to_string());
    let sets = page.ask(json!({"type": "lessons"}));
    assert_eq!(sets["sets"], json!(["GGk"]));
    let chosen = page.ask(json!({"type": "practise", "material": "GGk"}));
    let exercises = chosen["exercises"].as_array().expect("exercises");
    assert_eq!(Some(exercises.len()), lessons.as_array().map(Vec::len));
    for exercise in exercises {
        let told = exercise["lesson"]["idea"].as_str();
        assert!(told.is_some_and(|idea| !idea.is_empty()), "{exercise}");
    }
    let puzzles = page.ask(json!({"type": "puzzles"}));
    assert!(!puzzles["lessons"].is_null(), "{puzzles}");
}
