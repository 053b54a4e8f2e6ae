//! Whole games at the terminal, typed by scripts: no terminal is needed.

#![allow(clippy::unwrap_used)] // test helpers may unwrap

use anqi_app::terminal::{
    Host, Lines, Named, Pace, Paint, Pairing, Participant, Progress, Script, Setting, Style, Watch,
};
use anqi_play::KnownDeal;
use anqi_rules::{Game, Position, Rules};
use anqi_search::{Limits, TimeLimit};
use anqi_tablebase::classes::Fit;
use std::cell::RefCell;
use std::io::{self, BufRead, Read, Write};
use std::rc::Rc;

/// A known deal: the kings on a8 and b7, the cannons in column b.
const DEAL: &str = "KGMR/gkmr/NCPP/ncpp/GCMR/gcmr/NPPP/nppp";

fn setting(first: &str, second: &str) -> Setting {
    // An unsaved game at the end of the input is saved in the current folder.
    std::env::set_current_dir(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let participant = |text: &str| text.parse::<Participant>().unwrap();
    Setting {
        game: Game::new(Position::start(), Rules::OLYMPIAD),
        end: None,
        pairing: Pairing::ByOrder([participant(first), participant(second)]),
        known: KnownDeal::default(),
        seed: 5,
        limits: Limits {
            depth: Some(1),
            time: TimeLimit::None,
            ..Limits::NONE
        },
        style: Style::default(),
        progress: Progress::Hidden,
        watch: Watch::Rounds,
        named: Named::Nobody,
        messages: Vec::new(),
    }
}

fn two_people_on_the_known_deal() -> Setting {
    Setting {
        known: DEAL.parse().unwrap(),
        ..setting("human", "human")
    }
}

fn from_position(text: &str) -> Setting {
    Setting {
        game: Game::from_text(text, Rules::OLYMPIAD).unwrap(),
        ..setting("human", "human")
    }
}

/// Types the lines of a script and returns what was shown.
fn transcript(setting: Setting, script: &str) -> String {
    let mut output = Vec::new();
    Host::new(setting, Lines::new(script.as_bytes()), &mut output)
        .expect("the setting is sound")
        .run()
        .expect("memory can be written");
    String::from_utf8(output).expect("only text is shown")
}

/// Returns what followed the last prompt at which this line was typed.
fn after<'a>(shown: &'a str, typed: &str) -> &'a str {
    let start = shown.rfind(&format!("> {typed}\n")).expect("it was typed");
    &shown[start..]
}

#[test]
fn the_first_plies_of_a_game_as_they_are_shown() {
    let script = "b2 b3\nb2\na7\nmoves\nb2 b3\nquit\n";
    insta::assert_snapshot!(transcript(two_people_on_the_known_deal(), script));
}

#[test]
fn the_board_in_characters() {
    let mut setting = two_people_on_the_known_deal();
    setting.style.script = Script::Chinese;
    insta::assert_snapshot!(transcript(setting, "b2\na7\nrules\nquit\n"));
}

#[test]
fn the_board_in_colours() {
    let mut setting = two_people_on_the_known_deal();
    setting.style.paint = Paint::Colors;
    let shown = transcript(setting, "b2\nb2 b5\nquit\n");
    insta::assert_snapshot!(shown.replace('\x1b', "^"));
}

#[test]
fn captures_trails_and_the_end_of_a_game() {
    // The pawn captures the king, black's last piece; a move before shows the trail.
    let setting = from_position("4/4/4/4/4/1k2/4/P3 r - 0 90");
    insta::assert_snapshot!(transcript(
        setting,
        "a1-a2\nb3xb2\na2xb2\nb2 b3\nhint\nmoves\nresign\nquit\n"
    ));
}

#[test]
fn a_game_without_a_legal_action_is_lost() {
    // A king between two pawns may not capture either.
    let shown = transcript(from_position("4/4/4/4/4/P3/4/kP2 r - 0 90"), "a3-a2\n");
    assert!(
        shown.contains("Red wins (first player): black has no legal move."),
        "{shown}"
    );
    assert!(shown.contains("game over> "), "{shown}");
}

