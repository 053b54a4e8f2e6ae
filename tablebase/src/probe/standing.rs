//! Where values for the rules of tournaments also hold by the convention of a course.
//!
//! Tables know two ends of a game: the side to move has no action, or a side has no piece. A
//! course looks at both sides after every ply, black first. Of endings with all pieces face up that
//! makes a difference only after a cannon's jump: whoever steps, to an empty square or to capture, can
//! step back next time, so the side that has just moved has an action, and the other one is
//! to move. A cannon that jumps to where it is stuck needs a neighbour on every side, two in a
//! corner; so three pieces are left, and before the capture there were four. Hence values
//! hold in positions without cannons and in those of up to three pieces.
//!
//! With face-down pieces nothing holds: a flip does not clear the counter, and a side without pieces
//! plays on.
//!
//! A rule that draws before it looks for a win changes a win without a capture on the very ply
//! that reaches the limit. [`Standing`] leaves that to the caller, who knows distances.

use anqi_rules::{Color, Convention, Piece, Position, Precedence, Role, Rules};

use super::TableValue;
use super::in_memory::value_of_end;
use crate::solve::Wdl;

/// The most pieces of a position with a cannon that no convention can change.
const MOST_WITH_CANNONS: usize = 3;

/// What rules say of a position before any table is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// The game is over.
    Over(TableValue),
    /// Play can differ from that by the rules of tournaments, so no table counts.
    Unlike,
    /// Tables count.
    Alike,
}

impl Standing {
    /// Returns the standing of a position under these rules.
    #[inline]
    pub(crate) fn of(position: &Position, rules: &Rules) -> Standing {
        if rules.precedence == Precedence::Draws
            && rules.quiet_draw(position.quiet_counter()).is_some()
        {
            let wdl = Wdl::Draw;
            return Standing::Over(TableValue { wdl, dtc: None });
        }
        match rules.convention {
            Convention::Tournament => Standing::Alike,
            Convention::Course => Standing::of_course(position),
        }
    }

    fn of_course(position: &Position) -> Standing {
        if !position.face_down().is_empty() {
            return Standing::Unlike;
        }
        if let Some(loser) = position.under(Convention::Course).decided() {
            let wdl = value_of_end(position, loser);
            return Standing::Over(TableValue { wdl, dtc: Some(0) });
        }
        let cannons = Color::ALL.map(|color| position.pieces(Piece::new(color, Role::Cannon)));
        let may_jump = cannons.iter().any(|squares| !squares.is_empty());
        if may_jump && position.occupied().len() > MOST_WITH_CANNONS {
            Standing::Unlike
        } else {
            Standing::Alike
        }
    }
}
