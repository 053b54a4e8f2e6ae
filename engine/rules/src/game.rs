//! A game: a position with its past and its rules.
//!
//! Repetition, the ban on perpetual chasing and taking back need the past, which a
//! [`Position`] does not have. So a game decides what is legal. Playing on after a draw
//! by counter or repetition is allowed: the referee ends the game, and servers may count
//! differently.

use crate::chase::{Manner, Pursuit};
use crate::ending::{DrawReason, Outcome, Repetition, Rules};
use crate::legality::PlayError;
use crate::moves::{Action, ActionList, Ply};
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
    /// The pursuits from the start to the current position.
    pursuits: Vec<Pursuit>,
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
        let start = start.under(rules.convention);
        Game {
            start,
            position: start,
            rules,
            plies: Vec::new(),
            undos: Vec::new(),
            keys: vec![start.key()],
            pursuits: vec![Pursuit::NONE],
        }
    }

    /// Reads `start` or a position string, optionally followed by `moves` and plies, and plays them.
    ///
    /// # Errors
    ///
    /// Returns an error if the position or a ply cannot be read, or a ply cannot be played.
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

    /// Changes the rules in force, as if the game had been played under them from the start.
    pub fn set_rules(&mut self, rules: Rules) {
        let replays = rules.convention != self.rules.convention;
        self.rules = rules;
        if replays {
            self.replay();
        }
    }

    /// Plays all plies again by the convention of the rules: it decides what a flip does to the counter.
    fn replay(&mut self) {
        self.start = self.start.under(self.rules.convention);
        self.position = self.start;
        for (ply, undo) in self.plies.iter().zip(&mut self.undos) {
            *undo = self.position.play_unchecked(*ply);
        }
    }

    /// Returns the plies played since the start.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Returns the undo records of the plies played, which hold what was captured.
    pub fn undos(&self) -> &[Undo] {
        &self.undos
    }

    /// Returns the keys of the positions since the last capture or flip, as far
    /// as they are known, the current one last.
    ///
    /// Under [`Convention::Course`](crate::Convention::Course) there may be some more, from before a
    /// flip; none of these can recur.
    pub fn quiet_keys(&self) -> &[u64] {
        &self.keys[self.keys.len() - 1 - self.known_quiet()..]
    }

    /// Returns the plies since the last capture or flip, as far as they are known.
    pub fn quiet_plies(&self) -> &[Ply] {
        &self.plies[self.plies.len() - self.known_quiet()..]
    }

    /// Returns the pursuit that decides whether the next ply is a chase.
    pub fn pursuit(&self) -> Pursuit {
        self.pursuits.last().copied().unwrap_or(Pursuit::NONE)
    }

    /// Returns the part of the last ply in a chase.
    pub fn last_manner(&self) -> Manner {
        let (Some(undo), [.., before, _]) = (self.undos.last(), self.pursuits.as_slice()) else {
            return Manner::Ordinary;
        };
        let mut position = self.position;
        position.undo(*undo);
        before.manner(&position, undo.action())
    }

    fn known_quiet(&self) -> usize {
        self.plies.len().min(self.position.quiet_counter() as usize)
    }

    /// Returns the legal actions, in text order.
    ///
    /// These are the position's, less the chases that the rules forbid.
    pub fn actions(&self) -> ActionList {
        let all = self.position.actions();
        let free: ActionList = all
            .iter()
            .copied()
            .filter(|action| !self.is_perpetual_chase(*action))
            .collect();
        if free.is_empty() { all } else { free }
    }

    /// Returns whether an action is legal here.
    pub fn is_legal(&self, action: Action) -> bool {
        self.position.is_legal(action) && !self.is_banned(action)
    }

    /// Checks a ply without playing it.
    ///
    /// # Errors
    ///
    /// Returns an error if the ply is not legal here.
    pub fn check(&self, ply: Ply) -> Result<(), PlayError> {
        self.position.check(ply)?;
        self.check_ban(ply.action)
    }

    /// Checks an action, whatever a flip would reveal.
    ///
    /// # Errors
    ///
    /// Returns an error if the action is not legal here.
    pub fn check_action(&self, action: Action) -> Result<(), PlayError> {
        self.position.check_action(action)?;
        self.check_ban(action)
    }

    fn check_ban(&self, action: Action) -> Result<(), PlayError> {
        if self.is_banned(action) {
            Err(PlayError::PerpetualChase(action))
        } else {
            Ok(())
        }
    }

    /// Whether the rules forbid an action that the position allows.
    fn is_banned(&self, action: Action) -> bool {
        // If every action would be banned, none is.
        self.is_perpetual_chase(action) && self.actions().iter().all(|legal| *legal != action)
    }

    /// Whether an action is a chase that repeats a position once too often.
    fn is_perpetual_chase(&self, action: Action) -> bool {
        let Repetition::ChaseBan { times } = self.rules.repetition else {
            return false;
        };
        if self.pursuit().manner(&self.position, action) != Manner::Chase {
            return false;
        }
        let key = self.position.key_after_step(action);
        let before = self.quiet_keys().iter().filter(|known| **known == key);
        times >= 2 && before.count() as u32 + 1 >= times
    }

    /// Plays a ply.
    ///
    /// # Errors
    ///
    /// Returns an error if the ply is not legal; the game is then unchanged.
    pub fn play(&mut self, ply: Ply) -> Result<(), PlayError> {
        self.check(ply)?;
        let pursuit = self.pursuit().after(&self.position, ply.action);
        let undo = self.position.play_unchecked(ply);
        self.pursuits.push(pursuit);
        self.plies.push(ply);
        self.undos.push(undo);
        self.keys.push(self.position.key());
        Ok(())
    }

    /// Plays an action and returns the ply; a flip reveals a piece drawn from those still face
    /// down, each as likely as any other, by the words of `next`.
    ///
    /// # Errors
    ///
    /// Returns an error if the action is not legal; the game is then unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// use anqi_rules::random::split_mix;
    /// use anqi_rules::{Game, Position, Rules};
    ///
    /// let (mut game, mut state) = (Game::new(Position::start(), Rules::OLYMPIAD), 42);
    /// let ply = game.play_drawn("c3-c3".parse()?, || split_mix(&mut state))?;
    /// assert!(ply.reveal.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_drawn(
        &mut self,
        action: Action,
        next: impl FnMut() -> u64,
    ) -> Result<Ply, PlayError> {
        self.check_action(action)?;
        let reveal = if action.is_flip() {
            self.position.hidden().draw(next)
        } else {
            None
        };
        let ply = Ply { action, reveal };
        self.play(ply)?;
        Ok(ply)
    }

    /// Takes the last ply back and returns it, `None` at the start.
    pub fn undo(&mut self) -> Option<Ply> {
        let undo = self.undos.pop()?;
        self.position.undo(undo);
        self.keys.pop();
        self.pursuits.pop();
        self.plies.pop()
    }

    /// Returns the result, `None` before the game has ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.rules.outcome(&self.position, || self.repeated())
    }

    /// The draw by repetition.
    fn repeated(&self) -> Option<DrawReason> {
        let (keys, plies) = (self.quiet_keys(), self.quiet_plies());
        let draw = self.rules.repetition_draw(keys, plies)?;
        let only_ordinary = matches!(self.rules.repetition, Repetition::ChaseBan { .. });
        let draws = !only_ordinary || self.last_manner() == Manner::Ordinary;
        draws.then_some(draw)
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

    #[test]
    fn a_chase_may_not_bring_a_position_about_for_the_third_time() {
        let cycle = "c3-b3 b4-c4 b3-c3 c4-b4";
        let text = format!("P3/4/4/1r2/4/2G1/4/3p b - 0 0 moves b5-b4 {cycle} {cycle}");
        let chase: Action = "c3-b3".parse().unwrap();
        let mut banned = game(&text, Rules::MISTBOARD);
        assert_eq!(banned.outcome(), None);
        assert!(!banned.is_legal(chase) && !banned.actions().contains(&chase));
        assert_eq!(
            banned.play(chase.into()),
            Err(PlayError::PerpetualChase(chase))
        );
        assert!(banned.is_legal("c3-c4".parse().unwrap()));
        // The same plies draw where chasing is free, and nothing is forbidden.
        let mut free = game(&text, Rules::OLYMPIAD);
        assert!(matches!(free.outcome(), Some(Outcome::Draw(_))));
        free.undo();
        assert_eq!(free.outcome(), None);
        // Taking a ply back takes its repetition back.
        banned.undo();
        assert!(banned.play("c4-d4".parse().unwrap()).is_ok());
    }

    #[test]
    fn a_chase_is_legal_if_there_is_nothing_else() {
        // A pawn and a king in a box of four squares; only the pawn can move for red.
        let pawn_in_a_box = "4/4/4/4/4/gm2/1Rm1/Pkr1 b - 0 0 moves b1-b2";
        let up = "a1-a2 b2-b1 a2-a1 b1-b2";
        let right = "a1-b1 b2-a2 b1-a1 a2-b2";
        let one_left = game(
            &format!("{pawn_in_a_box} {up} {up} {right}"),
            Rules::MISTBOARD,
        );
        let names = |game: &Game| game.actions().iter().map(ToString::to_string).collect();
        let legal: Vec<String> = names(&one_left);
        assert_eq!(legal, ["a1-b1"]);
        let none_left = format!("{pawn_in_a_box} {up} {up} {right} {right}");
        let mut none_left = game(&none_left, Rules::MISTBOARD);
        let legal: Vec<String> = names(&none_left);
        assert_eq!(legal, ["a1-a2", "a1-b1"]);
        assert_eq!(none_left.play("a1-a2".parse().unwrap()), Ok(()));
        assert_eq!(none_left.outcome(), None, "chases do not draw");
    }

    #[test]
    fn changed_rules_count_flips_from_the_start() {
        let text = "K3/4/4/?3/4/4/4/3g r P 5 9 moves a8-a7 a5(P) a7-a8";
        let mut game = game(text, Rules::OLYMPIAD);
        assert_eq!(game.position().quiet_counter(), 1);
        for (rules, after, before) in [(Rules::COURSE, 7, 6), (Rules::OLYMPIAD, 1, 0)] {
            let mut changed = game.clone();
            changed.set_rules(rules);
            assert_eq!(changed.position().quiet_counter(), after);
            let direct = Game::from_text(text, rules).unwrap();
            assert_eq!(changed.position(), direct.position());
            changed.undo();
            assert_eq!(changed.position().quiet_counter(), before);
            game.set_rules(rules);
        }
    }

    #[test]
    fn under_course_rules_a_flip_neither_raises_nor_clears_the_counter() {
        let text = "K3/4/4/??2/4/4/4/3g r Pp 28 40 moves a8-a7 a5(P) a7-a8";
        let limit = Outcome::Draw(DrawReason::QuietLimit);
        assert_eq!(game(text, Rules::COURSE).outcome(), Some(limit));
        let one_less = text.replace(" 28 ", " 27 ");
        assert_eq!(game(&one_less, Rules::COURSE).outcome(), None);
    }

    #[test]
    fn under_course_rules_the_draw_is_looked_at_before_a_side_without_an_action() {
        // The step of the pawn takes the last action from black.
        let at = |quiet: u32| {
            let text = format!("4/4/4/4/4/4/P3/c1P1 r - {quiet} 40 moves c1-b1");
            game(&text, Rules::COURSE).outcome()
        };
        let win = Outcome::Win {
            winner: Color::Red,
            reason: WinReason::NoLegalAction,
        };
        assert_eq!(at(28), Some(win));
        assert_eq!(at(29), Some(Outcome::Draw(DrawReason::QuietLimit)));
    }

    #[test]
    fn under_course_rules_a_cannon_can_lose_by_its_own_jump() {
        let text = "4/4/4/4/C3/4/p3/mp2 r - 0 40 moves a4-a1";
        let mut jumped = game(text, Rules::COURSE);
        let win = Outcome::Win {
            winner: Color::Black,
            reason: WinReason::NoLegalAction,
        };
        assert_eq!(jumped.outcome(), Some(win));
        let play = jumped.play("b1-c1".parse().unwrap());
        assert_eq!(play, Err(PlayError::Stuck(Color::Red)));
        assert_eq!(
            game(text, Rules::OLYMPIAD).outcome(),
            None,
            "black is to move"
        );
    }

    #[test]
    fn the_quiet_limit_comes_before_the_win_where_the_rules_say_so() {
        let text = "4/4/4/4/4/4/P3/k1P1 r - 39 39 moves c1-b1";
        let limit = Outcome::Draw(DrawReason::QuietLimit);
        assert_eq!(game(text, Rules::MISTBOARD).outcome(), Some(limit));
        assert!(matches!(
            game(text, Rules::PAPER).outcome(),
            Some(Outcome::Win { .. })
        ));
    }
}
