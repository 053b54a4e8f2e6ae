//! One labelled position, and its record of 36 bytes.
//!
//! | bytes | holds |
//! |---|---|
//! | 0–15 | the 32 squares in index order, the lower four bits first: the kind of a face-up piece (0–13 in the order `KGMRNCPkgmrncp`), 14 face down, 15 empty |
//! | 16–22 | how many of each kind are face down, four bits each, in the same order, the lower four bits first |
//! | 23 | bits 0–1 the side to move (0 unknown, 1 red, 2 black), bits 2–3 the best action (0 a step, 1 a capture, 2 a flip), the others zero |
//! | 24–25 | plies since the last capture or flip |
//! | 26–27 | plies played |
//! | 28–29 | the search's value for the side to move, −10,000 to 10,000, as a signed number; the two ends are proven |
//! | 30 | the result of the game for the side to move, −1, 0 or 1, as a signed number |
//! | 31 | the search depth in plies |
//! | 32–35 | the number of the game |
//!
//! Numbers of several bytes are little-endian. Records are checked like any other
//! position from outside.

use anqi_rules::SetupError;
use anqi_rules::{Action, Color, Content, PIECES, Piece, Position, Setup, Square};
use anqi_search::Score;
use anqi_search::score::{ESTIMATE_BOUND, UNPROVEN_BOUND};

/// Bytes of a record.
pub const RECORD_BYTES: usize = 36;

/// The four bits of a face-down square.
const FACE_DOWN: u8 = 14;
/// The four bits of an empty square.
const EMPTY: u8 = 15;

/// Where the parts of a record begin.
mod at {
    pub const HIDDEN: usize = 16;
    pub const FLAGS: usize = 23;
    pub const QUIET: usize = 24;
    pub const PLY: usize = 26;
    pub const VALUE: usize = 28;
    pub const RESULT: usize = 30;
    pub const DEPTH: usize = 31;
    pub const GAME: usize = 32;
}

/// A position, its search value, and the result of its game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// The position.
    pub position: Position,
    /// The value of the search for the side to move, in ±10,000; the two ends are proven.
    pub value: i16,
    /// How the game ended for the side to move.
    pub result: GameResult,
    /// The kind of action that the search chose.
    pub best: BestAction,
    /// The search depth in plies.
    pub depth: u8,
    /// The number of the game.
    pub game: u32,
}

/// How a game ended for one side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GameResult {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

/// The kind of the best action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BestAction {
    /// A step to an empty square.
    Step,
    /// A capture.
    Capture,
    /// A flip.
    Flip,
}

/// Why bytes are not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExampleError {
    /// The position breaks the rules.
    #[error(transparent)]
    Position(#[from] SetupError),
    /// A byte has an undefined value.
    #[error("{what} is {found}, which means nothing (expected {expected})")]
    Meaningless {
        /// The meaning of the byte.
        what: &'static str,
        /// What it holds.
        found: i32,
        /// What it may hold.
        expected: &'static str,
    },
}

impl GameResult {
    /// Returns how a game with this winner ended for a side.
    pub fn new(winner: Option<Color>, side: Color) -> GameResult {
        match winner {
            None => GameResult::Draw,
            Some(winner) if winner == side => GameResult::Win,
            Some(_) => GameResult::Loss,
        }
    }

    /// Returns −1, 0 or 1.
    pub fn sign(self) -> i8 {
        self as i8 - 1
    }

    fn from_sign(sign: i8) -> Result<GameResult, ExampleError> {
        match sign {
            -1 => Ok(GameResult::Loss),
            0 => Ok(GameResult::Draw),
            1 => Ok(GameResult::Win),
            other => Err(meaningless("the result", other, "-1, 0 or 1")),
        }
    }
}

impl BestAction {
    /// Returns the kind of an action in this position.
    pub fn new(position: &Position, action: Action) -> BestAction {
        if action.is_flip() {
            BestAction::Flip
        } else if position.piece_at(action.to()).is_some() {
            BestAction::Capture
        } else {
            BestAction::Step
        }
    }
}

