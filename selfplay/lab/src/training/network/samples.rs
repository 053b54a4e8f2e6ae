//! Positions as the network sees them.
//!
//! A sample is the list of active inputs in the view of the side to move, the value of
//! the hand-made terms, and the chance of a win as the target. The lists of all samples
//! are contiguous: 6,000,000 positions take about 600 MB.

use anqi_search::evaluation::Weights;
use anqi_search::evaluation::network::{Input, bucket, inputs};

use crate::training::example::Example;

/// Positions in memory, as the network sees them.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    inputs: Vec<Input>,
    /// Where the inputs of each sample end.
    ends: Vec<usize>,
    rest: Vec<Rest>,
}

/// What a sample has beside its inputs.
#[derive(Clone, Copy, Debug)]
struct Rest {
    base: f32,
    target: f32,
    bucket: u8,
}

/// One position.
#[derive(Clone, Copy, Debug)]
pub struct TrainingSample<'a> {
    /// The active inputs.
    pub inputs: &'a [Input],
    /// The sum of the hand-made terms, as a multiple of half a sure win.
    pub base: f32,
    /// The target: the chance of a win.
    pub target: f32,
    /// Which last layer applies.
    pub bucket: usize,
}

impl Samples {
    /// Appends a position; one before the first flip has no sides and is left out.
    pub fn push(&mut self, example: &Example, weights: &Weights, target: f64) {
        let Some(turn) = example.position.turn() else {
            return;
        };
        self.inputs.extend(inputs(&example.position, turn));
        self.ends.push(self.inputs.len());
        self.rest.push(Rest {
            base: weights.relative_sum(&example.position) as f32,
            target: target as f32,
            bucket: bucket(&example.position) as u8,
        });
    }

    /// Appends all samples of others.
    pub fn append(&mut self, other: &Samples) {
        let before = self.inputs.len();
        self.inputs.extend_from_slice(&other.inputs);
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.rest.extend_from_slice(&other.rest);
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns one of them.
    pub fn get(&self, index: usize) -> TrainingSample<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let rest = self.rest[index];
        TrainingSample {
            inputs: &self.inputs[start..self.ends[index]],
            base: rest.base,
            target: rest.target,
            bucket: rest.bucket.into(),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::training::example::{BestAction, GameResult};
    use anqi_rules::Position;

    /// A few positions of all sizes, each won by the side to move with its own chance.
    pub fn some_samples() -> Samples {
        let texts = [
            "K1p1/1?2/4/c?P1/4/2r1/4/1G2 r Gp 0 0",
            "4/4/4/4/4/g3/4/K3 r - 0 0",
            "KGGM/MRRN/NCCP/4/4/kg2/mrnc/pppp b - 0 0",
            "?1g?/4/4/4/4/4/4/?1k1 r GMP 0 9",
        ];
        let mut samples = Samples::default();
        for index in 0..240 {
            let position: Position = texts[index % texts.len()].parse().expect("a position");
            let example = Example {
                position,
                value: 0,
                result: GameResult::Draw,
                best: BestAction::Step,
                depth: 1,
                game: index as u32,
            };
            let target = [0.9, 0.2, 0.6, 0.4][index % texts.len()];
            samples.push(&example, Weights::built_in(), target);
        }
        samples
    }

    #[test]
    fn samples_keep_their_inputs_when_lists_are_joined() {
        let mut samples = some_samples();
        let first: Vec<Input> = samples.get(3).inputs.to_vec();
        samples.append(&some_samples());
        assert_eq!(samples.len(), 480);
        assert_eq!(samples.get(243).inputs, first);
        assert_eq!([0, 1, 2].map(|index| samples.get(index).bucket), [1, 0, 5]);
    }
}
