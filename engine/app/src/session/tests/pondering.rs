//! UCI: answers that are held back, and searches on the opponent's time.

use super::listening::Served;
use super::uci::assert_less;
use super::*;

const POSITION: &str = "position fen G7/8/8/7a r - 0 1\n";

fn begin(player: &'static str, go: &str) -> Served {
    let served = Served::new(player);
    served.send("uci\n");
    served.await_end("uciok\n");
    served.send(POSITION);
    served.send(go);
    served
}

/// Gives an answer time to come, and checks that none does.
fn assert_silent(served: &Served) {
    thread::sleep(Duration::from_millis(50));
    served.send("isready\n");
    let output = served.await_end("readyok\n");
    assert!(!output.contains("bestmove"), "{output}");
}

/// The limit that the player was given last, as it tells it.
fn last_limit(output: &str) -> u64 {
    let line = output.lines().rev().find(|line| line.contains(" nodes "));
    let (_, rest) = line
        .and_then(|line| line.split_once(" nodes "))
        .expect("a report");
    rest.split(' ')
        .next()
        .and_then(|word| word.parse().ok())
        .expect("a number")
}

#[test]
fn an_infinite_search_that_has_ended_is_answered_after_stop() {
    // This player ends at once, as if the action were forced or the result proven.
    for go in [
        "go infinite\n",
        "go ponder\n",
        "go ponder movetime 1\n",
        "go infinite depth 2\n",
    ] {
        let served = begin("first", go);
        assert_silent(&served);
        served.send("stop\nisready\n");
        let output = served.await_end("bestmove a3a2\nreadyok\n");
        assert_eq!(output.matches("bestmove").count(), 1, "{output}");
        served.send("quit\n");
        served.end();
    }
}

#[test]
fn an_answer_without_a_search_is_held_back_too() {
    // Nobody can move; a board that is impossible; a limit that cannot be read.
    for (position, best) in [
        ("position fen 8/8/8/7a r - 0 1\n", "(none)"),
        ("position fen GG6/8/8/7a r - 0 1\n", "a3a2"),
    ] {
        let served = begin("first", position);
        served.send("go infinite nodes x\n");
        assert_silent(&served);
        served.send("stop\n");
        served.await_end(&format!("bestmove {best}\n"));
        served.send("quit\n");
        served.end();
    }
}

#[test]
fn ponderhit_ends_no_infinite_search() {
    let served = begin("first", "go infinite\nponderhit\n");
    assert_silent(&served);
    served.send("quit\n");
    assert!(served.end().ends_with("bestmove a3a2\n"));
}

#[test]
fn ponderhit_starts_the_clock_with_the_times_of_the_go() {
    let served = begin("ponders", "go ponder movetime 60000\n");
    assert_silent(&served);
    served.send("ponderhit\n");
    let output = served.await_end("bestmove a3a2\n");
    assert_less(last_limit(&output), 10_060_000);
    served.send("go ponder wtime 900000.5 btime 1\nponderhit\n");
    // The first answer ends the output too until the second comes.
    let second = || served.await_end("bestmove a3a2\n");
    let output =
        std::iter::repeat_with(second).find(|output| output.matches("bestmove").count() == 2);
    let output = output.expect("it comes");
    assert_less(last_limit(&output), 900_000);
    served.send("quit\n");
    served.end();
}

#[test]
fn ponderhit_gives_the_answer_of_a_search_that_has_ended() {
    let served = begin("limits", "go ponder movetime 60000\n");
    assert_silent(&served);
    served.send("ponderhit\n");
    let output = served.await_end("bestmove a3a2\n");
    // It was not searched again.
    assert_eq!(last_limit(&output), 0);
    served.send("quit\n");
    served.end();
}

#[test]
fn stop_ends_a_search_on_the_opponents_time_without_another() {
    let served = begin("ponders", "go ponder movetime 60000\nstop\n");
    let output = served.await_end("bestmove a3a2\n");
    assert!(!output.contains(" nodes "), "{output}");
    served.send("quit\n");
    served.end();
}

#[test]
fn ponderhit_finds_a_search_that_waits_for_its_turn() {
    let served = begin(
        "ponders",
        "go infinite\ngo ponder movetime 60000\nponderhit\nstop\n",
    );
    let output = served.await_end("bestmove a3a2\n");
    served.send("isready\n");
    served.send("quit\n");
    let output = [output, served.end()].concat();
    assert!(output.contains(" nodes 10"), "{output}");
}

#[test]
fn the_end_of_the_input_gives_the_answers_that_are_held_back() {
    for go in [
        "go infinite",
        "go ponder movetime 60000",
        "go ponder depth 3",
    ] {
        let output = conversation("first", &format!("uci\n{POSITION}{go}\n"));
        assert!(output.ends_with("uciok\nbestmove a3a2\n"), "{go}: {output}");
    }
}

#[test]
fn the_numbered_protocol_answers_as_soon_as_it_knows() {
    let served = Served::new("first");
    served.send("54 go infinite\n");
    served.await_end("=54 bestmove a1-a1 depth 0 nodes 0\n");
    served.send("quit\n");
    served.end();
}
