//! The two sides: people and engines, given by order or by colour.

use super::words::{Names, TWO_PEOPLE, YOU, player_name};
use anqi_play::{Seat, first_color};
use anqi_rules::{Color, Game};
use anqi_search::Player;
use anqi_search::players;
use anqi_search::spec::SpecError;
use std::convert::Infallible;
use std::str::FromStr;

/// Who plays a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Participant {
    /// A person at the keyboard.
    Human,
    /// A built-in player with this spec.
    Player(String),
}

/// The two participants of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pairing {
    /// By order of play.
    ByOrder([Participant; 2]),
    /// By colour, red first. Before the first flip red begins.
    ByColor([Participant; 2]),
}

/// Whoever plays a side.
pub enum Occupant {
    /// A person at the keyboard.
    Human,
    /// A built-in player.
    Player(Box<dyn Player>),
}

/// The two sides of one game.
pub struct Players {
    sides: [Occupant; 2],
    names: Names,
    recorded: Names,
    first_color: Option<Color>,
}

impl FromStr for Participant {
    type Err = Infallible;

    /// Reads `human` as a person and everything else as a spec, which is checked when the player is made.
    fn from_str(text: &str) -> Result<Participant, Infallible> {
        Ok(match text {
            "human" => Participant::Human,
            spec => Participant::Player(spec.to_owned()),
        })
    }
}

impl Participant {
    fn make(&self) -> Result<Occupant, SpecError> {
        Ok(match self {
            Participant::Human => Occupant::Human,
            Participant::Player(spec) => Occupant::Player(players::by_spec(spec)?),
        })
    }
}

impl Pairing {
    /// Returns the participants in order of play, and the colour that the first flip has to
    /// show if colours are given.
    pub fn by_order(&self, game: &Game) -> ([Participant; 2], Option<Color>) {
        match self {
            Pairing::ByOrder(participants) => (participants.clone(), None),
            Pairing::ByColor([red, black]) => match first_color(game) {
                Some(Color::Black) => ([black.clone(), red.clone()], Some(Color::Black)),
                _ => ([red.clone(), black.clone()], Some(Color::Red)),
            },
        }
    }
}

impl Players {
    /// Makes both players of a game, which may have begun already.
    ///
    /// # Errors
    ///
    /// Fails if the spec of a player is wrong.
    pub fn new(pairing: &Pairing, game: &Game) -> Result<Players, SpecError> {
        let (participants, first_color) = pairing.by_order(game);
        let [first, second] = &participants;
        let sides = [first.make()?, second.make()?];
        Ok(Players {
            sides,
            names: names(&participants, player_name),
            recorded: names(&participants, str::to_owned),
            first_color,
        })
    }

    /// Returns the names of the two, by order.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Returns the names of the two in records, by order: players by their specs.
    pub fn recorded(&self) -> &Names {
        &self.recorded
    }

    /// Returns the colour that the first flip has to show, if the players are given by colour.
    pub fn first_color(&self) -> Option<Color> {
        self.first_color
    }

    /// Returns the player of a side, `None` for a person.
    pub fn player(&mut self, seat: Seat) -> Option<&mut dyn Player> {
        match &mut self.sides[seat.index()] {
            Occupant::Human => None,
            Occupant::Player(player) => Some(player.as_mut()),
        }
    }

    /// Returns whether a person plays this side.
    pub fn is_human(&self, seat: Seat) -> bool {
        matches!(self.sides[seat.index()], Occupant::Human)
    }

    /// Returns whether any person plays.
    pub fn has_human(&self) -> bool {
        Seat::ALL.into_iter().any(|seat| self.is_human(seat))
    }
}

fn names(participants: &[Participant; 2], of_spec: fn(&str) -> String) -> Names {
    match participants {
        [Participant::Human, Participant::Human] => TWO_PEOPLE.map(str::to_owned),
        [first, second] => [first, second].map(|participant| match participant {
            Participant::Human => YOU.to_owned(),
            Participant::Player(spec) => of_spec(spec),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::{Position, Rules};

    fn participants(red: &str, black: &str) -> [Participant; 2] {
        [red, black].map(|text| text.parse().unwrap())
    }

    #[test]
    fn sides_by_color_follow_the_game() {
        let pairing = Pairing::ByColor(participants("greedy", "human"));
        let fresh = Game::new(Position::start(), Rules::OLYMPIAD);
        let players = Players::new(&pairing, &fresh).unwrap();
        assert_eq!(players.names(), &["greedy".to_owned(), "you".to_owned()]);
        assert_eq!(players.first_color(), Some(Color::Red));
        let mut begun = fresh.clone();
        begun.play("b2(g)".parse().unwrap()).unwrap();
        let players = Players::new(&pairing, &begun).unwrap();
        assert_eq!(players.names(), &["you".to_owned(), "greedy".to_owned()]);
        assert_eq!(players.first_color(), Some(Color::Black));
    }

    #[test]
    fn a_level_is_called_by_its_number_and_recorded_by_its_spec() {
        let game = Game::new(Position::start(), Rules::OLYMPIAD);
        let pairing = Pairing::ByOrder(participants("human", "champion:level=3"));
        let players = Players::new(&pairing, &game).unwrap();
        assert_eq!(players.names(), &["you".to_owned(), "level 3".to_owned()]);
        assert_eq!(players.recorded()[1], "champion:level=3");
    }

    #[test]
    fn an_unknown_player_is_refused_by_name() {
        let game = Game::new(Position::start(), Rules::OLYMPIAD);
        let pairing = Pairing::ByOrder(participants("human", "nobody"));
        let error = Players::new(&pairing, &game).err().expect("no such player");
        assert!(error.to_string().contains("'nobody'"));
    }
}
