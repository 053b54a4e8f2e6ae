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
mod shared;

pub use champion::{MOST_CONTEMPT, MOST_HASH_MEBIBYTES, MOST_THREADS};

use basic::{Basic, BasicOptions};
use champion::{Champion, ChampionOptions};
use greedy::Greedy;
use plain::{EnhanceOptions, KindsOptions, Plain, Var1Options};
use random::Random;

use crate::parameters::{self, Description, Options, Parameter, Printing, Value};
use crate::player::Player;
use crate::resources::Resources;
use crate::spec::{Spec, SpecError};
use std::sync::Arc;

/// The player that `anqi` uses by default.
pub const DEFAULT: &str = "champion";

type Made = Result<Box<dyn Player>, SpecError>;

/// A kind of player.
#[derive(Clone, Copy)]
pub struct PlayerKind {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    describe: fn() -> Vec<Description>,
    values: fn(&Spec) -> Result<Vec<Value>, SpecError>,
    make: fn(&Spec, &Arc<Resources>) -> Made,
}

impl PlayerKind {
    /// Returns the parameters of the player.
    pub fn parameters(&self) -> Vec<Description> {
        (self.describe)()
    }
}

/// A parameter and its value.
pub type Setting = (Description, Value);

/// Returns the parameters of the player that a spec describes, each with its value.
///
/// # Errors
///
/// Returns an error if the spec is invalid, with what is allowed instead.
pub fn settings_of(text: &str) -> Result<Vec<Setting>, SpecError> {
    let spec = Spec::parse(text)?;
    let kind = kind_named(spec.name())?;
    let values = (kind.values)(&parameters::file::expanded(spec)?)?;
    Ok(kind.parameters().into_iter().zip(values).collect())
}

/// Names of all players, with a line about each.
pub const KNOWN: [(&str, &str); KINDS.len()] = {
    let mut known = [("", ""); KINDS.len()];
    let mut index = 0;
    while index < KINDS.len() {
        known[index] = (KINDS[index].name, KINDS[index].about);
        index += 1;
    }
    known
};

/// All kinds of player, the champion first.
pub static KINDS: [PlayerKind; 8] = [
    PlayerKind {
        name: "champion",
        about: "the strongest: pruned search over moves and flips",
        describe: parameters::describe::<ChampionOptions>,
        values: parameters::values::<ChampionOptions>,
        make: |spec, resources| Ok(Box::new(Champion::from_spec(spec, resources)?)),
    },
    PlayerKind {
        name: "random",
        about: "plays any legal action",
        describe: parameters::describe::<NoOptions>,
        values: parameters::values::<NoOptions>,
        make: |spec, _| parameters::read::<NoOptions>(spec).map(|_| Box::new(Random) as _),
    },
    PlayerKind {
        name: "greedy",
        about: "takes the most valuable piece it can, else flips, else moves anywhere",
        describe: parameters::describe::<NoOptions>,
        values: parameters::values::<NoOptions>,
        make: |spec, _| parameters::read::<NoOptions>(spec).map(|_| Box::new(Greedy) as _),
    },
    PlayerKind {
        name: "basic",
        about: "searches moves only and decides by a policy whether to flip",
        describe: parameters::describe::<BasicOptions>,
        values: parameters::values::<BasicOptions>,
        make: |spec, resources| Ok(Box::new(Basic::from_spec(spec, resources)?)),
    },
    PlayerKind {
        name: "enhance",
        about: "searches moves and flips, averaging over all that may appear",
        describe: parameters::describe::<EnhanceOptions>,
        values: parameters::values::<EnhanceOptions>,
        make: |spec, resources| Ok(Box::new(Plain::enhance(spec, resources)?)),
    },
    PlayerKind {
        name: "var1",
        about: "enhance with flips on the first plies only",
        describe: parameters::describe::<Var1Options>,
        values: parameters::values::<Var1Options>,
        make: |spec, resources| Ok(Box::new(Plain::var1(spec, resources)?)),
    },
    PlayerKind {
        name: "var2",
        about: "enhance with the highest kinds per flip",
        describe: parameters::describe::<KindsOptions>,
        values: parameters::values::<KindsOptions>,
        make: |spec, resources| Ok(Box::new(Plain::var2(spec, resources)?)),
    },
    PlayerKind {
        name: "var3",
        about: "enhance with kinds per flip drawn at random",
        describe: parameters::describe::<KindsOptions>,
        values: parameters::values::<KindsOptions>,
        make: |spec, resources| Ok(Box::new(Plain::var3(spec, resources)?)),
    },
];

