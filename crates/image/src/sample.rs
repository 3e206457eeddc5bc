//! Samples of 8 and 16 bits behind one trait.

pub trait Sample: Copy + Eq {
    /// Steps per 1/255.
    const PER_STEP: u16;
    /// The value in its own steps.
    fn value(self) -> u16;
    /// The value rounded to 8 bits.
    fn eight(self) -> u8;
    /// The sample of a value in its own steps.
    fn of(value: u16) -> Self;
    /// The value in steps of 1/255.
    fn steps(self) -> f64 {
        f64::from(self.value()) / f64::from(Self::PER_STEP)
    }
}

impl Sample for u8 {
    const PER_STEP: u16 = 1;
    fn value(self) -> u16 {
        u16::from(self)
    }
    fn eight(self) -> u8 {
        self
    }
    fn of(value: u16) -> Self {
        Self::try_from(value).unwrap_or(Self::MAX)
    }
}

impl Sample for u16 {
    const PER_STEP: u16 = 257;
    fn value(self) -> u16 {
        self
    }
    fn eight(self) -> u8 {
        u8::try_from((u32::from(self) + 128) / 257).unwrap_or(u8::MAX)
    }
    fn of(value: u16) -> Self {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_bits_round_to_the_nearest_eight() {
        for value in 0..=u8::MAX {
            let wide = u16::from(value) * 257;
            assert_eq!(wide.eight(), value);
            assert_eq!(wide.saturating_add(128).eight(), value);
            assert_eq!(wide.saturating_sub(128).eight(), value);
        }
    }
}