#[test]
fn draws_name_their_rule() {
    let script = "a8-a7\nd1-d2\na7-a8\nd2-d1\n".repeat(2);
    let shown = transcript(from_position("K3/4/4/4/4/4/4/3g r - 0 0"), &script);
    assert!(
        shown.contains("Draw: the same position for the third time."),
        "{shown}"
    );
    let shown = transcript(from_position("K3/4/4/4/4/4/4/3g r - 179 500"), "a8-a7\n");
    assert!(
        shown.contains("Draw: 180 plies without a capture or flip."),
        "{shown}"
    );
}

#[test]
fn undo_keeps_the_deal_and_goes_back_to_the_persons_turn() {
    let script = "c3\nundo\nposition\nc3\nredo\nundo\nredo\nquit\n";
    let shown = transcript(setting("human", "greedy"), script);
    let sentences: Vec<&str> = shown
        .lines()
        .filter(|line| line.starts_with("You flip c3"))
        .collect();
    assert_eq!(sentences.len(), 2);
    assert_eq!(sentences[0], sentences[1]);
    assert!(shown.contains(&Position::start().to_string()));
    assert!(shown.contains("nothing has been taken back"));
    assert!(after(&shown, "undo").contains("Taken back: 2 plies."));
    assert!(after(&shown, "redo").contains("Played again: 2 plies."));
}

#[test]
fn who_answers_first_cannot_go_back_before_the_own_first_turn() {
    let shown = transcript(setting("greedy", "human"), "undo\n");
    assert!(
        shown.contains("there is no earlier turn of yours"),
        "{shown}"
    );
}

#[test]
fn a_resignation_ends_the_game_until_it_is_taken_back() {
    let shown = transcript(
        setting("human", "greedy"),
        "b2\nresign\nb3\nundo\nb3\nquit\n",
    );
    assert!(shown.contains("wins (greedy): you give up."), "{shown}");
    assert!(shown.contains("the game is over: type new, undo or quit"));
    assert!(after(&shown, "undo").contains("The game goes on."));
    assert!(after(&shown, "b3").contains("You flip b3"), "{shown}");
}

#[test]
fn a_resignation_is_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["game.txt", "game.pgn", "game.json"] {
        let path = folder.path().join(name);
        let path = path.display();
        let script = format!("b2\nsave {path}\nresign\nquit\nno\nsave {path}\nyes\nquit\n");
        let shown = asked(setting("human", "greedy"), &script);
        assert!(shown.contains("2 plies are not saved"), "{shown}");
        let script = format!("load {path}\nb3\nundo\nb3\n");
        let shown = transcript(setting("human", "greedy"), &script);
        let loaded = after(&shown, &format!("load {path}"));
        assert!(loaded.contains("wins (greedy): "), "{shown}");
        assert!(shown.contains("the game is over"), "{shown}");
        assert!(
            after(&shown, "undo").contains("The game goes on."),
            "{shown}"
        );
    }
}

/// Types the lines of a script as a person who can be asked.
fn asked(setting: Setting, script: &str) -> String {
    let mut output = Vec::new();
    let lines = Lines::new(script.as_bytes()).with_questions();
    Host::new(setting, lines, &mut output)
        .expect("the setting is sound")
        .run()
        .expect("memory can be written");
    String::from_utf8(output).expect("only text is shown")
}

#[test]
fn an_unsaved_game_is_not_dropped_without_a_question() {
    let shown = asked(setting("human", "greedy"), "quit\n");
    assert!(!shown.contains("not saved"), "nothing was played: {shown}");
    let shown = asked(
        setting("human", "greedy"),
        "b2\nquit\nno\nnew\n\nquit\nYES\nb3\n",
    );
    let question = "This game's 2 plies are not saved.";
    assert_eq!(shown.matches(question).count(), 3, "{shown}");
    assert!(after(&shown, "no").contains("Start another one anyway?"));
    assert!(
        !shown.contains("Deal 6") && !shown.contains("> b3\n"),
        "{shown}"
    );
    // In a pipe nobody can answer.
    let shown = transcript(setting("human", "greedy"), "b2\nquit\nb3\n");
    assert!(
        !shown.contains("not saved") && !shown.contains("> b3\n"),
        "{shown}"
    );
}

