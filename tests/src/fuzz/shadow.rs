//! The naive rule book as the shadow of a conversation.

use super::expected::{Expected, Sensible};
use anqi_naive::{FULL_BAG, Naive, NaiveRules, Outcome, preset};

/// Stands for the position after `init_board`, as long as the side to move is unknown.
pub const UNTURNED: &str = "unturned";

/// What is known of the engine's state.
pub struct Shadow {
    /// The game, as far as its past is known.
    pub game: Naive,
    /// The games before each ply that can be taken back.
    past: Vec<Naive>,
    /// The rules in force, if they are a preset.
    rules: Option<NaiveRules>,
    /// Whether `init_board` has set up `game`'s board, and the side to move is still unknown.
    unturned: bool,
    /// Whether nothing was flipped since `init_board`.
    board_is_known: bool,
    /// Whether all plies that the engine can take back are in `past`.
    past_is_known: bool,
    /// Whether `game` has the plies that repetition needs.
    history_is_known: bool,
}

impl Shadow {
    /// Returns the state of an engine that was just started, under `olympiad` rules.
    pub fn new() -> Shadow {
        Shadow {
            game: Naive::start(),
            past: Vec::new(),
            rules: Some(preset("olympiad")),
            unturned: false,
            board_is_known: true,
            past_is_known: true,
            history_is_known: true,
        }
    }

    /// Returns the position string.
    pub fn text(&self) -> String {
        if self.unturned {
            UNTURNED.to_string()
        } else {
            self.game.to_string()
        }
    }

    /// Returns whether the side to move is unknown.
    pub fn is_unturned(&self) -> bool {
        self.unturned
    }

    /// Checks that the position is still the same.
    pub fn unchanged(&self, position: &str) -> Result<(), String> {
        if self.text() == position {
            return Ok(());
        }
        Err(format!(
            "the position is {position}, it should still be {}",
            self.game
        ))
    }

    /// Checks the result of a sensible line.
    pub fn expect(&mut self, line: &Sensible, answer: &str, position: &str) -> Result<(), String> {
        let accepted = answer.starts_with('=');
        let wrong = || {
            Err(format!(
                "{:?} was answered with {answer:?} at {position}",
                line.text
            ))
        };
        let stays = match &line.expected {
            Expected::Answer(expected) if answer != expected => return wrong(),
            Expected::Answer(_) | Expected::Anything => true,
            Expected::Accepted => accepted,
            Expected::Refused => !accepted,
            Expected::Result => accepted && self.is_result(answer),
            Expected::Rules(name) => {
                self.rules = Some(preset(name));
                accepted
            }
            Expected::OtherRules => {
                self.rules = None;
                accepted
            }
            Expected::Played(ply) => {
                return self.played(ply, accepted, position).or_else(|_| wrong());
            }
            Expected::Turned if accepted => return self.turned(position),
            Expected::Turned => true,
            Expected::TakenBack => return self.taken_back(accepted, position),
            Expected::Now(game) | Expected::Board(game) if !accepted => {
                return Err(format!(
                    "{:?} for {game} was answered with {answer:?}",
                    line.text
                ));
            }
            Expected::Now(game) => {
                self.enter((**game).clone());
                true
            }
            Expected::Board(game) => return self.on_board(game, position),
        };
        if !stays {
            return wrong();
        }
        self.unchanged(position)
    }

    /// Starts over with a game whose plies can be taken back one by one.
    fn enter(&mut self, game: Naive) {
        self.past.clear();
        self.past_is_known = game.record().is_empty();
        self.history_is_known = true;
        self.unturned = false;
        self.game = game;
    }

    fn played(&mut self, ply: &str, accepted: bool, position: &str) -> Result<(), String> {
        if !accepted && self.may_be_over() {
            return self.unchanged(position);
        }
        let before = self.game.clone();
        self.game.play(ply)?;
        self.past.push(before);
        if accepted {
            self.unchanged(position)
        } else {
            Err("a legal ply was refused".to_string())
        }
    }

    /// Returns whether the game may be drawn: an engine may play on then, or refuse to.
    fn may_be_over(&self) -> bool {
        self.rules
            .is_none_or(|rules| self.game.outcome(&rules) != Outcome::Playing)
    }

    fn taken_back(&mut self, accepted: bool, position: &str) -> Result<(), String> {
        match self.past.pop() {
            Some(before) if accepted => {
                self.game = before;
                self.unchanged(position)
            }
            Some(_) => Err("undo was refused although a ply was played".to_string()),
            None if !self.past_is_known => self.resync(position),
            None if accepted => Err("undo was accepted before the first ply".to_string()),
            None => Ok(()),
        }
    }

