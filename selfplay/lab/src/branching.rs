//! The branching of the game: how many moves and flips the positions of games have.
//!
//! Chen, Shen and Hsu give a mean over 1,561 positions of games: 7.76 without flips and 32.30 with them. A search that
//! expands a flip has a branch for each kind of piece that may appear, so a flip is counted both ways: once, and once for
//! each kind.

use anqi_match::deal::DealKind;
use anqi_match::seed::{choice_seed, pair_seed};
use anqi_rules::{Game, Ply, Position, Rules};
use anqi_search::players::by_spec;
use anqi_search::spec::SpecError;
use anqi_search::{Limits, Player, Request, Stop};

/// Sums over positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Branching {
    /// Games.
    pub games: u32,
    /// Positions in which a player chose.
    pub positions: u64,
    /// Positions with a face-down piece.
    pub with_flips: u64,
    /// Moves and captures.
    pub moves: u64,
    /// Squares that can be flipped.
    pub flips: u64,
    /// The kinds that may appear on each of these squares.
    pub outcomes: u64,
}

impl Branching {
    /// Counts one position.
    pub fn count(&mut self, position: &Position) {
        let (flips, moves) = position.count_actions();
        self.positions += 1;
        self.with_flips += u64::from(flips > 0);
        self.moves += u64::from(moves);
        self.flips += u64::from(flips);
        self.outcomes += u64::from(flips) * u64::from(position.hidden().kinds());
    }

    /// Returns a sum for each position.
    pub fn mean(&self, sum: u64) -> f64 {
        sum as f64 / self.positions.max(1) as f64
    }
}

/// What is played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The two players; each starts every other game.
    pub players: [String; 2],
    /// Nodes of each choice.
    pub nodes: u64,
    /// The rules.
    pub rules: Rules,
    /// Games.
    pub games: u32,
    /// Decides the deals and what is random in the players.
    pub seed: u64,
}

/// Plays games and counts their positions.
///
/// # Errors
///
/// Fails if a spec names no player.
pub fn of_games(plan: &Plan) -> Result<Branching, SpecError> {
    let [one, other] = &plan.players;
    let mut players = [by_spec(one)?, by_spec(other)?];
    let mut sums = Branching::default();
    for number in 0..plan.games {
        play(plan, number, &mut players, &mut sums);
    }
    Ok(sums)
}

fn play(plan: &Plan, number: u32, players: &mut [Box<dyn Player>; 2], sums: &mut Branching) {
    let pair = u64::from(number / 2);
    let deal = DealKind::Sequence.deal_of_start(plan.seed, pair);
    let seeds = pair_seed(plan.seed, pair);
    let stop = Stop::new();
    for player in players.iter_mut() {
        if let Err(error) = player.prepare(plan.rules) {
            eprintln!("lab: {error}");
        }
        player.new_game();
    }
    let mut game = Game::new(Position::start(), plan.rules);
    let mut flips = 0;
    while game.outcome().is_none() {
        let position = game.position();
        sums.count(position);
        let request = Request {
            game: &game,
            among: None,
            limits: Limits {
                nodes: Some(plan.nodes),
                ..Limits::NONE
            },
            seed: choice_seed(seeds, position.key(), position.ply()),
            stop: &stop,
        };
        let seat = (number as usize + game.plies().len()) % 2;
        let action = players[seat].choose(&request, &mut |_| {}).action;
        let reveal = deal.reveal(action.from(), flips);
        let reveal = reveal.filter(|_| action.is_flip());
        flips += usize::from(action.is_flip());
        game.play(Ply { action, reveal })
            .expect("players choose legal actions");
    }
    sums.games += 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flip_counts_once_and_once_for_each_kind() {
        let mut sums = Branching::default();
        sums.count(&Position::start());
        assert_eq!((sums.moves, sums.flips, sums.outcomes), (0, 32, 32 * 14));
        // The king has two moves; one of two face-down pieces is a guard, the other a pawn.
        sums.count(&"K3/4/4/4/4/4/4/?2? r Gp 0 40".parse().expect("a position"));
        assert_eq!(
            (sums.moves, sums.flips, sums.outcomes),
            (2, 34, 32 * 14 + 4)
        );
        assert_eq!((sums.positions, sums.with_flips), (2, 2));
        assert!((sums.mean(sums.moves) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_same_games_have_the_same_branching() {
        let plan = Plan {
            players: ["greedy".to_owned(), "random".to_owned()],
            nodes: 10,
            rules: Rules::PAPER,
            games: 2,
            seed: 3,
        };
        let sums = of_games(&plan).expect("players");
        assert_eq!(of_games(&plan).expect("players"), sums);
        assert!(sums.games == 2 && sums.positions > 64, "{sums:?}");
        assert!(sums.flips < sums.outcomes && sums.with_flips <= sums.positions);
    }
}