/// Returns the value of a score as a record keeps it.
pub fn value_of(score: Score) -> i16 {
    // An expected result is within ±1, so this is within ±10,000.
    (score.expected_result() * f64::from(UNPROVEN_BOUND)).round() as i16
}

impl Example {
    /// Returns the value as the expected result for the side to move, relative to the greatest
    /// estimate; larger values count as certain.
    pub fn searched(&self) -> f64 {
        (f64::from(self.value) / f64::from(ESTIMATE_BOUND)).clamp(-1.0, 1.0)
    }

    /// Returns whether the value is a proven win or loss.
    pub fn is_proven(&self) -> bool {
        i32::from(self.value).abs() == UNPROVEN_BOUND
    }

    /// Returns the record of this example; counters saturate at 65,535 plies.
    pub fn pack(&self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        for square in Square::all() {
            let code = match self.position.content(square) {
                Content::FaceUp(piece) => piece.index() as u8,
                Content::FaceDown => FACE_DOWN,
                Content::Empty => EMPTY,
            };
            set_nibble(&mut bytes, square.index(), code);
        }
        for (piece, count) in self.position.hidden() {
            set_nibble(&mut bytes[at::HIDDEN..], piece.index(), count as u8);
        }
        let turn = self
            .position
            .turn()
            .map_or(0, |turn| turn.index() as u8 + 1);
        bytes[at::FLAGS] = turn | (self.best as u8) << 2;
        put(
            &mut bytes,
            at::QUIET,
            saturated(self.position.quiet_counter()).to_le_bytes(),
        );
        put(
            &mut bytes,
            at::PLY,
            saturated(self.position.ply()).to_le_bytes(),
        );
        put(&mut bytes, at::VALUE, self.value.to_le_bytes());
        put(&mut bytes, at::RESULT, self.result.sign().to_le_bytes());
        bytes[at::DEPTH] = self.depth;
        put(&mut bytes, at::GAME, self.game.to_le_bytes());
        bytes
    }

    /// Reads a record.
    ///
    /// # Errors
    ///
    /// Returns an error if a part of it is invalid.
    pub fn unpack(bytes: &[u8; RECORD_BYTES]) -> Result<Example, ExampleError> {
        let flags = bytes[at::FLAGS];
        let value = i16::from_le_bytes(get(bytes, at::VALUE));
        if i32::from(value).abs() > UNPROVEN_BOUND {
            return Err(meaningless("the value", value, "-10000 to 10000"));
        }
        Ok(Example {
            position: unpack_position(bytes, flags & 3)?,
            value,
            result: GameResult::from_sign(i8::from_le_bytes(get(bytes, at::RESULT)))?,
            best: match flags >> 2 {
                0 => BestAction::Step,
                1 => BestAction::Capture,
                2 => BestAction::Flip,
                other => return Err(meaningless("the best action", other, "0, 1 or 2")),
            },
            depth: bytes[at::DEPTH],
            game: u32::from_le_bytes(get(bytes, at::GAME)),
        })
    }
}

fn unpack_position(bytes: &[u8; RECORD_BYTES], turn: u8) -> Result<Position, ExampleError> {
    let mut setup = Setup {
        turn: match turn {
            0 => None,
            1 => Some(Color::Red),
            2 => Some(Color::Black),
            other => return Err(meaningless("the side to move", other, "0, 1 or 2")),
        },
        quiet: u16::from_le_bytes(get(bytes, at::QUIET)).into(),
        ply: u16::from_le_bytes(get(bytes, at::PLY)).into(),
        ..Setup::default()
    };
    for (index, content) in setup.board.iter_mut().enumerate() {
        let code = nibble(bytes, index);
        *content = match Piece::from_index(code.into()) {
            Some(piece) => Content::FaceUp(piece),
            None if code == FACE_DOWN => Content::FaceDown,
            None => Content::Empty,
        };
    }
    for (index, count) in setup.hidden.iter_mut().enumerate().take(PIECES) {
        *count = nibble(&bytes[at::HIDDEN..], index).into();
    }
    Ok(setup.position()?)
}

