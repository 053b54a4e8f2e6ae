//! A second, slow rule book of Chinese dark chess, written from the rules of the game alone.
//!
//! Its only purpose is to be obviously correct: a board is eight rows of four letters, the bag is a list of
//! letters, a cannon's shot walks square by square, and a repetition is found by looking through the whole
//! history. It does not depend on the fast rule book, so a misunderstanding would have to happen twice to go
//! unnoticed. Its interface is text: squares, actions and positions go in and out as records write them, so
//! that the two books can be compared line by line.
//!
//! Plies are written `b4-b2` (a move or a capture) and `b2(G)` (a flip that revealed a red guard);
//! the request for a flip, before anyone knows what it reveals, is `b2-b2`.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod board;
mod chase;
mod course;
mod rules;

pub use rules::{Manner, NaiveRules, Outcome, PRESETS, Repetition, preset};

use board::{STEPS, color, name, neighbour, opponent, place, shows, steps_onto};
use std::fmt;

/// The letters of all pieces in the order in which position strings list the bag.
pub const LETTERS: &str = "KGMRNCPkgmrncp";

/// The bag before the first flip.
pub const FULL_BAG: &str = "KGGMMRRNNCCPPPPPkggmmrrnnccppppp";

/// A face-down piece on the board.
const FACE_DOWN: char = '?';

/// A square without a piece.
const EMPTY: char = '.';

/// A played ply, with what repetition needs.
#[derive(Clone, Debug)]
struct Past {
    ply: String,
    quiet: bool,
    board_after: String,
}

/// A game as far as it has been played: the position and its whole history.
#[derive(Clone, Debug)]
pub struct Naive {
    /// Rows 1 to 8, each with the squares a to d.
    board: [[char; 4]; 8],
    bag: Vec<char>,
    turn: char,
    quiet: usize,
    plies: usize,
    /// The board and side to move before the first ply of `history`.
    origin: String,
    history: Vec<Past>,
    /// Whether the game follows the rules of a course.
    course: bool,
}

impl Naive {
    /// Returns the start of a game.
    pub fn start() -> Naive {
        Naive::parse(&format!(
            "????/????/????/????/????/????/????/???? - {FULL_BAG} 0 0"
        ))
        .expect("the start is a position string")
    }

    /// Reads a position string. It must be well-formed; whether such a position can exist is not checked.
    pub fn parse(text: &str) -> Option<Naive> {
        let fields: Vec<&str> = text.split(' ').collect();
        let &[rows, turn, bag, quiet, plies] = fields.as_slice() else {
            return None;
        };
        let mut board = [[EMPTY; 4]; 8];
        let rows: Vec<&str> = rows.split('/').collect();
        if rows.len() != 8 {
            return None;
        }
        for (from_top, row) in rows.iter().enumerate() {
            let mut squares = Vec::new();
            for letter in row.chars() {
                match letter {
                    '1'..='4' => squares.extend(vec![EMPTY; letter as usize - '0' as usize]),
                    FACE_DOWN => squares.push(FACE_DOWN),
                    _ if LETTERS.contains(letter) => squares.push(letter),
                    _ => return None,
                }
            }
            board[7 - from_top] = squares.try_into().ok()?;
        }
        let mut naive = Naive {
            board,
            bag: bag.chars().filter(|&letter| letter != '-').collect(),
            turn: turn.chars().next()?,
            quiet: quiet.parse().ok()?,
            plies: plies.parse().ok()?,
            origin: String::new(),
            history: Vec::new(),
            course: false,
        };
        naive.origin = naive.board_and_turn();
        Some(naive)
    }

    /// Returns board and side to move: what must recur for a repetition of the position.
    fn board_and_turn(&self) -> String {
        let mut text = String::new();
        for row in self.board.iter().rev() {
            let mut run = 0;
            for &square in row {
                if square == EMPTY {
                    run += 1;
                    continue;
                }
                if run > 0 {
                    text.push_str(&run.to_string());
                    run = 0;
                }
                text.push(square);
            }
            if run > 0 {
                text.push_str(&run.to_string());
            }
            text.push('/');
        }
        text.pop();
        text.push(' ');
        text.push(self.turn);
        text
    }

    /// Returns the letters of the face-down pieces, `-` for none.
    pub fn hidden(&self) -> String {
        let mut text = String::new();
        for letter in LETTERS.chars() {
            text.extend(self.bag.iter().filter(|&&other| other == letter));
        }
        if text.is_empty() {
            text.push('-');
        }
        text
    }

    /// Returns the side to move: `r`, `b`, or `-` before the first flip.
    pub fn turn(&self) -> char {
        self.turn
    }

