//! The line from the game to a node: repetitions and draws.
//!
//! Repetition and the quiet limit end lines as draws. A value that depends on the
//! repetition of a position further up holds on that line only and must not enter the
//! transposition table. The line keeps the ply nearest the root that a value depends on,
//! its *taint*: a value is clean if it depends on nothing above its own node.
//!
//! Where the rules ban perpetual chasing, a chase that repeats a position is left
//! out of the tree, and neither it nor the flight from it draws. Values that
//! depend on the ban are tainted as by a repetition.

use super::settings::Settings;
use anqi_rules::chase::{Manner, Pursuit};
use anqi_rules::{Action, Color, Convention, Game, Position, Precedence, Repetition, Rules};

/// The taint of a value that depends on nothing further up.
const CLEAN: u32 = u32::MAX;
/// Spreads small numbers over a key.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The ply nearest the root that values on the line so far depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taint(u32);

/// Where the value of a position holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// On every line.
    Everywhere,
    /// On this line only.
    HereOnly,
}

/// The last ply's part in a chase, for the ban on perpetual chasing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past {
    pursuit: Pursuit,
    manner: Manner,
}

impl Past {
    /// Nothing that matters.
    pub(super) const NONE: Past = Past {
        pursuit: Pursuit::NONE,
        manner: Manner::Ordinary,
    };
}

/// The line from the last capture or flip of the game to the current node.
#[derive(Debug)]
pub(super) struct Line {
    rules: Rules,
    contempt: i32,
    /// Plies before the quiet limit within which the counter matters.
    horizon: u32,
    root_color: Option<Color>,
    /// Distinguishes table entries that depend on the value of a draw.
    draw_word: u64,
    /// Whether values depend on the number of flips above.
    counts_flips: bool,
    /// Keys of the positions since the last capture or flip of the game, then those of the line.
    keys: Vec<u64>,
    /// The index of the root in `keys`.
    root: usize,
    taint: u32,
    /// The parts in chases of the plies to the root and below it; empty without a ban.
    pasts: Vec<Past>,
}

impl Line {
    /// Returns the line that ends at the game's position.
    pub(super) fn new(game: &Game, settings: &Settings) -> Line {
        let keys = game.quiet_keys().to_vec();
        let root_color = game.position().turn();
        let bans_chases = matches!(game.rules().repetition, Repetition::ChaseBan { .. });
        let root_past = Past {
            pursuit: game.pursuit(),
            manner: game.last_manner(),
        };
        Line {
            rules: game.rules(),
            contempt: settings.contempt,
            horizon: settings.draw_horizon,
            root_color,
            draw_word: draw_word(settings.contempt, root_color),
            counts_flips: settings.flip_further > 0,
            root: keys.len() - 1,
            keys,
            taint: CLEAN,
            pasts: bans_chases.then_some(root_past).into_iter().collect(),
        }
    }

    /// Returns an action's part in a chase.
    #[inline]
    pub(super) fn past_after(&self, position: &Position, action: Action) -> Past {
        match self.pasts.last() {
            None => Past::NONE,
            Some(past) => Past {
                pursuit: past.pursuit.after(position, action),
                manner: past.pursuit.manner(position, action),
            },
        }
    }

    /// Appends a position.
    #[inline]
    pub(super) fn push(&mut self, position: &Position, past: Past) {
        self.keys.push(position.key());
        if !self.pasts.is_empty() {
            self.pasts.push(past);
        }
    }

