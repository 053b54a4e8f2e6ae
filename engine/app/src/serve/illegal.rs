//! Why an action on the board is not legal: the terminal's sentence, and the code by which the
//! page says it in another language.

use super::wire::{Code, Refusal, ServerMessage, refuse};
use anqi_play::explain;
use anqi_rules::{Action, Game, PlayError};

/// Returns why an action is not legal.
///
/// # Errors
///
/// Returns an error if the text is no action, or the action is legal.
pub fn explained(game: &Game, text: &str) -> Result<ServerMessage, Refusal> {
    let action: Action = text.parse().map_err(|error| Refusal {
        code: Code::Unreadable,
        message: format!("{error}"),
    })?;
    let (Err(error), Some(message)) = (game.check_action(action), explain(game, action)) else {
        return refuse(Code::NothingToDo, format!("{action} is legal"));
    };
    let between = match error {
        PlayError::CannonScreens { between, .. } => Some(between),
        _ => None,
    };
    Ok(ServerMessage::Explained {
        code: code(error),
        message,
        between,
    })
}

/// Returns the reason's name in the page's words.
fn code(error: PlayError) -> &'static str {
    match error {
        PlayError::Over(_) | PlayError::Stuck(_) => "over",
        PlayError::NotFaceDown(_) => "not_face_down",
        PlayError::MissingReveal(_) | PlayError::UnexpectedReveal | PlayError::NotHidden(_) => {
            "reveal"
        }
        PlayError::FirstPlyMustFlip => "first_ply_must_flip",
        PlayError::NothingThere(_) => "nothing_there",
        PlayError::StillFaceDown(_) => "still_face_down",
        PlayError::NotYours { .. } => "not_yours",
        PlayError::TargetFaceDown(_) => "target_face_down",
        PlayError::TargetOwn { .. } => "target_own",
        PlayError::TooFar { .. } => "too_far",
        PlayError::CannotCapture { .. } => "cannot_capture",
        PlayError::CannonOutOfLine { .. } => "cannon_out_of_line",
        PlayError::CannonScreens { .. } => "cannon_screens",
        PlayError::PerpetualChase(_) => "perpetual_chase",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Rules;

    #[test]
    fn the_page_gets_the_terminals_sentence_and_a_code() {
        let game = Game::from_text("Kp2/C1r1/P3/4/4/4/4/4 r - 0 40", Rules::OLYMPIAD).unwrap();
        let told = |action: &str| match explained(&game, action).unwrap() {
            ServerMessage::Explained {
                code,
                message,
                between,
            } => {
                assert_eq!(Some(message), explain(&game, action.parse().unwrap()));
                (code, between)
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(told("a8-b8"), ("cannot_capture", None));
        assert_eq!(told("a7-c7"), ("cannon_screens", Some(0)));
        assert_eq!(told("a8-a7"), ("target_own", None));
        assert_eq!(told("a6-d6"), ("too_far", None));
        assert_eq!(told("b8-b7"), ("not_yours", None));
        let refused = |action: &str| explained(&game, action).unwrap_err().code;
        assert_eq!(refused("a6-b6"), Code::NothingToDo, "it is legal");
        assert_eq!(refused("z9"), Code::Unreadable);
    }
}
