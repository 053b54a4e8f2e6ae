//! Binary arithmetic coding, one region at a time.
//!
//! The coder of public-domain `lpaq`: an interval of 32-bit numbers shrinks with each bit in
//! proportion to its probability. Integers only, so every machine reads the same bits. A [`Port`] is
//! one end of the line: it writes wanted bits, reads stored ones, or takes the likelier ones.

/// Probabilities are counted in parts of this.
pub(crate) const ONE: u32 = 1 << 16;

/// One end of a sequence of coded bits.
pub trait Port {
    /// Begins the next stored position.
    fn begin(&mut self);

    /// Passes one bit; `chance` of [`ONE`] is the probability that it is set. `decisive` is false
    /// for the first of the two questions about a value.
    fn bit(&mut self, chance: u32, decisive: bool) -> bool;
}

/// Takes the likelier bit each time: what a region of length zero stands for.
#[derive(Debug)]
pub(crate) struct Likeliest;

impl Port for Likeliest {
    fn begin(&mut self) {}

    fn bit(&mut self, chance: u32, _: bool) -> bool {
        chance >= ONE / 2
    }
}

/// Reads bits.
#[derive(Debug)]
pub(crate) struct Decoder<'a> {
    low: u32,
    high: u32,
    code: u32,
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    /// Begins to read; zeros follow the last byte.
    pub(crate) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder {
            low: 0,
            high: !0,
            code: 0,
            rest: bytes,
        };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    #[inline]
    fn shift(&mut self) {
        let byte = self.rest.split_first().map_or(0, |(&first, rest)| {
            self.rest = rest;
            first
        });
        self.code = self.code << 8 | u32::from(byte);
    }
}

/// The last number of the lower part of an interval.
#[inline]
fn split(low: u32, high: u32, chance: u32) -> u32 {
    let width = u64::from(high - low);
    low + ((width * u64::from(chance)) >> 16) as u32
}

impl Port for Decoder<'_> {
    fn begin(&mut self) {}

    #[inline]
    fn bit(&mut self, chance: u32, _: bool) -> bool {
        let middle = split(self.low, self.high, chance);
        let bit = self.code <= middle;
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
            self.shift();
        }
        bit
    }
}

/// Writes bits.
#[derive(Debug)]
pub(crate) struct Encoder {
    low: u32,
    high: u32,
    bytes: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Encoder {
        Encoder {
            low: 0,
            high: !0,
            bytes: Vec::new(),
        }
    }
}

impl Encoder {
    /// Writes one bit.
    pub(crate) fn write(&mut self, bit: bool, chance: u32) {
        let middle = split(self.low, self.high, chance);
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.bytes.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
        }
    }

    /// Ends with as few bytes as tell the interval from its neighbours, zeros at the end left out.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        for bytes in 0..=4 {
            let mask = (u64::from(u32::MAX) << (32 - 8 * bytes)) as u32;
            let last = (self.high & mask).to_be_bytes();
            if self.high & mask >= self.low {
                self.bytes.extend(&last[..bytes]);
                break;
            }
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back_whatever_their_probabilities() {
        let mut state = 7u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        for length in [0, 1, 5, 1000] {
            let bits: Vec<(bool, u32)> = (0..length)
                .map(|_| {
                    let chance = (random() >> (random() % 12)).clamp(1, ONE - 1);
                    (random() < chance, chance)
                })
                .collect();
            let mut encoder = Encoder::default();
            for &(bit, chance) in &bits {
                encoder.write(bit, chance);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            for &(bit, chance) in &bits {
                assert_eq!(decoder.bit(chance, true), bit);
            }
        }
    }
}
