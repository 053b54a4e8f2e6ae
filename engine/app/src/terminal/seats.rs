//! Who sits at the table: people and players, given by order or by colour.

use super::table::Order;
use super::words::{Names, TWO_PEOPLE, YOU};
use anqi_rules::{Color, Game, Piece};
use anqi_search::Player;
use anqi_search::players;
use anqi_search::spec::SpecError;
use std::convert::Infallible;
use std::str::FromStr;

/// Who shall sit on a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sitter {
    /// A person who types.
    Human,
    /// A built-in player with this spec.
    Player(String),
}

/// Who plays whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seating {
    /// Seats by who begins.
    ByOrder([Sitter; 2]),
    /// Seats by colour, red first. Red begins a game in which nobody has a colour yet.
    ByColor([Sitter; 2]),
}

/// A taken seat.
pub enum Seat {
    /// A person who types.
    Human,
    /// A built-in player.
    Player(Box<dyn Player>),
}

/// The two seats of one game.
pub struct Seats {
    seats: [Seat; 2],
    names: Names,
    first_color: Option<Color>,
}

impl FromStr for Sitter {
    type Err = Infallible;

    /// Reads `human` as a person and everything else as a spec, which is checked when the seat is taken.
    fn from_str(text: &str) -> Result<Sitter, Infallible> {
        Ok(match text {
            "human" => Sitter::Human,
            spec => Sitter::Player(spec.to_owned()),
        })
    }
}

impl Sitter {
    fn sit(&self) -> Result<Seat, SpecError> {
        Ok(match self {
            Sitter::Human => Seat::Human,
            Sitter::Player(spec) => Seat::Player(players::by_spec(spec)?),
        })
    }
}

impl Seats {
    /// Seats everybody for a game, which may have begun already.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the spec of a player.
    pub fn take(seating: &Seating, game: &Game) -> Result<Seats, SpecError> {
        let (sitters, first_color) = match seating {
            Seating::ByOrder(sitters) => (sitters.clone(), None),
            Seating::ByColor([red, black]) => match first_color(game) {
                Some(Color::Black) => ([black.clone(), red.clone()], Some(Color::Black)),
                _ => ([red.clone(), black.clone()], Some(Color::Red)),
            },
        };
        let [first, second] = &sitters;
        let seats = [first.sit()?, second.sit()?];
        Ok(Seats {
            seats,
            names: names(&sitters),
            first_color,
        })
    }

    /// Returns the names of the two, by order.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Returns the colour that the first flip has to show, if the seats are given by colour.
    pub fn first_color(&self) -> Option<Color> {
        self.first_color
    }

    /// Returns the player on a seat, `None` for a person.
    pub fn player(&mut self, order: Order) -> Option<&mut dyn Player> {
        match &mut self.seats[order.index()] {
            Seat::Human => None,
            Seat::Player(player) => Some(player.as_mut()),
        }
    }

    /// Returns whether a person sits there.
    pub fn is_human(&self, order: Order) -> bool {
        matches!(self.seats[order.index()], Seat::Human)
    }

    /// Returns whether any person sits at the table.
    pub fn has_human(&self) -> bool {
        Order::ALL.into_iter().any(|order| self.is_human(order))
    }
}

/// Returns the colour of whoever began the game, if it is known.
fn first_color(game: &Game) -> Option<Color> {
    let flipped = || game.plies().first()?.reveal.map(Piece::color);
    game.start().turn().or_else(flipped)
}

fn names(sitters: &[Sitter; 2]) -> Names {
    match sitters {
        [Sitter::Human, Sitter::Human] => TWO_PEOPLE.map(str::to_owned),
        _ => sitters.clone().map(|sitter| match sitter {
            Sitter::Human => YOU.to_owned(),
            Sitter::Player(spec) => spec,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::{Position, Rules};

    fn sitters(red: &str, black: &str) -> [Sitter; 2] {
        [red, black].map(|text| text.parse().unwrap())
    }

    #[test]
    fn seats_by_color_follow_the_game() {
        let seating = Seating::ByColor(sitters("greedy", "human"));
        let fresh = Game::new(Position::start(), Rules::OLYMPIAD);
        let seats = Seats::take(&seating, &fresh).unwrap();
        assert_eq!(seats.names(), &["greedy".to_owned(), "you".to_owned()]);
        assert_eq!(seats.first_color(), Some(Color::Red));
        let mut begun = fresh.clone();
        begun.play("b2(g)".parse().unwrap()).unwrap();
        let seats = Seats::take(&seating, &begun).unwrap();
        assert_eq!(seats.names(), &["you".to_owned(), "greedy".to_owned()]);
        assert_eq!(seats.first_color(), Some(Color::Black));
    }

    #[test]
    fn an_unknown_player_is_refused_by_name() {
        let game = Game::new(Position::start(), Rules::OLYMPIAD);
        let seating = Seating::ByOrder(sitters("human", "nobody"));
        let error = Seats::take(&seating, &game).err().expect("no such player");
        assert!(error.to_string().contains("'nobody'"));
    }
}
