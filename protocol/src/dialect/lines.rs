//! One line per position: the protocol of a course's server of 2025.
//!
//! `<rank 1>/<rank 2>/<rank 3>/<rank 4> <r|b> <red ms> <black ms>`: black in
//! upper case, red in lower case, `KAERNCP`, `?` face down, files A to H. The
//! answer is `FLIP D2` or `MOVE A1 A2`; a line whose times are both -9999 only
//! reports what was played and is not answered. The lines contain neither the
//! history nor the captured pieces: [`Follower`] infers both from one line to
//! the next.

use super::{piece_among, read_ranks};
use anqi_rules::notation::excerpt;
use anqi_rules::{
    Action, Color, Content, Game, HiddenBag, Piece, Ply, Position, Rules, Setup, Square,
};
use std::time::Duration;

const LETTERS: &str = "KAERNCP";
/// The times of a line that must not be answered.
const NOT_ASKED: &str = "-9999";

/// A parsed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    board: [Content; 32],
    /// The side to move.
    pub turn: Color,
    /// The times left of red and black; `None` if no answer is expected.
    pub left: Option<[Duration; 2]>,
}

/// Returns whether a first line is in this dialect: four ranks and three words.
pub fn recognises(line: &str) -> bool {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    words.len() == 4 && words[0].matches('/').count() == 3
}

/// Reads one line.
///
/// # Errors
///
/// Returns an error if the line is invalid.
pub fn read(text: &str) -> Result<Line, String> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let [ranks, turn, red, black] = words[..] else {
        let count = words.len();
        return Err(format!(
            "{count} words (expected ranks, turn and two times)"
        ));
    };
    let turn = match turn {
        "r" => Color::Red,
        "b" => Color::Black,
        _ => {
            return Err(format!(
                "'{}' is not a turn (expected r or b)",
                excerpt(turn)
            ));
        }
    };
    let left = match (red, black) {
        (NOT_ASKED, NOT_ASKED) => None,
        _ => Some([time(red)?, time(black)?]),
    };
    Ok(Line {
        board: read_ranks(ranks, |place| place, content)?,
        turn,
        left,
    })
}

fn time(text: &str) -> Result<Duration, String> {
    match text.parse::<i64>() {
        Ok(time) => Ok(Duration::from_millis(time.max(0) as u64)),
        Err(_) => Err(format!("'{}' is not a time in ms", excerpt(text))),
    }
}

fn content(sign: char) -> Option<Content> {
    match sign {
        '?' => Some(Content::FaceDown),
        _ => piece_among(LETTERS, Color::Black, sign).map(Content::FaceUp),
    }
}

/// Writes `FLIP D2` or `MOVE A1 A2`, without a newline.
pub fn write_action(action: Action) -> String {
    let square = |square: Square| {
        let file = (b'A' + square.row() as u8) as char;
        format!("{file}{}", square.column() + 1)
    };
    match action.is_flip() {
        true => format!("FLIP {}", square(action.from())),
        false => format!("MOVE {} {}", square(action.from()), square(action.to())),
    }
}

/// Follows a game from line to line.
///
/// ```
/// use anqi_protocol::dialect::lines::{self, Follower};
///
/// let mut follower = Follower::default();
/// follower.follow(&lines::read("????????/????????/????????/???????? r 9000 9000")?)?;
/// let line = lines::read("a???????/????????/????????/???????? b 8500 9000")?;
/// let game = follower.follow(&line)?;
/// assert_eq!(game.plies().last().map(ToString::to_string).as_deref(), Some("a1(G)"));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Follower {
    game: Option<Game>,
}

impl Follower {
    /// Returns the game after a line: one or two plies further, or a new one.
    ///
    /// A line that no plies lead to (the game was joined late) begins a new
    /// game. Earlier captures are unknown then; the bag is filled as evenly as
    /// the counts allow.
    ///
    /// # Errors
    ///
    /// Returns an error if the board is impossible.
    pub fn follow(&mut self, line: &Line) -> Result<&Game, String> {
        let followed = self.game.take().and_then(|game| continued(game, line));
        let game = match followed {
            Some(game) => game,
            None => Game::new(joined(line)?, Rules::default()),
        };
        Ok(self.game.insert(game))
    }
}

