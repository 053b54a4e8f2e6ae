//! Search values corrected by how the game went on.
//!
//! The search at a later ply of a game sees further than the one before. By TD(λ) (Sutton
//! 1988) a value takes on the changes of the values after it, each ply on λ times as much as
//! the ply before. By how much a flip changes the value is nearly all luck, whose mean is
//! zero: those changes are left out, and the ones after them are not.
//!
//! A correction ends where the next ply is missing: before a random action, a forced one,
//! and the end of the game.

use rayon::prelude::*;

use super::example::{BestAction, Example};
use super::file::{DataFault, DataFile};

/// What a correction needs to know of an example.
#[derive(Clone, Copy, Debug)]
struct Moment {
    game: u32,
    ply: u32,
    /// The search value for the side to move.
    value: f32,
    is_flip: bool,
}

/// The corrections of all values of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Hindsight {
    /// For each record, for its side to move; empty if there are none.
    corrections: Vec<f32>,
}

impl Hindsight {
    /// Returns the corrections of a file's values, with this λ.
    ///
    /// # Errors
    ///
    /// Fails if a record is invalid.
    pub fn new(data: &DataFile, lambda: f64) -> Result<Hindsight, DataFault> {
        if lambda == 0.0 {
            return Ok(Hindsight {
                corrections: Vec::new(),
            });
        }
        let records = (0..data.records().len()).into_par_iter();
        let moments: Result<Vec<Moment>, DataFault> = records
            .map(|index| data.example(index).map(|example| moment(&example)))
            .collect();
        Ok(Hindsight {
            corrections: corrections(&moments?, lambda as f32),
        })
    }

    /// Returns the corrected value of the example with this number, for its side to move.
    pub fn value(&self, index: usize, example: &Example) -> f64 {
        let correction = self.corrections.get(index).copied().unwrap_or_default();
        (example.searched() + f64::from(correction)).clamp(-1.0, 1.0)
    }
}

fn moment(example: &Example) -> Moment {
    Moment {
        game: example.game,
        ply: example.position.ply(),
        value: example.searched() as f32,
        is_flip: example.best == BestAction::Flip,
    }
}

/// Works out corrections from the last to the first.
fn corrections(moments: &[Moment], lambda: f32) -> Vec<f32> {
    let mut corrections = vec![0.0; moments.len()];
    for index in (0..moments.len().saturating_sub(1)).rev() {
        let (now, next) = (moments[index], moments[index + 1]);
        if next.game != now.game || next.ply != now.ply + 1 {
            continue;
        }
        let change = if now.is_flip {
            0.0
        } else {
            -next.value - now.value
        };
        // The other side is to move there.
        corrections[index] = lambda * (change - corrections[index + 1]);
    }
    corrections
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(game: u32, ply: u32, value: f32) -> Moment {
        Moment {
            game,
            ply,
            value,
            is_flip: false,
        }
    }

    fn close(found: &[f32], expected: &[f32]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} for {expected}");
        }
    }

    #[test]
    fn values_move_towards_those_after_them() {
        let game = [
            moment(0, 5, 0.1),
            moment(0, 6, -0.3),
            moment(0, 7, 0.2),
            moment(0, 8, -0.2),
        ];
        // By hand: −0.3 becomes −0.25, and 0.1 becomes the mean of 0.1 and 0.25.
        close(&corrections(&game, 0.5), &[0.075, 0.05, 0.0, 0.0]);
        // With λ = 1 every value becomes the last.
        close(&corrections(&game, 1.0), &[0.1, 0.1, 0.0, 0.0]);
    }

    #[test]
    fn the_luck_of_flips_is_left_out_and_what_follows_is_not() {
        let mut game = [moment(0, 0, 0.0), moment(0, 1, 0.6), moment(0, 2, -0.5)];
        game[0].is_flip = true;
        // After the flip the value falls from 0.6 to 0.5 for one side: 0.1 more for the other.
        close(&corrections(&game, 1.0), &[0.1, -0.1, 0.0]);
    }

    #[test]
    fn corrections_end_at_gaps_and_between_games() {
        let games = [
            moment(0, 0, 0.5),
            moment(0, 2, 0.5),
            moment(1, 3, 0.5),
            moment(2, 4, 0.5),
        ];
        close(&corrections(&games, 1.0), &[0.0; 4]);
        close(&corrections(&[], 1.0), &[]);
    }
}
