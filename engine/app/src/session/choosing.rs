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
        let legal = |action: &&Action| game.position().is_legal(**action);
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
            false => game.position().actions().len(),
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