/// Plays the ply or the two plies that lead from a game to a board.
fn continued(mut game: Game, line: &Line) -> Option<Game> {
    if shows(game.position(), line) {
        return Some(game);
    }
    for first in plies_towards(game.position(), line) {
        game.play(first).ok()?;
        if shows(game.position(), line) {
            return Some(game);
        }
        for second in plies_towards(game.position(), line) {
            game.play(second).ok()?;
            if shows(game.position(), line) {
                return Some(game);
            }
            game.undo();
        }
        game.undo();
    }
    None
}

/// Returns the plies from a square that differs from the line's, as they may lead to its board.
fn plies_towards(position: &Position, line: &Line) -> Vec<Ply> {
    let changed = |square: Square| position.content(square) != line.board[square.index()];
    let mut plies = Vec::new();
    for action in position.actions() {
        if !changed(action.from()) {
            continue;
        }
        if !action.is_flip() {
            plies.push(Ply::from(action));
        } else if let Content::FaceUp(piece) = line.board[action.from().index()] {
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

fn shows(position: &Position, line: &Line) -> bool {
    let turn = position.turn().is_none_or(|turn| turn == line.turn);
    turn && Square::all().all(|square| position.content(square) == line.board[square.index()])
}

/// Makes a position from a board with an unknown past.
fn joined(line: &Line) -> Result<Position, String> {
    if line.board == [Content::FaceDown; 32] {
        return Ok(Position::start());
    }
    let face_down = line
        .board
        .iter()
        .filter(|c| **c == Content::FaceDown)
        .count() as u32;
    let mut setup = Setup {
        board: line.board,
        turn: Some(line.turn),
        ..Setup::default()
    };
    for (piece, count) in likely_bag(&line.board, face_down) {
        setup.hidden[piece.index()] = count;
    }
    setup.position().map_err(|error| error.to_string())
}

/// Removes face-up pieces from the bag, then others, the most frequent first,
/// until it fits the face-down squares.
fn likely_bag(board: &[Content; 32], face_down: u32) -> HiddenBag {
    let mut bag = HiddenBag::full();
    for content in board {
        if let Content::FaceUp(piece) = content
            && bag.count(*piece) > 0
        {
            bag.remove(*piece);
        }
    }
    while bag.total() > face_down {
        let most = Piece::all().max_by_key(|&piece| bag.count(piece));
        bag.remove(most.expect("there are fourteen kinds"));
    }
    bag
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "????????/????????/????????/???????? r 1000 2000";

    fn follow(follower: &mut Follower, text: &str) -> String {
        let line = read(text).expect("a line");
        follower
            .follow(&line)
            .expect("a game")
            .position()
            .to_string()
    }

    #[test]
    fn lines_are_read_and_actions_written() {
        let line = read(START).expect("a line");
        let times = [1, 2].map(Duration::from_secs);
        assert_eq!((line.turn, line.left), (Color::Red, Some(times)));
        assert_eq!(
            read(&START.replace("1000 2000", "-9999 -9999"))
                .expect("a line")
                .left,
            None
        );
        let action = |text: &str| write_action(text.parse().expect("an action"));
        assert_eq!(action("b4-b4"), "FLIP D2");
        assert_eq!(action("a1-b1"), "MOVE A1 A2");
        assert!(recognises(START) && !recognises("12 genmove red") && !recognises("uci"));
        for bad in [
            "",
            "8/8/8 r 1 1",
            "8/8/8/8 x 1 1",
            "8/8/8/8 r soon 1",
            "8/8/8/7Q r 1 1",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
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
        assert!(Follower::default().follow(&impossible).is_err());
    }
}
