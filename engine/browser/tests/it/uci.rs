//! Conversations in UCI.

use super::client::Page;
use anqi_browser::Post;

/// Says these lines, lets all be done, and returns the answers.
fn said(lines: &[&str]) -> Vec<String> {
    let mut page = Page::new(None);
    for line in lines {
        page.referee.uci(line);
    }
    page.settle();
    let lines = page.left.iter().filter_map(|post| match post {
        Post::Uci(line) => Some(line.clone()),
        _ => None,
    });
    lines.collect()
}

#[test]
fn a_board_is_introduced_to_and_gets_a_move() {
    let answers = said(&[
        "uci",
        "isready",
        "setoption name Hash value 1",
        "ucinewgame",
        "position startpos",
        "go depth 1",
    ]);
    let at = |text: &str| answers.iter().position(|line| line == text);
    assert!(answers[0].starts_with("id name anqi "), "{answers:?}");
    assert!(at("uciok") < at("readyok"), "{answers:?}");
    assert!(answers.iter().any(|line| line.starts_with("info depth 1 ")));
    assert!(answers.last().unwrap().starts_with("bestmove "));
}

#[test]
fn a_ready_waits_for_the_tables_that_no_clock_must_pay() {
    let mut page = Page::new(None);
    page.referee.uci("isready");
    page.listen();
    let ready = Post::Uci("readyok".to_owned());
    assert!(!page.left.contains(&ready), "before the player is there");
    page.settle();
    assert!(page.left.contains(&ready));
}

#[test]
fn one_player_serves_all_games_and_forgets_the_last_one() {
    let mut page = Page::new(None);
    let mut searched = |lines: &[&str]| {
        for line in lines {
            page.referee.uci(line);
        }
        page.settle();
        let posts: Vec<Post> = page.left.drain(..).collect();
        let name = posts.iter().find_map(|post| match post {
            Post::Work(_, text) => {
                let work: serde_json::Value = serde_json::from_str(text).expect("JSON");
                Some(work["move"]["key"].as_str().expect("a name").to_owned())
            }
            _ => None,
        });
        let mut lines = posts.iter().filter_map(|post| match post {
            // The time is another each time.
            Post::Uci(line) if line.starts_with("info depth") => line.split_once(" time "),
            _ => None,
        });
        let (told, _) = lines.next_back().expect("an iteration");
        (name, told.to_owned())
    };
    let go = ["position startpos", "go depth 5"];
    let first = searched(&go);
    let known = searched(&go);
    let second = searched(&["ucinewgame", go[0], go[1]]);
    assert_eq!(first, second);
    assert_eq!(first.0, known.0);
    assert_ne!(first.1, known.1, "what is in the table saves nodes");
}

#[test]
fn a_search_is_stopped_and_a_ready_is_answered_meanwhile() {
    let mut page = Page::new(None);
    for line in ["position startpos", "go infinite", "isready", "stop"] {
        page.referee.uci(line);
    }
    page.listen();
    let stopped = page.left.iter().any(|post| matches!(post, Post::Stop(..)));
    assert!(stopped && page.left.contains(&Post::Uci("readyok".to_owned())));
    page.referee.failed("stopped");
    page.listen();
    assert!(matches!(page.left.last(), Some(Post::Uci(line)) if line.starts_with("bestmove ")));
}

#[test]
fn what_cannot_be_read_is_refused_in_words_and_a_go_is_answered_all_the_same() {
    let answers = said(&[
        "setoption name Hash value 9999",
        "setoption name Colour value red",
        "position fen GG6/8/8/1a5X r - 0 1 moves b3b0",
        "go nodes 100",
    ]);
    assert!(
        answers[0].contains("'9999'") && answers[0].contains("1-128"),
        "{answers:?}"
    );
    assert!(answers[1].contains("'colour'"), "{answers:?}");
    assert!(answers[2].starts_with("info string "), "{answers:?}");
    assert!(
        answers.last().unwrap().starts_with("bestmove "),
        "{answers:?}"
    );
}
