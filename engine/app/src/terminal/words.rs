//! What happened, in words.

use super::language::{Language, say};
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
    let shown = shown_name(name, style.language);
    let action = event.ply.action;
    let language = style.language;
    let mut text = match (event.ply.reveal, event.captured) {
        (Some(piece), _) => {
            let (square, piece) = (action.from(), style.words(piece));
            let key = of(name, "event.flip.you", "event.flip");
            say!(language, key, name = shown, square = square, piece = piece)
        }
        (None, Some(captured)) => {
            let piece = style.words(captured);
            let key = of(name, "event.capture.you", "event.capture");
            say!(language, key, name = shown, action = action, piece = piece)
        }
        (None, None) => {
            let key = of(name, "event.move.you", "event.move");
            say!(language, key, name = shown, action = action)
        }
    };
    if dealt.game().plies().len() == 1 && dealt.game().start().turn().is_none() {
        text += &colors_are_out(dealt, names, style);
    }
    capitalized(&text) + &say!(language, "stop")
}

/// Returns what a player is called: `level 3`, or its spec.
pub fn player_name(spec: &str) -> String {
    match Level::of_spec(spec) {
        Some(level) => format!("{LEVEL} {level}"),
        None => spec.to_owned(),
    }
}

/// Returns a name as it is shown: people and levels in the language, players by their specs.
pub fn shown_name(name: &str, language: Language) -> String {
    if name == YOU {
        return say!(language, "name.you");
    }
    if name == TWO_PEOPLE[0] {
        return say!(language, "name.first");
    }
    if name == TWO_PEOPLE[1] {
        return say!(language, "name.second");
    }
    let level = name.strip_prefix(LEVEL).map(str::trim_start);
    match level.filter(|level| level.parse::<u32>().is_ok()) {
        Some(level) => say!(language, "name.level", level = level),
        None => name.to_owned(),
    }
}

/// Returns the key of a sentence about the reader, or about anybody else.
fn of(name: &str, you: &'static str, other: &'static str) -> &'static str {
    if name == YOU { you } else { other }
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
pub fn begins(name: &str, language: Language) -> String {
    let shown = shown_name(name, language);
    say!(language, of(name, "begins.you", "begins"), name = shown)
}

/// Returns the second half of the sentence about the first flip.
fn colors_are_out(dealt: &DealtGame, names: &Names, style: Style) -> String {
    let person = names.iter().position(|name| name == YOU);
    let seat = Seat::ALL[person.unwrap_or(0)];
    let Some(color) = dealt.color(seat) else {
        return String::new();
    };
    let name = &names[seat.index()];
    let shown = shown_name(name, style.language);
    let key = of(name, "event.colors.you", "event.colors");
    say!(style.language, key, name = shown, color = style.side(color))
}

/// Returns a sentence about an action that is only proposed.
pub fn proposal(name: &str, choice: &Choice, dealt: &DealtGame, style: Style) -> String {
    let action = choice.action;
    let language = style.language;
    let what = match dealt.game().position().piece_at(action.to()) {
        _ if action.is_flip() => say!(language, "proposal.flip", square = action.from()),
        Some(captured) => {
            let piece = style.words(captured);
            say!(language, "proposal.capture", action = action, piece = piece)
        }
        None => say!(language, "proposal.play", action = action),
    };
    match choice.score {
        Some(score) => {
            let depth = choice.depth;
            say!(
                language,
                "proposal.scored",
                name = name,
                what = what,
                score = score,
                depth = depth
            )
        }
        None => say!(language, "proposal", name = name, what = what),
    }
}

