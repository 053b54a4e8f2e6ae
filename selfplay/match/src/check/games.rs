//! Seeded games in which positions of a kind are asked.
//!
//! Positions are reached by plies from the usual start, as a server reaches them, so that an
//! engine needs nothing but the commands of a game. Both sides play at random, captures
//! rather than other moves. No position that is asked is over by any rules in use.

use anqi_rules::random::{below, mix, split_mix};
use anqi_rules::{Action, Content, Game, Piece, Ply, Position, Role, Rules};

/// The longest game that is played.
const MOST_PLIES: usize = 300;
/// The most positions of one game that are asked.
const MOST_ASKED: usize = 8;
/// Games that are looked at before fewer positions than wanted have to do.
const MOST_GAMES: u64 = 2_000;
/// Actions of a side that a single move may reduce to one.
const MOST_TO_STEER: usize = 5;
/// Plies without a capture after which some rules call a draw.
const FEWEST_TO_DRAW: usize = 30;

/// What the positions of a check have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScriptKind {
    /// Face-down pieces are left, and pieces of the side to move lie open.
    Middle,
    /// A cannon can jump.
    Jump,
    /// At most six pieces are left.
    Few,
    /// One action is legal.
    Only(Sort),
    /// Every piece has been flipped, and twelve at least are left.
    Revealed,
}

/// What the only legal action is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// A step to an empty square.
    Step,
    /// A capture by a step.
    Capture,
    /// A capture by a jump.
    Jump,
    /// A flip.
    Flip,
}

/// A game and the places at which one side is asked, as numbers of plies played before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// The plies.
    pub plies: Vec<Ply>,
    /// Where its side is asked, in order.
    pub asked: Vec<usize>,
}

/// Returns games with this many positions of a kind in all, fewer if they are hard to find.
pub fn scripts(seed: u64, kind: ScriptKind, mut count: usize) -> Vec<Script> {
    let mut scripts = Vec::new();
    for number in 0..MOST_GAMES {
        if count == 0 {
            break;
        }
        let mut script = random_game(mix(seed, number), kind);
        script.asked.truncate(count);
        if let Some(&last) = script.asked.last() {
            count -= script.asked.len();
            script.plies.truncate(last);
            scripts.push(script);
        }
    }
    scripts
}

/// Returns how many positions are asked in all.
pub fn asked(scripts: &[Script]) -> usize {
    scripts.iter().map(|script| script.asked.len()).sum()
}

/// Plays a game at random and marks the positions of a kind, all of one side.
fn random_game(seed: u64, kind: ScriptKind) -> Script {
    let mut state = seed;
    let side = (seed % 2) as usize;
    let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
    let mut asked = Vec::new();
    let mut last_capture = 0;
    while game.plies().len() < MOST_PLIES {
        let played = game.plies().len();
        let since_capture = played - last_capture;
        if since_capture >= FEWEST_TO_DRAW && kind != ScriptKind::Revealed || is_over(&mut game) {
            break;
        }
        // One in three, so that eight positions are spread over a game.
        let drawn_to_ask =
            matches!(kind, ScriptKind::Only(_)) || mix(seed, played as u64).is_multiple_of(3);
        let mine = played % 2 == side && played > 1 && drawn_to_ask;
        if mine && asked.len() < MOST_ASKED && is_of_kind(game.position(), kind) {
            asked.push(played);
        }
        let taste = match kind {
            ScriptKind::Revealed => Taste::Flips,
            ScriptKind::Only(_) if played % 2 == side => Taste::Anything,
            _ => Taste::Captures,
        };
        let drawn = random_ply(game.position(), taste, &mut state);
        let steered = match kind {
            ScriptKind::Only(sort) if played % 2 != side => steered(game.position(), sort),
            _ => None,
        };
        let ply = steered.unwrap_or(drawn);
        if is_capture(game.position(), ply.action) {
            last_capture = played + 1;
        }
        game.play(ply).expect("drawn from the legal actions");
    }
    Script {
        plies: game.plies().to_vec(),
        asked,
    }
}

/// Returns whether a game is over by any of the rules that servers play by.
pub fn is_over(game: &mut Game) -> bool {
    let own = game.rules();
    let mut over = false;
    for rules in [Rules::OLYMPIAD, Rules::PLATFORM, Rules::COURSE] {
        game.set_rules(rules);
        over |= game.outcome().is_some();
    }
    game.set_rules(own);
    let position = game.position();
    over || (position.turn().is_some() && !position.passed().has_action())
}

/// What a side would rather play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taste {
    /// All actions alike.
    Anything,
    /// Captures, three times in four.
    Captures,
    /// Flips, as long as there are any.
    Flips,
}