/// Returns settings of the champion that each switch one technique off, from its
/// table of parameters: switches that are on, and positive numbers that may be 0.
pub fn techniques() -> Vec<String> {
    let parameters = parameters::describe::<ChampionOptions>();
    let off = |parameter: &Description| match (parameter.kind, &parameter.default) {
        (parameters::Kind::Switch, value) if value.is_on() => Some("off"),
        (parameters::Kind::Integer { least: 0, .. }, Value::Integer(1..)) => Some("0"),
        _ => None,
    };
    let settings = parameters
        .iter()
        .filter_map(|parameter| Some(format!("{}={}", parameter.name, off(parameter)?)));
    settings.collect()
}

/// The options of players without any.
#[derive(Default)]
struct NoOptions;

impl Options for NoOptions {
    const PARAMETERS: &'static [Parameter<NoOptions>] = &[];
    const PRINTING: Printing = Printing::Differences;
    const RESOURCES: &'static [&'static str] = &[];
}

/// Makes the player that a spec describes.
///
/// # Errors
///
/// Returns an error if the spec is invalid, with what is allowed instead.
///
/// # Examples
///
/// ```
/// use anqi_rules::{Game, Position, Rules};
/// use anqi_search::{Limits, Request, Stop, players};
///
/// let mut player = players::by_spec("champion:hash=1,tables=0")?;
/// let game = Game::new(Position::start(), Rules::OLYMPIAD);
/// let limits = Limits { nodes: Some(1_000), ..Limits::NONE };
/// let stop = Stop::new();
/// let request = Request { game: &game, among: None, limits, seed: 1, stop: &stop };
/// let choice = player.choose(&request, &mut |_| {});
/// assert!(choice.action.is_flip());
/// # Ok::<(), anqi_search::spec::SpecError>(())
/// ```
pub fn by_spec(text: &str) -> Result<Box<dyn Player>, SpecError> {
    by_spec_with(text, &Resources::of_process())
}

/// Makes the player that a spec describes, sharing these resources.
///
/// # Errors
///
/// Returns an error if the spec is invalid, with what is allowed instead.
pub fn by_spec_with(text: &str, resources: &Arc<Resources>) -> Result<Box<dyn Player>, SpecError> {
    let spec = Spec::parse(text)?;
    let kind = kind_named(spec.name())?;
    (kind.make)(&parameters::file::expanded(spec)?, resources)
}

