//! A game: a position, how it came about, and the rules it is played by.
//!
//! Repetition and the way back need the past, which a [`Position`] does not
//! have. Playing on after a draw by counter or repetition is allowed: who ends
//! the game is the referee's affair, and servers may count differently.

use crate::ending::{Outcome, Rules};
use crate::legality::PlayError;
use crate::moves::Ply;
use crate::notation::{ParseLineError, parse_line};
use crate::position::{Position, Undo};

/// A position with its past and its rules.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    rules: Rules,
    plies: Vec<Ply>,
    undos: Vec<Undo>,
    /// Keys of all positions from the start to the current one.
    keys: Vec<u64>,
}

/// Why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameTextError {
    /// It cannot be read.
    #[error(transparent)]
    Text(#[from] ParseLineError),
    /// A ply cannot be played.
    #[error("ply {number} of the moves, {ply}: {error}")]
    Ply {
        /// Its place, from 1.
        number: usize,
        /// The ply.
        ply: Ply,
        /// Why it cannot be played.
        error: PlayError,
    },
}

impl Game {
    /// Returns the game that begins with this position.
    pub fn new(start: Position, rules: Rules) -> Game {
        Game {
            start,
            position: start,
            rules,
            plies: Vec::new(),
            undos: Vec::new(),
            keys: vec![start.key()],
        }
    }

    /// Reads `start` or a position string, optionally followed by `moves` and plies, and plays them.
    ///
    /// # Errors
    ///
    /// Says what cannot be read, or which ply cannot be played.
    pub fn from_text(text: &str, rules: Rules) -> Result<Game, GameTextError> {
        let (start, plies) = parse_line(text)?;
        let mut game = Game::new(start, rules);
        for (index, &ply) in plies.iter().enumerate() {
            let number = index + 1;
            game.play(ply)
                .map_err(|error| GameTextError::Ply { number, ply, error })?;
        }
        Ok(game)
    }

    /// Returns the position the game began with.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the rules in force.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Changes the rules in force.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// Returns the plies played since the start.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Returns the undo records of the plies played, which tell what was captured.
    pub fn undos(&self) -> &[Undo] {
        &self.undos
    }

    /// Returns the keys of the positions since the last capture or flip, as far
    /// as they are known, the current one last.
    pub fn quiet_keys(&self) -> &[u64] {
        &self.keys[self.keys.len() - 1 - self.known_quiet()..]
    }

    /// Returns the plies since the last capture or flip, as far as they are known.
    pub fn quiet_plies(&self) -> &[Ply] {
        &self.plies[self.plies.len() - self.known_quiet()..]
    }

    fn known_quiet(&self) -> usize {
        self.plies.len().min(self.position.quiet() as usize)
    }

    /// Plays a ply.
    ///
    /// # Errors
    ///
    /// Says why the ply is not legal; the game is then unchanged.
    pub fn play(&mut self, ply: Ply) -> Result<(), PlayError> {
        let undo = self.position.play(ply)?;
        self.plies.push(ply);
        self.undos.push(undo);
        self.keys.push(self.position.key());
        Ok(())
    }

    /// Takes the last ply back and returns it, `None` at the start.
    pub fn undo(&mut self) -> Option<Ply> {
        let undo = self.undos.pop()?;
        self.position.undo(undo);
        self.keys.pop();
        self.plies.pop()
    }

    /// Returns the result, `None` while the game goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some((loser, reason)) = self.position.loser() {
            let winner = !loser;
            return Some(Outcome::Win { winner, reason });
        }
        let draw = self.rules.quiet_draw(self.position.quiet());
        draw.or_else(|| {
            let (keys, plies) = (self.quiet_keys(), self.quiet_plies());
            self.rules.repetition_draw(keys, plies)
        })
        .map(Outcome::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ending::{DrawReason, WinReason};
    use crate::piece::Color;

    fn game(text: &str, rules: Rules) -> Game {
        Game::from_text(text, rules).unwrap()
    }

    #[test]
    fn third_time_draws_under_olympiad_rules() {
        let mut game = game("K3/4/4/4/4/4/4/3g r - 0 0", Rules::OLYMPIAD);
        let cycle = ["a8-a7", "d1-d2", "a7-a8", "d2-d1"];
        for (count, ply) in cycle.iter().cycle().take(8).enumerate() {
            assert_eq!(game.outcome(), None, "after {count}");
            game.play(ply.parse().unwrap()).unwrap();
        }
        let draw = Outcome::Draw(DrawReason::Repetition { period: 4 });
        assert_eq!(game.outcome(), Some(draw));
        game.undo();
        assert_eq!(game.outcome(), None);
    }

    #[test]
    fn losing_everything_loses_at_once_even_with_enemy_pieces_face_down() {
        let mut game = game("?3/4/4/4/4/4/4/Kg2 r G 0 0", Rules::OLYMPIAD);
        game.play("a1-b1".parse().unwrap()).unwrap();
        let win = Outcome::Win {
            winner: Color::Red,
            reason: WinReason::Annihilation,
        };
        assert_eq!(game.outcome(), Some(win));
        assert!(game.position().actions().is_empty());
    }

    #[test]
    fn no_legal_action_loses() {
        let text = "4/4/4/4/4/4/P3/kP2 b - 0 0";
        let win = Outcome::Win {
            winner: Color::Red,
            reason: WinReason::NoLegalAction,
        };
        assert_eq!(game(text, Rules::OLYMPIAD).outcome(), Some(win));
    }

    #[test]
    fn quiet_limit_draws() {
        let text = "K3/4/4/4/4/4/4/3g r - 59 59 moves a8-a7";
        let draw = Outcome::Draw(DrawReason::QuietLimit);
        assert_eq!(game(text, Rules::PLATFORM).outcome(), Some(draw));
        assert_eq!(game(text, Rules::OLYMPIAD).outcome(), None);
    }
}
