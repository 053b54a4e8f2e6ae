//! The champion: the player that enters tournaments.
//!
//! Everything it is made of is a setting, so that each technique can be
//! switched off and its worth measured: `champion:star2=off,hash=64`. Defaults
//! are not printed.

use super::basic::{depth_limit, depth_setting};
use crate::clock::Budget;
use crate::endgames::{MOST_SOLVED_PIECES, SharedTables, Source, tables_for};
use crate::judge;
use crate::player::{Choice, Limits, Player, PrepareError, Ranked, Report, Request};
use crate::score::Score;
use crate::spec::{self, Spec, SpecError};
use crate::star::Settings;
use crate::transposition::Table;
use crate::workers::{Best, Task, Thought, think};
use anqi_rules::Rules;
use anqi_tablebase::Endgames;
use std::num::NonZeroU32;
use std::sync::Arc;

/// The most mebibytes of hash table that anybody may ask for: 1 TiB. Whether the
/// memory is there is another question, answered when the table is made.
pub const MOST_HASH_MEBIBYTES: u32 = 1 << 20;
/// The most threads that anybody may ask for.
pub const MOST_THREADS: u32 = 1024;
/// Mebibytes of hash table without a setting.
const HASH_MEBIBYTES: u32 = 64;
/// Positions visited at levels 1 to 9; level 10 has no limit of its own.
const LEVEL_NODES: [u64; 9] = [12, 40, 130, 450, 1_500, 5_000, 16_000, 60_000, 250_000];
/// The level without a limit of its own.
const TOP_LEVEL: u32 = 10;

/// The player `champion`.
#[derive(Debug)]
pub struct Champion {
    settings: Settings,
    /// Mebibytes, 0 for no table.
    hash: u32,
    threads: u32,
    level: u32,
    /// Plies to look ahead at most, 0 for as many as the limits allow.
    depth: u32,
    /// Positions visited at most, 0 for as many as the limits allow.
    nodes: u32,
    /// Where endgame tables come from.
    tables: Source,
    /// What the evaluation weighs.
    weights: judge::Source,
    /// Made when it is first needed.
    table: Option<Table>,
    /// The endgame tables and the rules they are for.
    endgames: Option<(Rules, Option<Arc<SharedTables>>)>,
    /// What could not be made ready and nobody knows yet.
    trouble: Option<PrepareError>,
}

impl Champion {
    /// Reads the player's settings.
    ///
    /// # Errors
    ///
    /// Says which value is not one.
    pub fn from_spec(spec: &mut Spec) -> Result<Champion, SpecError> {
        let exact = switch(spec, "exact", false)?;
        let base = if exact {
            Settings::EXACT
        } else {
            Settings::FULL
        };
        Ok(Champion {
            settings: search_settings(spec, base)?,
            hash: spec.number(
                "hash",
                HASH_MEBIBYTES,
                0..=MOST_HASH_MEBIBYTES,
                "0 to 1048576 MB, 0 for no table",
            )?,
            threads: spec.number("threads", 1, 1..=MOST_THREADS, "1 to 1024")?,
            level: spec.number("level", TOP_LEVEL, 1..=TOP_LEVEL, "1 to 10")?,
            depth: depth_setting(spec)?,
            nodes: spec.number("nodes", 0, 0..=u32::MAX, "a number of nodes, 0 for any")?,
            tables: spec.take(
                "tables",
                Source::Solved(MOST_SOLVED_PIECES),
                "0 to 4 pieces, or an existing folder of table files",
                Source::read,
            )?,
            weights: spec.take_file("weights", judge::Source::default(), judge::Source::read)?,
            table: None,
            endgames: None,
            trouble: None,
        })
    }

    fn make_table(&mut self) -> Result<(), PrepareError> {
        let wanted = NonZeroU32::new(self.hash).filter(|_| self.table.is_none());
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
        let opened = tables_for(rules, &self.tables);
        // What cannot be opened now is not asked for again in every move.
        self.endgames = Some((rules, opened.clone().unwrap_or_default()));
        opened.map(|_| ()).map_err(|reason| PrepareError::Tables {
            source_name: self.tables.to_string(),
            reason,
        })
    }

    fn limits(&self, asked: Limits) -> Limits {
        let level = LEVEL_NODES.get(self.level as usize - 1).copied();
        let own = (self.nodes > 0).then_some(u64::from(self.nodes));
        Limits {
            depth: depth_limit(self.depth, asked.depth),
            nodes: [level, own, asked.nodes].into_iter().flatten().min(),
            ..asked
        }
    }
}

