//! Which puzzles to keep, and in which order to ask them.

use crate::puzzle::Puzzle;
use std::collections::HashMap;
use std::hash::Hash;

/// Chooses up to `most` puzzles, spread evenly over the difficulties, the easy first; among puzzles
/// of one difficulty, themes and goals take turns.
pub fn choose(mut puzzles: Vec<Puzzle>, most: usize) -> Vec<Puzzle> {
    puzzles.sort_by(|a, b| (a.difficulty, &a.id).cmp(&(b.difficulty, &b.id)));
    puzzles.dedup_by(|a, b| a.id == b.id);
    let mut ranks = ranked(puzzles, |puzzle| puzzle.difficulty);
    ranks.sort_by_key(|(rank, puzzle)| (*rank, puzzle.difficulty));
    ranks.truncate(most);
    let mut chosen: Vec<Puzzle> = ranks.into_iter().map(|(_, puzzle)| puzzle).collect();
    chosen.sort_by(|a, b| (a.difficulty, &a.id).cmp(&(b.difficulty, &b.id)));
    let mut turns = ranked(chosen, |p| (p.difficulty, p.theme, p.goal));
    turns.sort_by_key(|(rank, puzzle)| (puzzle.difficulty, *rank));
    turns.into_iter().map(|(_, puzzle)| puzzle).collect()
}

/// Numbers the puzzles of each kind from 0.
fn ranked<K: Hash + Eq>(puzzles: Vec<Puzzle>, kind: impl Fn(&Puzzle) -> K) -> Vec<(usize, Puzzle)> {
    let mut seen: HashMap<K, usize> = HashMap::new();
    let number = |puzzle: Puzzle| {
        let count = seen.entry(kind(&puzzle)).or_default();
        *count += 1;
        (*count - 1, puzzle)
    };
    puzzles.into_iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Goal, Theme};

    #[test]
    fn puzzles_are_chosen_evenly() {
        let all = [("a", 1), ("b", 1), ("c", 1), ("d", 4), ("e", 9), ("a", 1)];
        let all = all
            .map(|(id, difficulty)| Puzzle::sample(id, difficulty))
            .to_vec();
        let chosen = choose(all, 4);
        let names: Vec<&str> = chosen.iter().map(|puzzle| puzzle.id.as_str()).collect();
        assert_eq!(names, ["a", "b", "d", "e"]);
    }

    #[test]
    fn kinds_take_turns_within_a_difficulty() {
        let of = |id, goal, theme| Puzzle {
            goal,
            theme,
            ..Puzzle::sample(id, 1)
        };
        let all = vec![
            of("a", Goal::Draw, Theme::Endgame),
            of("b", Goal::Draw, Theme::Endgame),
            of("c", Goal::Win, Theme::Endgame),
            of("d", Goal::Draw, Theme::Endgame),
            of("e", Goal::Draw, Theme::Flip),
        ];
        let chosen = choose(all, 9);
        let names: Vec<&str> = chosen.iter().map(|puzzle| puzzle.id.as_str()).collect();
        assert_eq!(names, ["a", "c", "e", "b", "d"]);
    }
}
