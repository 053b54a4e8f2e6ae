//! Who sits where, and the tokens that admit them.

use crate::outbox::Outbox;
use crate::services::Services;
use crate::wire::{Code, Refusal, Sitter, refuse};
use anqi_play::{Level, Seat};
use anqi_search::players;

/// The longest name of a person, in characters.
const NAME_LENGTH: usize = 40;

/// Who sits in a seat.
#[derive(Clone, Debug)]
pub enum Occupant {
    /// A person.
    Person {
        /// Its display name, empty if none was given: each viewer then names it from its own seat.
        name: String,
    },
    /// The built-in player at a level.
    Level {
        /// The level.
        level: Level,
        /// The player's spec.
        spec: String,
    },
    /// A built-in player.
    Player {
        /// Its name.
        name: String,
        /// Its spec.
        spec: String,
    },
}

/// A secret text that admits its holder to the game.
#[derive(Clone, Debug)]
pub struct Token {
    /// The text.
    pub text: String,
    /// The seats it gives; none for watching.
    pub seats: Vec<Seat>,
    /// Whether anybody has entered with it.
    pub used: bool,
}

/// A connection.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub outbox: Outbox,
    /// The index of its token.
    pub token: usize,
    pub show_thinking: bool,
}

impl Occupant {
    /// Returns whether it is an engine.
    pub fn is_engine(&self) -> bool {
        self.spec().is_some()
    }

    /// Returns the player's spec, `None` for a person.
    pub fn spec(&self) -> Option<&str> {
        match self {
            Occupant::Person { .. } => None,
            Occupant::Level { spec, .. } | Occupant::Player { spec, .. } => Some(spec),
        }
    }

    /// Returns the sitter of a request that leads to this occupant.
    pub(super) fn sitter(&self) -> Sitter {
        match self {
            Occupant::Person { name } => Sitter::Me {
                name: Some(name.clone()),
            },
            Occupant::Level { level, .. } => Sitter::Level {
                level: level.number(),
            },
            Occupant::Player { name, .. } => Sitter::Player { spec: name.clone() },
        }
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        match self {
            Occupant::Person { name } | Occupant::Player { name, .. } => name,
            Occupant::Level { level, .. } => level.name(),
        }
    }

    /// Returns who sits where a request puts this sitter.
    pub(super) fn of(services: &Services, sitter: &Sitter) -> Result<Occupant, Refusal> {
        let person = |name: &Option<String>| Occupant::Person {
            name: match name.as_deref().map(str::trim) {
                Some(name) if !name.is_empty() => tidy(name),
                _ => String::new(),
            },
        };
        Ok(match sitter {
            Sitter::Me { name } | Sitter::Link { name } => person(name),
            Sitter::Level { level } => {
                let parsed = level.to_string().parse::<Level>();
                Occupant::Level {
                    level: parsed.map_err(Refusal::unreadable)?,
                    spec: services.spec("champion", Some(*level)),
                }
            }
            Sitter::Player { spec } => {
                // Settings could name files and ask for memory, so only plain names are accepted.
                let known = players::KNOWN.iter().find(|(name, _)| name == spec);
                let Some((name, _)) = known else {
                    let names = players::KNOWN.map(|(name, _)| name).join(", ");
                    let message = format!("no such player (expected {names})");
                    return refuse(Code::Unreadable, message);
                };
                Occupant::Player {
                    name: (*name).to_owned(),
                    spec: services.spec(name, None),
                }
            }
        })
    }
}

fn tidy(name: &str) -> String {
    let printable = name.chars().filter(|c| !c.is_control());
    printable.take(NAME_LENGTH).collect()
}

/// Fills the seats, and returns the tokens: the creator's, one for each link, the watchers'.
pub(super) fn seats_of(
    services: &Services,
    sitters: &[Sitter; 2],
    names: [String; 4],
) -> Result<([Occupant; 2], Vec<Token>), Refusal> {
    let [first, second] = sitters;
    let occupants = [
        Occupant::of(services, first)?,
        Occupant::of(services, second)?,
    ];
    let [creator, links @ .., watch] = names;
    let token = |text, seats, used| Token { text, seats, used };
    let of_kind = |wanted: fn(&Sitter) -> bool| {
        let seats = Seat::ALL.into_iter();
        seats.filter(move |seat| wanted(&sitters[seat.index()]))
    };
    let mine = of_kind(|sitter| matches!(sitter, Sitter::Me { .. })).collect();
    let mut tokens = vec![token(creator, mine, true)];
    for (seat, text) in of_kind(|sitter| matches!(sitter, Sitter::Link { .. })).zip(links) {
        tokens.push(token(text, vec![seat], false));
    }
    tokens.push(token(watch, Vec::new(), true));
    Ok((occupants, tokens))
}