#[test]
fn a_file_is_replaced_only_with_consent() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    std::fs::write(&path, "Dear Anna").unwrap();
    let script = format!("b2\nsave {0}\nno\n", path.display());
    let shown = asked(setting("human", "greedy"), &script);
    assert!(
        shown.contains("exists. Replace it?") && shown.contains("Not saved."),
        "{shown}"
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "Dear Anna");
    // The file that this game has written itself is no exception.
    let script = format!(
        "b2\nsave {0}\nyes\nsave {0}\nyes\nnew\nb2\nsave {0}\nno\nquit\ny\n",
        path.display()
    );
    let shown = asked(setting("human", "greedy"), &script);
    assert_eq!(shown.matches("Replace it?").count(), 3, "{shown}");
    assert_eq!(shown.matches("Saved 2 plies").count(), 2, "{shown}");
    // A loaded game has not written its file either.
    let script = format!("load {0}\nsave {0}\nno\n", path.display());
    let shown = asked(setting("human", "greedy"), &script);
    assert_eq!(shown.matches("Replace it?").count(), 1, "{shown}");
}

#[test]
fn a_place_that_cannot_be_written_loses_nothing() {
    let shown = transcript(
        setting("human", "greedy"),
        "b2\nsave /nowhere/game.txt\nsave /\nposition\n",
    );
    assert!(
        shown.contains("cannot write /nowhere/game.txt: No such file or directory"),
        "{shown}"
    );
    assert!(
        !shown.contains(".part"),
        "a temporary file is named: {shown}"
    );
    assert!(shown.contains("cannot write /: it is a folder"), "{shown}");
    assert!(after(&shown, "position").contains(" 0 2\n"), "{shown}");
    let shown = asked(
        setting("human", "greedy"),
        "b2\nsave /nowhere/game.txt\nquit\ny\n",
    );
    assert!(shown.contains("2 plies are not saved"), "{shown}");
}

#[test]
fn a_loaded_game_is_played_on_by_the_recorded_opponent() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    let script = format!("b2\nsave {}\n", path.display());
    transcript(setting("human", "greedy"), &script);
    let load = format!("load {}\nboard\n", path.display());
    let shown = transcript(setting("human", "random"), &load);
    assert!(after(&shown, "board").contains("greedy"), "{shown}");
    assert!(!after(&shown, "board").contains("random"), "{shown}");
    let named = Setting {
        named: Named::Opponent("random".to_owned()),
        ..setting("human", "random")
    };
    let shown = transcript(named, &load);
    assert!(after(&shown, "board").contains("random"), "{shown}");
    let note = "The game was saved with greedy as the opponent; random plays on instead.";
    assert!(shown.contains(note), "{shown}");
}

#[test]
fn boards_of_two_players_are_shown_as_often_as_asked_for() {
    let watched = |every| {
        let watch = Watch::Boards {
            every,
            pace: Pace::Run,
        };
        let setting = Setting {
            watch,
            ..setting("greedy", "random")
        };
        let shown = transcript(setting, "");
        (shown.matches("a   b   c   d").count(), shown)
    };
    let (all, shown) = watched(1);
    assert!(
        shown.contains("greedy flips") && shown.contains("random "),
        "{shown}"
    );
    let told = |line: &&str| line.starts_with("greedy ") || line.starts_with("random ");
    // The first board, and one with a sentence after every ply.
    assert_eq!(all, 1 + shown.lines().filter(told).count());
    let (some, fewer) = watched(10);
    // The first board, one after every ten plies, and the last.
    assert_eq!(some, 1 + (all - 1) / 10 + usize::from((all - 1) % 10 != 0));
    assert_eq!(shown.lines().last(), fewer.lines().last());
}

