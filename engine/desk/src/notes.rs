//! Comments and variations of a game, and how a record writes them.
//!
//! The text follows chess records (PGN): a comment in braces after its ply, a
//! variation in round brackets after the ply that it replaces.
//!
//! ```text
//! {before the first ply} b3(K) {a good start} ( b3(p) c6(k) ) c6(g) c5(P)
//! ```
//!
//! In a comment `\` escapes `}` and itself.

use crate::wire::{Code, NotedPly, Notes, Refusal, refuse};
use anqi_rules::{Game, Ply, Position, Rules};

/// The most plies of a line with all its variations.
pub const MOST_NOTED_PLIES: usize = 4_000;

impl Notes {
    /// Returns the plies of the main line.
    pub fn main_line(&self) -> Vec<&str> {
        let mut line = Vec::new();
        let mut at = 0;
        for (index, noted) in self.plies.iter().enumerate() {
            // The first ply that follows another continues its line.
            if noted.after == at {
                line.push(noted.ply.as_str());
                at = index + 1;
            }
        }
        line
    }

    /// Returns whether there are comments or variations.
    pub fn say_more(&self) -> bool {
        let commented = self.plies.iter().any(|noted| !noted.comment.is_empty());
        commented || !self.comment.is_empty() || self.main_line().len() < self.plies.len()
    }

    /// Checks that every ply follows an earlier one and can be played.
    ///
    /// # Errors
    ///
    /// Returns an error if a ply is wrong or there are too many.
    pub fn check(&self, start: Position, rules: Rules) -> Result<(), Refusal> {
        if self.plies.len() > MOST_NOTED_PLIES {
            let plies = self.plies.len();
            let message = format!("{plies} plies with variations (at most {MOST_NOTED_PLIES})");
            return refuse(Code::Unreadable, message);
        }
        let followers = self.followers()?;
        let mut game = Game::new(start, rules);
        // Depth first: each ply is taken back after the plies that follow it.
        let mut agenda = Vec::new();
        let later = |agenda: &mut Vec<Step>, node: usize| {
            agenda.extend(followers[node].iter().rev().map(|&ply| Step::Play(ply)));
        };
        later(&mut agenda, 0);
        while let Some(step) = agenda.pop() {
            let Step::Play(number) = step else {
                game.undo();
                continue;
            };
            let text = &self.plies[number - 1].ply;
            let unreadable = |error: String| Refusal {
                code: Code::Unreadable,
                message: format!("{text}: {error}"),
            };
            let ply: Ply = text.parse().map_err(|e| unreadable(format!("{e}")))?;
            game.play(ply).map_err(|e| unreadable(format!("{e}")))?;
            agenda.push(Step::TakeBack);
            later(&mut agenda, number);
        }
        Ok(())
    }

    /// Returns for the start and each ply the numbers of the plies that follow, the main line first.
    fn followers(&self) -> Result<Vec<Vec<usize>>, Refusal> {
        let mut followers = vec![Vec::new(); self.plies.len() + 1];
        for (index, noted) in self.plies.iter().enumerate() {
            if noted.after > index {
                let message = format!("ply {} comes after a later one", index + 1);
                return refuse(Code::Unreadable, message);
            }
            followers[noted.after].push(index + 1);
        }
        Ok(followers)
    }

    /// Writes the notes as text.
    ///
    /// # Errors
    ///
    /// Returns an error if a ply follows a later one.
    pub fn write(&self) -> Result<String, Refusal> {
        let followers = self.followers()?;
        let mut text = String::new();
        comment(&mut text, &self.comment);
        let mut agenda = vec![Writing::After(0)];
        while let Some(step) = agenda.pop() {
            match step {
                Writing::Close => word(&mut text, ")"),
                Writing::Ply(number) => self.write_ply(&mut text, number),
                Writing::Variation(number) => {
                    word(&mut text, "(");
                    self.write_ply(&mut text, number);
                    agenda.extend([Writing::Close, Writing::After(number)]);
                }
                Writing::After(number) => {
                    let Some((&first, others)) = followers[number].split_first() else {
                        continue;
                    };
                    // A stack: the last step pushed comes first.
                    agenda.push(Writing::After(first));
                    agenda.extend(others.iter().rev().map(|&other| Writing::Variation(other)));
                    agenda.push(Writing::Ply(first));
                }
            }
        }
        Ok(text)
    }

