//! One line per position: the protocol of a course's server of 2025.
//!
//! `<rank 1>/<rank 2>/<rank 3>/<rank 4> <r|b> <red ms> <black ms>`: black in
//! upper case, red in lower case, `KAERNCP`, `?` face down, files A to H. The
//! answer is `FLIP D2` or `MOVE A1 A2`; a line whose times are both -9999 only
//! reports what was played and is not answered. The lines contain neither the
//! history nor the captured pieces: [`Follower`] infers both from one line to
//! the next.
//!
//! The server has no refusals and counts silence as a loss, so a line is read as far as
//! it can be: [`read`] names its doubts and goes on.

use super::{Diagram, draw_ranks, letter_among, piece_among, write_ranks};
use crate::time::{is_minus, time_left};
use anqi_rules::notation::excerpt;
use anqi_rules::{Action, Color, Content, Game, Ply, Position, Rules, Square};
use std::time::Duration;

const LETTERS: &str = "KAERNCP";
/// The times of a line that must not be answered are this number below zero.
const NOT_ASKED: u64 = 9_999;

/// A parsed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The board, as far as it is certain, and the side to move, if it is known.
    pub diagram: Diagram,
    /// The board as far as it can be guessed.
    likely: Diagram,
    times: Times,
    /// What could not be read.
    pub doubts: Vec<String>,
}

/// The times of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Times {
    /// Those of a line that only reports what was played.
    Report,
    /// Those left of red and black, as far as they can be read.
    Left([Option<Duration>; 2]),
    /// Neither can be read.
    Unreadable,
}

/// Returns whether a first line is in this dialect: it begins with a board.
pub fn recognises(line: &str) -> bool {
    let first = line.split_ascii_whitespace().next().unwrap_or_default();
    let slashes = line.matches('/').count();
    slashes >= 2 && first.contains(['/', '?'])
}

/// Reads one line, as far as it can be read.
///
/// # Errors
///
/// Returns an error if the line shows no board.
pub fn read(text: &str) -> Result<Message, String> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let is_turn = |word: &&str| matches!(*word, "r" | "b");
    let turn_at = words.iter().skip(1).position(is_turn).map(|at| at + 1);
    // Without a turn the two times are the last words.
    let times_at = turn_at.map_or(words.len().saturating_sub(2).max(1), |at| at + 1);
    let board = words[..turn_at.unwrap_or(1).min(words.len())].concat();
    if !board.contains(['/', '?']) {
        return Err(format!(
            "'{}' is not a board (expected four ranks, a turn and two times)",
            excerpt(text)
        ));
    }
    let drawing = draw_ranks(&board, |place| place, content);
    let mut doubts = drawing.doubts;
    let turn = turn_at.map(|at| match words[at] {
        "r" => Color::Red,
        _ => Color::Black,
    });
    if turn.is_none() {
        let word = words.get(1).copied().unwrap_or_default();
        doubts.push(format!(
            "'{}' is not a turn (expected r or b)",
            excerpt(word)
        ));
    }
    let times = read_times(words.get(times_at..).unwrap_or_default(), &mut doubts);
    Ok(Message {
        diagram: Diagram::new(drawing.certain, turn),
        likely: Diagram::new(drawing.likely, turn),
        times,
        doubts,
    })
}

/// Reads the words after the turn.
fn read_times(words: &[&str], doubts: &mut Vec<String>) -> Times {
    if words.len() != 2 {
        doubts.push(format!(
            "{} words after the turn (expected two times)",
            words.len()
        ));
    }
    let times = [0, 1].map(|index| words.get(index).copied().unwrap_or_default());
    let is_marker = times.map(|word| is_minus(word, NOT_ASKED));
    if is_marker == [true, true] {
        return Times::Report;
    }
    let left = times.map(|word| match time_left(word) {
        Ok(time) => Some(time),
        Err(error) => {
            if !word.is_empty() {
                doubts.push(error.to_string());
            }
            None
        }
    });
    match left {
        [None, None] => Times::Unreadable,
        // One marker beside what cannot be read is half of a report.
        [Some(_), None] if is_marker[0] => Times::Report,
        [None, Some(_)] if is_marker[1] => Times::Report,
        _ => Times::Left(left),
    }
}

