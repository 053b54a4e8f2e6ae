//! What may follow an action, with its chances: afterstates for search and for learning by differences.

use super::actions::ACTIONS;
use super::encoding::{BYTES, PLANES};
use super::lane::Lane;
use crate::array::{Array, BOOL, Buffer, Plain};
use crate::errors::detached;
use anqi_rules::{Ply, Rules};
use pyo3::prelude::*;

/// One outcome of a lane's action.
struct Outcome {
    lane: i32,
    piece: i8,
    chance: f64,
    ply: Ply,
}

/// Returns the outcomes of an action for each lane, as arrays by name.
pub fn arrays(
    py: Python<'_>,
    lanes: &[Lane],
    plies: &[Ply],
    rules: Rules,
) -> PyResult<Vec<(&'static str, Array)>> {
    let outcomes: Vec<Outcome> = lanes
        .iter()
        .zip(plies)
        .enumerate()
        .flat_map(|(lane, (state, ply))| outcomes(lane as i32, state, *ply))
        .collect();
    let count = outcomes.len();
    let (observation, mask) = (Buffer::new(count * BYTES)?, Buffer::new(count * ACTIONS)?);
    let target = (observation.pointer() as usize, mask.pointer() as usize);
    let played: Vec<(f32, u8)> = detached(py, || {
        let play = |(index, outcome): (usize, &Outcome)| {
            let mut next = lanes[outcome.lane as usize].clone();
            let played = next.play(outcome.ply, &rules);
            // SAFETY: the buffers are new, and have so many bytes for each outcome.
            let (observation, mask) = unsafe {
                (
                    &mut *(target.0 as *mut [u8; BYTES]).add(index),
                    &mut *(target.1 as *mut [u8; ACTIONS]).add(index),
                )
            };
            next.write(&rules, observation, mask);
            let is_over = played.outcome.is_some();
            if is_over {
                mask.fill(0);
            }
            (played.reward(), u8::from(is_over))
        };
        outcomes.iter().enumerate().map(play).collect()
    })?;
    let of = |number: fn(&(f32, u8)) -> f32| played.iter().map(number).collect::<Vec<f32>>();
    let lanes: Vec<i32> = outcomes.iter().map(|outcome| outcome.lane).collect();
    let pieces: Vec<i8> = outcomes.iter().map(|outcome| outcome.piece).collect();
    let chances: Vec<f64> = outcomes.iter().map(|outcome| outcome.chance).collect();
    let over: Vec<u8> = played.iter().map(|(_, over)| *over).collect();
    Ok(vec![
        ("lane", Array::of(&lanes, &[count])?),
        ("piece", Array::of(&pieces, &[count])?),
        ("probability", Array::of(&chances, &[count])?),
        (
            "observation",
            Array::new(observation, u8::TYPE, &[count, PLANES, 8, 4]),
        ),
        ("mask", Array::new(mask, BOOL, &[count, ACTIONS])),
        ("reward", Array::of(&of(|(reward, _)| *reward), &[count])?),
        ("terminated", Array::new(Buffer::of(&over)?, BOOL, &[count])),
    ])
}

fn outcomes(lane: i32, state: &Lane, ply: Ply) -> Vec<Outcome> {
    if !ply.action.is_flip() {
        return vec![Outcome {
            lane,
            piece: -1,
            chance: 1.0,
            ply,
        }];
    }
    let reveals = state.position.reveals();
    let outcome = |reveal: anqi_rules::Reveal| Outcome {
        lane,
        piece: reveal.piece.index() as i8,
        chance: reveal.chance(),
        ply: Ply::flip(ply.action.from(), reveal.piece),
    };
    reveals.map(outcome).collect()
}
