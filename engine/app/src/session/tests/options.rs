//! Options: what they accept, refuse and list.

use super::*;
use anqi_rules::Position;
use std::path::Path;
use std::sync::Arc;

#[test]
fn options_are_listed_with_their_values() {
    let mut session = session("first");
    let lines = [
        "set threads 2",
        "set hash 64",
        "set seed 18446744073709551615",
        "set rules platform",
        "set info on",
    ];
    assert_eq!(answers(&mut session, &lines), ["= "; 5]);
    let expected = "=57 player first
 level default
 contempt default
 threads 2
 hash 64 (not used by this player)
 tables none
 seed 18446744073709551615
 rules platform
 no_progress 60
 repetition sequence 3
 info on";
    assert_eq!(answer(&mut session, "57 options"), expected);
    answers(
        &mut session,
        &["set no_progress none", "set repetition position 4"],
    );
    let output = answer(&mut session, "options");
    assert!(
        output.contains("rules custom\n no_progress none\n repetition position 4"),
        "{output}"
    );
}

#[test]
fn values_that_are_none_are_refused_with_what_was_expected() {
    let mut session = session("first");
    let before = answer(&mut session, "options");
    let cases = [
        ("set level 11", "1 to 10, or beginner, novice, "),
        (
            "set level strongest",
            "regular, skilled, strong, expert, master, champion",
        ),
        ("set level", "got 1"),
        ("set contempt 5001", "-5000 to 5000"),
        ("set contempt much", "-5000 to 5000"),
        ("set threads 0", "1 to 1024"),
        ("set threads two", "1 to 1024"),
        ("set hash -1", "1 to 1048576"),
        ("set seed +1", "whole number"),
        (
            "set rules chess",
            "olympiad, platform, paper, openspiel, mistboard",
        ),
        ("set no_progress 70000", "none, or 1 to 65535"),
        ("set repetition 1", "none, or 2 to 255"),
        ("set repetition sometimes 3", "none, or 2 to 255"),
        ("set info maybe", "on or off"),
        ("set tables /nowhere", "reads no tables"),
        ("set player nobody", "no player is called"),
        (
            "set speed 9",
            "player, level, contempt, threads, hash, tables, seed, rules, no_progress, repetition, info",
        ),
    ];
    for (line, expected) in cases {
        let output = answer(&mut session, line);
        assert!(
            output.starts_with("? ") && output.contains(expected),
            "{line}: {output}"
        );
    }
    assert_eq!(answer(&mut session, "options"), before);
}

#[test]
fn the_kind_of_repetition_is_kept_by_the_tournament_command() {
    let mut session = session("first");
    let output = |session: &mut Session, line: &str| {
        assert_eq!(answer(session, line), "= ");
        let options = answer(session, "options");
        options
            .lines()
            .find(|line| line.contains("repetition"))
            .expect("listed")
            .trim()
            .to_owned()
    };
    assert_eq!(
        output(&mut session, "num_repetition 5"),
        "repetition position 5"
    );
    assert_eq!(
        output(&mut session, "set rules platform"),
        "repetition sequence 3"
    );
    assert_eq!(
        output(&mut session, "num_repetition 4"),
        "repetition sequence 4"
    );
    assert_eq!(output(&mut session, "num_repetition 0"), "repetition none");
    assert_eq!(
        output(&mut session, "num_repetition 3"),
        "repetition position 3"
    );
    assert_eq!(
        output(&mut session, "set repetition sequence 2"),
        "repetition sequence 2"
    );
    assert_eq!(
        output(&mut session, "set repetition chase-ban 2"),
        "repetition chase-ban 2"
    );
    assert_eq!(
        output(&mut session, "num_repetition 3"),
        "repetition chase-ban 3"
    );
}

#[test]
fn the_ban_on_chasing_follows_the_rules_in_force() {
    let mut session = session("first");
    let cycle = "c3-b3 b4-c4 b3-c3 c4-b4";
    let position = "P3/4/4/1r2/4/2G1/4/3p b - 0 0 moves b5-b4";
    let line = format!("position {position} {cycle} {cycle}");
    let chase_is_listed =
        |session: &mut Session| answer(session, "legal_actions").contains("c3-b3");
    assert_eq!(answer(&mut session, "set rules mistboard"), "= ");
    assert_eq!(answer(&mut session, &line), "= ");
    assert!(!chase_is_listed(&mut session));
    let output = answer(&mut session, "move c3 b3");
    assert!(output.contains("once too often by chasing"), "{output}");
    assert_eq!(answer(&mut session, "set rules paper"), "= ");
    assert!(chase_is_listed(&mut session));
}

struct OneTable;

impl Probe for OneTable {
    fn probe(&self, position: &Position) -> Result<Option<String>, String> {
        Ok(position.hidden().is_empty().then(|| "win 3".to_owned()))
    }
}

