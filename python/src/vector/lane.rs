//! One game of many.
//!
//! A lane plays on a bare position with as much of the past as the rules ask for. Only under a ban on
//! perpetual chasing, where the past decides what is legal, it keeps a whole game.

use super::actions::{ACTIONS, action, number};
use super::encoding::{BYTES, mask, observe};
use anqi_rules::random::{mix, split_mix};
use anqi_rules::{
    Action, Color, Game, Outcome, Piece, PlayError, Ply, Position, Repetition, Rules,
};

/// What a ply has led to.
#[derive(Clone, Copy)]
pub struct Played {
    /// The piece that a flip has revealed.
    pub revealed: Option<Piece>,
    /// How the game has ended, if it has.
    pub outcome: Option<Outcome>,
    /// The colour of the side that played.
    pub mover: Color,
}

impl Played {
    /// Returns the points of the side that played.
    pub fn reward(&self) -> f32 {
        match self.outcome.and_then(Outcome::winner) {
            None => 0.0,
            Some(winner) if winner == self.mover => 1.0,
            Some(_) => -1.0,
        }
    }

    /// Returns the reason for the end as a number, 0 while the game goes on.
    pub fn reason(&self) -> u8 {
        use anqi_rules::{DrawReason, WinReason};
        match self.outcome {
            None => 0,
            Some(Outcome::Win {
                reason: WinReason::NoLegalAction,
                ..
            }) => 1,
            Some(Outcome::Win {
                reason: WinReason::Annihilation,
                ..
            }) => 2,
            Some(Outcome::Draw(DrawReason::QuietLimit)) => 3,
            Some(Outcome::Draw(DrawReason::Repetition { .. })) => 4,
        }
    }
}

/// One game of many.
#[derive(Clone)]
pub struct Lane {
    pub position: Position,
    /// The ply that it plays next, checked.
    pub next: Option<Ply>,
    /// Keys since the last capture or flip, the current one last, if repetition may draw.
    keys: Vec<u64>,
    /// The plies between them.
    plies: Vec<Ply>,
    /// The whole game, if the past decides what is legal.
    game: Option<Box<Game>>,
    /// Draws what flips reveal.
    chance: u64,
    /// Draws sampled actions.
    sampling: u64,
}

impl Lane {
    /// Returns a lane at the start, with its own stream of chance.
    pub fn new(start: &Position, rules: &Rules, seed: u64) -> Lane {
        let mut lane = Lane {
            position: *start,
            next: None,
            keys: Vec::new(),
            plies: Vec::new(),
            game: None,
            chance: 0,
            sampling: 0,
        };
        lane.seed(seed);
        lane.begin(start, rules);
        lane
    }

    /// Begins its streams of chance anew.
    pub fn seed(&mut self, seed: u64) {
        self.chance = mix(seed, 1);
        self.sampling = mix(seed, 2);
    }

    /// Begins a game.
    pub fn begin(&mut self, start: &Position, rules: &Rules) {
        self.position = *start;
        self.plies.clear();
        self.keys.clear();
        self.keys.push(start.key());
        if matches!(rules.repetition, Repetition::ChaseBan { .. }) {
            self.game = Some(Box::new(Game::new(*start, *rules)));
        }
    }

    /// Returns the action with this number if it is legal.
    ///
    /// # Errors
    ///
    /// Says why it is not; `None` if there is no such action.
    #[inline]
    pub fn legal(&self, wanted: i64) -> Result<Action, Option<PlayError>> {
        let wanted = u32::try_from(wanted).ok().and_then(action).ok_or(None)?;
        match &self.game {
            Some(game) => game.check_action(wanted).map_err(Some)?,
            None if self.position.is_legal(wanted) => {}
            None => self.position.check_action(wanted).map_err(Some)?,
        }
        Ok(wanted)
    }

    /// Draws the piece that a flip reveals.
    #[inline]
    pub fn draw(&mut self, action: Action) -> Option<Piece> {
        if !action.is_flip() {
            return None;
        }
        let chance = &mut self.chance;
        self.position.hidden().draw(|| split_mix(chance))
    }

    /// Plays a legal ply.
    #[inline]
    pub fn play(&mut self, ply: Ply, rules: &Rules) -> Played {
        // The player of the first flip gets its colour.
        let first = || ply.reveal.map_or(Color::Red, Piece::color);
        let mover = self.position.turn().unwrap_or_else(first);
        let outcome = if let Some(game) = &mut self.game {
            // The caller has checked it; a refusal would leave the game as it is.
            let _ = game.play(ply);
            self.position = *game.position();
            game.outcome()
        } else {
            let undo = self.position.play_unchecked(ply);
            let is_quiet = ply.reveal.is_none() && undo.captured().is_none();
            self.outcome(ply, is_quiet, rules)
        };
        Played {
            revealed: ply.reveal,
            outcome,
            mover,
        }
    }

    #[inline]
    fn outcome(&mut self, ply: Ply, is_quiet: bool, rules: &Rules) -> Option<Outcome> {
        if rules.repetition == Repetition::Never {
            return rules.outcome(&self.position, || None);
        }
        if is_quiet {
            self.plies.push(ply);
        } else {
            self.plies.clear();
            self.keys.clear();
        }
        self.keys.push(self.position.key());
        rules.outcome(&self.position, || {
            rules.repetition_draw(&self.keys, &self.plies)
        })
    }

    /// Returns how often the position has occurred before.
    #[inline]
    fn repeated(&self, rules: &Rules) -> u8 {
        if rules.repetition == Repetition::Never {
            return 0;
        }
        let keys = self
            .game
            .as_ref()
            .map_or(&self.keys[..], |game| game.quiet_keys());
        let key = self.position.key();
        let before = keys.iter().filter(|known| **known == key).count();
        before.saturating_sub(1).min(255) as u8
    }

    /// Writes observation and mask.
    #[inline]
    pub fn write(&self, rules: &Rules, observation: &mut [u8; BYTES], legal: &mut [u8; ACTIONS]) {
        observe(&self.position, self.repeated(rules), observation);
        let Some(game) = &self.game else {
            mask(&self.position, legal);
            return;
        };
        legal.fill(0);
        if game.outcome().is_none() {
            let numbers = game.actions().into_iter().filter_map(number);
            numbers.for_each(|number| legal[number as usize] = 1);
        }
    }

    /// Draws one of the actions of a mask, each as likely as any other to within 2^-55; 0 if there is none.
    pub fn sample(&mut self, legal: &[u8; ACTIONS]) -> i64 {
        let (words, _) = legal.as_chunks::<8>();
        let count = words.iter().map(|bytes| ones(*bytes)).sum::<u64>();
        let drawn = u128::from(split_mix(&mut self.sampling)) * u128::from(count);
        let mut left = (drawn >> 64) as u64;
        for (place, bytes) in words.iter().enumerate() {
            let here = ones(*bytes);
            if left < here {
                let mut word = u64::from_le_bytes(*bytes);
                for _ in 0..left {
                    word &= word - 1;
                }
                return (8 * place) as i64 + i64::from(word.trailing_zeros() / 8);
            }
            left -= here;
        }
        0
    }
}

/// Returns how many of eight bytes, each 0 or 1, are 1.
#[inline(always)]
fn ones(bytes: [u8; 8]) -> u64 {
    u64::from(u64::from_le_bytes(bytes).count_ones())
}
