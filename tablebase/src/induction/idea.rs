//! The idea of a lesson in plain words, from facts alone.

use anqi_rules::{Action, Color, Piece, Position, Square};

use super::line::{Rating, captures};
use crate::probe::{Endgames, Tables, after};
use crate::solve::Wdl;

/// Returns what the first action of a line does, what comes of it, and what the others miss.
pub(super) fn sentence(
    tables: &Tables,
    position: &Position,
    goal: Wdl,
    line: &[Action],
    ratings: &[Rating],
) -> Option<String> {
    let facts = Facts {
        tables,
        position,
        next: after(position, *line.first()?),
        side: position.turn()?,
        key: *line.first()?,
        goal,
    };
    let aim = facts.aim(line);
    Some(format!("{}{aim} {}", facts.deed()?, facts.others(ratings)))
}

/// Returns an idea without squares and numbers: what it shares with others of its kind.
pub(super) fn kind(idea: &str) -> String {
    let letters = idea.split_whitespace().map(|word| {
        let has_digit = word.contains(|sign: char| sign.is_ascii_digit());
        if has_digit { "#" } else { word }
    });
    letters.collect::<Vec<_>>().join(" ")
}

struct Facts<'a> {
    tables: &'a Tables,
    position: &'a Position,
    /// The position after the first action.
    next: Position,
    side: Color,
    key: Action,
    goal: Wdl,
}

impl Facts<'_> {
    /// What the first action does.
    fn deed(&self) -> Option<String> {
        let (from, to) = (self.key.from(), self.key.to());
        let name = named(self.position.piece_at(from)?);
        if let Some(prey) = self.position.piece_at(to) {
            return Some(format!("The {name} takes the {} on {to}", named(prey)));
        }
        let hunters = hunters(&self.position.passed(), from);
        if let Some(hunter) = hunters.first()
            && self::hunters(&self.next, to).is_empty()
        {
            return Some(format!(
                "The {name} steps to {to}, out of reach of the {}",
                named(*hunter)
            ));
        }
        let step = format!("The {name} steps to {to}");
        Some(match self.threatened() {
            None => step,
            Some((hunter, prey)) if hunter == to => {
                format!("{step} and attacks the {}", named(prey))
            }
            Some((hunter, prey)) => format!(
                "{step}, so that the {} attacks the {}",
                named(self.next.piece_at(hunter)?),
                named(prey)
            ),
        })
    }

    /// A capture that would keep the goal if the other side passed, and that was not there before.
    fn threatened(&self) -> Option<(Square, Piece)> {
        let ours = self.next.passed();
        let threats = ours.actions().into_iter().filter_map(|action| {
            let prey = ours.piece_at(action.to())?;
            let value = self.tables.wdl(&after(&ours, action))?.reversed();
            let before = self.position.targets(action.from()).contains(action.to());
            let is_new = !before || action.from() == self.key.to();
            (value >= self.goal && is_new).then_some((action.from(), prey))
        });
        threats.into_iter().next()
    }

    /// What comes of it.
    fn aim(&self, line: &[Action]) -> String {
        if self.goal == Wdl::Draw {
            return self.draw();
        }
        if self.next.loser().is_some() {
            return ", which ends the game.".to_owned();
        }
        let other = side_name(!self.side);
        let outcome = self.outcome(line);
        let passed = self.tables.wdl(&self.next.passed());
        if passed.is_some_and(|value| value < Wdl::Win) {
            return format!(
                " and keeps the opposition: if {other} could pass it would hold, but it must move, and against the longest defence {outcome}."
            );
        }
        match self.next.actions().len() {
            1 => format!(": {other} has one move, and then {outcome}."),
            _ => format!(": against the longest defence {outcome}."),
        }
    }

    /// What the rest of the line comes to: its next capture, or its end.
    fn outcome(&self, line: &[Action]) -> String {
        let other = side_name(!self.side);
        let captures = captures(*self.position, line);
        let next = captures.iter().find(|capture| capture.ply > 1);
        let Some(capture) = next else {
            return format!("after {} plies it has no move left", line.len());
        };
        let (hunter, prey) = (named(capture.hunter), named(capture.prey));
        let plies = capture.ply - 1;
        if capture.side == self.side {
            format!("the {hunter} takes the {prey} within {plies} plies")
        } else {
            format!(
                "{other} can only give way, taking the {prey} with the {hunter} within {plies} plies"
            )
        }
    }

    /// Why a drawn position holds.
    fn draw(&self) -> String {
        let other = side_name(!self.side);
        let replies = self.next.actions();
        let takes = |action: &Action| self.next.piece_at(action.to()).is_some();
        match replies.iter().filter(|action| takes(action)).count() {
            0 => format!(
                ": {other} cannot take anything at once, and no step of it breaks the defence."
            ),
            1 => format!(": {other} can take one way only, and even that leaves a draw."),
            _ => format!(": every capture of {other} leaves a draw."),
        }
    }

    /// What the other actions miss.
    fn others(&self, ratings: &[Rating]) -> String {
        let keep = ratings.iter().filter(|each| each.wdl == self.goal).count();
        let what = if self.goal == Wdl::Win {
            "wins"
        } else {
            "holds"
        };
        let many = if self.goal == Wdl::Win { "win" } else { "hold" };
        let only = match keep {
            1 => format!("Nothing else {what}"),
            _ => format!("Only {keep} of {} moves {many}", ratings.len()),
        };
        match self.worst(ratings) {
            Some(fault) => format!("{only}: {fault}."),
            None => format!("{only}."),
        }
    }

    /// The most instructive failure: a capture that fails, the quickest loss, or else the draw.
    fn worst(&self, ratings: &[Rating]) -> Option<String> {
        let fails = || ratings.iter().filter(|each| each.wdl != self.goal);
        let result = |wdl: Wdl| {
            if wdl == Wdl::Loss {
                "loses"
            } else {
                "only draws"
            }
        };
        let capture = fails().find_map(|each| {
            let prey = self.position.piece_at(each.action.to())?;
            let hunter = self.position.piece_at(each.action.from())?;
            let (hunter, prey) = (named(hunter), named(prey));
            Some(format!(
                "taking the {prey} with the {hunter} {}",
                result(each.wdl)
            ))
        });
        let losing = || {
            let quickest = fails().filter(|each| each.wdl == Wdl::Loss);
            let quickest = quickest.min_by_key(|each| each.plies)?;
            let plies = quickest.plies? - 1;
            Some(format!("{} loses in {plies} more plies", quickest.action))
        };
        let drawing = || {
            let draw = fails().find(|each| each.wdl == Wdl::Draw)?;
            Some(format!("{} lets the win slip into a draw", draw.action))
        };
        capture.or_else(losing).or_else(drawing)
    }
}

/// The enemy pieces that can take the piece on a square, with them to move.
fn hunters(position: &Position, square: Square) -> Vec<Piece> {
    let actions = position.actions().into_iter();
    let takes = actions.filter(|action| action.to() == square);
    takes
        .filter_map(|action| position.piece_at(action.from()))
        .collect()
}

fn named(piece: Piece) -> String {
    let name = piece.role().name();
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}

fn side_name(color: Color) -> &'static str {
    match color {
        Color::Red => "Red",
        Color::Black => "Black",
    }
}