#[test]
fn tables_are_opened_probed_and_closed() {
    let mut session = Session::new(Parts {
        open_tables: Some(Box::new(|folder: Option<&Path>, _| {
            if folder != Some(Path::new("bad")) {
                Ok(Arc::new(OneTable) as Arc<dyn Probe>)
            } else {
                Err("not a folder of tables".to_owned())
            }
        })),
        ..parts("first")
    })
    .expect("the mock can be made");
    let endgame = "position K3/4/4/4/4/4/4/3g r - 0 0";
    let output = answers(
        &mut session,
        &[
            "set tables bad",
            "60 probe",
            "set tables good folder",
            "60 probe",
            endgame,
            "60 probe",
            "set tables none",
            "60 probe",
        ],
    );
    assert_eq!(output[0], "? no tables from 'bad': not a folder of tables");
    assert_eq!(output[1..4], ["?60 no table", "= ", "?60 no table"]);
    assert_eq!(output[5..], ["=60 win 3", "= ", "=60 win 3"]);
}

#[test]
fn built_in_tables_know_small_endings_under_the_rules_in_force() {
    let mut session = Session::new(Parts {
        open_tables: Some(Box::new(builtin_tables)),
        ..parts("first")
    })
    .expect("the mock can be made");
    let output = answers(
        &mut session,
        &[
            "60 probe",
            "position K3/4/4/4/4/4/4/3g r - 0 0",
            "60 probe",
            "position 4/4/4/4/4/4/4/Kg2 r - 0 0",
            "60 probe",
            "position 4/4/4/4/4/4/P3/kP2 b - 0 0",
            "60 probe",
            "position 3K/4/4/4/4/4/4/g2P r - 178 200",
            "60 probe",
            "set no_progress none",
            "60 probe",
            "set tables no/such/folder",
        ],
    );
    assert_eq!(output[0], "?60 no table");
    // A lone king cannot catch a fleeing guard.
    assert_eq!(output[2], "=60 draw");
    assert_eq!(output[4], "=60 win 1");
    assert_eq!(output[6], "=60 loss 0");
    assert!(
        output[8] == "=60 draw" && output[10].starts_with("=60 "),
        "{output:?}"
    );
    assert!(
        output[11].starts_with("? no tables from 'no/such/folder': "),
        "{}",
        output[11]
    );
}

#[test]
fn info_lines_come_only_when_asked_for() {
    let mut session = session("reports");
    assert_eq!(session.respond("go depth 2").len(), 1);
    assert_eq!(answer(&mut session, "set info on"), "= ");
    let output = session.respond("54 go depth 2");
    let expected = [
        "info depth 2 seldepth 3 score +0.025 nodes 77 time 0 pv a1-a1",
        "=54 bestmove a1-a1 depth 0 nodes 0",
    ];
    assert_eq!(output, expected);
}

#[test]
fn built_in_players_take_the_wishes_they_can_use() {
    let options = |player: &str| PlayerOptions {
        player: player.to_owned(),
        threads: Some(3),
        ..PlayerOptions::default()
    };
    let made = builtin_player(&options("random")).expect("a player");
    assert_eq!(made.player.spec(), "random");
    assert_eq!(made.unused, ["threads"]);
    let made = builtin_player(&options("basic:depth=2")).expect("a player");
    assert!(
        made.player.spec().starts_with("basic:"),
        "{}",
        made.player.spec()
    );
    assert!(made.player.spec().contains("depth=2"));
    assert!(builtin_player(&options("random:x=1")).is_err());
    assert!(builtin_player(&options("nobody")).is_err());
}

/// A session with the built-in players.
fn builtin_session(player: &str) -> Session {
    Session::new(Parts {
        make_player: Box::new(builtin_player),
        open_tables: None,
        player: player.to_owned(),
        tables: None,
        rules: ChosenRules::default(),
    })
    .expect("the player is built in")
}

#[test]
fn levels_and_contempt_are_the_champions_by_number_or_name() {
    let mut session = builtin_session("champion:hash=1");
    let cases = [
        ("set level 3", "champion:hash=1,level=3"),
        ("set level Expert", "champion:hash=1,level=8"),
        ("set contempt -250", "champion:hash=1,level=8,contempt=-250"),
        ("set level champion", "champion:hash=1,contempt=-250"),
        ("set contempt 5000", "champion:hash=1,contempt=5000"),
        ("set contempt -5000", "champion:hash=1,contempt=-5000"),
    ];
    for (line, spec) in cases {
        assert_eq!(answer(&mut session, line), "= ", "{line}");
        assert_eq!(session.player.get_mut().spec(), spec, "{line}");
    }
    let output = answer(&mut session, "options");
    assert!(
        output.contains("\n level 10\n contempt -5000\n threads default\n hash 1\n"),
        "{output}"
    );
}

