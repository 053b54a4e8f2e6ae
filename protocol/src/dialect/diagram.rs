//! A board as a line draws it, possible or not.
//!
//! A server that asks for an action counts silence as a loss, even if its line shows three
//! kings or a letter of no piece. A [`Diagram`] has no counts and no bag, so it can hold any
//! such line; its actions are legal by the geometry of the squares that can be read.

use anqi_rules::{Action, Color, Content, HiddenBag, Piece, Position, Setup, Square, SquareSet};

/// What a line says about a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cell {
    /// Empty, face down or a piece.
    Known(Content),
    /// A piece that this game does not have: it stands in the way.
    Strange,
    /// Nothing that can be read: neither occupied nor empty for certain.
    Unreadable,
}

/// A board as a line draws it, and the side to move if that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    cells: [Cell; 32],
    turn: Option<Color>,
}

impl Diagram {
    /// Returns the diagram of these squares.
    pub(super) fn new(cells: [Cell; 32], turn: Option<Color>) -> Diagram {
        Diagram { cells, turn }
    }

    /// Returns the diagram of a position.
    pub fn of(position: &Position) -> Diagram {
        let mut cells = [Cell::Unreadable; 32];
        for square in Square::all() {
            cells[square.index()] = Cell::Known(position.content(square));
        }
        Diagram::new(cells, position.turn())
    }

    /// Returns the side to move, if it is known.
    pub fn turn(&self) -> Option<Color> {
        self.turn
    }

    /// Returns the same board with this side to move.
    pub(super) fn with_turn(&self, turn: Option<Color>) -> Diagram {
        Diagram::new(self.cells, turn)
    }

    /// Returns the contents of all squares, `None` if one cannot be read.
    pub(super) fn contents(&self) -> Option<[Content; 32]> {
        let mut contents = [Content::Empty; 32];
        for (content, cell) in contents.iter_mut().zip(self.cells) {
            let Cell::Known(known) = cell else {
                return None;
            };
            *content = known;
        }
        Some(contents)
    }

    /// Returns the position with this board, if it is possible.
    ///
    /// The diagram does not say what was captured: the bag is filled as evenly as the counts
    /// allow.
    ///
    /// # Errors
    ///
    /// Returns an error if a square cannot be read or the board is impossible.
    pub fn position(&self) -> Result<Position, String> {
        let unreadable = || "a square of the board cannot be read".to_owned();
        let board = self.contents().ok_or_else(unreadable)?;
        if board == [Content::FaceDown; 32] {
            return Ok(Position::start());
        }
        let face_down = board.iter().filter(|c| **c == Content::FaceDown).count();
        let mut setup = Setup {
            board,
            turn: self.turn,
            ..Setup::default()
        };
        for (piece, count) in likely_bag(&board, face_down as u32) {
            setup.hidden[piece.index()] = count;
        }
        setup.position().map_err(|error| error.to_string())
    }

    /// Returns every action that is legal by geometry, in text order; if the side to move is
    /// unknown, those of both sides.
    pub fn actions(&self) -> Vec<Action> {
        Square::all().flat_map(|from| self.from(from)).collect()
    }

    /// Returns the action to play without a search: the capture of the strongest piece, or else
    /// a flip, or else any other; `None` if there is none.
    pub fn safest(&self) -> Option<Action> {
        let worth = |action: &Action| match self.cells[action.to().index()] {
            _ if action.is_flip() => 1,
            Cell::Known(Content::FaceUp(prey)) => 1 + prey.role().rank(),
            _ => 0,
        };
        // Whoever is to move, a flip is legal.
        let flips_first = |action: &Action| self.turn.is_none() && action.is_flip();
        let actions = self.actions();
        let best = actions.iter().rev();
        best.max_by_key(|action| (flips_first(action), worth(action)))
            .copied()
    }

    /// Plays an action without asking whether it is legal; nobody knows what a flip reveals.
    pub(super) fn force(&mut self, action: Action) {
        let (from, to) = (action.from().index(), action.to().index());
        if action.is_flip() {
            self.cells[from] = Cell::Strange;
        } else {
            self.cells[to] = self.cells[from];
            self.cells[from] = Cell::Known(Content::Empty);
        }
        self.turn = self.turn.map(|turn| !turn);
    }

    /// The actions from a square.
    fn from(&self, from: Square) -> Vec<Action> {
        let piece = match self.cells[from.index()] {
            Cell::Known(Content::FaceDown) => return vec![Action::flip(from)],
            Cell::Known(Content::FaceUp(piece)) => piece,
            _ => return Vec::new(),
        };
        if self.turn.is_some_and(|turn| turn != piece.color()) {
            return Vec::new();
        }
        let reach = from.neighbours()
            | if piece.role().jumps() {
                from.lines()
            } else {
                SquareSet::EMPTY
            };
        let goes = |to: &Square| self.goes(piece, from, *to);
        let steps = reach.into_iter().filter(goes);
        steps.map(|to| Action::step(from, to)).collect()
    }

    /// Whether a piece may go from one square to another of its neighbours or lines.
    fn goes(&self, piece: Piece, from: Square, to: Square) -> bool {
        match self.cells[to.index()] {
            Cell::Known(Content::Empty) => from.distance(to) == 1,
            Cell::Known(Content::FaceUp(prey)) if prey.color() == piece.color() => false,
            Cell::Known(Content::FaceUp(_)) if piece.role().jumps() => {
                self.screens(from, to) == Some(1)
            }
            Cell::Known(Content::FaceUp(prey)) => piece.role().captures(prey.role()),
            _ => false,
        }
    }

