//! The champion: the player that enters tournaments.
//!
//! Each technique is a parameter, so that it can be switched off and its effect
//! measured: `champion:star2=off,hash=64`. Defaults are not printed.

use super::shared::depth_limit;
use crate::budget::Budget;
use crate::endgames::{MOST_SOLVED_PIECES, SharedTables, TablesSource};
use crate::evaluation::{Curve, Evaluation, NetworkSource, WeightsSource};
use crate::negamax::MOST_DEPTH;
use crate::parameters::{self, Kind, Options, Parameter, Printing, Refused, Value};
use crate::player::{Choice, Limits, Player, PrepareError, Ranked, RankedOutcome, Report, Request};
use crate::resources::Resources;
use crate::score::Score;
use crate::spec::{Spec, SpecError};
use crate::thinking::{Best, Task, Thought};
use crate::threads::think;
use crate::transposition::Table;
use crate::tree::{OutcomeValue, Settings};
use anqi_rules::Rules;
use anqi_tablebase::Endgames;
use anqi_tablebase::distil::{EmbeddedValues, carried};
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;

/// The largest hash table that may be set, in mebibytes: 1 TiB. Whether the
/// memory is available shows when the table is made.
pub const MOST_HASH_MEBIBYTES: u32 = 1 << 20;
/// The most threads that may be set.
pub const MOST_THREADS: u32 = 1024;
/// The greatest absolute contempt, in ten-thousandths of a win.
pub const MOST_CONTEMPT: i32 = 5_000;
/// The default size of the hash table, in mebibytes.
const HASH_MEBIBYTES: u32 = 64;

/// The options of the champion.
#[derive(Clone, Debug)]
pub(super) struct ChampionOptions {
    /// How to search.
    pub settings: Settings,
    /// Mebibytes of hash table; `None` for no table.
    pub hash: Option<NonZeroU32>,
    /// Threads that search.
    pub threads: u32,
    /// How strong to play, 1 to 10.
    pub level: u32,
    /// Plies to search at most.
    pub depth: Option<NonZeroU32>,
    /// Positions to visit at most.
    pub nodes: Option<NonZeroU32>,
    /// The source of endgame tables.
    pub tables: TablesSource,
    /// The evaluation to use.
    pub evaluation: EvaluationKind,
    /// The weights of the linear evaluation.
    pub weights: WeightsSource,
    /// The network of the learned evaluation.
    pub network: NetworkSource,
    /// The curve, instead of that of the weights or the network.
    pub curve: Option<Curve>,
}

/// The evaluations to choose from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum EvaluationKind {
    /// The weighted sum of hand-made terms.
    Linear,
    /// A network added to that sum.
    #[default]
    Network,
}

impl EvaluationKind {
    const NAMES: &'static [&'static str] = &["linear", "network"];

    fn named(name: &str) -> Option<EvaluationKind> {
        match name {
            "linear" => Some(EvaluationKind::Linear),
            "network" => Some(EvaluationKind::Network),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        EvaluationKind::NAMES[self as usize]
    }
}

impl ChampionOptions {
    fn evaluation(&self) -> Evaluation {
        let own = match self.evaluation {
            EvaluationKind::Linear => Evaluation::Linear(Arc::clone(&self.weights.weights)),
            EvaluationKind::Network => Evaluation::Learned(Arc::clone(&self.network.network)),
        };
        match self.curve {
            Some(curve) => own.with_curve(curve),
            None => own,
        }
    }
}

impl Default for ChampionOptions {
    fn default() -> ChampionOptions {
        ChampionOptions {
            settings: Settings::FULL,
            hash: NonZeroU32::new(HASH_MEBIBYTES),
            threads: 1,
            level: TOP_LEVEL,
            depth: None,
            nodes: None,
            tables: TablesSource::Solved(MOST_SOLVED_PIECES),
            evaluation: EvaluationKind::default(),
            weights: WeightsSource::default(),
            network: NetworkSource::default(),
            curve: None,
        }
    }
}