    /// Removes the last position.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.keys.pop();
        self.pasts.pop();
    }

    /// Returns whether positions just below the root can repeat the game's past.
    pub(super) fn has_past(&self) -> bool {
        self.root >= 2
    }

    /// Begins a node: until [`Line::finish`] the taint is that of its value alone.
    #[inline]
    pub(super) fn begin(&mut self) -> Taint {
        Taint(std::mem::replace(&mut self.taint, CLEAN))
    }

    /// Ends a node and returns where its value holds; a taint from above is passed up.
    #[inline]
    pub(super) fn finish(&mut self, outer: Taint, ply: u32) -> Holds {
        let holds = if self.taint >= ply {
            self.taint = CLEAN;
            Holds::Everywhere
        } else {
            Holds::HereOnly
        };
        self.taint = self.taint.min(outer.0);
        holds
    }

    /// Ends a chance node; no position below a flip can repeat one above it.
    #[inline]
    pub(super) fn finish_flip(&mut self, outer: Taint) {
        self.taint = outer.0;
    }

    /// Returns the value if the position counts as drawn, for the side to move.
    ///
    /// One earlier occurrence is enough, although the rules require two: a side with
    /// something to win should make progress rather than come back, and a side that can
    /// come back once can do so again.
    #[inline]
    pub(super) fn draw(&mut self, position: &Position) -> Option<i32> {
        if self.rules.quiet_draw(position.quiet_counter()).is_none() {
            let taint = self.repeated(position)?;
            self.taint = self.taint.min(taint);
            if self
                .pasts
                .last()
                .is_some_and(|p| p.manner != Manner::Ordinary)
            {
                return None;
            }
        }
        Some(self.draw_value(position))
    }

    /// Returns the value of a position that is lost for a side but drawn because draws take
    /// precedence.
    pub(super) fn draw_before_loss(&self, position: &Position) -> Option<i32> {
        let comes_first = self.rules.precedence == Precedence::Draws;
        let draws = comes_first && self.rules.quiet_draw(position.quiet_counter()).is_some();
        draws.then(|| self.draw_value(position))
    }

    /// Returns whether the position is repeated under a ban on chasing, so that its legal
    /// actions may differ from before.
    #[inline]
    pub(super) fn is_repeated_under_ban(&self, position: &Position) -> bool {
        !self.pasts.is_empty() && self.repeated(position).is_some()
    }

    /// Returns whether an action is left out as a chase that repeats a position.
    ///
    /// The rules require one more occurrence, but coming back gains nothing.
    #[inline]
    pub(super) fn is_barred(&mut self, position: &Position, action: Action) -> bool {
        let Some(past) = self.pasts.last() else {
            return false;
        };
        let pursuit = past.pursuit;
        let Some(taint) = self.chases_back_to(position, pursuit, action) else {
            return false;
        };
        self.taint = self.taint.min(taint);
        // If every action would be barred, none is.
        let is_barred = |other| self.chases_back_to(position, pursuit, other).is_some();
        !position.actions().into_iter().all(is_barred)
    }

    /// Returns the ply of the position that an action repeats by a chase, 0 for one of the game.
    fn chases_back_to(&self, position: &Position, pursuit: Pursuit, action: Action) -> Option<u32> {
        if position.quiet_counter() < 3 || pursuit.manner(position, action) != Manner::Chase {
            return None;
        }
        let key = position.key_after_step(action);
        self.earlier(key, self.keys.len(), position.quiet_counter() + 1)
    }

    /// Returns the ply of the position that this one repeats, 0 for one of the game.
    fn repeated(&self, position: &Position) -> Option<u32> {
        if self.rules.repetition == Repetition::Never || position.quiet_counter() < 4 {
            return None;
        }
        self.earlier(
            position.key(),
            self.keys.len() - 1,
            position.quiet_counter(),
        )
    }

    /// Returns the ply of an earlier position with this key, 0 for one of the game.
    #[inline]
    fn earlier(&self, key: u64, here: usize, quiet: u32) -> Option<u32> {
        let quiet = here.min(quiet as usize);
        let mut back = (4..=quiet).step_by(2).map(|plies| here - plies);
        let place = back.find(|&place| self.keys[place] == key)?;
        Some(place.saturating_sub(self.root) as u32)
    }

    /// Returns the value of a draw for the side to move.
    pub(super) fn draw_value(&self, position: &Position) -> i32 {
        if position.turn() == self.root_color {
            -self.contempt
        } else {
            self.contempt
        }
    }

    /// Returns an estimate, shrunk towards a draw when the counter nears its limit.
    #[inline]
    pub(super) fn shrunk(&self, estimate: i32, position: &Position) -> i32 {
        match self.quiet_left(position.quiet_counter()) {
            left if left < self.horizon => estimate * left as i32 / self.horizon as i32,
            _ => estimate,
        }
    }

    /// Returns whether estimates shrink even right after a flip, or are draws there.
    pub(super) fn shrinks_after_flips(&self, position: &Position) -> bool {
        let left = self.quiet_left(self.quiet_after_flip(position));
        left < self.horizon.max(1)
    }

    /// Returns the quiet counter after a flip.
    #[inline]
    pub(super) fn quiet_after_flip(&self, position: &Position) -> u32 {
        self.rules.convention.after_flip(position.quiet_counter())
    }

    /// Returns the quiet plies left before the limit.
    fn quiet_left(&self, quiet: u32) -> u32 {
        match self.rules.quiet_limit {
            Some(limit) => limit.get().saturating_sub(quiet),
            None => u32::MAX,
        }
    }

    /// The key of a node: its position, and what else its value depends on.
    #[inline]
    pub(super) fn key(&self, position: &Position, flips: u32) -> u64 {
        self.key_with(position.key(), position.quiet_counter(), flips)
    }

    /// The key of a node from its position's key, its quiet counter and the flips above.
    ///
    /// The counter is part of it near the limit; by the convention of a course always, since a
    /// flip does not clear it: how soon the limit comes is never forgotten on a line.
    #[inline]
    pub(super) fn key_with(&self, key: u64, quiet: u32, flips: u32) -> u64 {
        let left = self.quiet_left(quiet);
        let counts = left < self.horizon || self.rules.convention == Convention::Course;
        let near = if counts { left.saturating_add(1) } else { 0 };
        let flips = if self.counts_flips { flips } else { 0 };
        let extra = u64::from(near) << 8 | u64::from(flips);
        key ^ self.draw_word ^ extra.wrapping_mul(SPREAD)
    }
}

