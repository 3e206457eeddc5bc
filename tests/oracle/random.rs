//! The random numbers of tests and benchmarks: the same for a seed on every machine, so that a failure comes back.
#![allow(dead_code, reason = "each test and benchmark that shares this uses a part of it")]

use roundel::Srgba8;

/// The generator xorshift64*.
pub(crate) struct Random(u64);

impl Random {
    /// The seed 0 stands for 1.
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Self(seed.max(1));
        // small seeds differ in few bits
        for _ in 0..16 {
            random.next();
        }
        random
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// From 0 inclusive to 1 exclusive.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 40) as f64 / 16_777_216.0
    }

    #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
    pub(crate) fn within(&mut self, low: f64, high: f64) -> f32 {
        (low + (high - low) * self.unit()) as f32
    }

    pub(crate) fn color(&mut self, alpha: u8) -> Srgba8 {
        let [r, g, b, ..] = self.next().to_be_bytes();
        Srgba8 { r, g, b, a: alpha }
    }
}