/// The name of a network's or weights' own curve.
const OWN_CURVE: &str = "own";

/// Declares a parameter kept in one field: `switch`, or `integer` with its range, step and zero.
macro_rules! parameter {
    (switch $name:literal, $($field:ident).+, $meaning:literal) => {
        Parameter {
            name: $name,
            meaning: $meaning,
            kind: Kind::Switch,
            get: |options| options.$($field).+.into(),
            set: |options, value| {
                options.$($field).+ = value.is_on();
                Ok(())
            },
        }
    };
    (integer $name:literal, $($field:ident).+, $least:expr, $most:expr, $step:literal, $meaning:literal) => {
        Parameter {
            name: $name,
            meaning: $meaning,
            kind: Kind::Integer { least: $least as i64, most: $most as i64, step: $step, zero: None },
            get: |options| options.$($field).+.into(),
            set: |options, value| {
                options.$($field).+ = value.number();
                Ok(())
            },
        }
    };
    (optional $name:literal, $($field:ident).+, $most:expr, $step:literal, $zero:literal, $meaning:literal) => {
        Parameter {
            name: $name,
            meaning: $meaning,
            kind: Kind::Integer { least: 0, most: $most as i64, step: $step, zero: Some($zero) },
            get: |options| options.$($field).+.into(),
            set: |options, value| {
                options.$($field).+ = NonZeroU32::new(value.number());
                Ok(())
            },
        }
    };
}

mod levels;

use levels::{LevelLimits, TOP_LEVEL};

