//! The reader of dialogues between a server and an engine, from a contest's public logs.
//!
//! A log (`*.command`) has the server's requests as sent, `10 move b4 b2`, and the engine's answers after `>>`.
//! The plies of a game are the server's `move` and `flip` requests: the server repeats each answer to `genmove`
//! as the next ply, and a dialogue is consistent only if it does.

/// The game in a dialogue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dialogue {
    /// The plies in the notation of records.
    pub plies: Vec<String>,
    /// The number of answers to `genmove`.
    pub answers: usize,
    /// The number of these answers that the server did not repeat as the next ply.
    pub answers_not_repeated: usize,
}

/// Reads a dialogue.
///
/// # Errors
///
/// Returns an error that names the first `move` or `flip` request with a wrong number of words.
pub fn read(text: &str) -> Result<Dialogue, String> {
    let mut dialogue = Dialogue::default();
    let mut answer: Option<String> = None;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ply = match words.as_slice() {
            ["10", "move", from, to] => format!("{from}-{to}"),
            ["11", "flip", square, letter] => format!("{square}({letter})"),
            ["10" | "11", ..] => return Err(format!("not a ply: {line}")),
            [">>12", from, to] => {
                answer = Some(format!("{from}-{to}"));
                dialogue.answers += 1;
                continue;
            }
            _ => continue,
        };
        if let Some(answer) = answer.take() {
            dialogue.answers_not_repeated += usize::from(answer != action_of(&ply));
        }
        dialogue.plies.push(ply);
    }
    dialogue.answers_not_repeated += usize::from(answer.is_some());
    Ok(dialogue)
}

/// Returns the action of a ply: `b2-b2` for `b2(G)`.
pub fn action_of(ply: &str) -> String {
    match ply.split_once('(') {
        Some((square, _)) => format!("{square}-{square}"),
        None => ply.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPENING: &str = "1 name\n>>1 MyAI\n12 genmove unknown\n>>12 b8 b8\n11 flip b8 P\n>>11\n\
        16 time_left red 900000\n>>16\n11 flip b6 p\n12 genmove red\n>>12 b8 b7\n10 move b8 b7\n";

    #[test]
    fn plies_come_from_the_server() {
        let dialogue = read(OPENING).unwrap();
        assert_eq!(dialogue.plies, ["b8(P)", "b6(p)", "b8-b7"]);
        assert_eq!((dialogue.answers, dialogue.answers_not_repeated), (2, 0));
    }

    #[test]
    fn an_answer_that_is_not_repeated_is_counted() {
        let other = OPENING.replace("10 move b8 b7", "10 move b8 c8");
        assert_eq!(read(&other).unwrap().answers_not_repeated, 1);
        let unanswered = OPENING.replace("10 move b8 b7", "5 quit");
        assert_eq!(read(&unanswered).unwrap().answers_not_repeated, 1);
    }

    #[test]
    fn a_ply_with_a_missing_word_is_an_error() {
        assert!(read("10 move b8").is_err());
    }
}
