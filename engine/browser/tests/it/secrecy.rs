//! Face-down pieces stay secret: what leaves the referee, to the page or to the mind, does not depend on them.

use super::client::{Page, actions};
use anqi_browser::Post;
use serde_json::{Value, json};

/// A deal, and one that differs from it only on two squares.
const DEAL: &str = "KGkg/GMgm/MRmr/RNrn/NCnc/CPcp/PPpp/PPpp";
const SWAPPED: &str = "KGkg/GMgm/MRmr/NRrn/NCnc/CPcp/PPpp/PPpp";
const DIFFERENCE: [&str; 2] = ["a5", "b5"];

/// A text without the times and the commitment, which may differ.
fn comparable(post: &Post) -> String {
    fn clean(value: &mut Value) {
        match value {
            Value::Object(object) => {
                for key in ["ms", "hash", "elapsed", "time"] {
                    if object.contains_key(key) {
                        object[key] = Value::Null;
                    }
                }
                object.values_mut().for_each(clean);
            }
            Value::Array(values) => values.iter_mut().for_each(clean),
            _ => {}
        }
    }
    let (Post::Say(_, text) | Post::Work(_, text)) = post else {
        return format!("{post:?}");
    };
    let mut value: Value = serde_json::from_str(text).expect("a message of the desk");
    clean(&mut value);
    value.to_string()
}

/// Plays against an engine, with hints, until a square of the difference is turned over.
fn traffic(deal: &str) -> (Vec<String>, usize) {
    let mut page = Page::new(Some(deal));
    let seats = json!([{"kind": "me"}, {"kind": "player", "spec": "greedy"}]);
    page.ask(json!({"type": "create", "seats": seats, "show_thinking": true}));
    let mut plies = 0;
    let mut before = 0;
    while plies < 12 {
        let state = page.state();
        let told = state["plies"]
            .as_array()
            .expect("a message of the desk")
            .iter()
            .any(|ply| {
                let ply = ply["ply"].as_str().expect("a message of the desk");
                DIFFERENCE
                    .iter()
                    .any(|square| ply.starts_with(&format!("{square}(")))
            });
        if told || !state["outcome"].is_null() {
            break;
        }
        before = page.left.len();
        let own: Vec<String> = actions(&state)
            .into_iter()
            .filter(|action| !DIFFERENCE.iter().any(|square| action.starts_with(square)))
            .collect();
        let action = &own[plies * 7 % own.len()];
        page.ask(json!({"type": "play", "action": action}));
        plies += 1;
    }
    let known = page.left[..before].iter().map(comparable).collect();
    (known, plies)
}

#[test]
fn two_deals_cannot_be_told_apart_by_the_page_or_the_mind() {
    let (one, plies) = traffic(DEAL);
    let (two, _) = traffic(SWAPPED);
    assert_eq!(one, two);
    assert!(plies >= 4, "only {plies} plies to compare");
    assert!(
        one.iter().any(|text| text.starts_with("{\"move\"")),
        "work was compared"
    );
}

#[test]
fn the_layout_leaves_the_referee_only_at_the_end() {
    let mut page = Page::new(Some(DEAL));
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    page.ask(json!({"type": "create", "seats": seats}));
    for square in ["a1", "b2", "c3", "d4"] {
        page.ask(json!({"type": "play", "action": format!("{square}-{square}")}));
    }
    for message in [
        json!({"type": "hint"}),
        json!({"type": "export", "format": "platform"}),
        json!({"type": "export", "format": "anqi"}),
        json!({"type": "export", "format": "pgn"}),
    ] {
        page.ask(message);
    }
    let layout: String = DEAL.split('/').collect();
    for text in page.texts() {
        assert!(!text.contains(&layout), "{text}");
        // Not even a row of it: every row has at most one piece face up.
        assert!(!DEAL.split('/').any(|row| text.contains(row)), "{text}");
    }
    let end = page.ask(json!({"type": "resign"}));
    assert_eq!(end["deal"]["layout"], layout);
}
