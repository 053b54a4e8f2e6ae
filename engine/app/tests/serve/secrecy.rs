//! Face-down pieces stay secret.

use super::client::{Running, actions, config, start};
use anqi_app::serve::Config;
use anqi_app::terminal::KnownDeal;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU8, Ordering};

/// Two deals that differ only on c8 and d8.
const DEALS: [&str; 2] = [
    "KGkg/GMgm/MRmr/RNrn/NCnc/CPcp/PPpp/PPpp",
    "KGgk/GMgm/MRmr/RNrn/NCnc/CPcp/PPpp/PPpp",
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

/// Plays against an engine without flipping c8 or d8 until the engine does; returns what was
/// received before.
async fn traffic(deal: &str) -> (Vec<String>, usize) {
    let server = server(deal).await;
    let mut client = server.client().await;
    let seats = json!([{"kind": "me"}, {"kind": "level", "level": 4}]);
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
            ply.starts_with("c8(") || ply.starts_with("d8(")
        });
        if told || !state["outcome"].is_null() {
            client.heard.truncate(before);
            break;
        }
        let own: Vec<String> = actions(&state)
            .into_iter()
            .filter(|action| action != "c8-c8" && action != "d8-d8")
            .collect();
        let Some(action) = own.get(plies * 7 % own.len().max(1)) else {
            break;
        };
        // The analyst must not know the deal either.
        let hint = client.ask(json!({"type": "hint"})).await;
        assert!(
            matches!(hint["type"].as_str(), Some("hint" | "error")),
            "{hint}"
        );
        state = client.play(action).await;
        plies += 1;
        if plies == 12 {
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
    let [(one, plies), (two, _)] = [traffic(DEALS[0]).await, traffic(DEALS[1]).await];
    assert!(plies >= 3, "only {plies} plies to compare");
    assert_eq!(one, two);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_layout_is_not_in_the_traffic_before_the_end() {
    let server = server(DEALS[0]).await;
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
    ] {
        client.ask(message).await;
    }
    let layout: String = DEALS[0].split('/').collect();
    let rows: Vec<&str> = DEALS[0].split('/').collect();
    for text in &client.heard {
        assert!(!text.contains(&layout), "{text}");
        // Not even a row of it: every row has at most one piece face up.
        assert!(!rows.iter().any(|row| text.contains(row)), "{text}");
        assert!(!text.contains("\"layout\":\""), "{text}");
        assert!(!text.contains("\"nonce\":\""), "{text}");
    }
    let end = client.ask(json!({"type": "resign"})).await;
    assert_eq!(end["deal"]["layout"], layout);
}
