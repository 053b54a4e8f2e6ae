//! The terminal game at a pseudo-terminal: keys, Ctrl-C, widths, questions.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // test helpers may unwrap

use crate::common::terminal::{CTRL_C, CTRL_D, Terminal, size};
use rustix::termios::{LocalModes, tcgetattr, tcsetwinsize};
use std::fs::DirEntry;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// A person against a player that answers at once.
const GREEDY: [&str; 5] = ["play", "--opponent", "greedy", "--seed", "42"];
/// A person against a player that thinks until it is stopped.
const SLOW: [&str; 7] = [
    "play",
    "--movetime",
    "3600000",
    "--first",
    "enhance",
    "--second",
    "human",
];

#[test]
fn lines_are_edited_completed_and_recalled() {
    let mut terminal = Terminal::open(80, &GREEDY);
    terminal.see("first flip> ");
    // Backspace deletes the 4.
    terminal.type_and_see("c4\x7f3\r", "You flip c3: a black king");
    terminal.see("black> ");
    terminal.type_and_see("posi\t\r", "/??k?/");
    terminal.see("black> ");
    // The up arrow recalls the line.
    terminal.type_and_see("\x1b[A\r", "/??k?/");
    terminal.see("black> ");
    terminal.type_and_see("c4\r", "You flip c4: a red minister");
    terminal.see("black> ");
    // Tab completes the only action of c3.
    terminal.type_and_see("c3 \t", "c3 c4");
    terminal.type_and_see(CTRL_C, "4 plies are not saved. Leave anyway?");
    terminal.see("yes or no> ");
    terminal.press("y\r");
    assert_eq!(terminal.exit_code(), Some(130));
}

#[test]
fn quit_new_and_load_ask_once_before_a_game_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    let path = path.to_str().unwrap();
    let mut terminal = Terminal::open(200, &GREEDY);
    terminal.see("first flip> ");
    terminal.type_and_see("c3\r", "black> ");
    terminal.type_and_see("quit\r", "Leave anyway?");
    terminal.type_and_see("no\r", "black> ");
    terminal.type_and_see("new\r", "Start another one anyway?");
    terminal.type_and_see("\r", "black> ");
    terminal.type_and_see(&format!("save {path}\r"), "Saved 2 plies");
    terminal.see("black> ");
    // The game's own file is not replaced without a question either.
    terminal.type_and_see(&format!("save {path}\r"), "exists. Replace it?");
    terminal.type_and_see("y\r", "Saved 2 plies");
    terminal.see("black> ");
    terminal.type_and_see("new\r", "Deal 43");
    terminal.type_and_see("c3\r", "greedy flips");
    terminal.type_and_see(&format!("save {path}\r"), "exists. Replace it?");
    terminal.type_and_see("n\r", "Not saved.");
    terminal.type_and_see(&format!("load {path}\r"), "Load another game anyway?");
    terminal.type_and_see("y\r", "Loaded 2 plies of human against greedy");
    terminal.press("quit\r");
    assert_eq!(terminal.exit_code(), Some(0));
}

#[test]
fn a_request_to_end_is_heard_while_a_player_thinks() {
    let mut terminal = Terminal::open(80, &SLOW);
    terminal.see("enhance thinks");
    assert!(terminal.is_hushed());
    terminal.signal("-TERM");
    assert_eq!(terminal.exit_code(), Some(130));
    assert!(!terminal.is_hushed(), "the terminal is as it was found");
}

/// The names of the files in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let name = |entry: std::io::Result<DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