/// Returns the result with its reason.
pub fn verdict(verdict: Verdict, dealt: &DealtGame, names: &Names, style: Style) -> String {
    let language = style.language;
    let Some(winner) = verdict.winner else {
        return match (verdict.reason, dealt.game().outcome()) {
            (None, _) => say!(language, "draw.recorded"),
            (Some(EndReason::Agreement), _) => say!(language, "draw.agreed"),
            (_, Some(Outcome::Draw(reason))) => {
                let reason = draw(reason, dealt.game().rules(), language);
                say!(language, "draw.reason", reason = reason)
            }
            (Some(_), _) => say!(language, "draw"),
        };
    };
    let wins = wins(winner, dealt, names, language);
    let loser = &names[winner.opponent().index()];
    let lacks = |key: &str| match dealt.color(winner.opponent()) {
        Some(color) => say!(language, key, wins = wins, color = style.side(color)),
        None => say!(language, "won", wins = wins),
    };
    let shown = shown_name(loser, language);
    match verdict.reason {
        None => say!(language, "won.recorded", wins = wins),
        Some(EndReason::Resignation) => {
            let key = of(loser, "won.resigned.you", "won.resigned");
            say!(language, key, wins = wins, loser = shown)
        }
        Some(EndReason::Time) => say!(language, "won.time", wins = wins, loser = shown),
        Some(EndReason::NoLegalAction) => lacks("won.stuck"),
        Some(EndReason::Annihilation) => lacks("won.annihilated"),
        Some(EndReason::Agreement | EndReason::QuietLimit | EndReason::Repetition) => {
            say!(language, "won", wins = wins)
        }
    }
}

/// Returns who wins, with colour and name: `Red wins (greedy)`.
fn wins(seat: Seat, dealt: &DealtGame, names: &Names, language: Language) -> String {
    let name = shown_name(&names[seat.index()], language);
    match dealt.color(seat) {
        Some(Color::Red) => say!(language, "wins.red", name = name),
        Some(Color::Black) => say!(language, "wins.black", name = name),
        None => say!(language, "wins", name = name),
    }
}

fn draw(reason: DrawReason, rules: Rules, language: Language) -> String {
    match (reason, rules.repetition) {
        (DrawReason::QuietLimit, _) => {
            let limit = rules.quiet_limit.map_or(0, NonZeroU32::get);
            let plies = quiet_plies(rules, language);
            say!(language, "draw.quiet", limit = limit, plies = plies)
        }
        (
            DrawReason::Repetition { .. },
            Repetition::Position { times } | Repetition::ChaseBan { times },
        ) => say!(language, "draw.position", times = ordinal(times, language)),
        (DrawReason::Repetition { period }, Repetition::Sequence { times }) => {
            say!(language, "draw.sequence", period = period, times = times)
        }
        (DrawReason::Repetition { .. }, Repetition::Never) => say!(language, "draw.repetition"),
    }
}

/// Returns what the quiet counter counts under these rules.
fn quiet_plies(rules: Rules, language: Language) -> String {
    match rules.convention {
        Convention::Tournament => say!(language, "quiet.tournament"),
        Convention::Course => say!(language, "quiet.course"),
    }
}

fn ordinal(number: u32, language: Language) -> String {
    match number {
        2 => say!(language, "ordinal.2"),
        3 => say!(language, "ordinal.3"),
        _ => say!(language, "ordinal", number = number),
    }
}

/// Returns when a game is drawn under these rules, in words.
pub fn draw_rules(rules: Rules, language: Language) -> String {
    let quiet = rules.quiet_limit.map(|limit| {
        let plies = quiet_plies(rules, language);
        say!(language, "drawn.quiet", limit = limit, plies = plies)
    });
    let repetition = match rules.repetition {
        Repetition::Never => None,
        Repetition::Position { times } => {
            let times = ordinal(times, language);
            Some(say!(language, "drawn.position", times = times))
        }
        Repetition::Sequence { times } => Some(say!(language, "drawn.sequence", times = times)),
        Repetition::ChaseBan { times } => {
            let times = ordinal(times, language);
            Some(say!(language, "drawn.chase", times = times))
        }
    };
    match (quiet, repetition) {
        (Some(quiet), Some(repetition)) => {
            say!(
                language,
                "drawn.both",
                quiet = quiet,
                repetition = repetition
            )
        }
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => say!(language, "drawn.never"),
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
            Some(verdict) => {
                sentence + " " + &super::verdict(verdict, &dealt, names, Style::default())
            }
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
        assert_eq!(begins("greedy", Language::English), "greedy begins");
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
        let sentence = verdict(resigned, &dealt, &names("you", "greedy"), Style::default());
        assert_eq!(sentence, "greedy wins: you give up.");
    }

    #[test]
    fn draw_rules_are_sentences_for_every_preset() {
        for (name, rules) in Rules::PRESETS {
            let text = draw_rules(rules, Language::English);
            assert!(
                text.starts_with("after ") || text.starts_with("when "),
                "{name}: {text}"
            );
        }
        assert_eq!(
            [2, 3, 4].map(|n| ordinal(n, Language::English)),
            ["second", "third", "4th"]
        );
    }
}