fn search_settings(spec: &mut Spec, base: Settings) -> Result<Settings, SpecError> {
    Ok(Settings {
        star1: switch(spec, "star1", base.star1)?,
        star2: switch(spec, "star2", base.star2)?,
        swing: spec.number("swing", base.swing, 0..=20_000, "0 to 20000, 0 for none")?,
        chance_table: switch(spec, "chance-table", base.chance_table)?,
        leaf_flips: switch(spec, "leaf-flips", base.leaf_flips)?,
        killers: switch(spec, "killers", base.killers)?,
        reductions: switch(spec, "reductions", base.reductions)?,
        quiescence: switch(spec, "quiescence", base.quiescence)?,
        flip_squares: spec.number(
            "flip-squares",
            base.flip_squares,
            0..=32,
            "0 to 32 squares, 0 for all",
        )?,
        flip_limit: spec.number(
            "flip-limit",
            base.flip_limit,
            0..=32,
            "0 to 32 flips on a line, 0 for any number",
        )?,
        flip_cost: spec.number("flip-cost", base.flip_cost, 0..=8, "0 to 8 plies")?,
        pass: switch(spec, "pass", base.pass)?,
        aspiration: switch(spec, "aspiration", base.aspiration)?,
        contempt: spec.take("contempt", base.contempt, "-5000 to 5000", |value| {
            value.parse().ok().filter(|n| (-5_000..=5_000).contains(n))
        })?,
    })
}

/// Reads a setting that is on or off.
fn switch(spec: &mut Spec, key: &'static str, default: bool) -> Result<bool, SpecError> {
    spec.take(key, default, "on or off", |value| match value {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    })
}

impl Player for Champion {
    fn spec(&self) -> String {
        let exact = self.settings.flip_squares == 0 && !self.settings.reductions;
        let base = if exact {
            Settings::EXACT
        } else {
            Settings::FULL
        };
        let mut parts: Vec<(&str, String)> = Vec::new();
        let mut add = |key, value: String, default: String| {
            if value != default {
                parts.push((key, value));
            }
        };
        let on = |value: bool| if value { "on" } else { "off" }.to_string();
        let s = &self.settings;
        add("exact", on(exact), on(false));
        for (key, value, default) in [
            ("star1", s.star1, base.star1),
            ("star2", s.star2, base.star2),
            ("chance-table", s.chance_table, base.chance_table),
            ("leaf-flips", s.leaf_flips, base.leaf_flips),
            ("killers", s.killers, base.killers),
            ("reductions", s.reductions, base.reductions),
            ("quiescence", s.quiescence, base.quiescence),
            ("pass", s.pass, base.pass),
            ("aspiration", s.aspiration, base.aspiration),
        ] {
            add(key, on(value), on(default));
        }
        for (key, value, default) in [
            ("swing", s.swing, base.swing),
            ("flip-squares", s.flip_squares, base.flip_squares),
            ("flip-limit", s.flip_limit, base.flip_limit),
            ("flip-cost", s.flip_cost, base.flip_cost),
            ("hash", self.hash, HASH_MEBIBYTES),
            ("threads", self.threads, 1),
            ("level", self.level, TOP_LEVEL),
            ("depth", self.depth, 0),
            ("nodes", self.nodes, 0),
        ] {
            add(key, value.to_string(), default.to_string());
        }
        add(
            "tables",
            self.tables.to_string(),
            MOST_SOLVED_PIECES.to_string(),
        );
        add(
            "weights",
            self.weights.to_string(),
            judge::Source::default().to_string(),
        );
        add(
            "contempt",
            s.contempt.to_string(),
            base.contempt.to_string(),
        );
        let parts: Vec<(&str, &dyn std::fmt::Display)> = parts
            .iter()
            .map(|(key, value)| (*key, value as &dyn std::fmt::Display))
            .collect();
        spec::write("champion", &parts)
    }

    fn prepare(&mut self, rules: Rules) -> Result<(), PrepareError> {
        let opened = self.open_endgames(rules);
        self.make_table().and(opened)
    }

    fn take_trouble(&mut self) -> Option<String> {
        let damage = || self.endgames.as_ref()?.1.as_ref()?.take_trouble();
        let unprepared = self.trouble.take().map(|error| error.to_string());
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
                // Not asked for again in every move.
                self.hash = 0;
            }
            self.trouble = Some(error);
        }
        if let Some(table) = &mut self.table {
            table.age();
        }
        let endgames = self
            .endgames
            .as_ref()
            .and_then(|(_, shared)| shared.as_deref());
        let endgames = endgames.map(SharedTables::tables);
        let task = Task {
            game: request.game,
            settings: self.settings,
            limits: self.limits(request.limits),
            seed: request.seed,
            stop: request.stop,
            table: self.table.as_ref(),
            endgames,
            root_endgames: endgames.map(|tables| tables as &dyn Endgames),
            weights: &self.weights.weights,
            threads: self.threads as usize,
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
    let ranked = |best: &Best| Ranked {
        action: best.found.action,
        score: Score::from_value(best.found.value),
        line: best.line.clone(),
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
