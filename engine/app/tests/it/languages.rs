//! A game in each language: nothing of it is in another one.

use super::common::{anqi, assert_refused, out};

/// What may be in Latin letters in a Chinese game: commands, their arguments, options and players.
const COMMANDS: &str = "b2 b3 c3 moves hint PLAYER undo redo save FILE load board position rules resign \
    new quit Ctrl-C Tab help flip move x greedy pgn PGN anqi play --position --seed --level champion Enter \
    random hmm game txt";

/// Plays a game with a question and a mistake of each kind.
fn played(language: &str, more: &[&str]) -> String {
    let mut arguments = vec!["play", "--seed", "7", "--nodes", "50"];
    arguments.extend(["--lang", language, "--opponent", "greedy"]);
    arguments.extend(more);
    let input = "rules\nhelp\nb2\nb2 d8\ne9\nhmm\nmove b2\nsave\nmoves\nhint greedy\nundo\nredo\nundo\n\
        resign\nb3\nmoves\nnew\n";
    out(&anqi(&arguments, input))
}

fn words(text: &str) -> Vec<&str> {
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let parts = text.split(|c: char| !is_letter(c));
    parts.filter(|word| word.len() > 2).collect()
}

#[test]
fn a_game_in_chinese_has_no_sentence_in_english() {
    for (language, title, other) in [
        ("zh-Hant", "暗棋：你先手，對手是greedy。", "对"),
        ("zh-Hans", "暗棋：你先手，对手是greedy。", "對"),
    ] {
        let text = played(language, &[]);
        assert!(text.contains(title), "{text}");
        assert!(!text.contains(other), "{text}");
        let english: Vec<&str> = words(&text)
            .into_iter()
            .filter(|word| !COMMANDS.contains(word))
            .collect();
        assert!(english.is_empty(), "{english:?} in {text}");
    }
}

#[test]
fn pieces_are_characters_in_chinese_unless_letters_are_wanted() {
    let text = played("zh-Hans", &[]);
    assert!(text.contains('将') && !text.contains('將'), "{text}");
    assert!(text.contains('？'));
    let letters = played("zh-Hant", &["--letters"]);
    assert!(
        letters.contains("紅方") && !letters.contains('？'),
        "{letters}"
    );
}

#[test]
fn an_unknown_language_is_refused_by_name() {
    assert_refused(&["play", "--lang", "tlh"], 2, &["`tlh` is not a language"]);
}
