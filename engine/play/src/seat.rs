//! The two seats of a game, by who begins.
//!
//! A seat is neither a colour nor a player: the first flip decides the colours, and in a rematch the
//! players exchange their seats.

use anqi_rules::{Color, Game, Piece};
use std::ops::Not;

/// A seat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// The seat of the first ply.
    First,
    /// The other seat.
    Second,
}

impl Seat {
    /// Both, in this order.
    pub const ALL: [Seat; 2] = [Seat::First, Seat::Second];

    /// Returns 0 for the first and 1 for the second.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the other seat.
    #[must_use]
    pub const fn opponent(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }

    /// Returns the seat that plays after `plies` plies.
    pub const fn after(plies: usize) -> Seat {
        if plies.is_multiple_of(2) {
            Seat::First
        } else {
            Seat::Second
        }
    }

    /// Returns the seat of a colour; before the first flip, when no seat has one, the second.
    pub fn of_color(game: &Game, color: Color) -> Seat {
        if first_color(game) == Some(color) {
            Seat::First
        } else {
            Seat::Second
        }
    }

    /// Returns the colour of this seat, `None` before the first flip.
    pub fn color(self, game: &Game) -> Option<Color> {
        let first = first_color(game)?;
        Some(match self {
            Seat::First => first,
            Seat::Second => !first,
        })
    }
}

impl Not for Seat {
    type Output = Seat;

    fn not(self) -> Seat {
        self.opponent()
    }
}

/// Returns the colour of the seat that began, `None` before the first flip.
pub fn first_color(game: &Game) -> Option<Color> {
    let flipped = || game.plies().first()?.reveal.map(Piece::color);
    game.start().turn().or_else(flipped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Rules;

    #[test]
    fn colours_follow_from_the_first_flip_or_the_position() {
        let game = |text: &str| Game::from_text(text, Rules::OLYMPIAD).unwrap();
        let start = game("start");
        assert_eq!(Seat::ALL.map(|seat| seat.color(&start)), [None; 2]);
        let flipped = game("start moves b2(g)");
        assert_eq!(Seat::First.color(&flipped), Some(Color::Black));
        assert_eq!(Seat::of_color(&flipped, Color::Red), Seat::Second);
        let given = game("4/4/4/4/4/4/4/Kg2 r - 0 0 moves a1-b1");
        assert_eq!(Seat::Second.color(&given), Some(Color::Black));
    }
}
