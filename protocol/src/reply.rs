//! Replies as values, and their text.
//!
//! A reply is `=<number> <text>` or `?<number> <reason>` and ends with exactly
//! one newline. An answer of several lines indents all but the first, so that a
//! reader who does not know the command can find the answer's end: the next
//! line that is not indented.

use crate::command::Refusal;
use anqi_rules::{Action, Position};
use std::fmt;
use std::time::Duration;

/// A reply to one request.
///
/// ```
/// use anqi_protocol::{Answer, Reply};
///
/// let action = "b4-b2".parse()?;
/// let reply = Reply::done(Some(12), Answer::Squares(action));
/// assert_eq!(reply.to_string(), "=12 b4 b2\n");
/// assert_eq!(Reply::refused(Some(60), "no table").to_string(), "?60 no table\n");
/// # Ok::<(), anqi_rules::notation::ParsePlyError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The number of the request, if it had one.
    pub number: Option<u32>,
    /// The answer, or why there is none.
    pub content: Result<Answer, String>,
}

/// The answer to an accepted request.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// No text: the request was carried out.
    Empty,
    /// A text of one line.
    Text(String),
    /// `true` or `false`.
    Truth(bool),
    /// Several lines; all but the first are indented.
    Lines(Vec<String>),
    /// An action as the answer to `genmove`: `b4 b2`, a flip as `b2 b2`.
    Squares(Action),
    /// Actions on one line: `a1-a1 b4-b2`.
    Actions(Vec<Action>),
    /// A position string.
    Position(Box<Position>),
    /// A number.
    Count(u64),
    /// The result of `go`.
    BestMove(BestMove),
}

/// The result of `go`.
#[derive(Clone, Debug, PartialEq)]
pub struct BestMove {
    /// The action.
    pub action: Action,
    /// Its value as text, such as `+0.053` or `win 5`.
    pub score: Option<String>,
    /// The depth of the search in plies.
    pub depth: u32,
    /// Nodes of the search.
    pub nodes: u64,
    /// The best actions in order, if several were requested.
    pub ranked: Vec<RankedAction>,
}

/// One of the best actions.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedAction {
    /// The action.
    pub action: Action,
    /// Its value as text.
    pub score: String,
    /// The principal variation, this action first.
    pub line: Vec<Action>,
}

/// A line about a running search: `info depth 5 nodes 1234 …`.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// The rank of this action, from 1, if several are reported.
    pub multipv: Option<u32>,
    /// The depth of the search in plies.
    pub depth: u32,
    /// The longest line in plies.
    pub selective_depth: u32,
    /// The value as text.
    pub score: Option<String>,
    /// The plies to the end of the game, if it is proven to end in so many; negative if the side to
    /// move loses.
    pub plies_to_end: Option<i32>,
    /// Nodes of the search.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Answers from endgame tables.
    pub table_hits: u64,
    /// How full the transposition table is, in thousandths.
    pub hash_permille: u32,
    /// The principal variation.
    pub line: Vec<Action>,
}

impl BestMove {
    /// Returns an action that was not searched.
    pub fn plain(action: Action) -> BestMove {
        BestMove {
            action,
            score: None,
            depth: 0,
            nodes: 0,
            ranked: Vec::new(),
        }
    }
}

impl Reply {
    /// Returns the reply that accepts a request.
    pub fn done(number: Option<u32>, answer: Answer) -> Reply {
        Reply {
            number,
            content: Ok(answer),
        }
    }

    /// Returns the reply that refuses a request.
    pub fn refused(number: Option<u32>, reason: impl fmt::Display) -> Reply {
        Reply {
            number,
            content: Err(reason.to_string()),
        }
    }

    /// Returns whether the request was refused.
    pub fn is_refusal(&self) -> bool {
        self.content.is_err()
    }
}

impl From<Refusal> for Reply {
    fn from(refusal: Refusal) -> Reply {
        Reply::refused(refusal.number, refusal.error)
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mark, text) = match &self.content {
            Ok(answer) => ('=', answer.to_string()),
            Err(reason) => ('?', reason.clone()),
        };
        write!(f, "{mark}")?;
        match self.number {
            Some(number) if text.is_empty() => write!(f, "{number}")?,
            Some(number) => write!(f, "{number} ")?,
            None => write!(f, " ")?,
        }
        writeln!(f, "{}", indented(&text))
    }
}