/// Returns the kind of player with this name.
///
/// # Errors
///
/// Returns an error with the known names if there is no such kind.
pub fn kind_named(name: &str) -> Result<&'static PlayerKind, SpecError> {
    let named = KINDS.iter().find(|kind| kind.name == name);
    named.ok_or_else(|| SpecError::UnknownPlayer {
        name: name.to_owned(),
        known: KINDS.map(|kind| kind.name).join(", "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Limits, Request, Stop};
    use anqi_rules::{Game, Position, Rules};

    #[test]
    fn a_file_of_weights_chooses_the_linear_evaluation() {
        let folder = std::env::temp_dir().join(format!("anqi-weights-{}", std::process::id()));
        std::fs::write(&folder, crate::evaluation::Weights::built_in().to_string()).unwrap();
        let file = folder.display().to_string();
        let printed = |text: &str| by_spec(text).unwrap().spec();
        let linear = format!("champion:weights={file},evaluation=linear");
        assert_eq!(printed(&format!("champion:weights={file}")), linear);
        assert_eq!(printed(&linear), linear);
        let network = format!("champion:weights={file},evaluation=network");
        assert_eq!(printed(&network), "champion");
        assert_eq!(printed("champion:weights=built-in"), "champion");
        std::fs::remove_file(&folder).unwrap();
    }

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
            // Switching off some of the inexact techniques is not exact.
            "champion:reductions=off,flip-squares=0",
            // Later parameters are printed only if they differ, as records have the shorter specs.
            "basic:policy=advantage,null-margin=50,static-margin=-20,reveals=3,eval=static,depth=0",
            "var2:k=5,eval=static,depth=0,king=700,pawn=0",
            "champion:window=300,draw-horizon=60,contempt=-20",
        ] {
            assert_eq!(by_spec(text).unwrap().spec(), text);
        }
        let exact = "champion:probe-depth=0,reductions=off,quiescence=off,flip-squares=0,flip-cost=0,flip-further=0,flip-depth=0,flip-margin=0,pass=off,futility=0,late-moves=0,guess-depth=0";
        assert_eq!(by_spec(exact).unwrap().spec(), "champion:exact=on");
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
    fn every_parameter_reads_its_default_and_refuses_what_is_beyond() {
        for kind in KINDS {
            for parameter in kind.parameters() {
                let Description { name, default, .. } = &parameter;
                let spec = format!("{}:{name}={default}", kind.name);
                let plain = by_spec(kind.name).unwrap().spec();
                assert_eq!(
                    by_spec(&spec).map(|player| player.spec()),
                    Ok(plain),
                    "{spec}"
                );
                if let parameters::Kind::Integer { least, most, .. } = parameter.kind {
                    for value in [least - 1, most + 1] {
                        assert!(by_spec(&format!("{}:{name}={value}", kind.name)).is_err());
                    }
                    let spec = format!("{}:{name}={most}", kind.name);
                    assert!(by_spec(&spec).is_ok(), "{spec}");
                }
                assert!(!parameter.meaning.is_empty());
            }
        }
    }

    #[test]
    fn settings_are_those_in_force() {
        let settings = settings_of("champion:exact=on,window=300,window=200").unwrap();
        let value = |name: &str| {
            let found = settings
                .iter()
                .find(|(parameter, _)| parameter.name == name);
            found.map(|(_, value)| value.to_string())
        };
        assert_eq!(value("window").as_deref(), Some("200"));
        assert_eq!(value("flip-squares").as_deref(), Some("0"));
        assert_eq!(value("draw-horizon").as_deref(), Some("40"));
        assert!(settings_of("champion:window=0").is_err());
    }

    #[test]
    fn techniques_are_what_can_be_switched_off() {
        let techniques = techniques();
        for known in ["star1=off", "pass=off", "flip-cost=0", "hash=0"] {
            assert!(techniques.iter().any(|setting| setting == known), "{known}");
        }
        assert!(!techniques.iter().any(|setting| setting.contains("exact")));
        for setting in techniques {
            let spec = format!("champion:{setting}");
            assert_eq!(by_spec(&spec).map(|player| player.spec()), Ok(spec));
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
                    among: None,
                    limits,
                    seed: 7,
                    stop: &stop,
                };
                let choice = player.choose(&request, &mut |_| {});
                assert_eq!(choice, twin.choose(&request, &mut |_| {}), "{name}");
                assert!(game.is_legal(choice.action), "{name} at {ply}");
                let reveal = game.position().reveals().nth(ply % 3).map(|r| r.piece);
                let reveal = reveal.or_else(|| game.position().reveals().next().map(|r| r.piece));
                let reveal = reveal.filter(|_| choice.action.is_flip());
                let action = choice.action;
                game.play(anqi_rules::Ply { action, reveal }).unwrap();
            }
        }
    }
}