    /// Returns the same game with that side to move.
    pub fn with_turn(&self, turn: char) -> Naive {
        Naive {
            turn,
            ..self.clone()
        }
    }

    /// Returns what stands on a named square: a letter, `?` or `.`.
    ///
    /// # Panics
    ///
    /// Panics when there is no such square.
    pub fn at(&self, square: &str) -> char {
        let (column, row) = place(square).expect("the caller names a square");
        self.board[row][column]
    }

    /// Returns the plies since the last capture or flip; of a course the moves since the last capture.
    pub fn quiet(&self) -> usize {
        self.quiet
    }

    /// Returns the number of plies played.
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// Returns the plies played since this game was set up.
    pub fn record(&self) -> Vec<&str> {
        self.history.iter().map(|past| past.ply.as_str()).collect()
    }

    /// Returns every action of the side to move in the order of the names, flips as `b2-b2`.
    ///
    /// Draws are ignored, but once a side has lost all its pieces (of a course: once a side cannot act) there are no
    /// actions.
    pub fn legal(&self) -> Vec<String> {
        let over = if self.course {
            self.without_action().is_some()
        } else {
            self.wiped_out().is_some()
        };
        if over { Vec::new() } else { self.actions() }
    }

    /// Returns what the pieces on the board can do, whether or not the game is over.
    pub fn actions(&self) -> Vec<String> {
        let mut actions = Vec::new();
        for column in 0..4 {
            for row in 0..8 {
                let piece = self.board[row][column];
                if piece == FACE_DOWN {
                    actions.push(format!("{0}-{0}", name(column, row)));
                } else if shows(piece, self.turn) {
                    self.steps(column, row, &mut actions);
                    if piece.eq_ignore_ascii_case(&'c') {
                        self.shots(column, row, &mut actions);
                    }
                }
            }
        }
        actions.sort();
        actions
    }

    /// Adds the moves and captures of one piece over one step.
    fn steps(&self, column: usize, row: usize, actions: &mut Vec<String>) {
        let piece = self.board[row][column];
        for step in STEPS {
            let Some((to_column, to_row)) = neighbour(column, row, step) else {
                continue;
            };
            let target = self.board[to_row][to_column];
            let captures = shows(target, opponent(self.turn)) && steps_onto(piece, target);
            if target == EMPTY || captures {
                actions.push(format!("{}-{}", name(column, row), name(to_column, to_row)));
            }
        }
    }

    /// Adds the captures of a cannon: over exactly one piece, of any kind, at any distance.
    fn shots(&self, column: usize, row: usize, actions: &mut Vec<String>) {
        for step in STEPS {
            let mut pieces_jumped = 0;
            let mut here = neighbour(column, row, step);
            while let Some((to_column, to_row)) = here {
                let target = self.board[to_row][to_column];
                if pieces_jumped == 1 && shows(target, opponent(self.turn)) {
                    actions.push(format!("{}-{}", name(column, row), name(to_column, to_row)));
                }
                if target != EMPTY {
                    pieces_jumped += 1;
                }
                here = neighbour(to_column, to_row, step);
            }
        }
    }

    /// Plays a ply as records write it.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the ply is not possible; the game is then unchanged.
    pub fn play(&mut self, ply: &str) -> Result<(), String> {
        if let Some((square, letter)) = ply.strip_suffix(')').and_then(|s| s.split_once('(')) {
            self.play_flip(square, letter)?;
        } else {
            self.play_move(ply)?;
        }
        self.plies += 1;
        let past = Past {
            ply: ply.to_string(),
            quiet: self.quiet > 0,
            board_after: self.board_and_turn(),
        };
        self.history.push(past);
        Ok(())
    }

    fn play_flip(&mut self, square: &str, letter: &str) -> Result<(), String> {
        let action = format!("{square}-{square}");
        if !self.legal().contains(&action) {
            return Err(format!("{square} cannot be flipped"));
        }
        let mut letters = letter.chars();
        let (Some(piece), None) = (letters.next(), letters.next()) else {
            return Err(format!("{letter} is not one letter"));
        };
        let Some(at) = self.bag.iter().position(|&other| other == piece) else {
            return Err(format!("no {piece} is face down"));
        };
        let (column, row) = place(square).expect("legal actions name squares");
        self.bag.remove(at);
        self.board[row][column] = piece;
        if self.turn == '-' {
            self.turn = color(piece);
        }
        self.turn = opponent(self.turn);
        if !self.course {
            self.quiet = 0;
        }
        Ok(())
    }