impl Options for ChampionOptions {
    #[rustfmt::skip] // a table
    const PARAMETERS: &'static [Parameter<ChampionOptions>] = &[
        Parameter {
            name: parameters::PRESET,
            meaning: "do nothing that may change a value: equal to plain expectimax",
            kind: Kind::Switch,
            get: |options| options.settings.is_exact().into(),
            set: |options, value| {
                if value.is_on() {
                    options.settings = options.settings.exact();
                }
                Ok(())
            },
        },
        parameter!(switch "star1", settings.star1, "narrow the windows of chance nodes"),
        parameter!(switch "star2", settings.star2, "search one reply to each outcome of a flip first"),
        parameter!(switch "chance-table", settings.chance_table, "enter chance nodes into the hash table"),
        parameter!(switch "leaf-flips", settings.leaf_flips, "evaluate all outcomes of a flip on the last ply at once"),
        parameter!(switch "killers", settings.killers, "order quiet moves by killers and history"),
        parameter!(switch "reductions", settings.reductions, "search late quiet moves less deeply"),
        parameter!(switch "quiescence", settings.quiescence, "follow captures beyond the last ply"),
        parameter!(switch "pass", settings.pass, "let a null move stand for the flips left out"),
        parameter!(switch "face-down", settings.face_down, "know the exact expectation of up to four pieces, some of them face down"),
        parameter!(optional "probe-depth", settings.probe_depth, 64, 1, "never", "depth left after a capture from which the carried values of five pieces are asked"),
        parameter!(switch "aspiration", settings.aspiration, "centre the first window on the last value"),
        parameter!(optional "flip-squares", settings.flip_squares, 32, 1, "all", "face-down squares tried on each node below the root"),
        parameter!(integer "flip-cost", settings.flip_cost, 0, 8, 1, "extra plies that a flip costs below the root"),
        parameter!(integer "flip-further", settings.flip_further, 0, 8, 1, "more plies that it costs, and wants left, for each flip before it on the line"),
        parameter!(optional "sight", settings.sight, 1_000, 1, "all", "actions considered beside captures and moves of attacked pieces"),
        parameter!(integer "glance", settings.glance, 0, 100, 1, "per cent of the decisions in which sight is one action longer"),
        parameter!(integer "oversight", settings.oversight, 0, 100, 1, "per cent of the decisions in which cannons' captures and moves of attacked pieces count as others"),
        parameter!(optional "flip-depth", settings.flip_depth, 64, 1, "any", "depth from which flips are tried below the root"),
        parameter!(integer "flip-margin", settings.flip_margin, 0, 2_000, 50, "how much better than the best move a flip must be, in ten-thousandths"),
        parameter!(optional "futility", settings.futility, 5_000, 100, "no such pruning", "margin for each ply left by which the static evaluation cuts a node off"),
        parameter!(optional "late-moves", settings.late_moves, 64, 1, "all", "quiet moves tried on the last plies before the others are left out"),
        parameter!(optional "guess-depth", settings.guess_depth, 64, 1, "never", "depth from which a node without a table move is searched a ply less deeply"),
        parameter!(switch "exchange", settings.exchange, "leave out losing captures beyond the last ply, try them last before"),
        parameter!(switch "malus", settings.malus, "lower the history score of quiet moves tried before a cutoff"),
        parameter!(integer "reply-depth", settings.reply_depth, 1, 64, 1, "depth left after a flip from which replies to its outcomes are searched first"),
        parameter!(optional "share-depth", settings.share_depth, 64, 1, "never", "depth left after a flip from which every outcome is first asked for its share"),
        parameter!(integer "reduction-depth", settings.reduction_depth, 1, 64, 1, "depth from which late quiet moves are reduced"),
        parameter!(integer "reduction-from", settings.reduction_from, 1, 64, 1, "actions of a node that are not reduced"),
        parameter!(integer "reduction-divisor", settings.reduction_divisor, 1, 5_000, 25, "hundredths by which log depth times log number of an action is divided to reduce it"),
        parameter!(integer "null-move-plies", settings.null_move_plies, 1, 8, 1, "plies by which a null move shortens the search"),
        parameter!(integer "window", settings.window, 1, 10_000, 50, "half the width of the first aspiration window"),
        parameter!(integer "draw-horizon", settings.draw_horizon, 1, 200, 5, "plies before the no-progress limit within which estimates shrink"),
        parameter!(optional "hash", hash, MOST_HASH_MEBIBYTES, 16, "no table", "megabytes of hash table"),
        parameter!(integer "threads", threads, 1, MOST_THREADS, 1, "threads that search"),
        parameter!(integer "level", level, 1, TOP_LEVEL, 1, "how strong to play"),
        parameter!(optional "depth", depth, MOST_DEPTH, 1, "no limit of its own", "plies to search at most"),
        parameter!(optional "nodes", nodes, u32::MAX, 1_000, "no limit of its own", "positions to visit at most"),
        Parameter {
            name: "tables",
            meaning: "endgame tables solved in memory up to this many pieces, or a folder of files",
            kind: Kind::File("0 to 4 pieces, or an existing folder of table files"),
            get: |options| Value::Text(options.tables.to_string()),
            set: |options, value| {
                options.tables = TablesSource::read(value.text()).ok_or(Refused::Word)?;
                Ok(())
            },
        },
        Parameter {
            name: "weights",
            meaning: "the file with the weights of the linear evaluation, which it chooses",
            kind: Kind::File("a file of weights, or built-in"),
            get: |options| Value::Text(options.weights.to_string()),
            set: |options, value| {
                let read = WeightsSource::read(value.text());
                options.weights = read.map_err(|error| Refused::File(error.to_string()))?;
                if !options.weights.is_built_in() {
                    // A network has its own weights: these would be ignored.
                    options.evaluation = EvaluationKind::Linear;
                }
                Ok(())
            },
        },
        Parameter {
            name: "evaluation",
            meaning: "the sum of hand-made terms, or a network added to it",
            kind: Kind::Choice(EvaluationKind::NAMES),
            get: |options| Value::Text(options.evaluation.name().to_owned()),
            set: |options, value| {
                options.evaluation = EvaluationKind::named(value.text()).ok_or(Refused::Word)?;
                if options.evaluation == EvaluationKind::Network {
                    options.weights = WeightsSource::default();
                }
                Ok(())
            },
        },
        Parameter {
            name: "network",
            meaning: "the file with the network of the learned evaluation",
            kind: Kind::File("the file of a network, or built-in"),
            get: |options| Value::Text(options.network.to_string()),
            set: |options, value| {
                let read = NetworkSource::read(value.text());
                options.network = read.map_err(|error| Refused::File(error.to_string()))?;
                Ok(())
            },
        },
        Parameter {
            name: "curve",
            meaning: "the curve from the sum of terms to the expected result",
            kind: Kind::Choice(&[OWN_CURVE, "ratio", "logistic"]),
            get: |options| Value::Text(options.curve.map_or(OWN_CURVE, Curve::name).to_owned()),
            set: |options, value| {
                options.curve = match value.text() {
                    OWN_CURVE => None,
                    name => Some(Curve::named(name).ok_or(Refused::Word)?),
                };
                Ok(())
            },
        },
        parameter!(integer "contempt", settings.contempt, -MOST_CONTEMPT, MOST_CONTEMPT, 50, "how far below zero a draw is valued, in ten-thousandths"),
    ];

    const PRINTING: Printing = Printing::Differences;
    const RESOURCES: &'static [&'static str] = &[
        "hash", "threads", "level", "depth", "nodes", "tables", "weights", "network",
    ];

    fn base(&self) -> ChampionOptions {
        let mut base = ChampionOptions::default();
        if self.settings.is_exact() {
            base.settings = base.settings.exact();
        }
        base
    }
}

