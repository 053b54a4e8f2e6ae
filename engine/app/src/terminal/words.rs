//! What happened, in words.

use super::style::Style;
use anqi_play::Level;
use anqi_play::{DealtGame, EndReason, Event, Seat, Verdict};
use anqi_rules::{Color, Convention, DrawReason, Outcome, Repetition, Rules};
use anqi_search::Choice;
use std::num::NonZeroU32;

/// Names of the two who play, by order.
pub type Names = [String; 2];

/// The name of the only person in the game.
pub const YOU: &str = "you";
/// The first word of the name of a level.
const LEVEL: &str = "level";
/// The names of two people.
pub const TWO_PEOPLE: [&str; 2] = ["first player", "second player"];

/// Returns a sentence about a ply: `greedy captures a rook: b4-b3`.
pub fn event(event: &Event, dealt: &DealtGame, names: &Names, style: Style) -> String {
    let name = &names[event.by.index()];
    let action = event.ply.action;
    let mut text = match (event.ply.reveal, event.captured) {
        (Some(piece), _) => {
            let (square, words) = (action.from(), style.words(piece));
            format!("{} {square}: a {words}", subject(name, "flip"))
        }
        (None, Some(captured)) => {
            let words = style.words(captured);
            format!("{} a {words}: {action}", subject(name, "capture"))
        }
        (None, None) => format!("{} {action}", subject(name, "move")),
    };
    if dealt.game().plies().len() == 1 && dealt.game().start().turn().is_none() {
        text += &colors_are_out(dealt, names);
    }
    capitalized(&text) + "."
}

/// Returns what a player is called: `level 3`, or its spec.
pub fn player_name(spec: &str) -> String {
    match Level::of_spec(spec) {
        Some(level) => format!("{LEVEL} {level}"),
        None => spec.to_owned(),
    }
}

/// Returns a sentence that starts with a capital, unless it starts with the spec of a player.
fn capitalized(sentence: &str) -> String {
    for person in [YOU, TWO_PEOPLE[0], TWO_PEOPLE[1], LEVEL] {
        if let Some(rest) = sentence.strip_prefix(person) {
            let (initial, name) = person.split_at(1);
            return initial.to_uppercase() + name + rest;
        }
    }
    sentence.to_owned()
}

/// Returns who begins: `you begin`, `greedy begins`.
pub fn begins(name: &str) -> String {
    subject(name, "begin")
}

/// Returns the second half of the sentence about the first flip.
fn colors_are_out(dealt: &DealtGame, names: &Names) -> String {
    let person = names.iter().position(|name| name == YOU);
    let seat = Seat::ALL[person.unwrap_or(0)];
    match dealt.color(seat) {
        Some(color) => format!(", so {} {color}", subject(&names[seat.index()], "play")),
        None => String::new(),
    }
}

/// Returns a name and a verb that agrees with it.
fn subject(name: &str, verb: &str) -> String {
    let ending = if name == YOU { "" } else { "s" };
    format!("{name} {verb}{ending}")
}

/// Returns a sentence about an action that is only proposed.
pub fn proposal(name: &str, choice: &Choice, dealt: &DealtGame, style: Style) -> String {
    let action = choice.action;
    let what = match dealt.game().position().piece_at(action.to()) {
        _ if action.is_flip() => format!("flip {}", action.from()),
        Some(captured) => format!("play {action}, capturing the {}", style.words(captured)),
        None => format!("play {action}"),
    };
    match choice.score {
        Some(score) => format!(
            "{name} would {what} (score {score}, depth {}).",
            choice.depth
        ),
        None => format!("{name} would {what}."),
    }
}

/// Returns the result with its reason.
pub fn verdict(verdict: Verdict, dealt: &DealtGame, names: &Names) -> String {
    let Some(winner) = verdict.winner else {
        return match (verdict.reason, dealt.game().outcome()) {
            (None, _) => "Draw, as the record says.".to_owned(),
            (Some(EndReason::Agreement), _) => "Draw: both agreed.".to_owned(),
            (_, Some(Outcome::Draw(reason))) => {
                format!("Draw: {}.", draw(reason, dealt.game().rules()))
            }
            (Some(_), _) => "Draw.".to_owned(),
        };
    };
    let wins = wins(winner, dealt, names);
    let loser = &names[winner.opponent().index()];
    let lacks = |what: &str| match dealt.color(winner.opponent()) {
        Some(color) => format!("{wins}: {color} has no {what}."),
        None => format!("{wins}."),
    };
    match verdict.reason {
        None => format!("{wins}, as the record says."),
        Some(EndReason::Resignation) => format!("{wins}: {} up.", subject(loser, "give")),
        Some(EndReason::Time) => format!("{wins}: the time of {loser} is up."),
        Some(EndReason::NoLegalAction) => lacks("legal move"),
        Some(EndReason::Annihilation) => lacks("piece left"),
        Some(EndReason::Agreement | EndReason::QuietLimit | EndReason::Repetition) => {
            format!("{wins}.")
        }
    }
}