/// Indents all lines but the first, and drops control characters and newlines at the end.
fn indented(text: &str) -> String {
    let kept: String = text
        .chars()
        .filter(|c| *c == '\n' || !c.is_control())
        .collect();
    kept.trim_end().replace('\n', "\n ")
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Empty => Ok(()),
            Answer::Text(text) => f.write_str(text),
            Answer::Truth(truth) => write!(f, "{truth}"),
            Answer::Lines(lines) => f.write_str(&lines.join("\n")),
            Answer::Squares(action) => write!(f, "{} {}", action.from(), action.to()),
            Answer::Actions(actions) => f.write_str(&spaced(actions)),
            Answer::Position(position) => write!(f, "{position}"),
            Answer::Count(count) => write!(f, "{count}"),
            Answer::BestMove(best) => write!(f, "{best}"),
        }
    }
}

impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bestmove {}", self.action)?;
        if let Some(score) = &self.score {
            write!(f, " score {score}")?;
        }
        write!(f, " depth {} nodes {}", self.depth, self.nodes)?;
        for (index, ranked) in self.ranked.iter().enumerate() {
            let (rank, action, score) = (index + 1, ranked.action, &ranked.score);
            write!(
                f,
                "\nrank {rank} {action} score {score} pv {}",
                spaced(&ranked.line)
            )?;
        }
        Ok(())
    }
}

impl Info {
    /// Writes nodes, time, speed and counters; a counter of zero is left out.
    pub(crate) fn counts(&self) -> String {
        let mut text = format!(" nodes {} time {}", self.nodes, self.time.as_millis());
        let seconds = self.time.as_secs_f64();
        if seconds > 0.0 {
            text.push_str(&format!(" nps {:.0}", self.nodes as f64 / seconds));
        }
        if self.hash_permille > 0 {
            text.push_str(&format!(" hashfull {}", self.hash_permille));
        }
        if self.table_hits > 0 {
            text.push_str(&format!(" tbhits {}", self.table_hits));
        }
        text
    }
}

impl fmt::Display for Info {
    /// Writes the line with its newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "info")?;
        if let Some(multipv) = self.multipv {
            write!(f, " multipv {multipv}")?;
        }
        write!(f, " depth {} seldepth {}", self.depth, self.selective_depth)?;
        if let Some(score) = &self.score {
            write!(f, " score {score}")?;
        }
        f.write_str(&self.counts())?;
        if !self.line.is_empty() {
            write!(f, " pv {}", spaced(&self.line))?;
        }
        writeln!(f)
    }
}

fn spaced(actions: &[Action]) -> String {
    let texts: Vec<String> = actions.iter().map(ToString::to_string).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(text: &str) -> anqi_rules::Square {
        text.parse().expect("a square")
    }

    #[test]
    fn answers_have_exactly_one_newline_at_the_end() {
        let flip = Action::flip(square("b8"));
        let step = Action::step(square("b4"), square("b2"));
        let cases = [
            (Some(7), Answer::Empty, "=7\n"),
            (None, Answer::Empty, "= \n"),
            (Some(1), Answer::Text("anqi".to_owned()), "=1 anqi\n"),
            (None, Answer::Text("anqi\n\n".to_owned()), "= anqi\n"),
            (Some(3), Answer::Truth(false), "=3 false\n"),
            (Some(12), Answer::Squares(flip), "=12 b8 b8\n"),
            (
                Some(51),
                Answer::Actions(vec![flip, step]),
                "=51 b8-b8 b4-b2\n",
            ),
            (Some(51), Answer::Actions(Vec::new()), "=51\n"),
            (Some(58), Answer::Count(448), "=58 448\n"),
            (
                Some(4),
                Answer::Lines(vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]),
                "=4 a\n b\n c\n",
            ),
        ];
        for (number, answer, text) in cases {
            assert_eq!(Reply::done(number, answer).to_string(), text);
        }
    }

    #[test]
    fn refusals_stay_on_their_lines_whatever_they_quote() {
        let reply = Reply::refused(Some(10), "first\nsecond\r\u{7}");
        assert_eq!(reply.to_string(), "?10 first\n second\n");
        assert_eq!(Reply::refused(None, "no").to_string(), "? no\n");
    }

    #[test]
    fn best_move_and_info_name_what_they_know() {
        let action = Action::flip(square("a1"));
        let best = BestMove {
            action,
            score: Some("0.25".to_owned()),
            depth: 3,
            nodes: 99,
            ranked: Vec::new(),
        };
        assert_eq!(
            best.to_string(),
            "bestmove a1-a1 score 0.25 depth 3 nodes 99"
        );
        let info = Info {
            multipv: None,
            depth: 3,
            score: None,
            plies_to_end: None,
            nodes: 99,
            time: Duration::from_millis(10),
            selective_depth: 5,
            table_hits: 0,
            hash_permille: 7,
            line: vec![action],
        };
        assert_eq!(
            info.to_string(),
            "info depth 3 seldepth 5 nodes 99 time 10 nps 9900 hashfull 7 pv a1-a1\n"
        );
    }
}
