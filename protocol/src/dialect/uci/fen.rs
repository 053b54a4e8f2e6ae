//! Positions in UCI for banqi.
//!
//! Five fields, `<ranks> <turn> <bag> <quiet> <move>`: four ranks, rank 4
//! first, letters `GAERHCS` (red upper case), `X` face down; turn `r`, `b`, or
//! `-` before the first flip; the bag as letters with counts, `G1a2s5`, or `-`.

use crate::dialect::{letter_among, piece_among, read_ranks, write_ranks};
use anqi_rules::notation::excerpt;
use anqi_rules::{Color, Content, Piece, Position, Setup};

const LETTERS: &str = "GAERHCS";

/// Reads the fields of a FEN.
///
/// # Errors
///
/// Returns an error if the FEN is invalid, with every reason if the position is impossible.
pub fn read_fen(fields: &[&str]) -> Result<Position, String> {
    let [ranks, turn, bag, quiet, moves @ ..] = fields else {
        let count = fields.len();
        return Err(format!(
            "{count} fields in the FEN (expected ranks, turn, bag, quiet, move)"
        ));
    };
    let mut setup = Setup {
        board: read_ranks(ranks, |place| 3 - place, content)?,
        turn: match *turn {
            "r" => Some(Color::Red),
            "b" => Some(Color::Black),
            "-" => None,
            _ => {
                return Err(format!(
                    "'{}' is not a turn (expected r, b or -)",
                    excerpt(turn)
                ));
            }
        },
        ..Setup::default()
    };
    read_bag(bag, &mut setup)?;
    let counter = |text: &str| {
        let wrong = || format!("'{}' is not a counter (expected a number)", excerpt(text));
        text.parse::<u32>().map_err(|_| wrong())
    };
    if setup.turn.is_some() {
        setup.quiet = counter(quiet)?;
        // The move number is cosmetic and may be less than the quiet counter.
        let played = moves.first().map_or(Ok(1), |moves| counter(moves))?;
        setup.ply = setup.quiet.max(played.saturating_sub(1));
    }
    setup.position().map_err(|error| error.to_string())
}

/// Returns the fields of a FEN, which [`read_fen`] reads as the same position: of the plies before it the
/// quiet ones and their number are kept.
#[must_use]
pub fn write_fen(position: &Position) -> String {
    let ranks = write_ranks(position, |place| 3 - place, 'X', letter);
    let turn = match position.turn() {
        None => '-',
        Some(Color::Red) => 'r',
        Some(Color::Black) => 'b',
    };
    let hidden = position.hidden();
    let mut bag: String = Piece::all()
        .filter(|&piece| hidden.count(piece) > 0)
        .map(|piece| format!("{}{}", letter(piece), hidden.count(piece)))
        .collect();
    if bag.is_empty() {
        bag.push('-');
    }
    let (quiet, number) = (position.quiet_counter(), position.ply() + 1);
    format!("{ranks} {turn} {bag} {quiet} {number}")
}

fn letter(piece: Piece) -> char {
    letter_among(LETTERS, Color::Red, piece)
}

/// Reads the sign of a square.
pub(super) fn content(sign: char) -> Option<Content> {
    match sign {
        'X' => Some(Content::FaceDown),
        _ => piece_among(LETTERS, Color::Red, sign).map(Content::FaceUp),
    }
}

fn read_bag(bag: &str, setup: &mut Setup) -> Result<(), String> {
    let wrong = || {
        format!(
            "'{}' is not a bag (expected such as G1a2s5, or -)",
            excerpt(bag)
        )
    };
    if bag == "-" {
        return Ok(());
    }
    let mut signs = bag.chars().peekable();
    while let Some(sign) = signs.next() {
        let piece = piece_among(LETTERS, Color::Red, sign).ok_or_else(wrong)?;
        let mut count = None;
        while let Some(digit) = signs.peek().and_then(|sign| sign.to_digit(10)) {
            signs.next();
            count = Some((count.unwrap_or(0) * 10 + digit).min(99));
        }
        setup.hidden[piece.index()] = count.ok_or_else(wrong)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX - G1A2E2R2H2C2S5g1a2e2r2h2c2s5 0 1";

    fn fen(text: &str) -> Result<Position, String> {
        read_fen(&text.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn the_first_position_is_ours() {
        assert_eq!(fen(START), Ok(Position::start()));
    }

    #[test]
    fn files_are_rows_ranks_are_columns_and_letters_change() {
        let position = fen("G7/8/8/1a5X r s1 3 1").expect("a position");
        assert_eq!(position.to_string(), "?3/4/4/4/4/4/g3/3K r p 3 3");
    }

    #[test]
    fn what_is_written_reads_the_same() {
        assert_eq!(write_fen(&Position::start()), START);
        for text in [
            "?3/4/4/4/4/4/g3/3K r p 3 3",
            "?2k/1?2/2?1/4/4/4/G3/C3 b cPP 0 9",
            "K2k/4/4/4/4/4/4/4 r - 12 40",
        ] {
            let position: Position = text.parse().expect("a position");
            let written = write_fen(&position);
            assert_eq!(fen(&written), Ok(position), "{written}");
        }
    }

    #[test]
    fn faults_are_named() {
        let cases = [
            ("XXXXXXXX/XXXXXXXX/XXXXXXXX - G1 0 1", "3 ranks"),
            ("9/8/8/8 r - 0 1", "9 squares"),
            ("XXXXXXXXX/8/8/8 r - 0 1", "more than 8"),
            ("K7/8/8/8 r - 0 1", "'K'"),
            ("G7/8/8/8 w - 0 1", "'w'"),
            ("G7/8/8/8 r G 0 1", "'G' is not a bag"),
            ("G7/8/8/8 r G1 0 1", "impossible position"),
            ("G7/8/8/8 r - none 1", "'none'"),
            ("G7/8/8/8 r", "2 fields"),
        ];
        for (text, expected) in cases {
            let fault = fen(text).expect_err(text);
            assert!(fault.contains(expected), "{text}: {fault}");
        }
    }
}