#[test]
fn a_narrow_screen_breaks_sentences_between_words() {
    let mut output = Vec::new();
    let script = "b2 b3\nnonsense\nrules\nhelp\nb2\nmoves\n";
    let lines = Lines::new(script.as_bytes()).screen(|| Some(32));
    Host::new(two_people_on_the_known_deal(), lines, &mut output)
        .unwrap()
        .run()
        .unwrap();
    let shown = String::from_utf8(output).unwrap();
    for line in shown.lines() {
        assert!(anqi_app::terminal::width::width(line) <= 32, "{line}");
    }
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let whole =
        "the first ply must be a flip: nobody has a colour yet; type one square, such as b2";
    assert!(words.contains(whole), "{shown}");
    insta::assert_snapshot!(shown);
}

#[test]
fn a_saved_game_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my game.txt");
    let script = format!("b2\nsave {0}\nposition\nsave {0}\nquit\n", path.display());
    let shown = transcript(setting("human", "greedy"), &script);
    assert_eq!(shown.matches("Saved 2 plies").count(), 2, "{shown}");
    let position = after(&shown, "position").lines().nth(1).unwrap().to_owned();
    let script = format!("load {0}\nposition\nundo\nb2\nsave {0}\n", path.display());
    let again = transcript(setting("human", "greedy"), &script);
    assert!(
        again.contains("Loaded 2 plies of human against greedy from"),
        "{again}"
    );
    assert_eq!(
        after(&again, "position").lines().nth(1),
        Some(position.as_str())
    );
    // The same flip, undone in the loaded game, shows the same piece.
    let flip = |text: &str| {
        text.lines()
            .find(|l| l.starts_with("You flip b2"))
            .map(str::to_owned)
    };
    assert_eq!(flip(&again), flip(&shown));
    let other = format!("b2\nsave {}\n", path.display());
    let shown = transcript(setting("human", "human"), &other);
    assert!(shown.contains("exists; choose another name"), "{shown}");
}

#[test]
fn nonsense_is_answered_and_changes_nothing() {
    let mut script = String::from("b2\nposition\n");
    for line in [
        "e5",
        "b2 b9",
        "\u{1b}[2J",
        "b2 b3 b4 b5",
        "flip",
        "save",
        "load /",
        "hint nobody",
    ] {
        script += line;
        script += "\n";
    }
    script += &"x".repeat(100_000);
    script += "\nposition\n";
    let shown = transcript(setting("human", "human"), &script);
    let strings: Vec<&str> = shown
        .lines()
        .filter(|l| l.matches('/').count() == 7)
        .collect();
    assert_eq!(strings.len(), 2);
    assert_eq!(strings[0], strings[1]);
    assert!(!shown.contains('\u{1b}'));
    assert!(
        shown.contains("End of input after 1 ply. Goodbye."),
        "{shown}"
    );
}

/// Lines of meaningful words in random order.
fn random_script(lines: usize, mut state: u64) -> String {
    const WORDS: [&str; 24] = [
        "undo",
        "redo",
        "hint random",
        "moves",
        "board",
        "help",
        "rules",
        "position",
        "resign",
        "new",
        "save",
        "load x",
        "b2",
        "c3 c4",
        "x",
        "-",
        "b2-b3",
        "a1a2",
        "é",
        "99",
        "quit it",
        "#",
        "",
        "hint",
    ];
    let mut next = move |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % bound
    };
    let mut script = String::new();
    for _ in 0..lines {
        let square = |index: usize| format!("{}{}", ["a", "b", "c", "d"][index % 4], index / 4 + 1);
        script += &match next(8) {
            0 => WORDS[next(WORDS.len())].to_owned(),
            1..4 => square(next(32)),
            _ => format!("{} {}", square(next(32)), square(next(32))),
        };
        script.push('\n');
    }
    script
}

#[test]
fn every_line_is_answered_by_one_more_prompt() {
    const LINES: usize = 3_000;
    for (seed, opponent) in (1..).zip(["human", "greedy", "random"]) {
        let shown = transcript(setting("human", opponent), &random_script(LINES, seed));
        let prompts = ["red> ", "black> ", "first flip> ", "game over> "];
        let asked = |line: &&str| prompts.iter().any(|prompt| line.starts_with(prompt));
        assert_eq!(shown.lines().filter(asked).count(), LINES + 1);
        assert!(shown.contains("captures") || shown.contains("capture a"));
    }
}

