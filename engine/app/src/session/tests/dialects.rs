//! One line a position, and how the first line decides the language.

use super::*;
use std::num::NonZeroU32;

#[test]
fn lines_are_answered_unless_they_only_tell() {
    let output = conversation(
        "first",
        "????????/????????/????????/???????? r 900000 900000\n\
         a???????/????????/????????/???????? b -9999 -9999\n\
         a???????/K???????/????????/???????? r 899000 898000\n\
         this is no line\n\
         K???????/1???????/????????/???????? b 1 1\n",
    );
    assert_eq!(output, "FLIP A1\nFLIP B1\nMOVE A1 A2\n");
}

#[test]
fn lines_give_the_clock_to_the_player() {
    let mut session = session("limits");
    let input = "????????/????????/????????/???????? r 5000 7000\na???????/K???????/????????/???????? r 5000 -9999\n";
    serve(&mut session, std::io::Cursor::new(input), Vec::new()).expect("no fault");
    assert_eq!(session.clocks.left[Color::Black], Some(Duration::ZERO));
    assert!(session.clocks.left[Color::Red] <= Some(Duration::from_secs(5)));
    assert_eq!(session.game().expect("a game").plies().len(), 2);
}

/// The rules of a session after a line of this dialect.
fn rules_of_lines(chosen: ChosenRules) -> Rules {
    let mut session = Session::new(Parts {
        rules: chosen,
        ..parts("first")
    })
    .expect("the mock can be made");
    let input = "????????/????????/????????/???????? r 5000 7000\n";
    serve(&mut session, std::io::Cursor::new(input), Vec::new()).expect("no fault");
    assert_eq!(
        session.game().expect("a game").rules(),
        session.options.rules
    );
    session.options.rules
}

#[test]
fn lines_are_played_by_the_rules_of_the_course_unless_others_are_chosen() {
    assert_eq!(rules_of_lines(ChosenRules::default()), Rules::COURSE);
    let platform = ChosenRules {
        preset: Some(Rules::PLATFORM),
        no_progress: None,
    };
    assert_eq!(rules_of_lines(platform), Rules::PLATFORM);
    let longer = ChosenRules {
        preset: None,
        no_progress: Some(NonZeroU32::new(77)),
    };
    let expected = Rules {
        quiet_limit: NonZeroU32::new(77),
        ..Rules::COURSE
    };
    assert_eq!(rules_of_lines(longer), expected);
    let mut session = session("first");
    assert!(answer(&mut session, "options").contains(" rules olympiad\n"));
}

#[test]
fn a_game_goes_on_with_clocks_that_have_decimals() {
    let output = conversation(
        "first",
        "????????/????????/????????/???????? r 6000 6000\n\
         a???????/????????/????????/???????? b -9999 -9999\n\
         a???????/K???????/????????/???????? r 5647.418022155762 6000\n\
         a???????/K???????/????????/p??????? r nan inf\n",
    );
    assert_eq!(output, "FLIP A1\nFLIP B1\nFLIP B1\n");
}

#[test]
fn a_side_without_pieces_on_the_board_flips_on() {
    // Red captures the last black piece that is face up.
    let output = conversation(
        "first",
        "kC6/????4/8/8 r 5000 5000\n1k6/????4/8/8 b 5000.5 5000.5\n",
    );
    assert_eq!(output, "MOVE A1 B1\nFLIP A2\n");
}

#[test]
fn comments_and_empty_lines_decide_nothing() {
    let output = conversation("first", "\n# uci\n   \n1 name\nuci\n");
    assert_eq!(
        output,
        "=1 anqi\n? unknown command 'uci' (list_commands lists all)\n"
    );
}

#[test]
fn a_byte_order_mark_before_the_first_line_says_nothing() {
    let output = conversation("first", "\u{feff}1 name\n1 name\n");
    assert_eq!(output, "=1 anqi\n=1 anqi\n");
    let output = conversation("first", "\u{feff}\r\n# comment\n1 name\n");
    assert_eq!(output, "=1 anqi\n");
    let output = conversation("first", "\u{feff}uci\nisready\n");
    assert!(output.ends_with("uciok\nreadyok\n"), "{output}");
    let start = "\u{feff}????????/????????/????????/???????? r 9000 9000\n";
    assert_eq!(conversation("first", start), "FLIP A1\n");
}