/// Returns who wins, with colour and name: `Red wins (greedy)`.
fn wins(seat: Seat, dealt: &DealtGame, names: &Names) -> String {
    let name = &names[seat.index()];
    match dealt.color(seat) {
        Some(Color::Red) => format!("Red wins ({name})"),
        Some(Color::Black) => format!("Black wins ({name})"),
        None => format!("{name} wins"),
    }
}

fn draw(reason: DrawReason, rules: Rules) -> String {
    match (reason, rules.repetition) {
        (DrawReason::QuietLimit, _) => {
            let limit = rules.quiet_limit.map_or(0, NonZeroU32::get);
            format!("{limit} {}", quiet_plies(rules))
        }
        (
            DrawReason::Repetition { .. },
            Repetition::Position { times } | Repetition::ChaseBan { times },
        ) => {
            format!("the same position for the {} time", ordinal(times))
        }
        (DrawReason::Repetition { period }, Repetition::Sequence { times }) => {
            format!("the same {period} plies {times} times in a row")
        }
        (DrawReason::Repetition { .. }, Repetition::Never) => "repetition".to_owned(),
    }
}

/// Returns what the quiet counter counts under these rules.
pub fn quiet_plies(rules: Rules) -> &'static str {
    match rules.convention {
        Convention::Tournament => "plies without a capture or flip",
        Convention::Course => "plies without a capture, flips not counted",
    }
}

fn ordinal(number: u32) -> String {
    match number {
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        _ => format!("{number}th"),
    }
}

/// Returns when a game is drawn under these rules, in words.
pub fn draw_rules(rules: Rules) -> String {
    let quiet = rules
        .quiet_limit
        .map(|limit| format!("after {limit} {}", quiet_plies(rules)));
    let repetition = match rules.repetition {
        Repetition::Never => None,
        Repetition::Position { times } => Some(format!(
            "when a position stands on the board for the {} time",
            ordinal(times)
        )),
        Repetition::Sequence { times } => Some(format!(
            "when the same plies are played {times} times in a row"
        )),
        Repetition::ChaseBan { times } => Some(format!(
            "when a position stands on the board for the {} time, which no chase may bring about",
            ordinal(times)
        )),
    };
    match (quiet, repetition) {
        (Some(quiet), Some(repetition)) => format!("{quiet}, or {repetition}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "never".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_play::{Deal, KnownDeal};
    use anqi_rules::{Action, Game, Position};

    fn names(first: &str, second: &str) -> Names {
        [first.to_owned(), second.to_owned()]
    }

    /// Plays actions from a position without face-down pieces and returns the last sentence.
    fn sentence(position: &str, actions: &[&str], names: &Names) -> String {
        let start: Position = position.parse().unwrap();
        let deal = Deal::new(&start, &KnownDeal::default(), 1).unwrap();
        let mut dealt = DealtGame::new(Game::new(start, Rules::OLYMPIAD), deal, None);
        let mut sentence = String::new();
        for action in actions {
            let event = dealt.act(action.parse::<Action>().unwrap()).unwrap();
            sentence = super::event(&event, &dealt, names, Style::default());
        }
        match dealt.verdict() {
            Some(verdict) => sentence + " " + &super::verdict(verdict, &dealt, names),
            None => sentence,
        }
    }

    #[test]
    fn verbs_agree_with_you_and_with_everybody_else() {
        let board = "4/4/4/4/4/1k2/4/P2p r - 0 90";
        let you = names("you", "greedy");
        assert_eq!(sentence(board, &["a1-a2"], &you), "You move a1-a2.");
        let shown = sentence(board, &["a1-a2", "b3-b2", "a2-b2"], &you);
        assert_eq!(shown, "You capture a black king (k): a2-b2.");
        assert_eq!(begins("greedy"), "greedy begins");
    }

    #[test]
    fn results_name_winner_and_reason() {
        let lost = "4/4/4/4/4/P3/4/kP2 r - 0 90";
        let shown = sentence(lost, &["a3-a2"], &names("greedy", "you"));
        assert!(shown.ends_with("Red wins (greedy): black has no legal move."));
        let start = Position::start();
        let deal = Deal::new(&start, &KnownDeal::default(), 1).unwrap();
        let dealt = DealtGame::new(Game::new(start, Rules::OLYMPIAD), deal, None);
        let resigned = Verdict::resigned(Seat::First);
        let sentence = verdict(resigned, &dealt, &names("you", "greedy"));
        assert_eq!(sentence, "greedy wins: you give up.");
    }

    #[test]
    fn draw_rules_are_sentences_for_every_preset() {
        for (name, rules) in Rules::PRESETS {
            let text = draw_rules(rules);
            assert!(
                text.starts_with("after ") || text.starts_with("when "),
                "{name}: {text}"
            );
        }
        assert_eq!([2, 3, 4].map(ordinal), ["second", "third", "4th"]);
    }
}