    /// The number of pieces between two squares of a line, `None` if it is uncertain.
    fn screens(&self, from: Square, to: Square) -> Option<usize> {
        let mut screens = 0;
        for square in from.between(to) {
            match self.cells[square.index()] {
                Cell::Unreadable => return None,
                Cell::Known(Content::Empty) => {}
                _ => screens += 1,
            }
        }
        Some(screens)
    }
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
    use anqi_rules::random::{below, split_mix};
    use anqi_rules::{Game, Ply, Rules};

    fn cells(text: &str) -> [Cell; 32] {
        let mut cells = [Cell::Known(Content::Empty); 32];
        for word in text.split(' ') {
            let (square, sign) = word.split_at(2);
            let square: Square = square.parse().expect("a square");
            cells[square.index()] = match sign {
                "?" => Cell::Known(Content::FaceDown),
                "*" => Cell::Strange,
                "!" => Cell::Unreadable,
                _ => {
                    let letter = sign.chars().next().and_then(Piece::from_letter);
                    Cell::Known(Content::FaceUp(letter.expect("a piece")))
                }
            };
        }
        cells
    }

    fn actions(text: &str, turn: Option<Color>) -> String {
        let actions = Diagram::new(cells(text), turn).actions();
        let words: Vec<String> = actions.iter().map(Action::to_string).collect();
        words.join(" ")
    }

    /// Plays random games; returns the positions in which somebody has an action.
    fn positions(seed: u64) -> Vec<Position> {
        let mut state = seed;
        let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
        let mut positions = Vec::new();
        loop {
            let actions = game.actions();
            if actions.is_empty() || positions.len() > 300 {
                return positions;
            }
            positions.push(*game.position());
            let action = actions[below(actions.len() as u64, || split_mix(&mut state)) as usize];
            let reveals: Vec<_> = game.position().reveals().collect();
            let ply = if action.is_flip() {
                let drawn = below(reveals.len() as u64, || split_mix(&mut state)) as usize;
                Ply::flip(action.from(), reveals[drawn].piece)
            } else {
                Ply::from(action)
            };
            game.play(ply).expect("a legal ply");
        }
    }

    #[test]
    fn the_actions_of_a_possible_board_are_the_positions() {
        let mut jumps = 0;
        for seed in 0..20 {
            for position in positions(seed) {
                let expected = position.actions().to_vec();
                jumps += expected
                    .iter()
                    .filter(|a| a.from().distance(a.to()) > 1)
                    .count();
                let diagram = Diagram::of(&position);
                assert_eq!(diagram.actions(), expected, "{position}");
                let safest = diagram.safest().expect("an action");
                assert!(expected.contains(&safest), "{position}");
            }
        }
        assert!(jumps > 20, "{jumps} captures by cannons");
    }

    #[test]
    fn a_board_that_can_be_read_is_a_position_again() {
        for position in positions(7) {
            let repaired = Diagram::of(&position).position().expect("a position");
            assert_eq!(repaired.turn(), position.turn());
            for square in Square::all() {
                assert_eq!(repaired.content(square), position.content(square));
            }
        }
    }

    #[test]
    fn impossible_boards_have_actions() {
        // Three red kings, and a side without any piece.
        let kings = "a1K a2K a3K b1g";
        assert_eq!(actions(kings, Some(Color::Red)), "a1-b1 a2-b2 a3-a4 a3-b3");
        assert!(Diagram::new(cells(kings), None).position().is_err());
        assert_eq!(actions("c4K d8?", Some(Color::Black)), "d8-d8");
        assert_eq!(actions("c4K", Some(Color::Black)), "");
    }

    #[test]
    fn strange_pieces_stand_in_the_way_and_unreadable_squares_prove_nothing() {
        let red = Some(Color::Red);
        // A jump over a strange piece; none over a square that may be empty.
        assert_eq!(actions("a1C a2* a3k b1*", red), "a1-a3");
        assert_eq!(actions("a1C a2! a3k b1*", red), "");
        assert_eq!(actions("a1C a2* a3! a4k b1!", red), "");
        assert_eq!(actions("a1* a2!", red), "");
    }

    #[test]
    fn without_a_side_to_move_flips_come_first() {
        let board = cells("a1K a2g d8?");
        let safest = |turn| Diagram::new(board, turn).safest().map(|a| a.to_string());
        assert_eq!(safest(None).as_deref(), Some("d8-d8"));
        assert_eq!(safest(Some(Color::Red)).as_deref(), Some("a1-a2"));
        assert_eq!(safest(Some(Color::Black)).as_deref(), Some("d8-d8"));
    }

    #[test]
    fn forced_plies_move_pieces_and_change_sides() {
        let mut diagram = Diagram::new(cells("a1K a2g d8?"), Some(Color::Red));
        diagram.force(Action::step(
            "a1".parse().expect("a square"),
            "a2".parse().expect("a square"),
        ));
        assert_eq!(diagram.turn(), Some(Color::Black));
        diagram.force(Action::flip("d8".parse().expect("a square")));
        let words: Vec<String> = diagram.actions().iter().map(Action::to_string).collect();
        assert_eq!(words, ["a2-a1", "a2-a3", "a2-b2"]);
    }
}