#[test]
fn parameters_of_the_player_are_options_by_their_names() {
    let mut session = builtin_session("basic:depth=2");
    let cases = [
        (
            "set null-margin 50",
            "basic:policy=compare,null-margin=50,eval=static,depth=2",
        ),
        (
            "set policy advantage",
            "basic:policy=advantage,null-margin=50,eval=static,depth=2",
        ),
        (
            "set null-margin 0",
            "basic:policy=advantage,eval=static,depth=2",
        ),
        (
            "set pawn 70",
            "basic:policy=advantage,eval=static,depth=2,pawn=70",
        ),
    ];
    for (line, spec) in cases {
        assert_eq!(answer(&mut session, line), "= ", "{line}");
        assert_eq!(session.player.get_mut().spec(), spec, "{line}");
    }
    let refused = [
        ("set window 300", "no option is called 'window'"),
        ("set reveals 15", "expected 0 to 14"),
        ("set eval static,pawn=0", "has a comma"),
    ];
    for (line, reason) in refused {
        let output = answer(&mut session, line);
        assert!(
            output.starts_with("? ") && output.contains(reason),
            "{line}: {output}"
        );
    }
    assert_eq!(session.player.get_mut().spec(), cases[3].1);
    assert_eq!(answer(&mut session, "set player champion"), "= ");
    assert_eq!(answer(&mut session, "set window 300"), "= ");
    assert_eq!(session.player.get_mut().spec(), "champion:window=300");
}

#[test]
fn a_level_limits_what_is_looked_at() {
    let mut session = builtin_session("champion:hash=1,tables=0");
    let nodes = |session: &mut Session| -> u64 {
        let output = answer(session, "go depth 4");
        let nodes = output.rsplit(' ').next().expect("the last word");
        nodes.parse().expect("a number")
    };
    let unlimited = nodes(&mut session);
    answer(&mut session, "set level novice");
    let limited = nodes(&mut session);
    assert!(
        limited <= 100 && limited < unlimited,
        "{limited}, {unlimited}"
    );
}

#[test]
fn what_is_said_last_of_a_setting_holds() {
    let mut session = builtin_session("champion:level=5,threads=2,hash=1");
    let cases = [
        ("set level 3", "champion:hash=1,threads=2,level=3"),
        ("set threads 1", "champion:hash=1,level=3"),
        (
            "set player champion:level=7,hash=1",
            "champion:hash=1,level=7",
        ),
        // Level 3 and one thread are still set as options; the old spec's hash is gone with it.
        ("set player champion", "champion:level=3"),
    ];
    for (line, spec) in cases {
        assert_eq!(answer(&mut session, line), "= ", "{line}");
        assert_eq!(session.player.get_mut().spec(), spec, "{line}");
    }
}

#[test]
fn a_player_without_levels_says_so_and_keeps_one_for_the_next() {
    let mut session = builtin_session("greedy");
    let before = answer(&mut session, "options");
    assert_eq!(
        answer(&mut session, "56 set level 3"),
        "?56 player 'greedy' has no levels (the player that has: champion)"
    );
    assert_eq!(answer(&mut session, "options"), before);
    answers(
        &mut session,
        &[
            "set player champion:hash=1",
            "set level 2",
            "set player greedy",
        ],
    );
    let output = answer(&mut session, "options");
    assert!(
        output.contains(" level 2 (not used by this player)\n"),
        "{output}"
    );
    assert_eq!(answer(&mut session, "set contempt 9"), "= ");
    answer(&mut session, "set player champion:hash=1");
    let spec = session.player.get_mut().spec();
    assert_eq!(spec, "champion:hash=1,level=2,contempt=9");
}

#[test]
fn built_in_players_play_a_game_through_the_session() {
    let mut session = builtin_session("greedy");
    let mut color = None;
    for ply in 0..600 {
        let asked = color.map_or("unknown".to_owned(), |color: Color| color.to_string());
        let output = answer(&mut session, &format!("12 genmove {asked}"));
        if output.starts_with("?12 the game is over") {
            return;
        }
        let squares: Vec<&str> = output
            .strip_prefix("=12 ")
            .expect("an action")
            .split(' ')
            .collect();
        let position = session.game().expect("a game").position();
        let echo = if squares[0] == squares[1] {
            let kinds: Vec<_> = position.reveals().collect();
            format!("11 flip {} {}", squares[0], kinds[ply % kinds.len()].piece)
        } else {
            format!("10 move {} {}", squares[0], squares[1])
        };
        assert!(answer(&mut session, &echo).starts_with('='), "{echo}");
        color = session.game().expect("a game").position().turn();
        if answer(&mut session, "result") != "= playing" {
            return;
        }
    }
    panic!("no end after 600 plies");
}
