//! Completion: commands, squares, and the targets of a piece.

use super::input::COMMANDS;
use anqi_rules::Action;
use anqi_search::players::KNOWN;

/// What may be typed now.
#[derive(Clone, Debug, Default)]
pub struct Completion {
    /// The legal actions.
    actions: Vec<Action>,
}

impl Completion {
    /// Returns the completion for a position with these legal actions.
    pub fn new(actions: Vec<Action>) -> Completion {
        Completion { actions }
    }

    /// Returns where the word at the end of `typed` starts, and the words it may become.
    pub fn complete(&self, typed: &str) -> (usize, Vec<String>) {
        let start = typed.rfind(char::is_whitespace).map_or(0, |blank| {
            blank + typed[blank..].chars().next().map_or(0, char::len_utf8)
        });
        let (before, word) = typed.split_at(start);
        let mut candidates = match before.trim().to_lowercase().as_str() {
            "" => self.first_words(),
            "hint" => KNOWN.map(|(name, _)| name.to_owned()).to_vec(),
            from => self.targets(from),
        };
        let word = word.to_lowercase();
        candidates.retain(|candidate| candidate.starts_with(&word));
        candidates.dedup();
        (start, candidates)
    }

    /// The squares that can be flipped or left, and the commands.
    fn first_words(&self) -> Vec<String> {
        let mut squares: Vec<String> = self.actions.iter().map(|a| a.from().to_string()).collect();
        squares.sort();
        squares.extend(COMMANDS.map(str::to_owned));
        squares
    }

    /// The squares that the piece on `from` can go to.
    fn targets(&self, from: &str) -> Vec<String> {
        let leaves =
            |action: &&Action| !action.is_flip() && action.from().to_string().as_str() == from;
        let targets = self.actions.iter().filter(leaves);
        targets.map(|action| action.to().to_string()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Position;

    fn complete(typed: &str) -> (usize, Vec<String>) {
        let position: Position = "4/4/4/4/4/1k2/?3/P3 r p 0 90".parse().unwrap();
        Completion::new(position.actions().iter().copied().collect()).complete(typed)
    }

    fn words(typed: &str) -> Vec<String> {
        complete(typed).1
    }

    #[test]
    fn commands_and_squares_complete_the_first_word() {
        assert_eq!(words("mo"), ["moves"]);
        assert_eq!(words("re"), ["redo", "resign"]);
        assert_eq!(words("A"), ["a1", "a2"]);
        assert!(words("").contains(&"quit".to_owned()));
        assert!(words("zz").is_empty());
    }

    #[test]
    fn a_square_is_followed_by_legal_targets_alone() {
        assert_eq!(complete("a1 "), (3, vec!["b1".to_owned()]));
        assert!(words("a2 ").is_empty(), "a face-down piece goes nowhere");
        assert!(words("b3 ").is_empty(), "the other side's piece");
        assert_eq!(words("hint gr"), ["greedy"]);
        assert!(words("漢 字").is_empty());
    }
}
