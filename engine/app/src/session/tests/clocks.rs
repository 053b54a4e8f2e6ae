//! Which side's clock pays: every request that thinks, and every one that tells the time.

use super::*;

const TOTAL: u64 = 10_000;

/// Sends lines; every search among them seems to take this long.
fn after(lines: &[&str], took: u64) -> Clocks {
    let mut session = session("first");
    for line in lines {
        let step = session.handle(command::parse(line.as_bytes()));
        if let Step::Work(job) = step {
            let mut done = job.run(&mut |_| {});
            if let Done::Thinking(thought) = &mut done {
                thought.elapsed = Duration::from_millis(took);
            }
            session.finish(done);
        }
    }
    session.clocks
}

#[test]
fn thinking_and_time_left_reach_the_right_clock() {
    const SET: &str = "time_settings 10000";
    const FLIPS: [&str; 2] = ["flip a1 G", "flip a2 g"];
    let begun = |lines: &[&'static str]| [&[SET][..], &FLIPS, lines].concat();
    // The cause, the lines, and what each side has left, in milliseconds.
    let causes: [(&str, Vec<&str>, [u64; 2]); 15] = [
        (
            "before the first flip both",
            vec![SET, "genmove unknown"],
            [9_300, 9_300],
        ),
        ("the side to move", begun(&["genmove red"]), [9_300, TOTAL]),
        (
            "the other side, later",
            begun(&["flip a3 P", "genmove black"]),
            [TOTAL, 9_300],
        ),
        (
            "twice",
            begun(&["genmove red", "genmove red"]),
            [8_600, TOTAL],
        ),
        ("a go by the clock", begun(&["go"]), [9_300, TOTAL]),
        (
            "a go by time of its own",
            begun(&["go movetime 50"]),
            [TOTAL, TOTAL],
        ),
        ("a go by nodes", begun(&["go nodes 5"]), [TOTAL, TOTAL]),
        ("a go by depth", begun(&["go depth 2"]), [TOTAL, TOTAL]),
        ("red is told", begun(&["time_left red 500"]), [500, TOTAL]),
        (
            "black is told",
            begun(&["time_left black 500"]),
            [TOTAL, 500],
        ),
        (
            "what is told corrects what was counted",
            begun(&["genmove red", "time_left red 9950"]),
            [9_950, TOTAL],
        ),
        (
            "no less than nothing",
            begun(&["time_left red 300", "genmove red"]),
            [0, TOTAL],
        ),
        (
            "perft thinks for nobody",
            begun(&["perft 1"]),
            [TOTAL, TOTAL],
        ),
        (
            "a new game",
            begun(&["genmove red", "reset_board"]),
            [TOTAL, TOTAL],
        ),
        (
            "a new time",
            begun(&["genmove red", "time_setting 7000"]),
            [7_000, 7_000],
        ),
    ];
    for (cause, lines, left) in causes {
        let clocks = after(&lines, 700);
        let left = left.map(|left| Some(Duration::from_millis(left)));
        let found = [Color::Red, Color::Black].map(|side| clocks.left[side]);
        assert_eq!(found, left, "{cause}");
    }
}

#[test]
fn without_clocks_nothing_is_counted() {
    let clocks = after(&["genmove unknown", "flip a1 G", "genmove black"], 700);
    assert_eq!(clocks, Clocks::default());
    let one = after(&["time_left black 5000", "flip a1 G", "genmove black"], 700);
    assert_eq!(one.left[Color::Red], None);
    assert_eq!(one.left[Color::Black], Some(Duration::from_millis(4_300)));
}
