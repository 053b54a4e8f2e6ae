//! The game on the board, or a set-up board whose side to move is not yet known.
//!
//! `init_board` does not say whose turn it is. The first `move` or `genmove`
//! after it does; earlier flips are kept and replayed then.

use anqi_protocol::BoardText;
use anqi_protocol::board::reading_order;
use anqi_rules::{COLUMNS, Color, Content, Game, Ply, Position, ROWS, Rules};

/// The state of the board.
#[derive(Clone)]
pub(super) enum Board {
    /// A game.
    Game(Box<Game>),
    /// A board whose side to move is not known yet.
    Unturned(Box<Unturned>),
}

/// A board that was set up, and the flips since.
#[derive(Clone)]
pub(super) struct Unturned {
    board: BoardText,
    flips: Vec<Ply>,
    rules: Rules,
}

impl Board {
    /// A new game.
    pub(super) fn start(rules: Rules) -> Board {
        Board::Game(Box::new(Game::new(Position::start(), rules)))
    }

    /// A board that was set up.
    pub(super) fn set_up(board: BoardText, rules: Rules) -> Result<Board, String> {
        // Whether a board is possible does not depend on who moves.
        board
            .position(Color::Red)
            .map_err(|error| error.to_string())?;
        if board.is_start() {
            return Ok(Board::start(rules));
        }
        Ok(Board::Unturned(Box::new(Unturned {
            board,
            flips: Vec::new(),
            rules,
        })))
    }

    /// A position, and plies from there.
    pub(super) fn position(start: Position, plies: &[Ply], rules: Rules) -> Result<Board, String> {
        let mut game = Game::new(start, rules);
        for (index, &ply) in plies.iter().enumerate() {
            game.play(ply)
                .map_err(|error| format!("ply {} of the moves, {ply}: {error}", index + 1))?;
        }
        Ok(Board::Game(Box::new(game)))
    }

    /// Returns the game, unless the side to move is unknown.
    pub(super) fn game(&self) -> Result<&Game, String> {
        match self {
            Board::Game(game) => Ok(game),
            Board::Unturned(_) => Err(
                "the side to move is not known yet (after init_board, genmove red, genmove black or a move tells it)"
                    .to_owned(),
            ),
        }
    }

    /// Returns the game in which `color` is to move, `None` before the first flip.
    pub(super) fn game_for(&self, color: Option<Color>) -> Result<Game, String> {
        let game = match (self, color) {
            (Board::Game(game), _) => game,
            (Board::Unturned(unturned), Some(color)) => return unturned.with_turn(color),
            (Board::Unturned(_), None) => {
                return Err(
                    "the first flip is over (expected genmove red or genmove black)".to_owned(),
                );
            }
        };
        match (game.position().turn(), color) {
            (Some(turn), Some(color)) if turn != color => {
                Err(format!("{turn} is to move, not {color}"))
            }
            (Some(turn), None) => Err(format!(
                "the first flip is over and {turn} is to move (expected genmove {turn})"
            )),
            _ => Ok(Game::clone(game)),
        }
    }

    /// Plays a ply.
    pub(super) fn play(&mut self, ply: Ply) -> Result<(), String> {
        match self {
            Board::Game(game) => game.play(ply).map_err(|error| error.to_string()),
            Board::Unturned(unturned) => {
                if let Some(game) = unturned.play(ply)? {
                    *self = Board::Game(Box::new(game));
                }
                Ok(())
            }
        }
    }

    /// Takes the last ply back.
    pub(super) fn undo(&mut self) -> Result<(), String> {
        let undone = match self {
            Board::Game(game) => game.undo(),
            Board::Unturned(unturned) => unturned.flips.pop(),
        };
        let nothing = || "there is no ply to take back".to_owned();
        undone.map(|_| ()).ok_or_else(nothing)
    }

    /// Changes the rules in force.
    pub(super) fn set_rules(&mut self, rules: Rules) {
        match self {
            Board::Game(game) => game.set_rules(rules),
            Board::Unturned(unturned) => unturned.rules = rules,
        }
    }

    /// Draws the board, one line a row.
    pub(super) fn drawing(&self) -> Vec<String> {
        match self {
            Board::Game(game) => {
                let turn = match game.position().turn() {
                    Some(turn) => format!("{turn} to move"),
                    None => "the first flip to come".to_owned(),
                };
                draw(game.position(), &turn)
            }
            Board::Unturned(unturned) => match unturned.with_turn(Color::Red) {
                Ok(game) => draw(game.position(), "red or black to move"),
                Err(reason) => vec![reason],
            },
        }
    }
}

impl Unturned {
    /// Returns the game in which `turn` is to move now.
    fn with_turn(&self, turn: Color) -> Result<Game, String> {
        let first = if self.flips.len().is_multiple_of(2) {
            turn
        } else {
            !turn
        };
        let start = self
            .board
            .position(first)
            .map_err(|error| error.to_string())?;
        let mut game = Game::new(start, self.rules);
        for &ply in &self.flips {
            game.play(ply).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }

    /// Plays a ply. A move determines the side to move, and with it the game.
    fn play(&mut self, ply: Ply) -> Result<Option<Game>, String> {
        let mut game = self.with_turn(Color::Red)?;
        let mover = game.position().piece_at(ply.action.from());
        if let Some(piece) = mover.filter(|_| ply.reveal.is_none()) {
            game = self.with_turn(piece.color())?;
        }
        game.play(ply).map_err(|error| error.to_string())?;
        if ply.reveal.is_some() {
            self.flips.push(ply);
            return Ok(None);
        }
        Ok(Some(game))
    }
}

fn draw(position: &Position, turn: &str) -> Vec<String> {
    let mut lines = vec![format!(
        "{turn}, ply {}, {} quiet, face down: {}",
        position.ply(),
        position.quiet_counter(),
        position.hidden()
    )];
    let squares: Vec<char> = reading_order()
        .map(|square| match position.content(square) {
            Content::Empty => '-',
            Content::FaceDown => 'X',
            Content::FaceUp(piece) => piece.letter(),
        })
        .collect();
    for (index, row) in squares.chunks(COLUMNS).enumerate() {
        let letters: Vec<String> = row.iter().map(char::to_string).collect();
        lines.push(format!("{} {}", ROWS - index, letters.join(" ")));
    }
    lines.push("  a b c d".to_owned());
    lines
}