/// The player `champion`.
#[derive(Debug)]
pub(super) struct Champion {
    options: ChampionOptions,
    evaluation: Evaluation,
    resources: Arc<Resources>,
    /// Allocated when first needed.
    table: Option<Table>,
    /// The endgame tables and their rules.
    endgames: Option<(Rules, Option<Arc<SharedTables>>)>,
    /// A failure to prepare that has not been reported.
    unprepared: Option<PrepareError>,
}

impl Champion {
    /// Reads the player's settings.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is unknown or its value is wrong.
    pub(super) fn from_spec(
        spec: &Spec,
        resources: &Arc<Resources>,
    ) -> Result<Champion, SpecError> {
        Ok(Champion::with_options(parameters::read(spec)?, resources))
    }

    fn with_options(options: ChampionOptions, resources: &Arc<Resources>) -> Champion {
        Champion {
            evaluation: options.evaluation(),
            options,
            resources: Arc::clone(resources),
            table: None,
            endgames: None,
            unprepared: None,
        }
    }

    fn make_table(&mut self) -> Result<(), PrepareError> {
        let wanted = self.options.hash.filter(|_| self.table.is_none());
        if let Some(mebibytes) = wanted {
            let table = Table::new(mebibytes).map_err(|_| PrepareError::Memory {
                mebibytes: mebibytes.get(),
            })?;
            self.table = Some(table);
        }
        Ok(())
    }

    fn open_endgames(&mut self, rules: Rules) -> Result<(), PrepareError> {
        let open = self.endgames.as_ref();
        if open.is_some_and(|(known, _)| *known == rules) {
            return Ok(());
        }
        let opened = self.resources.library.tables(rules, &self.options.tables);
        // A failed opening is not retried on every move.
        self.endgames = Some((rules, opened.clone().unwrap_or_default()));
        // The first who asks opens the file, which takes some milliseconds that no clock should pay.
        let _ = self.carried(rules);
        opened.map(|_| ()).map_err(|reason| PrepareError::Tables {
            source_name: self.options.tables.to_string(),
            reason,
        })
    }

