//! The position editor: checks a setup against the pieces of the game.

use super::wire::FaultView;
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
        _ => ("text", None),
    };
    FaultView {
        code,
        message: reason.to_string(),
        subject,
    }
}

fn code(fault: &Fault) -> (&'static str, Option<String>) {
    let piece = |piece: &Piece| Some(piece.letter().to_string());
    match fault {
        Fault::TooMany { piece: kind, .. } => ("too_many", piece(kind)),
        Fault::TooManyOfColor { color, .. } => ("too_many_of_color", Some(color.to_string())),
        Fault::HiddenMismatch { .. } => ("hidden_mismatch", None),
        Fault::NoPieces => ("no_pieces", None),
        Fault::TurnMissing => ("turn_missing", None),
        Fault::TurnUnknown(color) => ("turn_unknown", Some(color.to_string())),
        Fault::PliesBeforeFirstFlip(_) => ("plies_before_first_flip", None),
        Fault::QuietBeyondPly { .. } => ("quiet_beyond_ply", None),
        Fault::TooManyPlies(_) => ("too_many_plies", None),
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
        let codes: Vec<&str> = faults.iter().map(|fault| fault.code).collect();
        assert_eq!(codes, ["too_many", "hidden_mismatch", "quiet_beyond_ply"]);
        assert_eq!(faults[0].subject.as_deref(), Some("K"));
        let faults = check("nonsense").unwrap_err();
        assert!(faults.iter().all(|fault| fault.code == "text"));
        for text in ["", "* * * * *", "x r * 0 0", "????/? - * 0 0", "🀄 r * 0 0"] {
            assert!(check(text).is_err(), "{text}");
        }
    }
}
