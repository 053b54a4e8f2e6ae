//! Why an action is not legal, in every language.
//!
//! In English the rules explain themselves, with advice.

use super::language::{Language, say};
use anqi_play::explain;
use anqi_rules::{Action, Game, PlayError};

/// Returns why an action is not legal in a game, `None` if it is legal.
pub(super) fn refusal(game: &Game, action: Action, language: Language) -> Option<String> {
    let error = game.check_action(action).err()?;
    match language {
        Language::English => explain(game, action),
        _ => Some(sentence(error, language)),
    }
}

fn sentence(error: PlayError, language: Language) -> String {
    let rank = |role: anqi_rules::Role| say!(language, &format!("rank.{}", role.name()));
    match error {
        PlayError::Over(_) | PlayError::Stuck(_) => say!(language, "illegal.over"),
        PlayError::NotFaceDown(square) => say!(language, "illegal.not-face-down", square = square),
        PlayError::MissingReveal(_) | PlayError::UnexpectedReveal | PlayError::NotHidden(_) => {
            say!(language, "illegal.reveal")
        }
        PlayError::FirstPlyMustFlip => say!(language, "illegal.first-flip"),
        PlayError::NothingThere(square) => say!(language, "illegal.nothing", square = square),
        PlayError::StillFaceDown(square) => say!(language, "illegal.face-down", square = square),
        PlayError::NotYours { square, .. } => say!(language, "illegal.not-yours", square = square),
        PlayError::TargetFaceDown(square) => {
            say!(language, "illegal.target-face-down", square = square)
        }
        PlayError::TargetOwn { square, .. } => {
            say!(language, "illegal.target-own", square = square)
        }
        PlayError::TooFar { from, to } => say!(language, "illegal.too-far", from = from, to = to),
        PlayError::CannotCapture { capturer, prey } => {
            let (capturer, prey) = (rank(capturer), rank(prey));
            say!(
                language,
                "illegal.capture",
                capturer = capturer,
                prey = prey
            )
        }
        PlayError::CannonOutOfLine { .. } => say!(language, "illegal.out-of-line"),
        PlayError::CannonScreens { between, .. } => {
            say!(language, "illegal.screens", between = between)
        }
        PlayError::PerpetualChase(_) => say!(language, "illegal.chase"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Rules;

    #[test]
    fn a_refusal_is_said_in_the_language() {
        let game = Game::from_text("Kp2/C1r1/P3/4/4/4/4/4 r - 0 40", Rules::OLYMPIAD).unwrap();
        let said = |action: &str, language| refusal(&game, action.parse().unwrap(), language);
        assert_eq!(
            said("a8-b8", Language::Traditional).unwrap(),
            "帥將不能吃兵卒"
        );
        assert_eq!(
            said("a7-c7", Language::Simplified).unwrap(),
            "炮吃子必须正好隔一枚棋子，这里隔了 0 枚"
        );
        let english = said("a7-c7", Language::English).unwrap();
        assert_eq!(explain(&game, "a7-c7".parse().unwrap()), Some(english));
        assert_eq!(said("a6-b6", Language::Traditional), None);
    }
}