fn content(sign: char) -> Option<Content> {
    match sign {
        '?' => Some(Content::FaceDown),
        _ => piece_among(LETTERS, Color::Black, sign).map(Content::FaceUp),
    }
}

/// Writes the line that reports a position and asks for nothing, without a newline.
///
/// It has neither the captured pieces nor the counters; before the first flip red is said to move.
#[must_use]
pub fn write_report(position: &Position) -> String {
    let sign = |piece| letter_among(LETTERS, Color::Black, piece);
    let ranks = write_ranks(position, |place| place, '?', sign);
    let turn = match position.turn() {
        Some(Color::Black) => 'b',
        Some(Color::Red) | None => 'r',
    };
    format!("{ranks} {turn} -{NOT_ASKED} -{NOT_ASKED}")
}

/// Writes `FLIP D2` or `MOVE A1 A2`, without a newline.
pub fn write_action(action: Action) -> String {
    let square = |square: Square| {
        let file = (b'A' + square.row() as u8) as char;
        format!("{file}{}", square.column() + 1)
    };
    if action.is_flip() {
        format!("FLIP {}", square(action.from()))
    } else {
        format!("MOVE {} {}", square(action.from()), square(action.to()))
    }
}

/// Reads `FLIP D2` or `MOVE A1 A2`.
pub fn read_action(text: &str) -> Option<Action> {
    let square = |word: &str| {
        let &[file, rank] = word.as_bytes() else {
            return None;
        };
        let (file, rank) = (file.checked_sub(b'A')?, rank.checked_sub(b'1')?);
        Square::at(rank.into(), file.into())
    };
    match text.split_ascii_whitespace().collect::<Vec<_>>()[..] {
        ["FLIP", at] => square(at).map(Action::flip),
        ["MOVE", from, to] => Some(Action::step(square(from)?, square(to)?)),
        _ => None,
    }
}

/// Follows a game from line to line.
///
/// ```
/// use anqi_protocol::dialect::lines::{self, Follower};
/// use anqi_rules::Rules;
///
/// let mut follower = Follower::default();
/// let first = lines::read("????????/????????/????????/???????? r 9000 9000")?;
/// follower.follow(&first, Rules::COURSE)?;
/// let line = lines::read("a???????/????????/????????/???????? b 8500.75 9000")?;
/// let game = follower.follow(&line, Rules::COURSE)?;
/// assert_eq!(game.plies().last().map(ToString::to_string).as_deref(), Some("a1(G)"));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Follower {
    game: Option<Game>,
    /// The side that was last asked for an action.
    own: Option<Color>,
    /// Its time left then.
    left: Option<Duration>,
}

/// How an action is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Not at all.
    No,
    /// By the clocks of red and black.
    ByClock([Duration; 2]),
    /// Without a clock that can be read; the time left of this side when it was last asked.
    Unknown(Option<Duration>),
}

impl Follower {
    /// Returns whether a line asks this side for an action, and completes its turn.
    ///
    /// A line without a turn that asks is for the side that was asked before. One without any
    /// time asks, unless the other side is to move.
    pub fn asked(&mut self, line: &mut Message) -> Asked {
        let turn = line.diagram.turn();
        // Before the first flip the colours are not those of the game.
        let is_start = line.diagram.contents() == Some([Content::FaceDown; 32]);
        self.own = self.own.filter(|_| !is_start);
        let asked = match line.times {
            Times::Report => return Asked::No,
            Times::Unreadable if turn.zip(self.own).is_some_and(|(turn, own)| turn != own) => {
                return Asked::No;
            }
            Times::Unreadable => Asked::Unknown(self.left),
            Times::Left([Some(red), Some(black)]) => Asked::ByClock([red, black]),
            Times::Left(left) => {
                let side = turn.or(self.own);
                // Only the clock of the side to move matters.
                match side.and_then(|side| left[side.index()]) {
                    Some(own) => Asked::ByClock([own; 2]),
                    None => Asked::Unknown(self.left),
                }
            }
        };
        let turn = turn.or(self.own);
        line.diagram = line.diagram.with_turn(turn);
        line.likely = line.likely.with_turn(turn);
        if let (Asked::ByClock(left), Some(turn)) = (asked, turn) {
            self.left = Some(left[turn.index()]);
        }
        self.own = turn.filter(|_| !is_start);
        asked
    }

