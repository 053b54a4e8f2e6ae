//! Whole games, and what people do in them.

use super::client::{Client, Dice, Running, actions, config, start};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn me() -> Value {
    json!({"kind": "me"})
}

fn level(level: u32) -> Value {
    json!({"kind": "level", "level": level})
}

/// Plays at random until the game is over, and returns the last state.
async fn play_out(client: &mut Client, mut state: Value, seed: u64) -> Value {
    let mut dice = Dice(seed);
    loop {
        state = client.my_turn(state).await;
        if !state["outcome"].is_null() {
            return state;
        }
        let action = dice.pick(&actions(&state)).to_owned();
        state = client.play(&action).await;
        assert_eq!(state["type"], "state", "{state}");
    }
}

/// Exports the game of the connection, or a line of it, and reads the record.
async fn exported(client: &mut Client, mut wish: Value) -> anqi_protocol::record::pgn::PgnGame {
    wish["type"] = json!("export");
    wish["format"] = json!("pgn");
    let exported = client.ask(wish).await;
    assert_eq!(exported["name"], "game.pgn", "{exported}");
    let text = exported["text"].as_str().expect("text");
    let rules = anqi_rules::Rules::OLYMPIAD;
    let games = anqi_protocol::record::pgn::read(text.as_bytes(), rules).expect("PGN");
    games.into_iter().next().expect("a game")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_exported_record_keeps_the_result_and_proves_the_deal() {
    let server = start(config()).await;
    let mut client = server.client().await;
    let clock = json!({"base_ms": 900_000, "increment_ms": 5_000});
    let wish = json!({"seats": [me(), me()], "clock": clock, "rules": "platform"});
    let (_, state) = client.create(wish).await;
    for square in ["a1", "b2", "c3"] {
        client.play(&format!("{square}-{square}")).await;
    }
    let during = exported(&mut client, json!({})).await;
    let proof = during.deal.as_ref().expect("a commitment");
    assert_eq!(state["deal"]["hash"], proof.commitment);
    assert_eq!(proof.deal, None);
    assert_eq!(during.result.text(), "*");
    let end = client.ask(json!({"type": "resign"})).await;
    let after = exported(&mut client, json!({})).await;
    assert_eq!(after.result.text(), "1-0");
    let reason = after
        .termination
        .as_ref()
        .map(|reason| reason.text().to_owned());
    assert_eq!(reason.as_deref(), Some("resignation"));
    assert!(
        after
            .deal
            .as_ref()
            .is_some_and(|proof| proof.deal.is_some())
    );
    assert_eq!(after.check_deal(), Ok(()));
    assert_eq!(after.tags.get("TimeControl"), Some("900+5"));
    assert!(
        after
            .plies
            .iter()
            .all(|ply| ply.annotation.elapsed_ms.is_some())
    );
    // The analysis sends the line, and what it knows of the game.
    client.ask(json!({"type": "leave"})).await;
    let plies: Vec<&Value> = end["plies"]
        .as_array()
        .expect("plies")
        .iter()
        .map(|ply| &ply["ply"])
        .collect();
    let line = json!({"start": "start", "plies": plies, "rules": "platform"});
    for outcome in [
        end["outcome"].clone(),
        json!({"winner": null, "winner_seat": null, "reason": "agreement"}),
        json!({"winner": "red", "winner_seat": 1, "reason": "time"}),
    ] {
        let wish = json!({"line": line, "outcome": outcome, "deal": end["deal"]});
        let told = exported(&mut client, wish.clone()).await;
        assert_eq!(told.check_deal(), Ok(()));
        assert!(told.deal.is_some_and(|proof| proof.deal.is_some()));
        let seat = outcome["winner_seat"].as_u64().map(|seat| seat as usize);
        assert_eq!(told.result.winner(), seat);
        for format in ["pgn", "platform", "anqi"] {
            let mut wish = wish.clone();
            wish["type"] = json!("export");
            wish["format"] = json!(format);
            let text = client.ask(wish).await["text"].clone();
            let wish = json!({"type": "import", "text": text, "rules": "platform"});
            let again = client.ask(wish).await;
            assert_eq!(again["outcome"]["reason"], outcome["reason"], "{again}");
            assert_eq!(again["outcome"]["winner_seat"], outcome["winner_seat"]);
        }
    }
    let wish = json!({"type": "export", "format": "pgn", "line": line,
        "outcome": {"winner": "red", "winner_seat": 2, "reason": "time"}});
    let refused = client.ask(wish).await;
    assert!(
        refused["message"]
            .as_str()
            .is_some_and(|said| said.contains("winner_seat is 2"))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whole_games_are_played_and_the_deal_is_as_promised() {
    let server = start(config()).await;
    let mut client = server.client().await;
    let pairs = [[me(), me()], [me(), level(1)], [level(2), me()]];
    for (seed, seats) in pairs.into_iter().enumerate() {
        let rules = ["paper", "platform", "olympiad"][seed];
        let (_, state) = client.create(json!({"seats": seats, "rules": rules})).await;
        let hash = state["deal"]["hash"].clone();
        assert!(state["deal"]["layout"].is_null());
        let end = play_out(&mut client, state, seed as u64).await;
        assert_eq!(end["deal"]["hash"], hash);
        let plies: Vec<Value> = end["plies"]
            .as_array()
            .expect("plies")
            .iter()
            .map(|ply| ply["ply"].clone())
            .collect();
        let mut check = json!({"type": "check_deal", "plies": plies});
        for key in ["hash", "nonce", "layout"] {
            check[key] = end["deal"][key].clone();
        }
        let checked = client.ask(check.clone()).await;
        assert_eq!(checked["matches"], true, "{checked}");
        let layout: String = end["deal"]["layout"]
            .as_str()
            .expect("open")
            .chars()
            .rev()
            .collect();
        check["layout"] = json!(layout);
        let checked = client.ask(check).await;
        assert_eq!(checked["matches"], false);
    }
    assert!(server.end().await);
}

/// Under `course` a side without a piece still flips; elsewhere it has lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deal_is_checked_by_the_rules_of_its_game() {
    let server = start(config()).await;
    let mut client = server.client().await;
    let wish = json!({"seats": [me(), me()], "rules": "course",
        "start": "Rp2/4/4/4/4/4/?3/4 r P 0 0"});
    client.create(wish).await;
    client.play("a8-b8").await;
    let end = client.play("a2-a2").await;
    assert_eq!(end["outcome"]["winner"], "red", "{end}");
    let mut check = json!({"type": "check_deal", "start": end["start"]});
    for key in ["hash", "nonce", "layout"] {
        check[key] = end["deal"][key].clone();
    }
    let plies = end["plies"].as_array().expect("plies").iter();
    check["plies"] = plies.map(|ply| ply["ply"].clone()).collect();
    let refused = client.ask(check.clone()).await;
    assert_eq!(refused["type"], "error", "{refused}");
    check["rules"] = end["rules"].clone();
    let checked = client.ask(check).await;
    assert_eq!(checked["matches"], true, "{checked}");
    assert!(server.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flip_taken_back_shows_the_same_piece_again() {
    let server = start(config()).await;
    let mut client = server.client().await;
    client.create(json!({"seats": [me(), me()]})).await;
    let flip = ["b2-b2", "c7-c7", "a1-a1"];
    let mut seen = Vec::new();
    for action in flip {
        let state = client.play(action).await;
        seen.push(
            state["plies"]
                .as_array()
                .expect("plies")
                .last()
                .expect("one")["ply"]
                .clone(),
        );
    }
    for left in (0..3).rev() {
        let state = client.ask(json!({"type": "undo"})).await;
        assert_eq!(state["plies"].as_array().map(Vec::len), Some(left));
    }
    let nothing = client.ask(json!({"type": "undo"})).await;
    assert_eq!(nothing["code"], "nothing_to_do");
    // In another order every square still hides the same piece.
    for (action, ply) in flip.iter().zip(&seen).rev() {
        let state = client.play(action).await;
        assert_eq!(
            &state["plies"]
                .as_array()
                .expect("plies")
                .last()
                .expect("one")["ply"],
            ply
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn against_an_engine_undo_goes_back_to_ones_own_decision() {
    let server = start(config()).await;
    let mut client = server.client().await;
    let (_, state) = client.create(json!({"seats": [me(), level(1)]})).await;
    assert_eq!(state["to_move"], 0);
    let state = client.play("a1-a1").await;
    let state = client.my_turn(state).await;
    assert_eq!(state["plies"].as_array().map(Vec::len), Some(2));
    let state = client.ask(json!({"type": "undo"})).await;
    assert_eq!(
        (state["plies"].as_array().map(Vec::len), &state["to_move"]),
        (Some(0), &json!(0))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_browsers_play_by_a_link_agree_and_play_again() {
    let server = start(config()).await;
    let (mut host, mut guest) = (server.client().await, server.client().await);
    let seats = json!([{"kind": "me", "name": "Ann"}, {"kind": "link", "name": "Bob"}]);
    let (created, state) = host.create(json!({"seats": seats})).await;
    assert_eq!(state["seats"][1]["waiting"], true);
    let token = created["links"][0]["token"].clone();
    let state = guest.ask(json!({"type": "enter", "token": token})).await;
    assert_eq!(
        (&state["you"], &state["seats"][1]["name"]),
        (&json!([1]), &json!("Bob"))
    );
    let refused = guest.play("a1-a1").await;
    assert_eq!(refused["code"], "not_your_turn");
    host.play("a1-a1").await;
    let seen = guest
        .until(|m| m["type"] == "state" && m["plies"][0]["ply"] != Value::Null)
        .await;
    assert_eq!(seen["to_move"], 1);
    // A ply for an outdated board.
    let stale = guest
        .ask(json!({"type": "play", "action": "a2-a2", "ply": 0}))
        .await;
    assert_eq!(stale["code"], "not_your_turn");
    let offered = host.ask(json!({"type": "undo"})).await;
    assert_eq!(offered["offer"], json!({"kind": "undo", "by": 0}));
    let declined = guest.ask(json!({"type": "answer", "accept": false})).await;
    assert_eq!(declined["declined"], json!({"kind": "undo", "by": 1}));
    guest.ask(json!({"type": "offer_draw"})).await;
    let end = host.ask(json!({"type": "answer", "accept": true})).await;
    assert_eq!(end["outcome"]["reason"], "agreement");
    assert_eq!(host.play("a2-a2").await["code"], "wrong_phase");
    // The seats are exchanged, and both players enter with their own token.
    let again = host.ask(json!({"type": "rematch"})).await;
    assert_eq!(again["type"], "created");
    let state = host
        .until(|m| m["type"] == "state" && m["game"] == again["game"])
        .await;
    assert_eq!(
        (&state["you"], &state["seats"][0]["name"]),
        (&json!([1]), &json!("Bob"))
    );
    let invited = guest.until(|m| m["type"] == "rematch").await;
    let state = guest
        .ask(json!({"type": "enter", "token": invited["token"]}))
        .await;
    assert_eq!(
        (&state["you"], &state["game"]),
        (&json!([0]), &again["game"])
    );
    assert_ne!(state["deal"]["hash"], end["deal"]["hash"]);
}

/// Two browsers in one game: who began, and who came by the link.
async fn by_link(server: &Running) -> (Client, Client, Value) {
    let (mut host, mut guest) = (server.client().await, server.client().await);
    let seats = json!([me(), {"kind": "link"}]);
    let (created, _) = host.create(json!({"seats": seats})).await;
    let token = created["links"][0]["token"].clone();
    guest.ask(json!({"type": "enter", "token": token})).await;
    host.until(|m| m["type"] == "state" && m["seats"][1]["waiting"] == false)
        .await;
    (host, guest, created)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_without_a_name_are_named_by_the_viewer_and_by_place_in_a_record() {
    let server = start(config()).await;
    let (mut host, mut guest, created) = by_link(&server).await;
    let mut watcher = server.client().await;
    let token = created["watch"].clone();
    let seen = watcher.ask(json!({"type": "enter", "token": token})).await;
    for seat in [0, 1] {
        assert_eq!(seen["seats"][seat]["name"], "", "{seen}");
    }
    host.play("a1-a1").await;
    for client in [&mut host, &mut guest, &mut watcher] {
        let wish = json!({"type": "export", "format": "anqi"});
        let record = client.ask(wish).await["text"].to_string();
        assert!(
            record.contains("first player") && record.contains("second player"),
            "{record}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn against_a_person_a_hint_needs_both() {
    let server = start(config()).await;
    let (mut host, mut guest, created) = by_link(&server).await;
    let hint = || json!({"type": "hint"});
    let offered = host.ask(hint()).await;
    assert_eq!(
        offered["offer"],
        json!({"kind": "hint", "by": 0}),
        "{offered}"
    );
    assert_eq!(offered["hints"], false);
    assert_eq!(host.ask(hint()).await["code"], "nothing_to_do");
    let declined = guest.ask(json!({"type": "answer", "accept": false})).await;
    assert_eq!(declined["declined"], json!({"kind": "hint", "by": 1}));
    let mut watcher = server.client().await;
    let token = created["watch"].clone();
    watcher.ask(json!({"type": "enter", "token": token})).await;
    assert_eq!(watcher.ask(hint()).await["code"], "no_seat");
    host.ask(hint()).await;
    let agreed = guest.ask(json!({"type": "answer", "accept": true})).await;
    assert_eq!(
        (&agreed["hints"], &agreed["offer"]),
        (&json!(true), &json!(null))
    );
    for client in [&mut host, &mut guest] {
        assert_eq!(client.ask(hint()).await["type"], "hint");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_asks_for_hints_after_the_other_has_agreed_with_them() {
    let server = start(config()).await;
    let (mut host, mut guest, _) = by_link(&server).await;
    host.ask(json!({"type": "hint"})).await;
    assert_eq!(guest.ask(json!({"type": "hint"})).await["type"], "hint");
    let told = host
        .until(|m| m["type"] == "state" && m["hints"] == true)
        .await;
    assert!(told["offer"].is_null());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_illegal_action_is_explained() {
    let server = start(config()).await;
    let mut client = server.client().await;
    let line = json!({"start": "Kp2/4/4/4/4/4/4/4 r - 0 40", "plies": []});
    let mut explain = async |action: &str| {
        let wish = json!({"type": "explain", "line": line, "action": action});
        client.ask(wish).await
    };
    let told = explain("a8-b8").await;
    assert_eq!(
        (&told["type"], &told["code"]),
        (&json!("explained"), &json!("cannot_capture"))
    );
    let sentence = told["message"].as_str().expect("a sentence");
    assert!(
        sentence.starts_with("a king does not capture a pawn"),
        "{sentence}"
    );
    assert_eq!(explain("a8-a7").await["code"], "nothing_to_do");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_survives_a_reload_in_the_middle_of_thinking() {
    let server = start(config()).await;
    let mut client = server.client().await;
    let wish = json!({"seats": [me(), level(10)], "engine_ms": 1500});
    let (created, _) = client.create(wish).await;
    let state = client.play("b2-b2").await;
    assert_eq!(state["thinking"], true);
    let shown = state["plies"][0]["ply"].clone();
    drop(client);
    let mut client = server.client().await;
    let state = client
        .ask(json!({"type": "enter", "token": created["token"]}))
        .await;
    assert_eq!(
        (&state["you"], &state["plies"][0]["ply"]),
        (&json!([0]), &shown)
    );
    let state = client.my_turn(state).await;
    assert_eq!(state["plies"].as_array().map(Vec::len), Some(2));
    let unknown = client
        .ask(json!({"type": "enter", "token": "nobody"}))
        .await;
    assert_eq!(unknown["code"], "unknown_token");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn engines_play_each_other_pause_and_go_on() {
    let server = start(config()).await;
    let mut client = server.client().await;
    let wish =
        json!({"seats": [level(1), {"kind": "player", "spec": "greedy"}], "show_thinking": true});
    let (_, state) = client.create(wish).await;
    assert_eq!(state["you"], json!([]));
    let paused = client.ask(json!({"type": "pause", "paused": true})).await;
    assert_eq!(paused["paused"], true, "{paused}");
    let plies = paused["plies"].as_array().map(Vec::len);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let token_refused = client.play("a1-a1").await;
    assert_eq!(token_refused["code"], "no_seat");
    let state = client.ask(json!({"type": "pause", "paused": false})).await;
    assert_eq!(state["plies"].as_array().map(Vec::len), plies);
    let end = client.my_turn(state).await;
    assert!(!end["outcome"].is_null());
    assert!(
        client
            .heard
            .iter()
            .any(|text| text.contains("\"type\":\"thinking\""))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_clock_ends_a_game_and_resigning_does() {
    let server = start(config()).await;
    let mut client = server.client().await;
    let clock = json!({"base_ms": 300, "increment_ms": 0});
    let (_, state) = client
        .create(json!({"seats": [me(), level(1)], "clock": clock}))
        .await;
    assert_eq!(state["clocks"]["running"], 0);
    let begun = Instant::now();
    let end = client.until(|m| !m["outcome"].is_null()).await;
    assert_eq!(
        (&end["outcome"]["reason"], &end["outcome"]["winner_seat"]),
        (&json!("time"), &json!(1))
    );
    assert!(begun.elapsed() >= Duration::from_millis(250));
    client.create(json!({"seats": [me(), level(1)]})).await;
    let end = client.ask(json!({"type": "resign"})).await;
    assert_eq!(end["outcome"]["reason"], "resignation");
    assert_eq!(end["to_move"], Value::Null);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wishes_that_cannot_be_had_are_refused() {
    let server = start(config()).await;
    let mut client = server.client().await;
    for (seats, start) in [
        (json!([me(), level(11)]), "start"),
        (
            json!([me(), {"kind": "player", "spec": "champion:tables=/"}]),
            "start",
        ),
        (json!([me(), me()]), "K3/4/4/4/4/4/4/KK2 r - 0 0"),
        (json!([me(), me()]), "4/4/4/4/4/4/4/K3 r - 0 0"),
        (json!([me(), me()]), "nonsense"),
    ] {
        let wish = json!({"type": "create", "seats": seats, "start": start});
        let answer = client.ask(wish).await;
        assert_eq!(answer["code"], "unreadable", "{answer}");
    }
    let wish = json!({"seats": [me(), me()], "start": "start moves b2(K) c7(p)"});
    let (_, state) = client.create(wish).await;
    assert_eq!(state["plies"].as_array().map(Vec::len), Some(2));
    client.ask(json!({"type": "undo"})).await;
    let state = client.play("c7-c7").await;
    assert_eq!(state["plies"][1]["ply"], "c7(p)");
}
