//! Chases, flights and the ban on perpetual chasing, by brute force.

use crate::board::opponent;
use crate::rules::{Manner, NaiveRules, Repetition};
use crate::{EMPTY, Naive};

impl Naive {
    /// Returns what the last ply did in a chase.
    pub fn manner(&self) -> Manner {
        let Some(last) = self.history.len().checked_sub(1) else {
            return Manner::Ordinary;
        };
        match (self.attacks(last), self.flees(last)) {
            (true, false) => Manner::Chase,
            (false, true) => Manner::Flight,
            _ => Manner::Ordinary,
        }
    }

    /// Returns whether a quiet ply of the history attacks the piece that moved just before.
    fn attacks(&self, index: usize) -> bool {
        if index == 0 || !self.history[index].quiet {
            return false;
        }
        let (Some((_, here)), Some((_, prey))) = (self.squares(index), self.squares(index - 1))
        else {
            return false;
        };
        let board = &self.history[index].board_after;
        let after = Naive::parse(&format!("{board} - 0 0")).expect("a board of its own");
        let mover = opponent(after.turn());
        let captures = format!("{here}-{prey}");
        after.with_turn(mover).actions().contains(&captures)
    }

    /// Returns whether a quiet ply of the history moved the piece that the ply before attacked.
    fn flees(&self, index: usize) -> bool {
        if index < 2 || !self.history[index].quiet || !self.attacks(index - 1) {
            return false;
        }
        let (now, chased) = (self.squares(index), self.squares(index - 2));
        now.zip(chased)
            .is_some_and(|((from, _), (_, to))| from == to)
    }

    /// Returns the start and target squares of a ply of the history; `None` for a flip.
    fn squares(&self, index: usize) -> Option<(&str, &str)> {
        self.history[index].ply.split_once('-')
    }

    /// Returns every action that the rules allow in this game, in the order of the names.
    pub fn legal_under(&self, rules: &NaiveRules) -> Vec<String> {
        let all = self.legal();
        let Repetition::ChaseBan(times) = rules.repetition else {
            return all;
        };
        let is_banned = |action: &String| {
            let (_, to) = action.split_once('-').expect("actions have two squares");
            let mut next = self.clone();
            self.at(to) == EMPTY
                && next.play(action).is_ok()
                && next.occurrences() >= times
                && next.manner() == Manner::Chase
        };
        let free: Vec<String> = all.iter().filter(|a| !is_banned(a)).cloned().collect();
        if free.is_empty() { all } else { free }
    }
}