    /// Returns the game after a line: one or two plies further, or a new one.
    ///
    /// A line that no plies lead to (the game was joined late) begins a new
    /// game. Earlier captures are unknown then; the bag is filled as evenly as
    /// the counts allow.
    ///
    /// # Errors
    ///
    /// Returns an error if the board is impossible or cannot be read.
    pub fn follow(&mut self, line: &Message, rules: Rules) -> Result<&Game, String> {
        let contents = line.diagram.contents();
        let contents = contents.ok_or("a square of the board cannot be read")?;
        let target = Target {
            contents,
            turn: line.diagram.turn(),
        };
        let followed = self.game.clone().and_then(|game| continued(game, &target));
        let game = match followed {
            Some(game) => game,
            None => Game::new(line.diagram.position()?, rules),
        };
        Ok(self.game.insert(game))
    }

    /// Returns the board to take an action from if the game cannot be followed: the line's if
    /// it has an action for certain, else the last known one, else a guess.
    pub fn diagram(&self, line: &Message) -> Diagram {
        let has_action = |diagram: &Diagram| diagram.safest().is_some();
        if has_action(&line.diagram) || line.diagram.contents().is_some() {
            return line.diagram.clone();
        }
        let known = self.game.as_ref().map(|game| Diagram::of(game.position()));
        let known = known.map(|known| known.with_turn(line.diagram.turn()));
        known.filter(has_action).unwrap_or(line.likely.clone())
    }
}

/// The board that a game must reach.
struct Target {
    contents: [Content; 32],
    /// The side to move; `None` if it is unknown.
    turn: Option<Color>,
}

/// Plays the ply or the two plies that lead from a game to a board.
fn continued(mut game: Game, target: &Target) -> Option<Game> {
    if shows(game.position(), target) {
        return Some(game);
    }
    for first in plies_towards(&game, target) {
        if game.play(first).is_err() {
            continue;
        }
        if shows(game.position(), target) {
            return Some(game);
        }
        for second in plies_towards(&game, target) {
            if game.play(second).is_err() {
                continue;
            }
            if shows(game.position(), target) {
                return Some(game);
            }
            game.undo();
        }
        game.undo();
    }
    None
}

/// Returns the plies from a square that differs from the line's, as they may lead to its board.
fn plies_towards(game: &Game, target: &Target) -> Vec<Ply> {
    let position = game.position();
    let changed = |square: Square| position.content(square) != target.contents[square.index()];
    let mut plies = Vec::new();
    for action in game.actions() {
        if !changed(action.from()) {
            continue;
        }
        if !action.is_flip() {
            plies.push(Ply::from(action));
        } else if let Content::FaceUp(piece) = target.contents[action.from().index()] {
            plies.push(Ply::flip(action.from(), piece));
        } else {
            // Flipped and captured within two plies: it may have been any piece.
            plies.extend(
                position
                    .reveals()
                    .map(|r| Ply::flip(action.from(), r.piece)),
            );
        }
    }
    plies
}