    fn write_ply(&self, text: &mut String, number: usize) {
        let noted = &self.plies[number - 1];
        word(text, &noted.ply);
        comment(text, &noted.comment);
    }
}

enum Step {
    Play(usize),
    TakeBack,
}

enum Writing {
    /// A ply, without what follows it.
    Ply(usize),
    /// A ply and what follows it, in brackets.
    Variation(usize),
    /// Everything that follows a ply.
    After(usize),
    Close,
}

fn word(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

fn comment(text: &mut String, comment: &str) {
    if comment.is_empty() {
        return;
    }
    word(text, "{");
    for sign in comment.chars() {
        if matches!(sign, '}' | '\\') {
            text.push('\\');
        }
        text.push(sign);
    }
    text.push('}');
}

/// Reads a line with comments and variations; does not check that the plies can be played.
///
/// # Errors
///
/// Returns an error if a comment or bracket is open or misplaced, or there are too many plies.
pub fn read(text: &str) -> Result<Notes, Refusal> {
    let mut reader = Reader::default();
    let mut rest = text.trim_start();
    while let Some(sign) = rest.chars().next() {
        rest = match sign {
            '{' => reader.comment(&rest[1..])?,
            '(' => reader.open(&rest[1..])?,
            ')' => reader.close(&rest[1..])?,
            _ => reader.ply(rest)?,
        }
        .trim_start();
    }
    if reader.open.is_empty() {
        return Ok(reader.notes);
    }
    refuse(Code::Unreadable, "a variation that is not closed")
}

#[derive(Default)]
struct Reader {
    notes: Notes,
    /// The ply that was read last, 0 before the first.
    at: usize,
    /// The plies that the open variations replace.
    open: Vec<usize>,
    /// Whether a variation has just begun.
    begins: bool,
}

impl Reader {
    fn comment<'a>(&mut self, rest: &'a str) -> Result<&'a str, Refusal> {
        let comment = match self.at {
            0 => &mut self.notes.comment,
            ply => &mut self.notes.plies[ply - 1].comment,
        };
        if self.begins || !comment.is_empty() {
            return refuse(Code::Unreadable, "a comment that belongs to no ply");
        }
        let mut signs = rest.char_indices();
        while let Some((index, sign)) = signs.next() {
            match sign {
                '}' => return Ok(&rest[index + 1..]),
                '\\' => comment.extend(signs.next().map(|(_, sign)| sign)),
                sign => comment.push(sign),
            }
        }
        refuse(Code::Unreadable, "a comment that is not closed")
    }

    fn open<'a>(&mut self, rest: &'a str) -> Result<&'a str, Refusal> {
        let Some(replaced) = self.at.checked_sub(1).filter(|_| !self.begins) else {
            return refuse(Code::Unreadable, "a variation of no ply");
        };
        self.open.push(self.at);
        self.at = self.notes.plies[replaced].after;
        self.begins = true;
        Ok(rest)
    }

    fn close<'a>(&mut self, rest: &'a str) -> Result<&'a str, Refusal> {
        let back = self.open.pop().filter(|_| !self.begins);
        let Some(back) = back else {
            return refuse(Code::Unreadable, "a bracket that closes no variation");
        };
        self.at = back;
        Ok(rest)
    }

    fn ply<'a>(&mut self, rest: &'a str) -> Result<&'a str, Refusal> {
        let end = rest.find(|sign: char| sign.is_whitespace() || sign == '{');
        let (ply, rest) = rest.split_at(end.unwrap_or(rest.len()));
        if self.notes.plies.len() >= MOST_NOTED_PLIES {
            return refuse(
                Code::Unreadable,
                format!("more than {MOST_NOTED_PLIES} plies with variations"),
            );
        }
        self.notes.plies.push(NotedPly {
            ply: ply.to_owned(),
            after: self.at,
            comment: String::new(),
        });
        self.at = self.notes.plies.len();
        self.begins = false;
        Ok(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str) -> Result<(), Refusal> {
        read(text)?.check(Position::start(), Rules::OLYMPIAD)
    }

    #[test]
    fn a_text_tells_lines_comments_and_variations() {
        let text =
            "{so it begins} b3(K) {good} ( b3(p) c6(k) ( c6(g) ) d1(n) ) ( b3(P) ) c6(g) c5(P)";
        let notes = read(text).unwrap();
        assert_eq!(notes.main_line(), ["b3(K)", "c6(g)", "c5(P)"]);
        assert_eq!(notes.comment, "so it begins");
        let after: Vec<(&str, usize)> = notes.plies.iter().map(|n| (&*n.ply, n.after)).collect();
        let expected = [
            ("b3(K)", 0),
            ("b3(p)", 0),
            ("c6(k)", 2),
            ("c6(g)", 2),
            ("d1(n)", 3),
            ("b3(P)", 0),
            ("c6(g)", 1),
            ("c5(P)", 7),
        ];
        assert_eq!(after, expected);
        assert_eq!(notes.write().unwrap(), text);
        assert_eq!(check(text), Ok(()));
        assert!(notes.say_more() && !read("b3(K) c6(g)").unwrap().say_more());
        assert!(read("b3(K) {x}").unwrap().say_more());
    }

    #[test]
    fn what_cannot_be_read_or_played_is_said() {
        for (text, part) in [
            ("b3(K) {good", "not closed"),
            ("b3(K) ( c6(g)", "not closed"),
            ("( b3(K) )", "of no ply"),
            ("b3(K) )", "closes no"),
            ("b3(K) ( )", "closes no"),
            ("b3(K) {one} {two}", "belongs to no ply"),
            ("b3(K) ( {early} b3(p) )", "belongs to no ply"),
            ("b3(K) ( b3-b4 )", "b3-b4"),
            ("b3(K) ( b3(p) c6(k) ) b3(p)", "b3(p)"),
            ("b3(K) nonsense", "nonsense"),
        ] {
            let refusal = check(text).expect_err(text);
            assert!(refusal.message.contains(part), "{text}: {refusal}");
        }
        let endless = "a1(K) ".repeat(MOST_NOTED_PLIES + 1);
        assert!(read(&endless).is_err());
        let ahead = NotedPly {
            ply: "b3(K)".to_owned(),
            after: 1,
            comment: String::new(),
        };
        let notes = Notes {
            plies: vec![ahead],
            ..Notes::default()
        };
        assert!(notes.write().is_err() && notes.check(Position::start(), Rules::OLYMPIAD).is_err());
    }

    /// A tree whose plies are named by their numbers: reading does not play them.
    fn trees() -> impl Strategy<Value = Notes> {
        let comment = "[ a{}()\\\\\n-]{0,6}";
        let plies = proptest::collection::vec((any::<prop::sample::Index>(), comment), 0..40);
        (comment, plies).prop_map(|(comment, plies)| Notes {
            comment,
            plies: plies
                .into_iter()
                .enumerate()
                .map(|(index, (after, comment))| NotedPly {
                    ply: format!("p{}", index + 1),
                    after: after.index(index + 1),
                    comment,
                })
                .collect(),
        })
    }

    /// The lines from the start to every ply, each with its comment, in the order of the tree.
    fn lines(notes: &Notes) -> Vec<(Vec<String>, String)> {
        let mut lines: Vec<(Vec<String>, String)> = vec![(Vec::new(), notes.comment.clone())];
        for noted in &notes.plies {
            let mut line = lines[noted.after].0.clone();
            line.push(noted.ply.clone());
            lines.push((line, noted.comment.clone()));
        }
        lines.sort();
        lines
    }

    proptest! {
        #[test]
        fn what_is_written_reads_the_same(notes in trees()) {
            let again = read(&notes.write().unwrap()).unwrap();
            prop_assert_eq!(lines(&again), lines(&notes));
            prop_assert_eq!(again.main_line(), notes.main_line());
            prop_assert_eq!(again.write().unwrap(), notes.write().unwrap());
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "[ab1(){}\\\\ ]{0,60}") {
            let _ = read(&text).map(|notes| (notes.write().is_ok(), notes.main_line().len()));
        }
    }
}
