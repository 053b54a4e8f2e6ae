//! The model that every region starts from, as bytes.
//!
//! Entries that some unit has used are stored with eight bits of their log-odds and two of their
//! weight of evidence, through the arithmetic coder with adaptive bits; then the weights of the
//! mixers, sixteen bits each.

use super::coder::{Decoder, Encoder, ONE, Port};
use super::model::{BLANK, Entry, Model, Question, squash, stretch};

/// Answers that an entry stands for, by class; later answers weigh against these.
const COUNTS: [u16; 4] = [1, 3, 10, 30];

/// How many answers of one region an entry remembers at most.
pub(crate) const MOST: u16 = 255;

/// An adaptive bit.
#[derive(Clone, Copy)]
struct Bit(u32);

impl Bit {
    fn code(&mut self, pipe: &mut impl Pipe, bit: bool) -> bool {
        let bit = pipe.pass(bit, self.0);
        if bit {
            self.0 += (ONE - self.0) >> 5;
        } else {
            self.0 -= self.0 >> 5;
        }
        self.0 = self.0.clamp(64, ONE - 64);
        bit
    }
}

/// A coder in either direction; a reader ignores the bit it is given.
trait Pipe {
    fn pass(&mut self, bit: bool, chance: u32) -> bool;
}

impl Pipe for Encoder {
    fn pass(&mut self, bit: bool, chance: u32) -> bool {
        self.write(bit, chance);
        bit
    }
}

impl Pipe for Decoder<'_> {
    fn pass(&mut self, _: bool, chance: u32) -> bool {
        self.bit(chance, true)
    }
}

/// The adaptive bits for the entries.
struct Bits {
    used: [Bit; 2],
    class: [Bit; 4],
    odds: [Bit; 256],
}

impl Bits {
    fn new() -> Bits {
        let even = Bit(ONE / 2);
        Bits {
            used: [even; 2],
            class: [even; 4],
            odds: [even; 256],
        }
    }

    /// Passes an entry as a class of evidence and eight bits of odds, if it has been used.
    fn entry(
        &mut self,
        pipe: &mut impl Pipe,
        before: bool,
        (class, odds): (Option<u8>, u8),
    ) -> Option<(u8, u8)> {
        if !self.used[usize::from(before)].code(pipe, class.is_some()) {
            return None;
        }
        let tree = |bits: &mut [Bit], pipe: &mut _, value: u8, width: u32| {
            let node = (0..width).rev().fold(1usize, |node, i| {
                node * 2 + usize::from(bits[node].code(pipe, value >> i & 1 != 0))
            });
            (node - (1 << width)) as u8
        };
        let class = tree(&mut self.class, pipe, class.unwrap_or(0), 2);
        let odds = tree(&mut self.odds, pipe, odds, 8);
        Some((class, odds))
    }
}

fn class_of(count: u16) -> Option<u8> {
    match count {
        0 | 1 => None,
        2 | 3 => Some(1),
        4..20 => Some(2),
        _ => Some(3),
    }
}

fn odds_of(chance: u16) -> u8 {
    (stretch(chance) / 16 + 128).clamp(0, 255) as u8
}

fn entry_of((class, odds): (u8, u8)) -> Entry {
    Entry {
        chance: (squash((i32::from(odds) - 128) * 16) << 4) as u16,
        count: COUNTS[usize::from(class & 3)],
    }
}

/// Writes a trained model.
pub(crate) fn to_bytes(model: &Model) -> Vec<u8> {
    let mut out = Vec::new();
    for question in &model.questions {
        for weight in question.weights.iter().flatten() {
            let short = (weight >> 4).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            out.extend(short.to_le_bytes());
        }
    }
    let mut encoder = Encoder::default();
    for question in &model.questions {
        let mut bits = Bits::new();
        let mut before = false;
        for entry in &question.entries {
            let class = class_of(entry.count);
            bits.entry(&mut encoder, before, (class, odds_of(entry.chance)));
            before = class.is_some();
        }
    }
    out.extend(encoder.finish());
    out
}

/// Reads a model; `None` if there are too few bytes for the weights.
pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Model> {
    let mut model = Model {
        most: MOST,
        ..Model::default()
    };
    let mut rest = bytes;
    for question in &mut model.questions {
        for weight in question.weights.iter_mut().flatten() {
            let (short, after) = rest.split_first_chunk::<2>()?;
            *weight = i32::from(i16::from_le_bytes(*short)) << 4;
            rest = after;
        }
    }
    let mut decoder = Decoder::new(rest);
    for Question { entries, .. } in &mut model.questions {
        let mut bits = Bits::new();
        let mut before = false;
        for entry in entries {
            let read = bits.entry(&mut decoder, before, (None, 0));
            *entry = read.map_or(BLANK, entry_of);
            before = read.is_some();
        }
    }
    Some(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_comes_back_as_it_was_read_before() {
        let mut model = Model::default();
        let mut state = 1u32;
        for question in &mut model.questions {
            for entry in &mut question.entries {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if state >> 30 == 0 {
                    *entry = Entry {
                        chance: ((state >> 8) as u16).clamp(32, 65_503),
                        count: (state >> 24 & 31) as u16,
                    };
                }
            }
            question.weights[3][2] = -5 << 4;
        }
        let read = from_bytes(&to_bytes(&model)).unwrap();
        let again = from_bytes(&to_bytes(&read)).unwrap();
        for (question, (a, b)) in model
            .questions
            .iter()
            .zip(read.questions.iter().zip(&again.questions))
        {
            let short = |weights: &[[i32; 9]]| -> Vec<i32> {
                weights.iter().flatten().map(|weight| weight >> 4).collect()
            };
            assert_eq!(short(&question.weights), short(&a.weights));
            for (entry, (a, b)) in question
                .entries
                .iter()
                .zip(a.entries.iter().zip(&b.entries))
            {
                assert_eq!(a.count > 0, entry.count > 1);
                if entry.count > 1 {
                    let far = stretch(a.chance) - stretch(entry.chance);
                    assert!(far.abs() < 200, "{entry:?} {a:?}");
                    assert!((stretch(a.chance) - stretch(b.chance)).abs() < 200);
                }
            }
        }
        assert!(from_bytes(&[0; 100]).is_none());
    }
}
