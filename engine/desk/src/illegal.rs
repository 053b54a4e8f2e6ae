//! Why an action on the board is not legal: the terminal's sentence, and the code by which the
//! page says it in another language.

use crate::wire::{Code, Explained, IllegalCode, Refusal, refuse};
use anqi_play::explain;
use anqi_rules::{Action, Game, PlayError};

/// Returns why an action is not legal.
///
/// # Errors
///
/// Returns an error if the text is no action, or the action is legal.
pub fn explained(game: &Game, text: &str) -> Result<Explained, Refusal> {
    let action: Action = text.parse().map_err(Refusal::unreadable)?;
    let (Err(error), Some(message)) = (game.check_action(action), explain(game, action)) else {
        return refuse(Code::NothingToDo, format!("{action} is legal"));
    };
    let between = match error {
        PlayError::CannonScreens { between, .. } => Some(between),
        _ => None,
    };
    Ok(Explained {
        code: code(error),
        message,
        between,
    })
}

/// Returns the reason's name in the page's words.
fn code(error: PlayError) -> IllegalCode {
    match error {
        PlayError::Over(_) | PlayError::Stuck(_) => IllegalCode::Over,
        PlayError::NotFaceDown(_) => IllegalCode::NotFaceDown,
        PlayError::MissingReveal(_) | PlayError::UnexpectedReveal | PlayError::NotHidden(_) => {
            IllegalCode::Reveal
        }
        PlayError::FirstPlyMustFlip => IllegalCode::FirstPlyMustFlip,
        PlayError::NothingThere(_) => IllegalCode::NothingThere,
        PlayError::StillFaceDown(_) => IllegalCode::StillFaceDown,
        PlayError::NotYours { .. } => IllegalCode::NotYours,
        PlayError::TargetFaceDown(_) => IllegalCode::TargetFaceDown,
        PlayError::TargetOwn { .. } => IllegalCode::TargetOwn,
        PlayError::TooFar { .. } => IllegalCode::TooFar,
        PlayError::CannotCapture { .. } => IllegalCode::CannotCapture,
        PlayError::CannonOutOfLine { .. } => IllegalCode::CannonOutOfLine,
        PlayError::CannonScreens { .. } => IllegalCode::CannonScreens,
        PlayError::PerpetualChase(_) => IllegalCode::PerpetualChase,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Rules;

    #[test]
    fn the_page_gets_the_terminals_sentence_and_a_code() {
        let game = Game::from_text("Kp2/C1r1/P3/4/4/4/4/4 r - 0 40", Rules::OLYMPIAD).unwrap();
        let shown = |action: &str| {
            let explained = explained(&game, action).unwrap();
            let sentence = explain(&game, action.parse().unwrap());
            assert_eq!(Some(explained.message), sentence);
            let code = serde_json::to_value(explained.code).unwrap();
            (code.as_str().unwrap().to_owned(), explained.between)
        };
        assert_eq!(shown("a8-b8"), ("cannot_capture".to_owned(), None));
        assert_eq!(shown("a7-c7"), ("cannon_screens".to_owned(), Some(0)));
        assert_eq!(shown("a8-a7"), ("target_own".to_owned(), None));
        assert_eq!(shown("a6-d6"), ("too_far".to_owned(), None));
        assert_eq!(shown("b8-b7"), ("not_yours".to_owned(), None));
        let refused = |action: &str| explained(&game, action).unwrap_err().code;
        assert_eq!(refused("a6-b6"), Code::NothingToDo, "it is legal");
        assert_eq!(refused("z9"), Code::Unreadable);
    }
}