/// Returns 0 without contempt, else a word that depends on the value of a draw for each side.
fn draw_word(contempt: i32, root_color: Option<Color>) -> u64 {
    let side = root_color.map_or(0, |color| 1 + color.index() as u64);
    match contempt {
        0 => 0,
        _ => (u64::from(contempt as u32) << 2 | side).wrapping_mul(SPREAD.rotate_left(32)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str, rules: Rules) -> Game {
        Game::from_text(text, rules).unwrap()
    }

    const TEXT: &str = "K3/4/4/4/4/4/4/3g r - 8 9 moves a8-a7 d1-d2 a7-a8";

    #[test]
    fn a_position_of_the_game_taints_up_to_the_root() {
        let mut game = game(TEXT, Rules::OLYMPIAD);
        let mut line = Line::new(&game, &Settings::FULL);
        assert!(line.has_past());
        game.play("d2-d1".parse().unwrap()).unwrap();
        line.push(game.position(), Past::NONE);
        let outer = line.begin();
        assert_eq!(line.draw(game.position()), Some(0));
        assert_eq!(line.finish(outer, 1), Holds::HereOnly);
        line.pop();
        // The root itself passes nothing up.
        let outer = line.begin();
        assert_eq!(line.finish(outer, 0), Holds::Everywhere);
    }

    #[test]
    fn a_chase_that_comes_back_is_barred_and_taints() {
        let cycle = "c3-b3 b4-c4 b3-c3 c4-b4";
        let text = format!("P3/4/4/1r2/4/2G1/4/3p b - 0 0 moves b5-b4 {cycle}");
        let chase: Action = "c3-b3".parse().unwrap();
        let free: Action = "c3-c4".parse().unwrap();
        for (rules, is_barred) in [(Rules::MISTBOARD, true), (Rules::OLYMPIAD, false)] {
            let game = game(&text, rules);
            let mut line = Line::new(&game, &Settings::FULL);
            let outer = line.begin();
            assert!(!line.is_barred(game.position(), free));
            assert_eq!(line.is_barred(game.position(), chase), is_barred);
            let holds = if is_barred {
                Holds::HereOnly
            } else {
                Holds::Everywhere
            };
            assert_eq!(line.finish(outer, 1), holds);
            // The position is repeated, but under the ban only ordinary moves draw.
            assert_eq!(line.draw(game.position()).is_none(), is_barred);
            assert_eq!(line.is_repeated_under_ban(game.position()), is_barred);
        }
    }

    #[test]
    fn draws_are_bad_for_the_root_with_contempt_and_keys_know_it() {
        let settings = Settings {
            contempt: 300,
            ..Settings::FULL
        };
        let game = game(TEXT, Rules::OLYMPIAD);
        let line = Line::new(&game, &settings);
        let position = game.position();
        assert_eq!(line.draw_value(position), -300);
        assert_eq!(line.draw_value(&position.passed()), 300);
        let plain = Line::new(&game, &Settings::FULL);
        assert_ne!(line.key(position, 0), plain.key(position, 0));
    }

    #[test]
    fn under_course_rules_every_counter_has_a_key_and_flips_come_near_the_limit() {
        let rules = Rules {
            quiet_limit: std::num::NonZeroU32::new(100),
            ..Rules::COURSE
        };
        let at = |quiet: u32| game(&format!("K3/?3/4/4/4/4/4/3g r P {quiet} 99"), rules);
        let [early, later, near] = [0, 1, 61].map(at);
        let line = Line::new(&early, &Settings::FULL);
        assert_ne!(line.key(early.position(), 0), line.key(later.position(), 0));
        assert!(!line.shrinks_after_flips(later.position()));
        assert!(line.shrinks_after_flips(near.position()));
        assert_eq!(line.quiet_after_flip(near.position()), 61);
        let free = Line::new(
            &game("K3/?3/4/4/4/4/4/3g r P 61 99", Rules::OLYMPIAD),
            &Settings::FULL,
        );
        assert_eq!(free.quiet_after_flip(near.position()), 0);
    }

    #[test]
    fn estimates_shrink_and_keys_differ_near_the_limit() {
        let at = |quiet: u32| {
            let text = format!("K3/4/4/4/4/4/4/3g r - {quiet} 99");
            game(&text, Rules::PLATFORM)
        };
        let [far, near, nearer] = [10, 40, 41].map(at);
        let line = Line::new(&far, &Settings::FULL);
        assert_eq!(line.shrunk(800, far.position()), 800);
        assert_eq!(line.shrunk(800, near.position()), 400);
        assert_ne!(line.key(near.position(), 0), line.key(nearer.position(), 0));
        assert_eq!(line.key(at(11).position(), 0), line.key(far.position(), 0));
        assert!(!line.shrinks_after_flips(far.position()));
        // With a limit closer than the horizon estimates shrink from the first ply on.
        let horizon = std::num::NonZeroU32::new(Settings::FULL.draw_horizon - 10);
        let short = Rules {
            quiet_limit: horizon,
            ..Rules::PLATFORM
        };
        let short = game("K3/4/4/4/4/4/4/3g r - 0 99", short);
        let line = Line::new(&short, &Settings::FULL);
        assert!(line.shrinks_after_flips(short.position()));
        assert_eq!(line.shrunk(800, short.position()), 600);
    }
}