    /// Checks the position after `init_board`: unknown as yet, or a start that needs no turn.
    fn on_board(&mut self, game: &Naive, position: &str) -> Result<(), String> {
        if game.hidden() == FULL_BAG {
            self.enter(Naive::start());
            return self.unchanged(position);
        }
        self.enter(game.clone());
        self.unturned = true;
        self.board_is_known = true;
        self.past_is_known = false;
        self.unchanged(position)
    }

    /// Checks the first position after `init_board` with a side to move: board and bag must be the ones set up or, if a
    /// ply determined the side to move, one ply away from them.
    fn turned(&mut self, position: &str) -> Result<(), String> {
        if !self.board_is_known || position == UNTURNED {
            return self.resync(position);
        }
        let now = Naive::parse(position).ok_or_else(|| format!("no position: {position}"))?;
        let fields = |text: &str| text.split(' ').map(ToString::to_string).collect::<Vec<_>>();
        let same = |game: &Naive| {
            let (ours, theirs) = (fields(&game.to_string()), fields(position));
            ours[0] == theirs[0] && ours[2] == theirs[2]
        };
        let mut reached = same(&self.game);
        for turn in ['r', 'b'] {
            let before = self.game.with_turn(turn);
            for ply in before.possible_plies() {
                let mut next = before.clone();
                next.play(&ply)?;
                reached = reached || (same(&next) && next.turn() == now.turn());
            }
        }
        if !reached {
            return Err(format!("init_board of {} led to {position}", self.game));
        }
        self.unturned = false;
        self.resync(position)
    }

    /// Takes over the engine's position.
    fn resync(&mut self, position: &str) -> Result<(), String> {
        self.unturned = position == UNTURNED;
        if self.unturned {
            return Ok(());
        }
        self.game = Naive::parse(position).ok_or_else(|| format!("no position: {position}"))?;
        if self.game.to_string() != position {
            return Err(format!("not written as positions are: {position}"));
        }
        self.past.clear();
        self.past_is_known = false;
        self.history_is_known = false;
        Ok(())
    }

    /// Follows a spoilt line that the engine accepted: the rules must allow the new position.
    pub fn follow(&mut self, line: &[u8], position: &str) -> Result<(), String> {
        let line = String::from_utf8_lossy(line).into_owned();
        self.forget_what_may_have_changed(&line);
        if self.unturned
            && ["flip", "undo", "board"]
                .iter()
                .any(|name| line.contains(name))
        {
            self.board_is_known = false;
        }
        if self.text() == position {
            return Ok(());
        }
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let says = |name: &str| words.iter().take(2).any(|word| *word == name);
        if says("position") || says("init_board") {
            self.board_is_known = false;
            return self.resync(position);
        }
        if says("reset_board") && position == Naive::start().to_string() {
            self.enter(Naive::start());
            return Ok(());
        }
        if self.unturned {
            return self.turned(position);
        }
        if says("undo") {
            return self.taken_back(true, position);
        }
        for ply in self.game.possible_plies() {
            let mut next = self.game.clone();
            next.play(&ply)?;
            if next.to_string() == position && (says("move") || says("flip")) {
                self.past.push(std::mem::replace(&mut self.game, next));
                return Ok(());
            }
        }
        Err(format!("{line:?} led from {} to {position}", self.game))
    }

    /// A spoilt line may change the rules, or set up the same position with another past.
    fn forget_what_may_have_changed(&mut self, line: &str) {
        if line.contains("set") || line.contains("num_") {
            self.rules = None;
        }
        if line.contains("position") || line.contains("board") {
            self.past.clear();
            self.past_is_known = false;
            self.history_is_known = false;
        }
    }

    /// Returns whether an answer to `result` is right.
    fn is_result(&self, answer: &str) -> bool {
        let text = answer.trim_start_matches("=59 ");
        let known = match self.rules {
            Some(rules) if self.history_is_known => Some(self.game.outcome(&rules)),
            _ => None,
        };
        let lost = self.game.legal().is_empty();
        match known {
            Some(Outcome::Playing) => text == "playing",
            Some(Outcome::Quiet | Outcome::Repetition) => text.starts_with("draw "),
            Some(won) => text == won.to_string(),
            None if lost => text == self.game.outcome(&preset("paper")).to_string(),
            None => text == "playing" || text.starts_with("draw "),
        }
    }
}

impl Default for Shadow {
    fn default() -> Shadow {
        Shadow::new()
    }
}
