//! ENHANCE and the refined programs: plain searches over moves and flips.
//!
//! They differ only in the settings of [`Expectimax`]. ENHANCE looks at every
//! flip and every kind it may reveal. The pages that define the refined
//! programs are lost; our reading, each choice a setting: VAR1 flips on the
//! first `d0` plies only, VAR2 expands the `k` highest kinds, VAR3 `k` kinds
//! drawn at random.

use super::basic::{depth_limit, depth_setting, evaluation_setting};
use super::{bring_to_front, choice_of, report_of};
use crate::clock::Budget;
use crate::deepening::deepen;
use crate::expectimax::{Expectimax, Flips, KindOrder, Kinds, Settings};
use crate::negamax::MOST_DEPTH;
use crate::player::{Choice, Player, Report, Request};
use crate::random::Chance;
use crate::spec::{self, Spec, SpecError};
use anqi_rules::PIECES;

/// The players `enhance`, `var1`, `var2` and `var3`.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    name: &'static str,
    settings: Settings,
    /// Plies to look ahead at most, 0 for as many as the limits allow.
    depth: u32,
}

impl Plain {
    /// Reads the settings of ENHANCE.
    ///
    /// # Errors
    ///
    /// Says which value is not one; likewise for the others.
    pub fn enhance(spec: &mut Spec) -> Result<Plain, SpecError> {
        Plain::with("enhance", Flips::Everywhere, Kinds::All, spec)
    }

    /// Reads the settings of VAR1.
    ///
    /// # Errors
    ///
    /// Says which value is not one.
    pub fn var1(spec: &mut Spec) -> Result<Plain, SpecError> {
        let plies = spec.number("d0", 1, 0..=MOST_DEPTH, "0 to 64 plies")?;
        Plain::with("var1", Flips::First(plies), Kinds::All, spec)
    }

    /// Reads the settings of VAR2.
    ///
    /// # Errors
    ///
    /// Says which value is not one.
    pub fn var2(spec: &mut Spec) -> Result<Plain, SpecError> {
        Plain::with_kinds("var2", KindOrder::Fixed, spec)
    }

    /// Reads the settings of VAR3.
    ///
    /// # Errors
    ///
    /// Says which value is not one.
    pub fn var3(spec: &mut Spec) -> Result<Plain, SpecError> {
        Plain::with_kinds("var3", KindOrder::Random, spec)
    }

    fn with_kinds(
        name: &'static str,
        order: KindOrder,
        spec: &mut Spec,
    ) -> Result<Plain, SpecError> {
        let kinds = spec.number("k", 3, 1..=PIECES as u32, "1 to 14 kinds")?;
        Plain::with(
            name,
            Flips::Everywhere,
            Kinds::AtMost { kinds, order },
            spec,
        )
    }

    fn with(
        name: &'static str,
        flips: Flips,
        kinds: Kinds,
        spec: &mut Spec,
    ) -> Result<Plain, SpecError> {
        let settings = Settings {
            evaluation: evaluation_setting(spec)?,
            flips,
            kinds,
        };
        let depth = depth_setting(spec)?;
        Ok(Plain {
            name,
            settings,
            depth,
        })
    }
}

impl Player for Plain {
    fn spec(&self) -> String {
        let mut settings: Vec<(&str, &dyn std::fmt::Display)> = Vec::new();
        if let Flips::First(plies) = &self.settings.flips {
            settings.push(("d0", plies));
        }
        if let Kinds::AtMost { kinds, .. } = &self.settings.kinds {
            settings.push(("k", kinds));
        }
        settings.push(("eval", &self.settings.evaluation));
        settings.push(("depth", &self.depth));
        spec::write(self.name, &settings)
    }

    fn choose(&mut self, request: &Request<'_>, report: &mut dyn FnMut(&Report)) -> Choice {
        let position = request.game.position();
        let mut chance = Chance::new(request.seed, position);
        let mut budget = Budget::new(&request.limits, request.stop);
        let mut actions = position.actions();
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
        let deepest = deepen(
            &mut budget,
            depth_limit(self.depth, request.limits.depth),
            |budget, depth| {
                let mut search = Expectimax::new(self.settings, budget, &mut chance);
                let (best, value) = search.best_action(position, &actions, depth)?;
                bring_to_front(&mut actions, best);
                Some((best, value))
            },
            |budget, deepest| {
                let (action, value) = (deepest.found, deepest.value);
                report(&report_of(budget, action, value, deepest.depth));
            },
        );
        choice_of(&budget, deepest, any)
    }
}
