//! A search restricted to some of the legal actions (`searchmoves`).

use anqi_rules::{Action, Game};

/// The actions to choose from, and how many of the best to report.
#[derive(Clone, Debug)]
pub(super) struct Choosing {
    /// `None` for all.
    allowed: Option<Vec<Action>>,
    lines: usize,
}

impl Choosing {
    /// Chooses among these actions, or all if there are none; illegal ones are dropped. If none
    /// is legal, all actions are allowed, since a search must be answered.
    pub(super) fn new(game: &Game, actions: &[Action], lines: usize) -> Choosing {
        let legal = |action: &&Action| game.is_legal(**action);
        let allowed: Vec<Action> = actions.iter().filter(legal).copied().collect();
        if allowed.is_empty() && !actions.is_empty() {
            eprintln!("anqi: none of the moves to choose from is legal; all are considered");
        }
        Choosing {
            allowed: (!allowed.is_empty()).then_some(allowed),
            lines,
        }
    }

    /// Chooses among all actions.
    pub(super) fn among_all() -> Choosing {
        Choosing {
            allowed: None,
            lines: 1,
        }
    }

    /// Returns the actions to choose among, `None` for all.
    pub(super) fn among(&self) -> Option<&[Action]> {
        self.allowed.as_deref()
    }

    /// Returns whether an action may be chosen.
    pub(super) fn allows(&self, game: &Game, action: Action) -> bool {
        let is_among = self.among().is_none_or(|among| among.contains(&action));
        is_among && game.is_legal(action)
    }

    /// Returns an allowed action, to be played if a player fails.
    ///
    /// # Panics
    ///
    /// Panics if the game has no legal action; a job to think starts only where there is one.
    pub(super) fn any(&self, game: &Game) -> Action {
        let first = self.among().and_then(|among| among.first()).copied();
        first.unwrap_or_else(|| game.actions()[0])
    }

    /// Returns whether several lines are reported, and so numbered.
    pub(super) fn is_several(&self) -> bool {
        self.lines > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Rules;

    fn action(text: &str) -> Action {
        text.parse().expect("an action")
    }

    /// A red king that may go to a7 or b8.
    fn game() -> Game {
        Game::from_text("K3/4/4/4/4/4/4/3g r - 0 0", Rules::OLYMPIAD).expect("a game")
    }

    #[test]
    fn without_a_restriction_all_legal_actions_are_allowed() {
        let all = Choosing::new(&game(), &[], 3);
        assert_eq!((all.among(), all.is_several()), (None, true));
        assert!(all.allows(&game(), action("a8-a7")));
        assert!(!all.allows(&game(), action("a8-a6")));
        assert_eq!(all.any(&game()), action("a8-a7"));
    }

    #[test]
    fn only_legal_actions_among_those_asked_for_are_allowed() {
        let asked = [action("a1-a2"), action("a8-b8")];
        let only = Choosing::new(&game(), &asked, 1);
        assert_eq!(only.among(), Some(&[action("a8-b8")][..]));
        assert!(only.allows(&game(), action("a8-b8")));
        assert!(!only.allows(&game(), action("a8-a7")));
        assert_eq!(only.any(&game()), action("a8-b8"));
        let none = Choosing::new(&game(), &[action("a1-a2")], 1);
        assert!(none.allows(&game(), action("a8-a7")));
    }
}