/// Returns a move after which the other side has one action, of this sort, if there is such a move.
///
/// Drawn at random such positions are too rare to be waited for.
fn steered(position: &Position, sort: Sort) -> Option<Ply> {
    if position.passed().actions().len() > MOST_TO_STEER {
        return None;
    }
    let moves = position
        .actions()
        .into_iter()
        .filter(|action| !action.is_flip());
    moves.map(Ply::from).find(|&ply| {
        let mut after = *position;
        after.play(ply).is_ok() && is_of_kind(&after, ScriptKind::Only(sort))
    })
}

/// Draws a ply.
pub fn random_ply(position: &Position, taste: Taste, state: &mut u64) -> Ply {
    let actions = position.actions();
    let captures = of(&actions, |action| is_capture(position, action));
    let flips = of(&actions, Action::is_flip);
    let mut draw = |limit: usize| below(limit as u64, || split_mix(state)) as usize;
    let among = match taste {
        Taste::Flips if !flips.is_empty() => flips,
        Taste::Captures if !captures.is_empty() && draw(4) > 0 => captures,
        _ => actions.to_vec(),
    };
    let action = among[draw(among.len())];
    if !action.is_flip() {
        return Ply::from(action);
    }
    let bag = position.hidden();
    let mut place = draw(bag.total() as usize) as u32;
    for (piece, count) in bag {
        if place < count {
            return Ply::flip(action.from(), piece);
        }
        place -= count;
    }
    unreachable!("the place is below the number of pieces in the bag")
}

fn of(actions: &[Action], is: impl Fn(Action) -> bool) -> Vec<Action> {
    actions
        .iter()
        .copied()
        .filter(|&action| is(action))
        .collect()
}

/// Returns whether an action captures a piece.
fn is_capture(position: &Position, action: Action) -> bool {
    !action.is_flip() && position.content(action.to()) != Content::Empty
}

/// Returns whether an action is a cannon's capture.
fn is_jump(position: &Position, action: Action) -> bool {
    let role = position.piece_at(action.from()).map(Piece::role);
    role == Some(Role::Cannon) && is_capture(position, action)
}

fn is_of_kind(position: &Position, kind: ScriptKind) -> bool {
    let actions = position.actions();
    let pieces = position.occupied().len();
    match kind {
        ScriptKind::Middle => {
            let own = position.turn().map(|turn| position.color(turn));
            !position.face_down().is_empty() && own.is_some_and(|own| !own.is_empty())
        }
        ScriptKind::Jump => actions.iter().any(|&action| is_jump(position, action)),
        ScriptKind::Few => pieces <= 6,
        ScriptKind::Only(sort) => matches!(actions[..], [only] if sort_of(position, only) == sort),
        ScriptKind::Revealed => position.face_down().is_empty() && pieces >= 12,
    }
}

fn sort_of(position: &Position, action: Action) -> Sort {
    match (action.is_flip(), is_capture(position, action)) {
        (true, _) => Sort::Flip,
        (_, false) => Sort::Step,
        _ if is_jump(position, action) => Sort::Jump,
        _ => Sort::Capture,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replays a script and hands each position that is asked to `look`.
    fn positions(scripts: &[Script], mut look: impl FnMut(&mut Game)) {
        for script in scripts {
            let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
            let mut asked = script.asked.iter().peekable();
            for number in 0..=script.plies.len() {
                if asked.next_if_eq(&&number).is_some() {
                    look(&mut game);
                }
                if let Some(ply) = script.plies.get(number) {
                    game.play(*ply).expect("legal");
                }
            }
            assert_eq!(asked.next(), None, "every place is in the game");
        }
    }

    #[test]
    fn every_kind_is_found_and_no_game_is_over() {
        let sorts = [Sort::Step, Sort::Capture, Sort::Jump, Sort::Flip].map(ScriptKind::Only);
        let kinds = [
            ScriptKind::Middle,
            ScriptKind::Jump,
            ScriptKind::Few,
            ScriptKind::Revealed,
        ];
        for kind in kinds.into_iter().chain(sorts) {
            let scripts = scripts(1, kind, 5);
            let mut seen = 0;
            positions(&scripts, |game| {
                seen += 1;
                assert!(!is_over(game), "{kind:?}: {}", game.position());
                assert!(is_of_kind(game.position(), kind));
            });
            assert_eq!((seen, asked(&scripts)), (5, 5), "{kind:?}");
        }
    }

    #[test]
    fn a_seed_gives_the_same_games_again_and_another_gives_others() {
        let first = scripts(7, ScriptKind::Few, 10);
        assert_eq!(first, scripts(7, ScriptKind::Few, 10));
        assert_ne!(first, scripts(8, ScriptKind::Few, 10));
    }
}
