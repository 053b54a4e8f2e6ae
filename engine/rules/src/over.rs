//! How the board ends a game: a side without pieces, or without an action.
//!
//! Tournaments look at the side to move: without a legal action it loses. Whoever is to move,
//! a side without a living piece loses at once. By the convention of a course both sides are looked at
//! after every ply, black first, and only actions matter: while a piece is face down, both
//! can flip it, so neither has lost. A side can then lose by its own ply: a cannon that
//! jumps to where it is stuck, or the flip of the last face-down piece.
//!
//! Either way a position has no legal action exactly if [`Position::loser`] names a side.

use crate::ending::{Convention, DrawReason, Outcome, Precedence, Rules, WinReason};
use crate::piece::Color;
use crate::position::Position;

impl Position {
    /// Returns the colour that has no living piece, if any.
    ///
    /// By the convention of a course this alone decides nothing, see [`Position::decided`].
    #[inline]
    pub fn annihilated(&self) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&color| self.color(color).is_empty() && !self.hidden().has_color(color))
    }

    /// Returns the side that has lost on the board whichever side is to move, if any.
    ///
    /// # Examples
    ///
    /// ```
    /// use anqi_rules::{Color, Convention, Position};
    ///
    /// let wiped_out: Position = "?3/4/4/4/4/4/4/1K2 b G 0 9".parse()?;
    /// assert_eq!(wiped_out.decided(), Some(Color::Black));
    /// assert_eq!(wiped_out.under(Convention::Course).decided(), None, "black can flip a8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn decided(&self) -> Option<Color> {
        match self.convention() {
            Convention::Tournament => self.annihilated(),
            Convention::Course => self.stuck(),
        }
    }

    /// Returns the side that has lost on the board, and why.
    pub fn loser(&self) -> Option<(Color, WinReason)> {
        let to_move = || self.turn().filter(|_| !self.has_action());
        let loser = self.decided().or_else(to_move)?;
        let reason = match self.living(loser) {
            0 => WinReason::Annihilation,
            _ => WinReason::NoLegalAction,
        };
        Some((loser, reason))
    }

    /// Returns whether the side to move has a legal action.
    pub fn has_action(&self) -> bool {
        if self.decided().is_some() {
            return false;
        }
        !self.face_down().is_empty() || self.turn().is_some_and(|turn| self.can_move(turn))
    }

    /// The side that can neither flip nor move, black if both.
    fn stuck(&self) -> Option<Color> {
        if !self.face_down().is_empty() {
            return None;
        }
        [Color::Black, Color::Red]
            .into_iter()
            .find(|&color| !self.can_move(color))
    }

    /// Whether a face-up piece of this colour could move or capture.
    fn can_move(&self, color: Color) -> bool {
        let movers = self.color(color);
        !(movers.neighbours() & self.empty()).is_empty()
            || movers
                .into_iter()
                .any(|from| !self.targets(from).is_empty())
    }
}

impl Rules {
    /// Returns the side that has lost on the board, and why, unless the draw by the quiet limit comes
    /// first.
    pub fn loser(&self, position: &Position) -> Option<(Color, WinReason)> {
        let is_drawn = self.precedence == Precedence::Draws
            && self.quiet_draw(position.quiet_counter()).is_some();
        position.loser().filter(|_| !is_drawn)
    }

    /// Returns how a game has ended in a position, `None` if it goes on; `repeated` returns the draw
    /// by repetition, which the position alone does not show.
    ///
    /// # Examples
    ///
    /// ```
    /// use anqi_rules::{DrawReason, Outcome, Position, Rules};
    ///
    /// let position: Position = "K3/4/4/4/4/4/4/3g r - 50 90".parse()?;
    /// assert_eq!(Rules::OLYMPIAD.outcome(&position, || None), None);
    /// let draw = Some(Outcome::Draw(DrawReason::QuietLimit));
    /// assert_eq!(Rules::OPENSPIEL.outcome(&position, || None), draw);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn outcome(
        &self,
        position: &Position,
        repeated: impl FnOnce() -> Option<DrawReason>,
    ) -> Option<Outcome> {
        let won = || {
            let (loser, reason) = position.loser()?;
            let winner = !loser;
            Some(Outcome::Win { winner, reason })
        };
        let drawn = || {
            let draw = self.quiet_draw(position.quiet_counter());
            draw.or_else(repeated).map(Outcome::Draw)
        };
        match self.precedence {
            Precedence::Wins => won().or_else(drawn),
            Precedence::Draws => drawn().or_else(won),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(text: &str) -> Position {
        let position: Position = text.parse().expect("a position");
        position.under(Convention::Course)
    }

    fn loser(text: &str) -> Option<(char, WinReason)> {
        let loser = course(text).loser();
        loser.map(|(color, reason)| (color.letter(), reason))
    }

    #[test]
    fn a_side_without_an_action_has_lost_whoever_is_to_move() {
        let (blocked, gone) = (WinReason::NoLegalAction, WinReason::Annihilation);
        for turn in ["r", "b"] {
            let at = |board: &str| loser(&format!("{board} {turn} - 0 9"));
            // A cannon in a corner between two pawns, of either colour.
            assert_eq!(at("4/4/4/4/4/4/p3/Cp2"), Some(('r', blocked)));
            assert_eq!(at("4/4/4/4/4/4/P3/cP2"), Some(('b', blocked)));
            assert_eq!(at("4/4/4/4/4/4/p3/C1p1"), None);
            assert_eq!(at("4/4/4/4/4/4/4/2p1"), Some(('r', gone)));
            assert_eq!(at("4/4/4/4/4/4/4/2P1"), Some(('b', gone)));
        }
    }

    #[test]
    fn the_limit_comes_before_the_loser_where_draws_come_first() {
        let at = |quiet: u32, rules: Rules| {
            let text = format!("4/4/4/4/4/4/p3/Cp2 r - {quiet} 90");
            let position: Position = text.parse().expect("a position");
            rules.loser(&position).map(|(color, _)| color)
        };
        assert_eq!(at(29, Rules::COURSE), Some(Color::Red));
        assert_eq!(at(30, Rules::COURSE), None);
        assert_eq!(at(39, Rules::MISTBOARD), Some(Color::Red));
        assert_eq!(at(40, Rules::MISTBOARD), None);
        assert_eq!(at(60, Rules::PLATFORM), Some(Color::Red));
    }

    #[test]
    fn a_side_without_pieces_plays_on_while_it_can_flip() {
        for turn in ["r", "b"] {
            let position = course(&format!("?3/4/4/4/4/4/4/1K2 {turn} G 0 9"));
            assert_eq!(position.loser(), None);
            assert!(position.has_action() && !position.actions().is_empty());
        }
        let mut position = course("?3/4/4/4/4/4/4/1K2 b G 0 9");
        assert_eq!(position.count_actions(), (1, 0));
        let _ = position
            .play("a8(G)".parse().expect("a ply"))
            .expect("a legal flip");
        let gone = Some((Color::Black, WinReason::Annihilation));
        assert_eq!(position.loser(), gone);
        assert!(position.actions().is_empty() && !position.has_action());
    }
}
