//! The client against well-behaved and misbehaving engines: small shell scripts.

#![cfg(unix)]

use super::*;
use std::time::Instant;

/// A well-behaved engine that always plays `b8 b8`, as a loop of `case` branches.
const POLITE: &str = r#"
while read -r number name rest; do
  case $name in
    name) echo "=$number mock" ;;
    version) echo "=$number 1.2" ;;
    genmove) echo "=$number b8 b8" ;;
    quit) echo "=$number"; exit 0 ;;
    *) echo "=$number" ;;
  esac
done
"#;

fn shell(script: &str) -> Launch {
    Launch {
        program: "sh".into(),
        arguments: vec!["-c".into(), script.into()],
        directory: None,
    }
}

fn hasty() -> Patience {
    Patience {
        start: Duration::from_secs(5),
        ready: Duration::from_secs(5),
        answer: Duration::from_secs(5),
        quit: Duration::from_secs(5),
        stray_bytes: 1 << 20,
    }
}

fn start(script: &str) -> Client {
    Client::start_with(&shell(script), hasty()).expect("the mock starts")
}

/// Starts an engine that does something else on `genmove`.
fn on_genmove(deed: &str) -> Client {
    start(&POLITE.replace(r#"echo "=$number b8 b8""#, deed))
}

fn genmove(client: &mut Client) -> Result<Action, ClientError> {
    let generated = client.genmove(Some(Color::Red), Duration::from_secs(5))?;
    Ok(generated.action)
}

#[test]
fn a_polite_engine_plays() {
    let mut client = start(POLITE);
    assert_eq!((client.name(), client.version()), ("mock", "1.2"));
    client
        .new_game(Some(Duration::from_secs(900)))
        .expect("a new game");
    let action = genmove(&mut client).expect("an action");
    assert_eq!(action.to_string(), "b8-b8");
    client
        .play("b8(P)".parse().expect("a ply"))
        .expect("accepted");
    client
        .play("b8-b7".parse().expect("a ply"))
        .expect("accepted");
    client
        .time_left(Color::Red, Duration::from_secs(1))
        .expect("accepted");
    client.game_over("red wins").expect("accepted");
    assert!(client.quit().expect("it ends by itself").success());
}

#[test]
fn requests_are_spelt_as_servers_spell_them() {
    let file = std::env::temp_dir().join(format!("anqi-client-{}.log", std::process::id()));
    let tee = format!("tee '{}' | sh -c '{POLITE}'", file.display());
    let mut client = start(&tee);
    client
        .new_game(Some(Duration::from_secs(900)))
        .expect("a new game");
    client.set_limits(3, 60).expect("accepted");
    client
        .genmove(None, Duration::from_secs(5))
        .expect("an action");
    client
        .play("b8(P)".parse().expect("a ply"))
        .expect("accepted");
    client
        .play("b8-b7".parse().expect("a ply"))
        .expect("accepted");
    client
        .time_left(Color::Black, Duration::from_millis(887_420))
        .expect("accepted");
    client.game_over("two\nlines").expect("accepted");
    client.quit();
    let log = std::fs::read_to_string(&file).expect("the log");
    std::fs::remove_file(&file).expect("the log can go");
    let expected = "1 name\n2 version\n7 reset_board\n15 time_settings 900000\n14 ready\n\
                    8 num_repetition 3\n9 num_moves_to_draw 60\n12 genmove unknown\n11 flip b8 P\n\
                    10 move b8 b7\n16 time_left black 887420\n13 game_over two lines\n5 quit\n";
    assert_eq!(log, expected);
}

#[test]
fn stray_lines_and_other_numbers_are_passed_over() {
    let junk = r#"echo "thinking..."; echo; echo "=11"; echo "===="; echo "?1 a1 a1"; echo "=12x";
                  printf '\377\376\n'; echo "= b2 b3""#;
    assert_eq!(
        genmove(&mut on_genmove(junk))
            .expect("an action")
            .to_string(),
        "b2-b3"
    );
    let chatter = r#"i=0; while [ $i -lt 3000 ]; do echo "a noisy line on stderr $i" >&2; i=$((i+1)); done; echo "=12 a1-a2""#;
    let mut client = on_genmove(chatter);
    assert_eq!(
        genmove(&mut client).expect("an action").to_string(),
        "a1-a2"
    );
}

#[test]
fn refusals_and_nonsense_leave_the_conversation_in_step() {
    let mut client = on_genmove(r#"echo "?12 not now""#);
    let error = genmove(&mut client).expect_err("refused");
    assert!(
        matches!(&error, ClientError::Refused { reason, .. } if reason == "not now"),
        "{error}"
    );
    client
        .play("a1-a2".parse().expect("a ply"))
        .expect("goes on");
    for nonsense in ["resign", "b9 b8", "b8", "b8 b8 b8", ""] {
        let mut client = on_genmove(&format!(r#"echo "=12 {nonsense}""#));
        let error = genmove(&mut client).expect_err("nonsense");
        assert!(
            matches!(error, ClientError::Malformed { .. }),
            "{nonsense}: {error}"
        );
        client
            .play("a1-a2".parse().expect("a ply"))
            .expect("goes on");
    }
}

#[test]
fn silence_is_a_time_out_and_breaks_the_conversation() {
    let mut client = on_genmove("exec sleep 60");
    let begin = Instant::now();
    let limit = Duration::from_millis(150);
    let error = client.genmove(None, limit).expect_err("silence");
    assert!(
        matches!(error, ClientError::Timeout { limit: told, .. } if told == limit),
        "{error}"
    );
    assert!(begin.elapsed() >= limit);
    assert!(matches!(genmove(&mut client), Err(ClientError::Broken)));
    drop(client);
    assert!(
        begin.elapsed() < Duration::from_secs(30),
        "the drop must not wait for the engine"
    );
}

#[test]
fn a_crash_is_told_with_status_and_last_words() {
    let mut client = on_genmove(r#"echo "segmentation fault in eval" >&2; exit 7"#);
    let error = genmove(&mut client).expect_err("a crash");
    let ClientError::Ended {
        status,
        error_output,
        ..
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!(status.and_then(|status| status.code()), Some(7));
    assert!(
        error_output.contains("segmentation fault"),
        "{error_output}"
    );
    assert!(error.to_string().contains("during genmove"), "{error}");
    assert!(matches!(genmove(&mut client), Err(ClientError::Broken)));
}

#[test]
fn a_flood_is_stopped() {
    let mut client = on_genmove("exec yes 'all work and no play'");
    let error = genmove(&mut client).expect_err("a flood");
    assert!(matches!(error, ClientError::Flood { .. }), "{error}");
    let mut client = on_genmove("exec cat /dev/zero");
    let error = genmove(&mut client).expect_err("a line without end");
    assert!(matches!(error, ClientError::Flood { .. }), "{error}");
}

#[test]
fn programs_that_do_not_start_are_named() {
    let missing = Launch::new("/nowhere/at all/engine");
    let error = Client::start(&missing)
        .map(|_| ())
        .expect_err("no such program");
    assert!(
        error.to_string().contains("/nowhere/at all/engine"),
        "{error}"
    );
    let error = Client::start(&shell("exit 3"))
        .map(|_| ())
        .expect_err("ends at once");
    assert!(matches!(error, ClientError::Ended { .. }), "{error}");
}

#[test]
fn quit_is_waited_for_and_then_enforced() {
    let stubborn = POLITE.replace("quit) echo \"=$number\"; exit 0", "quit) exec sleep 60");
    let patience = Patience {
        quit: Duration::from_millis(100),
        ..hasty()
    };
    let client = Client::start_with(&shell(&stubborn), patience).expect("starts");
    let id = client.process_id();
    let begin = Instant::now();
    assert_eq!(client.quit(), None);
    assert!(begin.elapsed() < Duration::from_secs(10));
    assert!(!std::path::Path::new(&format!("/proc/{id}")).exists());
}
