//! A search restricted to some of the legal actions (`searchmoves`).
//!
//! Players cannot be restricted. They rank all actions instead, and the actions
//! that are not allowed are left out of reports and answer. If a player ranks no
//! allowed action, the first one is played.

use anqi_protocol::Info;
use anqi_rules::{Action, Game};
use anqi_search::{Choice, LineStep};

/// The actions to choose from, and how many of the best to tell.
#[derive(Clone, Debug)]
pub(super) struct Choosing {
    /// Empty for all.
    allowed: Vec<Action>,
    lines: usize,
    /// How many lines of this depth have been told.
    told: usize,
}

impl Choosing {
    /// Chooses among these actions; those that are not legal are left out.
    ///
    /// # Errors
    ///
    /// Says so if none is legal.
    pub(super) fn new(game: &Game, actions: &[Action], lines: usize) -> Result<Choosing, String> {
        let legal = |action: &&Action| game.is_legal(**action);
        let allowed: Vec<Action> = actions.iter().filter(legal).copied().collect();
        if allowed.is_empty() && !actions.is_empty() {
            return Err("none of these moves is legal here".to_owned());
        }
        Ok(Choosing {
            allowed,
            lines,
            told: 0,
        })
    }

    /// Chooses among all actions.
    pub(super) fn among_all() -> Choosing {
        Choosing {
            allowed: Vec::new(),
            lines: 1,
            told: 0,
        }
    }

    /// Returns how many of the best actions a player has to rank.
    pub(super) fn to_rank(&self, game: &Game) -> usize {
        match self.allowed.is_empty() {
            true => self.lines,
            false => game.actions().len(),
        }
    }

    /// Returns whether several lines are told, and so numbered.
    pub(super) fn is_several(&self) -> bool {
        self.lines > 1
    }

    /// Returns what a player tells with what is not allowed left out.
    pub(super) fn tell(&mut self, info: Info, rank: usize) -> Option<Info> {
        if rank == 1 {
            self.told = 0;
        }
        if self.allowed.is_empty() {
            return Some(info);
        }
        let first = info.line.first()?;
        if !self.allowed.contains(first) || self.told == self.lines {
            return None;
        }
        self.told += 1;
        let multipv = info.multipv.map(|_| self.told as u32);
        Some(Info { multipv, ..info })
    }

    /// Returns the best choice that is allowed.
    pub(super) fn choose(&self, mut choice: Choice) -> Choice {
        let Some(&first) = self.allowed.first() else {
            return choice;
        };
        choice.ranked.retain(|r| self.allowed.contains(&r.action));
        choice.ranked.truncate(self.lines);
        if let Some(best) = choice.ranked.first() {
            choice.action = best.action;
            choice.score = Some(best.score);
            choice.line.clone_from(&best.line);
        } else if !self.allowed.contains(&choice.action) {
            choice.action = first;
            choice.score = None;
            choice.line = vec![LineStep {
                action: first,
                expectation: None,
            }];
        }
        choice
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Rules;
    use anqi_search::{Ranked, Score};
    use std::time::Duration;

    fn action(text: &str) -> Action {
        text.parse().expect("an action")
    }

    /// A red king that may go to a7 or b8.
    fn game() -> Game {
        Game::from_text("K3/4/4/4/4/4/4/3g r - 0 0", Rules::OLYMPIAD).expect("a game")
    }

    fn info(first: &str) -> Info {
        Info {
            multipv: Some(9),
            depth: 1,
            selective_depth: 1,
            score: None,
            nodes: 0,
            time: Duration::ZERO,
            table_hits: 0,
            hash_permille: 0,
            line: vec![action(first)],
        }
    }

    #[test]
    fn without_a_restriction_nothing_changes() {
        let mut all = Choosing::new(&game(), &[], 3).expect("all actions");
        assert_eq!((all.to_rank(&game()), all.is_several()), (3, true));
        assert_eq!(all.tell(info("a8-a7"), 1), Some(info("a8-a7")));
        let choice = Choice::plain(action("a8-a7"));
        assert_eq!(all.choose(choice.clone()), choice);
    }

    #[test]
    fn lines_that_are_not_allowed_are_left_out_and_the_rest_numbered_anew() {
        let mut only = Choosing::new(&game(), &[action("a8-b8")], 1).expect("one action");
        assert_eq!(only.to_rank(&game()), 2);
        for _ in 0..2 {
            assert_eq!(only.tell(info("a8-a7"), 1), None);
            let told = only.tell(info("a8-b8"), 2).expect("allowed");
            assert_eq!(told.multipv, Some(1));
            assert_eq!(only.tell(info("a8-b8"), 3), None, "one line is enough");
        }
    }

    #[test]
    fn the_best_allowed_action_is_chosen_or_the_first() {
        let allowed = [action("a1-a2"), action("a8-b8")];
        let only = Choosing::new(&game(), &allowed, 1).expect("a legal action");
        let mut choice = Choice::plain(action("a8-a7"));
        assert_eq!(only.choose(choice.clone()).action, action("a8-b8"));
        for text in ["a8-a7", "a8-b8"] {
            let action = action(text);
            choice.ranked.push(Ranked {
                action,
                score: Score::Estimate(7),
                line: Choice::plain(action).line,
            });
        }
        let chosen = only.choose(choice);
        assert_eq!(chosen.action, action("a8-b8"));
        assert_eq!(chosen.score, Some(Score::Estimate(7)));
        assert_eq!(chosen.ranked.len(), 1);
        assert!(Choosing::new(&game(), &[action("a1-a2")], 1).is_err());
    }
}
