//! The principal variation, read from the transposition table.

use super::Search;
use super::root::RootResult;
use super::strategy::Strategy;
use crate::player::LineStep;
use crate::score::UNPROVEN_BOUND;
use anqi_rules::Position;

/// The longest variation shown; more is of no use.
const MOST_STEPS: usize = 24;

impl<S: Strategy> Search<'_, S> {
    /// Returns the line that both sides are expected to play, the given action first.
    pub fn variation(&self, position: &Position, first: RootResult) -> Vec<LineStep> {
        let mut position = *position;
        let mut variation = vec![LineStep {
            action: first.action,
            expectation: first.action.is_flip().then_some(first.value),
        }];
        while let Some(last) = variation.last().filter(|step| !step.action.is_flip()) {
            let _ = position.step_unchecked(last.action);
            let key = self.line.key(&position, 0);
            let known = self.table.and_then(|table| table.probe(key, 0));
            let Some((known, best)) = known.and_then(|k| Some((k, k.best?))) else {
                break;
            };
            if !position.is_legal(best) || variation.len() >= MOST_STEPS {
                break;
            }
            // Table values are for the side to move there, here the side that flips.
            let expectation = best
                .is_flip()
                .then_some(known.lower.max(-UNPROVEN_BOUND).min(known.upper));
            variation.push(LineStep {
                action: best,
                expectation,
            });
        }
        variation
    }
}
