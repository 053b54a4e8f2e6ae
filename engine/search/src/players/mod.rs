//! The players, by name.
//!
//! Each player is made from named settings with defaults, written as a spec
//! (see [`crate::spec`]): `basic`, `basic:policy=move-first,eval=dynamic`,
//! `var2:k=5`, ….

mod basic;
mod champion;
mod greedy;
mod plain;
mod random;

pub use basic::Basic;
pub use champion::{Champion, MOST_HASH_MEBIBYTES, MOST_THREADS};
pub use greedy::Greedy;
pub use plain::Plain;
pub use random::Random;

use crate::clock::Budget;
use crate::deepening::Deepest;
use crate::player::{Choice, LineStep, Player, Report};
use crate::score::Score;
use crate::spec::{Spec, SpecError};
use anqi_rules::Action;

/// The player that `anqi` uses when none is named.
pub const DEFAULT: &str = "champion";

/// A player's name and one line about it.
pub const KNOWN: [(&str, &str); 8] = [
    (
        "champion",
        "the strongest: pruned search over moves and flips; threads, hash, level and a switch for each technique",
    ),
    ("random", "plays any legal action"),
    (
        "greedy",
        "takes the most valuable piece it can, else flips, else moves anywhere",
    ),
    (
        "basic",
        "searches moves only and decides by a policy whether to flip: policy=move-first|compare|advantage, eval=static|dynamic, depth=N",
    ),
    (
        "enhance",
        "searches moves and flips, averaging over all that may appear: eval, depth",
    ),
    (
        "var1",
        "enhance with flips on the first d0 plies only: d0=1, eval, depth",
    ),
    (
        "var2",
        "enhance with the k highest kinds per flip: k=3, eval, depth",
    ),
    (
        "var3",
        "enhance with k kinds per flip drawn at random: k=3, eval, depth",
    ),
];

/// Makes the player that a spec describes.
///
/// # Errors
///
/// Says what is wrong with the spec and what there is instead.
pub fn by_spec(text: &str) -> Result<Box<dyn Player>, SpecError> {
    let mut spec = Spec::parse(text)?;
    let player: Box<dyn Player> = match spec.name() {
        "random" => Box::new(Random),
        "greedy" => Box::new(Greedy),
        "basic" => Box::new(Basic::from_spec(&mut spec)?),
        "champion" => Box::new(Champion::from_spec(&mut spec)?),
        "enhance" => Box::new(Plain::enhance(&mut spec)?),
        "var1" => Box::new(Plain::var1(&mut spec)?),
        "var2" => Box::new(Plain::var2(&mut spec)?),
        "var3" => Box::new(Plain::var3(&mut spec)?),
        name => {
            let name = name.to_string();
            let known = KNOWN.map(|(name, _)| name).join(", ");
            return Err(SpecError::UnknownPlayer { name, known });
        }
    };
    spec.finish()?;
    Ok(player)
}

/// The report on a finished depth.
fn report_of(budget: &Budget<'_>, action: Action, value: i32, depth: u32) -> Report {
    Report {
        depth,
        selective_depth: depth,
        score: Score::from_value(value),
        nodes: budget.nodes(),
        elapsed: budget.elapsed(),
        table_hits: 0,
        hash_permille: 0,
        rank: 1,
        line: line_of(action, value),
    }
}

/// The line that is known when only one action is.
fn line_of(action: Action, value: i32) -> Vec<LineStep> {
    vec![LineStep {
        action,
        expectation: action.is_flip().then_some(value),
    }]
}

/// The choice that follows from the deepest finished search, or from none.
fn choice_of(budget: &Budget<'_>, deepest: Option<Deepest<Action>>, otherwise: Action) -> Choice {
    let mut choice = match deepest {
        None => Choice::plain(otherwise),
        Some(deepest) => Choice {
            score: Some(Score::from_value(deepest.value)),
            depth: deepest.depth,
            line: line_of(deepest.found, deepest.value),
            ..Choice::plain(deepest.found)
        },
    };
    choice.nodes = budget.nodes();
    choice
}

/// Moves an action to the front of a list that holds it.
fn bring_to_front(actions: &mut [Action], first: Action) {
    if let Some(place) = actions.iter().position(|&action| action == first) {
        actions[..=place].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Limits, Request, Stop};
    use anqi_rules::{Game, Position, Rules};

    #[test]
    fn specs_print_what_they_read() {
        for text in [
            "random",
            "greedy",
            "basic:policy=move-first,eval=dynamic,depth=3",
            "enhance:eval=static,depth=2",
            "champion",
            "champion:star2=off,hash=16,threads=2,level=3",
            "champion:exact=on",
            "var1:d0=2,eval=static,depth=0",
            "var2:k=5,eval=static,depth=0",
            "var3:k=1,eval=dynamic,depth=0",
        ] {
            assert_eq!(by_spec(text).unwrap().spec(), text);
        }
        for bad in [
            "",
            "nobody",
            "basic:policy=none",
            "basic:k=3",
            "var2:k=0",
            "random:x",
        ] {
            assert!(by_spec(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_player_plays_legal_actions_and_repeats_itself() {
        let limits = Limits {
            nodes: Some(2_000),
            ..Limits::NONE
        };
        for (name, _) in KNOWN {
            let [mut player, mut twin] = [by_spec(name), by_spec(name)].map(Result::unwrap);
            let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
            let stop = Stop::new();
            for ply in 0..60 {
                if game.outcome().is_some() {
                    break;
                }
                let request = Request {
                    game: &game,
                    limits,
                    seed: 7,
                    stop: &stop,
                };
                let choice = player.choose(&request, &mut |_| {});
                assert_eq!(choice, twin.choose(&request, &mut |_| {}), "{name}");
                assert!(game.position().is_legal(choice.action), "{name} at {ply}");
                let reveal = game.position().reveals().nth(ply % 3).map(|r| r.piece);
                let reveal = reveal.or_else(|| game.position().reveals().next().map(|r| r.piece));
                let reveal = reveal.filter(|_| choice.action.is_flip());
                let action = choice.action;
                game.play(anqi_rules::Ply { action, reveal }).unwrap();
            }
        }
    }
}
