//! Face-down pieces stay secret.

use super::client::{Running, actions, config, start};
use anqi_play::KnownDeal;
use anqi_server::Config;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU8, Ordering};

/// A deal.
const DEAL: &str = "KGkg/GMgm/MRmr/RNrn/NCnc/CPcp/PPpp/PPpp";
/// Deals that differ from it only on two squares. When the engine flips one of them depends on how it
/// plays, so there are several.
const SWAPPED: [(&str, [&str; 2]); 3] = [
    ("KGgk/GMgm/MRmr/RNrn/NCnc/CPcp/PPpp/PPpp", ["c8", "d8"]),
    ("KGkg/GMgm/MRmr/NRrn/NCnc/CPcp/PPpp/PPpp", ["a5", "b5"]),
    ("KGkg/GMgm/MRmr/RNrn/NCnc/CPpc/PPpp/PPpp", ["c3", "d3"]),
];

/// A server whose games all have this deal, and whose tokens and seeds are the same in every run.
async fn server(deal: &str) -> Running {
    let known: KnownDeal = deal.parse().expect("a deal");
    let count = AtomicU8::new(0);
    start(Config {
        layout: Some(known),
        entropy: Box::new(move |bytes| {
            for byte in bytes {
                *byte = count.fetch_add(1, Ordering::Relaxed).wrapping_mul(167);
            }
            Ok(())
        }),
        ..config()
    })
    .await
}

/// A message without its times and the commitment, which may differ.
fn comparable(text: &str) -> String {
    fn clean(value: &mut Value) {
        match value {
            Value::Object(object) => {
                for key in ["ms", "hash"] {
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
    let mut value: Value = serde_json::from_str(text).expect("JSON");
    clean(&mut value);
    value.to_string()
}

/// Plays against an engine without flipping the squares of a difference until the engine does;
/// returns what was received before.
async fn traffic(deal: &str, difference: [&str; 2]) -> (Vec<String>, usize) {
    let flips = difference.map(|square| format!("{square}-{square}"));
    let flipped = difference.map(|square| format!("{square}("));
    let server = server(deal).await;
    let mut client = server.client().await;
    let seats = json!([{"kind": "me"}, {"kind": "level", "level": 2}]);
    let (_, mut state) = client
        .create(json!({"seats": seats, "show_thinking": true}))
        .await;
    let mut plies = 0;
    loop {
        let before = client.heard.len();
        state = client.my_turn(state).await;
        let last = state["plies"].as_array().expect("plies").last().cloned();
        let told = last.is_some_and(|ply| {
            let ply = ply["ply"].as_str().unwrap_or_default().to_owned();
            flipped.iter().any(|flipped| ply.starts_with(flipped))
        });
        if told || !state["outcome"].is_null() {
            client.heard.truncate(before);
            break;
        }
        let own: Vec<String> = actions(&state)
            .into_iter()
            .filter(|action| !flips.contains(action))
            .collect();
        let Some(action) = own.get(plies * 7 % own.len().max(1)) else {
            break;
        };
        // The analyst must not know the deal either.
        if plies % 3 == 0 {
            let hint = client.ask(json!({"type": "hint"})).await;
            assert!(
                matches!(hint["type"].as_str(), Some("hint" | "error")),
                "{hint}"
            );
        }
        state = client.play(action).await;
        plies += 1;
        if plies == 7 {
            break;
        }
    }
    let heard = client.heard.iter().filter(|text| {
        !text.contains("\"type\":\"hint\"") && !text.contains("\"type\":\"thinking\"")
    });
    (heard.map(|text| comparable(text)).collect(), plies)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_deals_cannot_be_told_apart_before_the_difference_is_seen() {
    let mut most = 0;
    for (swapped, difference) in SWAPPED {
        let (one, plies) = traffic(DEAL, difference).await;
        let (two, _) = traffic(swapped, difference).await;
        assert_eq!(one, two, "{difference:?}");
        most = most.max(plies);
    }
    assert!(most >= 4, "only {most} plies to compare");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_layout_is_not_in_the_traffic_before_the_end() {
    let server = server(DEAL).await;
    let mut client = server.client().await;
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    client.create(json!({"seats": seats})).await;
    for square in ["a1", "b2", "c3", "d4"] {
        client.play(&format!("{square}-{square}")).await;
    }
    for message in [
        json!({"type": "hint"}),
        json!({"type": "export", "format": "platform"}),
        json!({"type": "export", "format": "anqi"}),
        json!({"type": "export", "format": "position"}),
        json!({"type": "export", "format": "pgn"}),
    ] {
        client.ask(message).await;
    }
    let layout: String = DEAL.split('/').collect();
    let rows: Vec<&str> = DEAL.split('/').collect();
    for text in &client.heard {
        assert!(!text.contains(&layout), "{text}");
        // Not even a row of it: every row has at most one piece face up.
        assert!(!rows.iter().any(|row| text.contains(row)), "{text}");
        assert!(!text.contains("\"layout\":\""), "{text}");
        assert!(!text.contains("\"nonce\":\""), "{text}");
    }
    assert!(
        client
            .heard
            .iter()
            .any(|text| text.contains("[DealCommitment "))
    );
    assert!(!client.heard.iter().any(|text| text.contains("[Deal ")));
    let end = client.ask(json!({"type": "resign"})).await;
    assert_eq!(end["deal"]["layout"], layout);
}