fn meaningless(what: &'static str, found: impl Into<i32>, expected: &'static str) -> ExampleError {
    ExampleError::Meaningless {
        what,
        found: found.into(),
        expected,
    }
}

fn saturated(count: u32) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

fn nibble(bytes: &[u8], index: usize) -> u8 {
    bytes[index / 2] >> (4 * (index % 2)) & 15
}

/// Sets four bits that are still zero.
fn set_nibble(bytes: &mut [u8], index: usize, value: u8) {
    bytes[index / 2] |= value << (4 * (index % 2));
}

fn put<const N: usize>(bytes: &mut [u8], start: usize, part: [u8; N]) {
    bytes[start..start + N].copy_from_slice(&part);
}

fn get<const N: usize>(bytes: &[u8; RECORD_BYTES], start: usize) -> [u8; N] {
    std::array::from_fn(|index| bytes[start + index])
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_match::deal::{Deal, DealKind};
    use anqi_rules::Ply;
    use anqi_rules::random::below;
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::{Rng, SeedableRng};

    /// Visits every position of random games, with random labels.
    fn for_each_random_example(games: u64, mut visit: impl FnMut(&Example)) {
        for game in 0..games {
            let deal = Deal::new(DealKind::Sequence, 1, game);
            let mut lots = Pcg64::seed_from_u64(game);
            let mut position = Position::start();
            let mut flips = 0;
            while position.has_action() && position.ply() < 300 {
                let actions = position.actions();
                let action = actions[below(actions.len() as u64, || lots.next_u64()) as usize];
                let drawn = lots.next_u64();
                visit(&Example {
                    position,
                    value: (drawn % 20_001) as i16 - 10_000,
                    result: GameResult::from_sign((drawn >> 20) as i8 % 2).expect("a sign"),
                    best: BestAction::new(&position, action),
                    depth: (drawn >> 32) as u8,
                    game: (drawn >> 8) as u32,
                });
                let reveal = action.is_flip().then(|| deal.reveal(action.from(), flips));
                flips += usize::from(action.is_flip());
                let _undo = position.play_unchecked(Ply { action, reveal });
            }
        }
    }

    #[test]
    fn records_give_back_what_they_were_made_of() {
        let mut seen = 0;
        for_each_random_example(60, |example| {
            assert_eq!(Example::unpack(&example.pack()).as_ref(), Ok(example));
            seen += 1;
        });
        assert!(seen > 5_000, "{seen} positions");
    }

    #[test]
    fn damaged_records_are_refused_or_are_other_examples() {
        let mut refused = 0;
        for_each_random_example(3, |example| {
            let whole = example.pack();
            for byte in 0..RECORD_BYTES {
                let mut damaged = whole;
                damaged[byte] ^= 0xff;
                match Example::unpack(&damaged) {
                    Ok(other) => assert_ne!(&other, example, "byte {byte}"),
                    Err(_) => refused += 1,
                }
            }
        });
        assert!(refused > 1_000, "{refused} refused");
    }

    #[test]
    fn faults_are_named() {
        let position = Position::start();
        let mut bytes = Example {
            position,
            value: 0,
            result: GameResult::Draw,
            best: BestAction::Flip,
            depth: 3,
            game: 1,
        }
        .pack();
        bytes[at::RESULT] = 7;
        let error = Example::unpack(&bytes).expect_err("no such result");
        assert_eq!(
            error.to_string(),
            "the result is 7, which means nothing (expected -1, 0 or 1)"
        );
        bytes[at::RESULT] = 0;
        bytes[0] = 0;
        let error = Example::unpack(&bytes).expect_err("two red kings");
        assert!(error.to_string().contains("K"), "{error}");
    }
}
