//! The position editor: checks a setup against the pieces of the game.

use crate::wire::{FaultCode, FaultView};
use anqi_rules::notation::TextFault;
use anqi_rules::{Fault, Piece, Position};

/// Reads a position string whose hidden pieces may be `*`: the pieces missing from the board,
/// as many as squares are face down.
///
/// # Errors
///
/// Returns every fault of the position.
pub fn check(text: &str) -> Result<Position, Vec<FaultView>> {
    let text = match text.trim() {
        "start" => Position::start().to_string(),
        other => with_hidden(other),
    };
    let parsed: Result<Position, _> = text.parse();
    parsed.map_err(|error| error.reasons().iter().map(view).collect())
}

/// Replaces `*` in a position string by the hidden pieces.
fn with_hidden(text: &str) -> String {
    let mut fields: Vec<&str> = text.split_whitespace().collect();
    if fields.get(2) != Some(&"*") {
        return fields.join(" ");
    }
    let rows = fields[0];
    let face_down = rows.chars().filter(|sign| *sign == '?').count();
    let on_board = |piece: Piece| rows.chars().filter(|c| *c == piece.letter()).count();
    let missing = Piece::all().flat_map(|piece| {
        let count = piece.role().per_side().saturating_sub(on_board(piece));
        std::iter::repeat_n(piece.letter(), count)
    });
    let letters: String = missing.take(face_down).collect();
    let hidden = if letters.is_empty() { "-" } else { &letters };
    fields[2] = hidden;
    fields.join(" ")
}

fn view(reason: &TextFault) -> FaultView {
    let (code, subject) = match reason {
        TextFault::Impossible(fault) => code(fault),
        _ => (FaultCode::Text, None),
    };
    FaultView {
        code,
        message: reason.to_string(),
        subject,
    }
}

fn code(fault: &Fault) -> (FaultCode, Option<String>) {
    let piece = |piece: &Piece| Some(piece.letter().to_string());
    match fault {
        Fault::TooMany { piece: kind, .. } => (FaultCode::TooMany, piece(kind)),
        Fault::TooManyOfColor { color, .. } => (FaultCode::TooManyOfColor, Some(color.to_string())),
        Fault::HiddenMismatch { .. } => (FaultCode::HiddenMismatch, None),
        Fault::NoPieces => (FaultCode::NoPieces, None),
        Fault::TurnMissing => (FaultCode::TurnMissing, None),
        Fault::TurnUnknown(color) => (FaultCode::TurnUnknown, Some(color.to_string())),
        Fault::PliesBeforeFirstFlip(_) => (FaultCode::PliesBeforeFirstFlip, None),
        Fault::QuietBeyondPly { .. } => (FaultCode::QuietBeyondPly, None),
        Fault::TooManyPlies(_) => (FaultCode::TooManyPlies, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_pieces_may_be_left_to_the_editor() {
        let all = "????/????/????/????/????/????/????/???? - * 0 0";
        assert_eq!(check(all).unwrap(), Position::start());
        let position = check("K3/4/4/4/4/4/4/3g r * 0 0").unwrap();
        assert!(position.hidden().is_empty());
        let some = check("K3/4/4/?3/4/4/4/3g r * 0 0").unwrap();
        assert_eq!(some.hidden().to_string(), "G");
    }

    #[test]
    fn every_fault_is_told_with_its_subject() {
        let faults = check("KK2/4/4/4/4/4/4/?3 b - 5 0").unwrap_err();
        let codes: Vec<FaultCode> = faults.iter().map(|fault| fault.code).collect();
        use FaultCode::{HiddenMismatch, QuietBeyondPly, TooMany};
        assert_eq!(codes, [TooMany, HiddenMismatch, QuietBeyondPly]);
        assert_eq!(faults[0].subject.as_deref(), Some("K"));
        let faults = check("nonsense").unwrap_err();
        assert!(faults.iter().all(|fault| fault.code == FaultCode::Text));
        for text in ["", "* * * * *", "x r * 0 0", "????/? - * 0 0", "🀄 r * 0 0"] {
            assert!(check(text).is_err(), "{text}");
        }
    }
}
