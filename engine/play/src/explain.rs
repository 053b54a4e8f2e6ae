//! Why an action is not legal, for the person who typed it.
//!
//! The rules name the fault; this file adds what helps a newcomer: the rule behind it, or a
//! correct input.

use anqi_rules::{Action, Content, Game, PlayError, Position, Role};

/// Returns why `action` is not legal in `game`, or `None` if it is.
pub fn explain(game: &Game, action: Action) -> Option<String> {
    let error = game.check_action(action).err()?;
    let advice = advice(game.position(), action, error);
    Some(match advice {
        Some(advice) => format!("{error}: {advice}"),
        None => error.to_string(),
    })
}

/// Returns helpful words to add to the bare reason, if there are any.
fn advice(position: &Position, action: Action, error: PlayError) -> Option<String> {
    match error {
        PlayError::NotFaceDown(square) => match position.content(square) {
            Content::FaceUp(_) => Some(format!(
                "to move the piece, say where it goes as well, such as {square} {}",
                square.neighbours().first()?
            )),
            _ => Some("the square is empty".to_owned()),
        },
        PlayError::FirstPlyMustFlip => {
            Some("nobody has a colour yet; type one square, such as b2".to_owned())
        }
        PlayError::StillFaceDown(square) => Some(format!("type {square} alone to flip it")),
        PlayError::TargetFaceDown(square) => {
            Some(format!("flip it first ({square}), then see what it is"))
        }
        PlayError::TooFar { from, to } if position.piece_at(to).is_some() => Some(format!(
            "only a cannon captures from a distance, and {from} holds a {}",
            position.piece_at(from)?.role().name()
        )),
        PlayError::CannotCapture { capturer, prey } => Some(capture_rule(capturer, prey)),
        PlayError::CannonScreens { between: 0, .. } if is_adjacent(action) => {
            Some("it never captures the piece beside it".to_owned())
        }
        PlayError::PerpetualChase(_) => {
            Some("chase it to another square, or do something else".to_owned())
        }
        _ => None,
    }
}

fn is_adjacent(action: Action) -> bool {
    action.from().distance(action.to()) == 1
}

/// Returns the capture rule that forbids it.
fn capture_rule(capturer: Role, victim: Role) -> String {
    match (capturer, victim) {
        (Role::King, _) => "pawns are the only pieces that a king cannot capture".to_owned(),
        (Role::Pawn, _) => "a pawn captures pawns and the king, nothing else".to_owned(),
        _ => format!(
            "a piece captures its own rank and below, and a {} ranks above a {}",
            victim.name(),
            capturer.name()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Rules;

    fn why(position: &str, action: &str) -> String {
        let game = Game::from_text(position, Rules::OLYMPIAD).unwrap();
        explain(&game, action.parse().unwrap()).expect("not legal")
    }

    const START: &str =
        "????/????/????/????/????/????/????/???? - KGGMMRRNNCCPPPPPkggmmrrnnccppppp 0 0";

    #[test]
    fn before_the_first_flip() {
        assert_eq!(
            why(START, "b2-b3"),
            "the first ply must be a flip: nobody has a colour yet; type one square, such as b2"
        );
    }

    #[test]
    fn captures_that_the_table_forbids_name_the_rule() {
        let board = "Kp2/4/Pr2/4/Ng2/4/4/4 r - 0 40";
        assert_eq!(
            why(board, "a8-b8"),
            "a king does not capture a pawn: pawns are the only pieces that a king cannot capture"
        );
        assert_eq!(
            why(board, "a6-b6"),
            "a pawn does not capture a rook: a pawn captures pawns and the king, nothing else"
        );
        assert_eq!(
            why(board, "a4-b4"),
            "a knight does not capture a guard: a piece captures its own rank and below, \
             and a guard ranks above a knight"
        );
        assert_eq!(
            why(board, "a4-b6"),
            "a4 to b6 is not one step along a row or column: \
             only a cannon captures from a distance, and a4 holds a knight"
        );
    }

    #[test]
    fn cannons_count_what_is_between() {
        let board = "1r2/4/1G2/1g2/4/1C2/1p2/4 r - 0 40";
        assert_eq!(
            why(board, "b3-b8"),
            "a cannon captures only over exactly one piece; between b3 and b8 there are 2"
        );
        assert_eq!(
            why(board, "b3-b2"),
            "a cannon captures only over exactly one piece; between b3 and b2 there is none: \
             it never captures the piece beside it"
        );
        assert_eq!(
            why(board, "b3-b5"),
            "a cannon captures only over exactly one piece; between b3 and b5 there is none"
        );
    }

    #[test]
    fn squares_that_hold_something_else() {
        let board = "G?p1/4/4/4/4/4/4/4 r k 0 40";
        assert_eq!(
            why(board, "a8-b8"),
            "the piece on b8 is face down and cannot be captured: flip it first (b8), then see what it is"
        );
        assert_eq!(
            why(board, "b8-b7"),
            "the piece on b8 is face down: it can only be flipped: type b8 alone to flip it"
        );
        assert_eq!(
            why(board, "a8-a8"),
            "a8 is not face down, so it cannot be flipped: \
             to move the piece, say where it goes as well, such as a8 a7"
        );
        assert_eq!(
            why(board, "d8-d8"),
            "d8 is not face down, so it cannot be flipped: the square is empty"
        );
        assert_eq!(
            why(board, "c8-c7"),
            "the pawn on c8 is black's, and red is to move"
        );
        assert_eq!(why(board, "d5-d6"), "d5 is empty");
    }

    #[test]
    fn the_ban_on_chasing_is_explained() {
        let cycle = "c3-b3 b4-c4 b3-c3 c4-b4";
        let text = format!("P3/4/4/1r2/4/2G1/4/3p b - 0 0 moves b5-b4 {cycle} {cycle}");
        let game = Game::from_text(&text, Rules::MISTBOARD).unwrap();
        let words = explain(&game, "c3-b3".parse().unwrap()).expect("not legal");
        assert!(words.contains("chase it to another square"), "{words}");
    }

    #[test]
    fn exactly_the_illegal_actions_are_explained() {
        for board in [
            START,
            "Kp2/C?r1/Pr2/4/Ng2/c?2/2?1/4 r kGP 0 40",
            "Kp2/C?r1/Pr2/4/Ng2/c?2/2?1/4 b kGP 0 41",
        ] {
            let game = Game::from_text(board, Rules::OLYMPIAD).unwrap();
            for action in Action::all() {
                assert_eq!(
                    explain(&game, action).is_none(),
                    game.is_legal(action),
                    "{action} on {board}"
                );
            }
        }
    }
}