#[test]
fn a_game_is_saved_when_nobody_can_be_asked() {
    let folder = tempfile::tempdir().unwrap();
    let open = |arguments: &[&str]| {
        let mut terminal = Terminal::open_in(folder.path(), 80, arguments);
        terminal.see("first flip> ");
        terminal.press("c3\r");
        terminal
    };
    // Ended at the prompt, while a player thinks, and by the end of the input.
    let mut terminal = open(&GREEDY);
    terminal.see("black> ");
    terminal.signal("-TERM");
    assert_eq!(terminal.exit_code(), Some(130));
    assert!(!terminal.is_hushed());
    let slow = ["play", "--movetime", "3600000", "--opponent", "enhance"];
    let mut terminal = open(&slow);
    terminal.see("enhance thinks");
    terminal.signal("-HUP");
    assert_eq!(terminal.exit_code(), Some(130));
    let mut terminal = open(&GREEDY);
    terminal.see("black> ");
    terminal.press(CTRL_D);
    assert_eq!(terminal.exit_code(), Some(0));
    terminal.see("Saved 2 plies to anqi-unsaved-3.txt: anqi play --load");
    let files = [
        "anqi-unsaved-2.txt",
        "anqi-unsaved-3.txt",
        "anqi-unsaved.txt",
    ];
    assert_eq!(names(folder.path()), files);
    let mut loaded = Terminal::open_in(folder.path(), 80, &["play", "--load", files[1]]);
    loaded.see("Loaded 2 plies of human against greedy");
    // A loaded game without new plies is not saved again, nor is a saved one.
    loaded.signal("-TERM");
    assert_eq!(loaded.exit_code(), Some(130));
    let mut terminal = open(&GREEDY);
    terminal.see("black> ");
    terminal.type_and_see("save own.txt\r", "Saved 2 plies");
    terminal.see("black> ");
    terminal.signal("-TERM");
    assert_eq!(terminal.exit_code(), Some(130));
    assert_eq!(names(folder.path()).len(), 4, "those three and own.txt");
}

#[test]
fn ctrl_c_twice_and_the_end_of_the_input_leave() {
    let mut terminal = Terminal::open(80, &GREEDY);
    terminal.see("first flip> ");
    terminal.type_and_see("c3\r", "black> ");
    terminal.type_and_see(CTRL_C, "yes or no> ");
    terminal.press(CTRL_C);
    assert_eq!(terminal.exit_code(), Some(130));
    let mut terminal = Terminal::open(80, &GREEDY);
    terminal.see("first flip> ");
    terminal.type_and_see("c3\r", "black> ");
    terminal.press(CTRL_D);
    assert_eq!(terminal.exit_code(), Some(0));
    let mut untouched = Terminal::open(80, &GREEDY);
    untouched.see("first flip> ");
    untouched.press(CTRL_C);
    assert_eq!(untouched.exit_code(), Some(130));
}

#[test]
fn ctrl_c_lets_a_thinking_player_play_at_once_and_keys_wait_for_the_prompt() {
    let mut terminal = Terminal::open(72, &SLOW);
    terminal.see("enhance thinks ");
    terminal.see(", depth ");
    assert!(terminal.is_hushed());
    terminal.forget();
    terminal.press("position\rrules\r");
    thread::sleep(Duration::from_millis(600));
    let live = terminal.shown();
    assert!(!live.contains("position"), "{live}");
    assert!(!live.contains('\n'), "{live}");
    // Every version of the line stays within the screen.
    for version in live.split(['\r']) {
        assert!(
            version.replace("\x1b[K", "").chars().count() < 72,
            "{version}"
        );
    }
    terminal.type_and_see(CTRL_C, "enhance flips ");
    // Both lines typed ahead are answered.
    terminal.see(" 0 1\r\n");
    terminal.see("A player with no legal move loses");
    terminal.press(CTRL_D);
    assert_eq!(terminal.exit_code(), Some(0));
    let left = tcgetattr(&terminal.master).unwrap().local_modes;
    assert!(left.contains(LocalModes::ECHO | LocalModes::ICANON));
}

#[test]
fn quiet_thinking_shows_no_live_line() {
    let mut terminal = Terminal::open(80, &[&SLOW[..], &["--quiet"]].concat());
    terminal.see("Type b2");
    thread::sleep(Duration::from_millis(1_500));
    assert!(!terminal.shown().contains("thinks"));
    terminal.type_and_see(CTRL_C, "enhance flips ");
}

#[test]
fn a_second_ctrl_c_leaves_with_the_terminal_as_it_was() {
    // Two players that think: the first Ctrl-C pauses, the second leaves.
    let mut terminal = Terminal::open(
        80,
        &[
            "play",
            "--first",
            "enhance",
            "--second",
            "var1",
            "--movetime",
            "3600000",
        ],
    );
    terminal.see("thinks ");
    terminal.type_and_see(CTRL_C, "paused> ");
    terminal.press(CTRL_C);
    assert_eq!(terminal.exit_code(), Some(130));
    assert!(!terminal.is_hushed());
}