#[test]
fn bytes_that_are_no_text_are_answered() {
    let mut output = Vec::new();
    let input: &[u8] = b"\xff\xfe\nb2\n";
    Host::new(setting("human", "human"), Lines::new(input), &mut output)
        .unwrap()
        .run()
        .unwrap();
    let shown = String::from_utf8(output).unwrap();
    assert!(
        shown.contains("is not a command") && shown.contains("flips b2"),
        "{shown}"
    );
}

#[test]
fn a_new_game_has_another_deal_and_the_same_seats() {
    let shown = transcript(setting("human", "greedy"), "b2\nnew\nb2\nquit\n");
    assert!(
        shown.contains("Deal 5:") && shown.contains("Deal 6:"),
        "{shown}"
    );
    assert_eq!(shown.matches("you begin against greedy").count(), 2);
}

#[test]
fn two_players_finish_their_game_alone_and_the_same_way_every_time() {
    let shown = transcript(setting("greedy", "random"), "");
    assert!(
        shown.contains("← won") || shown.contains("← drew"),
        "{shown}"
    );
    assert!(shown.contains("   1. "));
    assert_eq!(shown, transcript(setting("greedy", "random"), ""));
}

/// What the host has shown, readable by the typist.
#[derive(Clone, Default)]
struct Screen(Rc<RefCell<Vec<u8>>>);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A person who asks for a hint and follows it, until the game is over.
struct Typist {
    screen: Screen,
    pending: Vec<u8>,
    typed: String,
}

impl Typist {
    fn next_line(&self) -> String {
        let bytes = self.screen.0.borrow();
        let shown = std::str::from_utf8(&bytes).unwrap();
        let (before, prompt) = shown.trim_end().rsplit_once('\n').unwrap();
        if prompt.starts_with("game over>") {
            return "quit\n".to_owned();
        }
        let last = before.lines().last().unwrap();
        match last.split_once(" would ") {
            Some((_, advice)) => {
                let words = advice.trim_end_matches('.').split([' ', ',']);
                words.skip(1).take(1).collect::<String>() + "\n"
            }
            None => "hint greedy\n".to_owned(),
        }
    }
}

impl Read for Typist {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Typist {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.pending.is_empty() {
            let line = self.next_line();
            self.typed += &line;
            self.pending = line.into_bytes();
        }
        Ok(&self.pending)
    }

    fn consume(&mut self, count: usize) {
        self.pending.drain(..count);
    }
}

#[test]
fn a_whole_game_of_a_person_against_greedy() {
    let screen = Screen::default();
    let mut typist = Typist {
        screen: screen.clone(),
        pending: Vec::new(),
        typed: String::new(),
    };
    let output = screen.clone();
    Host::new(setting("human", "greedy"), Lines::new(&mut typist), output)
        .unwrap()
        .run()
        .unwrap();
    let shown = String::from_utf8(screen.0.borrow().clone()).unwrap();
    let ends = ["Red wins", "Black wins", "Draw: "];
    assert!(ends.iter().any(|end| shown.contains(end)), "{shown}");
    assert!(typist.typed.lines().count() > 40);
    assert!(!shown.contains("is not a command"));
    // The same lines typed blindly give the same game.
    assert_eq!(transcript(setting("human", "greedy"), &typist.typed), shown);
}

#[test]
fn a_damaged_table_is_reported_once_and_apart_from_the_game() {
    let folder = tempfile::tempdir().unwrap();
    // A unit of five pieces, as those of four are solved in memory.
    let unit = Fit::of(&"Kpppp".parse().unwrap()).unit;
    let file = format!("{unit}.wdl");
    std::fs::write(folder.path().join(&file), "no table").unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_anqi"))
        .args(["--tables", folder.path().to_str().unwrap(), "play"])
        .args(["--first", "champion", "--second", "champion"])
        .args(["--nodes", "50", "--rules", "platform"])
        .args(["--position", "K3/4/4/4/4/pp2/pp2/4 r - 0 40"])
        .output()
        .unwrap();
    let (shown, told) = (output.stdout, String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert_eq!(told.matches(file.as_str()).count(), 1, "{told}");
    let shown = String::from_utf8(shown).unwrap();
    assert!(!shown.contains(file.as_str()), "{shown}");
}
