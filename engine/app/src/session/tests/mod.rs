//! Dialogues with a session whose players do what the test needs.

mod clocks;
mod damaged;
mod dialects;
mod dialogues;
mod listening;
mod options;
mod pondering;
mod setting_up;
mod uci;

use super::*;
use anqi_rules::Action;
use anqi_search::{Choice, Player, PrepareError, Ranked, Report, Score, Stop};
use std::thread;

/// A player whose name says what it does.
struct Mock(String);

impl Player for Mock {
    fn spec(&self) -> String {
        self.0.clone()
    }

    fn prepare(&mut self, _: Rules) -> Result<(), PrepareError> {
        if self.0 == "prepares" {
            self.0 = "is prepared".to_owned();
        }
        Ok(())
    }

    fn choose(
        &mut self,
        request: &anqi_search::Request<'_>,
        report: &mut dyn FnMut(&Report),
    ) -> Choice {
        let actions = request.actions();
        let mut choice = Choice::plain(actions[0]);
        match self.0.as_str() {
            "first" => {}
            "last" => choice.action = actions[actions.len() - 1],
            "waits" => wait_for(request.stop),
            "ponders" if request.limits.time == TimeLimit::None => wait_for(request.stop),
            "stops slowly" => {
                wait_for(request.stop);
                thread::sleep(Duration::from_millis(1_500));
            }
            "deaf" => thread::sleep(Duration::from_secs(8)),
            "limits" | "ponders" => {
                tell_limits(&mut choice, request.limits);
                report(&report_on(&choice));
            }
            "reports" => {
                choice.nodes = 77;
                report(&report_on(&choice));
                choice.nodes = 0;
            }
            "ranks" => rank(&mut choice, &actions, request.limits.multipv, report),
            "heedless" => choice.action = request.game.actions()[0],
            "panics" => panic!("as the test wants it"),
            "illegal" => choice.action = Action::step(actions[0].from(), actions[0].from()),
            squares => choice.action = scripted(squares, request.game),
        }
        choice
    }
}

/// Plays the word for this ply from the player's name.
fn scripted(words: &str, game: &Game) -> Action {
    let word = words.split(' ').nth(game.plies().len());
    word.and_then(|word| word.parse().ok())
        .expect("a word for this ply")
}

fn wait_for(stop: &Stop) {
    while !stop.requested() {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Encodes the limits as depth and nodes: milliseconds, plus ten million if for one move.
fn tell_limits(choice: &mut Choice, limits: Limits) {
    choice.depth = limits.depth.unwrap_or(0);
    choice.nodes = match limits.time {
        TimeLimit::None => limits.nodes.unwrap_or(0),
        TimeLimit::PerMove(time) => 10_000_000 + time.as_millis() as u64,
        TimeLimit::Total { left, .. } => left.as_millis() as u64,
    };
}

/// Ranks and reports as many actions as are wanted, the last in text order first.
fn rank(choice: &mut Choice, actions: &[Action], wanted: usize, report: &mut dyn FnMut(&Report)) {
    for (index, &action) in actions.iter().rev().take(wanted).enumerate() {
        let ranked = Ranked {
            action,
            score: Score::Estimate(900 - index as i32),
            line: Choice::plain(action).line,
            outcomes: Vec::new(),
        };
        report(&Report {
            rank: index + 1,
            score: ranked.score,
            line: ranked.line.clone(),
            ..report_on(choice)
        });
        choice.ranked.push(ranked);
    }
    choice.action = choice.ranked[0].action;
}

fn report_on(choice: &Choice) -> Report {
    Report {
        depth: 2,
        selective_depth: 3,
        score: Score::Estimate(250),
        nodes: choice.nodes,
        elapsed: Duration::ZERO,
        table_hits: 0,
        hash_permille: 0,
        rank: 1,
        line: choice.line.clone(),
    }
}

fn parts(player: &str) -> Parts {
    Parts {
        make_player: Box::new(|options| match options.player.as_str() {
            "" | "nobody" => Err(format!("no player is called '{}'", options.player)),
            name => Ok(Made {
                player: Box::new(Mock(name.to_owned())),
                unused: vec!["hash"],
            }),
        }),
        open_tables: None,
        player: player.to_owned(),
        tables: None,
        rules: ChosenRules::default(),
    }
}

fn session(player: &str) -> Session {
    Session::new(parts(player)).expect("the mock can be made")
}

/// Sends lines and returns the answers, `\n` between the lines of each.
fn answers(session: &mut Session, lines: &[&str]) -> Vec<String> {
    lines
        .iter()
        .map(|line| session.respond(line).join("\n"))
        .collect()
}

/// Sends one line and returns its answer.
fn answer(session: &mut Session, line: &str) -> String {
    answers(session, &[line]).remove(0)
}

/// Everything a request could change.
fn state(session: &mut Session) -> (Vec<String>, Clocks) {
    let lines = ["showboard", "get_position", "options", "result"];
    let output = answers(session, &lines);
    assert!(output[2].contains("seed"), "{output:?}");
    (output, session.clocks)
}

/// Serves a whole input at once and returns the output.
fn conversation(player: &str, input: &str) -> String {
    let mut output = Vec::new();
    let input = std::io::Cursor::new(input.to_owned());
    serve(&mut session(player), input, &mut output).expect("no fault");
    String::from_utf8(output).expect("text")
}
