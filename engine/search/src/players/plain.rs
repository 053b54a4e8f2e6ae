//! ENHANCE and the refined programs: plain searches over moves and flips.
//!
//! They differ only in the settings of [`Expectimax`]. ENHANCE searches every
//! flip and every kind it may reveal. The pages that define the refined
//! programs are lost. In our reading, each choice a setting, VAR1 flips on the
//! first `d0` plies only, VAR2 expands the `k` highest kinds, VAR3 `k` kinds
//! drawn at random.

use super::shared::{
    PlainOptions, bring_to_front, choice_of, depth_limit, plain_parameters, report_of,
};
use crate::budget::Budget;
use crate::deepening::deepen_plainly;
use crate::expectimax::{Expectimax, Flips, KindOrder, Kinds, PlainSettings};
use crate::negamax::MOST_DEPTH;
use crate::parameters::{self, Kind, Options, Parameter, Printing, Value};
use crate::player::{Choice, Player, Report, Request};
use crate::random::Chance;
use crate::resources::Resources;
use crate::spec::{Spec, SpecError};
use anqi_rules::PIECES;
use std::num::NonZeroU32;
use std::sync::Arc;

/// The options of ENHANCE.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EnhanceOptions {
    /// The options of all plain searches.
    pub plain: PlainOptions,
}

impl Options for EnhanceOptions {
    const PARAMETERS: &'static [Parameter<EnhanceOptions>] = plain_parameters![];
    const PRINTING: Printing = Printing::Always(&["eval", "depth"]);
    const RESOURCES: &'static [&'static str] = &["depth"];
}

/// The options of VAR1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Var1Options {
    /// Plies from the root on which flips are tried.
    pub flip_plies: u32,
    /// The options of all plain searches.
    pub plain: PlainOptions,
}

impl Default for Var1Options {
    fn default() -> Var1Options {
        Var1Options {
            flip_plies: 1,
            plain: PlainOptions::default(),
        }
    }
}

impl Options for Var1Options {
    const PARAMETERS: &'static [Parameter<Var1Options>] = plain_parameters![Parameter {
        name: "d0",
        meaning: "plies from the root on which flips are tried",
        kind: Kind::Integer {
            least: 0,
            most: MOST_DEPTH as i64,
            step: 1,
            zero: None,
        },
        get: |options| options.flip_plies.into(),
        set: |options, value| {
            options.flip_plies = value.number();
            Ok(())
        },
    },];
    const PRINTING: Printing = Printing::Always(&["d0", "eval", "depth"]);
    const RESOURCES: &'static [&'static str] = &["depth"];
}

/// The options of VAR2 and VAR3.
#[derive(Clone, Copy, Debug)]
pub(super) struct KindsOptions {
    /// Kinds of piece that a flip is expanded into.
    pub kinds: u32,
    /// The options of all plain searches.
    pub plain: PlainOptions,
}

impl Default for KindsOptions {
    fn default() -> KindsOptions {
        KindsOptions {
            kinds: 3,
            plain: PlainOptions::default(),
        }
    }
}

impl Options for KindsOptions {
    const PARAMETERS: &'static [Parameter<KindsOptions>] = plain_parameters![Parameter {
        name: "k",
        meaning: "kinds of piece that a flip is expanded into",
        kind: Kind::Integer {
            least: 1,
            most: PIECES as i64,
            step: 1,
            zero: None,
        },
        get: |options| options.kinds.into(),
        set: |options, value| {
            options.kinds = value.number();
            Ok(())
        },
    },];
    const PRINTING: Printing = Printing::Always(&["k", "eval", "depth"]);
    const RESOURCES: &'static [&'static str] = &["depth"];
}

/// The players `enhance`, `var1`, `var2` and `var3`.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    spec: String,
    settings: PlainSettings,
    /// Plies to search at most.
    depth: Option<NonZeroU32>,
    resources: Arc<Resources>,
}

impl Plain {
    /// Reads the settings of ENHANCE.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is unknown or its value is wrong.
    pub(super) fn enhance(spec: &Spec, resources: &Arc<Resources>) -> Result<Plain, SpecError> {
        let options: EnhanceOptions = parameters::read(spec)?;
        let settings = PlainSettings {
            evaluation: options.plain.evaluation(),
            flips: Flips::Everywhere,
            kinds: Kinds::All,
        };
        let text = parameters::print("enhance", &options);
        Ok(Plain::new(text, settings, options.plain.depth, resources))
    }

    /// Reads the settings of VAR1.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is unknown or its value is wrong.
    pub(super) fn var1(spec: &Spec, resources: &Arc<Resources>) -> Result<Plain, SpecError> {
        let options: Var1Options = parameters::read(spec)?;
        let settings = PlainSettings {
            evaluation: options.plain.evaluation(),
            flips: Flips::First(options.flip_plies),
            kinds: Kinds::All,
        };
        let text = parameters::print("var1", &options);
        Ok(Plain::new(text, settings, options.plain.depth, resources))
    }

    /// Reads the settings of VAR2.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is unknown or its value is wrong.
    pub(super) fn var2(spec: &Spec, resources: &Arc<Resources>) -> Result<Plain, SpecError> {
        Plain::with_kinds("var2", KindOrder::Fixed, spec, resources)
    }

    /// Reads the settings of VAR3.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is unknown or its value is wrong.
    pub(super) fn var3(spec: &Spec, resources: &Arc<Resources>) -> Result<Plain, SpecError> {
        Plain::with_kinds("var3", KindOrder::Random, spec, resources)
    }

    fn with_kinds(
        name: &str,
        order: KindOrder,
        spec: &Spec,
        resources: &Arc<Resources>,
    ) -> Result<Plain, SpecError> {
        let options: KindsOptions = parameters::read(spec)?;
        let kinds = options.kinds;
        let settings = PlainSettings {
            evaluation: options.plain.evaluation(),
            flips: Flips::Everywhere,
            kinds: Kinds::AtMost { kinds, order },
        };
        let text = parameters::print(name, &options);
        Ok(Plain::new(text, settings, options.plain.depth, resources))
    }

    fn new(
        spec: String,
        settings: PlainSettings,
        depth: Option<NonZeroU32>,
        resources: &Arc<Resources>,
    ) -> Plain {
        Plain {
            spec,
            settings,
            depth,
            resources: Arc::clone(resources),
        }
    }
}

impl Player for Plain {
    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn choose(&mut self, request: &Request<'_>, report: &mut dyn FnMut(&Report)) -> Choice {
        let position = request.game.position();
        let mut chance = Chance::new(request.seed, position);
        let delays = Some(&self.resources.delays);
        let budget = Budget::in_position(&request.limits, position, request.stop);
        let mut budget = budget.with_delays(delays);
        let mut actions = request.actions();
        if self.settings.flips == Flips::First(0) && actions.iter().any(|a| !a.is_flip()) {
            actions.retain(|action| !action.is_flip());
        }
        chance.shuffle(&mut actions);
        let any = *actions
            .first()
            .expect("asked for an action where there is none");
        if actions.len() == 1 {
            return Choice::plain(any);
        }
        let deepest = deepen_plainly(
            &mut budget,
            depth_limit(self.depth, request.limits.depth),
            |budget, depth| {
                let mut search = Expectimax::new(self.settings, budget, &mut chance);
                let (best, value) = search.best_action(position, &actions, depth)?;
                bring_to_front(&mut actions, best);
                Some((best, value))
            },
            |budget, deepest| {
                let (action, value) = deepest.answer;
                report(&report_of(budget, action, value, deepest.depth));
            },
        );
        choice_of(&budget, deepest, any)
    }
}