    /// Returns the values of five pieces that the program carries, if tables are used and these are.
    fn carried(&self, rules: Rules) -> Option<EmbeddedValues> {
        let has_tables = self
            .endgames
            .as_ref()
            .is_some_and(|(_, shared)| shared.is_some());
        self.options.settings.probe_depth.filter(|_| has_tables)?;
        carried(rules)
    }

    fn limits(&self, asked: Limits) -> Limits {
        let own = self.options.nodes.map(NonZeroU64::from);
        let own = own.map(NonZeroU64::get);
        LevelLimits::of(self.options.level).limits(Limits {
            depth: depth_limit(self.options.depth, asked.depth),
            nodes: [own, asked.nodes].into_iter().flatten().min(),
            ..asked
        })
    }
}

impl Player for Champion {
    fn spec(&self) -> String {
        parameters::print("champion", &self.options)
    }

    fn prepare(&mut self, rules: Rules) -> Result<(), PrepareError> {
        let opened = self.open_endgames(rules);
        self.make_table().and(opened)
    }

    fn take_warning(&mut self) -> Option<String> {
        let damage = || self.endgames.as_ref()?.1.as_ref()?.take_damage();
        let unprepared = self.unprepared.take().map(|error| error.to_string());
        unprepared.or_else(damage)
    }

    fn new_game(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    fn choose(&mut self, request: &Request<'_>, report: &mut dyn FnMut(&Report)) -> Choice {
        if let Err(error) = self.prepare(request.game.rules()) {
            if self.table.is_none() {
                // Not retried on every move.
                self.options.hash = None;
            }
            self.unprepared = Some(error);
        }
        if let Some(table) = &mut self.table {
            table.age();
        }
        let level = LevelLimits::of(self.options.level);
        let endgames = self.endgames.as_ref().filter(|_| level.tables);
        let endgames = endgames.and_then(|(_, shared)| shared.as_deref());
        let endgames = endgames.map(SharedTables::tables);
        let task = Task {
            game: request.game,
            among: request.among,
            settings: level.settings(self.options.settings),
            limits: self.limits(request.limits),
            seed: request.seed,
            stop: request.stop,
            table: self.table.as_ref(),
            endgames,
            root_endgames: endgames.map(|tables| tables as &dyn Endgames),
            carried: endgames.and_then(|_| self.carried(request.game.rules())),
            evaluation: &self.evaluation,
            delays: Some(&self.resources.delays),
            threads: self.options.threads as usize,
        };
        let thought = think(&task, |thought, budget| {
            for rank in 1..=thought.best.len() {
                report(&report_on(thought, budget, rank, task.table));
            }
        });
        choice_of(&thought)
    }
}

fn report_on(thought: &Thought, budget: &Budget<'_>, rank: usize, table: Option<&Table>) -> Report {
    let best = &thought.best[rank - 1];
    Report {
        depth: thought.depth,
        selective_depth: thought.selective_depth,
        score: Score::from_value(best.found.value),
        nodes: budget.nodes(),
        elapsed: budget.elapsed(),
        table_hits: thought.table_hits,
        hash_permille: table.map_or(0, Table::permille),
        rank,
        line: best.line.clone(),
    }
}

fn choice_of(thought: &Thought) -> Choice {
    let outcome = |outcome: &OutcomeValue| RankedOutcome {
        piece: outcome.piece,
        weight: outcome.weight,
        score: Score::from_value(outcome.value),
    };
    let ranked = |best: &Best| Ranked {
        action: best.found.action,
        score: Score::from_value(best.found.value),
        line: best.line.clone(),
        outcomes: best.outcomes.iter().map(outcome).collect(),
    };
    let best = &thought.best[0];
    Choice {
        action: best.found.action,
        score: Some(Score::from_value(best.found.value)),
        depth: thought.depth,
        nodes: thought.nodes,
        line: best.line.clone(),
        ranked: thought.best.iter().map(ranked).collect(),
    }
}
