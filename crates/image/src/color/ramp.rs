//! Ramps of 256 colours, stored as few of them.

use std::sync::OnceLock;

use super::srgba8::Srgba8;

/// The number of colours in a ramp.
const COLORS: usize = 256;

/// A ramp of 256 colours for equal intervals of numbers from 0 to 1, as in Matplotlib.
#[derive(Debug)]
pub(super) struct Ramp {
    pub(super) name: &'static str,
    /// Some of the colours, in order: place, red, green and blue, from the highest byte to the lowest. The first and
    /// the last colour are among them; others are interpolated.
    knots: &'static [u32],
    colors: OnceLock<Box<[Srgba8; COLORS]>>,
}

impl Ramp {
    pub(super) const fn new(name: &'static str, knots: &'static [u32]) -> Self {
        Self { name, knots, colors: OnceLock::new() }
    }

    /// A ramp without a name that interpolates two or more equally spaced colours.
    pub(super) fn through(colors: &[[u8; 3]]) -> Self {
        let last = colors.len() - 1;
        let color = |place: usize| {
            let along = place * last;
            let (before, share) = (along / (COLORS - 1), along % (COLORS - 1));
            between(colors[before], colors[(before + 1).min(last)], share as f64 / (COLORS - 1) as f64)
        };
        Self { name: "", knots: &[], colors: Box::new(std::array::from_fn(color)).into() }
    }

    pub(super) fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    pub(super) fn colors(&self) -> &[Srgba8; COLORS] {
        self.colors.get_or_init(|| {
            let mut colors = Box::new([Srgba8::BLACK; COLORS]);
            for knots in self.knots.windows(2) {
                let [[first, from @ ..], [last, to @ ..]] = [knots[0], knots[1]].map(u32::to_be_bytes);
                for place in first..=last {
                    let share = f64::from(place - first) / f64::from(last - first);
                    colors[usize::from(place)] = between(from, to, share);
                }
            }
            colors
        })
    }

    /// The colour of a number from 0 to 1.
    pub(super) fn at(&self, number: f64) -> Srgba8 {
        self.colors()[place(number)]
    }

    /// The colour of a number from 0 to 1 in the reversed ramp.
    pub(super) fn reversed_at(&self, number: f64) -> Srgba8 {
        self.colors()[COLORS - 1 - place(number)]
    }
}

/// The place of the colour of a number from 0 to 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place among few colours")]
fn place(number: f64) -> usize {
    ((number * COLORS as f64) as usize).min(COLORS - 1)
}

/// The colour at a share of the way from one to another.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "means of bytes")]
fn between(from: [u8; 3], to: [u8; 3], share: f64) -> Srgba8 {
    let mix = |channel: usize| {
        let [from, to] = [from, to].map(|color| f64::from(color[channel]));
        (from + (to - from) * share + 0.5) as u8
    };
    Srgba8::rgb(mix(0), mix(1), mix(2))
}