fn shows(position: &Position, target: &Target) -> bool {
    let turns = position.turn().zip(target.turn);
    turns.is_none_or(|(turn, expected)| turn == expected)
        && Square::all().all(|square| position.content(square) == target.contents[square.index()])
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "????????/????????/????????/???????? r 1000 2000";

    fn follow(follower: &mut Follower, text: &str) -> String {
        let line = read(text).expect("a line");
        let game = follower.follow(&line, Rules::COURSE).expect("a game");
        game.position().to_string()
    }

    /// How each of these lines asks the same program.
    fn asked(lines: &[&str]) -> Vec<Asked> {
        let mut follower = Follower::default();
        let asked = |text: &&str| follower.asked(&mut read(text).expect("a line"));
        lines.iter().map(asked).collect()
    }

    fn ms(times: [u64; 2]) -> Asked {
        Asked::ByClock(times.map(Duration::from_millis))
    }

    #[test]
    fn lines_are_read_and_actions_written() {
        let line = read(START).expect("a line");
        assert_eq!(line.diagram.turn(), Some(Color::Red));
        assert_eq!(line.doubts, [""; 0]);
        let action = |text: &str| write_action(text.parse().expect("an action"));
        assert_eq!(action("b4-b4"), "FLIP D2");
        assert_eq!(action("a1-b1"), "MOVE A1 A2");
        for action in Action::all() {
            assert_eq!(read_action(&write_action(action)), Some(action));
        }
        for bad in [
            "",
            "FLIP",
            "FLIP I1",
            "FLIP A5",
            "FLIP A0",
            "FLIP A1 A2",
            "MOVE A1",
            "GO A1 A2",
        ] {
            assert_eq!(read_action(bad), None, "{bad}");
        }
        assert!(recognises(START) && !recognises("12 genmove red") && !recognises("uci"));
        assert!(!recognises("50 position K3/4/4/4/4/4/4/3g r - 0 0"));
        assert!(recognises(
            "???? ????/????????/????????/???????? r 1000 2000"
        ));
        for bad in ["", "this is no line", "12 genmove red"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn reports_of_positions_read_the_same() {
        for (text, expected) in [
            (
                "????/????/????/????/????/????/????/???? - KGGMMRRNNCCPPPPPkggmmrrnnccppppp 0 0",
                "????????/????????/????????/???????? r -9999 -9999",
            ),
            ("K2k/4/4/4/4/4/4/4 r - 0 0", "7k/8/8/7K r -9999 -9999"),
            ("?3/4/4/4/4/4/g3/3K b p 0 0", "1A5?/8/8/k7 b -9999 -9999"),
        ] {
            let position: Position = text.parse().expect("a position");
            let written = write_report(&position);
            assert_eq!(written, expected);
            let mut line = read(&written).expect("a line");
            assert_eq!(line.doubts, [""; 0]);
            assert_eq!(Follower::default().asked(&mut line), Asked::No);
            let again = line.diagram.position().expect("a position");
            assert_eq!(write_report(&again), written);
            assert_eq!(again.face_down(), position.face_down());
        }
    }

    #[test]
    fn clocks_have_decimals_and_only_two_markers_ask_for_nothing() {
        let board = "a???????/????????/????????/????????";
        let one = |rest: &str| asked(&[&format!("{board} {rest}")])[0];
        assert_eq!(one("b 5647.418022155762 6000"), ms([5_647, 6_000]));
        assert_eq!(one("b 5.6e3 -12.5"), ms([5_600, 0]));
        assert_eq!(one("b 5000 -9999"), ms([5_000, 0]));
        for report in [
            "-9999 -9999",
            "-9999.0 -9.999e3",
            "-9999",
            "x -9999",
            "-9999 nan",
        ] {
            assert_eq!(one(&format!("b {report}")), Asked::No, "{report}");
            assert_eq!(one(report), Asked::No, "{report}");
        }
        for unknown in ["b", "b nan inf", "b 1e300 1e300", "b soon 12x", ""] {
            assert_eq!(one(unknown), Asked::Unknown(None), "{unknown}");
        }
        // The clock of the side to move counts alone.
        assert_eq!(one("b soon 70"), ms([70, 70]));
        assert_eq!(one("b 70 soon"), Asked::Unknown(None));
        assert_eq!(one("b 70"), Asked::Unknown(None));
        assert_eq!(one("r 70"), ms([70, 70]));
        assert_eq!(one("b 70 80 90"), ms([70, 80]));
    }

    #[test]
    fn what_was_asked_before_decides_where_a_line_is_unclear() {
        let board = "ap??????/K???????/????????/????????";
        let told = asked(&[
            &format!("{board} b 5000 4000"),
            // Without a turn it is for the same side, without times too.
            &format!("{board} x 5000 3000"),
            &format!("{board} b nan nan"),
            // The other side's.
            &format!("{board} r nan nan"),
        ]);
        let left = Duration::from_millis(3_000);
        assert_eq!(
            told,
            [
                ms([5_000, 4_000]),
                ms([5_000, 3_000]),
                Asked::Unknown(Some(left)),
                Asked::No
            ]
        );
    }

    #[test]
    fn the_first_player_may_be_asked_as_either_colour() {
        // Its first flip shows black, so red is to move: the other side.
        let told = asked(&[
            START,
            "A???????/????????/????????/???????? r -9999 -9999",
            "Aa??????/????????/????????/???????? b nan nan",
        ]);
        assert_eq!(told[0], ms([1_000, 2_000]));
        assert_eq!(told[1], Asked::No);
        assert!(matches!(told[2], Asked::Unknown(_)));
    }

    #[test]
    fn history_and_bag_follow_from_line_to_line() {
        let mut follower = Follower::default();
        assert_eq!(follow(&mut follower, START), Position::start().to_string());
        // Red flips a guard on A1, black flips its king on A2, red flips a pawn on B1 …
        follow(&mut follower, "a???????/????????/????????/???????? b 1 1");
        follow(&mut follower, "a???????/K???????/????????/???????? r 1 1");
        let both = follow(&mut follower, "ap??????/K?P?????/????????/???????? r 1 1");
        assert!(
            both.ends_with(" r KGMMRRNNCCPPPPggmmrrnnccpppp 0 4"),
            "{both}"
        );
        // … and the king takes the guard, which only the past shows.
        follow(&mut follower, "ap??????/K?P?????/????????/???p???? b 1 1");
        let taken = follow(&mut follower, "Kp??????/1?P?????/????????/???p???? r 1 1");
        assert!(
            taken.ends_with(" r KGMMRRNNCCPPPggmmrrnnccpppp 0 6"),
            "{taken}"
        );
        let plies = follower.game.as_ref().map(|game| game.plies().len());
        assert_eq!(plies, Some(6));
        assert_eq!(follow(&mut follower, START), Position::start().to_string());
    }

    #[test]
    fn a_game_that_is_joined_late_has_a_bag_that_fits() {
        let mut follower = Follower::default();
        let text = follow(
            &mut follower,
            "a?????../8/K7/???????? r 1 1".replace("..", "2").as_str(),
        );
        let bag = text.split(' ').nth(2).expect("a bag");
        assert_eq!(bag.len(), 13);
        let impossible = read("kk6/8/8/8 r 1 1").expect("a line");
        let mut late = Follower::default();
        assert!(late.follow(&impossible, Rules::COURSE).is_err());
    }

    #[test]
    fn where_a_game_cannot_be_followed_the_best_board_gives_the_action() {
        let mut follower = Follower::default();
        follow(&mut follower, "ap??????/8/8/8 r 1 1");
        let safest = |follower: &Follower, text: &str| {
            let line = read(text).expect("a line");
            let action = follower.diagram(&line).safest();
            action.map(write_action)
        };
        // The line's own board, although it has three kings.
        let own = safest(&follower, "kkkA4/8/8/8 r 1 1");
        assert_eq!(own.as_deref(), Some("MOVE C1 D1"));
        // A possible board without any action: the game is lost.
        assert_eq!(safest(&follower, "8/8/8/7A r 1 1"), None);
        // The last known board, for the line has lost a square.
        let known = safest(&follower, "ap?????/8/8/8 r 1 1");
        assert_eq!(known.as_deref(), Some("FLIP C1"));
        // A guess, for there is no other board.
        let guess = safest(&Follower::default(), "ap?????/8/8/8 r 1 1");
        assert_eq!(guess.as_deref(), Some("FLIP C1"));
    }
}