#[test]
fn narrow_screens_show_everything_within_their_columns() {
    for columns in [32, 51, 62] {
        let mut terminal = Terminal::open(columns, &[&GREEDY[..], &["--chinese"]].concat());
        terminal.see("first flip> ");
        let mut shown = terminal.shown();
        for (keys, text) in [
            ("c3\r", "black> "),
            ("b2 b3\r", "face down"),
            ("help\r", "recall"),
            ("moves\r", "d8"),
        ] {
            terminal.type_and_see(keys, text);
            terminal.see("black> ");
            shown += &terminal.shown();
        }
        assert!(shown.contains('└'), "{shown}");
        for line in shown.lines().filter(|line| !line.contains("> ")) {
            let width: usize = line.trim_end().chars().map(columns_of).sum();
            assert!(width <= columns.into(), "{columns}: {line:?}");
        }
    }
}

/// The last lines of an output: a screen without its older lines.
fn screen(shown: &str, rows: usize) -> Vec<&str> {
    let lines: Vec<&str> = shown.lines().collect();
    lines[lines.len().saturating_sub(rows)..].to_vec()
}

#[test]
fn the_board_is_whole_on_a_screen_of_50_columns_and_20_rows() {
    for script in ["--letters", "--chinese"] {
        let arguments = ["play", "--seed", "42", "--movetime", "200", script];
        let mut terminal = Terminal::open_low(50, 20, &arguments);
        terminal.see("first flip> ");
        let mut shown = terminal.shown();
        assert!(shown.contains("you begin against level 3."), "{shown}");
        assert!(shown.contains("anqi play --level 10"), "{shown}");
        for (keys, text) in [
            ("", ""),
            ("flip c3\r", "Level 3 "),
            ("c9\r", "is not a square"),
            ("board\r", "└"),
        ] {
            if !keys.is_empty() {
                terminal.type_and_see(keys, text);
                terminal.see("black> ");
                shown += &terminal.shown();
            }
            let screen = screen(&shown, 20);
            // An answer of two lines may push the upper edge out, never a square.
            let top = screen.iter().rposition(|line| line.starts_with("  8 │"));
            let top = top.unwrap_or_else(|| panic!("no eighth row: {screen:#?}"));
            let board = &screen[top..];
            for rank in 1..=8 {
                let label = format!("  {rank} │");
                assert!(board[8 - rank].starts_with(&label), "{screen:#?}");
            }
            assert!(board[8].contains('└'), "{screen:#?}");
            assert!(board[9].trim_start().starts_with('a'), "{screen:#?}");
            assert!(
                screen.iter().any(|line| line.contains("level 3")),
                "{screen:#?}"
            );
        }
    }
}

/// The width of a character on the board or in a message.
fn columns_of(character: char) -> usize {
    match character {
        '\u{2e80}'..='\u{9fff}' | '\u{ff00}'..='\u{ff60}' => 2,
        _ => 1,
    }
}

#[test]
fn a_resized_screen_is_drawn_anew() {
    let mut terminal = Terminal::open(80, &GREEDY);
    terminal.see("    first   you");
    tcsetwinsize(&terminal.master, size(40)).unwrap();
    terminal.type_and_see("board\r", "\nfirst   you");
}

#[test]
fn watching_shows_boards_and_pauses() {
    let watch = [
        "play", "--red", "greedy", "--black", "random", "--seed", "7",
    ];
    let mut terminal = Terminal::open(80, &watch);
    terminal.see("Red wins (greedy)");
    assert_eq!(terminal.exit_code(), Some(0));
    let boards = |shown: &str| shown.matches("a   b   c   d").count();
    assert_eq!(boards(&terminal.shown()), 68);
    let mut terminal = Terminal::open(80, &[&watch[..], &["--pause"]].concat());
    terminal.see("paused> ");
    assert_eq!(boards(&terminal.shown()), 1);
    terminal.type_and_see("\r", "greedy flips c1");
    terminal.see("paused> ");
    terminal.type_and_see("b2\r", "two players play this game");
    terminal.press("quit\r");
    assert_eq!(terminal.exit_code(), Some(0));
}
