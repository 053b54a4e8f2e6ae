//! `champion-1`: the first champion, kept as a yardstick.
//!
//! Its weights and settings are copies that never change, so that measurements against
//! it stay comparable. Every new technique is a setting that is switched off in the
//! first champion's [settings](Settings::CHAMPION_1). Only its resources can be set.

use super::{
    Champion, ChampionOptions, EvaluationKind, MOST_HASH_MEBIBYTES, MOST_THREADS, TOP_LEVEL,
};
use crate::endgames::TablesSource;
use crate::evaluation::{NetworkSource, Weights, WeightsSource};
use crate::negamax::MOST_DEPTH;
use crate::parameters::{self, Kind, Options, Parameter, Printing, Refused, Value};
use crate::player::{Choice, Player, PrepareError, Report, Request};
use crate::resources::Resources;
use crate::spec::{Spec, SpecError};
use crate::tree::Settings;
use anqi_rules::Rules;
use std::num::NonZeroU32;
use std::sync::{Arc, LazyLock};

/// Its name in a spec.
pub const NAME: &str = "champion-1";

/// The default size of the hash table, in mebibytes.
const HASH_MEBIBYTES: u32 = 64;
/// Endgames of this many pieces are solved in memory.
const SOLVED_PIECES: u32 = 4;

static WEIGHTS: LazyLock<Arc<Weights>> = LazyLock::new(|| {
    let weights = Weights::parse(include_str!("../../../weights-champion-1.txt"));
    Arc::new(weights.expect("the weights of this crate are read by its tests"))
});

/// The options of the first champion.
#[derive(Clone, Debug)]
pub struct FirstChampionOptions {
    champion: ChampionOptions,
}

impl Default for FirstChampionOptions {
    fn default() -> FirstChampionOptions {
        let mut weights = WeightsSource::default();
        weights.weights = WEIGHTS.clone();
        FirstChampionOptions {
            champion: ChampionOptions {
                settings: Settings::CHAMPION_1,
                tables: TablesSource::Solved(SOLVED_PIECES),
                evaluation: EvaluationKind::Linear,
                weights,
                network: NetworkSource::default(),
                hash: NonZeroU32::new(HASH_MEBIBYTES),
                threads: 1,
                level: TOP_LEVEL,
                depth: None,
                nodes: None,
                curve: None,
            },
        }
    }
}

impl Options for FirstChampionOptions {
    #[rustfmt::skip] // a table
    const PARAMETERS: &'static [Parameter<FirstChampionOptions>] = &[
        parameter!(optional "hash", champion.hash, MOST_HASH_MEBIBYTES, 16, "no table", "megabytes of hash table"),
        parameter!(integer "threads", champion.threads, 1, MOST_THREADS, 1, "threads that search"),
        parameter!(optional "depth", champion.depth, MOST_DEPTH, 1, "no limit of its own", "plies to search at most"),
        parameter!(optional "nodes", champion.nodes, u32::MAX, 1_000, "no limit of its own", "positions to visit at most"),
        Parameter {
            name: "tables",
            meaning: "endgame tables solved in memory up to so many pieces, or a folder of files",
            kind: Kind::File("0 to 4 pieces, or an existing folder of table files"),
            get: |options| Value::Text(options.champion.tables.to_string()),
            set: |options, value| {
                options.champion.tables = TablesSource::read(value.text()).ok_or(Refused::Word)?;
                Ok(())
            },
        },
    ];

    const PRINTING: Printing = Printing::Differences;
    const RESOURCES: &'static [&'static str] = &["hash", "threads", "depth", "nodes", "tables"];
}

/// The player `champion-1`.
#[derive(Debug)]
pub struct FirstChampion {
    spec: String,
    champion: Champion,
}

impl FirstChampion {
    /// Reads the player's settings.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is unknown or its value is wrong.
    pub fn from_spec(spec: &Spec, resources: &Arc<Resources>) -> Result<FirstChampion, SpecError> {
        let options: FirstChampionOptions = parameters::read(spec)?;
        Ok(FirstChampion {
            spec: parameters::print(NAME, &options),
            champion: Champion::with_options(options.champion, resources),
        })
    }
}

impl Player for FirstChampion {
    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn prepare(&mut self, rules: Rules) -> Result<(), PrepareError> {
        self.champion.prepare(rules)
    }

    fn take_warning(&mut self) -> Option<String> {
        self.champion.take_warning()
    }

    fn new_game(&mut self) {
        self.champion.new_game();
    }

    fn choose(&mut self, request: &Request<'_>, report: &mut dyn FnMut(&Report)) -> Choice {
        self.champion.choose(request, report)
    }
}
