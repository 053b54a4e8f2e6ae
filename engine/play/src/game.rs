//! A game, the deal beneath it, and the plies taken back.
//!
//! It does not depend on the players or the display. It turns decisions into plies (a flip
//! reveals the piece of the deal), and it undoes and redoes plies without ever changing
//! the deal.

use crate::explain::explain;
use crate::{Deal, Seat, Verdict};
use anqi_rules::{Action, Color, Game, Piece, Ply};

/// A ply and its effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// The ply.
    pub ply: Ply,
    /// Who played it.
    pub by: Seat,
    /// The captured piece.
    pub captured: Option<Piece>,
}

/// A game with its deal.
#[derive(Clone, Debug)]
pub struct DealtGame {
    game: Game,
    deal: Deal,
    first_color: Option<Color>,
    undone: Vec<Ply>,
    /// An end that the board does not show.
    decided: Option<Verdict>,
}

impl DealtGame {
    /// Returns a game whose face-down pieces lie as `deal` says.
    ///
    /// With a `first_color`, the first flip of the game shows that colour: the
    /// colours of the deal are exchanged if need be.
    pub fn new(game: Game, deal: Deal, first_color: Option<Color>) -> DealtGame {
        DealtGame {
            game,
            deal,
            first_color,
            undone: Vec::new(),
            decided: None,
        }
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns who is to move.
    pub fn turn(&self) -> Seat {
        Seat::after(self.game.plies().len())
    }

    /// Returns the colour of one of the two, `None` before the first flip.
    pub fn color(&self, seat: Seat) -> Option<Color> {
        let turn = self.game.position().turn()?;
        Some(if seat == self.turn() { turn } else { !turn })
    }

    /// Returns the last ply, if there is one.
    pub fn last(&self) -> Option<Event> {
        let number = self.game.plies().len().checked_sub(1)?;
        Some(Event {
            ply: self.game.plies()[number],
            by: Seat::after(number),
            captured: self.game.undos()[number].captured(),
        })
    }

    /// Returns how the game ended, `None` while it goes on.
    pub fn verdict(&self) -> Option<Verdict> {
        self.decided.or_else(|| Verdict::of(&self.game))
    }

    /// Plays an action.
    ///
    /// # Errors
    ///
    /// Returns an error that explains why the action is not legal; nothing has changed then.
    pub fn act(&mut self, action: Action) -> Result<Event, String> {
        if let Some(reason) = explain(&self.game, action) {
            return Err(reason);
        }
        let ply = self.ply_of(action);
        self.game.play(ply).map_err(|error| error.to_string())?;
        self.undone.clear();
        Ok(self.last().expect("a ply was just played"))
    }

    /// Returns the ply of a legal action, with the piece that a flip reveals.
    fn ply_of(&mut self, action: Action) -> Ply {
        if !action.is_flip() {
            return action.into();
        }
        let square = action.from();
        let earlier = self.game.plies().iter().filter(|ply| ply.action.is_flip());
        let flips = earlier.count();
        if self.game.position().turn().is_none() {
            let shown = self.deal.reveal(square, flips).map(Piece::color);
            if self.first_color.is_some() && shown != self.first_color {
                self.deal.exchange_colors();
            }
        }
        let piece = self.deal.reveal(square, flips);
        Ply::flip(square, piece.expect("every face-down piece is dealt"))
    }

    /// Ends the game although the board does not show it.
    pub fn decide(&mut self, verdict: Verdict) {
        self.decided = Some(verdict);
    }

    /// Takes a resignation, or another end that the board does not show, back; false if there is none.
    pub fn take_back_resignation(&mut self) -> bool {
        self.decided.take().is_some()
    }

    /// Returns how many plies lead back to the last decision of these seats, `None` if they have made
    /// none.
    pub fn plies_to_undo(&self, seats: &[Seat]) -> Option<usize> {
        let played = self.game.plies().len();
        let theirs = (0..played)
            .rev()
            .find(|ply| seats.contains(&Seat::after(*ply)));
        theirs.map(|ply| played - ply)
    }

    /// Takes the last ply back; false at the start of the game.
    pub fn undo(&mut self) -> bool {
        let ply = self.game.undo();
        self.undone.extend(ply);
        ply.is_some()
    }

    /// Plays the ply that was taken back last; false if there is none.
    pub fn redo(&mut self) -> bool {
        let Some(ply) = self.undone.pop() else {
            return false;
        };
        self.game.play(ply).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KnownDeal;
    use anqi_rules::{Position, Rules};

    fn dealt(first_color: Option<Color>) -> DealtGame {
        let start = Position::start();
        let deal = Deal::new(&start, &KnownDeal::default(), 5).unwrap();
        DealtGame::new(Game::new(start, Rules::OLYMPIAD), deal, first_color)
    }

    fn flip(dealt: &mut DealtGame, square: &str) -> Piece {
        let action = Action::flip(square.parse().unwrap());
        dealt.act(action).unwrap().ply.reveal.unwrap()
    }

    #[test]
    fn a_flip_taken_back_shows_the_same_piece_again() {
        let mut dealt = dealt(None);
        let squares = ["b2", "c7", "a1", "d8"];
        let seen: Vec<Piece> = squares.iter().map(|s| flip(&mut dealt, s)).collect();
        while dealt.undo() {}
        assert_eq!(dealt.game().position(), &Position::start());
        // In another order, every square still hides what it hid.
        for (square, piece) in squares.iter().zip(&seen).rev() {
            assert_eq!(flip(&mut dealt, square), *piece);
        }
    }

    #[test]
    fn redo_plays_what_was_taken_back_until_something_else_is_played() {
        let mut dealt = dealt(None);
        for square in ["b2", "c7", "a1"] {
            flip(&mut dealt, square);
        }
        let full = *dealt.game().position();
        assert!(dealt.undo() && dealt.undo());
        assert!(dealt.redo() && dealt.redo());
        assert!(!dealt.redo());
        assert_eq!(dealt.game().position(), &full);
        dealt.undo();
        flip(&mut dealt, "d4");
        assert!(!dealt.redo());
    }

    #[test]
    fn a_colour_fixed_beforehand_is_what_the_first_flip_gives() {
        for color in Color::ALL {
            for square in ["a1", "b2", "c3", "d4", "a8", "b7"] {
                let mut dealt = dealt(Some(color));
                assert_eq!(flip(&mut dealt, square).color(), color);
                assert_eq!(dealt.color(Seat::First), Some(color));
                assert_eq!(dealt.color(Seat::Second), Some(!color));
            }
        }
    }

    #[test]
    fn resigning_ends_the_game_and_can_be_taken_back() {
        let mut dealt = dealt(None);
        flip(&mut dealt, "b2");
        dealt.decide(Verdict::resigned(Seat::Second));
        assert_eq!(dealt.verdict(), Some(Verdict::resigned(Seat::Second)));
        assert!(dealt.take_back_resignation());
        assert!(!dealt.take_back_resignation());
        assert_eq!(dealt.verdict(), None);
    }
}