    fn play_move(&mut self, ply: &str) -> Result<(), String> {
        if !self.legal().iter().any(|action| action == ply) {
            return Err(format!("{ply} is not legal"));
        }
        let (from, to) = ply.split_once('-').expect("legal actions have two squares");
        if from == to {
            return Err(format!("{ply} does not say what it reveals"));
        }
        let (column, row) = place(from).expect("legal actions name squares");
        let (to_column, to_row) = place(to).expect("legal actions name squares");
        let captured = self.board[to_row][to_column] != EMPTY;
        self.board[to_row][to_column] = self.board[row][column];
        self.board[row][column] = EMPTY;
        self.turn = opponent(self.turn);
        self.quiet = if captured { 0 } else { self.quiet + 1 };
        Ok(())
    }

    /// Returns the winner if a side has neither a face-up nor a face-down piece.
    fn wiped_out(&self) -> Option<char> {
        let lives = |turn: char| {
            self.board.iter().flatten().any(|&piece| shows(piece, turn))
                || self.bag.iter().any(|&piece| shows(piece, turn))
        };
        match (lives('r'), lives('b')) {
            (true, true) => None,
            (true, false) => Some('r'),
            (false, _) => Some('b'),
        }
    }

    /// Returns how the game stands under the given rules.
    ///
    /// A side that cannot act has lost whatever the counters say, unless the rules put the draw first. Of two draws the
    /// limit is named. The platform's public records settle neither question: these cases occur in none of them.
    pub fn outcome(&self, rules: &NaiveRules) -> Outcome {
        if rules.course {
            self.outcome_of_course(rules)
        } else if let Some(winner) = self.wiped_out() {
            Outcome::WipedOut(winner)
        } else if rules.draws_first && self.quiet >= rules.quiet_limit {
            Outcome::Quiet
        } else if self.legal().is_empty() {
            Outcome::NoAction(opponent(self.turn))
        } else if self.quiet >= rules.quiet_limit {
            Outcome::Quiet
        } else if self.repeats(rules.repetition) {
            Outcome::Repetition
        } else {
            Outcome::Playing
        }
    }

    /// Returns whether the game repeats itself.
    pub fn repeats(&self, repetition: Repetition) -> bool {
        match repetition {
            Repetition::Never => false,
            Repetition::Position(times) => self.occurrences() >= times,
            Repetition::Sequence(times) => self.cycle(times).is_some(),
            Repetition::ChaseBan(times) => {
                self.occurrences() >= times && self.manner() == Manner::Ordinary
            }
        }
    }

    /// Returns how often the present position has occurred since the last capture or flip.
    pub fn occurrences(&self) -> usize {
        let now = self.board_and_turn();
        let mut seen = 1;
        for index in (0..self.history.len()).rev() {
            if !self.history[index].quiet {
                break;
            }
            let before = match index {
                0 => &self.origin,
                _ => &self.history[index - 1].board_after,
            };
            seen += usize::from(*before == now);
        }
        seen
    }

    /// Returns the length of the shortest sequence of quiet plies that has just been played `times` times in a row.
    pub fn cycle(&self, times: usize) -> Option<usize> {
        let quiet: Vec<&str> = self
            .history
            .iter()
            .rev()
            .take_while(|past| past.quiet)
            .map(|past| past.ply.as_str())
            .collect();
        (1..=quiet.len() / times).find(|&k| (0..k * (times - 1)).all(|i| quiet[i] == quiet[i + k]))
    }

    /// Returns the number of leaves of the game tree at a depth, each possible reveal counted once.
    ///
    /// Draw rules are ignored. This count and the fast one are written twice on purpose: a shared one would be wrong in
    /// both books at once.
    pub fn perft(&self, depth: usize) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.children()
            .iter()
            .map(|child| child.perft(depth - 1))
            .sum()
    }

    /// Returns the game after each ply that is possible now.
    fn children(&self) -> Vec<Naive> {
        let possible = self.possible_plies().into_iter();
        possible
            .map(|ply| {
                let mut child = self.clone();
                child.play(&ply).expect("a possible ply can be played");
                child
            })
            .collect()
    }

    /// Returns every ply that is possible now: each action, and for a flip each piece that it may reveal.
    pub fn possible_plies(&self) -> Vec<String> {
        let mut plies = Vec::new();
        for action in self.legal() {
            let (from, to) = action.split_once('-').expect("actions have two squares");
            if from != to {
                plies.push(action);
                continue;
            }
            for letter in LETTERS.chars().filter(|letter| self.bag.contains(letter)) {
                plies.push(format!("{from}({letter})"));
            }
        }
        plies
    }
}

impl fmt::Display for Naive {
    /// Writes the position string.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.board_and_turn();
        write!(f, "{board} {} {} {}", self.hidden(), self.quiet, self.plies)
    }
}
