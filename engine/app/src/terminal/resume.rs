//! The players of a game loaded from a file.
//!
//! Everybody keeps the side that the record gives them, unless the user has
//! named an opponent. Differences from the record are reported.

use super::files::Loaded;
use super::language::{Language, say};
use super::players::{Pairing, Participant};
use super::words::{player_name, shown_name};
use anqi_play::Level;
use anqi_play::Seat;
use anqi_search::players::by_spec;

/// The sides of a resumed game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resumed {
    /// Who plays.
    pub pairing: Pairing,
    /// What differs from the record, in words.
    pub note: Option<String>,
}

/// Returns the players of a resumed game; `named` is the opponent that the user asked for.
pub fn resume(loaded: &Loaded, named: Option<&str>, language: Language) -> Resumed {
    match named {
        Some(spec) => with_opponent(loaded, spec, language),
        None => as_recorded(loaded, language),
    }
}

/// Returns the opponent of a person in a record, if it is a built-in player.
pub fn recorded_opponent(loaded: &Loaded) -> Option<&str> {
    let mut players = Seat::ALL.into_iter().rev();
    let seat = players.find(|&seat| !loaded.is_person(seat))?;
    let name = loaded.players[seat.index()].as_str();
    by_spec(name).is_ok().then_some(name)
}

/// Describes the first side that has another player than in the record, if any.
pub fn difference(
    loaded: &Loaded,
    pairing: &[Participant; 2],
    language: Language,
) -> Option<String> {
    let changed = Seat::ALL.into_iter().find_map(|seat| {
        let recorded = loaded.players[seat.index()].as_str();
        match &pairing[seat.index()] {
            Participant::Player(spec) if !loaded.is_person(seat) && spec != recorded => {
                Some((recorded, spec))
            }
            _ => None,
        }
    });
    let shown = |spec: &str| shown_name(&player_name(spec), language);
    let (recorded, spec) = changed.map(|(old, new)| (shown(old), shown(new)))?;
    Some(say!(language, "resumed", recorded = recorded, spec = spec))
}

/// Gives the sides of people, or else the first side, to people, the others to the named opponent.
fn with_opponent(loaded: &Loaded, spec: &str, language: Language) -> Resumed {
    let nobody = !Seat::ALL.into_iter().any(|seat| loaded.is_person(seat));
    let pairing = Seat::ALL.map(|seat| {
        if loaded.is_person(seat) || (nobody && seat == Seat::First) {
            Participant::Human
        } else {
            Participant::Player(spec.to_owned())
        }
    });
    Resumed {
        note: difference(loaded, &pairing, language),
        pairing: Pairing::ByOrder(pairing),
    }
}

/// Gives each side to the participant that the record names. An unknown one is
/// replaced by the default level, or by a person if the other side is a player.
fn as_recorded(loaded: &Loaded, language: Language) -> Resumed {
    let recorded = Seat::ALL.map(|seat| recorded_participant(loaded, seat));
    let mut pairing = recorded
        .clone()
        .map(|side| side.unwrap_or(Participant::Human));
    let mut note = None;
    for seat in Seat::ALL {
        if let Err(reason) = &recorded[seat.index()] {
            let facing_person = pairing[seat.opponent().index()] == Participant::Human;
            let name = &loaded.players[seat.index()];
            note = Some(if facing_person {
                let spec = Level::DEFAULT.spec();
                let heir = shown_name(&player_name(&spec), language);
                pairing[seat.index()] = Participant::Player(spec);
                say!(
                    language,
                    "heir.player",
                    name = name,
                    reason = reason,
                    heir = heir
                )
            } else {
                say!(language, "heir.you", name = name, reason = reason)
            });
        }
    }
    Resumed {
        pairing: Pairing::ByOrder(pairing),
        note,
    }
}

fn recorded_participant(loaded: &Loaded, seat: Seat) -> Result<Participant, String> {
    if loaded.is_person(seat) {
        return Ok(Participant::Human);
    }
    let name = loaded.players[seat.index()].clone();
    match by_spec(&name) {
        Ok(_) => Ok(Participant::Player(name)),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::{Game, Position, Rules};

    fn loaded(first: &str, second: &str) -> Loaded {
        Loaded {
            game: Game::new(Position::start(), Rules::OLYMPIAD),
            players: [first.to_owned(), second.to_owned()],
            end: None,
            games: 1,
        }
    }

    fn pairing(first: &str, second: &str) -> Pairing {
        Pairing::ByOrder([first, second].map(|text| text.parse().unwrap()))
    }

    #[test]
    fn everybody_keeps_the_recorded_side() {
        for sides in [
            ["human", "greedy"],
            ["var1:d0=2", "human"],
            ["greedy", "random"],
        ] {
            let resumed = resume(&loaded(sides[0], sides[1]), None, Language::English);
            assert_eq!(resumed.pairing, pairing(sides[0], sides[1]));
            assert_eq!(resumed.note, None);
        }
    }

    #[test]
    fn a_named_opponent_takes_over_and_that_is_said() {
        let resumed = resume(
            &loaded("greedy", "human"),
            Some("random"),
            Language::English,
        );
        assert_eq!(resumed.pairing, pairing("random", "human"));
        let note = resumed.note.unwrap();
        assert!(note.contains("saved with greedy") && note.contains("random plays on"));
        assert_eq!(
            resume(
                &loaded("greedy", "human"),
                Some("greedy"),
                Language::English
            )
            .note,
            None
        );
        let both = resume(&loaded("greedy", "random"), Some("var1"), Language::English);
        assert_eq!(both.pairing, pairing("human", "var1"));
    }

    #[test]
    fn somebody_unknown_is_replaced_and_that_is_said() {
        let resumed = resume(&loaded("human", "Deep_Banqi"), None, Language::English);
        assert_eq!(resumed.pairing, pairing("human", "champion:level=3"));
        let note = resumed.note.unwrap();
        assert!(
            note.starts_with("Deep_Banqi cannot continue here"),
            "{note}"
        );
        assert!(note.ends_with("level 3 plays instead."), "{note}");
        let resumed = resume(&loaded("Deep_Banqi", "greedy"), None, Language::English);
        assert_eq!(resumed.pairing, pairing("human", "greedy"));
        assert!(resumed.note.unwrap().contains("you play instead"));
        assert_eq!(recorded_opponent(&loaded("human", "Deep_Banqi")), None);
        assert_eq!(
            recorded_opponent(&loaded("greedy", "human")),
            Some("greedy")
        );
    }
}
